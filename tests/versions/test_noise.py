"""Noise: what changes on a page while its article stays as it was, and makes no version."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from archiver.articles.versions.judge import judge
from tests.versions.captures import STORY, TITLE, capture, changed, judged, kinds

BODY = '<div class="story-body">'
END = "early.</p>\n"


def inside(markup: str) -> tuple[str, str]:
    return ("<h2>", f"{markup}<h2>")


NOISE = {
    "the time of an update": ("Updated 12:31, 4 May 2024", "Updated 18:05, 5 May 2024"),
    "a label that comes": (BODY, f"{BODY}<p>Last updated: 6 May 2024 at 9.15 am BST</p>"),
    "how long ago": (BODY, f"{BODY}<p>3 hours ago</p>"),
    "how long ago, in German": (BODY, f"{BODY}<p>Aktualisiert vor 3 Stunden</p>"),
    "how long it takes to read": (BODY, f"{BODY}<p>5 min read</p>"),
    "a counter": ("218 shares", "1,204 shares"),
    "a counter in a line beside the text": (
        END,
        f"{END}</div><p>Filed under Harbours. You can leave this page at any time. Visit number 7.</p><div>",
    ),
    "a counter in the text": (END, f"{END}<p>1,204 views</p>"),
    "an advertisement": inside('<div class="ad-slot"><p>Boots for every rock, now half the price.</p></div>'),
    "a label of one": inside("<p>Advertisement</p>"),
    "an advertisement that only its label tells": inside(
        '<div class="cf">Advertisement<p>Boots for every rock, now half the price.</p>'
        '<a href="https://shop.example.net/1"><img src="https://shop.example.net/1.jpg"></a></div>'
    ),
    "a newsletter": inside('<div class="newsletter-signup"><p>Get the island every morning.</p></div>'),
    "related links": inside(
        '<div class="related"><h3>Related</h3><ul><li><a href="/b1">New pier opens</a></li></ul></div>'
    ),
    "a line that leads away": inside('<p>Read more: <a href="/b2">How the pier was built</a></p>'),
    "links without a name": (
        END,
        f'{END}<ul><li><a href="/c1">Ferry strike ends</a></li><li><a href="/c2">Snow in May</a></li></ul>',
    ),
    "what others read": ("Council votes on the new pier", "School closes for a week"),
    "a comment": (
        "never thanked her.",
        "never thanked her.</p><p>Nor did I, and I was on the rock with her.",
    ),
    "a box on the author": (
        END,
        f'{END}<div class="author-box"><p>Ann Lee has written about the coast for ten years.</p></div>',
    ),
    "tracking in links": ('href="/museum/diaries"', 'href="/museum/diaries?utm_source=home&amp;sid=9f8e7d"'),
    "the size of an image": ("lighthouse-640x480.jpg", "lighthouse-1280x960.jpg?w=1280&amp;q=80"),
    "an image that is loaded late": (
        'src="/img/lighthouse-640x480.jpg"',
        'src="/img/blank.gif" data-src="/img/lighthouse-640x480.jpg"',
    ),
    "a pixel that counts": (END, f'{END}<img src="https://c.example.net/p.gif?u=1" width="1" height="1">'),
    "a note for programs": (BODY, f"{BODY}<!-- rendered in 31 ms -->"),
    "a token": ("<footer>", '<form><input type="hidden" name="token" value="a1b2"></form><footer>'),
    "the name of the site in the title": (" | Island Post</title>", " - Island Post - News</title>"),
    "a statement to machines": (
        f'og:title" content="{TITLE}"',
        'og:title" content="She leaves the lighthouse: forty winters in pictures"',
    ),
}


@pytest.mark.parametrize("noise", NOISE)
def test_noise_makes_no_version_whether_it_comes_or_goes(noise: str) -> None:
    before, now = capture(STORY), capture(changed(NOISE[noise]))
    assert judge(before, now).change is None
    assert judge(now, before).change is None


def test_white_space_is_no_change() -> None:
    assert kinds(STORY, re.sub(r"(?<=>)\s*(?=<[phudt])|\n", "\n\n   ", STORY)) == ()


def test_spelling_of_characters_is_no_change() -> None:
    now = changed(
        ("\u201c", "&ldquo;"), ("\u201d", '"'), ("lighthouse packed", "light\u00adhouse&nbsp;packed")
    )
    assert kinds(STORY, now) == ()


def redesigned(story: str) -> str:
    """Other names, other elements around the same words, and the caption in another place."""
    caption = re.search(r"<figcaption>(.*?)</figcaption>", story, re.DOTALL)
    assert caption
    story = story.replace(caption[0], "").replace("</figure>", f"</figure><div>{caption[1]}</div>")
    story = story.replace('class="story-body"', 'class="c-text"').replace('class="story"', 'id="main-story"')
    story = re.sub(r"<p>(.*?)</p>", r'<div class="c-par"><p class="t">\1</p></div>', story, flags=re.DOTALL)
    return story.replace("<main>", "<div class='grid'><section class='col'>").replace(
        "</main>", "</section></div>"
    )


def test_a_redesign_is_a_change_of_the_template_alone() -> None:
    judgement = judged(STORY, redesigned(STORY))
    assert judgement.change is None
    assert judgement.is_template_change


def test_an_edit_within_a_redesign_is_found() -> None:
    judgement = judged(STORY, redesigned(changed(("12 people were saved", "13 people were saved"))))
    assert judgement.change is not None
    assert judgement.change.kinds == ("text",)
    assert judgement.is_template_change


def test_noise_is_named() -> None:
    assert judged(STORY, changed(NOISE["a counter in the text"])).noise == ("counter",)


def test_the_same_page_is_the_same() -> None:
    judgement = judged(STORY, STORY)
    assert judgement.change is None
    assert not judgement.is_template_change
    assert judgement.noise == ()


@settings(max_examples=15)
@given(st.lists(st.sampled_from(sorted(NOISE)), min_size=2, max_size=6, unique=True))
def test_much_noise_at_once_is_noise(names: list[str]) -> None:
    # Each in the page as it is: one may have replaced what another looks for.
    now = STORY
    for name in names:
        old, new = NOISE[name]
        now = now.replace(old, new, 1)
    assert kinds(STORY, now) == ()
