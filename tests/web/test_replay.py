"""Archived pages in a real browser, without scripts and replayed by a real pywb: what they can reach."""

from __future__ import annotations

import os
import signal
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest

from tests.acceptance.tools import tool
from tests.crawl.running import start_scrapy
from tests.crawl.site import Site
from tests.web.browsing import Shown, browsing
from tests.web.chromium import chromium, violations, watched
from tests.web.planted import DAY, FIRST, SITE, Planted, gazette, plant
from tests.web.test_withheld import order

if TYPE_CHECKING:
    from collections.abc import Iterator
    from urllib.parse import SplitResult

    from playwright.sync_api import Browser, Frame, Page

    from tests.web.chromium import Watched

pytestmark = [pytest.mark.zoo, pytest.mark.xdist_group("web")]

HOSTILE = f"{SITE}/hostile"
# Every way out that browsers have, each tried by itself; `told` is what came of it.
ATTACK = """
window.told = {}; window.ran = true; document.documentElement.dataset.ran = "yes";
const out = "OUT", app = "APP";
const attempt = (name, act) => { try { const found = act(); told[name] = String(found); return found; }
  catch (error) { told[name] = "refused: " + error.name; } };
const later = (name, act) => attempt(name, () => { act().then(found => { told[name] = "got " + found; },
  error => { told[name] = "refused: " + error; }); return "waiting"; });
later("fetch", () => fetch(out + "/fetch", {mode: "no-cors"}).then(() => "an answer"));
later("application", () => fetch(app + "/captures.json").then(answer => answer.text()));
later("module", () => import(out + "/module.js"));
attempt("image", () => { new Image().src = out + "/image"; });
attempt("beacon", () => navigator.sendBeacon(out + "/beacon", "x"));
attempt("socket", () => { new WebSocket(out.replace("http", "ws") + "/socket"); });
attempt("events", () => { new EventSource(out + "/events"); });
attempt("worker", () => { new Worker(out + "/worker.js"); });
later("service", () => navigator.serviceWorker.register("/sw.js"));
attempt("popup", () => window.open(out + "/popup"));
attempt("parent", () => parent.document.title);
attempt("top", () => { top.location = out + "/top"; });
attempt("cookie", () => { document.cookie = "planted=1; path=/"; return document.cookie; });
attempt("storage", () => { localStorage.setItem("planted", "1"); return localStorage.getItem("planted"); });
for (const [tag, name, path] of [["iframe", "src", "/frame"], ["object", "data", "/object"],
    ["embed", "src", "/embed"], ["script", "src", "/script.js"], ["video", "src", "/video"],
    ["link", "href", "/sheet.css"], ["a", "ping", "/ping"]])
  attempt(tag, () => { const made = document.createElement(tag); made.rel = "stylesheet"; made.href = "#";
    made.setAttribute(name, out + path); document.body.append(made); if (tag === "a") made.click(); });
for (const rel of ["prefetch", "preload", "prerender", "modulepreload", "icon", "manifest"])
  attempt(rel, () => { const made = document.createElement("link"); made.rel = rel; made.as = "image";
    made.href = out + "/" + rel; document.head.append(made); });
attempt("css", () => { const made = document.createElement("style");
  made.textContent = "@import '" + out + "/import.css'; body { background: url(" + out + "/background) }";
  document.head.append(made); });
attempt("form", () => { const made = document.createElement("form"); made.action = out + "/form";
  made.method = "post"; document.body.append(made); made.submit(); });
setTimeout(() => attempt("leave", () => { location.href = out + "/leave?secret"; }), 300);
"""


@pytest.fixture(scope="module")
def outside() -> Iterator[Site]:
    """What must not be asked for: it would answer, and it counts."""
    with Site() as site:
        yield site


