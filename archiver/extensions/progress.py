"""A line that shows a person at a terminal how the crawl is going."""

from __future__ import annotations

import shutil
import sys
from typing import TYPE_CHECKING

from scrapy import signals
from scrapy.exceptions import NotConfigured
from scrapy.utils.asyncio import create_looping_call

from archiver.extensions.archive import ArchiveExtension
from archiver.summary import progress_line

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from archiver.report import RunReport

_SECONDS = 0.5


class ProgressExtension:
    """Rewrites one line on standard error, and takes it away at the end."""

    def __init__(self, report: RunReport) -> None:
        self._report = report
        self._loop = create_looping_call(self._show)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> ProgressExtension:
        if not crawler.settings.getbool("PROGRESS") or not sys.stderr.isatty():
            raise NotConfigured  # nobody is watching; a message would be logged as a warning
        extension = cls(ArchiveExtension.of(crawler).archive.report)
        crawler.signals.connect(extension.spider_opened, signals.spider_opened)
        crawler.signals.connect(extension.spider_closed, signals.spider_closed)
        return extension

    def spider_opened(self) -> None:
        self._loop.start(_SECONDS)

    def spider_closed(self) -> None:
        self._loop.stop()
        sys.stderr.write("\r\x1b[K")

    def _show(self) -> None:
        width = shutil.get_terminal_size().columns - 1
        sys.stderr.write("\r\x1b[K" + progress_line(self._report)[:width])
        sys.stderr.flush()
