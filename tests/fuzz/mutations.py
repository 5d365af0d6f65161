"""What the Web does to pages, and worse: damage by elements, by bytes and by labels."""

from __future__ import annotations

import copy
import re
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from hypothesis import strategies as st
from lxml import etree

from archiver.documents.pages.dom import writable
from tests.fuzz.trees import NAMES, TAGS, VALUES

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from lxml.etree import _Element as Element

    from archiver.documents.pages.model import RawPage

    Mutation = Callable[[RawPage, "Change", Sequence[RawPage]], RawPage]

# What a page of an archive may have: more is cut off here, so that the time for a page means something.
LARGEST = 2_000_000
TYPES = (
    None, "", "text/html", "text/html; charset=utf-16", "text/html; charset=ascii",
    "text/html; charset=big5", "text/html; charset=idna", "text/html; charset=koi8-r",
    "text/html; charset=utf-7", "application/json", "text/html; charset=\x00",
    "text/html; charset=unicode_escape", "image/png",
)  # fmt: skip
SCRAPS = (
    b"</div>", b"</article>", b"<div>", b"<p", b"<!--", b"-->", b"<![CDATA[", b"]]>", b"<script>",
    b"</script>", b"<style>", b"<textarea>", b"<table>", b"<td>", b"</table>", b"<select>", b"<svg>",
    b"<title>", b"</body>", b"</html>", b"<body>", b"<frameset>", b"<plaintext>", b"<base href='//['>",
    b"<a href='", b'"', b"'", b"\x00", b"\xff\xfe", b"\xc3", b"&#0;", b"&#xD800;", b"&#1114112;", b"&",
    b"\xef\xbb\xbf", b"<meta charset=utf-16>", b"<p>" * 3000, b"<div>" * 3000, b"<b><i>" * 800,
    b"<a href=x>" * 500, b"</p>" * 3000, b"<li>x" * 4000, b"<br>" * 5000, b"<span>word " * 2000,
    b"<td>a " * 2000,
)  # fmt: skip


class Change(NamedTuple):
    """One thing done to one page: where, how much, and with what, each as far as it is needed."""

    kind: str
    page: float
    where: float
    length: float
    other: float
    choice: int


_shares = st.floats(0, 1, exclude_max=True)
changes = st.lists(
    st.deferred(
        lambda: st.builds(
            Change,
            st.sampled_from(sorted(MUTATIONS)),
            _shares,
            _shares,
            _shares.map(lambda share: share**4),
            _shares,
            st.integers(0, 999),
        )
    ),
    max_size=6,
)


def mutated(pages: Sequence[RawPage], wanted: Sequence[Change]) -> tuple[RawPage, ...]:
    """The pages with all of these changes made, one after the other."""
    found = list(pages)
    for change in wanted:
        place = int(change.page * len(found))
        changed = MUTATIONS[change.kind](found[place], change, found)
        # At once: what is repeated and repeated again would outgrow any memory.
        found[place] = replace(changed, body=changed.body[:LARGEST])
    return tuple(found)


# ── By elements ──────────────────────────────────────────────────────────────────────────────────────────


def _in_tree(change: Callable[[list[Element], Change], None]) -> Mutation:
    def apply(page: RawPage, wanted: Change, _pages: Sequence[RawPage]) -> RawPage:
        tree = _tree(page)
        if tree is None:
            return page
        inner = [one for one in tree.iter("*") if one.getparent() is not None]
        if inner:
            change(inner, wanted)
        body = etree.tostring(tree, encoding="utf-8", method="html")
        return replace(page, body=body, content_type="text/html; charset=utf-8")

    return apply


def _tree(page: RawPage) -> Element | None:
    """By a parser of its own: a failure of ours is to be found where it is looked for."""
    try:
        return etree.fromstring(page.body, etree.HTMLParser(encoding="utf-8", huge_tree=True))
    except etree.XMLSyntaxError:
        return None


def _at(inner: list[Element], share: float) -> Element:
    return inner[int(share * len(inner))]


def _delete(inner: list[Element], change: Change) -> None:
    target = _at(inner, change.where)
    _parent(target).remove(target)


def _duplicate(inner: list[Element], change: Change) -> None:
    target = _at(inner, change.where)
    for _ in range(1 + change.choice % 3):
        target.addnext(copy.deepcopy(target))


