"""Methods that other packages add by entry points: their facts, and errors that say what to do."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from archiver.articles.methods import registry
from archiver.articles.methods.extraction import extract
from archiver.articles.methods.registry import extractor_of, facts_of, is_usable, method_names, method_of
from archiver.articles.model import Article
from archiver.documents.pages.model import RawPage
from archiver.errors import ConfigurationError, ExtractionError
from tests.extract.pages import ANNOUNCEMENT, BODY, TITLE, URL, page

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

FACTS = """
from archiver.articles.methods.registry import MethodFacts
WHOLE = MethodFacts(path="toy_whole:Whole", about="all of it", version=3)
SHORT = MethodFacts(path="toy_whole:SHORT", about="no answer at all")
NEEDY = MethodFacts(path="toy_whole:Whole", about="all of it", needs=("lxml", "no_such.module"))
NUMBER = 1
"""
METHOD = """
from archiver.articles.model import Found, Selection


class Whole:
    def find(self, pages, memory):
        return Found(selections=[Selection(node=one.cleaned, confidence=1.0, evidence={}) for one in pages])

    def find_known(self, pages, memory):
        return self.find(pages, memory)


class Short(Whole):
    def find(self, pages, memory):
        return Found(selections=[])


SHORT = Short()
"""


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Add a package with these entry points."""
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "toy_facts.py").write_text(FACTS)
    (tmp_path / "toy_whole.py").write_text(METHOD)
    for name in ("toy_facts", "toy_whole"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    for one in (registry._others, registry._facts_from_outside, registry.method_of):
        one.cache_clear()

    def add(package: str = "toy", **points: str) -> None:
        folder = tmp_path / f"{package}-1.dist-info"
        folder.mkdir()
        (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1\n")
        lines = [f"{name.replace('_', '-')} = {value}" for name, value in points.items()]
        (folder / "entry_points.txt").write_text("\n".join(["[archiver.methods]", *lines]))

    return add


def test_a_package_adds_a_method_and_its_facts_are_read_without_it(install: Callable[..., None]) -> None:
    install(toy_whole="toy_facts:WHOLE")
    assert method_names()[-1] == "toy-whole"
    assert extractor_of("toy-whole") == "toy-whole/3"
    assert (facts_of("toy-whole").about, facts_of("toy-whole").module) == ("all of it", "toy_whole")
    assert "toy_whole" not in sys.modules
    raw = RawPage(url=URL, body=page(f"<div><h1>{TITLE}</h1>{BODY}</div>"), announcement=ANNOUNCEMENT)
    (found,) = extract([raw], "toy-whole")
    assert isinstance(found, Article)
    assert found.method == "toy-whole"
    assert "toy_whole" in sys.modules


def test_a_method_that_does_not_answer_for_every_page_is_told(install: Callable[..., None]) -> None:
    install(short="toy_facts:SHORT")
    raw = RawPage(url=URL, body=page(f"<div>{BODY}</div>"))
    with pytest.raises(ExtractionError, match="method short gave 0 answers for 2 pages"):
        extract([raw, raw], "short")


def test_a_name_of_ours_stays_ours(install: Callable[..., None]) -> None:
    install(article="toy_facts:WHOLE")
    assert method_names().count("article") == 1
    assert type(method_of("article")).__module__ == "archiver.articles.methods.article.method"


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("other", "toy_facts:WHOLE", "method toy is not known: choose from article, .*, description, other"),
        ("toy", "toy_facts:NUMBER", "method toy cannot be used: toy_facts:NUMBER is not a MethodFacts"),
        ("toy", "toy_facts:NONE", "method toy cannot be used, toy_facts:NONE fails: AttributeError"),
        ("toy", "nowhere:FACTS", "method toy cannot be used, nowhere:FACTS fails: ModuleNotFoundError"),
        ("toy", "toy_facts:NEEDY", r"method toy needs no_such\.module: install it first"),
    ],
)
def test_a_method_that_cannot_be_used_says_why(
    install: Callable[..., None], name: str, value: str, told: str
) -> None:
    install(**{name: value})
    with pytest.raises(ConfigurationError, match=told):
        facts_of("toy")
    assert not is_usable("toy")


@pytest.mark.parametrize("name", ["feed", "fragment", "Loud", "a/b"])
def test_names_that_objects_could_not_tell_apart_are_refused(install: Callable[..., None], name: str) -> None:
    install(**{name: "toy_facts:WHOLE"})
    with pytest.raises(ConfigurationError, match=f"method {name} of toy_facts:WHOLE cannot have this name"):
        facts_of(name)


def test_two_packages_with_one_name_are_told(install: Callable[..., None]) -> None:
    install("one", toy="toy_facts:WHOLE")
    install("two", toy="toy_facts:SHORT")
    with pytest.raises(ConfigurationError, match="in toy_facts:SHORT and in toy_facts:WHOLE: uninstall"):
        facts_of("toy")
