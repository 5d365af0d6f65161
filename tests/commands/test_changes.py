"""`scrapy changes`: the feed of edits, for people, for programs and for readers of feeds."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING, Any

import feedparser
import pytest
from lxml import etree
from sqlalchemy import update

from archiver.documents.feeds.parse import parse_feed
from archiver.inspection.history.spoken import MINUS
from archiver.store.schema import versions
from tests.history.made import DAY, HOUR, SECOND, START, URL, made

if TYPE_CHECKING:
    from pathlib import Path

    from tests.commands.here import RunHere

OTHER = "http://example.org/pier?token=hunter2"
HOSTILE = "Ferry <b>&amp; ]]> \x08 \x1b[2J ½"
ATOM = "{http://www.w3.org/2005/Atom}"


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two channels with an article each: edits a day apart, one that went and came back."""
    folder: Path = tmp_path_factory.mktemp("changes") / "archive"
    with made(folder) as new:
        shore, harbour = new.channel(), new.channel("http://example.org/harbour")
        ferry, pier = new.article(channel=shore), new.article(OTHER, channel=harbour)
        new.version(ferry, channel_id=shore)
        new.version(pier, channel_id=harbour, title="The pier")
        new.version(
            ferry, START + DAY, kinds="text,title", title=HOSTILE, text=SECOND + "\n\n\x0c" + HOSTILE,
            unchanged_until=START + DAY - HOUR, added=5, removed=1, similarity=0.9, channel_id=shore,
        )  # fmt: skip
        new.version(
            pier, START + 2 * DAY, kinds="links", title="The pier", channel_id=harbour,
            unchanged_until=START + DAY,
        )  # fmt: skip
        new.version(pier, START + 4 * DAY, kinds=None, title="The pier", text="Nothing", channel_id=harbour)
        # As an older archiver wrote it.
        new.change(update(versions).filter_by(article_id=pier, version=3).values(title=None))
        new.absence(pier, START + 2 * DAY, START + 3 * DAY, "soft_404", back=START + 4 * DAY - HOUR)
    return folder


@pytest.fixture
def copied(archive: Path, tmp_path: Path) -> Path:
    """For a test that changes it."""
    return shutil.copytree(archive, tmp_path / "archive")


def told(run_here: RunHere, archive: Path, *words: str) -> list[dict[str, Any]]:
    done = run_here("changes", archive, "--jsonl", "-", *words)
    assert done.exit_code == 0, done
    return [json.loads(line) for line in done.out.splitlines()]


def kinds(run_here: RunHere, archive: Path, *words: str) -> list[str]:
    return [",".join(event["kinds"]) for event in told(run_here, archive, *words)]


def test_edits_and_absences_are_listed_the_newest_last(archive: Path, run_here: RunHere) -> None:
    done = run_here("changes", archive)
    assert (done.exit_code, done.told) == (0, "")
    lines = done.text.splitlines()
    assert [line[:19] for line in lines[:-1:2]] == [
        "2026-03-03 07:00:00",
        "2026-03-04 07:00:00",
        "2026-03-05 07:00:00",
        "2026-03-06 06:00:00",
        "2026-03-06 07:00:00",
    ]
    assert lines[0][19:].startswith(f"  text, title  +5 {MINUS}1 words  90 % alike  The ferry → Ferry <b>")
    assert lines[1].split("  ")[-2:] == ["(1", "The Shore)"]
    assert URL + "  version 2" in lines[1]
    assert lines[4][19:] == "  gone  a page that says it is not there  The pier"
    assert lines[6][19:] == "  back  The pier"
    assert lines[8][19:] == "  changed  The pier"  # its title is read from the object
    assert "hunter2" not in done.text
    assert "\x1b" not in done.text


def test_the_title_of_an_old_version_is_read_from_its_object(copied: Path, run_here: RunHere) -> None:
    with made(copied) as new:
        new.change(update(versions).filter_by(article_id=1, version=2).values(title=None))
    assert told(run_here, copied)[0]["title"] == HOSTILE


