"""What a form is for: search, or something that a program must never do.

A form is taken for search only on evidence for it, and never where it asks for what a search does not need: a
password, an address, a message. What submits forms relies on that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from archiver.documents.pages.forms.fields import FormField, fields_of
from archiver.lexicon.form_words import (
    DOING_WORDS,
    PERSONAL_NAMES,
    SEARCH_NAMES,
    SEARCH_WORDS,
    WRITING_WORDS,
    spaced,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lxml.etree import _Element as Element

# From here on a form is one of search: a sign that is meant for nothing else, or two; where there is one
# line to type into, a sign is enough.
_ENOUGH = 3
_ENOUGH_OF_ONE_LINE = 2
_NEVER = frozenset({"password", "file", "email", "area"})


def kind_of(form: Element, fields: Sequence[FormField] | None = None) -> str:
    """search, login, registration, contact, subscription, order, or other."""
    fields = fields_of(form) if fields is None else fields
    if refusal := _refused(form, fields):
        return refusal
    lines = sum(field.kind == "text" and not field.is_trap for field in fields)
    enough = _ENOUGH_OF_ONE_LINE if lines == 1 else _ENOUGH
    return "search" if search_score(form, fields) >= enough else "other"


def _refused(form: Element, fields: Sequence[FormField]) -> str:
    """What the form is for where it asks for more than a search does; else empty."""
    kinds = {field.kind for field in fields}
    texts = [field for field in fields if field.kind in {"text", *_NEVER} and not field.is_trap]
    passwords = sum(field.kind == "password" for field in fields)
    if passwords:
        return "login" if passwords == 1 and len(texts) <= 3 else "registration"
    if "area" in kinds:
        return "contact"
    action = str(form.get("action") or "").lower()
    if kinds & _NEVER or action.startswith("mailto:") or any(map(_is_personal, texts)):
        return "subscription" if len(texts) == 1 else "contact"
    return ""


def _is_personal(field: FormField) -> bool:
    return bool(
        PERSONAL_NAMES.search(field.name)
        or "@" in f"{field.label}{field.value}"
        or "mail" in field.label.lower()
    )


def search_score(form: Element, fields: Sequence[FormField]) -> int:
    """How much speaks for search, less what speaks for writing, buying or signing in."""
    texts = [field for field in fields if field.kind == "text" and not field.is_trap]
    choices = [field for field in fields if field.kind in {"option", "range", "date"}]
    if not texts and not choices:
        return 0
    told = _told(form, fields)
    labels = [spaced(f"{field.name} {field.label} {field.value}") for field in texts]
    score = 2 * sum(bool(SEARCH_WORDS.search(one)) for one in told)
    score += 2 * (form.get("role") == "search") + 3 * any(field.is_search for field in fields)
    score += 2 * any(map(SEARCH_WORDS.search, labels))
    score += 2 * any(field.name.lower() in SEARCH_NAMES for field in texts)
    score += str(form.get("method") or "get").lower() == "get"
    score += len(choices) > 1
    score -= 4 * sum(bool(WRITING_WORDS.search(one)) for one in (*told, " ".join(labels)))
    score -= sum(bool(DOING_WORDS.search(one)) for one in told)
    return int(score - min(2, max(0, len(texts) - 1)) - (not texts))


def _told(form: Element, fields: Sequence[FormField]) -> tuple[str, str, str]:
    """The words by which the form as a whole tells its purpose: its names, its address, its buttons."""
    names = " ".join(str(form.get(name) or "") for name in ("id", "name", "class", "aria-label", "title"))
    buttons = " ".join(f"{field.name} {field.label}" for field in fields if field.kind == "submit")
    return spaced(names), spaced(_address_words(str(form.get("action") or ""))), spaced(buttons)


def _address_words(address: str) -> str:
    try:
        parts = urlsplit(address)
    except ValueError:  # such as an unfinished IPv6 host
        return address
    return f"{parts.path} {parts.query}"
