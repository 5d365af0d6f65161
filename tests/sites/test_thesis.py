"""The strategy of the thesis: its worked example, and what it makes of a small blog."""

from __future__ import annotations

import random
import time
from operator import attrgetter
from typing import TYPE_CHECKING

import numpy as np
import pytest
from lxml import html

from archiver.acquisition.sites.learning.following import follow
from archiver.acquisition.sites.learning.graph import GraphLink, GraphPage, site_graph
from archiver.acquisition.sites.learning.label_words import label_words
from archiver.acquisition.sites.learning.labels import LinkLabel
from archiver.acquisition.sites.learning.pattern_choice import ChoiceRules, choose
from archiver.acquisition.sites.learning.pattern_search import SearchSettings, pattern_choice
from archiver.acquisition.sites.learning.patterns import read_pattern
from archiver.acquisition.sites.learning.thesis import (
    ThesisSettings,
    random_sample,
    thesis_crawl,
    thesis_patterns,
)
from archiver.acquisition.sites.learning.thesis_labels import ThesisPaths, thesis_labelling
from tests.sites.small_blog import POSTS, small_blog

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping, Sequence

    from archiver.acquisition.sites.learning.graph import SiteGraph
    from archiver.inspection.sites.simulation.site import SimulatedSite

NONE = np.empty(0, np.uint64)


def page(grams: range | Sequence[range], **links: str | Sequence[str]) -> GraphPage:
    """A page with the items of some numbers, and links by the names of their labels."""
    parts = [grams] if isinstance(grams, range) else grams
    items = np.unique(np.concatenate([np.array(part, np.uint64) for part in (range(0), *parts)]))
    found = [
        GraphLink(target, target, LinkLabel(label, ""), label)
        for label, targets in links.items()
        for target in ([targets] if isinstance(targets, str) else targets)
    ]
    return GraphPage(url="", grams=items, own=items, links=tuple(found), external=NONE)


def graph_of(pages: Mapping[str, GraphPage]) -> SiteGraph:
    return site_graph(pages, thesis_labelling("both"), text=attrgetter("grams"))


# Figure 5.4 and table 5.1: p3 has 3,227 items, {p3, p4} have 5,266, of which 5,107 are distinct, and so on.
EXAMPLE = {
    "p0": page(range(0), l1=["p3", "p4"], l2="p1", l3="p2"),
    "p1": page(range(20_000, 20_239)),
    "p2": page(range(30_000, 30_754)),
    "p3": page(range(3227), l4="p5"),
    "p4": page(range(3068, 5107)),
    "p5": page(range(4614, 7214)),
}


def test_patterns_of_the_thesis_s_example_have_its_scores() -> None:
    graph = graph_of(EXAMPLE)
    scores = {}
    for one in label_words(graph, steps=3):
        items, pages = (int(np.bitwise_count(bits).sum()) for bits in (one.gram_bits, one.page_bits))
        scores[str(one.pattern)] = round(items / pages, 1)
    # l4 alone does not begin at the root.
    assert scores == {"(l1)": 2553.5, "(l2)": 239, "(l3)": 754, "(l1) (l4)": 2404.7}


def test_items_that_are_reached_count_no_longer() -> None:
    graph = graph_of(EXAMPLE)
    candidates = label_words(graph, steps=3)
    first = choose(graph, candidates, ChoiceRules(completion=0.5))
    assert [(str(one.pattern), one.gain) for one in first] == [("(l1)", 2553.5)]
    chosen = choose(graph, candidates, ChoiceRules(completion=1.0))
    # With l1 chosen, its extension counts for the page that it adds, and takes its place.
    assert [(str(one.pattern), one.gain, one.pages) for one in chosen] == [
        ("(l1) (l4)", 2107, 1),
        ("(l3)", 754, 1),
        ("(l2)", 239, 1),
    ]


def test_a_paging_link_is_repeated_three_times_in_learning() -> None:
    chain = {f"c{number}": page(range(number, number + 1), next=f"c{number + 1}") for number in range(9)}
    (found,) = label_words(graph_of(chain), steps=1)
    assert (str(found.pattern), len(found.ends.pages)) == ("(next)+", 3)
    (found,) = label_words(graph_of(chain), steps=1, repeats=None)
    assert len(found.ends.pages) == 8


