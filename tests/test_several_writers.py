"""Archive folders that share a state store, each with a writer; and those from before writers had names."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from archiver.archive.writers import FILE, host_name
from archiver.errors import ArchiveError
from archiver.inspection.verification.archive import ArchiveVerification, Folders
from archiver.running.archive import Archive, ArchiveConfig
from archiver.store.object_files import save_object_length
from archiver.store.reading import reading
from archiver.store.stored_lines import StoredLines
from tests.commands.damage import InThisProcess
from tests.store.samples import RULES, add_channel, entry, poll
from tests.store.settling import finding, settle
from tests.warc.samples import exchange, writer

if TYPE_CHECKING:
    from pathlib import Path

DAY = "2026-03-02"
STAMP = "20260302070509123-00001"


def config(folder: Path, **other: object) -> ArchiveConfig:
    values = {
        "folder": folder,
        "warc_folder": folder / "warc",
        "index_folder": folder / "index",
        "state_url": f"sqlite:///{folder.parent / 'shared.sqlite'}",
        "polls": RULES,
    }
    return ArchiveConfig(**(values | other))  # type: ignore[arg-type] # given by name


def settle_one(archive: Archive, page: int) -> None:
    """Write the object of a page."""
    url = f"http://example.org/{page}"
    settle(archive.database, archive.objects, finding(archive.database, page, f"Words of {page}", url=url))


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def verified(folder: Path, store: str) -> tuple[list[str], list[str]]:
    """What verification finds, and the writers whose files are elsewhere."""
    folders = Folders(
        archive=folder, warc=folder / "warc", index=folder / "index", objects=folder / "objects"
    )
    with reading(store) as connection:
        verification = ArchiveVerification(folders, stored=StoredLines(connection))
        found = [str(problem) for problem in verification.problems(InThisProcess())]
    return found, verification.writers_elsewhere


@pytest.fixture
def two(tmp_path: Path) -> tuple[Path, Path]:
    """Two folders that took turns with one store; the first was killed in the midst of a line."""
    folders = tmp_path / "one", tmp_path / "two"
    for number, folder in enumerate(folders, 1):
        archive = Archive(config(folder, writer=folder.name))
        if number == 1:
            poll(archive.database, add_channel(archive.database), entry("1"), entry("2"))
        settle_one(archive, number)
        archive.close()
        assert archive.report.errors == []
        (folder / "warc").mkdir()
        (folder / "warc" / "manifest-sha256.txt").touch()  # nothing was fetched
        with (folder / "objects" / f"articles-{DAY}-{folder.name}.jsonl").open("ab") as file:
            file.write(b'{"half":')
    return folders


def test_the_second_writer_leaves_the_files_of_the_first_alone(two: tuple[Path, Path]) -> None:
    one, other = two
    left = contents(one)
    # Gathered: copies of the first's files, one of them while it was being written.
    for name in (
        f"warc/archiver-{STAMP}-one.warc.gz.open",
        "index/merged-01-00000001-one.cdxj.tmp",
        "warc/manifest-sha256-one.txt",
        f"objects/articles-{DAY}-one.jsonl",
    ):
        (other / name).parent.mkdir(exist_ok=True)
        (other / name).write_bytes(b"half a copy")
    copies = {path: data for path, data in contents(other).items() if "one" in path.rpartition("/")[2]}
    archive = Archive(config(other))
    archive.close()
    assert (archive.report.errors, archive.report.notes) == ([], [])
    assert contents(one) == left
    assert {path: data for path, data in contents(other).items() if path in copies} == copies
    assert (other / "objects" / f"articles-{DAY}-two.jsonl.cut").read_bytes() == b'{"half":'
    archive = Archive(config(one))
    archive.close()
    assert (one / "objects" / f"articles-{DAY}-one.jsonl.cut").read_bytes() == b'{"half":'


def test_verification_tells_of_the_files_of_its_folder(two: tuple[Path, Path]) -> None:
    one, other = two
    store = config(one).state_url
    found, elsewhere = verified(other, store)
    assert elsewhere == ["one"]
    assert not [told for told in found if "-one" in told]
    assert [told for told in found if "knows nothing of the last 8 bytes" in told]
    # What is its own is missed.
    (other / "objects" / f"articles-{DAY}-two.jsonl").unlink()
    found, _ = verified(other, store)
    assert f"{other / 'objects' / f'articles-{DAY}-two.jsonl'}:0: it has 0 bytes where" in " ".join(found)
    # Files gathered in a folder that no run has written to: other writers are not missed there.
    gathered = one.with_name("gathered")
    (gathered / "objects").mkdir(parents=True)
    for path in (one / "objects").iterdir():
        (gathered / "objects" / path.name).write_bytes(path.read_bytes())
    found, elsewhere = verified(gathered, store)
    assert elsewhere == ["two"]
    assert not [told for told in found if "-two" in told]


def test_a_name_that_another_folder_has_is_refused(two: tuple[Path, Path], tmp_path: Path) -> None:
    with pytest.raises(ArchiveError, match=r"knows objects of a writer one, .* set WRITER to another name"):
        Archive(config(tmp_path / "three", writer="one"))
    assert not (tmp_path / "three" / FILE).exists()
    # A folder that was renamed later has both names.
    archive = Archive(config(two[0], writer="renamed"))
    archive.close()
    assert archive.report.errors == []
    assert (two[0] / FILE).read_text().split("\n")[:2] == ["one", "renamed"]


def test_two_processes_under_one_name_do_not_settle_lines_of_each_other(tmp_path: Path) -> None:
    first = Archive(config(tmp_path / "one", writer="same"))
    second = Archive(config(tmp_path / "two", writer="same"))
    poll(first.database, add_channel(first.database), entry("1"), entry("2"))
    settle_one(first, 1)
    with pytest.raises(ArchiveError, match="set WRITER to another one for each"):
        settle_one(second, 2)
    first.close()
    second.close()


def test_an_archive_from_before_writers_had_names_is_repaired(tmp_path: Path) -> None:
    folder = tmp_path / "old"
    keeper = writer(folder / "warc", writer="gone.example.org")
    keeper.write([exchange()])
    name = keeper.files[0]
    with (folder / "warc" / f"{name}.open").open("ab") as file:
        file.write(b"\x1f\x8b\x08torn")
    (folder / "objects").mkdir()
    objects = folder / "objects" / f"articles-{DAY}.jsonl"
    objects.write_bytes(b"settled\nhalf")
    archive = Archive(config(tmp_path / "none"))
    archive.database.run(save_object_length, objects.name, 8)
    archive.close()
    archive = Archive(config(folder))
    archive.close()
    assert (folder / "warc" / name).exists()
    assert (folder / "warc" / f"{name}.torn").read_bytes() == b"\x1f\x8b\x08torn"
    assert name in (folder / "warc" / "manifest-sha256-gone.example.org.txt").read_text()
    assert (folder / "index" / name.replace(".warc.gz", ".cdxj")).exists()
    assert objects.read_bytes() == b"settled\n"
    assert (folder / FILE).read_text().split("\n")[:2] == ["gone.example.org", host_name()]
    # Its index is made anew when it is lost, by whichever name runs are made now.
    (folder / "index" / name.replace(".warc.gz", ".cdxj")).unlink()
    archive = Archive(config(folder))
    archive.close()
    assert (folder / "index" / name.replace(".warc.gz", ".cdxj")).exists()
    keeper._file.close()  # type: ignore[union-attr] # the run that was killed
