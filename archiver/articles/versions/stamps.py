"""Texts that change by themselves: dates of a page, how long ago it was, and how often it was read."""
# ruff: noqa: RUF001 - letters of many scripts are meant

from __future__ import annotations

import re

from archiver.lexicon.dates import MONTHS, fold
from archiver.lexicon.stamps import (
    COUNT_WORDS,
    COUNTED,
    COUNTED_UNSPACED,
    LABELS,
    LABELS_UNSPACED,
    STAMP_WORDS,
)

_TOKEN = re.compile(r"\d+(?:[.,:]\d+)*|[^\W\d_]+(?:['.-][^\W\d_]+)*")
_SENTENCE = re.compile(r"[.!?…。！？][\"')\]]*$")
_DIGIT = re.compile(r"\d")
# More are a sentence.
MOST_WORDS = 25
MOST_OTHERS = 8
MOST_COUNT_WORDS = 10
_SHORT = 12

# Words that say it only together.
_LAST_CHANGE = re.compile(
    r"\b(?:last(?:ly)? (?:change|edit|revision)|letzte änderung|dernière modification|última modificación"
    r"|ultima modifica|última alteração|laatste wijziging|senast ändrad|ostatnia zmiana)",
    re.IGNORECASE,
)
_NUMBER = r"(?:\d{1,3}|an?|one|two|three|eine[rmn]?|une?|un|una|uma|een|et|en)"
_SOON = (
    r"(?:s(?:ec(?:ond)?s?)?|m(?:in(?:ute)?s?)?|h(?:(?:ou)?rs?)?|sekunden?|minuten?|minuut|std\.?|stunden?"
    r"|secondes?|minutes?|heures?|segundos?|minutos?|horas?|second[oi]|minut[oi]|or[ae]|uur|uren|minut(?:er|ter)?"
    r"|timm(?:e|ar)|timer?|godzin[yę]?|minut[yę]?|секунд[ыу]?|минут[ыу]?|час(?:а|ов)?|dakika|saat)"
)
_LATE = (
    r"(?:d|w|days?|w(?:ee)?ks?|months?|y(?:ea)?rs?|tag(?:en?)?|wochen?|monat(?:en?)?|jahr(?:en?)?|jours?|semaines?"
    r"|mois|ans?|d[ií]as?|semanas?|mes(?:es)?|a[nñ]os?|giorn[oi]|settiman[ae]|mes[ei]|ann[oi]|dag(?:en|ar|er|e)?"
    r"|weken|week|maand(?:en)?|jaar|veck(?:a|or)|uker?|dni|д(?:ень|ня|ней)|недел[иьюя]+|месяц(?:а|ев)?|год|лет)"
)
_CJK = r"\d{1,3}\s*(?:秒|分钟|分鐘|分|小时|小時|時間|초|분|시간)\s*(?:前|전)"
_CJK_LATE = r"\d{1,3}\s*(?:天|日|周|週間|か月|ヶ月|个月|個月|年|일|주|개월|년)\s*(?:前|전)"


def _ago(units: str, unspaced: str) -> re.Pattern[str]:
    after = r"ago|fa|geleden|sedan|siden|temu|назад|önce"
    return re.compile(
        rf"\b{_NUMBER}\s*{units}(?:[\s,]+(?:and\s+)?{_NUMBER}\s*{units})?\s+(?:{after})\b"
        rf"|\b(?:vor|hace|il\s+y\s+a|h[áa])\s+{_NUMBER}\s*{units}\b|{unspaced}|\bjust now\b"
        r"|\b(?:a few )?moments ago\b",
        re.IGNORECASE,
    )


_SOON_AGO = _ago(_SOON, _CJK)
_EVER_AGO = _ago(f"(?:{_SOON}|{_LATE})", f"{_CJK}|{_CJK_LATE}")


def tokens_of(text: str) -> list[str]:
    return [fold(token) for token in _TOKEN.findall(text)]


def is_stamp(text: str, *, is_marked: bool = False, is_cell: bool = False) -> bool:
    """Whether a text says when a page was made, and nothing else but perhaps by whom.

    A date alone is one, except in a list or a table, where it may be anything; marked are those in `time`
    elements and in places that are named for it.
    """
    tokens = tokens_of(text)
    if not tokens or len(tokens) > MOST_WORDS or not _has_date(text, tokens):
        return False
    is_labelled = (
        not LABELS.isdisjoint(tokens)
        or any(label in text for label in LABELS_UNSPACED)
        or bool(_LAST_CHANGE.search(text))
    )
    others = [token for token in tokens if token not in STAMP_WORDS and not token[0].isdigit()]
    if not others:
        return is_labelled or is_marked or not is_cell or bool(_EVER_AGO.search(text))
    if _SENTENCE.search(text) and len(others) > 1:
        return False
    return (is_labelled or is_marked) and len(others) <= MOST_OTHERS


def _has_date(text: str, tokens: list[str]) -> bool:
    if _EVER_AGO.search(text):
        return True
    return bool(_DIGIT.search(text)) or any(token in MONTHS for token in tokens)


def is_counter(text: str, *, is_bare: bool = False) -> bool:
    """Whether a text only says how often something was read, shared or answered, or how long reading takes.

    A bare number is one where it stands in no paragraph, list or table.
    """
    tokens = tokens_of(text)
    if not tokens or len(tokens) > MOST_COUNT_WORDS:
        return False
    if any(mark in text for mark in COUNTED_UNSPACED) and _DIGIT.search(text):
        return len(text) < 2 * MOST_WORDS
    words = [token for token in tokens if not token[0].isdigit()]
    if not words or words == ["k"]:
        return is_bare
    return not COUNTED.isdisjoint(words) and all(word in COUNT_WORDS for word in words)


def is_recounted(before: str, now: str, most: int = MOST_COUNT_WORDS) -> bool:
    """Whether a short text says the same with other numbers."""
    old, new = (["#" if token[0].isdigit() else token for token in tokens_of(text)] for text in (before, now))
    return old == new and "#" in old and len(old) <= most


def timeless(text: str) -> str:
    """The text without how long ago something was: in a long text only where that is hours, and not years."""
    pattern = _EVER_AGO if len(text.split()) <= _SHORT else _SOON_AGO
    return pattern.sub("@", text)
