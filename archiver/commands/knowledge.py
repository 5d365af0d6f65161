"""`scrapy knowledge`: what is known of the software behind sites: check, show, export, import."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from archiver.acquisition.sites.knowledge import BUILTIN
from archiver.command_line.suggestions import did_you_mean
from archiver.display.tables import TableColumn, folded, many, printable, table_lines
from archiver.display.terminal import Colours, show, window_width
from archiver.errors import ConfigurationError, FileFlaws
from archiver.extensions.arguments import one_argument, refuse_arguments
from archiver.extensions.command import ArchiveCommand
from archiver.extensions.places import from_here, knowledge_sources
from archiver.files import whole_file

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence

    from sqlalchemy import Connection

    from archiver.acquisition.sites.knowledge.loading import KnowledgeBase
    from archiver.acquisition.sites.model import Site
    from archiver.documents.yaml_values.nodes import FileFlaw

_ACTIONS = ("check", "show", "export", "import")
_COLUMNS = (
    TableColumn(title="TYPE"),
    TableColumn(title="NAME", narrowest=6),
    TableColumn(title="CATEGORY"),
    TableColumn(title="PARENT"),
    TableColumn(title="LEVELS", narrowest=12),
    TableColumn(title="TRIED ON", narrowest=8),
)
_NO_FOLDER = (
    "SITE_KNOWLEDGE has no folder to import into: create one and add it, for example "
    "-s SITE_KNOWLEDGE=builtin,knowledge"
)


class Command(ArchiveCommand):
    usage = (
        "[check [FILE…] [--pages FILE…] | show [TYPE] | export TYPE | export --learned [URL] | import FILE]"
    )
    about = (
        "The knowledge base: what is known about the software behind sites, loaded from SITE_KNOWLEDGE. "
        "show lists all types (the default), or everything about one TYPE. check validates FILEs together "
        "with the base that they extend, or the base itself; each error is one line: file:line:column, what "
        "is wrong, and what to write instead. export prints the YAML file of a type; with "
        "--learned, what was learned on a site in place of actions that fail there. import checks a FILE and "
        "copies it into your SITE_KNOWLEDGE folder. "
        "Exit codes: 0 done; 1 failed; 2 wrong usage, or errors in a file."
    )

    def own_options(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument(
            "--pages",
            metavar="FILE",
            nargs="+",
            default=[],
            help="with check: HTML pages; list those that each type matches",
        )
        parser.add_argument(
            "--learned",
            action="store_true",
            help="with export: what was learned on a site, by its URL or number; without, on the only one",
        )

    def work(self, args: list[str], opts: argparse.Namespace) -> None:
        action, names = (args[0], args[1:]) if args else ("show", [])
        if action not in _ACTIONS:
            advice = did_you_mean(action, _ACTIONS, f"actions are {', '.join(_ACTIONS)}")
            raise ConfigurationError(f"{action} is not an action: {advice}")
        try:
            if opts.learned and action != "export":
                raise ConfigurationError(f"--learned is for export, not for {action}")
            if action == "check":
                self._check(names, [_file(name) for name in opts.pages])
            elif opts.learned:
                self._export_learned(names)
            else:
                {"show": self._show, "export": self._export, "import": self._import}[action](names)
        except FileFlaws as error:
            self._tell_flaws(error.flaws)

    def _tell_flaws(self, flaws: Sequence[object]) -> None:
        """One flaw a line, for editors that lead to its place."""
        self.exitcode = 2
        for flaw in flaws:
            print(printable(str(flaw)), file=sys.stderr)

    def _base(self, more: Sequence[str] = ()) -> KnowledgeBase:
        from archiver.acquisition.sites.knowledge.loading import load_knowledge  # noqa: PLC0415 - no help

        return load_knowledge((*knowledge_sources(self.its_settings), *more))

    def _check(self, names: Sequence[str], pages: Sequence[Path]) -> None:
        paths = [_file(name) for name in names]
        base = self._base([str(path) for path in paths])
        files = [str(path) for path in paths] or sorted(base.files.values())
        for warning in _warnings(files):
            told = f"{warning.place}: warning: {warning.message}: {warning.suggestion}"
            print(printable(told), file=sys.stderr)
        known = [name for name, file in base.files.items() if file in files]
        print(f"{many(len(files), 'file')} valid: {', '.join(known)}")
        if pages:
            show(_firing(base, known, pages))

    def _show(self, names: Sequence[str]) -> None:
        from archiver.acquisition.sites.knowledge.telling import type_lines, type_rows  # noqa: PLC0415 - no help

        refuse_arguments(names, 1)
        base, width = self._base(), window_width(sys.stdout)
        if names:
            lines = type_lines(_known(names[0], base), base)
            show(folded(line, width, indent="      ") for line in lines)
            return
        colours = Colours(sys.stdout)
        show(table_lines(_COLUMNS, type_rows(base), width=width, paint=colours.paint))

    def _export(self, names: Sequence[str]) -> None:
        base = self._base()
        name = _known(one_argument(names, "type"), base)
        sys.stdout.write(Path(base.files[name]).read_text(encoding="utf-8"))

    def _export_learned(self, names: Sequence[str]) -> None:
        from archiver.acquisition.sites.adaptation.exporting import entry_of  # noqa: PLC0415 - no help
        from archiver.store.whole_sites.learned_actions import learned_of  # noqa: PLC0415 - likewise

        refuse_arguments(names, 1)
        base = self._base()
        with self.state() as state:
            site = _taught(state, names)
            learned = learned_of(state, site.id)
        sys.stdout.write(entry_of(base.types[_known(site.type, base)], site.scope, learned))

    def _import(self, names: Sequence[str]) -> None:
        path = _file(one_argument(names, "file"))
        base = self._base([str(path)])
        folders = (Path(one) for one in knowledge_sources(self.its_settings) if one != BUILTIN)
        folder = next((one for one in folders if one.is_dir()), None)
        if folder is None:
            raise ConfigurationError(_NO_FOLDER)
        name = next(name for name, file in base.files.items() if file == str(path))
        target = folder / f"{name}.yaml"
        if target.exists() and target.read_bytes() != path.read_bytes():
            raise ConfigurationError(
                f"{from_here(target)} already exists: delete it first, or edit that file"
            )
        with whole_file(target) as file:
            file.write(path.read_bytes())
        print(f"{name} imported: {from_here(target)}")


def _file(name: str) -> Path:
    path = Path(name)
    if not path.is_file():
        raise ConfigurationError(f"{name}: there is no such file")
    return path


def _taught(state: Connection, names: Sequence[str]) -> Site:
    """The site that is named, or the only one on which something was learned."""
    from archiver.inspection.sites.details import site_number  # noqa: PLC0415 - no help needs it
    from archiver.store.whole_sites.learned_actions import taught_sites  # noqa: PLC0415 - likewise
    from archiver.store.whole_sites.sites import site_by_id  # noqa: PLC0415 - likewise

    taught = taught_sites(state)
    if names:
        number = site_number(state, names[0])
        if number not in taught:
            raise ConfigurationError(f"Nothing was learned on {names[0]} that is in use")
        return site_by_id(state, number)
    if len(taught) != 1:
        told = ", ".join(site_by_id(state, number).url for number in taught)
        raise ConfigurationError(
            f"Name one of the sites: {told}" if told else "Nothing was learned on any site"
        )
    return site_by_id(state, taught[0])


def _known(name: str, base: KnowledgeBase) -> str:
    if name not in base.types:
        advice = did_you_mean(name, base.types, f"types are {', '.join(base.types)}")
        raise ConfigurationError(f"There is no type {name}: {advice}")
    return name


def _firing(base: KnowledgeBase, names: Sequence[str], pages: Sequence[Path]) -> Iterator[str]:
    """On which pages each type fires: those of other software must not be among them."""
    from archiver.acquisition.sites.knowledge.detecting import detector_of  # noqa: PLC0415 - no help needs it
    from archiver.documents.expressions.document import VirtualDocument  # noqa: PLC0415 - likewise
    from archiver.documents.pages.dom import parse_html  # noqa: PLC0415 - likewise

    fired: dict[str, list[str]] = {name: [] for name in names}
    for page in pages:
        tree = parse_html(page.read_bytes(), "text/html", str(page))
        for found in detector_of(base).detect(VirtualDocument(tree=tree)).types:
            if found.type in fired:
                fired[found.type].append(str(page))
    for name, where in fired.items():
        told = f": {', '.join(where)}" if where else ""
        yield f"{name} matches {len(where)} of {many(len(pages), 'page')}{told}"


def _warnings(files: Sequence[str]) -> list[FileFlaw]:
    from archiver.acquisition.sites.knowledge.loading import read_type  # noqa: PLC0415 - no help needs it
    from archiver.acquisition.sites.knowledge.selectivity import warnings_of  # noqa: PLC0415 - likewise

    return [one for file in files for one in warnings_of(read_type(Path(file).read_bytes(), file))]
