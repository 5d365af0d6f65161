"""Passwords and tokens in URLs stay out of the log, and so do orders to the terminal that shows it."""

from __future__ import annotations

import logging
from typing import ClassVar

from scrapy.utils.log import get_scrapy_root_handler

from archiver.extensions.telling import as_typed
from archiver.urls import redact

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


def hide_secrets_in_logs(program: str | None = None) -> None:
    """Called again whenever Scrapy installs a new handler. Commands are named as `program` takes them."""
    if program is not None:
        _Redaction.program = program
    handler = get_scrapy_root_handler()
    if handler is not None and not any(isinstance(known, _Redaction) for known in handler.filters):
        handler.addFilter(_Redaction())
