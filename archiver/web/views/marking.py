"""Marking fields: an archived page to point at, what the marks lead to on it, and on pages like it."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Annotated, get_args

import msgspec

from archiver.documents.yaml_values.nodes import MOST_BYTES
from archiver.errors import ArchiveError, ConfigurationError, advice_on
from archiver.fields.checks import NAME
from archiver.fields.files import wrapper_path
from archiver.fields.model import FieldType
from archiver.inspection.marking.model import (
    FIELD_PATTERN,
    LONGEST_INPUT,
    LONGEST_VALUE,
    DraftPage,
    FieldMark,
    MarkKind,
    MarksTried,
)
from archiver.inspection.showing.forms import form_of
from archiver.inspection.showing.kept import followed
from archiver.urls import redact
from archiver.web.asking import checked_url, moment_of
from archiver.web.view import WebView
from archiver.web.views.captures import Address, AskedTime  # noqa: TC001 - msgspec reads them

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from archiver.inspection.marking.model import FieldTold
    from archiver.web.opened import OpenedArchive

# All of them fit into a request, each character escaped in nine bytes.
_MOST_MARKS, _LONGEST_MARK = 20, 1200
# Attributes that hold a value, by the element that has them, and what they are to a reader.
OTHER_VALUES = {
    "a": {"href": "the address that it links to"},
    "img": {"src": "the address of the image", "alt": "its description"},
    "time": {"datetime": "the time that it states for machines"},
    "data": {"value": "the value that it states for machines"},
    "meter": {"value": "its value"},
    "input": {"value": "its value"},
}


KINDS: dict[MarkKind, str] = {
    "field": "a value: name it",
    "record": "a record of a list",
    "next": "the link to the next page",
    "detail": "the link to the page of a record",
    "input": "what a form is to have",
}


class MarkAsked(msgspec.Struct, frozen=True, kw_only=True):
    url: Address
    at: AskedTime | None = None
    name: (
        Annotated[str, msgspec.Meta(pattern=f"^{NAME.pattern}$", description="The name of the wrapper")]
        | None
    ) = None
    scope: Annotated[str, msgspec.Meta(max_length=20, description="The `name` of one of the `scopes`")] = ""
    mark: Annotated[
        tuple[Annotated[str, msgspec.Meta(max_length=_LONGEST_MARK)], ...],
        msgspec.Meta(max_length=_MOST_MARKS, description="Marks as JSON, each as in `marks` of the answer"),
    ] = ()
    # One mark more, on this page, as the form of the page gives it.
    field: Annotated[str, msgspec.Meta(pattern=FIELD_PATTERN, description="The name of a field")] | None = (
        None
    )
    node: Annotated[int, msgspec.Meta(ge=0, le=10_000_000)] | None = None
    of: Annotated[str, msgspec.Meta(max_length=40)] = ""
    value: Annotated[str, msgspec.Meta(max_length=LONGEST_VALUE)] = ""
    type: FieldType | None = None
    many: bool = False
    kind: Annotated[MarkKind, msgspec.Meta(description="What the mark stands for")] = "field"
    input: Annotated[str, msgspec.Meta(max_length=LONGEST_INPUT)] = ""
    objects: (
        Annotated[bool, msgspec.Meta(description="Pages without an article become objects, too")] | None
    ) = None
    saved: Annotated[bool, msgspec.Meta(description="Whether it was just saved")] = False


class MarkRead(msgspec.Struct, frozen=True, kw_only=True):
    """A page with its marks, and what they lead to."""

    url: str
    # The second of its capture.
    at: str
    name: str | None
    # The digest of the wrapper's file as it is now; empty: there is none of this name.
    was: str
    marks: tuple[FieldMark, ...]
    tried: MarksTried

    @property
    def mark_texts(self) -> list[str]:
        return [as_text(one) for one in self.marks]

    def without(self, mark: FieldMark) -> list[str]:
        return [as_text(one) for one in self.marks if one != mark]

    def with_answer(self, field: FieldTold, value: str) -> list[str]:
        """The marks with the answer to the question that is asked of a field."""
        assert field.question is not None  # noqa: S101 - it was asked
        asked = field.question
        return [
            *self.mark_texts,
            as_text(FieldMark(field=field.field, url=asked.url, at=asked.at, value=value)),
        ]


def read_marking(archive: OpenedArchive, asked: MarkAsked) -> MarkRead:
    url = checked_url(asked.url)
    archive.withheld.refuse(url)
    copy = followed(archive.index, archive.warc, url, moment_of(asked.at) if asked.at else archive.now)
    if copy is None:
        raise ArchiveError(f"{redact(url)} is not in the archive")
    if form_of(copy) != "page":
        raise ConfigurationError(f"{redact(url)} is not a page: fields are marked on pages")
    stamp = copy.line.timestamp
    marks = tuple(dict.fromkeys((*map(mark_from, asked.mark), *_new_mark(asked, copy.line.url, stamp))))
    file = wrapper_file(archive.wrappers, asked.name)
    draft = DraftPage(
        url=copy.line.url, at=stamp, marks=marks, name=asked.name or "", scope=asked.scope,
        objects=asked.objects, file=file,
    )  # fmt: skip
    tried = archive.workers.tried(draft, archive.withheld)
    return MarkRead(
        url=redact(copy.line.url), at=stamp, name=asked.name, was=digest_of(file), marks=marks, tried=tried
    )


def wrapper_file(folder: Path | None, name: str | None) -> str:
    """The wrapper's file as it is; empty where there is none."""
    if folder is None or not name:
        return ""
    try:
        content = wrapper_path(folder, name).read_bytes()
    except FileNotFoundError:
        return ""
    except OSError as error:
        raise ArchiveError(f"{name}.yaml cannot be read: {error.strerror}{advice_on(error)}") from error
    return content[: MOST_BYTES + 1].decode("utf-8", "replace")


