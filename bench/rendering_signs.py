"""How well `needs_browser` tells pages that scripts fill from pages that were served whole.

    .venv/bin/python bench/rendering_signs.py --data SET.jsonl.gz… --json figures.json

Pages of the sets were saved with their article in the markup: each that is taken for an application is a
mistake. Of each page that runs scripts applications are made: its scripts with an empty root; these with its
menus, header and footer; with these as plain elements; and with a `noscript` that asks for JavaScript in
place of the root.
"""

from __future__ import annotations

import argparse
import copy
import json
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from extraction_sets import read_set, set_files, set_name
from lxml import etree
from options import whole_number

from archiver.articles.methods.extraction import extract
from archiver.articles.model import Article
from archiver.documents.pages import scripted
from archiver.documents.pages.dom import parse_html
from archiver.documents.pages.model import Announcement, RawPage

if TYPE_CHECKING:
    from extraction_sets import Page
    from lxml.etree import _Element as Element

_TYPE = "text/html; charset=utf-8"
_FRAMES = ("header", "nav", "footer")
# As archiver/running/workers/pages.py has it: an article of fewer characters is next to none.
_NEXT_TO_NOTHING = 200
_LIMITS = (50, 100, 150, 200, 400)
MADE = ("root alone", "root and menus", "root and plain menus", "menus and noscript")


def made_application(tree: Element, kind: str) -> Element:
    """The page as an application would serve it: no text but that of its frames."""
    twin = copy.deepcopy(tree)
    body = twin.find("body")
    if body is None:
        return twin
    scripts = [one for one in twin.iter("script") if one.getparent() is not None]
    frames = [one for one in body.iter(*_FRAMES) if next(one.iterancestors(*_FRAMES), None) is None]
    kept = [copy.deepcopy(one) for one in scripts]
    menus = [copy.deepcopy(one) for one in frames] if kind != "root alone" else []
    for child in list(body):
        body.remove(child)
    body.text = None
    root = etree.SubElement(body, "noscript" if "noscript" in kind else "div")
    if "noscript" in kind:
        root.text = "You need to enable JavaScript to run this app."
    else:
        root.set("id", "root")
    if "plain" in kind:
        for one in [one for menu in menus for one in menu.iter(*_FRAMES)]:
            one.tag = "div"
    for one in (*menus, *kept):
        one.tail = None
        body.append(one)
    return twin


def verdicts(tree: Element) -> dict[int, bool]:
    """What is decided by each limit of words."""
    found = {}
    own = scripted._MOST_WORDS  # noqa: SLF001 - the bench tries other limits
    for limit in _LIMITS:
        scripted._MOST_WORDS = limit  # noqa: SLF001 - likewise
        found[limit] = scripted.needs_browser(tree)
    scripted._MOST_WORDS = own  # noqa: SLF001 - likewise
    return found


def count(path: Path, limit: int | None) -> Counter[str]:
    counts = Counter[str]()
    for page in read_set(path, limit):
        tree = parse_html(page.html.encode(), _TYPE, page.url)
        counts["pages"] += 1
        served = verdicts(tree)
        counts.update(f"served {one}" for one, is_asked in served.items() if is_asked)
        if any(served.values()) and not _has_article(page):
            counts.update(f"rendered {one}" for one, is_asked in served.items() if is_asked)
            print(f"  {set_name(path)} {page.id} {page.url}: no article, {served}")
        if not any(scripted._is_program(one) for one in tree.iter("script")):  # noqa: SLF001 - the same sign
            continue
        counts["with scripts"] += 1
        for kind in MADE:
            asked = verdicts(made_application(tree, kind))
            counts.update(f"{kind} {one}" for one, is_asked in asked.items() if is_asked)
    return counts


def _has_article(page: Page) -> bool:
    said = Announcement(title=page.title or None, summary=page.description or None)
    raw = RawPage(url=page.url, body=page.html.encode(), content_type=_TYPE, announcement=said)
    found = extract([raw])[0]
    return isinstance(found, Article) and len(found.text) > _NEXT_TO_NOTHING


def told(name: str, counts: Counter[str]) -> None:
    print(f"{name}: {counts['pages']} pages, {counts['with scripts']} with scripts")
    print(f"{'':44}" + "".join(f"{limit:>8}" for limit in _LIMITS) + "  words at most")
    rows = {"served": "served whole, taken for an application", "rendered": "of these without an article"}
    for key, words in rows.items():
        print(f"  {words:42}" + "".join(f"{counts[f'{key} {limit}']:>8}" for limit in _LIMITS))
    total = counts["with scripts"] or 1
    for kind in MADE:
        shares = "".join(f"{counts[f'{kind} {limit}'] / total:>8.3f}" for limit in _LIMITS)
        print(f"  {'made application, ' + kind:42}{shares}", flush=True)


def main() -> None:
    reader = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    reader.add_argument("--data", type=Path, nargs="+", required=True, metavar="SET", help="sets, or folders")
    reader.add_argument("--limit", type=whole_number, metavar="N", help="only the first N pages of each set")
    reader.add_argument("--json", type=Path, metavar="FILE", help="write the figures here as well")
    options = reader.parse_args()
    found = {set_name(path): count(path, options.limit) for path in set_files(options.data)}
    for name, counts in found.items():
        told(name, counts)
    told("all", sum(found.values(), Counter[str]()))
    if options.json:
        options.json.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
