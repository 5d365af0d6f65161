"""`scrapy induce`: rules for fields, from values on archived pages."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, cast, get_args

import msgspec

from archiver.archive.cdxj.index import Index
from archiver.archive.cdxj.update import missing_indexes
from archiver.archive.retrieval import find_capture, similar_urls
from archiver.archive.warc.reader import read_head
from archiver.commands.extract_record import tell_instead
from archiver.display.terminal import show
from archiver.documents.nearest import did_you_mean
from archiver.errors import ConfigurationError
from archiver.extensions.arguments import one_argument, web_url
from archiver.extensions.command import ArchiveCommand
from archiver.extensions.places import archive_to_read, wrappers_folder
from archiver.extensions.telling import as_typed
from archiver.urls import redact

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence
    from pathlib import Path

    from archiver.fields.induction.model import Induced
    from archiver.fields.model import Field, FieldType, FieldWrapper
    from archiver.inspection.fields.inducing import ArchivedExample

# Of an example: the address of its page, the field, and its value there.
_Given = tuple[str, str, str]


class Command(ArchiveCommand):
    usage = "NAME --url URL FIELD=VALUE… [--url URL FIELD=VALUE…] | --seen CHANNEL [options]"
    about = (
        "Make rules for the fields of a wrapper from values that stand on archived pages, and write them to "
        "ARCHIVE_DIR/wrappers/NAME.yaml. Archived pages of the same template decide which rules hold. A "
        "field that is given several times on a page has many values. --again makes the rules anew from the "
        "examples that the file has; --seen has models propose headline, dateline and picture. "
        "Exit codes: 0 written; 1 a page or a value is not there; 2 wrong usage."
    )

    def own_options(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument(
            "--url",
            nargs="+",
            action="append",
            default=[],
            metavar=("URL", "FIELD=VALUE"),
            help="an archived page, and values that stand on it (may be repeated)",
        )
        parser.add_argument(
            "--type", nargs="+", action="extend", default=[], metavar="FIELD=TYPE", help="not to be guessed"
        )
        parser.add_argument(
            "--again", nargs="*", metavar="FIELD", help="anew from the file's examples, all fields or these"
        )
        parser.add_argument(
            "--seen",
            metavar="CHANNEL",
            help="without values: fields that pages of this channel look like having; see docs/visual.md",
        )
        parser.add_argument("--dry-run", action="store_true", help="write nothing; show the file")
        parser.add_argument("--json", action="store_true", help="print JSON")

    def work(self, args: list[str], opts: argparse.Namespace) -> None:
        name = one_argument(args, "name of a wrapper")
        _check_name(name)
        folder, wrappers = archive_to_read(self.its_settings), wrappers_folder(self.its_settings)
        if wrappers is None:
            raise ConfigurationError("FIELD_WRAPPERS is empty: field wrappers are off")
        known = _known(wrappers, name)
        given = _given(opts.url)
        seen = self._seen(folder, opts.seen) if opts.seen is not None else []
        wanted = [*_filed(known, opts.again, given, name), *seen, *given]
        if not wanted:
            raise ConfigurationError("Give values: --url URL FIELD=VALUE…, --again, or --seen CHANNEL")
        examples = self._examples(folder, wanted)
        if examples is not None:
            self._induce(name, known, examples, opts, folder, wrappers)

    def _seen(self, folder: Path, channel: str) -> list[_Given]:
        """What models see on the articles of a channel, in the place of what a person would point at."""
        from archiver.extensions.arguments import named_channel  # noqa: PLC0415 - no help needs it
        from archiver.inspection.fields.seen import seen_examples  # noqa: PLC0415 - likewise

        with self.state() as state:
            found = named_channel(state, channel)
            return seen_examples(state, self.withheld(state), folder / "warc", found.id)

    def _examples(self, folder: Path, given: Sequence[_Given]) -> list[ArchivedExample] | None:
        """The values with their pages; None where one is not in the archive."""
        from archiver.inspection.fields.inducing import ArchivedExample  # noqa: PLC0415 - no help needs it
        from archiver.inspection.pages import find_document  # noqa: PLC0415 - likewise

        withheld, warcs = self.withheld(), folder / "warc"
        index = Index(folder / "index", withheld.hides)
        documents = {}
        for url in dict.fromkeys(url for url, _, _ in given):
            withheld.refuse(url)
            document, line = find_document(index, warcs, url, None), find_capture(index, url, None)
            if document is None or line is None:
                self.fail(f"{redact(url)} is not in the archive")
                tell_instead(similar_urls(index, url), missing_indexes(warcs, folder / "index"), self.program)
                return None
            documents[url] = document, read_head(warcs, line.filename, line.offset).id
        return [
            ArchivedExample(field=field, value=value, document=documents[url][0], capture=documents[url][1])
            for url, field, value in given
        ]

    def _induce(
        self,
        name: str,
        known: FieldWrapper | None,
        examples: Sequence[ArchivedExample],
        opts: argparse.Namespace,
        folder: Path,
        wrappers: Path,
    ) -> None:
        from archiver.inspection.fields.inducing import (  # noqa: PLC0415 - no help needs it
            induced_fields,
            pages_alike,
            scope_of,
            with_fields,
        )

        urls = list(dict.fromkeys(one.document.url for one in examples))
        scope = known.scope if known is not None else scope_of(urls)
        with self.state() as state:
            others = pages_alike(state, self.withheld(state), folder / "warc", scope, examples)
        named = {one.field for one in examples}
        types = _types(opts.type, named) | (_seen_types(named) if opts.seen is not None else {})
        fields = {one.field: _field(one.field, examples, known, types) for one in examples}
        said = frozenset(types) | {one.field for one in (known.fields if known else ())}
        found = induced_fields(examples, others, fields, said)
        self._tell(found, len(others), with_fields(known, name, scope, found), opts, wrappers)

    def _tell(
        self,
        found: Sequence[Induced],
        pages: int,
        wrapper: FieldWrapper,
        opts: argparse.Namespace,
        wrappers: Path,
    ) -> None:
        from archiver.fields.files import save_wrapper, wrapper_path, write_wrapper  # noqa: PLC0415 - likewise
        from archiver.inspection.fields.induced_text import (  # noqa: PLC0415 - likewise
            induced_lines,
            induced_values,
        )

        path = wrapper_path(wrappers, wrapper.wrapper)
        if opts.json:
            told = {"wrapper": wrapper.wrapper, "file": str(path), "written": not opts.dry_run}
            values = {**told, "fields": induced_values(found, pages)}
            print(msgspec.json.format(msgspec.json.encode(values)).decode())
        else:
            show(induced_lines(found, pages))
        if not opts.dry_run:
            self.set_umask()
            save_wrapper(wrappers, wrapper)
        if opts.dry_run and not opts.json:
            print(f"Not written to {path}:\n{write_wrapper(wrapper).decode()}", end="")
        elif not opts.json:
            told_next = f"`scrapy fields {wrapper.wrapper} --test` tries it on archived pages"
            print(as_typed(f"Written to {path}; {told_next}", self.program))


def _seen_types(fields: set[str]) -> dict[str, str]:
    from archiver.articles.methods.visual.proposals import PROPOSED_TYPES  # noqa: PLC0415 - likewise

    return {field: kind for field, kind in PROPOSED_TYPES.items() if field in fields}


def _check_name(name: str) -> None:
    from archiver.fields.checks import NAME  # noqa: PLC0415 - no help needs it

    if not NAME.fullmatch(name):
        raise ConfigurationError(f"{name} is not a name of a wrapper: use small letters, digits, - and _")


def _known(wrappers: Path, name: str) -> FieldWrapper | None:
    from archiver.fields.files import load_wrapper, wrapper_path  # noqa: PLC0415 - likewise

    path = wrapper_path(wrappers, name)
    return load_wrapper(path) if path.exists() else None


def _given(urls: Sequence[Sequence[str]]) -> list[_Given]:
    found: list[_Given] = []
    for url, *values in urls:
        if not values:
            raise ConfigurationError(f"--url {redact(url)} has no value behind it: write FIELD=VALUE")
        for one in values:
            field, mark, value = one.partition("=")
            if not mark or not value.strip():
                raise ConfigurationError(f"{one} is not FIELD=VALUE")
            _check_field(field)
            found.append((web_url(url), field, value))
    return found


def _check_field(field: str) -> None:
    from archiver.articles.objects.model import ArchivedObject  # noqa: PLC0415 - likewise
    from archiver.fields.checks import FIELD_NAME  # noqa: PLC0415 - likewise

    if not FIELD_NAME.fullmatch(field):
        told = "small letters, digits and _ are possible, and a letter begins it"
        raise ConfigurationError(f"{field or 'Nothing'} is not a name of a field: {told}")
    if field in {one.name for one in dataclasses.fields(ArchivedObject)}:
        raise ConfigurationError(f"Objects have {field} already: choose another name, such as its_{field}")


def _filed(
    known: FieldWrapper | None, again: Sequence[str] | None, given: Sequence[_Given], name: str
) -> list[_Given]:
    """The examples that the file has of the fields that are made anew, without those that are given now."""
    if again is not None and known is None:
        raise ConfigurationError(f"There is no field wrapper {name} to be made again")
    fields = {one.field: one for one in known.fields} if known is not None else {}
    for one in again or ():
        if one not in fields:
            advice = did_you_mean(one, list(fields))
            raise ConfigurationError(f"{name} has no field {one}{f': {advice}' if advice else ''}")
    meant = {field for _, field, _ in given} | set(() if again is None else again or fields)
    newer = {(url, field) for url, field, _ in given}
    return [
        (example.url, field.field, example.value)
        for field in fields.values()
        for example in (field.examples if field.field in meant else ())
        if (example.url, field.field) not in newer
    ]


def _types(given: Sequence[str], fields: set[str]) -> dict[str, str]:
    from archiver.fields.model import FieldType  # noqa: PLC0415 - likewise

    found = {}
    for one in given:
        field, _, kind = one.partition("=")
        if field not in fields:
            raise ConfigurationError(f"--type {one}: no value is given for {field}")
        if kind not in get_args(FieldType):
            advice = did_you_mean(kind, get_args(FieldType)) or ", ".join(get_args(FieldType))
            raise ConfigurationError(f"--type {one}: {kind or 'nothing'} is not a type: {advice}")
        found[field] = kind
    return found


def _field(
    name: str, examples: Sequence[ArchivedExample], known: FieldWrapper | None, types: dict[str, str]
) -> Field:
    """The field as the file has it, or a new one; an enum may be what the examples are."""
    from archiver.fields.model import Field  # noqa: PLC0415 - likewise

    filed = next((one for one in (known.fields if known else ()) if one.field == name), Field(field=name))
    mine = [one for one in examples if one.field == name]
    is_many = len(mine) > len({one.document.url for one in mine})
    made = msgspec.structs.replace(filed, many=filed.many or is_many)
    if name not in types:
        return made
    values = tuple(dict.fromkeys(one.value for one in mine)) if types[name] == "enum" else ()
    # Checked where the option is read.
    return msgspec.structs.replace(made, type=cast("FieldType", types[name]), values=values)
