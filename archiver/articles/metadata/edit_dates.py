"""Dates of the last edit that a page shows: told by the words before them, or by the names of elements."""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import accumulate, islice
from typing import TYPE_CHECKING

from lxml import etree

from archiver.documents.pages.dom import UNSEEN

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
# Every match of `EDITED` has one of these in it, in small letters: they are looked for first.
STEMS = (
    "pdat", "edit", "modifi", "chang", "revis", "review", "touched", "saved",
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
# The same for names.
_NAME_STEMS = ("pdat", "modifi", "lastmod", "edit", "revis")
# Themes call the day of a post "entry-date updated", for programs that want such a name.
_NAMED_PUBLISHED = re.compile(r"publish|posted|created|pubdate|(?:entry|post)-date|\bdate\b", re.IGNORECASE)
# What `meta` elements that state an edit are called; a search for a date takes them where there is no other.
_STATED = re.compile(r"modif|moddate|last-?mod|lastdate|updat|revision|\butime\b", re.IGNORECASE)
_META_NAMES = ("name", "property", "itemprop", "http-equiv")
# Elements whose only content may be the date of an edit.
MARKING = ("time", "span", "abbr", "em", "b", "strong", "i", "a")
# Attributes with a date in them.
DATED = ("datetime", "title", "content")
_DIGIT = re.compile(r"\d")
# How far behind the words a date stands, and how far up an element's name is heard.
_REACH = 80
_LEVELS = 3
_MOST_ELEMENTS = 100_000


def is_of_edit(element: Element) -> bool:
    """Whether a date in this element is that of an edit: by its names, or the words just before it."""
    return EditMarks().has(element)


def may_tell(text: str) -> bool:
    """Whether `EDITED` may find anything in a text: much faster than to ask it."""
    return _has_any(text.lower(), STEMS)


class EditMarks:
    """Finds dates of edits; `stems` are those of `STEMS` that its page says at all."""

    def __init__(self, stems: Sequence[str] = STEMS) -> None:
        self._stems = stems
        # The names of each element, and whether they have a stem: elements stand in the same ones.
        self._known: dict[Element, tuple[str, bool]] = {}

    def has(self, element: Element) -> bool:
        names = [self._names(one) for one in _with_ancestors(element)]
        if any(is_found for _, is_found in names):
            joined = " ".join(name for name, _ in names)
            if _NAMED.search(joined) and not _NAMED_PUBLISHED.search(joined):
                return True
        before = _text_before(element)
        return _has_any(before.lower(), self._stems) and _ends_in_edit(before)

    def _names(self, element: Element) -> tuple[str, bool]:
        known = self._known.get(element)
        if known is None:
            names = " ".join((element.get("class", ""), element.get("id", ""), element.get("itemprop", "")))
            known = self._known[element] = names, _has_any(names.lower(), _NAME_STEMS)
        return known


def _has_any(lowered: str, stems: Sequence[str]) -> bool:
    # Not `any` with a generator, which takes three times as long.
    for stem in stems:  # noqa: SIM110
        if stem in lowered:
            return True
    return False


def _with_ancestors(element: Element) -> list[Element]:
    found = [element]
    while len(found) < _LEVELS and (around := found[-1].getparent()) is not None:
        found.append(around)
    return found


def _text_before(element: Element) -> str:
    """What stands before an element, in the element around it or the one around that."""
    for one in _with_ancestors(element)[:2]:
        before, around, text = one.getprevious(), one.getparent(), ""
        # What no reader sees does not part a text.
        while before is not None and before.tag in UNSEEN:
            text = (before.tail or "") + text
            before = before.getprevious()
        start = before.tail if before is not None else around.text if around is not None else ""
        text = (start or "") + text
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


def hide_edits(tree: Element) -> None:
    """Take the dates of edits out of a tree, so that no search for a date finds them."""
    for element in islice(tree.iter("meta"), _MOST_ELEMENTS):
        if states_edit(element):
            _blank(element)
    texts = _Texts(tree)
    edits = EditMarks(texts.stems)
    for element in list(islice(tree.iter(*MARKING), _MOST_ELEMENTS)):
        if may_date(element) and edits.has(element):
            _blank(element)
    for element, name in texts.with_stems():
        if text := getattr(element, name):
            setattr(element, name, hidden(text))


def states_edit(meta: Element) -> bool:
    """Whether a `meta` element states an edit."""
    return any(_STATED.search(meta.get(name, "")) for name in _META_NAMES)


class _Texts:
    """The texts of a page, searched together for stems: a tenth of the time of one by one."""

    def __init__(self, tree: Element) -> None:
        every = [(one, one.text, one.tail) for one in islice(tree.iter(etree.Element), _MOST_ELEMENTS)]
        found = [(one, "text", text) for one, text, _ in every if text and not text.isspace()]
        found += [(one, "tail", tail) for one, _, tail in every if tail and not tail.isspace()]
        lowered = [text.lower() for _, _, text in found]
        self._texts = found
        self._starts = list(accumulate((len(text) + 1 for text in lowered), initial=0))
        self._joined = "\n".join(lowered)
        self.stems = [stem for stem in STEMS if stem in self._joined]

    def with_stems(self) -> Iterator[tuple[Element, str]]:
        """Where the texts are that have a stem: elements, and whether in them or behind them."""
        places = (at for stem in self.stems for at in _places_of(stem, self._joined))
        for place in {bisect_right(self._starts, at) - 1 for at in places}:
            yield self._texts[place][:2]


def _places_of(stem: str, text: str) -> Iterator[int]:
    at = text.find(stem)
    while at >= 0:
        yield at
        at = text.find(stem, at + 1)


def may_date(element: Element) -> bool:
    """Whether there may be a date in it at all."""
    text = element.text
    if len(element) or (text and _DIGIT.search(text)):
        return True
    return any(element.get(name) for name in DATED)


def _blank(element: Element) -> None:
    for one in element.iter():
        if one is not element:
            one.tail = None
        one.text = None
        for name in DATED:
            one.attrib.pop(name, "")


def hidden(text: str) -> str:
    """A text without what it tells of edits."""
    kept, done = [], 0
    for found in EDITED.finditer(text):
        if found.start() < done:
            continue
        end = min(len(text), found.end() + _REACH)
        other = _PUBLISHED.search(text, found.end(), end)
        kept.append(text[done : found.start()])
        done = other.start() if other else end
    return "".join((*kept, text[done:]))
