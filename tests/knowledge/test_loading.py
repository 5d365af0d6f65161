"""The knowledge base: its files, their hierarchy, and what is said of those that cannot be used."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from archiver.acquisition.sites.knowledge import BUILTIN
from archiver.acquisition.sites.knowledge.loading import load_knowledge, loaded_knowledge
from archiver.errors import FileFlaws, ReadingFault

if TYPE_CHECKING:
    from pathlib import Path

CATEGORY = """
type: blog
category: blog
avoid: {query: [share]}
same: {drop: [utm]}
levels:
  - {name: post, kind: terminal, extract: [{field: title, path: h1}]}
"""
APPLICATION = """
type: quill
name: Quill
category: blog
detect: ["meta[@name='generator'][contains(@content,'Quill')]"]
avoid: {path: /admin/}
same: {canonical: true}
lists: [{feed: paged, to: post}]
levels:
  - name: list
    kind: intermediate
    order: newest
    detect: body.index
    follow: [{id: posts, to: post, path: h2/a/@href}]
  - name: post
    kind: terminal
    detect: body.post
    extract:
      - {field: title, path: [h1.title, h1]}
      - {field: body, as: html, expect: one, path: div.text}
"""
SITE = """
type: ferry-blog
parent: quill
site: [ferry.example, 'https://islands.example/blog/']
levels:
  - name: post
    extract: [{field: body, as: html, path: article}]
