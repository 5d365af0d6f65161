"""CSS tokens: the same as those of tinycss2, wherever that follows the standard."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
import tinycss2
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tinycss2 import ast

from archiver.documents.requisites.css_tokens import FUNCTIONS, tokens

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

Path = tuple[str, ...]
Placed = tuple[Path, str, str]

BRACKETS = {ast.CurlyBracketsBlock: "{", ast.SquareBracketsBlock: "[", ast.ParenthesesBlock: "("}
VALUES = {ast.AtKeywordToken: "at", ast.StringToken: "string", ast.URLToken: "url"}

PIECES = st.sampled_from(
    [
        *(
            "url(",
            "URL(",
            'url("',
            "url('",
            "u\\72l(",
            "5url(",
            "#url(",
            "-url(",
            "url",
            "src",
            "a",
            "b.png",
            "é",
        ),
        *(
            "image-set(",
            "-webkit-image-set(",
            "format(",
            "@import",
            "@font-face",
            "@media",
            "@-x",
            "@5",
            "a\\28",
        ),
        *("\\75", "\\000075", "\\e9", "\\0", "\\110000", "\\)", '\\"', "\\'", "5", "1e3", ".5", "-5", "5px"),
        *("/*", "*/", "-->", "<!--", "--", "~=", *"\"'()[]{};:,.#@-<>/*%!$|"),
    ]
)
SPACES = st.sampled_from([" ", "\n", "\t", "\r\n", "\r", "\f", "\\\n", "\0", "\x01", "\x7f", "\\"])
STYLES = st.lists(PIECES | SPACES | st.text(max_size=3), max_size=25).map("".join)


@settings(max_examples=300, deadline=None)
@given(css=STYLES)
def test_tokens_are_those_of_tinycss2(css: str) -> None:
    assume(not departs_from_the_standard(css))
    assert placed(css) == list(reference(tinycss2.parse_component_value_list(css, skip_comments=True), ()))


def departs_from_the_standard(css: str) -> bool:
    """Where tinycss2 differs: ranges of characters, halves of pairs, and what is escaped in an address."""
    in_address = re.search(r"(?i)(u|\\)[^(]*\(", css) and re.search(r"\\[\\\n\r\f]", css)
    return bool(in_address or re.search(r"(?i)u\+|\\0*d[89a-f]", css))


def placed(css: str) -> list[Placed]:
    """Our tokens, each with the blocks that it stands in."""
    found, path = list[Placed](), list[str]()
    for token in tokens(css):
        if token.type == "open":
            path.append(token.value)
        elif token.type == "close":
            path.pop()
        else:
            found.append((tuple(path), token.type, token.value))
    return found


def reference(nodes: Sequence[ast.Node], path: Path) -> Iterator[Placed]:
    """The same of tinycss2."""
    for node in nodes:
        if isinstance(node, ast.FunctionBlock):
            name = node.name.lower()
            yield from reference(node.arguments, (*path, name if name in FUNCTIONS else "("))
        elif type(node) in BRACKETS:
            yield from reference(node.content, (*path, BRACKETS[type(node)]))
        elif type(node) in VALUES:
            value = node.value.lower() if isinstance(node, ast.AtKeywordToken) else node.value
            yield path, VALUES[type(node)], value
        elif node == ";":
            yield path, "semicolon", ";"


@pytest.mark.parametrize(
    ("css", "found"),
    [
        ("url(a\\\\) b", [("url", "a\\")]),
        # The rest of a broken address ends at the first ")" that is not escaped.
        ("url(a b\\\\) url(c)", [("url", "c")]),
        ("url(a b\\) c) url(d)", [("url", "d")]),
        ("url(a\\\nb) url(c)", [("url", "c")]),
        ("url(\\d800 )", [("url", "\ufffd")]),
        ("'a\\\nb'", [("string", "ab")]),
        ("'a\nb", []),
        ("'a\n;", [("semicolon", ";")]),
        ("'a\\", [("string", "a")]),
        ("url(a", [("url", "a")]),
        ("/* url(a) ", []),
        ("/* */ url(a) /* ' */ url(b)", [("url", "a"), ("url", "b")]),
        ("u+0url(a)", [("open", "("), ("close", ")")]),
        ("1" * 5000, []),
    ],
)
def test_tokens_follow_the_standard_where_tinycss2_does_not(css: str, found: list[tuple[str, str]]) -> None:
    assert list(tokens(css)) == found
