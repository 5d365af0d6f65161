"""What a text means as a value of a field's type: exactly that, or nothing."""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from typing import TYPE_CHECKING

from archiver.digests import normalised
from archiver.documents.feeds.dates import moment, written_day
from archiver.documents.pages.dom import absolute_url, writable
from archiver.fields.isbn import isbn_in
from archiver.fields.model import FieldValue
from archiver.fields.prices import price_in
from archiver.urls import is_web

if TYPE_CHECKING:
    from collections.abc import Callable

    from archiver.fields.model import Field, FieldType

# Of a text, and of markup: what is longer is not a named value.
MOST_CHARACTERS = 10_000
MOST_MARKUP = 100_000
# Of everything that is neither text nor markup.
_LONGEST = 300

_SIGN = r"[+\N{MINUS SIGN}-]?"
# Of three digits each, parted alike.
_THOUSANDS = (
    r"\d{1,3}(?P<mark>[ .,'\N{RIGHT SINGLE QUOTATION MARK}\N{NO-BREAK SPACE}])\d{3}(?:(?P=mark)\d{3})*"
)
_INTEGER = re.compile(rf"{_SIGN}(?:\d+|{_THOUSANDS})")
_NUMBER = re.compile(
    rf"(?P<sign>{_SIGN})(?P<whole>{_THOUSANDS}|\d+|)(?:(?P<point>[.,])(?P<rest>\d+))?",
)
_POINTED = re.compile(rf"(?P<sign>{_SIGN})(?P<whole>\d*)(?P<mark>)(?P<point>\.)(?P<rest>\d+)")
_EMAIL = re.compile(
    r"(?:mailto:)?(?P<address>[\w.!#$%&'*+/=?^`{|}~-]{1,64}@(?:[\w-]{1,63}\.){1,8}[^\W\d]{2,24})(?:\?.*)?"
)
_PHONE = re.compile(
    r"(?:tel:|(?:tel|phone|fon|fax)\.?:? ?)?"
    r"(?P<number>\+?[\d(][\d ()./\N{NO-BREAK SPACE}\N{NON-BREAKING HYPHEN}\N{EN DASH}-]{4,30}\d)",
    re.IGNORECASE,
)
_DIGITS_OF_PHONES = range(6, 16)  # E.164: at most 15
_EITHER = re.compile(r"(?P<a>\d{1,2})(?P<mark>[/.-])(?P<b>\d{1,2})(?P=mark)(?P<year>\d{4})")


def typed(text: str, field: Field, base: str = "") -> FieldValue | None:
    """The value that a text means, as a whole; relative addresses are relative to `base`."""
    if field.type == "html":
        return FieldValue(value=text, text="") if 0 < len(text) <= MOST_MARKUP else None
    plain = normalised(writable(text))
    if not plain or len(plain) > (MOST_CHARACTERS if field.type == "text" else _LONGEST):
        return None
    if field.type == "price":
        price = price_in(plain)
        return FieldValue(value=price.amount, text=plain, currency=price.currency) if price else None
    value = _url(plain, base) if field.type in ("url", "image") else _READERS[field.type](plain, field)
    return FieldValue(value=value, text=plain) if value else None


def decimal_text(number: Decimal) -> str:
    """As a decimal without an exponent."""
    return f"{number:f}"


def _text(text: str, _field: Field) -> str:
    return text


def _integer(text: str, _field: Field) -> str:
    return _plain_number(text) if _INTEGER.fullmatch(text) else ""


def _plain_number(text: str) -> str:
    sign = "-" if text[0] in "-\N{MINUS SIGN}" else ""
    digits = re.sub(r"\D", "", text).lstrip("0") or "0"
    return f"{sign}{digits}" if digits != "0" else "0"


def _number(text: str, _field: Field) -> str:
    """`1,234.5`, `1.234,5`, `12,5`; one point makes a fraction, a comma before three digits thousands."""
    found = _POINTED.fullmatch(text) or _NUMBER.fullmatch(text)
    if not found or not (found["whole"] or found["rest"]):
        return ""
    if found["point"] and found["point"] == found["mark"]:
        return ""
    sign = "-" if found["sign"] in ("-", "\N{MINUS SIGN}") else ""
    whole = re.sub(r"\D", "", found["whole"]).lstrip("0") or "0"
    try:
        return decimal_text(Decimal(f"{sign}{whole}.{found['rest'] or ''}".rstrip(".")))
    except InvalidOperation:  # digits of a script that is not ASCII are fine; nothing else comes here
        return ""


def _date(text: str, field: Field) -> str:
    day = written_day(text)
    if day is not None:
        return day.isoformat()
    either = _EITHER.fullmatch(text)
    if either is None or field.day_first is None:
        return ""
    a, b = either["a"].zfill(2), either["b"].zfill(2)
    month, number = (b, a) if field.day_first else (a, b)
    found = written_day(f"{either['year']}-{month}-{number}")
    return found.isoformat() if found else ""


def _moment(text: str, _field: Field) -> str:
    at = moment(text)
    return at.isoformat().replace("+00:00", "Z") if at else ""


def _url(text: str, base: str) -> str:
    address = absolute_url(base, text) if base or "://" in text else None
    return address if address and is_web(address) else ""


def _email(text: str, _field: Field) -> str:
    found = _EMAIL.fullmatch(text)
    return found["address"] if found else ""


def _phone(text: str, _field: Field) -> str:
    found = _PHONE.fullmatch(text)
    digits = re.sub(r"\D", "", found["number"].replace("(0)", "")) if found else ""
    if not found or len(digits) not in _DIGITS_OF_PHONES:
        return ""
    return f"+{digits}" if found["number"].startswith("+") else digits


def _isbn(text: str, _field: Field) -> str:
    return isbn_in(text)


def _enum(text: str, field: Field) -> str:
    return _by_folded(field.values).get(text.casefold(), "")


@lru_cache(maxsize=256)
def _by_folded(values: tuple[str, ...]) -> dict[str, str]:
    return {normalised(value).casefold(): value for value in values}


_READERS: dict[FieldType, Callable[[str, Field], str]] = {
    "text": _text,
    "integer": _integer,
    "number": _number,
    "date": _date,
    "moment": _moment,
    "email": _email,
    "phone": _phone,
    "isbn": _isbn,
    "enum": _enum,
}