def digest_of(file: str) -> str:
    return hashlib.sha256(file.encode()).hexdigest()[:16] if file else ""


def _new_mark(asked: MarkAsked, url: str, stamp: str) -> Iterator[FieldMark]:
    field = asked.field or (asked.kind if asked.kind != "field" else None)
    if field is None and (asked.node is not None or asked.value.strip()):
        raise ConfigurationError("What was marked has no name: write one, such as price")
    if field is None:
        return
    if asked.kind == "input" and not (asked.input and asked.value.strip()):
        raise ConfigurationError("Choose an input of a form, and write what it is to have")
    if asked.node is None and (asked.kind not in {"field", "input"} or not asked.value.strip()):
        raise ConfigurationError(f"{field}: choose an element of the page, or write the value")
    is_value = asked.kind in {"field", "input"}
    yield FieldMark(
        field=field, url=url, at=stamp, node=None if asked.kind == "input" else asked.node,
        of=asked.of if is_value else "", value=asked.value.strip() if is_value else "",
        type=asked.type, many=asked.many, kind=asked.kind,
        input=asked.input if asked.kind == "input" else "",
    )  # fmt: skip


def mark_from(text: str) -> FieldMark:
    try:
        return msgspec.json.decode(text.encode("utf-8", "replace"), type=FieldMark)
    except msgspec.DecodeError as error:
        raise ConfigurationError(f"mark={text[:60]!r} is not a mark: {error}") from error


def as_text(mark: FieldMark) -> str:
    return msgspec.json.encode(mark).decode()


MARK = WebView(
    name="mark",
    path="/mark",
    about="Fields marked on a page: the rules that they lead to, and what these find on pages like it",
    parameters=MarkAsked,
    answer=MarkRead,
    read=read_marking,
    part="captures",
    extra={"types": get_args(FieldType), "other_values": OTHER_VALUES, "kinds": KINDS},
)
