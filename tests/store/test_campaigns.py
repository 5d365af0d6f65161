"""The queue of a campaign follows its definition, what people say, and what posts lead to."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from msgspec.structs import replace
from sqlalchemy import func, select, update

from archiver.acquisition.campaigns.model import WayThere, found_link
from archiver.acquisition.campaigns.queries import queries_of_named
from archiver.acquisition.campaigns.reading import read_campaign
from archiver.documents.apis.model import ApiPage, Post
from archiver.documents.apis.named import NamedApi
from archiver.documents.contributions import ContributionKind
from archiver.documents.pages.model import Link
from archiver.running.campaign_run import CampaignRun
from archiver.store.campaigns.definitions import register_campaign
from archiver.store.campaigns.queue import add_candidates
from archiver.store.campaigns.rescoring import rescore
from archiver.store.polling.apis import due_apis, follow_named, register_apis
from archiver.store.schema import candidates, relevances
from tests.store.samples import NOW, capture

if TYPE_CHECKING:
    from pathlib import Path

    from sqlalchemy import Connection

    from archiver.store.database import Database

FLOOD = "campaign: water\nlanguages: [en]\nkeywords: [flood, dyke]\nseeds: [http://a.example/]\n"
OPERA = (
    "campaign: water\nlanguages: [en]\nkeywords: [opera, theatre]\nseeds: [http://a.example/]\n"
    'scope: {deny: ["*/private/*"]}\n'
)
LINKS = {
    "http://a.example/1": "flood at the dyke",
    "http://a.example/2": "opera in the theatre",
    "http://a.example/private/3": "flood flood",
}


def begun(database: Database, text: str, folder: Path) -> CampaignRun:
    run = CampaignRun()

    def work(connection: Connection) -> None:
        read = read_campaign(text.encode(), "water.yaml", folder)
        found = register_campaign(connection, read, str(folder / "water.yaml"), NOW)
        run.begin(connection, [found.campaign.id], NOW)

    database.run(work)
    return run


def ranks(connection: Connection) -> dict[str, int]:
    waiting = candidates.c.state == "waiting"
    rows = connection.execute(select(candidates.c.url, candidates.c.rank).where(waiting))
    return {row.url: row.rank for row in rows}


def test_what_waits_is_scored_again_by_a_new_revision(database: Database, tmp_path: Path) -> None:
    run = begun(database, FLOOD, tmp_path)
    (running,) = run.campaigns.values()
    links = [found_link(url, words, "", "en") for url, words in LINKS.items()]

    def work(connection: Connection) -> None:
        score, campaign = running.models.score, running.campaign
        add_candidates(connection, campaign, links, NOW, score=score, way=WayThere(relevance=0.9))
        before = ranks(connection)
        assert before["http://a.example/1"] < before["http://a.example/2"]
        read = read_campaign(OPERA.encode(), "water.yaml", tmp_path)
        assert register_campaign(connection, read, campaign.file, NOW).is_revised
        run.revise(connection, campaign.id, NOW)
        # In steps: none is scored twice, and none is forgotten. The seed was noted again by `revise`.
        steps = [rescore(connection, running.campaign, running.models.score, 2) for _ in range(3)]
        assert steps == [2, 1, 0]
        after = ranks(connection)
        assert after["http://a.example/2"] < after["http://a.example/1"]
        assert "http://a.example/private/3" not in after
        # Seeds stay in front.
        assert after["http://a.example/"] == before["http://a.example/"] < after["http://a.example/2"]

    database.run(work)


def test_what_is_not_denied_any_more_waits_again(database: Database, tmp_path: Path) -> None:
    run = begun(database, FLOOD, tmp_path)
    (running,) = run.campaigns.values()
    links = [found_link(url, words, "", "en") for url, words in LINKS.items()]

    def revise(connection: Connection, denied: str) -> set[str]:
        text = FLOOD + f"scope: {{deny: ['{denied}']}}\n"
        read = read_campaign(text.encode(), "water.yaml", tmp_path)
        register_campaign(connection, read, running.campaign.file, NOW)
        run.revise(connection, running.campaign.id, NOW)
        while rescore(connection, running.campaign, running.models.score, 2):
            pass
        return set(ranks(connection))

    def work(connection: Connection) -> None:
        score, campaign = running.models.score, running.campaign
        add_candidates(connection, campaign, links, NOW, score=score, way=WayThere(relevance=0.9))
        before = ranks(connection)
        # A slip of the pen.
        assert revise(connection, "*") == set()
        assert revise(connection, "*/private/*") == before.keys() - {"http://a.example/private/3"}
        assert revise(connection, "*/2") == before.keys() - {"http://a.example/2"}
        assert ranks(connection)["http://a.example/"] == before["http://a.example/"]

    database.run(work)


def test_what_was_fetched_is_not_asked_for_again_by_a_new_revision(
    database: Database, tmp_path: Path
) -> None:
    run = begun(database, FLOOD, tmp_path)
    (running,) = run.campaigns.values()

    def work(connection: Connection) -> None:
        connection.execute(update(candidates).values(state="done"))
        read = read_campaign(OPERA.encode(), "water.yaml", tmp_path)
        register_campaign(connection, read, running.campaign.file, NOW)
        run.revise(connection, running.campaign.id, NOW)
        assert ranks(connection) == {}

    database.run(work)


def test_links_of_posts_wait_with_the_words_of_their_posts(database: Database, tmp_path: Path) -> None:
    run = begun(database, FLOOD, tmp_path)
    posts = tuple(
        Post(id=words, pointer="/0", text=words, language="en", links=(Link(url=url, text=""),))
        for url, words in LINKS.items()
    )

    def work(connection: Connection) -> None:
        run.take_posts(connection, "water", ApiPage(posts=posts), capture(), NOW)
        run.take_posts(connection, "other", ApiPage(posts=posts), capture(), NOW)
        found = ranks(connection)
        assert found.keys() == {*LINKS, "http://a.example/"}
        assert found["http://a.example/1"] < found["http://a.example/2"]
        found_by = candidates.c.found_by == "api"
        assert connection.execute(select(func.count()).where(found_by)).scalar() == len(LINKS)

    database.run(work)


def test_an_address_that_an_api_has_answered_for_is_not_asked_for(database: Database, tmp_path: Path) -> None:
    run = begun(database, FLOOD, tmp_path)
    (running,) = run.campaigns.values()
    campaign, score = running.campaign, running.models.score
    said = "The flood broke the dyke at night, and the flood went on."
    post = Post(id="1", pointer="/0", url="http://a.example/1", title="The flood", text=said, language="en")
    comment = replace(post, id="2", kind=ContributionKind.COMMENT, url="http://a.example/2#comment-1")
    answer = capture(url="http://a.example/wp-json/wp/v2/posts")
    opera = replace(post, id="3", url="http://a.example/opera", title="Opera", text="A night of singers.")

    def work(connection: Connection) -> None:
        links = [found_link(url, words, "", "en") for url, words in LINKS.items()]
        add_candidates(connection, campaign, links, NOW, score=score, way=WayThere(relevance=0.9))
        page = ApiPage(posts=(post, comment, opera))
        run.take_posts(connection, "water", page, answer, NOW)
        assert ranks(connection).keys() == {*LINKS, "http://a.example/"} - {"http://a.example/1"}
        found = {row.url: row.score for row in connection.execute(select(relevances))}
        assert found["http://a.example/1"] > 0.5 > found["http://a.example/opera"]
        # Edited, it is the same page, with another relevance.
        edited = replace(post, title="Opera", text="A night of singers and of stars.")
        run.take_posts(connection, "water", ApiPage(posts=(edited,)), answer, NOW)
        again = {row.url: row.score for row in connection.execute(select(relevances))}
        assert again.keys() == found.keys()
        assert again["http://a.example/1"] < 0.5

    database.run(work)


def test_an_api_takes_no_address_of_another_site_from_the_queue(database: Database, tmp_path: Path) -> None:
    run = begun(database, FLOOD, tmp_path)
    (running,) = run.campaigns.values()
    said = "The flood broke the dyke at night, and the flood went on."
    known = Post(id="1", pointer="/0", url="http://a.example/1", text=said, language="en")
    # As services pass on what was posted elsewhere.
    new = replace(known, id="2", url="http://c.example/2")
    answer = capture(url="http://b.example/wp-json/wp/v2/posts")

    def work(connection: Connection) -> None:
        links = [found_link("http://a.example/1", "flood", "", "en")]
        way = WayThere(relevance=0.9)
        add_candidates(connection, running.campaign, links, NOW, score=running.models.score, way=way)
        for _ in range(2):
            run.take_posts(connection, "water", ApiPage(posts=(known, new)), answer, NOW)
            assert ranks(connection).keys() == {"http://a.example/", "http://a.example/1"}
            assert connection.execute(select(relevances.c.url)).scalars().all() == ["http://c.example/2"]

    database.run(work)


def test_a_page_that_was_fetched_is_not_taken_for_a_post(database: Database, tmp_path: Path) -> None:
    run = begun(database, FLOOD, tmp_path)
    post = Post(id="1", pointer="/0", url="http://a.example/", text="The flood.", language="en")

    def work(connection: Connection) -> None:
        connection.execute(update(candidates).values(state="done", outcome="read"))
        run.take_posts(connection, "water", ApiPage(posts=(post,)), capture(), NOW)
        assert connection.execute(select(candidates.c.outcome)).scalars().all() == ["read"]

    database.run(work)


def test_pages_are_fetched_where_the_file_says_so(database: Database, tmp_path: Path) -> None:
    run = begun(database, FLOOD + "through_apis: false\n", tmp_path)
    post = Post(id="1", pointer="/0", url="http://a.example/", text="The flood.", language="en")

    def work(connection: Connection) -> None:
        run.take_posts(connection, "water", ApiPage(posts=(post,)), capture(), NOW)
        assert ranks(connection).keys() == {"http://a.example/"}

    database.run(work)


def test_a_site_is_asked_once_through_the_api_that_its_pages_name(database: Database, tmp_path: Path) -> None:
    (running,) = begun(database, FLOOD, tmp_path).campaigns.values()
    named = NamedApi(api="wordpress", base="http://blog.example", root="http://blog.example/wp-json/")
    queries = queries_of_named(named, running.campaign.definition)
    assert [query.value for query in queries] == ["flood", "dyke"]

    def work(connection: Connection) -> None:
        assert follow_named(connection, "water", queries, named.root, NOW) == 2
        assert follow_named(connection, "water", queries, named.root, NOW) == 0
        # A run that begins makes the queries agree with the file: these stay.
        register_apis(connection, "water", (), NOW)
        asked = due_apis(connection, NOW, ["water"], limit=9, per_host=9, busy=(), without=())
        assert {urlsplit(one.url).path for one in asked} == {"/wp-json/wp/v2/posts"}

    database.run(work)


def test_apis_take_a_part_of_the_budget(database: Database, tmp_path: Path) -> None:
    run = begun(database, FLOOD + "budget: {requests: 100}\n", tmp_path)
    (running,) = run.campaigns.values()
    assert running.may_ask_apis(NOW)
    running.api_requests = 30
    assert not running.may_ask_apis(NOW)
    assert running.left(NOW) == 100
