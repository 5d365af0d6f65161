"""The log: lines for every page only at DEBUG, no passwords in it, and no orders to the terminal."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, ClassVar

from scrapy.logformatter import LogFormatter
from scrapy.utils.log import get_scrapy_root_handler

from archiver.extensions.telling import as_typed
from archiver.urls import redact

if TYPE_CHECKING:
    from scrapy import Request, Spider
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from scrapy.logformatter import LogFormatterResult
    from twisted.python.failure import Failure

_FORMATTER = logging.Formatter()


class _Redaction(logging.Filter):
    # Of this process. Scrapy makes new handlers while it starts, where nothing knows what was typed.
    program: ClassVar[str] = "scrapy"

    def filter(self, record: logging.LogRecord) -> bool:
        message = record.getMessage()
        hidden = as_typed(message, self.program)
        if hidden != message:
            record.msg, record.args = hidden, ()
        if record.exc_info:
            # As any formatter would, which leaves it alone where it is there; another may have been first.
            record.exc_text = redact(record.exc_text or _FORMATTER.formatException(record.exc_info))
        return True


class ThriftyLogFormatter(LogFormatter):
    """Says nothing of pages crawled and items scraped, unless the level asks for it."""

    def __init__(self, *, is_read: bool) -> None:
        self._is_read = is_read

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> ThriftyLogFormatter:
        level = logging.getLevelNamesMapping().get(str(crawler.settings["LOG_LEVEL"]).upper(), 0)
        return cls(is_read=level <= logging.DEBUG)

    # Scrapy takes None for "no line", though its types do not say so.
    def crawled(self, request: Request, response: Response, spider: Spider) -> LogFormatterResult | None:  # type: ignore[override]
        return super().crawled(request, response, spider) if self._is_read else None

    def scraped(  # type: ignore[override]
        self, item: object, response: Response | Failure | None, spider: Spider
    ) -> LogFormatterResult | None:
        return super().scraped(item, response, spider) if self._is_read else None


def hide_secrets_in_logs(program: str | None = None) -> None:
    """Called again whenever Scrapy installs a new handler. Commands are named as `program` takes them."""
    if program is not None:
        _Redaction.program = program
    handler = get_scrapy_root_handler()
    if handler is not None and not any(isinstance(known, _Redaction) for known in handler.filters):
        handler.addFilter(_Redaction())