"""


def folder(place: Path, **files: str) -> str:
    place.mkdir(exist_ok=True)
    for name, text in files.items():
        (place / f"{name}.yaml").write_text(text)
    return str(place)


def flaws_of(*sources: str) -> list[str]:
    with pytest.raises(FileFlaws) as caught:
        load_knowledge(sources)
    return [str(flaw).partition("/base/")[2] for flaw in caught.value.flaws]


def test_the_base_that_is_shipped_can_be_loaded() -> None:
    base = load_knowledge([BUILTIN])
    assert base.types["wordpress"].title == "WordPress"
    assert base.digest == load_knowledge([BUILTIN]).digest


def test_a_type_has_what_those_above_it_have_and_its_own_wins(tmp_path: Path) -> None:
    base = load_knowledge([folder(tmp_path / "base", blog=CATEGORY, quill=APPLICATION, site=SITE)])
    site = base.types["ferry-blog"]
    assert base.ancestry["ferry-blog"] == ("ferry-blog", "quill", "blog")
    assert site.category == "blog"
    assert [rule.path or rule.query for rule in site.avoid] == [("/admin/",), ("share",)]
    assert (site.same.canonical, site.same.drop) == (True, ("utm",))
    assert [source.kind for source in site.lists] == ["feed"]
    post = site.level("post")
    assert post is not None
    assert post.is_terminal
    assert [(action.key, [str(path) for path in action.path]) for action in post.extract] == [
        ("body", ["article"]),
        ("title", ["h1.title", "h1"]),
    ]
    assert site.detect == ()
    assert [level.name for level in site.levels] == ["post", "list"]


def test_later_files_win(tmp_path: Path) -> None:
    first = folder(tmp_path / "base", quill=APPLICATION.replace("name: Quill", "name: Old"))
    second = folder(tmp_path / "mine", other=APPLICATION)
    assert load_knowledge([first]).types["quill"].title == "Old"
    both = load_knowledge([first, second])
    assert both.types["quill"].title == "Quill"
    assert both.files["quill"].endswith("other.yaml")
    assert both.digest != load_knowledge([first]).digest


def test_another_process_loads_the_same_base_once(tmp_path: Path) -> None:
    source = folder(tmp_path / "base", quill=APPLICATION)
    base = load_knowledge([source])
    assert loaded_knowledge((source,), base.digest) is loaded_knowledge((source,), base.digest)
    with pytest.raises(ReadingFault, match="changed while a run uses it"):
        loaded_knowledge((source,), "another")


FLAWS = {
    "type: x\ncategory: blgo\n": "a.yaml:2:11: blgo is not possible here: did you mean blog?",
    "type: x\ncategory: blog\nlevels:\n  - name: post\n    kind: terminal\n    extract:\n"
    "      - {field: titel, path: h1}\n": "a.yaml:7:17: titel is not possible here: did you mean title?",
    "type: x\ncategory: blog\ndetekt: []\n": (
        "a.yaml:3:1: The key detekt is not known here: did you mean detect?"
    ),
    "type: ../x\ncategory: blog\n": "a.yaml:1:7: ../x is not a valid name",
    "type: x\n": "a.yaml:1:7: The type has no category: add category: blog",
    "category: blog\n": "a.yaml:1:1: Missing here: type",
    "type: x\ncategory: blog\nformat: 2\n": "a.yaml:3:9: Format 2 is not known: this version reads 1",
    "type: x\ncategory: blog\nparent: wordpres\n": "a.yaml:3:9: There is no type wordpres",
    "type: x\ncategory: blog\nparent: x\n": "a.yaml:3:9: Circular parents: x → x",
    "type: x\ncategory: blog\navoid: {shape: 'a(?=b)'}\n": (
        "a.yaml:3:16: a(?=b) is not a regular expression: invalid perl operator: (?="
    ),
    "type: x\ncategory: blog\nlists: [{feed: paged, page: /a}]\n": (
        "a.yaml:3:9: A list needs exactly one of sitemap, feed, api and page"
    ),
    "type: x\ncategory: blog\nsite: ['ftp://x/']\n": "a.yaml:3:7: ftp://x/ is neither a host nor a URL",
    "type: x\ncategory: blog\nlevels: [{name: a}]\n": (
        "a.yaml:3:10: The level a has no kind: add kind: intermediate or terminal"
    ),
    "type: x\ncategory: blog\nlevels:\n"
    "  - {name: post, kind: terminal, follow: [{id: a, to: pots, path: a}]}\n": (
        "a.yaml:4:55: There is no level pots: did you mean post?"
    ),
    "type: x\ncategory: blog\nlevels:\n  - name: a\n    kind: terminal\n    extract:\n"
    "      - {field: title, path: [h1, \"p[contain(.,'x')]\"]}\n": (
        "a.yaml:7:38: contain() is not part of this language: did you mean contains()?"
    ),
    "type: x\ncategory: blog\nlevels:\n  - name: a\n    kind: terminal\n    extract:\n"
    "      - {field: title, path: h1}\n      - {field: title, path: h2}\n": (
        "a.yaml:7:7: Duplicate title in extract: give each an id of its own"
    ),
    "type: x\ncategory: blog\nlevels:\n  - {name: a, kind: terminal}\n  - {name: a, kind: terminal}\n": (
        "a.yaml:5:12: Duplicate level a"
    ),
    "type: x\ncategory: blog\ndetect: [*.x]\n": (
        "a.yaml:3:11: This is not YAML: did not find expected alphabetic"
    ),
    "type: x\ncategory: blog\ndetect: [p, '*.abc', \"a[@id='x']\"]\n": (
        "a.yaml:3:10: A type needs an attribute of a named element"
    ),
    "type: x\ncategory: blog\ndetect: [{all: a, weight: much}]\n": "a.yaml:3:27: much is not a number",
    "type: x\ncategory: blog\nsame: {canonical: yes}\n": (
        "a.yaml:3:19: yes is neither true nor false: write true or false"
    ),
    "- a\n": "a.yaml:1:1: Keys with values must stand here: such as type, format, name",
}


@pytest.mark.parametrize(("text", "expected"), FLAWS.items(), ids=range(len(FLAWS)))
def test_a_flaw_has_its_place_and_what_to_do(text: str, expected: str, tmp_path: Path) -> None:
    found = flaws_of(folder(tmp_path / "base", a=text))
    assert len(found) == (3 if "needs an attribute" in expected else 1)
    assert found[0].startswith(expected)


def test_all_flaws_are_told_at_once_and_nothing_is_loaded(tmp_path: Path) -> None:
    wrong = "type: x\ncategory: blgo\ndetekt: []\nlevels:\n  - {nam: a}\n"
    found = flaws_of(folder(tmp_path / "base", a=wrong, b="type: y\n- z\n", c=APPLICATION))
    assert [one.partition(": ")[0] for one in found] == [
        "a.yaml:2:11",
        "a.yaml:3:1",
        "a.yaml:5:5",
        "a.yaml:5:6",
        "b.yaml:2:1",
    ]


def test_two_types_of_one_name_are_refused(tmp_path: Path) -> None:
    found = flaws_of(folder(tmp_path / "base", a=APPLICATION, b=APPLICATION))
    assert found[0].startswith("b.yaml:2:7: The type quill is also in ")


def test_parents_that_go_round_are_refused(tmp_path: Path) -> None:
    found = flaws_of(
        folder(
            tmp_path / "base",
            a="type: a\ncategory: blog\nparent: b\n",
            b="type: b\ncategory: blog\nparent: a\n",
        )
    )
    assert found == [
        "a.yaml:3:9: Circular parents: a → b → a",
        "b.yaml:3:9: Circular parents: b → a → b",
    ]


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileFlaws, match=r"nowhere\.yaml:1:1: The file cannot be read: No such file"):
        load_knowledge([str(tmp_path / "nowhere.yaml")])
