"""A copy of the project as a new user has it, in which the documents are followed."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from archiver.archive.writers import host_name
from sample.server import SampleWeb, SampleWebError

if TYPE_CHECKING:
    from collections.abc import Mapping

PROJECT = Path(__file__).resolve().parents[2]
# What is no part of the project, or large; .venv is linked.
_LEFT_OUT = shutil.ignore_patterns(".git", ".venv*", ".*_cache", ".hypothesis", "dist", "fuzz-findings")
_LEFT_OUT_ABOVE = {"archive", "archive-sample", "tests", "bench"}
_GIT = ("git", "-c", "user.name=Reader", "-c", "user.email=reader@example.org")
# Four digits, as the documents have: what is counted in bytes stays as it is shown.
_SHOWN_PORT = 8931
_PORTS = range(8932, 9999)
# The documents' examples of sites are on the Web. Here they are on loopback, with no other visitors.
_LOOPBACK = """
ALLOW_PRIVATE_ADDRESSES = True
DOWNLOAD_DELAY = 0
AUTOTHROTTLE_ENABLED = False
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkout:
    """The copy, and what stands in it for the names that documents show."""

    folder: Path
    stand_ins: Mapping[str, str]
    environment: Mapping[str, str]

    def as_run(self, text: str) -> str:
        """A command or a file of a document, for this copy."""
        for shown, real in self.stand_ins.items():
            text = text.replace(shown, real)
        return text

    def as_shown(self, text: str) -> str:
        """What was printed here, as a document shows it: paths begin at the project's folder."""
        text = text.replace(f"{self.folder}/", "").replace(self.environment["HOME"], "/home/you")
        text = text.replace(f"-{host_name()}.", "-host.")
        for shown, real in self.stand_ins.items():
            text = text.replace(real, shown)
        return text

    def changes(self) -> str:
        """What git takes for changed or new."""
        return _git(self.folder, "status", "--porcelain")


def make(folder: Path, web: SampleWeb) -> Checkout:
    """Copy the project, as one commit, with its environment set up."""
    checkout = folder / "archiver"
    shutil.copytree(PROJECT, checkout, ignore=_left_out)
    with (checkout / "archiver" / "profiles" / "default.py").open("a") as defaults:
        defaults.write(_LOOPBACK)
    _link_environment(checkout)
    _git(checkout, "init", "--quiet")
    (checkout / ".git" / "info" / "exclude").write_text("/.venv\n")
    _git(checkout, "add", "--all")
    _git(checkout, "commit", "--quiet", "--message", "The project")
    port = _free_port()
    return Checkout(
        folder=checkout,
        stand_ins={
            f":{_SHOWN_PORT}": f":{port}",
            "https://blog.archive.org/": f"{web.base('wordpress')}/",
            "https://www.w3.org/news/feed/": f"{web.base('blog')}/atom.xml",
            "/srv/archiver": str(checkout),
            "/srv/feeds": str(folder / "home" / "feeds"),
            "/backup": str(folder / "backup"),
        },
        environment=_environment(folder, checkout, port),
    )


def _left_out(folder: str, names: list[str]) -> set[str]:
    left_out = set(_LEFT_OUT(folder, names))
    return left_out | (_LEFT_OUT_ABOVE & set(names)) if Path(folder) == PROJECT else left_out


def _link_environment(checkout: Path) -> None:
    """Have make find everything set up: it must not install this copy into the environment of the tests."""
    (checkout / ".venv").symlink_to(sys.prefix)
    for name in ("pyproject.toml", *(path.name for path in checkout.glob("requirements*"))):
        os.utime(checkout / name, (0, 0))
    planned = subprocess.run(
        ["make", "--dry-run", "crawl"],
        cwd=checkout,
        check=True,
        capture_output=True,
        text=True,
        env={name: value for name, value in os.environ.items() if not name.startswith("MAKE")},
    ).stdout
    if "pip" in planned:
        raise RuntimeError(f"The environment is not set up by make: run `make crawl` first.\n{planned}")


def _environment(folder: Path, checkout: Path, port: int) -> dict[str, str]:
    """What a new user's shell has. The tests themselves are run by make, in an active environment."""
    home = folder / "home"
    home.mkdir()
    bin_folder = str(Path(sys.prefix) / "bin")
    path = [part for part in os.environ["PATH"].split(os.pathsep) if part != bin_folder]
    return {
        "PATH": os.pathsep.join(path),
        "HOME": str(home),
        "TERM": "xterm-256color",
        "LANG": "C.UTF-8",
        "SAMPLE_PORT": str(port),
        # The environment has the project installed from where the tests are.
        "PYTHONPATH": str(checkout),
    }


def _free_port() -> int:
    for port in random.sample(_PORTS, k=len(_PORTS)):
        try:
            with SampleWeb(port=port):
                return port
        except SampleWebError:
            continue
    raise RuntimeError(f"No port from {_PORTS.start} to {_PORTS.stop} is free on loopback")


def _git(folder: Path, *arguments: str) -> str:
    command = [*_GIT, *arguments]
    return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout
