"""Failures in a sentence: what happened, and what to do next."""

from __future__ import annotations

import sqlite3
import sys

from archiver.errors import advice_on
from archiver.urls import redact


def in_words(error: BaseException) -> str:
    """What went wrong, without a traceback, SQL, or the values in it."""
    if is_of_the_database(error):
        told = " ".join(str(getattr(error, "orig", None) or error).split())
        return f"The state store cannot be used: {told}"
    if isinstance(error, OSError) and error.strerror:
        place = f"{error.filename}: " if error.filename is not None else ""
        return f"{place}{error.strerror}{advice_on(error)}"
    return str(error) or type(error).__name__


def is_of_the_database(error: BaseException) -> bool:
    """True for errors of SQLAlchemy, which is not loaded to ask."""
    loaded = sys.modules.get("sqlalchemy.exc")
    return isinstance(error, sqlite3.Error) or (
        loaded is not None and isinstance(error, loaded.SQLAlchemyError)
    )


def as_typed(text: str, program: str) -> str:
    """A message with the commands in it as they are typed for this program; without secrets."""
    if program == "archiver":
        for scrapys, ours in _SPELLINGS:
            text = text.replace(scrapys, ours)
    return redact(text)


_SPELLINGS = (
    ("`scrapy crawl feeds -a seeds=", "`archiver crawl "),
    ("`scrapy crawl feeds", "`archiver crawl"),
    ("`scrapy ", "`archiver "),
)
