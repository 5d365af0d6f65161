"""The container image: its steps in a clean system, the compose file, and the unit for several workers."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.crawl.documents import publish, stories
from tests.crawl.site import Site

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
# Where packages are, if not where debootstrap looks by itself.
MIRROR = [mirror] if (mirror := os.environ.get("DEBIAN_MIRROR")) else []
IN_CI = bool(os.environ.get("CI"))
CLEAN = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LANG": "C.UTF-8"}
SECONDS = 900  # a Debian is downloaded


def run(*command: str | Path) -> str:
    done = subprocess.run(
        list(map(str, command)), capture_output=True, text=True, timeout=SECONDS, check=False
    )
    assert done.returncode == 0, (command, done.stdout[-2000:], done.stderr[-2000:])
    return done.stdout


def in_root(root: Path, *command: str, user: str = "0:0", **environment: str) -> str:
    words = [f"{name}={value}" for name, value in (CLEAN | environment).items()]
    return run("chroot", f"--userspec={user}", root, "env", "-i", *words, *command)


@pytest.fixture
def root(tmp_path: Path) -> Iterator[Path]:
    """A Debian with nothing but what is essential."""
    clean_system(tmp_path / "root")
    yield tmp_path / "root"
    shutil.rmtree(tmp_path / "root")  # half a gigabyte


def clean_system(root: Path) -> None:
    """Made once, and kept for the next time."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "archiver-tests"
    packed = cache / "bookworm-minbase.tar"
    root.mkdir()
    if packed.exists():
        run("tar", "-xf", packed, "-C", root)
        return
    run("debootstrap", "--variant=minbase", "bookworm", root, *MIRROR)
    cache.mkdir(parents=True, exist_ok=True)
    half = packed.with_suffix(f".{os.getpid()}")
    run("tar", "-cf", half, "-C", root, ".")
    half.rename(packed)


def instructions() -> Iterator[tuple[str, str]]:
    """The instructions of the Containerfile."""
    text = (DEPLOY / "Containerfile").read_text().replace("\\\n", " ")
    for line in text.splitlines():
        if line.strip() and not line.startswith("#"):
            name, _, rest = line.partition(" ")
            yield name, rest


def build(root: Path, wheels: str) -> None:
    """Run the instructions; both stages in one root, so that nothing is copied from the first."""
    for name, rest in instructions():
        words = shlex.split(rest)
        if name == "COPY" and not words[0].startswith("--from="):
            *sources, target = words
            for source in sources:
                to = root / target.lstrip("/")
                to = to / source if target.endswith("/") else to
                to.parent.mkdir(parents=True, exist_ok=True)
                copy = shutil.copytree if (ROOT / source).is_dir() else shutil.copy
                copy(ROOT / source, to)
        elif name == "RUN":
            in_root(root, "sh", "-c", rest, PIP_NO_INDEX="1", PIP_FIND_LINKS=wheels)


@pytest.mark.zoo
@pytest.mark.xdist_group("container")
@pytest.mark.skipif(
    not IN_CI and (os.geteuid() != 0 or shutil.which("debootstrap") is None),
    reason="a clean system needs root and debootstrap: apt-get install debootstrap",
)
def test_the_steps_of_the_image_run_in_a_clean_system(root: Path) -> None:
    shutil.copy("/etc/resolv.conf", root / "etc")
    lock = ROOT / "requirements-container.lock"
    words = ["-q", "--disable-pip-version-check", "--no-deps", "--require-hashes", "-r", lock]
    run(sys.executable, "-m", "pip", "download", *words, "-d", root / "wheels")
    build(root, "/wheels")
    archiver = "/opt/archiver/bin/archiver"
    in_root(root, archiver, "--help", user="10001:10001")
    with Site() as site:
        settings = {"ARCHIVE_DIR": "/archive", "ALLOW_PRIVATE_ADDRESSES": "1", "CONTACT": "a@b.example"}
        given = {f"ARCHIVER_{name}": value for name, value in settings.items()}
        in_root(root, archiver, "crawl", publish(site, stories(2)), user="10001:10001", **given)
    (objects,) = (root / "archive" / "objects").glob("articles-*.jsonl")
    assert len(objects.read_text().splitlines()) == 2
    assert objects.stat().st_uid == 10001
    # Both databases and both storages can be used.
    in_root(root, "/opt/archiver/bin/python", "-c", "import psycopg, s3fs, prometheus_client")
    size = sum(path.lstat().st_size for path in (root / "opt").rglob("*") if path.is_file())
    assert size < 450_000_000


def compose() -> list[str]:
    if shutil.which("docker-compose"):
        return ["docker-compose"]
    if IN_CI:
        pytest.fail("docker-compose is missing")
    pytest.skip("docker-compose is missing: apt-get install docker-compose")


def test_the_compose_file_is_valid() -> None:
    command = [*compose(), "-f", str(DEPLOY / "compose.yaml"), "config"]
    environment = {**os.environ, "CONTACT": "mailto:a@b.example"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    for name in ("database", "storage", "bucket", "worker"):
        assert f"  {name}:\n" in done.stdout
    # Without it nobody could reach the operator: it is asked for.
    environment.pop("CONTACT")
    refused = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert refused.returncode != 0
    assert "say how site owners reach you" in refused.stderr


def test_images_are_pinned() -> None:
    lines = [line.strip() for line in (DEPLOY / "compose.yaml").read_text().splitlines()]
    images = [line.partition("image: ")[2] for line in lines if line.startswith("image: ")]
    assert len(images) == 4
    assert all(image == "archiver" or (":" in image and not image.endswith(":latest")) for image in images)


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is missing")
def test_the_unit_for_several_workers_is_one_that_systemd_takes(tmp_path: Path) -> None:
    unit = (DEPLOY / "archiver@.service").read_text()
    program = tmp_path / "archiver"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    unit = unit.replace("/srv/archiver/.venv/bin/archiver", str(program)).replace(
        "User=archiver", "User=root"
    )
    (tmp_path / "archiver@1.service").write_text(unit)
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", str(tmp_path / "archiver@1.service")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert "archiver@1.service" not in done.stderr, done.stderr
    assert json.dumps(unit).count("%i") >= 4
