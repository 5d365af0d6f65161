"""`scrapy forms`: search forms and the records behind them; alignment with an ontology."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from archiver.clock import machine_now
from archiver.command_line.suggestions import did_you_mean
from archiver.display.tables import TableColumn, many, table_lines
from archiver.display.terminal import Colours, StatusLine, show, window_width
from archiver.errors import ArchiveError, ConfigurationError
from archiver.extensions.command import ArchiveCommand
from archiver.extensions.form_look import LOOK_ABOUT, LOOK_USAGE, FormLook, add_look_options
from archiver.extensions.form_records import ABOUT as RECORDS_ABOUT
from archiver.extensions.form_records import RECORD_ACTIONS, FormRecords, add_record_options
from archiver.extensions.form_records import USAGE as RECORDS_USAGE
from archiver.extensions.form_status import STATUS_ABOUT, STATUS_ACTIONS, STATUS_USAGE, FormStatus
from archiver.extensions.form_try import TRY_ABOUT, TRY_USAGE, FormTry, add_try_options
from archiver.extensions.places import archive_to_read
from archiver.extensions.rdf_extra import need_pyoxigraph

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from archiver.records.alignment.graph import Graph
    from archiver.records.alignment.links import Alignment, PartLink

_ACTIONS = ("look", "try", *STATUS_ACTIONS, *RECORD_ACTIONS, "align")
_PARTS = (
    TableColumn(title="LEFT", narrowest=12),
    TableColumn(title="RIGHT", narrowest=12),
    TableColumn(title="L IN R", is_number=True),
    TableColumn(title="R IN L", is_number=True),
)
# Below, `owl:sameAs` would say too much.
_FLOOR = 0.5
# Steps of the right file that may be one relation of the left.
_JOINS = 2


class Command(ArchiveCommand):
    usage = (
        f"{LOOK_USAGE}{TRY_USAGE}{STATUS_USAGE}{RECORDS_USAGE}"
        " | align NAME [--with FILE] [--out FOLDER] [--keep] [--floor P] [--joins N] [--json]"
        " | align --left FILE --with FILE [--out FOLDER] [--floor P] [--joins N] [--json]"
    )
    about = (
        f"{LOOK_ABOUT}{TRY_ABOUT}{STATUS_ABOUT}{RECORDS_ABOUT}"
        "align NAME finds out which records of a form are entities of an RDF file; --out also writes values "
        "of that file that are worth asking the form for: words-ATTRIBUTE.txt. --keep keeps the links from "
        "--floor on in the archive: records then have them as same_as. `align:` in the form's file says what "
        "--with, --floor and --joins are where they are left out. "
        "align --left finds out which entities, relations and classes of two RDF files are the same, by what "
        "they say (PARIS). Names of entities and relations are not compared. The file of --left is held in "
        "memory; the one of --with is read twice and may be large. Both can be N-Triples, N-Quads, Turtle, "
        "TriG, N3 or RDF/XML, also as .gz. --out writes links.tsv, links.nq, and what the left file would "
        "add to the other: new-instances.nq, new-facts.nq and new-relations.ttl. Neither file is changed, "
        "and nothing is fetched. "
        "Exit codes: 0 done; 1 failed; 2 wrong usage, or a file that is not RDF."
    )

    def own_options(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--left", metavar="FILE", help="with align: the RDF file to be linked")
        parser.add_argument(
            "--with", dest="right", metavar="FILE", help="with align: the RDF file to link to"
        )
        parser.add_argument("--out", metavar="FOLDER", help="with align: write links and additions there")
        parser.add_argument(
            "--keep",
            action="store_true",
            help="with align NAME: keep the links in the archive",
        )
        parser.add_argument(
            "--floor",
            type=float,
            metavar="P",
            help=f"with align: links from this confidence on are owl:sameAs (default: {_FLOOR})",
        )
        parser.add_argument(
            "--joins",
            type=int,
            choices=(1, 2),
            help="with align: steps of the right file that may be one relation, at most (default: 2)",
        )
        parser.add_argument("--json", action="store_true", help="print the result as JSON")
        add_look_options(parser)
        add_try_options(parser)
        add_record_options(parser)

    def work(self, args: list[str], opts: argparse.Namespace) -> None:
        action, rest = (args[0], args[1:]) if args else ("", [])
        if action not in _ACTIONS:
            told = ", ".join(_ACTIONS)
            raise ConfigurationError(
                f"{action} is not an action: {did_you_mean(action, _ACTIONS, f'actions are {told}')}"
                if action
                else f"Name an action: {told}"
            )
        if action == "look":
            FormLook(self, opts).run(rest)
        elif action == "try":
            FormTry(self, opts).run(rest)
        elif action in STATUS_ACTIONS:
            FormStatus(self, opts).run(action, rest)
        elif action in RECORD_ACTIONS:
            FormRecords(self, opts).run(action, rest)
        else:
            self._align(rest, opts)

    def _align(self, rest: Sequence[str], opts: argparse.Namespace) -> None:
        if rest and opts.left:
            raise ConfigurationError("Name a form or --left, not both")
        if opts.keep and not rest:
            raise ConfigurationError("--keep is for the records of a form: name it in the place of --left")
        if rest:
            self._take_defaults(rest[0], opts)
        opts.floor = _FLOOR if opts.floor is None else opts.floor
        opts.joins = opts.joins or _JOINS
        if not 0 < opts.floor <= 1:
            raise ConfigurationError("--floor: write a number between 0 and 1")
        right = _rdf_file(opts.right, "--with")
        if rest:
            found, *graphs = FormRecords(self, opts).align(rest, right)
        else:
            found, *graphs = _aligned(_rdf_file(opts.left, "--left"), right, opts.joins)
        from archiver.records.alignment.writing import write_alignment  # noqa: PLC0415 - no help needs it

        if opts.keep:
            self._keep(rest[0], found, right, opts.floor)
        if opts.out:
            files = write_alignment(Path(opts.out), found, graphs, opts.floor)
            self.tell(f"{opts.out}: {', '.join(files)}")
        if opts.json:
            _print_json(found)
        else:
            _print_alignment(found, opts.floor)
        if found.bad_lines:
            self.tell(f"{many(found.bad_lines, 'line')} skipped that are not RDF")

    def _take_defaults(self, name: str, opts: argparse.Namespace) -> None:
        """What the form's file says under `align:`, where no option says otherwise."""
        from archiver.inspection.forms import alignment_of_form  # noqa: PLC0415 - no help needs it

        try:
            with self.state() as state:
                said, folder = alignment_of_form(state, name)
        except ArchiveError:
            return  # objects alone are aligned as well, by what the options say
        opts.right = opts.right or (str(folder / said.ontology) if said.ontology else None)
        opts.floor = said.floor if opts.floor is None else opts.floor
        opts.joins = opts.joins or said.joins

    def _keep(self, name: str, found: Alignment, right: Path, floor: float) -> None:
        from archiver.inspection.records.linked import keep_links, links_of  # noqa: PLC0415 - as above

        folder = archive_to_read(self.its_settings)
        path = keep_links(folder, links_of(name, found, right.name, machine_now(), floor))
        self.tell(f"{path}: {many(len(found.links), 'link')}")


