"""Files of wrappers: what is refused, where, and what to write instead; and round trips."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from archiver.errors import FileFlaws
from archiver.fields.files import (
    keep_in_history,
    load_wrappers,
    read_wrapper,
    save_wrapper,
    write_wrapper,
)
from archiver.fields.model import Field, FieldExample, FieldRule, PieceOf, Take
from archiver.fields.naming import label_of, wrapper_digest
from archiver.fields.statements import statement_flaw
from tests.fields.pages import rule, wrapper

if TYPE_CHECKING:
    from pathlib import Path

BOOKSHOP = """\
wrapper: bookshop
scope: {site: books.example, url: '/book/*'}
objects: true
fields:
  - field: price
    type: price
    required: true
    rules:
      - //*[@itemprop='price']/@content
      - {path: "dt[.='Price']/following-sibling::dd[1]", take: {after: 'x: y', before: '('}}
  - field: isbn
    type: isbn
    rules: {statement: Book.isbn}
    examples: [{url: 'https://books.example/book/1', value: '978'}]
"""


def flaws(text: str) -> list[str]:
    with pytest.raises(FileFlaws) as caught:
        read_wrapper(text.encode(), "b.yaml")
    return [str(flaw) for flaw in caught.value.flaws]


def test_a_file_is_read_and_written_back() -> None:
    read = read_wrapper(BOOKSHOP.encode(), "b.yaml").value
    assert [(one.field, len(one.rules)) for one in read.fields] == [("price", 2), ("isbn", 1)]
    written = write_wrapper(read)
    assert read_wrapper(written, "b.yaml").value == read
    assert b"- //*[@itemprop='price']/@content\n" in written


@given(
    st.text(max_size=30), st.text(max_size=30), st.sampled_from(["(a)", "x: (\\d+)", "'(.)\""]), st.booleans()
)
def test_whatever_a_wrapper_holds_survives_its_file(after: str, value: str, match: str, flag: bool) -> None:
    take = Take(after=after, before=value, match=match, split=PieceOf(by=after, nth=-1))
    fields = (
        Field(
            field="a", many=flag, required=flag, rules=(rule("//b[.='no']/@*"), FieldRule(statement="A.b"))
        ),
        Field(field="b", type="isbn", rules=(rule("dd", take),), versioned=flag),
        Field(field="c", day_first=flag, type="date", rules=(rule("dd | dt"),)),
        Field(
            field="d",
            type="enum",
            values=("no", value or "~", "1"),
            rules=(rule("dd"),),
            examples=(FieldExample(url="u", value=value),),
        ),
    )
    made = wrapper(*fields)
    assert read_wrapper(write_wrapper(made), "b.yaml").value == made


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("rules: {st", "rulse: {st", "b.yaml:13:5: The key rulse is not known here: did you mean rules?"),
        ("type: isbn", "type: isnb", "b.yaml:12:11: isnb is not possible here: did you mean isbn?"),
        ("'/book/*'", "book", "b.yaml:2:35: book is not a form of paths, as in /book/*"),
        ("wrapper: bookshop", "wrapper: Book shop", "b.yaml:1:10: Book shop is not a name"),
        ("field: isbn", "field: price", "b.yaml:11:12: The field price stands here twice"),
        ("field: isbn", "field: ISBN", "b.yaml:11:12: ISBN is not a name of a field"),
        ("Book.isbn", "isbn", "b.yaml:13:24: isbn is not a type and its properties"),
        ("{statement: Book.isbn}", "[]", "isbn has 0 rules: 1 to 8 are possible"),
        ("{statement: Book.isbn}", "{take: {after: a}}", "A rule has either a path or a statement"),
        ("after: 'x: y'", "match: '(a)(b)'", "b.yaml:10:72: A pattern has one group, not 2"),
        ("after: 'x: y'", "match: '(a'", "(a is not a regular expression"),
        ("after: 'x: y'", "match: '(a{1000}){1000}'", "is not a regular expression"),
        ("after: 'x: y'", "match: '(?=a)(b)'", "is not a regular expression"),
        ("//*[@itemprop='price']/@content", "//p[count(preceding::p)=5]", "count() is not part of this"),
        ("//*[@itemprop='price']/@content", "//preceding::p", "not"),
        ("//*[@itemprop='price']/@content", "/" + "/a" * 300, "characters: 512 are the most"),
        ("{site: books.example, url: '/book/*'}", "{}", "A scope names a channel, a site or a form"),
        ("objects: true", "format: 2", "Format 2 is not known: this version reads 1"),
        ("objects: true", "objects: &a true", "Anchors and aliases are not used here"),
    ],
)
def test_a_flaw_is_told_with_its_place(old: str, new: str, told: str) -> None:
    assert BOOKSHOP.count(old) == 1
    assert any(told in flaw and flaw.startswith("b.yaml:") for flaw in flaws(BOOKSHOP.replace(old, new)))


def test_a_billion_laughs_are_refused_at_the_first() -> None:
    lines = [f"{new}: &{new} [{','.join([f'*{old}'] * 9)}]" for old, new in pairwise("abcdefghi")]
    (told,) = flaws("\n".join(['a: &a ["lol","lol"]', *lines]))
    assert told.startswith("b.yaml:1:4: Anchors and aliases are not used here: &a: write quotes")


def test_a_flaw_of_one_file_costs_no_other(tmp_path: Path) -> None:
    save_wrapper(tmp_path, wrapper(Field(field="a", rules=(rule("b"),)), name="good"))
    (tmp_path / "bad.yaml").write_text("wrapper: bad\nscpoe: {}\n")
    (tmp_path / "other.yaml").write_text(BOOKSHOP)
    loaded = load_wrappers(tmp_path)
    assert [one.wrapper for one in loaded.wrappers] == ["good"]
    files = [flaw.place.file.rpartition("/")[2] for flaw in loaded.flaws]
    assert files == ["bad.yaml", "bad.yaml", "other.yaml"]
    assert loaded.flaws[-1].suggestion == "name the file bookshop.yaml"
    assert load_wrappers(tmp_path / "missing").wrappers == ()


def test_a_digest_is_of_what_decides_the_values(tmp_path: Path) -> None:
    made = read_wrapper(BOOKSHOP.encode(), "b.yaml").value
    fields = tuple(msgspec.structs.replace(one, examples=()) for one in made.fields)
    assert wrapper_digest(msgspec.structs.replace(made, fields=fields)) == wrapper_digest(made)
    assert wrapper_digest(msgspec.structs.replace(made, fields=made.fields[:1])) != wrapper_digest(made)
    kept = keep_in_history(tmp_path, made)
    assert kept.name == f"{label_of(made).replace('/', '-')}.yaml"
    assert read_wrapper(kept.read_bytes(), "b.yaml").value == made


def test_a_statement_that_is_too_long_is_refused() -> None:
    assert "characters: 200 are the most" in statement_flaw(f"A.{'b' * 300}")
