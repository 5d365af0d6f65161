"""`scrapy site simulate`: strategies on the captured pages of a site, without a request."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from archiver.archive.cdxj.index import Index
from archiver.command_line.suggestions import did_you_mean
from archiver.display.terminal import Colours, show, window_width
from archiver.errors import ArchiveError, ConfigurationError
from archiver.extensions.arguments import one_argument, output_file
from archiver.extensions.places import archive_to_read
from archiver.files import write_text
from archiver.urls import redact

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence
    from pathlib import Path

    from archiver.extensions.command import ArchiveCommand
    from archiver.inspection.sites.simulation.play import SiteText
    from archiver.inspection.sites.simulation.site import SimulatedSite
    from archiver.inspection.sites.simulation.table import SiteSimulation

# Of the thesis: steps, shares of the sample's text, and pages of the sample.
_STEPS, _COMPLETIONS, _SAMPLE = (3,), (0.95,), 3000


def add_simulate_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("with simulate")
    group.add_argument(
        "--strategies",
        metavar="NAMES",
        default="",
        help="strategies with commas between them (default: all)",
    )
    group.add_argument("--seeds", type=int, default=1, metavar="N", help="runs of each strategy (default: 1)")
    group.add_argument("--limit", type=int, metavar="N", help="requests of a run at most")
    group.add_argument("--csv", action="store_true", help="print one line of CSV for each run")
    group.add_argument("--html", metavar="FILE", help="also write a page with the curves")
    group.add_argument(
        "--sample-sizes", metavar="PAGES", help="also run the thesis's strategy with these sample sizes"
    )
    group.add_argument(
        "--steps", metavar="NUMBERS", help="also run it with patterns of so many steps, such as 2,3,4"
    )
    group.add_argument(
        "--completion", metavar="SHARES", help="also run it until so much is reached, such as .85,.9,.95"
    )


def simulate(command: ArchiveCommand, names: Sequence[str], opts: argparse.Namespace) -> None:
    """Print what each strategy would have asked for, and what it would have got."""
    from archiver.acquisition.sites.scope import scope_of, site_address  # noqa: PLC0415 - no help needs it
    from archiver.inspection.sites.simulation.captures import ArchivedSite  # noqa: PLC0415 - likewise
    from archiver.inspection.sites.simulation.play import SiteText  # noqa: PLC0415 - likewise
    from archiver.inspection.sites.simulation.site import SimulatedSite  # noqa: PLC0415 - likewise

    url = site_address(one_argument(names, "URL"))
    path = output_file("--html", opts.html) if opts.html else None
    wanted = _wanted(opts)
    folder = archive_to_read(command.its_settings)
    withheld = command.withheld()
    withheld.refuse(url)
    index = Index(folder / "index", withheld.hides)
    scope = scope_of(url)
    site = SimulatedSite(url, scope, ArchivedSite(index, folder / "warc", scope))
    text = SiteText(site.all_pages())
    if site.read(url) is None:
        raise ArchiveError(f"{redact(url)} is not a page of the archive: name the entry page of a site")
    _tell(_played(site, text, opts, wanted), opts, path)


def _wanted(opts: argparse.Namespace) -> list[str]:
    from archiver.inspection.sites.simulation.strategies import STRATEGIES  # noqa: PLC0415 - no help needs it

    names = [name for name in opts.strategies.split(",") if name] or list(STRATEGIES)
    for name in names:
        if name not in STRATEGIES:
            told = did_you_mean(name, list(STRATEGIES), f"choose from {', '.join(STRATEGIES)}")
            raise ConfigurationError(f"{redact(name)} is not a strategy: {told}")
    if opts.seeds < 1:
        raise ConfigurationError(f"--seeds {opts.seeds}: at least one run is needed")
    return list(dict.fromkeys(names))


def _played(
    site: SimulatedSite, text: SiteText, opts: argparse.Namespace, wanted: Sequence[str]
) -> SiteSimulation:
    from itertools import islice  # noqa: PLC0415 - no help needs it

    from archiver.inspection.sites.simulation.strategies import STEADY, STRATEGIES  # noqa: PLC0415 - likewise
    from archiver.inspection.sites.simulation.sweeps import by_sample_size, by_steps  # noqa: PLC0415 - likewise
    from archiver.inspection.sites.simulation.table import SiteSimulation  # noqa: PLC0415 - likewise

    sizes = _numbers("--sample-sizes", opts.sample_sizes)
    steps = _numbers("--steps", opts.steps)
    completions = _shares("--completion", opts.completion)
    runs = [
        text.play(site, islice(STRATEGIES[name](site, seed, opts.limit), opts.limit), name=name, seed=seed)
        for name in wanted
        for seed in range(1 if name in STEADY else opts.seeds)
    ]
    sample = sizes[-1] if sizes else _SAMPLE
    swept = by_steps(
        site, text, steps or _STEPS, completions or _COMPLETIONS, sample=sample, seeds=opts.seeds
    )
    return SiteSimulation(
        url=redact(site.url),
        pages=text.pages,
        text=text.total,
        runs=tuple(runs),
        sample_sizes=tuple(by_sample_size(site, text, sizes, opts.seeds)),
        steps=tuple(swept) if steps or completions else (),
    )


def _numbers(option: str, text: str | None) -> list[int]:
    parts = [part for part in (text or "").split(",") if part]
    if not all(part.isdecimal() and int(part) for part in parts):
        raise ConfigurationError(f"{option} {text}: whole numbers above 0, with commas between them")
    return [int(part) for part in parts]


def _shares(option: str, text: str | None) -> list[float]:
    try:
        found = [float(part) for part in (text or "").split(",") if part]
    except ValueError:
        found = [0.0]
    if not all(0 < one <= 1 for one in found):
        raise ConfigurationError(f"{option} {text}: numbers from 0 to 1, with commas between them")
    return found


def _tell(found: SiteSimulation, opts: argparse.Namespace, path: Path | None) -> None:
    from archiver.inspection.sites.simulation.page import simulation_page  # noqa: PLC0415 - no help needs it
    from archiver.inspection.sites.simulation.table import (  # noqa: PLC0415 - likewise
        simulation_csv,
        simulation_json,
        simulation_lines,
    )

    if path is not None:
        write_text(path, simulation_page(found))
    if opts.json:
        show([simulation_json(found)])
    elif opts.csv:
        show([simulation_csv(found).rstrip("\n")])
    else:
        show(simulation_lines(found, width=window_width(sys.stdout), paint=Colours(sys.stdout).paint))
