"""What is followed through APIs: every post once, every exchange in WARC, nothing lost and nothing twice."""

from __future__ import annotations

import gzip
import itertools
import json
import signal
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import jsonschema
import pytest

from archiver.articles.posts.schema import FILE
from tests.crawl.checks import assert_index_agrees, assert_warcs_pass
from tests.crawl.killing import POST_BOUNDARIES
from tests.crawl.networks import WordPress, as_json, campaign_file, many_said, posts_of, resolved
from tests.crawl.running import ROOT, Archived, crawl, crawl_command, scrapy
from tests.crawl.site import Answer, redirect, text, unavailable
from tests.crawl.social import ActivityPub, Bluesky, Discourse, Lemmy, Mastodon

if TYPE_CHECKING:
    from pathlib import Path

    from tests.crawl.networks import Network
    from tests.crawl.running import CrawlRun
    from tests.crawl.site import Site

# One process crawls for all tests of this file.
pytestmark = pytest.mark.xdist_group("posts")
NETWORKS: list[type[Network]] = [WordPress, Mastodon, Bluesky, Discourse, Lemmy, ActivityPub]
LONGER = [pytest.param(one, marks=pytest.mark.zoo) for one in NETWORKS[1:]]


def follow(archive: Path, *lines: str, clock_offset: float = 0, **settings: object) -> CrawlRun:
    archive.mkdir(exist_ok=True)
    file = campaign_file(archive.parent, lines)
    arguments = {"file": str(file)}
    return crawl(archive, arguments=arguments, spider="posts", clock_offset=clock_offset, **settings)


def versions(run: Archived) -> list[tuple[str, int]]:
    return sorted((one["id"], one["version"]) for one in posts_of(run))


def assert_posts_whole(run: Archived) -> None:
    """Lines are valid, and each leads to the very post in the very record."""
    assert_warcs_pass(run)
    assert_index_agrees(run.folder)
    schema = jsonschema.Draft202012Validator(json.loads(FILE.read_bytes()))
    records = {record.id: record for record in run.records}
    for one in posts_of(run):
        schema.validate(one)
        record = records[one["warc"]["record_id"]]
        assert (record.file, record.offset) == (one["warc"]["file"], one["warc"]["offset"])
        shown = resolved(json.loads(record.payload), one["warc"]["pointer"])
        assert one["text"].split(".")[0] in json.dumps(shown, ensure_ascii=False)


@pytest.mark.parametrize("kind", [*NETWORKS[:-1], *LONGER[-1:]])
def test_every_post_is_an_object_once_and_every_exchange_is_in_warc(
    kind: type[Network], archive: Path, site: Site
) -> None:
    network = kind(site, many_said(25))
    run = follow(archive, network.begin(), BLUESKY_URL=site.origin)
    assert run.exit_code == 0, run
    posts = posts_of(run)
    assert len(posts) == 25 == len({one["id"] for one in posts})
    assert {one["campaign"] for one in posts} == {"flood"}
    first = min(posts, key=lambda one: one["published"])
    assert first["author"]["name"]
    assert first["published"] == "2026-06-10T00:01:00Z"
    assert "https://paper.example/1" in {link["url"] for link in first["links"]}
    assert_posts_whole(run)
    archived = [record for record in run.records if record.type == "response"]
    assert len(archived) == len(site.requests)


@pytest.mark.parametrize("kind", [WordPress, *LONGER])
def test_edits_are_versions_and_what_is_private_deleted_or_unwanted_is_left_out(
    kind: type[Network], archive: Path, site: Site
) -> None:
    network = kind(site, many_said(12))
    line = network.begin()
    network.edit(3, is_private=True)
    network.edit(4, nobot=kind.has_profiles)
    assert follow(archive, line, BLUESKY_URL=site.origin).exit_code == 0
    network.edit(9, words="The water falls.", edited=700)
    network.edit(11, is_deleted=True)
    network.posts += [one for one in many_said(13) if one.number == 13]
    run = follow(archive, line, clock_offset=3600, BLUESKY_URL=site.origin)
    assert run.exit_code == 0, run
    texts: dict[str, list[dict[str, Any]]] = {}
    for one in posts_of(run):
        texts.setdefault(one["published"][14:16], []).append(one)
    assert "03" not in texts
    assert ("04" in texts) is not kind.has_profiles
    assert [one["version"] for one in texts["09"]] == [1, 2]
    assert texts["09"][1]["change"] == "text"
    assert "falls" in texts["09"][1]["text"]
    assert texts["09"][1]["first_seen"] == texts["09"][0]["first_seen"]
    assert [len(found) for number, found in sorted(texts.items()) if number != "09"] == [1] * (len(texts) - 1)
    assert "13" in texts
    assert run.report["posts"]["changed"] == 1
    assert_posts_whole(run)


