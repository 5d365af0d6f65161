"""The tasks that read pages of forms: the form itself, answers, and what answers have in common."""
# ruff: noqa: PLC0415 - what performs them is imported by workers alone

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from archiver.acquisition.forms.answers import AnswerPageRead
from archiver.acquisition.forms.model import Answered, Probe, ProbedInput
from archiver.archive.warc.reader import read_response
from archiver.documents.pages.forms.finding import PageForms  # noqa: TC001 - msgspec reads annotations
from archiver.records.model import AnswerPage, ListedRecord, RecordValue, RecordWrapper
from archiver.running.workers import DocumentTask, Task

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lxml.etree import _Element as Element


_MOST_WORDS = 400
# What an answer says stands elsewhere.
_UNSAID = ("form", "script", "style")
# Of the texts of an answer to nonsense: what has as many of them is one as well. Guess.
_NEARLY_ALL = 0.8


class FormPageRead(msgspec.Struct, frozen=True, kw_only=True):
    """The forms of a page, and its words."""

    forms: PageForms | None = None
    words: tuple[str, ...] = ()
    language: str = ""
    number: int = 0  # of the form that was asked for by an expression; 0: there is none
    problem: str = ""


class ReadFormPage(DocumentTask[FormPageRead], frozen=True, kw_only=True):
    """Read the page that has the form; `path` leads to it, where it is not chosen by its number."""

    path: str = ""

    def perform(self) -> FormPageRead:
        from archiver.acquisition.forms.words import words_in
        from archiver.documents.pages.forms.finding import forms_of

        tree = _tree(self.folder, self.file, self.offset, self.url)
        text = " ".join(str(part) for part in _texts(tree))
        words = tuple(dict.fromkeys(word for word in words_in(text) if len(word) > 2))[:_MOST_WORDS]
        language = str(tree.get("lang") or "")[:2].lower()
        return FormPageRead(
            forms=forms_of(tree, self.url),
            words=words,
            language=language,
            number=_number_of(tree, self.path) if self.path else 0,
        )


class ReadAnswer(DocumentTask[AnswerPageRead], frozen=True, kw_only=True):
    """Read an answer with a wrapper; without one, only what it says and how it looks."""

    words: tuple[str, ...] = ()
    wrapper: RecordWrapper | None = None
    none: str = ""
    # An expression of the form's file that leads to the next page.
    next: str = ""
    # A redirect led away from the search: to the page of the one record that was found.
    is_detail: bool = False

    def perform(self) -> AnswerPageRead:
        from archiver.acquisition.forms.answers import says_none
        from archiver.records.details import detail_record
        from archiver.records.paging import next_link, total_claimed
        from archiver.records.reading import is_outdated, read_records

        tree = _tree(self.folder, self.file, self.offset, self.url)
        page = AnswerPage(url=self.url, tree=tree, words=self.words)
        said = " ".join(_texts(tree, *_UNSAID)).casefold()
        records: tuple[ListedRecord, ...] = ()
        if self.wrapper is not None and self.is_detail:
            found = detail_record(page, self.wrapper)
            records = (found,) if found is not None else ()
        elif self.wrapper is not None:
            records = read_records(page, self.wrapper)
        return AnswerPageRead(
            records=records,
            total=1 if self.is_detail else total_claimed(page),
            next_url="" if self.is_detail else next_link(page, self.next) or "",
            says_none=not self.is_detail and says_none(said, self.none),
            echoes=bool(self.words) and all(word.casefold() in said for word in self.words),
            shape=dict(Counter(_path(element) for element in tree.iter() if isinstance(element.tag, str))),
            is_outdated=self.wrapper is not None and not records and is_outdated(page, self.wrapper),
        )


class KeptAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """Where an answer is in the archive, and what was submitted for it."""

    url: str
    file: str
    offset: int
    probe: Probe


class LearnedRecords(msgspec.Struct, frozen=True, kw_only=True):
    """What answers have in common; None: nothing."""

    wrapper: RecordWrapper | None = None
    # What would tell which inputs the columns can be named after.
    probes: tuple[Probe, ...] = ()


class LearnRecords(Task[LearnedRecords], frozen=True, kw_only=True):
    """Learn from several answers where records stand, and what the form's inputs call their columns."""

    folder: str
    answers: tuple[KeptAnswer, ...]
    # Answers to nonsense. One that says nothing else has no records, however regular its paragraphs are.
    nonsense: tuple[KeptAnswer, ...] = ()
    none: str = ""  # what the form's file says that such answers say
    # An expression of the form's file that leads to each record, and what makes two of them one.
    given: str = ""
    key: tuple[str, ...] = ()
    # What is asked for names: answers that were had for that, the form's inputs, and the one of most words.
    naming: tuple[KeptAnswer, ...] = ()
    inputs: tuple[ProbedInput, ...] = ()
    main: str = ""

    def perform(self) -> LearnedRecords:
        from archiver.acquisition.forms.naming import Naming
        from archiver.records.learning import learn_records

        pages = [(one, self._page(one)) for one in self.answers]
        nothing = self._found_nothing()
        shown = [(one, page) for one, page in pages if not nothing or _says_more(page, nothing)]
        wrapper = learn_records([page for _, page in shown], self.given) if shown else None
        if wrapper is None:
            return LearnedRecords()
        lists = [page for _, page in shown]
        wrapper = self._marked(wrapper, lists)
        shown += [(one, self._page(one)) for one in self.naming]
        answers = [_answered(one, page, wrapper) for one, page in shown]
        naming = Naming(wrapper=wrapper, inputs=self.inputs, answers=answers, main=self.main)
        # The file may say by names of inputs which records are one.
        named = self._marked(naming.named(), lists)
        return LearnedRecords(wrapper=named, probes=tuple(naming.probes()))

    def _marked(self, wrapper: RecordWrapper, pages: Sequence[AnswerPage]) -> RecordWrapper:
        """The wrapper with its excerpts, of records that are one by the key of the form's file."""
        from archiver.records.excerpts import with_excerpts
        from archiver.records.reading import read_records

        keyed = msgspec.structs.replace(wrapper, key=self.key or wrapper.key)
        marked = with_excerpts(keyed, [read_records(page, keyed) for page in pages])
        return msgspec.structs.replace(marked, key=wrapper.key)

    def _found_nothing(self) -> list[AnswerPage]:
        """The answers to nonsense that say so."""
        from archiver.acquisition.forms.answers import says_none

        pages = [self._page(one) for one in self.nonsense]
        texts = [" ".join(_texts(page.tree, *_UNSAID)).casefold() for page in pages]
        return [page for page, text in zip(pages, texts, strict=True) if says_none(text, self.none)]

    def _page(self, one: KeptAnswer) -> AnswerPage:
        tree = _tree(self.folder, one.file, one.offset, one.url)
        return AnswerPage(url=one.url, tree=tree, words=one.probe.words)

    def patience(self) -> float:
        return float(len(self.answers) + len(self.naming))


