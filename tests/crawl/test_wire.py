"""To the byte: what servers sent is what the archive holds, over HTTP and HTTPS, in whole crawls."""

from __future__ import annotations

import base64
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest
from warcio.archiveiterator import ArchiveIterator
from warcio.bufferedreaders import BufferedReader

from tests.crawl.running import DAY, crawl, write_seeds
from tests.crawl.wire_cases import BROKEN, CHUNKED_CASES, LEGAL, MOST, TWICE
from tests.crawl.wire_server import WireServer, self_signed
from tests.warc.samples import check_files
from tests.warc.test_manifest import agrees

if TYPE_CHECKING:
    import ssl
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from tests.crawl.running import CrawlRun
    from tests.crawl.wire_cases import Case
    from tests.crawl.wire_server import Seen

# Each crawl is made once, by one worker, for all tests of this module.
pytestmark = pytest.mark.xdist_group("wire")

CASES = (*LEGAL, *BROKEN)
EVERY = (*CASES, *TWICE)
# The certificate is made for the first of them.
HOST = "127.0.3.{}"
MUTE = HOST.format(len(EVERY) + 1)


@dataclass(slots=True, kw_only=True)
class Kept:
    """One exchange, as the archive has it."""

    request: bytes = b""
    response: bytes | None = None
    headers: list[tuple[str, str]] = field(default_factory=list)
    metadata: list[tuple[str, str]] = field(default_factory=list)

    def header(self, name: str) -> list[str]:
        """Of the response's record."""
        return [value for key, value in self.headers if key == name]

    def told(self, name: str) -> list[str]:
        """By the metadata record."""
        return [value for key, value in self.metadata if key == name]

    def decoded(self, name: str) -> tuple[bytes, ...]:
        return tuple(base64.b64decode(value) for value in self.told(name))


