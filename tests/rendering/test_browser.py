"""The real browser, with pages from an archive alone: what they become, and how hostile ones end."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from archiver.archive.cdxj.index import Index
from archiver.rendering.archived import render_archived, rendered_boxes
from archiver.rendering.guard import family
from archiver.rendering.model import PageProblem, RenderRules
from archiver.rendering.process import RenderProcess
from tests.rendering.shelf import Shelf, foreign_server, need_browser

pytestmark = pytest.mark.zoo

_APP = """
setTimeout(() => document.body.dataset.chance = Math.random() + " " + crypto.randomUUID(), 2000);
document.body.dataset.time = new Date().toISOString();
fetch("/story.json").then(answer => answer.json()).then(story => {
  document.getElementById("app").innerHTML = "<h1>" + story.title + "</h1><p>" + story.text + "</p>" +
    "<div style='height:2500px'></div><p id=end></p>";
  let count = 0;
  new IntersectionObserver(seen => {
    if (!seen.some(one => one.isIntersecting) || count >= 3) return;
    fetch("/more.json?" + ++count).then(answer => answer.json()).then(more => {
      document.getElementById("end").insertAdjacentHTML("beforebegin",
        "<p>" + more.text + "</p><div style='height:1200px'></div>");
    });
  }).observe(document.getElementById("end"));
});
"""
# Each asks for something that a browser in front of a person would do.
_TRICKS = """<meta http-equiv=refresh content="0;url=/elsewhere"><p>said</p>
<img src="file:///etc/hostname"><iframe src="file:///etc/passwd"></iframe><script>
onbeforeunload = told => {told.preventDefault(); return "stay"};
const say = words => document.body.append(words + ";");
fetch("file:///etc/passwd").then(a => a.text()).then(t => say("read " + t), () => say("no file"));
window.print(); say("printed"); say("asked " + confirm("x") + prompt("y", "z"));
for (let n = 0; n < 300; n++) new WebSocket("ws://127.0.0.1:9/" + n);
setTimeout(() => location.href = "file:///etc/passwd", 50);
setTimeout(() => location.href = "chrome://version", 100);
setTimeout(() => window.close(), 150);
</script>"""
_PAGES = {
    "/app": "<!doctype html><body><div id=app></div><script src=/app.js></script>",
    "/app.js": _APP,
    "/story.json": '{"title": "The lock gate", "text": "The gate opened at noon."}',
    "/more.json?1": '{"text": "First more."}',
    "/more.json?2": '{"text": "Second more."}',
    "/more.json?3": '{"text": "Third more."}',
    "/shadow": "<news-item><b>inside</b></news-item><script>customElements.define('news-item', class extends"
    " HTMLElement {connectedCallback() {this.attachShadow({mode: 'open'}).innerHTML = '<p>in the shadow"
    " <slot></slot></p>'}})</script>",
    "/endless": "<p id=end>x</p><script>onscroll = () => document.body.append(Object.assign("
    "document.createElement('div'), {style: 'height: 2000px'}));"
    " document.body.style.height='3000px'</script>",
    "/loop": "<p>x</p><script>while (true) {}</script>",
    "/window": "<p>said</p><script>window.open('/a')</script>",
    "/later": "<p>said</p><script>setTimeout(() => window.open('/a'), 5000)</script>",
    "/download": "<p>said</p><a id=a download=x href='data:application/octet-stream,xyz'>d</a>"
    "<script>document.getElementById('a').click()</script>",
    "/memory": "<p>x</p><script>const kept = []; const more = () => {for (let i = 0; i < 20; i++)"
    " kept.push(new Uint8Array(5e6).fill(i + 1)); setTimeout(more, 0)}; more()</script>",
    "/calls": "<p>said</p><script>fetch('http://127.0.0.1:9/').catch(() => 0);"
    "new WebSocket('ws://127.0.0.1:9/'); navigator.sendBeacon('http://127.0.0.1:9/', 'x');"
    "const call = new RTCPeerConnection({iceServers: [{urls: 'stun:127.0.0.1:9'}]});"
    "call.createDataChannel('x'); call.createOffer().then(offer => call.setLocalDescription(offer))</script>",
    "/tricks": _TRICKS,
    "/half": "<p>said</p><script>document.body.append('half \\ud83d of it')</script>",
    "/lies": "<p>said</p><script>Object.defineProperty(window, 'scrollY', {get: () => ({})});"
    "window.requestAnimationFrame = () => 0; Object.defineProperty(Element.prototype, 'outerHTML',"
    " {get: () => ({toString: () => 7})})</script>",
    "/windows": "<p>said</p><script>for (;;) window.open('/a')</script>",
    "/reloads": "<p>said</p><script>setInterval(() => location.reload(), 1)</script>",
    "/alerts": "<p>said</p><script>for (;;) alert('stay')</script>",
    "/grows": "<p>said</p><script>for (;;) document.body.append(document.createElement('div'))</script>",
    "/looks": "<!doctype html><style>h1 {font-size: 40px; position: absolute; left: 100px; top: 50px;"
    " margin: 0}"
    " .no {display: none}</style><h1>Big <s>old</s></h1><p class=no>hidden</p>"
    "<script>document.body.innerHTML = 'made by a script'</script>",
}


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Shelf:
    need_browser()
    return Shelf(tmp_path_factory.mktemp("shelf"), _PAGES)


def test_a_page_rendered_twice_is_the_same_and_has_what_it_loads_when_scrolled(shelf: Shelf) -> None:
    first, second = shelf.rendered(["/app", "/app"])
    assert first.problem is None
    assert first.html == second.html
    for said in ("The gate opened at noon.", "First more.", "Second more.", "Third more."):
        assert said in first.html
    assert 'data-time="2026-03-04T05:06:07' in first.html
    (third,) = shelf.rendered(["/app"])
    assert third.html == first.html


def test_what_stands_in_the_shadow_of_elements_is_kept(shelf: Shelf) -> None:
    (shown,) = shelf.rendered(["/shadow"])
    assert "<p>in the shadow <b>inside</b></p>" in shown.html


def test_a_page_without_an_end_is_scrolled_so_many_screens(shelf: Shelf) -> None:
    (shown,) = shelf.rendered(["/endless"], RenderRules(screens=4))
    assert shown.problem is None
    assert shown.screens == 4


def test_loops_windows_downloads_and_memory_are_ended_and_named(shelf: Shelf) -> None:
    paths = ["/loop", "/window", "/later", "/download", "/memory", "/shadow"]
    loop, window, later, download, memory, after = shelf.rendered(paths, RenderRules(seconds=3))
    assert loop.problem is PageProblem.LOOP
    # The first window or download ends a page; nothing of it is kept.
    assert window.problem is later.problem is PageProblem.WINDOW
    assert download.problem is PageProblem.DOWNLOAD
    assert (window.html, later.html, download.html) == ("", "", "")
    assert memory.problem is PageProblem.MEMORY
    # What they broke was replaced.
    assert after.problem is None
    assert "in the shadow" in after.html


def test_files_dialogs_leaving_and_closing_do_nothing(shelf: Shelf) -> None:
    (shown,) = shelf.rendered(["/tricks"])
    assert shown.problem is None
    for said in ("<p>said</p>", "no file;", "printed;", "asked falsenull;"):
        assert said in shown.html
    assert "root:" not in shown.html
    assert ("another page", "http://js.example/elsewhere") in shown.refused
    assert any(why == "a WebSocket" for why, _ in shown.refused)


def test_a_page_that_lies_about_itself_or_leaves_half_a_character_breaks_nothing(shelf: Shelf) -> None:
    half, lies, after = shelf.rendered(["/half", "/lies", "/shadow"])
    assert "half \ufffd of it" in half.html
    assert (lies.problem, lies.html) == (None, "7")
    assert "in the shadow" in after.html


def test_pages_without_end_are_ended_and_named(shelf: Shelf) -> None:
    paths = ["/windows", "/reloads", "/alerts", "/grows", "/shadow"]
    windows, *others, after = shelf.rendered(paths, RenderRules(seconds=3))
    assert windows.problem is PageProblem.WINDOW
    # Whichever limit it meets first.
    ends = {PageProblem.LOOP, PageProblem.MEMORY}
    assert all(one.problem in ends for one in others), others
    assert after.problem is None


def test_nothing_of_a_page_reaches_another_host(tmp_path: Path) -> None:
    need_browser()
    with foreign_server() as (port, asked):
        there = f"127.0.0.1:{port}"
        hostile = (
            f"<p>said</p><img src='http://{there}/image'><script>new WebSocket('ws://{there}/socket');"
            f"navigator.sendBeacon('http://{there}/beacon', 'x');"
            f"fetch('http://{there}/fetch').catch(() => 0);"
            f"new RTCPeerConnection({{iceServers: [{{urls: 'stun:{there}'}}]}}).createOffer();"
            f"new EventSource('http://{there}/events');"
            "navigator.serviceWorker && navigator.serviceWorker.register('/sw.js').catch(() => 0);"
            f"new Worker(URL.createObjectURL(new Blob([\"fetch('http://{there}/worker')\"])));"
            f"setTimeout(() => location.href = 'http://{there}/leave', 100)</script>"
            f"<iframe src='http://{there}/frame'></iframe>"
        )
        shelf = Shelf(tmp_path, {"/hostile": hostile})
        (shown,) = shelf.rendered(["/hostile"])
    assert asked == []
    assert shown.problem is None
    # It stayed where it was.
    assert "<p>said</p>" in shown.html
    told = {url.rpartition("/")[2]: why for why, url in shown.refused}
    assert told["leave"] == "another page"
    assert told["frame"] == "a frame"
    assert told["beacon"] == "not a GET"
    assert told["image"] == "not answered"


def test_boxes_are_those_of_the_served_page(shelf: Shelf) -> None:
    (found,) = rendered_boxes(shelf.warc, shelf.index, [shelf.captures["/looks"]])
    assert found is not None
    by_path = {one.path: one for one in found.boxes}
    title = by_path["/html[1]/body[1]/h1[1]"]
    assert (title.x, title.y, title.size, title.weight, title.text) == (100, 50, 40, 700, "Big")
    assert by_path["/html[1]/body[1]/h1[1]/s[1]"].is_struck
    assert not by_path["/html[1]/body[1]/p[1]"].is_shown
    # html, head, style, body, h1: in the order of the document.
    assert title.node == 4
    assert found.width == 1024


def test_the_browser_ends_with_the_process_that_started_it(shelf: Shelf) -> None:
    program = (
        "import asyncio, sys\n"
        "from pathlib import Path\n"
        "from archiver.rendering.model import RenderRules\n"
        "from archiver.rendering.process import RenderProcess\n"
        "async def main():\n"
        "    process = RenderProcess(RenderRules(), Path(sys.argv[1]))\n"
        "    await process._started()\n"
        "    print('ready', flush=True)\n"
        "    await asyncio.sleep(60)\n"
        "asyncio.run(main())\n"
    )
    command = [sys.executable, "-c", program, str(shelf.warc)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as started:
        assert started.stdout is not None
        assert started.stdout.readline() == "ready\n"
        pids = family(started.pid)
        assert len(pids) > 3
        started.kill()
    assert _gone(pids)


def _gone(pids: list[int]) -> bool:
    """Whether all of them end within a few seconds."""
    end = time.monotonic() + 10
    while time.monotonic() < end:
        if not any(_runs(pid) for pid in pids):
            return True
        time.sleep(0.1)
    return False


def _runs(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()[0] != b"Z"
    except OSError:
        return False


def test_the_browser_has_no_rights_no_network_and_no_socket(shelf: Shelf) -> None:
    async def looked_at() -> tuple[str, list[Path]]:
        process = RenderProcess(RenderRules(), shelf.warc)
        capture = shelf.captures["/calls"]
        shown = await render_archived(process, Index(shelf.index), shelf.warc, capture)
        assert shown.problem is None
        assert process.pid is not None
        try:
            own = [Path(f"/proc/{pid}") for pid in family(process.pid)]
            found = [one for one in own if b"chromium" in (one / "cmdline").read_bytes().split(b"\0")[0]]
            looked = 0
            for one in found:
                # A helper of the browser may have ended meanwhile.
                with suppress(FileNotFoundError):
                    _look_at(one, process.isolation)
                    looked += 1
            assert looked > 2
        finally:
            await process.close()
        return process.isolation, found

    isolation, _ = asyncio.run(looked_at())
    if isolation != "network namespace":
        pytest.skip("this machine allows no network namespace")


def _look_at(process: Path, isolation: str) -> None:
    """One process of the browser: not root's, in another network, without a socket to any of it."""
    assert process.stat().st_uid != 0
    if isolation != "network namespace" or os.geteuid() != 0:  # only root may look further
        return
    assert (process / "ns/net").readlink() != Path("/proc/self/ns/net").readlink()
    kinds = ("tcp", "tcp6", "udp", "udp6", "raw", "raw6")
    sockets = [line for kind in kinds for line in _lines(process / "net" / kind)]
    assert sockets == []
    devices = [line.split(":")[0].strip() for line in (process / "net/dev").read_text().splitlines()[2:]]
    assert devices == ["lo"]


def _lines(path: Path) -> list[str]:
    """What the system lists, without its heading."""
    return path.read_text().splitlines()[1:] if path.exists() else []
