"""What tells pages that scripts fill from those with a text: names of empty roots, what is said without."""

from __future__ import annotations

import re

# The ids of the element that frameworks fill: React, Vue, Next, Nuxt, Gatsby, Svelte, Ember …
ROOT_IDS = frozenset(
    {"root", "app", "application", "react-root", "react-app", "vue-app", "__next", "__nuxt", "___gatsby",
     "svelte", "sapper", "q-app", "ember-app", "main-app", "app-root", "app-container", "elm", "blazor"}
)  # fmt: skip
# What is said in place of the page where scripts are off: the name of the language is in most of it.
NEEDS_SCRIPTS = re.compile(r"java\s?script|enable scripts|scripts? (?:is|are) disabled", re.IGNORECASE)
