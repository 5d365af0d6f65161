"""What a style sheet needs: imports, images and fonts, and nothing that only looks like an address."""

from __future__ import annotations

import pytest

from archiver.documents.requisites.css import decode_style, style_requisites

URL = "https://example.org/css/main.css"


def needed(css: str | bytes, content_type: str | None = "text/css") -> list[tuple[str, str]]:
    body = css.encode() if isinstance(css, str) else css
    found = style_requisites(body, url=URL, content_type=content_type)
    return [(one.kind, one.url.removeprefix("https://example.org/css/")) for one in found]


@pytest.mark.parametrize(
    "rule",
    [
        '@import "a.css";',
        "@import 'a.css' screen and (min-width: 10em);",
        "@import url(a.css);",
        "@IMPORT URL( 'a.css' ) layer(base) supports(background: url(no.png)) print;",
        '@import/**/"a.css"',
        '@\\69mport "\\61.css";',
        '@charset "utf-8"; @layer one, two; @import "a.css";',
        '<!-- @import "a.css"; -->',
    ],
)
def test_an_import_in_any_form_is_a_style(rule: str) -> None:
    assert needed(rule) == [("style", "a.css")]


@pytest.mark.parametrize(
    "css",
    [
        '/* @import "a.css"; */',
        "@import print;",
        "@import;",
        "@important 'a.css';",
    ],
)
def test_an_import_that_no_browser_follows_is_none(css: str) -> None:
    assert needed(css) == []


@pytest.mark.parametrize(
    "css",
    [
        'p { color: red } @import "a.css";',
        '@media print { @import "a.css"; }',
        '@namespace "http://www.w3.org/1999/xhtml"; @import "a.css";',
    ],
)
def test_an_import_too_late_for_browsers_is_fetched_all_the_same(css: str) -> None:
    assert needed(css) == [("style", "a.css")]


@pytest.mark.parametrize(
    "css",
    [
        # A string ends with its line, a comment and an address with the style, whatever was meant.
        "p { content: 'never closed\n; background: url(a.png) }",
        "p { content: '\\'' url(a.png) }",
        '/* url(no.png) */ p { content: "/*"; background: url(a.png) } /* \' */',
        "p { background: url(a b\\) c) url(a.png",
        "p { background: url(a.png",
        'p { background: url("a.png',
    ],
)
def test_what_is_broken_hides_nothing_behind_it(css: str) -> None:
    assert needed(css) == [("image", "a.png")]


def test_an_import_has_one_address() -> None:
    assert needed('@import "a.css" "b.css" url(c.css); @import url(d.css);') == [
        ("style", "a.css"),
        ("style", "d.css"),
    ]


@pytest.mark.parametrize(
    "declaration",
    [
        "background: #fff url(a.png) no-repeat",
        "background: url( 'a.png' )",
        'background: URL("a.png" )',
        "background: u\\52 l(a.png)",
        "background: url(\\61\\.png)",
        "background: url('a\\\n.png')",
        "background: /* url(no.png) */ url(a.png)",
        "--picture: url(a.png)",
        "background: image-set('a.png' type('image/png') 1x)",
        "background: -webkit-image-set(url(a.png) 1x)",
        "background: linear-gradient(red, blue), url(a.png)",
        "filter: url(a.png#part)",
        "content: 'url(no.png)' url(a.png)",
    ],
)
def test_an_address_in_a_declaration_is_an_image(declaration: str) -> None:
    assert needed(f"p {{ {declaration} }}") == [("image", "a.png")]
    assert needed(f"@media screen {{ p {{ color: red; {declaration}") == [("image", "a.png")]


@pytest.mark.parametrize(
    "css",
    [
        "@namespace svg url(http://www.w3.org/2000/svg);",
        "@supports (background: url(a.png)) { p { color: red } }",
        "@media x { @supports (background: url(a.png)) { p { color: red } } }",
        "@-moz-document url(http://example.org/) { p { color: red } }",
        "p { content: 'url(a.png)' }",
        "p { fill: url(#gradient); mask: url('#mask') }",
        "p { background: url() url('') url( ) }",
        "p { background: url(data:image/png;base64,AAAA) url(blob:x) url(about:blank) }",
        "p { background: url(a b.png) }",
        "p { background: xurl(a.png) #url(b.png) 5url(c.png) }",
        "p { background: var(--a, 'a.png') }",
    ],
)
def test_what_only_looks_like_an_address_is_not_needed(css: str) -> None:
    assert needed(css) == []


