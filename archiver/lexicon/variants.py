"""Parameters of addresses that ask for another look at what a page shows, and those by which lists go on."""

from __future__ import annotations

import re

# Further pages of a list.
PAGING = re.compile(
    r"(?:\w+[_-])?(?:page|paged|pg|pagina|seite|p|start|offset|from|skip|cpage)(?:[_-]?(?:no|num|nr|number|index))?",
    re.IGNORECASE,
)
# Moments: calendars go on for ever with them.
MOMENTS = re.compile(
    r"(?:\w+[_-])?(?:date|day|week|month|year|m|y|d|cal|calendar|monat|jahr|tag|mois|ano|mes)", re.IGNORECASE
)
# Orders, forms and filters of what is there anyway.
LOOKS = re.compile(
    r"(?:\w+[_-])?(?:sort|sort_?by|sort_?order|order|order_?by|dir|direction|asc|desc|view|layout|display|mode|print"
    r"|printable|print_?view|format|replytocom|share|like|action|do|filter\w*|facet\w*|limit|per_?page|theme|skin|lang)"
    r"(?:\[\w*\])?",
    re.IGNORECASE,
)
# Those of them that never choose what is shown: the same content, in another order or for paper. A language,
# a view or an action may well lead to content of its own.
COPIES = re.compile(
    r"(?:\w+[_-])?(?:sort|sort_?by|sort_?order|order_?by|print|printable|print_?view|replytocom|share)",
    re.IGNORECASE,
)
COPIES_IN_PATH = frozenset(["print", "printable", "share"])
# The same in paths: `/print/17`, `/calendar/2031/04`.
LOOKS_IN_PATH = frozenset(["print", "printable", "calendar", "kalender", "agenda", "sort", "filter", "share"])
