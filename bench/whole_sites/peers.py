"""Other ways to fetch a whole site: wget, a breadth-first Scrapy spider and one that reads sitemaps."""

from __future__ import annotations

import argparse
import sys
from io import BytesIO
from pathlib import Path
from typing import IO, TYPE_CHECKING
from urllib.parse import urlsplit

from scrapy import signals
from scrapy.crawler import CrawlerProcess
from scrapy.http import HtmlResponse, Request, Response
from scrapy.link import Link
from scrapy.linkextractors import LinkExtractor
from scrapy.spiders import CrawlSpider, Rule, SitemapSpider
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scrapy.crawler import Crawler

_FILES = r"\.(css|js|mjs|png|jpe?g|gif|svg|ico|woff2?|ttf|eot|webp|zip|gz|tar|map|json)(\?|$)"
# The exit code of a spider that was ended before it had everything.
CUT = 3
_SETTINGS = {
    "ROBOTSTXT_OBEY": True,
    "LOG_LEVEL": "ERROR",
    "CONCURRENT_REQUESTS_PER_DOMAIN": 4,
    "DOWNLOAD_DELAY": 0,
    "TELNETCONSOLE_ENABLED": False,
    "COOKIES_ENABLED": False,
    "RETRY_ENABLED": False,
    # Breadth first.
    "DEPTH_PRIORITY": 1,
    "SCHEDULER_DISK_QUEUE": "scrapy.squeues.PickleFifoDiskQueue",
    "SCHEDULER_MEMORY_QUEUE": "scrapy.squeues.FifoMemoryQueue",
}


class ThroughSpider(CrawlSpider):
    """Breadth first over all links of the host, but nofollow; a copy leads to its canonical address alone."""

    name = "through"
    rules = (
        Rule(
            LinkExtractor(tags=("a",), deny=(_FILES,)),
            callback="take",
            follow=True,
            process_links="followed",
        ),
    )

    def __init__(self, url: str) -> None:
        super().__init__(start_urls=[url], allowed_domains=[urlsplit(url).hostname or ""])

    def _requests_to_follow(self, response: Response) -> Iterable[Request | None]:
        if not isinstance(response, HtmlResponse) or _says_nofollow(response):
            return
        original = _original(response)
        if original is not None:
            yield self._build_request(0, Link(original))
            return
        yield from super()._requests_to_follow(response)

    def followed(self, links: list[Link]) -> list[Link]:
        return [link for link in links if not link.nofollow]

    def take(self, response: Response) -> None:
        """Nothing more: every response is written as it comes."""


class ListedSpider(SitemapSpider):
    """What the sitemaps name that robots.txt names, or the one at the usual address."""

    name = "listed"

    def __init__(self, url: str) -> None:
        places = [f"{url.rstrip('/')}/{name}" for name in ("robots.txt", "sitemap.xml")]
        super().__init__(sitemap_urls=places)

    def parse(self, response: Response) -> None:
        """Nothing more: every response is written as it comes."""


SPIDERS = {"through": ThroughSpider, "listed": ListedSpider}


class WarcLog:
    """Every response that was downloaded, redirects and robots.txt too, as a WARC record."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._writer = WARCWriter(stream, gzip=True)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> WarcLog:
        log = cls(Path(crawler.settings["PEER_WARC"]).open("wb"))  # noqa: SIM115 - open as long as the crawl is
        crawler.signals.connect(log.keep, signal=signals.response_downloaded)
        crawler.signals.connect(log.close, signal=signals.spider_closed)
        return log

    def close(self) -> None:
        self._stream.close()

    def keep(self, response: Response) -> None:
        headers = [
            (name.decode("latin-1"), value.decode("latin-1"))
            for name, values in response.headers.items()
            if name.lower() != b"transfer-encoding"
            for value in values
        ]
        status = StatusAndHeaders(f"{response.status} -", headers, protocol="HTTP/1.1")
        record = self._writer.create_warc_record(
            response.url, "response", payload=BytesIO(response.body), http_headers=status
        )
        self._writer.write_record(record)


def wget_command(url: str, warc: Path) -> list[str]:
    """Make the words of a blind crawl of one host: pages alone, every link, robots.txt not asked for."""
    ignored = "img,link,script,source,iframe,video,audio,object,embed"
    return [
        *("wget", "--no-config", "-r", "-l", "inf", "--no-parent", "-e", "robots=off", "-nv", "-nd"),
        *("--delete-after", "--tries=1", "--timeout=30", f"--ignore-tags={ignored}"),
        *("--regex-type=posix", "--reject-regex", _FILES),
        *(f"--warc-file={warc.with_suffix('').with_suffix('')}", "--no-warc-keep-log"),
        *(f"--warc-tempdir={warc.parent}", url),
    ]


def spider_command(name: str, url: str, warc: Path, most: int) -> list[str]:
    return [sys.executable, "-m", "whole_sites.peers", name, url, str(warc), str(most)]


def _says_nofollow(response: HtmlResponse) -> bool:
    stated = response.xpath("//meta[@name='robots']/@content").getall()
    return any("nofollow" in each.lower() for each in stated)


def _original(response: HtmlResponse) -> str | None:
    stated = response.xpath("//link[@rel='canonical']/@href").get()
    original = response.urljoin(stated) if stated else response.url
    same = original.rstrip("/") == response.url.split("#")[0].rstrip("/")
    return None if same or urlsplit(original).netloc != urlsplit(response.url).netloc else original


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("spider", choices=SPIDERS)
    parser.add_argument("url")
    parser.add_argument("warc", type=Path)
    parser.add_argument("most", type=int)
    given = parser.parse_args()
    process = CrawlerProcess(
        {
            **_SETTINGS,
            "EXTENSIONS": {WarcLog: 0},
            "PEER_WARC": str(given.warc),
            "CLOSESPIDER_PAGECOUNT": given.most,
        }
    )
    crawler = process.create_crawler(SPIDERS[given.spider])
    process.crawl(crawler, url=given.url)
    process.start()
    sys.exit(0 if crawler.stats and crawler.stats.get_value("finish_reason") == "finished" else CUT)


if __name__ == "__main__":
    main()