@pytest.fixture(scope="module")
def archive(outside: Site, tmp_path_factory: pytest.TempPathFactory) -> Path:
    script = ATTACK.replace("OUT", outside.origin)
    page = f"<title>Hostile</title><body><h1>Hostile</h1><script>{script}</script>"
    meta = f'<meta http-equiv="refresh" content="0;url={outside.origin}/refresh"><h1>Refresh</h1>'
    quiet = (
        '<link rel="stylesheet" href="more.css"><h1>Quiet</h1><p id="made"><script src="quiet.js"></script>'
    )
    more = [
        Planted(url=HOSTILE, body=page),
        Planted(url=f"{SITE}/refresh", body=meta),
        Planted(url=f"{SITE}/quiet", body=quiet),
        Planted(url=f"{SITE}/quiet", body=f"{quiet}<p>later", at=FIRST + DAY),
        Planted(
            url=f"{SITE}/quiet.js",
            body="localStorage.setItem('a', 'b'); made.textContent = 'made by a script';",
            kind="text/javascript",
        ),
    ]
    return plant(tmp_path_factory.mktemp("replay") / "archive", [*gazette(), *more])


@pytest.fixture(scope="module")
def shown(archive: Path) -> Iterator[Shown]:
    with browsing(archive, "-s", f"REPLAY_PYWB={tool('wayback')}") as found:
        yield found


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


def framed(page: Page) -> Frame:
    """The archived page."""
    frame = page.wait_for_selector("iframe").content_frame()
    assert frame is not None
    return frame


def opened(seen: Watched, shown: Shown, url: str, **asked: object) -> Frame:
    answer = seen.page.goto(shown.address("/replay", url=url, **asked))
    assert answer is not None
    assert answer.status == 200
    frame = framed(seen.page)
    frame.wait_for_load_state()
    return frame


def strangers(seen: Watched, shown: Shown, frame: str, refused: set[str]) -> list[str]:
    """What was asked for and not blocked, but for the application and the frames."""
    own = {urlsplit(shown.base).netloc, urlsplit(frame).netloc}
    asked = [url for url in seen.asked if url.startswith("http") and urlsplit(url).netloc not in own]
    # Playwright also tells of what the policy then refuses.
    return [url for url in asked if url not in refused]


def note_refused(seen: Watched) -> set[str]:
    """The requests that the browser itself did not let out, from here on."""
    found: set[str] = set()
    seen.page.on("requestfailed", lambda one: found.add(one.url) if one.failure == "csp" else None)
    return found


def test_a_page_looks_and_acts_as_it_did(browser: Browser, shown: Shown) -> None:
    with watched(browser) as seen:
        frame = opened(seen, shown, f"{SITE}/quiet")
        frame.wait_for_function("document.getElementById('made').textContent === 'made by a script'")
        colour = frame.evaluate("getComputedStyle(document.querySelector('h1')).color")
        assert colour == "rgb(1, 2, 3)"
        assert violations(seen.page) == []
        seen.page.get_by_role("link", name="without scripts").click()
        seen.page.wait_for_url("**&plain=1")
        plain = framed(seen.page)
        plain.wait_for_load_state()
        assert plain.locator("#made").inner_text() == ""
        assert plain.evaluate("getComputedStyle(document.querySelector('h1')).color") == "rgb(1, 2, 3)"
        seen.page.get_by_role("link", name="←").click()
        seen.page.wait_for_url("**&at=20260302070509&plain=1")
        assert seen.page.locator("nav.times strong").inner_text() == "2026-03-02 07:05:09"
        assert seen.complaints == []


@pytest.mark.parametrize("modifier", ["", "id_"])
def test_a_replayed_page_reaches_nothing_but_the_archive(
    browser: Browser, shown: Shown, outside: Site, modifier: str
) -> None:
    with watched(browser) as seen:
        refused = note_refused(seen)
        frame = opened(seen, shown, f"{SITE}/quiet")
        # `id_`: as it was kept, without anything that pywb changes to keep it within the archive.
        target = frame.url.replace(f"/{SITE}/quiet", f"{modifier}/{HOSTILE}")
        seen.page.evaluate("address => { document.querySelector('iframe').src = address }", target)
        seen.page.wait_for_timeout(2500)
        assert strangers(seen, shown, target, refused) == []
        assert outside.requests == []
        assert seen.page.url.startswith(shown.base)
        assert len(seen.page.context.pages) == 1
        assert seen.page.context.cookies() == []


