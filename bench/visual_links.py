"""The thesis's claims on real links: pages of a site with the words of all links that lead to them.

A site is crawled once, breadth first, from its home page; the pages that its truth names are the content
pages, and their title is the main entity (4.5). Anchors are what other pages of the site call them. Nothing
is made up, except where `made_up` is asked for, and then it is told apart.
"""

from __future__ import annotations

import json
import random
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urldefrag, urlsplit
from urllib.request import urlopen

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.svm import SVC

from archiver.articles.layout.estimate import estimate
from archiver.articles.methods.visual import network
from archiver.articles.methods.visual.anchors import bags_of, terms_of
from archiver.articles.methods.visual.features import FEATURES, Features
from archiver.articles.methods.visual.inlinks import anchor_texts
from archiver.articles.methods.visual.model import bag_columns
from archiver.articles.methods.visual.sight import sight_of
from archiver.documents.pages.dom import absolute_url, base_url, parse_html
from archiver.documents.pages.text import one_line

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from lxml.etree import _Element as Element

    Matrix = np.ndarray[Any, Any]

MOST_PAGES = 1200
NOISE = ("Put in your basket", "More", "Read on")


@dataclass(frozen=True, eq=False, kw_only=True)
class ContentPage:
    site: str
    url: str
    rows: Matrix
    texts: list[list[str]]
    is_entity: Matrix
    anchors: tuple[str, ...]
    entity: str

    def bags(self, anchors: Sequence[str] | None = None) -> Matrix:
        return bags_of(self.texts, self.anchors if anchors is None else anchors)


def content_pages(name: str, truth: Path) -> list[ContentPage]:
    """The content pages of a site that is up, with what its other pages call them."""
    told = json.loads(truth.read_text())
    titles = {_key(item["url"]): item["title"] for item in told["items"]}
    trees = _crawled(told.get("home") or told["items"][0]["url"], [item["url"] for item in told["items"]])
    anchors = anchor_texts(trees.items(), set(titles), _key)
    pages = []
    for url, tree in trees.items():
        if url in titles:
            page = _page(name, url, tree, titles[url], tuple(anchors.get(url, ())))
            if page.is_entity.any():
                pages.append(page)
    return pages


def _key(url: str) -> str:
    return urldefrag(url).url.removesuffix("index.html")


def _crawled(home: str, more: Sequence[str]) -> dict[str, Element]:
    host = urlsplit(home).netloc
    root = f"{urlsplit(home).scheme}://{host}/"
    waiting = deque([root, home, *more])
    found: dict[str, Element] = {}
    seen = {_key(one) for one in waiting}
    while waiting and len(found) < MOST_PAGES:
        url = _key(waiting.popleft())
        tree = _fetched(url)
        if tree is None:
            continue
        found[url] = tree
        for link in tree.iter("a"):
            there = absolute_url(base_url(tree, url), link.get("href", ""))
            if there and urlsplit(there).netloc == host and "?" not in there and _key(there) not in seen:
                seen.add(_key(there))
                waiting.append(there)
    return found


def _fetched(url: str) -> Element | None:
    try:
        with urlopen(url, timeout=10) as answer:
            content_type = answer.headers.get("Content-Type", "")
            return parse_html(answer.read(), content_type, url) if "html" in content_type else None
    except (OSError, ValueError):
        return None


def _page(site: str, url: str, tree: Element, title: str, anchors: tuple[str, ...]) -> ContentPage:
    layout = estimate(tree)
    sight = sight_of(tree, url, layout)
    features = Features(sight.texts, layout.height, url, one_line(tree.findtext(".//title") or ""))
    wanted = terms_of(title)
    texts = [terms_of(one.text) for one in sight.texts]
    return ContentPage(
        site=site,
        url=url,
        rows=features.of(sight.texts),
        texts=texts,
        is_entity=np.array([float(one == wanted) for one in texts]),
        anchors=anchors,
        entity=title,
    )


def made_up(page: ContentPage, chance: random.Random) -> list[str]:
    """Two anchors of the true title with noise: a word dropped, one added, or something else altogether."""
    found = []
    for _ in range(2):
        words = page.entity.split()
        if len(words) > 1 and chance.random() < 0.2:
            words.pop(chance.randrange(len(words)))
        if chance.random() < 0.2:
            words.append("more")
        found.append(chance.choice(NOISE) if chance.random() < 0.1 else " ".join(words))
    return found


Scores = tuple[float, float, float]


def scores(pages: Sequence[ContentPage], predicted: Sequence[Matrix]) -> Scores:
    """Precision, recall and F1 over blocks, averaged over pages as the thesis does (4.1)."""
    precisions, recalls = [], []
    for page, found in zip(pages, predicted, strict=True):
        both = float((found * page.is_entity).sum())
        if found.any():
            precisions.append(both / float(found.sum()))
        recalls.append(both / float(page.is_entity.sum()))
    precision, recall = float(np.mean(precisions or [0.0])), float(np.mean(recalls))
    return precision, recall, 2 * precision * recall / (precision + recall or 1.0)


def _columns(pages: Sequence[ContentPage], names: Sequence[str]) -> list[Matrix]:
    places = [FEATURES.index(name) for name in names]
    return [np.nan_to_num(page.rows[:, places]) for page in pages]


def run_network(
    train: Sequence[ContentPage],
    test: Sequence[ContentPage],
    names: Sequence[str],
    bags: Bags | None,
    *,
    exact: bool,
) -> Scores:
    rows = np.concatenate(_columns(train, names))
    gammas = np.concatenate([bags(page) for page in train]) if bags else None
    wanted = np.concatenate([page.is_entity for page in train])
    sizes = network.NetworkSize(units=50, bag_units=50, nearest=5)
    found = network.fit(rows, gammas, wanted, size=sizes, exact=exact)
    margins = [
        found.margins(own, bags(page) if bags else None)
        for page, own in zip(test, _columns(test, names), strict=True)
    ]
    return scores(test, [(one > 0).astype(float) for one in margins])


def run_peer(
    train: Sequence[ContentPage],
    test: Sequence[ContentPage],
    names: Sequence[str],
    bags: Bags | None,
    kind: str,
) -> Scores:
    def given(pages: Sequence[ContentPage]) -> list[Matrix]:
        own = _columns(pages, names)
        if bags is None:
            return own
        return [np.hstack([rows, bag_columns(bags(page))]) for page, rows in zip(pages, own, strict=True)]

    rows, wanted = np.concatenate(given(train)), np.concatenate([page.is_entity for page in train])
    # The thesis's own SVM (4.3): C = 2, gamma = 2.
    model = LogisticRegression(C=100, max_iter=2000) if kind == "logistic" else SVC(C=2, gamma=2)
    # Many blocks look the same: one that counts for all of them gives the same model, and sooner.
    same, counts = np.unique(np.column_stack([rows, wanted]), axis=0, return_counts=True)
    model.fit(same[:, :-1], same[:, -1], sample_weight=counts)
    return scores(test, [model.predict(one) for one in given(test)])


class Bags:
    """Which anchors a page has: the real ones, or made-up ones."""

    def __init__(self, seed: int | None = None) -> None:
        self._seed = seed
        self._known: dict[str, Matrix] = {}

    def __call__(self, page: ContentPage) -> Matrix:
        if page.url not in self._known:
            noise = None if self._seed is None else made_up(page, random.Random(f"{self._seed} {page.url}"))
            self._known[page.url] = page.bags(noise)
        return self._known[page.url]
