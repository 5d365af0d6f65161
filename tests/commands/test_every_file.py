"""Every kind of file that an archive has, deleted, cut, garbled or emptied: what is lost is named.

`verify` says so, `recover` rebuilds what objects lost and touches nothing else, and the next crawl keeps all
that is there and all that is new.
"""

from __future__ import annotations

import re
import shutil
from typing import TYPE_CHECKING, NamedTuple

import pytest

from archiver.archive.cdxj.files import index_files
from archiver.archive.cdxj.tiers import merge
from tests.commands.damage import MANIFEST, objects_without_record, warcs
from tests.crawl.documents import publish, stories
from tests.crawl.running import DAY, Archived, crawl, start_crawl
from tests.crawl.site import Site
from tests.waiting import wait_until
from tests.zoo.damage import CutByOneByte, CutInHalf, Deleted, Emptied, Garbled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.commands.here import Outcome, RunHere

    Damage = Deleted | CutInHalf | CutByOneByte | Garbled | Emptied

# One process crawls for all of them.
pytestmark = pytest.mark.xdist_group("every-file")

DAMAGES = (Deleted(), CutInHalf(), CutByOneByte(), Garbled(), Emptied())


class Archives(NamedTuple):
    """Two runs that ended well; these with a merged index; and what a power cut in a third one leaves."""

    site: Site
    sound: Path
    merged: Path
    killed: Path

    @property
    def feed(self) -> str:
        return self.site.url("/feed.xml")


@pytest.fixture(scope="module")
def archives(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Archives]:
    folder = tmp_path_factory.mktemp("every-file")
    with Site("127.0.0.61") as site:
        made = Archives(site, *(folder / name / "archive" for name in ("sound", "merged", "killed")))
        for day, count in enumerate((6, 9)):
            made.sound.parent.mkdir(exist_ok=True)
            run = crawl(made.sound, [publish(site, stories(count))], clock_offset=day * DAY)
            assert (run.exit_code, len(run.objects)) == (0, count), run
        shutil.copytree(made.sound, made.merged)
        merge(made.merged / "index", index_files(made.merged / "index"))
        made.killed.parent.mkdir()
        publish(site, stories(12))
        _leave_as_a_power_cut_would(made.sound, made.killed, made.feed)
        # What no archive has seen yet.
        publish(site, stories(13))
        yield made


def _leave_as_a_power_cut_would(sound: Path, left: Path, feed: str) -> None:
    """Copy an archive while a run has it open, with everything that the run has done."""
    working = left.with_name("working")
    shutil.copytree(sound, working)
    run = start_crawl(working, [feed], clock_offset=2 * DAY, arguments={"watch": "1"})
    try:
        wait_until(lambda: len(Archived(working).objects) == 12)
        # What is settled is committed a moment after it is written.
        wait_until(lambda: not Archived(working).pending())
        shutil.copytree(working, left)
    finally:
        run.kill()
        run.communicate()


class Kind(NamedTuple):
    """A kind of file: in which archive, and where in it."""

    archive: str
    find: Callable[[Path], Path]

    def copy(self, archives: Archives, folder: Path) -> Path:
        return shutil.copytree(getattr(archives, self.archive), folder / "archive")


def _one(folder: str, pattern: str) -> Callable[[Path], Path]:
    return lambda archive: min((archive / folder).glob(pattern))


KINDS = {
    "first warc": Kind("sound", lambda archive: warcs(archive)[0]),
    "last warc": Kind("sound", lambda archive: warcs(archive)[-1]),
    "index": Kind("sound", _one("index", "*.cdxj")),
    "merged index": Kind("merged", _one("index", "merged-*.cdxj")),
    "list of a merged index": Kind("merged", _one("index", "merged-*.json")),
    "manifest": Kind("sound", _one("warc", MANIFEST)),
    "objects": Kind("sound", _one("objects", "*.jsonl")),
    "report": Kind("sound", _one("runs", "*.json")),
    "manifest of reports": Kind("sound", _one("runs", MANIFEST)),
    "state": Kind("sound", _one(".", "state.sqlite")),
    "writer": Kind("sound", _one(".", "writer")),
    "open warc": Kind("killed", _one("warc", "*.open")),
    "log of the state": Kind("killed", _one(".", "state.sqlite-wal")),
    "memory of the log": Kind("killed", _one(".", "state.sqlite-shm")),
}
# Only for as long as a run lasts, by its process; SQLite makes its own anew.
OF_NO_USE = {"lock", "state.sqlite-shm", "state.sqlite-wal"}
# Made from objects, again where it is damaged; tests/search has its faults.
DERIVED = {"search.sqlite"}
CASES = [
    pytest.param(kind, damage, id=f"{kind}-{type(damage).__name__}") for kind in KINDS for damage in DAMAGES
]
QUICK = [
    pytest.param(kind, damage, id=f"{kind}-{type(damage).__name__}")
    for kind, damage in (
        ("index", CutByOneByte()),
        ("list of a merged index", Deleted()),
        ("manifest", Garbled()),
        ("state", Deleted()),
        ("state", CutByOneByte()),
        ("state", Garbled()),
        ("state", Emptied()),
        ("writer", CutByOneByte()),
    )
]


