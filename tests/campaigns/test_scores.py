"""How relevant pages and links are: what raises a score, what lowers it, and what a person's word does."""

from __future__ import annotations

from archiver.acquisition.campaigns.definition import CampaignScope, Definition, Entity, Keyword
from archiver.acquisition.campaigns.judging import moved_weights
from archiver.acquisition.campaigns.links import LinkEvidence, LinkModel
from archiver.acquisition.campaigns.matching import MatchedText, Matcher
from archiver.acquisition.campaigns.queue import band_of, is_denied, quota_after, rank_of, score_of
from archiver.acquisition.campaigns.relevance import TopicModel, relevance
from archiver.acquisition.campaigns.signals import Signals
from archiver.acquisition.campaigns.words import Background, PageWords, word_ids


def signals(definition: Definition, text: str, title: str = "") -> Signals:
    page = MatchedText(title=word_ids(title, "en"), headings=(), text=word_ids(text, "en"), language="en")
    return Matcher(definition, (), "en").signals(page)


def test_a_longer_list_of_keywords_makes_no_page_less_relevant() -> None:
    few = Definition(campaign="a", keywords=(Keyword(term="flood"),))
    many = Definition(
        campaign="a", keywords=tuple(Keyword(term=word) for word in ("flood", "storm", "drought", "fire"))
    )
    text = "The floods reached the town. Flooded houses were left."
    assert signals(few, text).keywords == signals(many, text).keywords
    assert relevance(signals(few, text)) > 0.5 > relevance(signals(few, "A concert in the park."))


def test_an_ambiguous_name_counts_only_near_what_it_needs() -> None:
    person = Entity(name="Jane Doe", also=("Doe",), needs=("minister",))
    said = Definition(campaign="a", entities=(person,))
    assert signals(said, "A doe ran across the road.").entities == 0
    assert (signals(said, "Doe, the minister, came.").entities or 0) > 0.3


def test_excluded_words_and_missing_groups_lower_a_page() -> None:
    said = Definition(
        campaign="a", keywords=(Keyword(term="flood"),), all_of=(("Elbe", "Labe"),), none_of=("trousers",)
    )
    whole = relevance(signals(said, "A flood of the Elbe, a flood."))
    assert relevance(signals(said, "A flood of the Rhine, a flood.")) == whole / 2
    assert relevance(signals(said, "A flood of the Elbe and trousers.")) == 0


def test_likeness_is_measured_by_examples_that_do_not_judge_themselves() -> None:
    pages = [
        PageWords.of(word_ids(text, "en"))
        for text in ("river flood dyke water town", "flood water levee river rescue", "opera singer stage")
    ]
    topic = TopicModel(like=pages[:2], background=Background())
    assert topic.likeness(pages[1]) > 0.9
    assert topic.likeness(pages[2]) < 0.1


def test_links_beside_relevant_ones_and_words_that_led_to_relevant_pages_rise() -> None:
    model, topic, background = LinkModel(), {1: 1.0}, Background()
    plain = LinkEvidence(anchor=[5], parents=1, relevance=0.5)
    before = model.parts(plain, topic, background)
    for _ in range(5):
        model.learn(LinkEvidence(anchor=[5], parents=1, relevance=0.5), 1.0, topic, background)
        model.learn(LinkEvidence(anchor=[6], parents=1, relevance=0.5), 0.0, topic, background)
    assert model.parts(plain, topic, background)["words"] > before["words"]
    beside = LinkEvidence(anchor=[5], parents=1, relevance=0.5, beside=3, beside_relevance=3)
    assert model.parts(beside, topic, background)["beside"] > model.parts(plain, topic, background)["beside"]


def test_a_persons_word_moves_the_weights_as_far_as_it_must() -> None:
    page = Signals(keywords=0.2, examples=0.9)
    before = relevance(page)
    after = relevance(page, moved_weights([(page, False)] * 5))
    assert after < before
    assert moved_weights([]) == {}


def test_the_order_of_a_queue() -> None:
    assert rank_of(0.9) < rank_of(0.1)
    assert abs(score_of(rank_of(0.42)) - 0.42) < 0.001
    assert [band_of(score) for score in (0.01, 0.1, 0.3, 0.5, 0.9)] == [0, 1, 2, 3, 4]


def test_a_host_that_shows_the_same_again_and_again_gives_no_more() -> None:
    assert quota_after(20, 10, 1, 0.5, 0.5, 500) == 10
    assert quota_after(20, 20, 20, 0.5, 0.5, 500) == 40
    assert quota_after(20, 20, 20, 0.05, 0.5, 500) == 20


def test_what_is_denied_is_never_asked_for() -> None:
    said = Definition(campaign="a", scope=CampaignScope(deny=("*/login*",), hosts_deny=("x.example",)))
    denied = ("https://a.example/login?x=1", "https://m.x.example/", "https://a.example/p.jpg", "mailto:a@b")
    assert all(is_denied(url, said) for url in denied)
    assert not is_denied("https://a.example/story", said)