@dataclass(frozen=True, slots=True, kw_only=True)
class Crawl:
    """One crawl: what the servers saw and what was kept, by URL and in order."""

    run: CrawlRun
    seen: dict[str, list[Seen]]
    kept: dict[str, list[Kept]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Crawled:
    """Both crawls of a scheme, over."""

    scheme: str
    servers: dict[str, WireServer]
    first: Crawl
    second: Crawl

    def url(self, case: Case, path: str | None = None) -> str:
        return self.servers[case.name].origin + (path or case.path)


def kept_in(paths: Iterable[Path]) -> dict[str, list[Kept]]:
    """Everything in these files: each exchange ends with its metadata record."""
    found: dict[str, list[Kept]] = {}
    for path in paths:
        with path.open("rb") as file:
            one = Kept()
            for record in ArchiveIterator(file, no_record_parse=True):
                _add(one, record, record.raw_stream.read())
                if record.rec_type == "metadata":
                    found.setdefault(record.rec_headers.get_header("WARC-Target-URI"), []).append(one)
                    one = Kept()
    return found


def _add(one: Kept, record: Any, block: bytes) -> None:
    if record.rec_type == "request":
        one.request = block
    elif record.rec_type in {"response", "revisit"}:
        one.response, one.headers = block, record.rec_headers.headers
    elif record.rec_type == "metadata":
        pairs = (line.partition(": ") for line in block.decode().splitlines())
        one.metadata = [(name, value) for name, _, value in pairs]


@pytest.fixture(scope="module", params=["http", pytest.param("https", marks=pytest.mark.zoo)])
def crawled(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Crawled]:
    """A host for each case, so that none has another's connections."""
    scheme: str = request.param
    folder = tmp_path_factory.mktemp(scheme)
    tls = self_signed(folder, HOST.format(1)) if scheme == "https" else None
    with ExitStack() as stack:
        servers = {
            case.name: stack.enter_context(server(number, case, tls)) for number, case in enumerate(EVERY, 1)
        }
        mute = stack.enter_context(WireServer(MUTE, {}, tls=tls, shakes_hands=False))
        archive = folder / "archive"
        urls = {case.name: servers[case.name].origin + case.path for case in EVERY}
        everything = write_seeds(archive, [*urls.values(), f"{mute.origin}/mute"], "all.txt")
        first = one_crawl(archive, everything, servers)
        some = write_seeds(archive, [urls[case.name] for case in (*TWICE, *CHUNKED_CASES)], "again.txt")
        second = one_crawl(archive, some, servers, clock_offset=8 * DAY, WARC_EXACT_WIRE=True)
        yield Crawled(scheme=scheme, servers=servers, first=first, second=second)


def server(number: int, case: Case, tls: ssl.SSLContext | None) -> WireServer:
    stale = frozenset({case.path}) if case.stale else frozenset()
    return WireServer(HOST.format(number), case.script, tls=tls, stale=stale)


def one_crawl(archive: Path, seeds: Path, servers: dict[str, WireServer], **settings: Any) -> Crawl:
    for one in servers.values():
        one.forget()
    before = set(archive.glob("warc/*.warc.gz"))
    run = crawl(archive, seeds, FAILING_SHARE=1, DOWNLOAD_MAXSIZE=MOST, **settings)
    seen = {one.origin + path: list(found) for one in servers.values() for path, found in one.seen.items()}
    return Crawl(run=run, seen=seen, kept=kept_in(path for path in run.warcs if path not in before))


def test_there_are_many_of_them() -> None:
    assert len(EVERY) > 60
    assert len({case.name for case in EVERY}) == len(EVERY)


def test_the_crawl_goes_on_to_its_end(crawled: Crawled) -> None:
    for one in (crawled.first, crawled.second):
        assert one.run.exit_code == 0, one.run
        assert "Traceback" not in one.run.stderr, one.run.stderr
    channels = crawled.second.run.channels()
    told = {case.name: channels[crawled.url(case)]["outcome"] for case in EVERY}
    assert told == {case.name: case.outcome for case in EVERY}
    assert all(row["outcome"] for row in channels.values())


def test_everything_that_servers_saw_is_kept_and_nothing_else(crawled: Crawled) -> None:
    for one in (crawled.first, crawled.second):
        kept = {url: [exchange.request for exchange in found] for url, found in one.kept.items()}
        # What answers nothing to anybody is told apart below.
        kept = {url: found for url, found in kept.items() if MUTE not in url}
        assert kept == {url: [exchange.request for exchange in found] for url, found in one.seen.items()}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_what_was_sent_is_what_is_kept(crawled: Crawled, case: Case) -> None:
    for path in case.script:
        url = crawled.url(case, path)
        for one, seen in zip(crawled.first.kept[url], crawled.first.seen[url], strict=True):
            assert one.request == seen.request
            if seen.answered:
                assert_same(case, one, case.kept.get(path, seen.answered))
            else:
                assert one.response is None
                assert one.told("response") == ["none"]


def assert_same(case: Case, one: Kept, kept: bytes) -> None:
    assert one.response is not None
    if case.at_least is None:
        assert one.response == kept
    else:  # not waited for to its end
        assert len(one.response) >= case.at_least
        assert kept.startswith(one.response)
    assert one.header("WARC-Type") == ["response"]
    assert one.header("WARC-Truncated") == ([case.truncated] if case.truncated else [])
    assert one.decoded("interimResponseBase64") == case.interim


@pytest.mark.parametrize("case", CHUNKED_CASES, ids=lambda case: case.name)
def test_where_the_wire_is_asked_for_even_chunks_are_kept(crawled: Crawled, case: Case) -> None:
    url = crawled.url(case)
    (one,), (seen,) = crawled.second.kept[url], crawled.second.seen[url]
    assert one.response is not None
    assert b"chunked" in one.response
    if case.at_least is None:
        assert one.response == seen.answered
    else:
        assert len(one.response) > 2 * MOST
        assert seen.answered.startswith(one.response)


def test_a_request_that_was_silently_sent_again_is_kept_twice(crawled: Crawled) -> None:
    (case,) = [case for case in LEGAL if case.name == "stale"]
    seen, kept = crawled.first.seen[crawled.url(case)], crawled.first.kept[crawled.url(case)]
    assert len({one.connection for one in seen}) == 2
    assert [one.answered != b"" for one in seen] == [False, True]
    # The one without an answer says so, and the answer is with the other.
    assert [one.response is not None for one in kept] == [False, True]
    assert [one.told("response") for one in kept] == [["none"], []]
    assert kept[0].request == kept[1].request


def test_the_second_answers_are_what_they_are(crawled: Crawled) -> None:
    not_modified, same, busy = (
        (crawled.first.kept[crawled.url(case)], crawled.second.kept[crawled.url(case)]) for case in TWICE
    )
    answers = [case.script[case.path] for case in TWICE]
    for (first,), _ in (not_modified, same, busy):
        assert first.header("WARC-Type") == ["response"]
    assert [first.response for (first,), _ in (not_modified, same, busy)] == [one[0].sent for one in answers]

    (first,), (again,) = not_modified
    assert b'\r\nIf-None-Match: "1"\r\n' in again.request
    assert again.header("WARC-Type") == ["revisit"]
    assert again.response == b""
    assert again.decoded("notModifiedHeadBase64") == (answers[0][1].sent,)
    assert again.header("WARC-Refers-To") == first.header("WARC-Record-ID")
    assert again.header("WARC-Refers-To-Date") == first.header("WARC-Date")

    (first,), (again,) = same
    head, blank, _ = answers[1][1].sent.partition(b"\r\n\r\n")
    assert again.header("WARC-Type") == ["revisit"]
    assert again.response == head + blank
    assert again.header("WARC-Refers-To") == first.header("WARC-Record-ID")

    _, (again,) = busy
    assert again.header("WARC-Type") == ["response"]
    assert again.response == answers[2][1].sent


def test_it_is_told_what_everything_went_over(crawled: Crawled) -> None:
    for url, found in crawled.first.kept.items():
        host = url.split("/")[2].partition(":")[0]
        for one in found:
            assert all(0 <= int(told) < 60_000 for told in one.told("fetchTimeMs"))
            assert one.told("certificateProblem") == problems(crawled.scheme, host)
            if one.response is not None:
                assert one.header("WARC-IP-Address") == [host]
                assert_protocols(crawled.scheme, one)


def problems(scheme: str, host: str) -> list[str]:
    if scheme == "http":
        return []
    return ["self-signed"] if host == HOST.format(1) else [f"self-signed, not valid for {host}"]


def assert_protocols(scheme: str, one: Kept) -> None:
    assert one.response is not None
    version = one.response[:8].decode("latin-1").lower()
    is_known = version in {"http/1.0", "http/1.1"} or one.header("WARC-Type") == ["revisit"]
    http, secure = one.header("WARC-Protocol")[:is_known], one.header("WARC-Protocol")[is_known:]
    assert http in ([], ["http/1.0"], ["http/1.1"])
    assert len(http) == is_known
    assert secure == ([] if scheme == "http" else ["tls/1.3"])
    assert bool(one.header("WARC-Cipher-Suite")) is (scheme == "https")


def test_a_request_that_never_left_is_not_kept(crawled: Crawled) -> None:
    """Over TLS it waits for a handshake; without one there was no HTTP at all."""
    mute = [url for url in crawled.first.kept if MUTE in url]
    if crawled.scheme == "https":
        assert mute == []
    else:
        assert [url.rpartition("/")[2] for url in mute] == ["robots.txt"]
        assert [one.response for one in crawled.first.kept[mute[0]]] == [None]
    (row,) = [row for url, row in crawled.first.run.channels().items() if MUTE in url]
    assert row["outcome"] == "connection"


def test_files_and_folders_are_for_the_owner_and_the_group_alone(crawled: Crawled) -> None:
    folder = crawled.second.run.folder
    modes = {path: path.stat().st_mode & 0o777 for path in (folder, *folder.rglob("*"))}
    # The state store, the lock, WARC files with their manifest, indexes, reports.
    assert len(modes) > 10
    assert modes == {path: 0o750 if path.is_dir() else 0o640 for path in modes}


def test_other_tools_find_nothing_wrong(crawled: Crawled, monkeypatch: pytest.MonkeyPatch) -> None:
    # warcio cannot work with today's brotli: without it, it checks those bytes as they are.
    monkeypatch.delitem(BufferedReader.DECOMPRESSORS, "br")
    warcs = crawled.second.run.folder / "warc"
    check_files(warcs)
    assert agrees(warcs)
