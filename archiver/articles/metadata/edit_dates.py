"""Dates of the last edit that a page shows: told by the words before them, or by the names of elements."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from lxml import etree

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lxml.etree import _Element as Element

# "last edited on", "updated:" and the like, in the languages that date names are known in. Nothing is tried
# twice on a run of white space: pages have such of a hundred thousand characters.
EDITED = re.compile(
    r"""(?:
    (?:(?:was|were|is|been)\s*)?(?:last|latest|recently)\s+(?:edit(?:ed)?|updated?|modifi(?:ed|cation)
        |chang(?:ed|e)|revis(?:ed|ion)|review(?:ed)?|touched|saved)
    |\b(?:updated|modified|edited|revised|reviewed)\b(?=\s*+(?:on\b|at\b|by\b|[:\uff1a]|\W*\d|\W*$|(?<=\s)[A-Z]))
    |date\s+(?:modified|updated)|\bupdate(?=\s*+(?:on\b|as\s+of\b|[:(,\u2013-])\s*+[^\W\d_]*+\.?\s*+\d)
    |(?:zuletzt|letztmals)\s+(?:bearbeitet|ge(?:ä|ae)ndert|aktualisiert|ver(?:ä|ae)ndert)
    |letzte\s+(?:(?:ä|ae)nderung|bearbeitung|aktualisierung)|\baktualisiert\b|\bge(?:ä|ae)ndert\s+am
    |\bstand(?=\s*:)
    |derni(?:è|e)re\s+(?:modification|mise\s+(?:à|a)\s+jour)|\bmis(?:e)?\s+(?:à|a)\s+jour|\bmodifi(?:é|e)e?\s+le
    |\bactualis(?:é|e)e?\b
    |(?:ú|u)ltima\s+(?:modificaci(?:ó|o)n|edici(?:ó|o)n|actualizaci(?:ó|o)n|modifica|edi(?:ç|c)(?:ã|a)o
        |atualiza(?:ç|c)(?:ã|a)o|modifica(?:ç|c)(?:ã|a)o|altera(?:ç|c)(?:ã|a)o)
    |\bactualizad[oa]\b|\beditad[oa]\s+por\s+(?:ú|u)ltima|\batualizad[oa]\b
    |\bmodificad[oa]\s+(?:el|em)\b|\bmodificat[oa]\s+il\b
    |ultim[oa]\s+(?:modifica|aggiornamento)|\baggiornat[oa]\b
    |laatst\s+(?:bewerkt|gewijzigd|bijgewerkt|aangepast)|laatste\s+(?:wijziging|update)|\bbijgewerkt\b
    |\bgewijzigd\s+op\b|\bge(?:ü|u)pdatet?\b
    |\u043f\u043e\u0441\u043b\u0435\u0434\u043d(?:\u0435\u0435|\u044f\u044f|\u0438\u0439)\s+(?:\u0438\u0437\u043c\u0435\u043d\u0435\u043d\u0438\u0435|\u0440\u0435\u0434\u0430\u043a\u0442\u0438\u0440\u043e\u0432\u0430\u043d\u0438\u0435|\u043f\u0440\u0430\u0432\u043a\u0430|\u0440\u0430\u0437)
    |\b\u043e\u0431\u043d\u043e\u0432\u043b\u0435\u043d\u043e\b
    |\b\u0438\u0437\u043c\u0435\u043d\u0435\u043d\u043e\b
    |最终更新|最終更新|最后(?:编辑|修改|更新)|最後(?:編輯|修改|更新)|更新(?:日時?|时间|時間)|마지막\s*(?:수정|편집)|최종\s*수정
    )""",
    re.IGNORECASE | re.VERBOSE,
)
# Every match of `EDITED` and of `_NAMED` has one of these in it, in small letters: they are looked for first.
STEMS = (
    "pdat", "edit", "modifi", "chang", "revis", "review", "touched", "saved", "lastmod",
    "zuletzt", "letztmals", "letzte", "aktualisi", "geändert", "geaendert", "stand",
    "derni", "jour", "actualis", "ltim", "tualizad", "aggiornat",
    "laatst", "bijgewerkt", "gewijzigd", "последн", "обновлено", "изменено",
    "更新", "最后", "最後", "마지막", "최종",
)  # fmt: skip
# What a date of publication begins with: there the words of the edit end.
_PUBLISHED = re.compile(
    r"publi|post(?:ed)?\s|creat|first\b|added|written|veröff|erstellt|créé|公開|发布", re.IGNORECASE
)
_NAMED = re.compile(
    r"(?:^|[\s_-])(?:last-?)?(?:updated|modified|lastmod|edited|revised|datemodified)(?:[\s_-]|$)",
    re.IGNORECASE,
)
# Themes call the day of a post "entry-date updated", for programs that want such a name.
_NAMED_PUBLISHED = re.compile(r"publish|posted|created|pubdate|(?:entry|post)-date|\bdate\b", re.IGNORECASE)
# What `meta` elements that state an edit are called; a search for a date takes them where there is no other.
_STATED = re.compile(r"modif|moddate|last-?mod|lastdate|updat|revision|\butime\b", re.IGNORECASE)
_META_NAMES = ("name", "property", "itemprop", "http-equiv")
# Attributes with a date in them.
_DATED = ("datetime", "title", "content")
_DIGIT = re.compile(r"\d")
# How far behind the words a date stands, and how far up an element's name is heard.
_REACH = 80
_LEVELS = 3
_MOST_ELEMENTS = 100_000


def is_of_edit(element: Element, stems: Sequence[str] = STEMS) -> bool:
    """Whether a date in this element is that of an edit: by its names, or the words just before it.

    `stems` are those of `STEMS` that stand on its page at all.
    """
    names = " ".join(map(_names, _with_ancestors(element)))
    if _has_any(names, stems) and _NAMED.search(names) and not _NAMED_PUBLISHED.search(names):
        return True
    before = _text_before(element)
    return _has_any(before, stems) and _ends_in_edit(before)


def _has_any(text: str, stems: Sequence[str]) -> bool:
    lowered = text.lower()
    return any(stem in lowered for stem in stems)


def _with_ancestors(element: Element) -> Iterator[Element]:
    yield element
    yield from islice(element.iterancestors(), _LEVELS - 1)


def _names(element: Element) -> str:
    return " ".join(element.get(name, "") for name in ("class", "id", "itemprop"))


def _text_before(element: Element) -> str:
    """What stands before an element, in the element around it or the one around that."""
    for one in islice(_with_ancestors(element), 2):
        before, around = one.getprevious(), one.getparent()
        text = (before.tail if before is not None else around.text if around is not None else "") or ""
        if not text.strip() and before is not None and isinstance(before.tag, str):
            text = "".join(map(str, islice(before.itertext(), 8)))
        if text.strip():
            return text[-_REACH:]
    return ""


def _ends_in_edit(text: str) -> bool:
    """Whether the last thing that a text speaks of is an edit, whose date is still to come."""
    found = list(EDITED.finditer(text.rstrip()))
    return bool(found) and _date_free(text[found[-1].end() :])


def _date_free(text: str) -> bool:
    return not any(map(str.isdigit, text)) and _PUBLISHED.search(text) is None


def hide_edits(tree: Element, markup: str) -> None:
    """Take the dates of edits out of the tree of `markup`, so that no search for a date finds them."""
    lowered = markup.lower()
    stems = [stem for stem in STEMS if stem in lowered]
    for element in islice(tree.iter("meta"), _MOST_ELEMENTS):
        if any(_STATED.search(element.get(name, "")) for name in _META_NAMES):
            _blank(element)
    if not stems:
        return
    for element in list(
        islice(tree.iter("time", "span", "abbr", "em", "b", "strong", "i", "a"), _MOST_ELEMENTS)
    ):
        if _may_date(element) and is_of_edit(element, stems):
            _blank(element)
    for element in islice(tree.iter(etree.Element), _MOST_ELEMENTS):
        text, tail = element.text, element.tail
        if text and _has_any(text, stems):
            element.text = _hidden(text)
        if tail and _has_any(tail, stems):
            element.tail = _hidden(tail)


def _may_date(element: Element) -> bool:
    """Whether there may be a date in it at all."""
    text = element.text
    if len(element) or (text and _DIGIT.search(text)):
        return True
    return any(element.get(name) for name in _DATED)


def _blank(element: Element) -> None:
    for one in element.iter():
        if one is not element:
            one.tail = None
        one.text = None
        for name in _DATED:
            one.attrib.pop(name, "")


def _hidden(text: str) -> str:
    kept, done = [], 0
    for found in EDITED.finditer(text):
        if found.start() < done:
            continue
        end = min(len(text), found.end() + _REACH)
        other = _PUBLISHED.search(text, found.end(), end)
        kept.append(text[done : found.start()])
        done = other.start() if other else end
    return "".join((*kept, text[done:]))
