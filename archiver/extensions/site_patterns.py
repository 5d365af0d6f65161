"""`scrapy site patterns`: which links of a site lead to new text, as it was learned; also as a file."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import msgspec

from archiver.display.tables import folded
from archiver.display.terminal import Colours, show, window_width
from archiver.extensions.arguments import one_argument, output_file
from archiver.extensions.places import archive_folder, clock, known_state
from archiver.extensions.telling import as_typed
from archiver.files import write_text

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from archiver.extensions.command import ArchiveCommand
    from archiver.inspection.sites.model import SitePatterns

_NONE = "{url}: no patterns were learned. They are if the software of a site is unknown, or with `{option}`."
_OPTION = "scrapy crawl site -a strategy=learned"


def add_patterns_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("with patterns")
    group.add_argument("--all", action="store_true", help="also show patterns that do not pay")


def patterns(command: ArchiveCommand, names: Sequence[str], opts: argparse.Namespace) -> None:
    name = one_argument(names, "site")
    path = output_file("-o", opts.output) if opts.output else None
    found = _found(command, name)
    if opts.json:
        show([msgspec.json.format(msgspec.json.encode(found), indent=1).decode()])
    elif path is None:
        _show(command, found, is_all=opts.all)
    if path is not None:
        from archiver.inspection.sites.patterns import patterns_file  # noqa: PLC0415 - no help needs it

        now = clock(command.its_settings).now()
        text, many = patterns_file(found, f"{now:%Y-%m-%dT%H:%MZ}")
        write_text(path, text)
        if not opts.json:
            _say(command, _written(str(path), many, found))


def _found(command: ArchiveCommand, name: str) -> SitePatterns:
    from archiver.inspection.sites.details import SitePlaces, known_number, site_number  # noqa: PLC0415 - no help needs it
    from archiver.inspection.sites.patterns import read_patterns  # noqa: PLC0415 - likewise

    settings = command.its_settings
    known_state(settings)
    with command.state() as state:
        places = SitePlaces(state=state, folder=archive_folder(settings), withheld=command.withheld(state))
        return read_patterns(places, known_number(state, site_number(state, name)))


def _written(path: str, many: int, found: SitePatterns) -> str:
    left_out = sum(1 for one in found.patterns if one.pages) - many
    more = f"; {left_out} that brought least are left out, as the file would be too long" if left_out else ""
    return f"{path}: {many} patterns{more}. `-a patterns={path}` starts other sites with them."


def _show(command: ArchiveCommand, found: SitePatterns, *, is_all: bool) -> None:
    from archiver.inspection.sites.pattern_table import pattern_lines  # noqa: PLC0415 - likewise

    shown = [one for one in found.patterns if is_all or one.is_worth_it]
    if not found.patterns:
        _say(command, _NONE.format(url=found.url, option=_OPTION))
        return
    show(pattern_lines(shown, width=window_width(sys.stdout), paint=Colours(sys.stdout).paint))
    if len(shown) < len(found.patterns):
        more = len(found.patterns) - len(shown)
        show(["", f"{more} more do not pay or were not tried: --all shows them."])


def _say(command: ArchiveCommand, line: str) -> None:
    show([folded(as_typed(line, command.program), window_width(sys.stdout))])
