"""OPML that is written is read again with the same labels."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from archiver.acquisition.seeds import read_seeds
from archiver.acquisition.seeds.export import ExportedChannel, write_opml
from archiver.acquisition.seeds.model import SeedRow
from archiver.acquisition.seeds.opml import read_opml
from archiver.acquisition.seeds.read import unite_labels

if TYPE_CHECKING:
    from pathlib import Path

MADE = datetime(2026, 3, 2, 7, 0, tzinfo=UTC)
# As labels come from seeds files: tidied, and without what XML cannot hold.
LABELS = st.lists(
    st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Cn"]), max_size=12)
    | st.sampled_from(["arts, culture", "/news/", "a/b", "news"]),
    max_size=4,
).map(unite_labels)


@given(st.lists(LABELS, min_size=1, max_size=5))
def test_labels_come_back_in_their_order(together: list[tuple[str, ...]]) -> None:
    written = [
        ExportedChannel(url=f"http://example.org/{number}", title="A feed", labels=labels)
        for number, labels in enumerate(together)
    ]
    rows = [row for row in read_opml(write_opml(written, MADE), "x.opml") if isinstance(row, SeedRow)]
    found = {row.url: unite_labels(row.labels) for row in rows}
    assert found == {one.url: one.labels for one in written}


def test_it_is_opml_as_feed_readers_know_it(tmp_path: Path) -> None:
    path = tmp_path / "mine.opml"
    feed = ExportedChannel(
        url="http://me:hunter2@example.org/feed?a=1&b=2",
        title='The "Example" <News>\x07',
        labels=("news", "world"),
        page="http://example.org/",
    )
    site = ExportedChannel(url="http://example.net/", title="A site", is_site=True)
    path.write_bytes(write_opml([feed, site], MADE))
    root = etree.fromstring(path.read_bytes())
    assert (root.tag, root.get("version")) == ("opml", "2.0")
    assert root.findtext("head/dateCreated") == "Mon, 02 Mar 2026 07:00:00 GMT"
    (folder, alone) = root.findall("body/outline")
    assert folder.attrib == {"text": "news"}
    title = 'The "Example" <News>\ufffd'
    assert folder[0].attrib == {
        "type": "rss",
        "text": title,
        "title": title,
        "xmlUrl": feed.url,
        "htmlUrl": "http://example.org/",
        "category": "world",
    }
    assert alone.attrib == {"type": "link", "text": "A site", "title": "A site", "url": site.url}
    found = read_seeds([path])
    assert found.problems == ()
    assert [(seed.url, seed.labels) for seed in found.seeds] == [(feed.url, feed.labels), (site.url, ())]
