"""Parts of pages: by the element that a fragment names, or by what the feed said of an entry."""

from __future__ import annotations

import pytest

from archiver.articles.methods.parts import part_of
from archiver.articles.model import Article, NoArticle
from archiver.documents.pages.model import Announcement, RawPage
from archiver.documents.parts import fragment_part, part_key, part_of_key, part_url, zone_part
from tests.crawl.documents import prose

WORDS = {
    "Ferry": "The small ferry crosses the wide river twice each morning and carries bicycles for nothing.",
    "Cider": "We pressed forty crates of late apples and the cider will rest in oak until the spring.",
    "Goats": "Three goats escaped over the eastern wall and were found asleep in the chapel garden.",
}


def _page(body: str, title: str = "Ferry", summary: str | None = None) -> RawPage:
    head = '<head><title>Notes of the village</title><meta name="author" content="The site"></head>'
    markup = (
        f"<html lang=en>{head}<body><h1>Notes</h1>{body}<footer>Imprint and contact</footer></body></html>"
    )
    said = Announcement(title=title, summary=summary)
    return RawPage(
        url="http://a.test/notes.html", body=markup.encode(), content_type="text/html", announcement=said
    )


def _text(page: RawPage, part: str) -> str:
    found = part_of(page, part)
    assert isinstance(found, Article), found
    return found.text


FLAT = "".join(f"<h2 id={name.lower()}>{name}</h2><p>{text}</p>" for name, text in WORDS.items())
ANCHORS = "".join(f"<a name={name.lower()}></a><h2>{name}</h2><p>{text}</p>" for name, text in WORDS.items())
INSIDE = "".join(f"<h2><a id={name.lower()}>{name}</a></h2><p>{text}</p>" for name, text in WORDS.items())
SECTIONS = "".join(
    f"<section id={name.lower()}><h2>{name}</h2><p>{text}</p></section>" for name, text in WORDS.items()
)
WRAPPED = "".join(
    f"<div class=head><h2 id={name.lower()}>{name}</h2></div><div>{text}</div>"
    for name, text in WORDS.items()
)
TERMS = "<dl>" + "".join(f"<dt id={name.lower()}>{name}<dd>{text}" for name, text in WORDS.items()) + "</dl>"
OLD = "".join(
    f"<p><a name={name.lower()}><b>{name}</b></a> {text}</p><p>So far.</p>" for name, text in WORDS.items()
)
POSTS = "".join(
    f"<div class=post id={name.lower()}><b>{name}</b><p>{text}</p></div>" for name, text in WORDS.items()
)


@pytest.mark.parametrize("body", [FLAT, ANCHORS, INSIDE, SECTIONS, WRAPPED, TERMS, OLD, POSTS])
def test_a_fragment_names_a_section_or_a_container(body: str) -> None:
    for name, text in WORDS.items():
        found = _text(_page(body), name.lower())
        assert text in found
        assert not [other for one, other in WORDS.items() if one != name and other in found]
        assert "Imprint" not in found or name == "Goats"  # the last section has no end but the page's


def test_a_section_has_its_subsections() -> None:
    body = "<h2 id=a>A</h2><p>one two three four five</p><h3>B</h3><p>six</p><h2>C</h2><p>seven</p>"
    assert _text(_page(body), "a").split()[-1] == "six"


def test_what_the_page_says_of_itself_is_not_said_of_a_part() -> None:
    found = part_of(_page(FLAT), "cider")
    assert isinstance(found, Article)
    assert (found.title, found.authors, found.method) == ("Cider", (), "fragment")


@pytest.mark.parametrize("name", ["nothing", "label", "more"])
def test_a_name_of_nothing_or_of_a_label_is_no_part(name: str) -> None:
    body = f"<p>Words <span id=more></span> and <b id=label>a label</b> in a text. {FLAT}</p>"
    assert part_of(_page(body), name) is None


def test_a_page_that_cannot_be_read_has_no_parts() -> None:
    assert isinstance(part_of(RawPage(url="http://a.test/", body=b""), "a"), NoArticle)


@pytest.mark.parametrize("body", [FLAT, SECTIONS, WRAPPED, TERMS])
def test_without_a_fragment_the_title_tells(body: str) -> None:
    for name, text in WORDS.items():
        found = _text(_page(body, title=name), zone_part(name))
        assert text in found
        assert not [other for one, other in WORDS.items() if one != name and other in found]


def test_without_a_heading_the_announcement_tells() -> None:
    body = "".join(f"<div class=note><p>{text} {text}</p></div>" for text in WORDS.values())
    for name, text in WORDS.items():
        found = _text(_page(f"<main>{body}</main>", title=f"On {name}", summary=text), zone_part(name))
        assert text in found
        assert not [other for one, other in WORDS.items() if one != name and other in found]


SHARING = (
    "<ul class=share><li><a href=/f>Share on Facebook</a><li><a href=/t>Share on Twitter</a>"
    "<li><a href=/m>Send by mail</a></ul>"
)
RELATED = (
    "<div class=related><h4>You may also like</h4><ul><li><a href=/1>Ten ferries of the north</a>"
    "<li><a href=/2>Why apples float</a><li><a href=/3>A goat in the chapel</a></ul></div>"
)


def _long(name: str, number: int) -> str:
    paragraphs = "".join(f"<p>{one}</p>" for one in prose(number, 4))
    return f"<div class=post><h2>{name}</h2>{SHARING}{paragraphs}{RELATED}</div>"


@pytest.mark.parametrize("title", ["{}", "On the {}"])
def test_in_the_zone_of_an_entry_the_voters_of_article_vote_with_it(title: str) -> None:
    body = f"<main>{''.join(_long(name, number) for number, name in enumerate(WORDS))}</main>"
    for number, name in enumerate(WORDS):
        words = prose(number, 4)
        page = _page(body, title=title.format(name), summary=words[0])
        found = _text(page, zone_part(name))
        assert all(one in found for one in words)
        assert not [
            one for other in range(len(WORDS)) if other != number for one in prose(other, 4) if one in found
        ]
        assert "Share on" not in found
        assert "Why apples float" not in found


def test_another_method_reads_the_zone_as_it_is() -> None:
    body = f"<main>{''.join(_long(name, number) for number, name in enumerate(WORDS))}</main>"
    found = part_of(_page(body, title="Cider"), zone_part("b"), method="sigfeed")
    assert isinstance(found, Article)
    assert "Share on" in found.text


@pytest.mark.parametrize(
    "fragment",
    [
        "",
        "top",
        "comments",
        "respond",
        "comment-3",
        "comment3",
        "more-17",
        "xtor=RSS-1",
        "!/a",
        "/a",
        ":~:text=a",
    ],
)
def test_some_fragments_mean_the_whole_page(fragment: str) -> None:
    assert fragment_part(f"http://a.test/x#{fragment}") == ""


@pytest.mark.parametrize(
    "name", ["ferry", "post-3", "p1234", "v1.2.0", "2026-11-14", "überfahrt", "commencement"]
)
def test_others_name_a_part(name: str) -> None:
    assert fragment_part(f"http://a.test/x#{name}") == name


def test_keys_and_addresses_of_parts() -> None:
    assert part_key("http://a.test/x", "") == "http://a.test/x"
    assert part_of_key(part_key("http://a.test/x", "post-3")) == "post-3"
    assert part_url("http://a.test/x", "überfahrt") == "http://a.test/x#%C3%BCberfahrt"
    assert part_url("http://a.test/x#old", zone_part("e1")) == "http://a.test/x"
