"""Prices, by price-parser, where a text says exactly one."""

from __future__ import annotations

import re
from dataclasses import dataclass

from price_parser import Price
from price_parser._currencies import CURRENCY_CODES

from archiver.lexicon.currencies import SYMBOLS

_DIGIT = re.compile(r"\d")
# What may stand around an amount without a currency: else any number on a page would be a price.
_BARE = re.compile(r"[\d\s.,'\N{RIGHT SINGLE QUOTATION MARK}-]+")
_MINUS = re.compile(r"[-\N{MINUS SIGN}]\s*$")
# A price within a longer text is found by `take`.
_LONGEST = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadPrice:
    """An amount as a decimal, and its currency as ISO 4217 has it, where the text names it."""

    amount: str
    currency: str = ""


def price_in(text: str) -> ReadPrice | None:
    """The price that a text says; None where it says none, or several."""
    if len(text) > _LONGEST or not _DIGIT.search(text):
        return None
    found = Price.fromstring(text)
    written = found.amount_text or ""
    if found.amount is None or len(_DIGIT.findall(text)) != len(_DIGIT.findall(written)):
        return None
    if not found.currency and not _BARE.fullmatch(text):
        return None
    before = text.partition(written)[0].replace(found.currency or "", "")
    sign = "-" if _MINUS.search(before) else ""
    return ReadPrice(amount=f"{sign}{found.amount:f}", currency=_code(found.currency or ""))


def _code(name: str) -> str:
    if name.upper() in _CODES:
        return name.upper()
    return SYMBOLS.get(name, "")


_CODES = frozenset(CURRENCY_CODES)