@pytest.mark.parametrize("kind", [WordPress, *LONGER])
def test_a_server_that_asks_to_wait_is_waited_for(kind: type[Network], archive: Path, site: Site) -> None:
    network = kind(site, many_said(12))
    line = network.begin()
    network.instead = [unavailable("1", code=429)]
    run = follow(archive, line, BLUESKY_URL=site.origin)
    assert run.exit_code == 0, run
    assert len(posts_of(run)) == 12
    moments = [one.at for one in site.requests]
    assert max(later - sooner for sooner, later in itertools.pairwise(moments)) >= 0.9


MALFORMED = {
    "not JSON": b"<html>We are down</html>",
    "cut off": b'[{"id": 1, "content": {"rende',
    "too deep": b"[" * 100_000,
    "of another shape": b'"posts"',
}


@pytest.mark.parametrize("kind", LONGER)
def test_malformed_answers_of_other_networks_are_told_and_asked_for_again(
    kind: type[Network], archive: Path, site: Site
) -> None:
    network = kind(site, many_said(12))
    line = network.begin()
    network.instead = [Answer(headers=(("Content-Type", "application/json"),), body=MALFORMED["cut off"])]
    run = follow(archive, line, BLUESKY_URL=site.origin)
    assert run.exit_code == 0, run
    assert any("client_error" in note for note in run.report["notes"])
    run = follow(archive, line, clock_offset=3600, BLUESKY_URL=site.origin)
    assert len(posts_of(run)) == 12
    responses = [record for record in run.records if record.type == "response"]
    assert len(responses) == len(site.requests)


@pytest.mark.parametrize(
    "flaw",
    [pytest.param(one, marks=[pytest.mark.zoo] if number else []) for number, one in enumerate(MALFORMED)],
)
def test_malformed_json_is_told_and_asked_for_again(flaw: str, archive: Path, site: Site) -> None:
    network = WordPress(site, many_said(12))
    line = network.begin()
    network.instead = [Answer(headers=(("Content-Type", "application/json"),), body=MALFORMED[flaw])]
    run = follow(archive, line)
    assert run.exit_code == 0, run
    assert any("client_error" in note for note in run.report["notes"])
    run = follow(archive, line, clock_offset=3600)
    assert len(posts_of(run)) == 12


def test_one_odd_post_does_not_hide_the_others(archive: Path, site: Site) -> None:
    network = WordPress(site, many_said(3))
    line = network.begin()
    odd: list[object] = [
        None, 7, "text", [], {}, {"id": 10**40}, {"id": True},
        {"id": 9, "date_gmt": "soon", "link": "javascript:1"},
        {"id": 8, "content": {"rendered": "<script>alert(1)</script><p onclick=x>Mark</p>"}, "title": [[]]},
    ]  # fmt: skip
    network.instead = [as_json(odd, ("X-WP-Total", str(len(odd))))]
    run = follow(archive, line)
    assert run.exit_code == 0, run
    shown = {one["id"][-1]: one for one in posts_of(run)}
    assert shown.keys() == {"8", "9"}
    assert shown["8"]["text"] == "Mark"
    assert "script" not in shown["8"]["html"]
    assert "onclick" not in shown["8"]["html"]
    assert shown["9"]["url"] is None
    assert shown["9"]["published"] is None


def test_pages_that_never_end_are_ended(archive: Path, site: Site) -> None:
    network = WordPress(site, many_said(10))
    line = network.begin()
    page = as_json([network.as_post(one) for one in network.posts], ("X-WP-Total", "1000000"))
    site.add("/wp-json/wp/v2/posts", page)
    run = follow(archive, line)
    assert run.exit_code == 0, run
    assert len(posts_of(run)) == 10
    assert len(site.paths) < 8
    assert any("repeat themselves" in note for note in run.report["notes"])


def test_a_refusal_is_told_and_leaves_the_feed(archive: Path, site: Site) -> None:
    line = WordPress(site).begin()
    site.add("/wp-json/wp/v2/posts", as_json({"message": "REST is off"}, status=401))
    run = follow(archive, line)
    assert run.exit_code == 0, run
    assert any("refused: HTTP 401: REST is off" in note for note in run.report["notes"])
    assert run.channel(site.url("/feed/"))["labels"] == '["campaign:flood"]'
    again = follow(archive, line, clock_offset=3600)
    assert len(site.to("/wp-json/wp/v2/posts")) == 1, "not asked again so soon"
    assert again.exit_code == 0


def test_robots_txt_holds_for_apis(archive: Path, site: Site) -> None:
    line = WordPress(site, many_said(3)).begin()
    site.add("/robots.txt", text("User-agent: *\nDisallow: /wp-json/"))
    run = follow(archive, line)
    assert not posts_of(run)
    assert not site.to("/wp-json/wp/v2/posts")
    assert any("robots" in note for note in run.report["notes"])