def test_a_replayed_page_knows_nothing_of_the_application(browser: Browser, shown: Shown) -> None:
    with watched(browser) as seen:
        frame = opened(seen, shown, f"{SITE}/other")
        # As it was kept: pywb tells pages that they are where they were.
        frame.goto(frame.url.replace(f"/{SITE}", f"id_/{SITE}"))
        told = frame.evaluate(
            """async application => {
                const found = {origin: self.origin};
                for (const path of ["/captures.json", "/openapi.json", "/"])
                    found[path] = await fetch(application + path).then(() => "read", () => "refused");
                try { parent.document; found.parent = "read" } catch { found.parent = "refused" }
                for (const name of ["cookie", "localStorage"])
                    try { name === "cookie" ? document.cookie : self[name]; found[name] = "read" }
                    catch { found[name] = "refused" }
                return found; }""",
            shown.base,
        )
        assert told["origin"] == "null"
        assert {value for name, value in told.items() if name != "origin"} == {"refused"}


def test_without_scripts_nothing_runs_at_all(browser: Browser, shown: Shown, outside: Site) -> None:
    with watched(browser) as seen:
        for url in (HOSTILE, f"{SITE}/page", f"{SITE}/refresh", f"{SITE}/evil.svg"):
            frame = opened(seen, shown, url, plain=1)
            seen.page.wait_for_timeout(300)
            assert frame.evaluate("window.ran") is None
            assert "ran" not in frame.evaluate("({...document.documentElement.dataset})")
            assert strangers(seen, shown, frame.url, set()) == []
        assert outside.requests == []
        assert [one for one in seen.complaints if "Blocked script" not in one] == []


def test_a_replayed_page_is_shown_in_its_frame_alone(browser: Browser, shown: Shown) -> None:
    with watched(browser) as seen:
        address = opened(seen, shown, f"{SITE}/quiet").url
        answer = seen.page.goto(address)
        assert answer is not None
        assert answer.status == 403


def test_pywb_is_reached_through_the_frames_alone(shown: Shown) -> None:
    """It has no port of its own; the one that its parts talk through answers no other name."""
    address = replayed_at(shown, f"{SITE}/quiet")
    assert Shown(f"http://{address.netloc}").get(address.path).status == 200
    (process,) = pywb_of(shown)
    name = address.path.split("/")[1]
    ports = _listening(process)
    assert ports
    for port in ports:
        inner = Shown(f"http://127.0.0.1:{port}")
        for path in ("/", f"/{name}/index?url={SITE}/quiet"):
            assert inner.get(path, headers={"Host": "evil.example"}).status == 421
    frames = Shown(f"http://{address.netloc}")
    for path in (
        "/",
        "/collinfo.json",
        f"/{name}/",
        f"/{name}/cdx?url={SITE}/quiet",
        f"/{name}/*/{SITE}/quiet",
    ):
        assert frames.get(path).status == 404, path


def test_what_is_withheld_is_not_replayed_however_it_is_written(shown: Shown, archive: Path) -> None:
    address = replayed_at(shown, f"{SITE}/other")
    frames, begin = Shown(f"http://{address.netloc}"), address.path.partition("/http")[0]
    assert frames.get(f"{begin}/{SITE}/other").status == 200
    spellings = (
        "/other",
        "/%6fther",
        "/OTHER",
        "/other?",
        "/other?_=123",
        "/./other",
        "//other",
        "/x/../other",
    )
    urls = [f"{host}{path}" for host in (SITE, "https://www.site.example:443") for path in spellings]
    order(archive, f"{SITE}/other")
    try:
        for url in urls:
            for modifier in ("", "id_", "mp_", "if_"):
                answer = frames.get(f"{begin}{modifier}/{url}")
                assert b"Other" not in answer.body, (url, modifier)
                assert answer.status in {404, 451}, (url, modifier)
    finally:
        order(archive, f"{SITE}/other", lift=True)