def test_times_channels_words_kinds_and_numbers_choose(archive: Path, run_here: RunHere) -> None:
    everything = ["text,title", "links", "gone", "back", "changed"]
    assert kinds(run_here, archive) == kinds(run_here, archive, "--limit", "0") == everything
    assert kinds(run_here, archive, "--since", "2026-03-05") == ["gone", "back", "changed"]
    assert kinds(run_here, archive, "--until", "2026-03-04") == ["text,title", "links"]
    assert kinds(run_here, archive, "--since", "2026-03-04", "--until", "2026-03-05") == ["links", "gone"]
    assert kinds(run_here, archive, "--channel", "1") == ["text,title"]
    assert kinds(run_here, archive, "--channel", "http://example.org/harbour") == everything[1:]
    since = ("--since", "2026-03-05")
    assert kinds(run_here, archive, "--channel", "2", *since) == ["gone", "back", "changed"]
    assert kinds(run_here, archive, "--channel", "1", *since) == []
    assert kinds(run_here, archive, "--min-words", "6") == ["text,title", "gone", "back"]
    assert kinds(run_here, archive, "--min-words", "7") == ["gone", "back"]
    assert kinds(run_here, archive, "--kind", "title", "gone") == ["text,title", "gone"]
    assert kinds(run_here, archive, "--kind", "changed", "--kind", "links") == ["links", "changed"]
    assert kinds(run_here, archive, "--kind", "images") == []


def test_of_more_than_the_limit_the_newest_are_shown(archive: Path, run_here: RunHere) -> None:
    done = run_here("changes", archive, "--limit", "2", "--jsonl", "-")
    assert [json.loads(line)["kinds"] for line in done.out.splitlines()] == [["back"], ["changed"]]
    assert "There are more" in done.told
    assert run_here("changes", archive, "--limit", "5").told == ""


def test_programs_get_lines_of_json(archive: Path, run_here: RunHere, tmp_path: Path) -> None:
    out = tmp_path / "edits.jsonl"
    done = run_here("changes", archive, "--jsonl", str(out))
    assert (done.exit_code, done.text) == (0, f"Written: 5 events to {out}\n")
    edit, *_, gone, back, old = [json.loads(line) for line in out.read_bytes().splitlines()]
    assert (edit["at"], edit["after"]) == ("2026-03-03T07:00:00Z", "2026-03-03T06:00:00Z")
    assert (edit["version"], edit["added"], edit["removed"], edit["similarity"]) == (2, 5, 1, 0.9)
    assert (edit["title_before"], edit["title"]) == ("The ferry", HOSTILE)
    assert edit["channel"] == {"number": 1, "url": "http://***@example.org/feed", "title": "The Shore"}
    for place, text in ((edit["object_before"], "every day"), (edit["object"], "every second day")):
        data = (archive / "objects" / place["file"]).read_bytes()[place["offset"] :]
        assert text in json.loads(data.split(b"\n")[0])["text"]
    assert (gone["how"], gone["object_before"]) == ("soft_404", None)
    assert back["kinds"] == ["back"]
    assert (old["kinds"], old["added"], old["removed"]) == (["changed"], None, None)
    assert old["after"] == "2026-03-04T07:00:00Z"  # when the version before was captured
    assert old["url"] == "http://example.org/pier?token=***"


def test_readers_of_feeds_get_atom(archive: Path, run_here: RunHere, tmp_path: Path) -> None:
    out = tmp_path / "edits.atom"
    done = run_here("changes", archive, "--atom", str(out))
    assert (done.exit_code, done.text) == (0, f"Written: 5 events to {out}\n")
    found = feedparser.parse(out.read_bytes())
    assert (found.bozo, found.version) == (False, "atom10")
    assert found.feed.updated == "2026-03-06T07:00:00.000000Z"
    newest, *_, edit = found.entries
    assert newest.title == "The pier (changed)"
    assert edit.link == URL
    assert [(link.rel, link.href) for link in edit.links] == [
        ("alternate", URL),
        ("via", "http://***@example.org/feed"),
    ]
    assert [tag.term for tag in edit.tags] == ["text", "title"]
    assert edit.updated == "2026-03-03T07:00:00.000000Z"
    assert "between 2026-03-03 06:00:00 and 2026-03-03 07:00:00 UTC" in edit.summary
    content = raw_contents(out)[-1]
    assert "every <ins>second</ins> day." in content
    assert "<b>" not in content
    assert "&lt;b&gt;" in content
    assert "went between" in raw_contents(out)[2].lower()


def test_it_has_what_rfc_4287_asks_for_once_each(archive: Path, run_here: RunHere, tmp_path: Path) -> None:
    out = tmp_path / "edits.atom"
    run_here("changes", archive, "--atom", str(out))
    feed = etree.fromstring(out.read_bytes())
    entries = feed.findall(f"{ATOM}entry")
    assert feed.tag == f"{ATOM}feed"
    assert [name.text for name in feed.findall(f"{ATOM}author/{ATOM}name")] == ["archiver"]
    for one in (feed, *entries):
        assert [len(one.findall(f"{ATOM}{name}")) for name in ("id", "title", "updated")] == [1, 1, 1]
    for entry in entries:
        assert [len(entry.findall(f"{ATOM}{name}")) for name in ("content", "summary", "published")] == [
            1,
            1,
            1,
        ]
        assert [link.get("rel") for link in entry.findall(f"{ATOM}link")] == ["alternate", "via"]
    times = [entry.findtext(f"{ATOM}updated") or "" for entry in entries]
    assert [feed.findtext(f"{ATOM}updated"), *times] == sorted([times[0], *times], reverse=True)


def raw_contents(path: Path) -> list[str]:
    """As they are written: feedparser takes out what could harm."""
    return [one.text or "" for one in etree.fromstring(path.read_bytes()).iter(f"{ATOM}content")]


def test_our_own_crawl_could_follow_it(archive: Path, run_here: RunHere, tmp_path: Path) -> None:
    out = tmp_path / "edits.atom"
    run_here("changes", archive, "--atom", str(out))
    feed = parse_feed(out.read_bytes(), url="http://archive.example/edits.atom", content_type=None)
    assert (feed.format, feed.problems) == ("atom10", ())
    assert [entry.link for entry in feed.entries[3:]] == ["http://example.org/pier?token=***", URL]
    stamps = [entry.updated for entry in feed.entries]
    assert [stamp.utc for stamp in stamps if stamp][-1] == START + DAY
    assert len({entry.id for entry in feed.entries}) == 5
    assert all(entry.id and entry.id.startswith("urn:uuid:") for entry in feed.entries)


def ids(path: Path) -> tuple[str, list[str]]:
    found = feedparser.parse(path.read_bytes())
    return found.feed.id, [entry.id for entry in found.entries]


def test_names_of_edits_stay_when_others_follow(copied: Path, run_here: RunHere, tmp_path: Path) -> None:
    def written(name: str, *words: str) -> tuple[str, list[str]]:
        run_here("changes", copied, "--atom", str(tmp_path / name), *words)
        return ids(tmp_path / name)

    feed, before = written("before.atom")
    with made(copied) as new:
        new.version(1, START + 9 * DAY, kinds="text", text="More", channel_id=1)
    again, now = written("now.atom")
    assert (feed, before) == (again, now[1:])
    assert written("one.atom", "--channel", "1")[0] != feed
    assert written("one.atom", "--since", "2026-03-05")[0] == feed


def test_an_empty_feed_is_a_feed(archive: Path, run_here: RunHere, tmp_path: Path) -> None:
    out = tmp_path / "edits.atom"
    assert run_here("changes", archive, "--since", "2030-01-01", "--atom", str(out)).exit_code == 0
    found = feedparser.parse(out.read_bytes())
    assert (found.bozo, found.entries) == (False, [])
    assert found.feed.updated_parsed
    assert run_here("changes", archive, "--since", "2030-01-01").text == "No edits were seen.\n"


def test_an_edit_whose_objects_are_lost_is_told_without_words(
    copied: Path, run_here: RunHere, tmp_path: Path
) -> None:
    (copied / "objects" / "articles-2026-03-03.jsonl").unlink()
    out = tmp_path / "edits.atom"
    done = run_here("changes", copied, "--atom", str(out))
    assert done.exit_code == 1
    assert "run `scrapy verify`" in done.told
    assert "cannot be read" in raw_contents(out)[-1]
    assert len(feedparser.parse(out.read_bytes()).entries) == 5


@pytest.mark.parametrize(
    ("words", "code", "words_told"),
    [
        (["--channel", "99"], 1, "No channel is called 99"),
        (["--since", "soon"], 2, "'soon' is not a time"),
        (["--since", "2026-03-02", "--until", "2026-03-01"], 2, "--since is later than --until"),
        (["--kind", "typo"], 2, "invalid choice"),
        (["--min-words", "-1"], 2, "--min-words: write a number from 0 on"),
        (["--limit", "few"], 2, "invalid int value"),
        (["extra"], 2, "Unknown argument extra"),
        (["--atom", "/nowhere/at/all.atom"], 2, "there is no such folder"),
        (["--jsonl", "."], 2, "--jsonl . is a folder"),
    ],
)
def test_mistakes_are_told(
    archive: Path, run_here: RunHere, words: list[str], code: int, words_told: str
) -> None:
    done = run_here("changes", archive, *words)
    assert done.exit_code == code
    assert words_told in done.told + done.text
