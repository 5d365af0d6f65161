"""`scrapy fetch`: one URL, asked for as the crawl would, printed and not kept."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, ClassVar

from scrapy.commands.fetch import Command as ScrapyFetch
from scrapy.http import Request
from scrapy.utils.datatypes import SequenceExclude
from scrapy.utils.spider import DefaultSpider

from archiver.extensions.arguments import one_url
from archiver.extensions.command import ArchiveCommand
from archiver.user_agent import user_agent

if TYPE_CHECKING:
    import argparse
    from collections.abc import AsyncIterator, Iterator

    from scrapy import Spider
    from scrapy.http import Headers, Response
    from twisted.python.failure import Failure

_HANDLER = "scrapy.core.downloader.handlers.http11.HTTP11DownloadHandler"
# The archive is neither opened nor written; the address check and the headers are those of the crawl.
_WITHOUT_THE_ARCHIVE = {
    "EXTENSIONS": {},
    "ITEM_PIPELINES": {},
    "DOWNLOAD_HANDLERS": {"http": _HANDLER, "https": _HANDLER},
    "DOWNLOADER_MIDDLEWARES": {
        "scrapy.downloadermiddlewares.robotstxt.RobotsTxtMiddleware": 100,
        "scrapy.downloadermiddlewares.httpcompression.HttpCompressionMiddleware": 590,
    },
    "DOWNLOAD_DELAY": 0,
    "AUTOTHROTTLE_ENABLED": False,
}


class Command(ArchiveCommand, ScrapyFetch):
    requires_crawler_process = True
    # Standard error has the reason in a sentence; -L DEBUG shows the log.
    default_settings: ClassVar[dict[str, Any]] = {"LOG_ENABLED": False}

    usage = "URL [--headers] [--no-redirect]"
    about = (
        "Ask for a URL as the crawl would, by robots.txt and with our User-Agent, and print the answer. "
        "Nothing is kept, and a crawl may run meanwhile. `scrapy extract-record` prints what was kept. "
        "Exit codes: 0 printed, whatever the status; 1 no answer came; 2 wrong usage."
    )

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        super().process_options(args, opts)
        settings = self.its_settings
        headers = settings.getdict("DEFAULT_REQUEST_HEADERS")
        headers |= {"Accept-Encoding": settings["ACCEPT_ENCODING"]}
        agent = settings["USER_AGENT"] or user_agent(settings["CONTACT"])
        # Here, not in `work`: the handlers are chosen when the process is made.
        settings.setdict(
            {**_WITHOUT_THE_ARCHIVE, "DEFAULT_REQUEST_HEADERS": headers, "USER_AGENT": agent},
            priority="cmdline",
        )

    def work(self, args: list[str], opts: argparse.Namespace) -> None:
        request = Request(one_url(args), self._print, errback=self._failed, cb_kwargs={"opts": opts})
        if opts.no_redirect:
            request.meta["handle_httpstatus_all"] = True
        else:
            request.meta["handle_httpstatus_list"] = SequenceExclude(range(300, 400))
        process = self.crawler_process
        assert process is not None  # noqa: S101 - set by Scrapy before run
        process.crawl(_spider_for(request))
        process.start()

    def _print(self, response: Response, opts: argparse.Namespace) -> None:
        lines = _heads(response) if opts.headers else [response.body]
        sys.stdout.buffer.write(b"".join(line + b"\n" for line in lines))
        sys.stdout.flush()

    def _failed(self, failure: Failure) -> None:
        from archiver.handlers.resolver import refused_hosts  # noqa: PLC0415 - loads what no help needs

        error = failure.value
        if refused_hosts:
            host = min(refused_hosts)  # there is one request, and it goes nowhere else
            self.fail(f"{host} has no public address: -s ALLOW_PRIVATE_ADDRESSES=1 allows it")
            return
        self.fail(f"no answer came: {' '.join(str(error).split()) or type(error).__name__}")


def _spider_for(request: Request) -> type[Spider]:
    class OneRequest(DefaultSpider):
        async def start(self) -> AsyncIterator[Request]:
            yield request

    return OneRequest


def _heads(response: Response) -> Iterator[bytes]:
    """The headers that were sent, and those that came."""
    assert response.request is not None  # noqa: S101 - set by Scrapy
    yield from _header_lines(b">", response.request.headers)
    yield b">"
    yield from _header_lines(b"<", response.headers)


def _header_lines(mark: bytes, headers: Headers) -> Iterator[bytes]:
    return (b"%s %s: %s" % (mark, name, value) for name, values in headers.items() for value in values)