def test_every_kind_of_file_is_tried(archives: Archives) -> None:
    for name in ("sound", "merged", "killed"):
        archive = getattr(archives, name)
        # Those of an archive without faults are in all of them.
        tried = {
            alike(kind.find(archive), archive)
            for kind in KINDS.values()
            if kind.archive in {name, "sound"}
            if name != "merged" or kind is not KINDS["index"]
        }
        files = {alike(path, archive) for path in archive.rglob("*") if path.is_file()}
        assert files - DERIVED == {*tried, "lock"}


def alike(path: Path, archive: Path) -> str:
    """What files of one kind have in common in their names."""
    return re.sub(r"\d[\dT-]{7,}[^.]*", "*", str(path.relative_to(archive)))


@pytest.mark.parametrize(("name", "damage"), QUICK)
def test_what_was_not_told_is_told(
    archives: Archives, tmp_path: Path, run_here: RunHere, name: str, damage: Damage
) -> None:
    check(archives, tmp_path, run_here, name, damage)


@pytest.mark.zoo
@pytest.mark.parametrize(("name", "damage"), CASES)
def test_what_is_lost_is_named_and_objects_are_rebuilt(
    archives: Archives, tmp_path: Path, run_here: RunHere, name: str, damage: Damage
) -> None:
    check(archives, tmp_path, run_here, name, damage)


def check(archives: Archives, folder: Path, run_here: RunHere, name: str, damage: Damage) -> None:
    kind = KINDS[name]
    archive = kind.copy(archives, folder)
    path, whole = kind.find(archive), Archived(archive).objects
    damage.strike(path)
    lost = contents(archive)
    found = run_here("verify", archive)
    assert found.exit_code == 1, found
    assert is_named(found, path), found
    for place in objects_without_record(archive) if name.endswith(" warc") else ():
        assert f"{place}: " in found.text
    rebuilt = run_here("recover", archive)
    assert "Traceback" not in rebuilt.told
    again = run_here("verify", archive)
    if name == "objects":
        assert rebuilt.exit_code == 0, rebuilt
        assert in_order(Archived(archive).objects) == in_order(whole)
        assert (again.exit_code, again.text.count("\n")) == (0, 1), again
        changed = {"objects", "state.sqlite"}
    elif name == "state" and isinstance(damage, Deleted | Emptied):
        assert (rebuilt.exit_code, again.exit_code) == (0, 0), again
        changed = {"state.sqlite"}
    elif name == "writer":
        # Made anew, from the names of files.
        assert (rebuilt.exit_code, again.exit_code) == (0, 0), again
        changed = {"writer"}
    else:
        # A killed run's leftovers are put in order as by the next crawl; else nothing is touched.
        changed = {"objects", "state.sqlite"} if kind.archive == "killed" else set()
        assert again.exit_code == 1
        if kind.archive != "killed":
            assert again.text == found.text
        if rebuilt.exit_code:
            assert path.name == "state.sqlite"
            assert "from a backup" in rebuilt.told
    after = contents(archive)
    touched = {one for one in lost.keys() | after.keys() if lost.get(one) != after.get(one)}
    assert {one.split("/")[0] for one in touched} - DERIVED <= changed


# What the next crawl does: exit 1 and say so, put it in order, or leave it to `verify` to tell.
TOLD, MENDED, LEFT = "told", "mended", "left"
CRAWLS = [
    pytest.param(kind, damage, then, id=f"{kind}-{type(damage).__name__}")
    for kind, damage, then in (
        ("first warc", Deleted(), TOLD),
        ("first warc", CutInHalf(), LEFT),
        ("last warc", Emptied(), TOLD),
        ("last warc", Garbled(), LEFT),
        ("index", Deleted(), MENDED),
        ("index", Garbled(), LEFT),
        ("merged index", Deleted(), MENDED),
        ("merged index", CutByOneByte(), LEFT),
        ("list of a merged index", Deleted(), MENDED),
        ("list of a merged index", Garbled(), MENDED),
        ("list of a merged index", Emptied(), MENDED),
        ("manifest", Deleted(), MENDED),
        ("manifest", Garbled(), MENDED),
        ("objects", Deleted(), TOLD),
        ("objects", CutByOneByte(), TOLD),
        ("objects", Garbled(), LEFT),
        ("report", Deleted(), LEFT),
        ("report", Garbled(), LEFT),
        ("manifest of reports", Deleted(), MENDED),
        ("manifest of reports", CutInHalf(), MENDED),
        ("open warc", CutInHalf(), LEFT),
        ("open warc", Garbled(), LEFT),
        ("open warc", Deleted(), LEFT),
        ("writer", Deleted(), MENDED),
        ("writer", Garbled(), MENDED),
        ("log of the state", Deleted(), MENDED),
        ("log of the state", CutInHalf(), MENDED),
        ("log of the state", Garbled(), MENDED),
        ("memory of the log", Garbled(), MENDED),
    )
]


