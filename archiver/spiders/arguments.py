"""What follows `-a` in `scrapy crawl`, for all spiders."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.command_line.suggestions import did_you_mean
from archiver.errors import ConfigurationError
from archiver.user_agent import user_agent

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from scrapy.settings import BaseSettings

_TRUE = {"1", "true", "yes", "on"}
_FALSE = {"0", "false", "no", "off", ""}


def refuse_unknown(unknown: Iterable[str], known: Sequence[str]) -> None:
    """Raise an error for what a spider does not know: a mistake must not pass in silence."""
    if names := list(unknown):
        raise ConfigurationError(f"Unknown -a {', '.join(names)}: known are {', '.join(known)}")


def boolean(name: str, value: str) -> bool:
    word = str(value).strip().lower()
    if word not in _TRUE | _FALSE:
        raise ConfigurationError(f"-a {name}={value}: write 1 or 0")
    return word in _TRUE


def one_of(name: str, value: str, choices: Sequence[str]) -> str:
    word = str(value).strip().lower()
    if word not in choices:
        known = [one for one in choices if one]
        advice = did_you_mean(word, known, f"choose one of {', '.join(known)}")
        raise ConfigurationError(f"-a {name}={value}: {advice}")
    return word


def positive(name: str, value: str) -> float | None:
    """A number above zero; None where nothing was said."""
    if not str(value).strip():
        return None
    try:
        number = float(value)
    except ValueError:
        number = 0.0
    if not 0 < number < float("inf"):
        raise ConfigurationError(f"-a {name}={value}: write a number above 0")
    return number


def whole(name: str, value: str) -> int | None:
    """A whole number above zero; None where nothing was said."""
    number = positive(name, value)
    if number is not None and number != int(number):
        raise ConfigurationError(f"-a {name}={value}: write a whole number above 0")
    return None if number is None else int(number)


def set_request_headers(settings: BaseSettings) -> None:
    """Complete the headers of all requests from settings of their own."""
    if settings["USER_AGENT"] is None:
        settings.set("USER_AGENT", user_agent(settings["CONTACT"]), priority="spider")
    # A setting of its own, so that a profile need not say all headers again.
    headers = settings.getdict("DEFAULT_REQUEST_HEADERS") | {"Accept-Encoding": settings["ACCEPT_ENCODING"]}
    settings.set("DEFAULT_REQUEST_HEADERS", headers, priority="spider")
