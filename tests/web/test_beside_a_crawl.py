"""Reading while a crawl writes: neither disturbs the other, and what a killed crawl leaves can be read."""

from __future__ import annotations

import signal
import threading
from collections import Counter
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from archiver.web.views import VIEWS
from tests.crawl.documents import page, publish, stories
from tests.crawl.running import DAY, Archived, CrawlRun, crawl, finish, start_crawl
from tests.crawl.site import Site
from tests.waiting import wait_until
from tests.web.browsing import browsing

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.web.browsing import Shown

pytestmark = [pytest.mark.zoo, pytest.mark.xdist_group("beside")]

FIRST, SECOND, THIRD = 30, 60, 60
READERS = 3
WATCHING = {"RECHECK_SHARE": None, "RECHECK_INTERVAL": "1d", "RECHECK_DAYS": 9999}


class Readers:
    """Threads that ask for every view, again and again, in the order that each begins with."""

    def __init__(self, shown: Shown, asked: list[tuple[str, dict[str, str]]]) -> None:
        self.statuses: Counter[tuple[str, int]] = Counter()
        self.problems: list[str] = []
        self._shown = shown
        self._asked = asked
        self._ended = threading.Event()
        self._threads = [threading.Thread(target=self._read, args=(number,)) for number in range(READERS)]

    def _read(self, number: int) -> None:
        turn = number * len(self._asked) // READERS
        while not self._ended.is_set():
            path, parameters = self._asked[turn % len(self._asked)]
            turn += 1
            try:
                answer = self._shown.get(path, **parameters)
            except OSError as error:
                self.problems.append(f"{path}: {error!r}")
                continue
            self.statuses[path, answer.status] += 1
            if answer.status >= 500:
                self.problems.append(f"{path}: {answer.status}: {answer.text[-600:]}")

    @contextmanager
    def reading(self) -> Iterator[None]:
        for thread in self._threads:
            thread.start()
        try:
            yield
        finally:
            self._ended.set()
            for thread in self._threads:
                thread.join()


WRAPPER = "wrapper: press\nscope: {site: 127.0.0.1}\nfields: [{field: heading, rules: [h1]}]\n"


def every_view(archive: Path) -> list[tuple[str, dict[str, str]]]:
    """Every view for people and for programs, with something to see in it."""
    url = str(Archived(archive).objects[0]["url"])
    run = min((archive / "runs").glob("run-*.json")).stem.removeprefix("run-")
    found = []
    # None of its sites is crawled as a whole.
    for view in (view for view in VIEWS if view.name != "site"):
        path = view.path.replace("{number}", "1").replace("{name}", run).replace("{wrapper}", "press")
        parameters = {"url": url} if "url" in view.parameters.__struct_fields__ else {}
        found += [(path, parameters), ("/index.json" if path == "/" else f"{path}.json", parameters)]
    return [*found, ("/articles", {"q": "harbour"}), ("/articles.json", {"q": "ferry council"})]


def edit(site: Site, count: int) -> None:
    for one in stories(count):
        site.remove(one.path)
        site.add(one.path, page(one.title, (*one.paragraphs, "This paragraph was added a day later.")))


def contents(archived: Archived) -> list[tuple[str, int, str, str]]:
    return sorted((one["url"], one["version"], one["title"], one["text"]) for one in archived.objects)


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with Site() as found:
        yield found


@pytest.fixture(scope="module")
def read(site: Site, tmp_path_factory: pytest.TempPathFactory) -> tuple[CrawlRun, CrawlRun, Readers]:
    """The same two days of a site: once with readers all through the second day, once without."""
    folder = tmp_path_factory.mktemp("beside")
    (folder / "a").mkdir()
    (folder / "b").mkdir()
    disturbed, alone = folder / "a" / "archive", folder / "b" / "archive"
    feed = publish(site, stories(FIRST))
    for archive in (disturbed, alone):
        (archive / "wrappers").mkdir(parents=True)
        (archive / "wrappers" / "press.yaml").write_text(WRAPPER)
        assert crawl(archive, [feed], **WATCHING).exit_code == 0
    edit(site, FIRST // 2)
    site.remove("/feed.xml")
    publish(site, stories(SECOND, first=FIRST + 1))
    with browsing(disturbed) as shown:
        readers = Readers(shown, every_view(disturbed))
        with readers.reading():
            beside = crawl(disturbed, [feed], clock_offset=DAY, **WATCHING)
    return beside, crawl(alone, [feed], clock_offset=DAY, **WATCHING), readers


def test_readers_disturb_no_crawl(read: tuple[CrawlRun, CrawlRun, Readers]) -> None:
    beside, alone, _ = read
    assert beside.exit_code == alone.exit_code == 0, beside
    assert beside.report["errors"] == []
    assert len(contents(beside)) == FIRST + SECOND + FIRST // 2
    assert contents(beside) == contents(alone)
    assert beside.outcomes() == alone.outcomes()


def test_a_crawl_disturbs_no_reader(read: tuple[CrawlRun, CrawlRun, Readers]) -> None:
    beside, _, readers = read
    assert readers.problems == []
    assert {status for _, status in readers.statuses} <= {200, 404}
    answered = {path for path, status in readers.statuses if status == 200}
    # A difference comes to be with the second version, which may be after the last time it was asked for.
    assert {path for path, _ in shown_views(beside.folder)} - answered <= {"/diff", "/diff.json"}


def test_what_a_killed_crawl_leaves_can_be_read(read: tuple[CrawlRun, CrawlRun, Readers], site: Site) -> None:
    archive = read[0].folder
    before = len(site.paths)
    site.remove("/feed.xml")
    feed = publish(site, stories(THIRD, first=FIRST + SECOND + 1))
    with browsing(archive) as shown:
        process = start_crawl(archive, [feed], clock_offset=2 * DAY, **WATCHING)
        wait_until(lambda: len(site.paths) > before + THIRD // 2)
        process.send_signal(signal.SIGKILL)
        assert finish(process, archive).exit_code == -signal.SIGKILL
        assert statuses(shown, archive) == {200}
    with browsing(archive) as shown:
        assert statuses(shown, archive) == {200}
        assert "no report" in shown.get("/runs").text
    # It leaves nothing in the way of the next one.
    again = crawl(archive, [feed], clock_offset=2 * DAY, **WATCHING)
    assert again.exit_code == 0, again
    assert len({one["url"] for one in again.objects}) == FIRST + SECOND + THIRD


def statuses(shown: Shown, archive: Path) -> set[int]:
    return {shown.get(path, **parameters).status for path, parameters in shown_views(archive)}


def shown_views(archive: Path) -> list[tuple[str, dict[str, str]]]:
    """Every view but those of one campaign or form, of which this archive has none."""
    return [one for one in every_view(archive) if not one[0].startswith(("/campaigns/", "/forms/"))]