@pytest.mark.zoo
@pytest.mark.parametrize(("name", "damage", "then"), CRAWLS)
def test_the_next_crawl_loses_nothing_and_says_what_is_lost(
    archives: Archives, tmp_path: Path, run_here: RunHere, name: str, damage: Damage, then: str
) -> None:
    archive = KINDS[name].copy(archives, tmp_path)
    path = KINDS[name].find(archive)
    damage.strike(path)
    kept = lines_of(archive)
    run = crawl(archive, [archives.feed], clock_offset=3 * DAY)
    assert "Traceback" not in run.stdout + run.stderr
    if then is TOLD:
        assert (run.exit_code, path.name in run.stdout) == (1, True), run
    # Of a killed run, what was captured and not read may have to be fetched again: that is told.
    elif not name.startswith("open"):
        assert run.exit_code == 0, run
    # Nothing that was there is gone; all that was new then and since is there.
    assert kept <= lines_of(archive)
    if name != "objects":
        assert {one["title"] for one in run.objects} == {one.title for one in stories(13)}
    assert not run.pending()
    found = run_here("verify", archive)
    assert found.exit_code == (0 if then is MENDED else 1), found
    assert then is MENDED or is_named(found, path), found
    # Twice nothing: what is rebuilt does not stand beside what was written since.
    recovered = run_here("recover", archive)
    assert recovered.exit_code == 0, recovered
    objects = Archived(archive).objects
    assert len({(one["id"], one["version"]) for one in objects}) == len(objects) == 13


@pytest.mark.parametrize(
    "damage",
    [
        Deleted(),
        *(pytest.param(one, marks=pytest.mark.zoo) for one in (CutInHalf(), CutByOneByte(), Emptied())),
    ],
    ids=lambda damage: type(damage).__name__,
)
def test_no_crawl_begins_with_a_lost_state_store(archives: Archives, tmp_path: Path, damage: Damage) -> None:
    archive = KINDS["state"].copy(archives, tmp_path)
    damage.strike(archive / "state.sqlite")
    left = contents(archive)
    run = crawl(archive, [archives.feed], clock_offset=3 * DAY)
    assert run.exit_code == 1
    assert "state.sqlite" in run.stdout + run.stderr
    assert "from a backup" in run.stdout + run.stderr
    assert "Traceback" not in run.stdout + run.stderr
    assert contents(archive) == left


def test_a_channel_is_not_added_to_a_new_store_in_the_place_of_a_lost_one(
    archives: Archives, tmp_path: Path, run_here: RunHere
) -> None:
    archive = KINDS["state"].copy(archives, tmp_path)
    (archive / "state.sqlite").unlink()
    run = run_here("channels", archive, "add", "http://127.0.0.1/feed.xml")
    assert run.exit_code == 1
    assert "from a backup" in run.told
    assert not (archive / "state.sqlite").exists()


def lines_of(archive: Path) -> set[bytes]:
    """All whole lines of objects, also those that were set aside."""
    files = (path for path in (archive / "objects").iterdir() if ".jsonl" in path.name)
    lines = (line for path in files for line in path.read_bytes().splitlines(keepends=True))
    return {line for line in lines if line.endswith(b"}\n")}


def contents(archive: Path) -> dict[str, bytes]:
    files = (path for path in archive.rglob("*") if path.is_file() and path.name not in OF_NO_USE)
    return {str(path.relative_to(archive)): path.read_bytes() for path in files}


def is_named(found: Outcome, path: Path) -> bool:
    """The file itself; or, where an index is lost, its WARC; or, with parts of SQLite's, the killed run."""
    if path.name.startswith("state.sqlite-"):
        return ".open:0: it was left open by a crash" in found.text
    lines = [line for line in found.text.splitlines() if path.name.removesuffix(".open") in line]
    if path.suffix == ".cdxj" and not path.exists():
        lines += [line for line in found.text.splitlines() if "it is in no index" in line]
    return any(re.search(r"backup|`scrapy (crawl feeds|recover)`", line) for line in lines)


def in_order(objects: list[dict[str, object]]) -> list[dict[str, object]]:
    return sorted(objects, key=lambda one: (str(one["id"]), str(one["version"])))
