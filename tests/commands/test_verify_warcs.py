"""`scrapy verify` on WARC files: whatever is done to a record is told with its place."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from archiver.archive.warc.writer import gzip_member
from tests.commands.damage import (
    MANIFEST,
    first,
    flip,
    header,
    last,
    members,
    problems,
    replace_member,
    rewrite,
    update_manifest,
    warcs,
)
from tests.crawl.running import Archived, scrapy

if TYPE_CHECKING:
    from pathlib import Path

    from tests.commands.conftest import Crawled

# One process crawls for all commands.
pytestmark = pytest.mark.xdist_group("commands")


# ── WARC files ───────────────────────────────────────────────────────────────────────────────────────────


def test_one_damaged_record_does_not_hide_the_others(archive: Path) -> None:
    path = warcs(archive)[0]
    damaged, other = first(path, "response"), last(path, "response")
    flip(path, damaged.offset + 30)
    flip(path, other.offset + 30)
    found = [text for text in problems(archive) if "compressed bytes" in text]
    assert [text.split(": ")[0] for text in found] == [f"{path}:{damaged.offset}", f"{path}:{other.offset}"]
    assert f"{damaged.length} bytes up to the next record at {damaged.offset + damaged.length}" in found[0]


def test_a_changed_body_does_not_have_its_digests(archive: Path) -> None:
    path = warcs(archive)[0]
    member = last(path, "response", b"</html>")
    rewrite(path, member, b"</html>", b"</htmL>")
    place = f"{path}:{member.offset}: "
    assert any(
        text.startswith(f"{place}its block does not have the digest sha1:") for text in problems(archive)
    )
    assert any(text.startswith(f"{place}its payload does not have the") for text in problems(archive))


def test_quick_leaves_out_payload_digests_only(archive: Path) -> None:
    path = warcs(archive)[1]
    member = first(path, "response")
    rewrite(path, member, b"WARC-Payload-Digest: sha1:", b"WARC-Payload-Digest: sha1:A")
    told = f"{path}:{member.offset}: its payload"
    assert [text.startswith(told) for text in problems(archive)].count(True) == 1
    assert not [text for text in problems(archive, payloads=False) if text.startswith(told)]


@pytest.mark.parametrize("missing", [1, 5, 60])
def test_a_cut_tail_is_found_wherever_it_is_cut(archive: Path, missing: int) -> None:
    path = warcs(archive)[1]
    offset = last(path, "metadata").offset
    path.write_bytes(path.read_bytes()[:-missing])
    assert any(
        text.startswith(f"{path}:{offset}: the file ends within this record") for text in problems(archive)
    )


def test_a_tail_cut_between_two_records_is_found_by_manifest_and_index(archive: Path) -> None:
    path = warcs(archive)[1]
    pointers = [one["warc"] for one in Archived(archive).objects]
    offset = max(pointer["offset"] for pointer in pointers if pointer["file"] == path.name)
    path.write_bytes(path.read_bytes()[:offset])
    found = problems(archive)
    assert any(text.startswith(f"{path}:0: its SHA-256 is ") for text in found)
    assert any("this line is not what" in text and ".cdxj:" in text for text in found)
    assert any(f"points to {path.name}:{offset}, where no whole record is" in text for text in found)


def test_bytes_after_the_last_record_are_found(archive: Path) -> None:
    path = warcs(archive)[0]
    size = path.stat().st_size
    with path.open("ab") as file:
        file.write(bytes(100))
    assert any(text.startswith(f"{path}:{size}: ") and "100 bytes" in text for text in problems(archive))


def test_two_records_in_one_member_are_found(archive: Path) -> None:
    path = warcs(archive)[1]
    one, two = members(path)[-2:]
    replace_member(
        path, one._replace(length=one.length + two.length), gzip_member(one.record + two.record, 5)
    )
    told = f"{path}:{one.offset}: more than one record is in this gzip member"
    assert any(text.startswith(told) for text in problems(archive))


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        (b"\r\nContent-Length: ", b"\r\nContent-Length: 9", "its block ends "),
        (b"\r\nContent-Length: ", b"\r\nContent-Length: 0", None),
        (b"WARC-Type: metadata", b"WARC-Tipe: metadata", "it has no WARC-Type"),
        (b"WARC/1.1", b"WARC/3.1", "its first line is not that of WARC"),
        (b"WARC-Date: 2", b"WARC-Date: on 2", "its WARC-Date is "),
        (b"\r\n\r\n", b"\n", "this is not a WARC record"),
        (b"articleDigest", b"ArticleDigest", "its block does not have the digest sha1:"),
        (b"articleDigest", b"articleDigests", "its block is longer than its Content-Length says"),
    ],
)
def test_what_is_no_record_is_told(archive: Path, old: bytes, new: bytes, told: str | None) -> None:
    path = warcs(archive)[1]
    member = last(path, "metadata", b"articleDigest")
    rewrite(path, member, old, new)
    found = problems(archive)
    # What comes after it has moved.
    here = [text for text in found if text.startswith(f"{path}:{member.offset}: ")]
    assert any(f": {told}" in text for text in here) if told else not here


def test_a_file_must_begin_with_a_warcinfo(archive: Path) -> None:
    path = warcs(archive)[1]
    replace_member(path, first(path, "warcinfo"), b"")
    found = problems(archive)
    assert f"{path}:0: the first record is a response, not a warcinfo" in found[0]
    assert any("its warc-warcinfo-id is " in text for text in found)


def test_an_empty_file_is_no_archive(archive: Path) -> None:
    path = warcs(archive)[1]
    path.write_bytes(b"")
    assert f"{path}:0: the file is empty: bring the file back from a backup" in problems(archive)


def test_a_reference_to_nothing_is_told(archive: Path) -> None:
    path = warcs(archive)[1]
    member = last(path, "metadata")
    rewrite(path, member, b"WARC-Concurrent-To: <urn:uuid:", b"WARC-Concurrent-To: <urn:uuid:x")
    (text,) = problems(archive)
    assert text.startswith(f"{path}:{member.offset}: its warc-concurrent-to is <urn:uuid:x")
    assert "not in the archive" in text


def test_what_a_lost_file_takes_with_it_is_told(archive: Path) -> None:
    lost, other = warcs(archive)
    lost.unlink()
    found = problems(archive)
    manifest = archive / "warc" / MANIFEST
    assert f"{manifest}:0: {lost.name} is in the manifest, but not in" in "\n".join(found)
    assert any(f"it covers {lost.name}, which is not in" in text for text in found)
    revisit = first(other, "revisit")
    assert any(text.startswith(f"{other}:{revisit.offset}: its warc-refers-to is") for text in found)
    assert any(f", but {lost.name} is not in {archive / 'warc'}" in text for text in found)


# ── Other people's files ─────────────────────────────────────────────────────────────────────────────────


def test_a_digest_of_what_the_chunks_contain_is_right_as_well(archive: Path) -> None:
    """As the standard has it; our own writer digests what it stores."""
    path = warcs(archive)[1]
    member = last(path, "metadata")
    head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    block = head + b"5\r\nhello\r\n0\r\n\r\n"
    record = (
        b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:1>\r\nWARC-Date: 2026-03-02T00:00:00Z"
        b"\r\n"
        b"WARC-Payload-Digest: sha1:VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2N\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n"
    )
    replace_member(path, member, gzip_member(record % (len(block), block), 5))
    update_manifest(path)
    assert not [text for text in problems(archive) if "payload" in text]
    replace_member(path, member, gzip_member(record % (len(block), block.replace(b"hello", b"hallo")), 5))
    assert [text for text in problems(archive) if "payload" in text]


OTHER_WRITER = """
import sys
from io import BytesIO
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter
with open(sys.argv[1], "wb") as file:
    writer = WARCWriter(file, gzip=True)
    writer.write_record(writer.create_warcinfo_record("other.warc.gz", {"software": "warcio"}))
    http = StatusAndHeaders("200 OK", [("Content-Type", "text/plain")], protocol="HTTP/1.0")
    body = BytesIO(b"text" * 100_000)
    writer.write_record(writer.create_warc_record("http://a.example/", "response", body, http_headers=http))