def test_pywb_is_started_again_when_it_died(shown: Shown, browser: Browser) -> None:
    address = replayed_at(shown, f"{SITE}/quiet")
    assert Shown(f"http://{address.netloc}").get(address.path).status == 200
    (process,) = pywb_of(shown)
    time.sleep(10)  # one that dies at once is not started for every request
    os.kill(process, signal.SIGKILL)
    with watched(browser) as seen:
        frame = opened(seen, shown, f"{SITE}/quiet")
        frame.wait_for_function("document.getElementById('made').textContent === 'made by a script'")
    (other,) = pywb_of(shown)
    assert other != process


def test_pywb_ends_with_the_application_however_that_ends(tmp_path: Path) -> None:
    archive = plant(tmp_path / "archive", gazette())
    words = ["browse", "--no-open", "--port", "0", "-s", f"ARCHIVE_DIR={archive}"]
    with start_scrapy([*words, "-s", f"REPLAY_PYWB={tool('wayback')}"]) as process:
        assert process.stdout is not None
        base = next(word for word in process.stdout.readline().split() if word.startswith("http://"))
        address = replayed_at(Shown(base), f"{SITE}/page")
        assert Shown(f"http://{address.netloc}").get(address.path).status == 200
        (started,) = pywb_of(Shown(base))
        folder = Path(f"/proc/{started}/cwd").readlink()
        process.kill()
        process.wait()
        process.stdout.close()
        if process.stderr:
            process.stderr.close()
        until = time.monotonic() + 10
        while Path(f"/proc/{started}").exists() and time.monotonic() < until:
            time.sleep(0.1)
        assert not Path(f"/proc/{started}").exists()
        assert not folder.exists()


def test_our_timegate_and_pywb_mean_the_same_capture(shown: Shown) -> None:
    address = replayed_at(shown, f"{SITE}/page")
    frames, name = Shown(f"http://{address.netloc}"), address.path.split("/")[1]
    for stamp in ("20260302070509", "20260302180000", "20260303120000", "20270101000000"):
        ours = shown.get(f"/memento/{stamp}/{SITE}/page").headers["memento-datetime"]
        theirs = frames.get(f"/{name}/{stamp}mp_/{SITE}/page").headers["memento-datetime"]
        assert ours == theirs, stamp


def replayed_at(shown: Shown, url: str) -> SplitResult:
    """Where the application has a page replayed."""
    page = shown.get("/replay", url=url).text
    return urlsplit(page.partition("<iframe")[2].partition('src="')[2].partition('"')[0])


def pywb_of(shown: Shown) -> list[int]:
    """The process of its pywb: that with the name of its collection in the configuration."""
    name = replayed_at(shown, f"{SITE}/other").path.split("/")[1]
    return [process for process in _launchers() if name in _configuration(process)]


def _launchers() -> Iterator[int]:
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            if b"archiver-pywb-" in path.read_bytes():
                yield int(path.parent.name)


def _configuration(process: int) -> str:
    with suppress(OSError):
        return Path(f"/proc/{process}/cwd/config.yaml").read_text()
    return ""


def _listening(process: int) -> list[int]:
    """The ports at which a process listens."""
    sockets = {str(one.readlink()) for one in Path(f"/proc/{process}/fd").iterdir() if one.is_symlink()}
    ports = []
    for table in ("tcp", "tcp6"):
        for line in Path(f"/proc/{process}/net/{table}").read_text().splitlines()[1:]:
            fields = line.split()
            if fields[3] == "0A" and f"socket:[{fields[9]}]" in sockets:
                ports.append(int(fields[1].rpartition(":")[2], 16))
    return ports