def _move(inner: list[Element], change: Change) -> None:
    target, goal = _at(inner, change.where), _at(inner, change.other)
    if target is not goal and target not in goal.iterancestors():
        goal.insert(change.choice % (len(goal) + 1), target)


def _rename(inner: list[Element], change: Change) -> None:
    _at(inner, change.where).tag = TAGS[change.choice % len(TAGS)]


def _attribute(inner: list[Element], change: Change) -> None:
    value = writable(VALUES[change.choice % len(VALUES)])
    _at(inner, change.where).set(NAMES[int(change.other * len(NAMES))].partition(":")[0], value)


def _all_attributes(inner: list[Element], change: Change) -> None:
    """One strange name on many elements, as a template has it."""
    tag = _at(inner, change.where).tag
    for element in inner:
        if element.tag == tag:
            _attribute([element], change)


def _flatten(inner: list[Element], change: Change) -> None:
    etree.strip_tags(inner[0].getroottree().getroot(), _at(inner, change.where).tag)


def _parent(element: Element) -> Element:
    parent = element.getparent()
    assert parent is not None
    return parent


# ── By bytes ─────────────────────────────────────────────────────────────────────────────────────────────


def _cut_out(page: RawPage, change: Change, _pages: Sequence[RawPage]) -> RawPage:
    start = int(change.where * len(page.body))
    return replace(page, body=page.body[:start] + page.body[start + int(change.length * len(page.body)) :])


def _truncate(page: RawPage, change: Change, _pages: Sequence[RawPage]) -> RawPage:
    return replace(page, body=page.body[: int(change.where * len(page.body))])


def _insert(page: RawPage, change: Change, _pages: Sequence[RawPage]) -> RawPage:
    start = int(change.where * len(page.body))
    return replace(page, body=page.body[:start] + SCRAPS[change.choice % len(SCRAPS)] + page.body[start:])


def _unclose(page: RawPage, change: Change, _pages: Sequence[RawPage]) -> RawPage:
    """Without the end tags of one kind."""
    tag = TAGS[change.choice % len(TAGS)].encode()
    return replace(page, body=re.sub(rb"</" + tag + rb"\s*>", b"", page.body, flags=re.IGNORECASE))


def _merge(page: RawPage, change: Change, pages: Sequence[RawPage]) -> RawPage:
    """Two pages in one, as a server that answers twice sends them."""
    other = pages[int(change.other * len(pages))]
    start = int(change.where * len(page.body)) if change.choice % 2 else len(page.body)
    return replace(page, body=page.body[:start] + other.body + page.body[start:])


def _repeat(page: RawPage, change: Change, _pages: Sequence[RawPage]) -> RawPage:
    start = int(change.where * len(page.body))
    piece = page.body[start : start + 1 + int(change.length * len(page.body))]
    return replace(page, body=page.body[:start] + piece * (1 + change.choice % 50) + page.body[start:])


# ── By labels ────────────────────────────────────────────────────────────────────────────────────────────


def _relabel(page: RawPage, change: Change, _pages: Sequence[RawPage]) -> RawPage:
    return replace(page, content_type=TYPES[change.choice % len(TYPES)])


def _recode(page: RawPage, change: Change, _pages: Sequence[RawPage]) -> RawPage:
    encodings = ("utf-16", "utf-8-sig", "cp1251", "shift_jis", "utf-32-le", "latin-1", "utf-7")
    text = page.body.decode("utf-8", "replace")
    return replace(page, body=text.encode(encodings[change.choice % len(encodings)], "replace"))


def _announce(page: RawPage, change: Change, pages: Sequence[RawPage]) -> RawPage:
    """The words of another entry, or strange ones."""
    said = pages[int(change.other * len(pages))].announcement
    strange = VALUES[change.choice % len(VALUES)]
    if change.choice % 2:
        said = replace(said, title=strange, summary=strange, content=strange)
    return replace(page, announcement=said)


MUTATIONS: dict[str, Mutation] = {
    "announce": _announce,
    "attribute": _in_tree(_attribute),
    "attributes": _in_tree(_all_attributes),
    "cut out": _cut_out,
    "delete": _in_tree(_delete),
    "duplicate": _in_tree(_duplicate),
    "flatten": _in_tree(_flatten),
    "insert": _insert,
    "merge": _merge,
    "move": _in_tree(_move),
    "recode": _recode,
    "relabel": _relabel,
    "rename": _in_tree(_rename),
    "repeat": _repeat,
    "truncate": _truncate,
    "unclose": _unclose,
}