def test_private_addresses_are_not_asked(archive: Path, site: Site) -> None:
    run = follow(archive, WordPress(site, many_said(3)).begin(), ALLOW_PRIVATE_ADDRESSES=False)
    assert not site.requests
    assert not posts_of(run)


def test_a_token_goes_to_its_host_alone_and_into_no_file(
    archive: Path, site: Site, neighbour: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BLOG_TOKEN", "s3cr3t-of-the-blog")
    network = WordPress(site, many_said(3))
    line = network.begin()
    other = WordPress(neighbour, many_said(3))
    other.begin()
    site.add("/wp-json/wp/v2/posts", redirect(neighbour.url("/wp-json/wp/v2/posts?offset=0&per_page=10")))
    tokens = json.dumps({f"{site.host}:{site.port}": "BLOG_TOKEN"})
    run = follow(archive, line, API_TOKENS=tokens, LOG_LEVEL="DEBUG")
    assert len(posts_of(run)) == 3
    sent = [one.header("Authorization") for one in site.requests if one.path != "/robots.txt"]
    assert sent == ["Bearer s3cr3t-of-the-blog"] * 2
    assert all(one.header("Authorization") is None for one in neighbour.requests)
    kept = [record.block for record in run.records if record.type == "request"]
    assert sum(b"Authorization: ***" in block for block in kept) == 2
    files = [path for path in archive.parent.rglob("*") if path.is_file()]
    contents = [path.read_bytes() for path in files]
    contents += [gzip.decompress(path.read_bytes()) for path in files if path.suffix == ".gz"]
    assert not any(b"s3cr3t" in content for content in [*contents, run.stdout.encode(), run.stderr.encode()])


def test_a_token_that_is_not_set_is_told_before_anything_is_asked(archive: Path, site: Site) -> None:
    tokens = json.dumps({"blog.example": "NO_SUCH_VARIABLE"})
    run = follow(archive, WordPress(site).begin(), API_TOKENS=tokens)
    assert run.exit_code == 2
    assert "NO_SUCH_VARIABLE" in run.stderr + run.stdout
    assert not site.requests


def test_posts_that_two_queries_show_are_kept_once(archive: Path, site: Site) -> None:
    network = WordPress(site, many_said(5))
    line = network.begin()
    run = follow(archive, line, f"{{wordpress: '{site.origin}', search: [mark]}}")
    assert len(posts_of(run)) == 5


def test_a_lost_state_store_is_made_again_with_its_posts(archive: Path, site: Site) -> None:
    line = WordPress(site, many_said(5)).begin()
    before = versions(follow(archive, line))
    for path in archive.glob("state.sqlite*"):
        path.unlink()
    assert scrapy(archive, "recover").exit_code == 0
    run = follow(archive, line)
    assert versions(run) == before
    assert_posts_whole(run)


@pytest.mark.zoo
@pytest.mark.parametrize("number", [1, 3])
@pytest.mark.parametrize("boundary", POST_BOUNDARIES)
def test_a_run_killed_at_a_write_boundary_is_completed_by_the_next(
    boundary: str, number: int, archive: Path, site: Site
) -> None:
    network = WordPress(site, many_said(35))
    file = campaign_file(archive.parent, [network.begin()])
    words = crawl_command(
        archive, seeds=None, clock_offset=0, arguments={"file": str(file)}, settings={}, spider="posts"
    )
    command = [sys.executable, "-m", "tests.crawl.killing", boundary, str(number), *words]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=90, check=False)
    assert done.returncode == -signal.SIGKILL, f"{boundary} was never reached: {done.stdout}{done.stderr}"
    run = crawl(archive, arguments={"file": str(file)}, spider="posts")
    assert run.exit_code == 0, run
    ids = [one["id"] for one in posts_of(run)]
    assert len(ids) == 35 == len(set(ids))
    assert_posts_whole(run)


def test_posts_are_searched_and_told_as_rdf(archive: Path, site: Site) -> None:
    network = Mastodon(site, many_said(3))
    line = network.begin()
    network.edit(2, answers=1)
    run = follow(archive, line)
    assert "Post by Ada" in scrapy(archive, "search", "mark").stdout
    file = archive.parent / "posts.nq"
    assert scrapy(archive, "rdf", "-o", str(file)).exit_code == 0
    told = file.read_text()
    assert told.count("DiscussionForumPosting") == 3
    assert told.count("sioc/ns#reply_of") == 1
    assert "social.example/@ada/3" in told
    assert {one["language"] for one in posts_of(run)} == {"de"}


def test_a_search_on_bluesky_is_not_asked_without_a_token(archive: Path, site: Site) -> None:
    run = follow(archive, "{bluesky: {search: [flood]}}", BLUESKY_URL=site.origin)
    assert run.exit_code == 0, run
    assert not site.requests
    assert any("API_TOKENS" in note for note in run.report["notes"])