def test_pages_with_the_same_text_count_once() -> None:
    site = {"r": page(range(1), log=["a", "b"])} | {name: page(range(5)) for name in "ab"}
    (found,) = label_words(graph_of(site), steps=1)
    assert len(found.ends.pages) == 1


@pytest.mark.parametrize(
    ("attributes", "path"),
    [
        ("id", "/html/body/div#post-/p/a"),
        ("class", "/html/body/div.*/p.*/a"),
        ("both", "/html/body/div#post-.*/p.*/a"),
    ],
)
def test_labels_have_the_attributes_of_the_thesis(attributes: str, path: str) -> None:
    tree = html.document_fromstring(
        '<div id="post-1234" class="x y"><p class="z" id="99"><a href="/">b</a></p></div>'
    )
    (anchor,) = tree.iter("a")
    link = GraphLink("", "", LinkLabel("", ""), ThesisPaths().path_of(anchor))
    assert thesis_labelling(attributes)(link).path == path  # type: ignore[arg-type] # one of the three


def large_site(pages: int) -> dict[str, GraphPage]:
    """Lists, and posts with links to others and two hundred items of their own."""
    chance = random.Random(3)
    posts = [f"p{number}" for number in range(pages * 9 // 10)]
    lists = [f"l{number}" for number in range(pages - len(posts))]
    found = {"root": page(range(100), **{f"menu{one}": lists[one] for one in range(20)})}
    for number, name in enumerate(lists):
        more = lists[number + 1 : number + 2]
        found[name] = page(range(100), next=more, title=posts[number * 9 : number * 9 + 9])
    for number, name in enumerate(posts):
        beside = {f"beside{one}": chance.choice(posts) for one in range(30)}
        found[name] = page([range(100), range(1000 + 200 * number, 1200 + 200 * number)], **beside)
    return found


def test_patterns_are_chosen_from_a_thousand_pages_within_two_seconds() -> None:
    pages = large_site(1000)
    began = time.process_time()
    chosen = thesis_patterns(pages, ThesisSettings(attributes="both"))
    assert time.process_time() - began < 2
    assert chosen


def asked(crawl: Generator[str, None, object]) -> list[str]:
    return list(crawl)


def test_the_sample_is_by_chance_and_the_same_for_a_seed() -> None:
    one, same, other = (asked(random_sample(small_blog(), seed, 30)) for seed in (1, 1, 2))
    assert one == same
    assert one != other
    assert len(one) == len(set(one)) >= 30


def read_all(site: SimulatedSite) -> dict[str, GraphPage]:
    pages: dict[str, GraphPage] = {}
    sample = random_sample(site, 0, 1000)
    try:
        while True:
            next(sample)
    except StopIteration as ended:
        pages = ended.value
    return pages


def test_the_thesis_follows_the_lists_of_a_blog_without_limit() -> None:
    site = small_blog()
    patterns = thesis_patterns(read_all(site), ThesisSettings())
    assert any("#navigation/a)+" in str(one.pattern) for one in patterns)
    urls = set(thesis_crawl(site, 0, ThesisSettings(sample=20)))
    assert sum("/post/" in url for url in urls) == POSTS


def test_with_remedies_no_list_is_followed_whose_posts_are_known() -> None:
    pages = read_all(small_blog())
    chosen = [str(one.pattern) for one in pattern_choice(pages, SearchSettings())]
    assert any("div.teaser" in one for one in chosen)
    assert not any("#tags" in one for one in chosen)


def test_following_asks_for_each_page_once() -> None:
    site = small_blog()
    patterns = [read_pattern(f"{lists} {posts}") for lists, posts in [(PAGES, TITLES), (MENU, TITLES)]]
    urls = list(follow(site, [*patterns, read_pattern(TITLES)], thesis_labelling("id"), {}))
    assert len(urls) == len(set(urls))
    # The front page, eleven further lists, the first tag, and all posts.
    assert len(urls) == 1 + 11 + 1 + POSTS


WRAPPER = "/html/body/div#wrapper"
PAGES = f"({WRAPPER}/div#content/div#navigation/a)+"
TITLES = f"({WRAPPER}/div#content/div/h2/a)"
MENU = f"({WRAPPER}/ul#menu/li/a)"
