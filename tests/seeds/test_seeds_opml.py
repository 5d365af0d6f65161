"""Seeds as OPML."""

from __future__ import annotations

import pytest

from archiver.errors import SeedError
from tests.seeds.seed_files import Read, opml, reasons, urls


def test_folders_become_labels_from_outer_to_inner(read: Read) -> None:
    found = read(
        opml(
            '<outline text="News">',
            '<outline title="World">',
            '<outline text="A" type="rss" xmlUrl=" https://a.example/feed "/>',
            "</outline>",
            "</outline>",
            '<outline text="B" xmlUrl="https://b.example/feed"/>',
        ),
        "list.opml",
    )
    assert [(seed.url, seed.labels, seed.line) for seed in found.seeds] == [
        ("https://a.example/feed", ("News", "World"), 5),
        ("https://b.example/feed", (), 8),
    ]


def test_categories_are_labels_too(read: Read) -> None:
    found = read(opml('<outline category="/Boston/Weather, Tech" xmlUrl="https://a.example/"/>'), "l.opml")
    assert found.seeds[0].labels == ("Boston/Weather", "Tech")


def test_attribute_and_element_names_may_have_any_case(read: Read) -> None:
    found = read(b'<OPML><Body><Outline XMLURL="https://a.example/"/></Body></OPML>', "l.opml")
    assert urls(found) == ["https://a.example/"]


def test_without_a_feed_the_site_is_the_seed(read: Read) -> None:
    found = read(
        opml(
            '<outline xmlUrl="" htmlUrl="https://site.example/"/>',
            '<outline url="https://link.example/" htmlUrl="https://other.example/"/>',
        ),
        "l.opml",
    )
    assert urls(found) == ["https://site.example/", "https://link.example/"]


def test_what_is_commented_out_is_left_out(read: Read) -> None:
    found = read(
        opml(
            '<outline isComment="true"><outline xmlUrl="https://a.example/"/></outline>',
            '<!-- <outline xmlUrl="https://b.example/"/> -->',
            '<outline xmlUrl="https://c.example/"/>',
        ),
        "l.opml",
    )
    assert urls(found) == ["https://c.example/"]


def test_bad_outlines_are_reported_with_their_line(read: Read) -> None:
    found = read(
        opml(
            '<outline type="rss" text="lost"/>',
            '<outline type="include" url="https://a.example/x.opml"/>',
            '<outline xmlUrl="a.example/feed"/>',
            '<outline text="an empty folder"/>',
            '<outline xmlUrl="https://a.example/"/>',
        ),
        "l.opml",
    )
    assert reasons(found) == [
        "l.opml:3: an outline of type rss without xmlUrl",
        "l.opml:4: another OPML file is included: download it and name it as a seeds file",
        "l.opml:5: no scheme: write https://a.example/feed",
    ]
    assert urls(found) == ["https://a.example/"]


@pytest.mark.parametrize("name", ["list", "list.xml", "list.txt"])
def test_opml_is_known_by_its_content(read: Read, name: str) -> None:
    assert urls(read("\ufeff" + opml('<outline xmlUrl="https://a.example/"/>'), name))


def test_the_encoding_that_xml_declares_is_used(read: Read) -> None:
    document = '<?xml version="1.0" encoding="iso-8859-1"?><opml><body><outline text="é">'
    document += '<outline xmlUrl="https://a.example/"/></outline></body></opml>'
    assert read(document.encode("latin-1"), "l.opml").seeds[0].labels == ("é",)


def test_broken_xml_fails_with_its_line(read: Read) -> None:
    with pytest.raises(SeedError, match=r"l\.opml:3: broken XML"):
        read('<opml><body>\n<outline xmlUrl="https://a.example/"/>\n</opml>', "l.opml")


def test_bytes_that_are_not_utf8_fail_and_say_so(read: Read) -> None:
    with pytest.raises(SeedError, match=r"l\.opml:3: not UTF-8.*: save it as UTF-8"):
        read(opml('<outline text="é" xmlUrl="https://a.example/"/>').encode("latin-1"), "l.opml")


def test_a_feed_given_as_a_list_is_told_apart(read: Read) -> None:
    with pytest.raises(SeedError, match=r"is not OPML: it opens with <rss>\. A feed is named by its URL"):
        read("<rss><channel/></rss>", "feed.xml")


@pytest.mark.parametrize(
    "declarations",
    [
        '<!ENTITY x "harmless">',
        '<!ENTITY x SYSTEM "file:///etc/hostname">',
        '<!ENTITY % x SYSTEM "http://127.0.0.1:9/x.dtd"> %x;',
        '<!ENTITY a0 "aaaaaaaaaa">'
        + "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 10))
        + '<!ENTITY x "&a9;">',
    ],
)
@pytest.mark.parametrize("where", ['text="&x;"', ""])
def test_files_that_declare_entities_are_refused(read: Read, declarations: str, where: str) -> None:
    body = f'<opml><body><outline {where} xmlUrl="https://a.example/">&x;</outline></body></opml>'
    with pytest.raises(SeedError):
        read(f"<!DOCTYPE opml [{declarations}]>{body}", "l.opml")


NEWSLETTERS = {
    "a type of its own": '<outline type="newsletter" text="Tide Letter" htmlUrl="https://tide.example/"/>',
    "a type and no feed": '<outline type="newsletter" text="Tide Letter" xmlUrl="user/12/letters"/>',
    "a mailbox as an address": '<outline type="rss" text="Tide Letter" xmlUrl="mailto:tide@mail.example"/>',
    "a mailbox by itself": '<outline type="rss" text="Tide Letter" xmlUrl="tide@mail.example"/>',
    "a scheme of a reader": '<outline text="Tide Letter" xmlUrl="newsletter:12:tide@mail.example"/>',
}


@pytest.mark.parametrize("outline", NEWSLETTERS.values(), ids=NEWSLETTERS)
def test_a_newsletter_is_skipped_and_no_mistake(read: Read, outline: str) -> None:
    found = read(opml('<outline xmlUrl="https://a.example/feed"/>', outline), "list.opml")
    assert urls(found) == ["https://a.example/feed"]
    assert reasons(found) == []
    (skipped,) = found.skipped
    assert str(skipped) == "list.opml:4: Tide Letter comes by e-mail and has no feed"


def test_a_newsletter_with_a_feed_on_the_web_is_a_feed(read: Read) -> None:
    found = read(opml('<outline type="newsletter" xmlUrl="https://letters.example/1.xml"/>'), "l.opml")
    assert urls(found) == ["https://letters.example/1.xml"]
    assert found.skipped == ()


def test_an_outline_names_its_feed(read: Read) -> None:
    found = read(
        opml(
            '<outline text="Short" title="The Long Title" xmlUrl="https://a.example/"/>',
            '<outline text="Text alone" xmlUrl="https://b.example/"/>',
            '<outline xmlUrl="https://c.example/"/>',
        ),
        "l.opml",
    )
    assert [seed.title for seed in found.seeds] == ["The Long Title", "Text alone", None]
