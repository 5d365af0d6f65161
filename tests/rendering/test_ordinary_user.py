"""The browser where the crawl is not run by root: what shuts it off, and that pages come out the same."""

from __future__ import annotations

import json
import os
import pickle
import pwd
import shutil
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.rendering.shelf import Shelf, need_browser

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.zoo

_PAGES = {
    "/app": "<!doctype html><body><div id=app></div><script src=/app.js></script>",
    "/app.js": "fetch('/story.json').then(a => a.json()).then(s => app.innerHTML = '<p>' + s.text + '</p>')",
    "/story.json": '{"text": "The gate opened at noon."}',
    "/loop": "<p>x</p><script>while (true) {}</script>",
    "/window": "<p>x</p><script>window.open('/a')</script>",
}
# Renders pages of a folder, and tells how, and what user the processes of the browser have.
_SCRIPT = """
import asyncio, json, os, pickle, sys
from contextlib import suppress
from pathlib import Path
from archiver.archive.cdxj.index import Index
from archiver.rendering.archived import render_archived
from archiver.rendering.guard import family
from archiver.rendering.model import RenderRules
from archiver.rendering.process import RenderProcess

async def run(folder, captures):
    process, found, owners = RenderProcess(RenderRules(seconds=3), folder / "warc"), {}, set()
    for path, capture in captures.items():
        shown = await render_archived(process, Index(folder / "index"), folder / "warc", capture)
        found[path] = [shown.problem, shown.html]
        pids = family(process.pid) if process.pid else ()
        for pid in pids:
            with suppress(FileNotFoundError):  # it has ended meanwhile
                owners.add(Path(f"/proc/{pid}").stat().st_uid)
    await process.close()
    print(json.dumps([process.isolation, found, sorted(owners), os.geteuid()]))

folder = Path(sys.argv[1])
asyncio.run(run(folder, pickle.loads((folder / "captures").read_bytes())))
"""


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """One that every user can read; pytest's own are root's alone."""
    folder = Path(tempfile.mkdtemp(prefix="ordinary-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


def _interpreter(user: pwd.struct_passwd) -> str:
    """A Python of this version that the user may start: ours may be root's own."""
    for one in (sys.executable, f"/usr/bin/python{sys.version_info.major}.{sys.version_info.minor}"):
        with suppress(OSError):
            subprocess.run([one, "-c", ""], user=user.pw_uid, group=user.pw_gid, extra_groups=[], check=True)
            return one
    pytest.skip("no Python of this version that another user may start")


def test_an_ordinary_user_renders_without_root_and_without_a_network(open_folder: Path) -> None:
    need_browser()
    if os.geteuid() != 0:
        pytest.skip("only root can become another user")
    shelf = Shelf(open_folder / "archive", _PAGES)
    wanted = {path: shelf.captures[path] for path in ("/app", "/loop", "/window")}
    (shelf.folder / "captures").write_bytes(pickle.dumps(wanted))
    nobody = pwd.getpwnam("nobody")
    paths = [str(Path.cwd()), *(one for one in sys.path if one.endswith("site-packages"))]
    done = subprocess.run(
        [_interpreter(nobody), "-c", _SCRIPT, str(shelf.folder)],
        user=nobody.pw_uid,
        group=nobody.pw_gid,
        extra_groups=[],
        env={"PATH": os.environ["PATH"], "HOME": str(open_folder), "PYTHONPATH": ":".join(paths)},
        capture_output=True,
        check=False,
        timeout=120,
    )
    if b"user namespaces, which this machine does not allow" in done.stderr:
        return  # refused in words, as it should be
    assert done.returncode == 0, done.stderr.decode()[-2000:]
    isolation, found, owners, own = json.loads(done.stdout)
    assert own == nobody.pw_uid
    assert owners == [nobody.pw_uid]
    assert isolation in ("network namespace", "resolver rules and a dead proxy")
    (rendered,) = shelf.rendered(["/app"])
    assert found["/app"] == [None, rendered.html]
    assert "The gate opened at noon." in rendered.html
    assert [found["/loop"][0], found["/window"][0]] == ["loop", "window"]
