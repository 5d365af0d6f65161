"""The wheel, installed into an empty environment by Python's own pip, crawls as a checkout does."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from typing import TYPE_CHECKING
from zipfile import ZipFile

import pytest

from tests.crawl.documents import publish, stories
from tests.crawl.running import IN_A_HURRY, ROOT, Archived, crawl, write_seeds
from tests.crawl.site import Site
from tests.web.browsing import Shown

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = [pytest.mark.zoo, pytest.mark.xdist_group("wheel")]

# Some 70 packages, by a pip that compiles them, on a machine that has much else to do.
SECONDS = 1200


def without_checkout() -> dict[str, str]:
    """The environment of somebody who has no checkout: nothing of ours is on its path."""
    return {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("SCRAPY_", "PYTHON", "VIRTUAL"))
    }


def run(*words: str | Path, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        words,
        cwd=folder,
        env=without_checkout(),
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    build = ("-m", "pip", "wheel", "-qq", "--no-deps", "--no-build-isolation", "-w", str(folder), str(ROOT))
    done = run(sys.executable, *build, folder=folder)
    assert done.returncode == 0, done.stderr
    (path,) = folder.glob("archiver-*.whl")
    return path


def test_the_wheel_says_that_it_has_types(wheel: Path) -> None:
    assert "archiver/py.typed" in ZipFile(wheel).namelist()


def test_the_wheel_has_what_pages_are_made_of(wheel: Path) -> None:
    folder = ROOT / "archiver" / "web"
    parts = [path for path in folder.rglob("*") if path.suffix in {".html", ".css", ".js", ".svg"}]
    assert len(parts) > 10
    assert {str(path.relative_to(ROOT)) for path in parts} <= set(ZipFile(wheel).namelist())


@pytest.fixture(scope="module")
def environment(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with the wheel and what pip thinks that it needs."""
    folder = tmp_path_factory.mktemp("environment")
    done = run(sys.executable, "-m", "venv", folder, folder=folder)
    assert done.returncode == 0, done.stderr
    done = run(folder / "bin" / "pip", "install", "-qq", "--no-compile", wheel, folder=folder)
    assert done.returncode == 0, done.stderr
    return folder


def test_the_wheel_has_one_package_and_names_its_program_and_what_it_needs(wheel: Path) -> None:
    with ZipFile(wheel) as packed:
        (about,) = {name.partition("/")[0] for name in packed.namelist()} - {"archiver"}
        needs = packed.read(f"{about}/METADATA").decode()
        programs = packed.read(f"{about}/entry_points.txt").decode()
    assert about.endswith(".dist-info")
    # What trafilatura needs and an old pip does not find out by itself.
    assert re.search(r"^Requires-Dist: lxml[_-]html[_-]clean\b", needs, re.MULTILINE)
    assert "\narchiver = archiver.command_line.program:main\n" in programs


@pytest.fixture
def site() -> Iterator[Site]:
    with Site() as site:
        yield site


def crawl_installed(environment: Path, archive: Path, seeds: Path) -> subprocess.CompletedProcess[str]:
    """`archiver crawl FILE`, in an empty folder."""
    folder = archive.parent / "empty"
    folder.mkdir()
    values = {"ARCHIVE_DIR": archive, **IN_A_HURRY}
    settings = [word for name, value in values.items() for word in ("-s", f"{name}={value}")]
    program = environment / "bin" / "archiver"
    if program.exists():
        return run(program, "crawl", str(seeds), *settings, folder=folder)
    (folder / "scrapy.cfg").write_text("[settings]\ndefault = archiver.profiles.default\n")
    words = ("crawl", "feeds", "-a", f"seeds={seeds}", *settings)
    return run(environment / "bin" / "scrapy", *words, folder=folder)


def contents(archived: Archived) -> tuple[list[str | None], list[tuple[str, str, str]]]:
    """What was captured and what was made of it, without times, record ids and names of files."""
    urls = sorted(record.url or "" for record in archived.records if record.type == "response")
    return urls, sorted((one["url"], one["title"], one["text"]) for one in archived.objects)


def test_the_wheel_crawls_from_an_empty_folder_as_a_checkout_does(
    environment: Path, tmp_path: Path, site: Site
) -> None:
    feed = publish(site, stories(6))
    archive = tmp_path / "archive"
    done = crawl_installed(environment, archive, write_seeds(archive, [feed]))
    assert (done.returncode, "Traceback" in done.stderr) == (0, False), done.stdout + done.stderr
    installed = Archived(archive)
    assert set(installed.outcomes().values()) == {"stored"}
    assert len(installed.objects) == 6
    assert installed.report["errors"] == []
    here = crawl(tmp_path / "here", [feed])
    assert contents(installed) == contents(here)


def test_the_wheel_shows_an_archive_from_an_empty_folder(
    environment: Path, tmp_path: Path, site: Site
) -> None:
    archive, empty = tmp_path / "archive", tmp_path / "empty"
    assert crawl(archive, [publish(site, stories(3))]).exit_code == 0
    empty.mkdir()
    words = [environment / "bin" / "archiver", "browse", "--no-open", "--port", "0"]
    process = subprocess.Popen(
        [*words, "-s", f"ARCHIVE_DIR={archive}"],
        cwd=empty,
        env=without_checkout(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    with process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            assert "http://" in line, process.communicate()
            shown = Shown(next(word for word in line.split() if word.startswith("http://")))
            paths = ("/", "/channels/1", "/articles", "/static/style.css", "/static/theme.js")
            assert {path: shown.get(path).status for path in paths} == dict.fromkeys(paths, 200)
            assert "<h1>Overview</h1>" in shown.get("/").text
        finally:
            process.send_signal(signal.SIGINT)
            _, errors = process.communicate(timeout=60)
    assert (process.returncode, errors, list(empty.iterdir())) == (0, "", [])


def test_the_wheel_brings_what_is_ours_and_nothing_else(environment: Path, tmp_path: Path) -> None:
    (packages,) = (environment / "lib").glob("python*/site-packages")
    assert (packages / "archiver").is_dir()
    for name in ("settings", "sample", "seeds", "tests", "bench", "docs"):
        assert not (packages / name).exists()
    code = "import archiver, archiver.running.workers.child, lxml_html_clean; print(archiver.__file__)"
    done = run(environment / "bin" / "python", "-c", code, folder=tmp_path)
    assert (done.stdout.strip(), done.stderr) == (str(packages / "archiver" / "__init__.py"), "")


def test_every_dependency_is_there_in_a_version_that_fits(environment: Path, tmp_path: Path) -> None:
    done = run(environment / "bin" / "pip", "check", "--disable-pip-version-check", folder=tmp_path)
    assert (done.returncode, done.stdout) == (0, "No broken requirements found.\n")
