"""Pairs of captures judged in a worker: beside pages of before, which tell what is furniture."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import msgspec

from archiver.profiles.default import EXTRACT_METHOD
from archiver.running.workers.judging import judge_pages
from archiver.running.workers.page_tasks import JudgePages, PageToRead, Pair
from tests.versions.captures import STORY, capture, changed
from tests.warc.samples import exchange, writer

if TYPE_CHECKING:
    from pathlib import Path

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n"
WORDS = "You can have the island by post, with all of its news, every week."
SLIP = ("<h2>", f'<div class="q4"><div>{WORDS}</div></div><h2>')


def kept(folder: Path, *pages: str) -> list[PageToRead]:
    """These pages in WARC: two captures of one article, and others."""
    keeper = writer(folder)
    captures = keeper.write([exchange(HEAD + page.encode()) for page in pages])
    keeper.close()
    return [
        PageToRead(
            id=one.record_id,
            url=f"http://example.org/{max(0, number - 1)}",
            file=one.file,
            offset=one.offset,
        )
        for number, one in enumerate(captures)
        if one is not None
    ]


def others(page: str) -> list[str]:
    """Pages of the same site with other articles."""
    return [page.replace(" the ", f" {word} ") for word in ("every", "some")]


def task(folder: Path, *siblings: str) -> JudgePages:
    """A slip came into the story, and extraction took it for a part of the article."""
    now = changed(SLIP)
    article = capture(now).article
    before, after, *rest = kept(folder, STORY, now, *siblings)
    said = replace(article, text=f"{article.text}\n\n{WORDS}")
    return JudgePages(
        folder=str(folder),
        method=EXTRACT_METHOD,
        pairs=(Pair(before=before, now=after, article=said),),
        siblings=tuple(rest),
    )


def test_what_siblings_have_too_makes_no_version(tmp_path: Path) -> None:
    slip = changed(SLIP).replace(WORDS, "@")
    (judgement,) = judge_pages(task(tmp_path, *(one.replace("@", WORDS) for one in others(slip)))).judgements
    assert judgement is not None
    assert judgement.change is None
    assert judgement.noise == ("furniture",)


def test_what_no_sibling_has_makes_one(tmp_path: Path) -> None:
    (judgement,) = judge_pages(task(tmp_path, *others(STORY))).judgements
    assert judgement is not None
    assert judgement.change is not None
    assert judgement.change.kinds == ("text",)


def test_siblings_that_cannot_be_read_and_captures_of_the_page_itself_tell_nothing(tmp_path: Path) -> None:
    asked = task(tmp_path)
    (pair,) = asked.pairs
    lost = msgspec.structs.replace(pair.now, file="lost.warc.gz")
    (judgement,) = judge_pages(msgspec.structs.replace(asked, siblings=(pair.now, pair.now, lost))).judgements
    assert judgement is not None
    assert judgement.change is not None


def test_what_a_pair_a_moment_apart_tells_apart_is_noise_there_and_later(tmp_path: Path) -> None:
    asked = task(tmp_path)
    soon = msgspec.structs.replace(asked.pairs[0], is_moment_later=True)
    (judgement,) = judge_pages(msgspec.structs.replace(asked, pairs=(soon,))).judgements
    assert judgement is not None
    assert judgement.change is None
    assert judgement.volatile
    # Seen to change once more since.
    spots = tuple(replace(spot, seen="") for spot in judgement.volatile)
    later = msgspec.structs.replace(asked.pairs[0], volatile=spots)
    (judgement,) = judge_pages(msgspec.structs.replace(asked, pairs=(later,))).judgements
    assert judgement is not None
    assert judgement.change is None
