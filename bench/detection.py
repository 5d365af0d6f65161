"""What it costs to find the application behind a page, by how many applications are known.

A set is a file of JSON Lines, gzipped or not, with `html` and `url` for each page. The applications are those
of the knowledge base and generated ones, whose patterns look where those of real ones do: generators,
addresses of scripts and styles, classes, names of cookies and headers.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import statistics
import time
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from archiver.acquisition.sites.knowledge.detecting import Detector
from archiver.acquisition.sites.knowledge.loading import KnowledgeBase, load_knowledge
from archiver.acquisition.sites.knowledge.model import SiteType, TypePattern
from archiver.documents.expressions.document import VirtualDocument
from archiver.documents.expressions.parsing import parse
from archiver.documents.pages.dom import parse_markup

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

SIZES = (5, 500, 5_000, 15_000)
# Of an application's name: of real ones two to four are needed to be sure.
PATTERNS = (
    "meta[@name='generator'][contains(@content,'{title}')]",
    "script[contains(@src,'/{name}/assets/')]",
    "link[contains(@href,'/themes/{name}/')]",
    "link[contains(@href,'/{name}-content/')]",
    "body.{name}-page",
    "div[@id='{name}-app']",
    "div.{name}-container",
    "a[@href='https://www.{name}.org/']",
    "form[contains(@action,'/{name}-search')]",
    "http/header[@name='x-{name}-version']",
    "http/cookie[@name='{name}_session']",
    "url[contains(@path,'/{name}.php')]",
)
SYLLABLES = """
    ba be bo da di du fa fo ga ge go ka ke ki ko la le lo ma me mo na ne no pa pe ra re ro sa se ta to va wi
"""
HEADERS = (("Content-Type", "text/html"), ("Server", "nginx"), ("Set-Cookie", "session=1; Path=/"))


def read_pages(paths: Sequence[str], most: int) -> Iterator[dict[str, str]]:
    for path in paths:
        content = Path(path).read_bytes()
        text = gzip.decompress(content) if path.endswith(".gz") else content
        pages = map(json.loads, islice(text.splitlines(), most))
        yield from (page for page in pages if document_of(page) is not None)


def document_of(page: dict[str, str]) -> VirtualDocument | None:
    tree = parse_markup(page.get("html") or "")
    if tree is None:
        return None
    return VirtualDocument(tree=tree, url=page.get("url") or "", headers=HEADERS)


def generated(count: int, seed: int) -> dict[str, SiteType]:
    choose, syllables = random.Random(seed), SYLLABLES.split()
    types: dict[str, SiteType] = {}
    while len(types) < count:
        name = "".join(choose.choices(syllables, k=choose.randint(2, 4)))
        if name in types:
            continue
        chosen = choose.sample(PATTERNS, choose.randint(2, 4))
        detect = tuple(
            TypePattern(all=(parse(pattern.format(name=name, title=name.title())),)) for pattern in chosen
        )
        types[name] = SiteType(type=name, category="blog", detect=detect)
    return types


def base_of(count: int, seed: int) -> KnowledgeBase:
    """WordPress, as many generated types as are asked for, and, where there is room, the other real ones."""
    real = load_knowledge(["builtin"]).types
    types = {"wordpress": real["wordpress"], **(real if count > 10 * len(real) else {})}
    types |= generated(count - len(types), seed)
    ancestry = {name: (name,) for name in types}
    return KnowledgeBase(types=types, ancestry=ancestry, files={}, digest="", sources=())


def measured(detector: Detector, pages: Sequence[dict[str, str]], rounds: int) -> tuple[list[float], int]:
    """The least of the processor times of each page, and on how many a type was found.

    Each page is parsed just before, as it is in a crawl: parsing is not counted, nor is freeing the last
    page, which the C library puts off until the next large allocation.
    """
    times = [float("inf")] * len(pages)
    found = 0
    document: VirtualDocument | None
    for _ in range(rounds):
        found = 0
        for number, page in enumerate(pages):
            document = None
            document = document_of(page)
            assert document is not None
            began = time.process_time()
            detection = detector.detect(document)
            times[number] = min(times[number], time.process_time() - began)
            found += detection.type is not None
    return times, found


def parse_times(page: dict[str, str], rounds: int) -> Iterator[float]:
    """What everything else is to be held against: it tells how busy the machine is."""
    for _ in range(rounds):
        began = time.process_time()
        document_of(page)
        yield time.process_time() - began


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", nargs="+", required=True, metavar="FILE", help="sets of pages")
    parser.add_argument(
        "--pages", type=int, default=200, help="the most pages of each set (default: %(default)s)"
    )
    parser.add_argument(
        "--rounds", type=int, default=3, help="the least time of so many (default: %(default)s)"
    )
    parser.add_argument(
        "--sizes", type=int, nargs="+", default=SIZES, help="how many types (default: 5 to 15000)"
    )
    parser.add_argument("--seed", type=int, default=0, help="of the generated types (default: %(default)s)")
    options = parser.parse_args()
    pages = list(read_pages(options.data, options.pages))
    size = statistics.median(len(page["html"]) for page in pages)
    parsing = statistics.median(min(parse_times(page, options.rounds)) for page in pages)
    print(f"{len(pages)} pages, {size / 1e3:.0f} kB in the median; parsing one takes {parsing * 1e3:.2f} ms")
    print(f"{'types':>7}{'build ms':>10}{'median ms':>11}{'p95 ms':>9}{'found':>7}")
    for size in options.sizes:
        base = base_of(size, options.seed)
        began = time.process_time()
        detector = Detector(base)
        build = time.process_time() - began
        times, found = measured(detector, pages, options.rounds)
        p95 = sorted(times)[int(len(times) * 0.95)]
        print(
            f"{size:>7}{build * 1e3:>10.0f}{statistics.median(times) * 1e3:>11.3f}{p95 * 1e3:>9.3f}{found:>7}"
        )


if __name__ == "__main__":
    main()
