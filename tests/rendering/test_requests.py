"""Which requests of a page are answered, and where its elements stand."""

from __future__ import annotations

import pytest

from archiver.rendering.boxes import NUMBER, STYLES, boxes_of
from archiver.rendering.requests import refusal


@pytest.mark.parametrize(
    ("method", "url", "kind", "why"),
    [
        ("GET", "https://news.example/api/story/7", "fetch", None),
        ("GET", "https://news.example/app.js", "script", None),
        ("GET", "https://segments.example/a.css", "stylesheet", None),
        ("POST", "https://news.example/graphql", "fetch", "not a GET"),
        ("GET", "https://news.example/film.mp4", "media", "media"),
        ("GET", "https://www.google-analytics.com/analytics.js", "script", "a tracker"),
        ("GET", "https://cdn.segment.com/v1.js", "script", "a tracker"),
        ("GET", "https://news.example/matomo.php?id=1", "image", "a tracker"),
        ("GET", "https://news.example/other", "document", "another page"),
        ("GET", "ftp://news.example/a", "fetch", "not a web address"),
    ],
)
def test_trackers_media_and_whatever_is_not_a_get_are_refused(
    method: str, url: str, kind: str, why: str | None
) -> None:
    assert refusal(method, url, kind, is_frame=False) == why


def test_frames_are_refused() -> None:
    assert refusal("GET", "https://news.example/ad", "document", is_frame=True) == "a frame"


def test_a_snapshot_becomes_boxes_with_the_numbers_of_the_served_elements() -> None:
    strings = ["HTML", "P", "#text", "Old price", NUMBER, "7", "20px", "700", "italic", "line-through",
               "block", "visible", "1", "rgb(1, 2, 3)", "::before"]  # fmt: skip
    looks = [strings.index(one) for one in ("20px", "700", "italic", "line-through", "block", "visible", "1")]
    looks.append(strings.index("rgb(1, 2, 3)"))
    assert len(looks) == len(STYLES)
    snapshot = {
        "strings": strings,
        "documents": [
            {
                "nodes": {
                    "parentIndex": [-1, 0, 1, 1],
                    "nodeType": [1, 1, 1, 3],
                    "nodeName": [0, 1, 14, 2],
                    "nodeValue": [-1, -1, -1, 3],
                    "attributes": [[], [4, 5], [], []],
                },
                "layout": {
                    "nodeIndex": [1, 3],
                    "styles": [looks, []],
                    "bounds": [[1, 2, 3, 4], [1, 2, 3, 4]],
                },
            }
        ],
    }
    html, paragraph = boxes_of(snapshot)
    assert (html.path, html.is_shown, html.node) == ("/html[1]", False, -1)
    assert (paragraph.path, paragraph.node, paragraph.text) == ("/html[1]/p[1]", 7, "Old price")
    assert (paragraph.x, paragraph.y, paragraph.w, paragraph.h) == (1, 2, 3, 4)
    assert (paragraph.size, paragraph.weight, paragraph.style) == (20.0, 700, "italic")
    assert paragraph.is_struck
    assert paragraph.is_shown