def test_addresses_are_relative_to_the_style() -> None:
    found = style_requisites(
        b"p { background: url(../a.png?x=1#y), url(//cdn.example/b.png), url('c d.png'), url(main.css) }",
        url=URL,
        content_type=None,
    )
    assert [one.url for one in found] == [
        "https://example.org/a.png?x=1",
        "https://cdn.example/b.png",
        "https://example.org/css/c%20d.png",
    ]


@pytest.mark.parametrize(
    ("sources", "font"),
    [
        ("src: local('A'), url(a.woff2) format('woff2'), url(a.woff) format('woff')", "a.woff2"),
        ("src: url(a.woff), url(a.woff2?v=3#x)", "a.woff2?v=3"),
        ("src: url(a.ttf) format('truetype'), url(b) format('woff')", "b"),
        (
            "src: url(a.eot); src: url(a.eot?#iefix) format('embedded-opentype'), url(a.ttf), url(a.svg#a)",
            "a.ttf",
        ),
        ("src: url(a.woff2); src: url(a.otf); font-family: 'A'", "a.otf"),
        ("src: url(a.eot)", "a.eot"),
        ("src: url('a.php?font=1')", "a.php?font=1"),
    ],
)
def test_one_file_of_each_font_is_needed(sources: str, font: str) -> None:
    assert needed(f"@font-face {{ font-family: A; {sources} }}") == [("font", font)]
    assert needed(f"@media x {{ @FONT-FACE {{ {sources}") == [("font", font)]


def test_a_font_that_the_style_holds_needs_no_file() -> None:
    assert needed("@font-face { src: url(a.woff2), url(data:font/woff2;base64,AAAA) format('woff2') }") == []


def test_every_face_has_its_font_and_images_go_on_after_it() -> None:
    css = "@font-face{src:url(a.woff2)} @font-face{src:url(b.woff2)} p{background:url(c.png)}"
    assert needed(css) == [("image", "c.png"), ("font", "a.woff2"), ("font", "b.woff2")]


def test_each_address_is_needed_once_and_as_what_matters_most() -> None:
    css = '@import "a"; p{background:url(b) url(a) url(b#c)} @font-face{src:url(b)}'
    assert needed(css) == [("style", "a"), ("image", "b")]


@pytest.mark.parametrize(
    ("css", "content_type"),
    [
        ("p{background:url(é.png)}".encode(), None),
        ("p{background:url(é.png)}".encode("latin-1"), "text/css; charset=iso-8859-1"),
        ('@charset "iso-8859-1";p{background:url(é.png)}'.encode("latin-1"), "text/css"),
        ('@charset "nonsense";p{background:url(é.png)}'.encode(), "text/css"),
        ('@charset "base64";p{background:url(é.png)}'.encode(), "text/css"),
        # It can be read, so it is in no encoding of two bytes a character.
        ('@charset "utf-16";p{background:url(é.png)}'.encode(), "text/css"),
        ("\ufeffp{background:url(é.png)}".encode("utf-16-le"), "text/css; charset=utf-8"),
        ("\ufeffp{background:url(é.png)}".encode(), "text/css; charset=koi8-r"),
    ],
)
def test_the_encoding_is_that_of_the_mark_the_header_or_the_style(
    css: bytes, content_type: str | None
) -> None:
    assert needed(css, content_type) == [("image", "%C3%A9.png")]


def test_the_header_counts_more_than_the_style() -> None:
    css = '@charset "koi8-r"; é'.encode("cp1250")
    assert decode_style(css, "text/css; charset=windows-1250").endswith("é")
    assert decode_style('@charset "koi8-r"; Ж'.encode("koi8-r"), "text/css").endswith("Ж")