"""


def test_warcs_of_other_writers_pass(crawled: Crawled, tmp_path: Path) -> None:
    path = tmp_path / "other.warc.gz"
    subprocess.run([sys.executable, "-c", OTHER_WRITER, path], check=True)
    run = scrapy(crawled.archived.folder, "verify", str(path))
    assert run.exit_code == 0, run


# ── Payloads ─────────────────────────────────────────────────────────────────────────────────────────────


def test_a_revisit_of_another_payload_is_told(archive: Path) -> None:
    path = warcs(archive)[1]
    member = first(path, "revisit")
    rewrite(path, member, b"Archiver-Payload-Digest: sha256:", b"Archiver-Payload-Digest: sha256:A")
    told = f"{path}:{member.offset}: it says that {header(member.record, 'WARC-Refers-To')} holds the payload"
    assert [text.startswith(told) for text in problems(archive)].count(True) == 1
    assert not [text for text in problems(archive, payloads=False) if text.startswith(told)]


def test_a_response_that_states_another_sha256_is_told(archive: Path) -> None:
    path = warcs(archive)[1]
    member = first(path, "response")
    rewrite(path, member, b"Archiver-Payload-Digest: sha256:", b"Archiver-Payload-Digest: sha256:A")
    assert any(
        text.startswith(f"{path}:{member.offset}: its payload does not have the digest sha256:A")
        for text in problems(archive)
    )