def _answered(one: KeptAnswer, page: AnswerPage, wrapper: RecordWrapper) -> Answered:
    from archiver.acquisition.forms.probed import as_probed
    from archiver.records.reading import read_records

    records = [(record.key, record.attributes) for record in read_records(page, wrapper)]
    shown = tuple(
        as_probed(key, {name: [value.value for value in values] for name, values in said.items()})
        for key, said in records
    )
    return Answered(probe=one.probe, kind="results" if shown else "none", records=shown)


class KnownDetail(msgspec.Struct, frozen=True, kw_only=True):
    """A record that lists have shown, and where its own page is in the archive."""

    url: str
    file: str
    offset: int
    values: dict[str, tuple[str, ...]]


class LearnDetails(Task[LearnedRecords], frozen=True, kw_only=True):
    """Learn what the records' own pages say, and under which names."""

    folder: str
    wrapper: RecordWrapper
    shown: tuple[KnownDetail, ...]

    def perform(self) -> LearnedRecords:
        from archiver.records.details import learn_details

        pairs = []
        for one in self.shown:
            attributes = {
                name: [RecordValue(value=value) for value in values] for name, values in one.values.items()
            }
            record = ListedRecord(key="", place=1, xpath="", detail_url=one.url, attributes=attributes)
            tree = _tree(self.folder, one.file, one.offset, one.url)
            pairs.append((record, AnswerPage(url=one.url, tree=tree)))
        return LearnedRecords(wrapper=learn_details(self.wrapper, pairs))


class DetailRead(msgspec.Struct, frozen=True, kw_only=True):
    """What a record's own page says."""

    attributes: dict[str, list[RecordValue]] = {}
    problem: str = ""


class ReadDetail(DocumentTask[DetailRead], frozen=True, kw_only=True):
    """Read the page of a record by what was learned of such pages."""

    wrapper: RecordWrapper

    def perform(self) -> DetailRead:
        from archiver.records.details import read_detail

        tree = _tree(self.folder, self.file, self.offset, self.url)
        return DetailRead(attributes=read_detail(AnswerPage(url=self.url, tree=tree), self.wrapper))


def _tree(folder: str, file: str, offset: int, url: str) -> Element:
    from archiver.documents.pages.dom import parse_html

    stored = read_response(Path(folder), file, offset)
    return parse_html(stored.content, stored.content_type, url)


def _number_of(tree: Element, path: str) -> int:
    """The number of the form that an expression leads to, or within which it ends; 0: none."""
    from archiver.documents.expressions.parsing import parse
    from archiver.documents.expressions.selecting import owners

    forms = list(tree.iter("form"))
    for found in owners(parse(path), tree):
        for one in (found, *found.iterancestors()):
            if one in forms:
                return forms.index(one) + 1
    return 0


def _texts(tree: Element, *without: str) -> list[str]:
    """The texts that people see, but for those within these elements."""
    unseen = frozenset(without or ("script", "style"))
    found: list[str] = []
    for element in tree.iter():
        above = {str(one.tag) for one in element.iterancestors()}
        if isinstance(element.tag, str) and element.tag not in unseen and not above & unseen:
            found.append(element.text or "")
        if not above & unseen:
            found.append(element.tail or "")
    return found


def _said(page: AnswerPage) -> list[tuple[str, str]]:
    """The texts of an answer but for numbers, and the same without the words that were submitted."""
    submitted = re.compile("|".join(rf"\b{re.escape(word)}\b" for word in page.words) or r"\Z", re.IGNORECASE)
    texts = [" ".join(re.sub(r"\d+", " ", text).split()) for text in _texts(page.tree, *_UNSAID)]
    return [(text, " ".join(submitted.sub(" ", text).split())) for text in texts if text]


def _says_more(page: AnswerPage, nothing: Sequence[AnswerPage]) -> bool:
    """True for an answer with a text that none of these has, or that lists only a part of what they do."""
    said, told = _said(page), [_said(one) for one in nothing]
    known = {text for one in told for both in one for text in both} | {""}
    if any(known.isdisjoint(both) for both in said):
        return True
    own = {text for both in said for text in both}
    return all(sum(not own.isdisjoint(both) for both in one) < _NEARLY_ALL * len(one) for one in told)


def _path(element: Element) -> str:
    parent = element.getparent()
    above = str(parent.tag) if parent is not None else ""
    return f"{above}/{element.tag}.{(element.get('class') or '').split(' ')[0]}"
