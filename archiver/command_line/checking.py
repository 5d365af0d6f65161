"""A value of a setting held against its rule, and brought into the type that it is used as."""

from __future__ import annotations

import json
from math import isfinite
from typing import TYPE_CHECKING

from archiver.acquisition.seeds.model import parse_interval
from archiver.articles.methods.registry import facts_of
from archiver.command_line.rules import ValueKind
from archiver.errors import ConfigurationError
from archiver.urls import is_web, redact

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from archiver.command_line.rules import Rule

_WORDS = {
    **dict.fromkeys(("1", "true", "yes", "on"), True),
    **dict.fromkeys(("0", "false", "no", "off", ""), False),
}


def checked(name: str, value: object, rule: Rule, *, is_typed: bool = False) -> object:
    """The value as its rule has it; raises ConfigurationError for one that cannot work.

    `is_typed` says that the file has types of its own: "12" is then not a number.
    """
    if rule.is_optional and (value is None or str(value).strip().lower() == "none"):
        return None
    try:
        return _READERS[rule.kind](value, rule, is_typed)
    except _WrongError as error:
        said = redact(f"{name}={value!r}")
        raise ConfigurationError(f"{said}{error}") from error


class _WrongError(Exception):
    """What is wrong with a value, to be put after it."""


def _flag(value: object, _rule: Rule, is_typed: bool) -> object:
    if isinstance(value, bool):
        return value
    word = str(value).strip().lower()
    if is_typed or word not in _WORDS:
        raise _WrongError(": write true or false")
    return _WORDS[word]


def _whole(value: object, rule: Rule, is_typed: bool) -> object:
    number = _number(value, rule, is_typed)
    if number != int(number):
        raise _WrongError(" is not a whole number")
    return int(number)


def _number(value: object, rule: Rule, is_typed: bool) -> int | float:
    number = _as_number(value, is_typed)
    if rule.least is not None and number < rule.least:
        raise _WrongError(f": at least {rule.least:g}")
    if rule.most is not None and number > rule.most:
        raise _WrongError(f": at most {rule.most:g}")
    if rule.above is not None and number <= rule.above:
        raise _WrongError(f": more than {rule.above:g}")
    if rule.below is not None and number >= rule.below:
        raise _WrongError(f": less than {rule.below:g}, such as {rule.below / 2:g}")
    return number


def _as_number(value: object, is_typed: bool) -> int | float:
    if isinstance(value, bool) or (is_typed and not isinstance(value, int | float)):
        quotes = " without quotes" if isinstance(value, str) else ""
        raise _WrongError(f" is not a number: write one{quotes}")
    try:
        number = value if isinstance(value, int | float) else _parsed(str(value).strip())
    except ValueError:
        number = float("nan")
    if not isfinite(number):
        raise _WrongError(" is not a number")
    return number


def _parsed(text: str) -> int | float:
    try:
        return int(text)
    except ValueError:
        return float(text)


def _text(value: object, rule: Rule, is_typed: bool) -> object:
    if is_typed and not isinstance(value, str):
        raise _WrongError(" is not text: put it in quotes")
    text = str(value)
    if not rule.choices:
        return text
    for choice in rule.choices:
        if choice.lower() == text.strip().lower():
            return choice
    raise _WrongError(f" is not known: choose from {', '.join(rule.choices)}")


def _method(value: object, rule: Rule, is_typed: bool) -> object:
    name = str(_text(value, rule, is_typed)).strip().lower()
    try:
        facts_of(name)
    except ConfigurationError as error:
        raise _WrongError(str(error).removeprefix(f"method {name}")) from error
    return name


def _name(value: object, _rule: Rule, _is_typed: bool) -> object:
    """A part of file names, between hyphens and dots."""
    text = str(value).strip()
    if len(text) > _LONGEST_NAME or not text.isascii() or not text.replace("-", "").isalnum():
        raise _WrongError(f" is not a name: write up to {_LONGEST_NAME} letters, digits and hyphens")
    return text


_LONGEST_NAME = 64


def _interval(value: object, _rule: Rule, _is_typed: bool) -> object:
    try:
        parse_interval(str(value))
    except ValueError as error:
        raise _WrongError(f": {error}") from error
    return str(value)


def _mask(value: object, _rule: Rule, _is_typed: bool) -> object:
    """Octal digits, as umask takes them; never a mask that takes rights from the owner."""
    digits = f"{value:03o}" if isinstance(value, int) else str(value).strip()
    try:
        mask = int(digits, 8)
    except ValueError:
        mask = -1
    if not 0 <= mask <= _OTHERS:
        raise _WrongError(' is not a mask for others: write it as "027" or "077"')
    return digits


_OTHERS = 0o077


def _web_address(value: object, _rule: Rule, _is_typed: bool) -> object:
    url = str(value or "").rstrip("/")
    if url and (not is_web(url) or "?" in url or "#" in url):
        raise _WrongError(" is not an address that can be called: write https://HOST/PATH")
    return url


def _list(value: object, _rule: Rule, is_typed: bool) -> object:
    if isinstance(value, str) and not is_typed:
        return value  # Scrapy splits it at commas, or reads it as JSON
    if not isinstance(value, list | tuple | set):
        raise _WrongError(" is not a list: write it in square brackets")
    return value


def _table(value: object, _rule: Rule, is_typed: bool) -> object:
    if isinstance(value, str) and not is_typed:
        try:
            value = json.loads(value)
        except ValueError as error:
            raise _WrongError(f" is not JSON: {error}") from error
    if not hasattr(value, "items"):
        raise _WrongError(" is not a table of names and values")
    return value


def _anything(value: object, _rule: Rule, _is_typed: bool) -> object:
    return value


_READERS: Mapping[ValueKind, Callable[[object, Rule, bool], object]] = {
    ValueKind.FLAG: _flag,
    ValueKind.WHOLE: _whole,
    ValueKind.NUMBER: _number,
    ValueKind.TEXT: _text,
    ValueKind.INTERVAL: _interval,
    ValueKind.WEB_ADDRESS: _web_address,
    ValueKind.MASK: _mask,
    ValueKind.NAME: _name,
    ValueKind.LIST: _list,
    ValueKind.TABLE: _table,
    ValueKind.METHOD: _method,
    ValueKind.ANYTHING: _anything,
}