def _aligned(left: Path, right: Path, joins: int) -> tuple[Alignment, Graph, Graph]:
    from archiver.records.alignment.links import aligned_files  # noqa: PLC0415 - no help needs it
    from archiver.records.alignment.reading import RdfFile  # noqa: PLC0415 - likewise

    status = StatusLine(sys.stderr)
    found = aligned_files(
        RdfFile(left),
        RdfFile(right),
        lambda what, done: status.show(f"{what} {right.name}: {done:,}"),
        joins,
    )
    status.clear()
    return found


def _rdf_file(name: str | None, option: str) -> Path:
    if not name:
        raise ConfigurationError(f"{option} is missing: name an RDF file")
    if not Path(name).is_file():
        raise ConfigurationError(f"{option} {name}: there is no such file")
    if not name.removesuffix(".gz").endswith((".nt", ".nq")):
        need_pyoxigraph(f"{option} {name}")
    return Path(name)


def _print_json(found: Alignment) -> None:
    print(msgspec.json.format(msgspec.json.encode(found)).decode())


def _print_alignment(found: Alignment, floor: float) -> None:
    linked = [one for one in found.links if one.confidence >= floor]
    print(
        f"{many(len(linked), 'link')} of {found.left_entities:,} entities, among "
        f"{found.right_facts:,} facts, after {many(found.rounds, 'round')}"
        f"{'' if found.has_converged else ' (not converged)'}"
    )
    for title, parts in (("Relations", found.relations), ("Classes", found.classes)):
        if parts:
            print(f"\n{title}")
            colours = Colours(sys.stdout)
            show(table_lines(_PARTS, _rows(parts), width=window_width(sys.stdout), paint=colours.paint))


def _rows(parts: Sequence[PartLink]) -> list[tuple[str, ...]]:
    return [
        (_short(one.left), _short(one.right), f"{one.left_in_right:.2f}", f"{one.right_in_left:.2f}")
        for one in parts
    ]


def _short(name: str) -> str:
    """The last part of each step: what tells relations of one vocabulary apart."""
    return " / ".join(
        step.rstrip("/#").replace("#", "/").rpartition("/")[2] or step for step in name.split(" / ")
    )
