"""On a site whose software is known, the knowledge base orders links, and parts of pages are scored alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from archiver.acquisition.campaigns.links import CONTENT, LIST, OTHER, LinkEvidence, LinkModel
from archiver.acquisition.campaigns.page import CandidateTopic, read_candidate
from archiver.acquisition.campaigns.reading import read_campaign
from archiver.acquisition.campaigns.relevance import relevance
from archiver.acquisition.campaigns.words import Background
from archiver.acquisition.sites.knowledge.loading import load_knowledge
from archiver.acquisition.sites.reading import VisitedDocument

if TYPE_CHECKING:
    from pathlib import Path

    from archiver.acquisition.campaigns.model import CandidateRead
    from archiver.acquisition.sites.knowledge.loading import KnowledgeBase

CAMPAIGN = b"campaign: water\nlanguages: [en]\nkeywords: [flood, dyke]\nseeds: [http://blog.example/]\n"
HEAD = '<html lang="en"><head><title>A blog</title><meta name="generator" content="WordPress 6.1.9"></head>'
LIST_PAGE = f"""{HEAD}<body class="home blog"><nav><a href="/about/">About the author</a></nav>
<article class="hentry"><h2 class="entry-title"><a href="/2026/garden/">A walk</a></h2></article>
<article class="hentry"><h2 class="entry-title"><a href="/2026/dyke/?replytocom=7">Dyke</a></h2></article>
<a class="next page-numbers" href="/page/2/">Older</a> <a href="/wp-login.php">Log in</a>
<a href="/?s=flood">Search</a> <a href="http://paper.example/flood">The paper</a></body></html>"""
POST = f"""{HEAD}<body class="single"><article><h1 class="entry-title">A walk in the garden</h1>
<div class="entry-content">{"<p>Roses and tulips and a quiet bench under the lime tree.</p>" * 900}</div>
</article>
<ol><li class="comment" id="comment-1"><div class="comment-author"><b class="fn">Ann</b></div>
<div class="comment-content"><p>How lovely it is there in the spring, with so many birds.</p></div></li>
<li class="comment" id="comment-2"><div class="comment-author"><b class="fn">Bob</b></div>
<div class="comment-content"><p>The flood broke the dyke: flood water came over the dyke at night.</p></div>
</li>
</ol></body></html>"""


@pytest.fixture(scope="module")
def knowledge() -> KnowledgeBase:
    return load_knowledge(("builtin",))


def read(markup: str, folder: Path, knowledge: KnowledgeBase | None) -> CandidateRead:
    definition = read_campaign(CAMPAIGN, "water.yaml", folder).definition
    document = VisitedDocument(
        url="http://blog.example/",
        content=markup.encode(),
        content_type="text/html; charset=utf-8",
        scope="blog.example/",
    )
    return read_candidate(document, CandidateTopic(definition=definition, digest="water"), 300, knowledge)


def worths(found: CandidateRead) -> dict[str, float]:
    return {link.url: link.worth for link in found.links}


def test_content_comes_before_lists_and_chaff_never(tmp_path: Path, knowledge: KnowledgeBase) -> None:
    found = read(LIST_PAGE, tmp_path, knowledge)
    assert found.software == "wordpress"
    assert worths(found) == {
        "http://blog.example/about/": OTHER,
        "http://blog.example/2026/garden/": CONTENT,
        "http://blog.example/2026/dyke/": CONTENT,
        "http://blog.example/page/2/": LIST,
        # Nothing is known of other sites.
        "http://paper.example/flood": 0.0,
    }


def test_nothing_is_known_of_other_software(tmp_path: Path, knowledge: KnowledgeBase) -> None:
    found = read(LIST_PAGE.replace("WordPress 6.1.9", "by hand"), tmp_path, knowledge)
    assert found.software == ""
    assert set(worths(found).values()) == {0.0}
    assert "http://blog.example/wp-login.php" in worths(found)


def test_what_an_address_is_worth_moves_its_score() -> None:
    model, background, topic = LinkModel(), Background(), {1: 1.0}

    def score(worth: float) -> float:
        evidence = LinkEvidence(anchor=[1], parents=1.0, relevance=0.9, worth=worth)
        return model.score(evidence, topic, background)

    assert score(0.0) == score(CONTENT) > score(LIST) > score(OTHER) > 0


def test_the_part_that_says_most_counts(tmp_path: Path, knowledge: KnowledgeBase) -> None:
    whole, parted = read(POST, tmp_path, None), read(POST, tmp_path, knowledge)
    assert relevance(whole.signals) < 0.6
    assert relevance(parted.signals) > 0.9
    plain = POST.replace("flood", "rain").replace("dyke", "fence")
    assert relevance(read(plain, tmp_path, knowledge).signals) < 0.5


@pytest.mark.parametrize("host", ["a.example", "blog.example"])
def test_addresses_that_cannot_be_read_keep_no_page_from_being_read(
    tmp_path: Path, knowledge: KnowledgeBase, host: str
) -> None:
    wrong = f"http://{host}:99999/"
    markup = LIST_PAGE.replace("</title>", f'</title><link rel="canonical" href="{wrong}">')
    found = read(markup.replace("<nav>", f'<nav><a href="{wrong}">Wrong</a>'), tmp_path, knowledge)
    assert found.canonical == ""
    assert worths(found) == worths(read(LIST_PAGE, tmp_path, knowledge))
