"""Styles of the archive in files of ours: they load nothing, end nothing, and stay where they are put."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archiver.documents.requisites.harmless import harmless_declarations, harmless_sheet, imports_in


def squeezed(css: str) -> str:
    return re.sub(r"\s+", "", harmless_sheet(css))


@pytest.mark.parametrize(
    ("css", "left"),
    [
        ("p { color: red }", "p{color:red}"),
        ("p{background:#fff url(http://evil.example/x.png) no-repeat}", "p{background:#fffnoneno-repeat}"),
        ("p{background:URL( 'x' )}", "p{background:none}"),
        (r"p{background:u\72l(http://evil.example)}", "p{background:none}"),
        (r"p{background:\000075\52 l(http://evil.example)}", "p{background:none}"),
        ("p{background:u/**/rl(x)}", "p{background:url(x)}"),  # which is "u rl(x)": no address
        ("p{--x:url(x)}", "p{--x:none}"),
        ('p{background:image-set("x.png" 1x, url(y.png) 2x);top:0}', "p{background:none;top:0}"),
        ("p{background:-webkit-cross-fade(url(a),url(b),50%)}b{top:0}", "p{background:none}b{top:0}"),
        ('p{background:src("http://evil.example")}', "p{background:none}"),
        ('@import "evil.css";p{top:0}', "p{top:0}"),
        (r'@\69mport "evil.css";p{top:0}', "p{top:0}"),
        ("@import url(evil.css) screen;p{top:0}", "p{top:0}"),
        ('p{top:0}@media screen{@import "x";b{top:0}}', "p{top:0}@mediascreen{b{top:0}}"),
        ("@font-face{font-family:x;src:url(x.woff2)}p{top:0}", "p{top:0}"),
        ('@charset "utf-8";@namespace url(http://x);@unknown x{y{}}p{top:0}', "p{top:0}"),
        ("p{width:expression(alert(1));behavior:url(x.htc)}", "p{width:none;x-none:none}"),
        (r"p{-moz-b\69nding:url(x.xml#y)}", "p{x-none:none}"),
        ("p{z-index:2147483647 !important;top:0}", "p{z-index:auto;top:0}"),
        (r"p{z-\69ndex:calc(1 + 1)}b{z-index : var(--x)}", "p{z-index:auto}b{z-index:auto}"),
        ("p{z-index: -1}b{z-index:100!important}", "p{z-index:-1}b{z-index:100!important}"),
        ("p{}} .archiver-banner{display:none}", "p{}.archiver-banner{display:none}"),
        ("@media screen{p{top:0", "@mediascreen{p{top:0}}"),
        ("p{top:calc((1px}b{left:0}", "p{top:calc((1px))}b{left:0}"),
        ("<!-- p{top:0} --> /* open", "p{top:0}"),
        ("@media (400px <= width < 60em){p{top:0}}", "@media(400px<=width<60em){p{top:0}}"),
        ("@media(min-width:1px){p{top:0}}", "@media(min-width:1px){p{top:0}}"),
        ("a>b~c+d|e[f^='g' i]:not(.h)::x{content:'\\201C'}", 'a>b~c+d|e[f^="g"i]:not(.h)::x{content:"“"}'),
        ("@keyframes x{from{top:0}50.5%{top:-1.5px}}", "@keyframesx{from{top:0}50.5%{top:-1.5px}}"),
        ("p{top:0}\0", "p{top:0}"),
    ],
)  # fmt: skip
def test_what_is_left_of_a_style(css: str, left: str) -> None:
    assert squeezed(css) == left


def test_names_with_escapes_are_the_same_names() -> None:
    assert harmless_sheet(r".sm\:flex{top:0}") == r".sm\3a flex{top:0}"
    assert harmless_sheet(r".\31 0{top:0}") == r".\31 0{top:0}"
    assert harmless_sheet(".größe{top:0}") == ".größe{top:0}"


@pytest.mark.parametrize("end", ["</style>", "</STYLE >", r"<\/style>", "<!--", "<script>", r"\3c/style>"])
def test_no_style_ends_the_element_that_it_stands_in(end: str) -> None:
    for css in (end, f"p{{content:'{end}'}}", f"p{{{end}}}", f"/*{end}*/", f"p[x={end}]{{}}"):
        assert not re.search(r"<\S", re.sub(r"<=", "", harmless_sheet(css))), css


def test_addresses_that_there_is_something_for_are_replaced() -> None:
    held = {"x.png": "data:image/png;base64,AAAA"}
    css = "p{background:url(x.png)}b{background:url('y.png')}i{background:url(x\\.png)}"
    made = harmless_sheet(css, held.get)
    assert made.replace(" ", "") == (
        'p{background:url("data:image/png;base64,AAAA")}b{background:none}'
        'i{background:url("data:image/png;base64,AAAA")}'
    )


def test_what_stands_for_an_address_cannot_end_it() -> None:
    assert (
        harmless_sheet("p{a:url(x)}", lambda _: 'data:,")}</style>')
        == r'p{a:url("data:,\22 )}\3c /style\3e ")}'
    )


def test_a_style_attribute_is_declarations_and_nothing_else() -> None:
    made = harmless_declarations(
        "color:red!important;background:url(x);} p{top:0} ;z-index:99999999 ! Important"
    )
    assert re.sub(r"\s+", "", made) == "color:red;background:none;ptop:0;z-index:auto"


def test_imports_are_read_with_their_media_and_only_before_rules() -> None:
    css = """@charset "utf-8"; /* x */ @layer a, b; @import url(one.css);
    @import "two.css" screen and (min-width: 3em);
    @import url('three.css') layer(x) supports(display: grid) print;
    p{} @import "late.css";"""
    assert imports_in(css) == [
        ("one.css", ""),
        ("two.css", "screen and (min-width: 3em)"),
        ("three.css", "print"),
    ]


_PIECES = st.sampled_from([
    "{", "}", "(", ")", "[", "]", ";", ":", "'", '"', "\\", "\n", "/*", "*/", "@import ", "@media ", "url(",
    "u\\72l(", "src(", "expression(", "</style>", "<!--", "-->", "z-index", "2147483647", "!important", "x",
    "#a", "é", "\\7d ", "image-set(", " ", ",", "data:image/png,", "http://evil.example/",
])  # fmt: skip


@given(st.lists(_PIECES, max_size=40).map("".join))
def test_whatever_is_put_together_is_balanced_and_loads_nothing(css: str) -> None:
    for made in (harmless_sheet(css), harmless_declarations(css)):
        bare = re.sub(r'"[^"]*"', '""', re.sub(r"\\[0-9a-f]+ ", "e", made))
        assert [bare.count(one) for one in "{[("] == [bare.count(one) for one in "}])"]
        assert not re.search(r"(?i)\b(?:url|src|expression|image-set)\(|@import|/\*|<[^\s=]", bare)
        depth = 0
        for sign in re.findall(r"[{}]", bare):
            depth += 1 if sign == "{" else -1
            assert depth >= 0
        # Written once more it stays as it is: what was meant is what is read.
        assert re.sub(r"\s+", "", harmless_sheet(made)) == re.sub(r"\s+", "", made)
