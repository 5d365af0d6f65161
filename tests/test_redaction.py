"""The log shows neither passwords nor orders to a terminal, whatever a message or a traceback holds."""

from __future__ import annotations

import io
import logging
from typing import TYPE_CHECKING

import pytest
from scrapy.settings import Settings
from scrapy.utils.log import (
    _uninstall_scrapy_root_handler,
    get_scrapy_root_handler,
    install_scrapy_root_handler,
)

from archiver.extensions.logs import _Redaction, hide_secrets_in_logs

if TYPE_CHECKING:
    from collections.abc import Iterator

URL = "http://me:hunter2@example.org/feed?token=hunter2\x1b[31m\u202e"


@pytest.fixture
def log(monkeypatch: pytest.MonkeyPatch) -> Iterator[io.StringIO]:
    """What Scrapy's own handler writes."""
    monkeypatch.setattr(_Redaction, "program", "scrapy")
    level = logging.root.level
    install_scrapy_root_handler(Settings({"LOG_LEVEL": "WARNING"}))
    handler = get_scrapy_root_handler()
    assert isinstance(handler, logging.StreamHandler)
    written = io.StringIO()
    handler.setStream(written)
    yield written
    _uninstall_scrapy_root_handler()
    logging.root.setLevel(level)


def test_what_others_wrote_is_shown_without_secrets_and_without_orders(log: io.StringIO) -> None:
    hide_secrets_in_logs()
    logger = logging.getLogger("test")
    logger.warning("Could not read %s", URL)
    logger.error("Failed", exc_info=OSError(f"No answer of {URL}"))
    told = log.getvalue()
    assert told.count("http://***@example.org/feed?token=***") == 2
    assert "hunter2" not in told
    assert all(line.isprintable() for line in told.splitlines())


def test_commands_are_named_as_the_program_takes_them(log: io.StringIO) -> None:
    hide_secrets_in_logs("archiver")
    logging.getLogger("test").warning("`scrapy channels` lists them")
    assert "`archiver channels` lists them" in log.getvalue()
