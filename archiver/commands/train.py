"""`scrapy train`: models of how fields look, fitted on what the archive itself knows."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from archiver.articles.methods.registry import MODELS
from archiver.clock import machine_now
from archiver.display.terminal import StatusLine
from archiver.errors import ArchiverError, ConfigurationError
from archiver.extensions.arguments import add_channel_option, chosen_channels, in_a_folder, one_argument
from archiver.extensions.command import ArchiveCommand
from archiver.extensions.places import archive_to_read

if TYPE_CHECKING:
    import argparse
    from pathlib import Path

    from archiver.articles.labels.model import LabelSource
    from archiver.articles.methods.visual.model import VisualModel
    from archiver.inspection.training import GatheredLabels

_FIELDS = ("article", "title", "published", "image")


class Command(ArchiveCommand):
    usage = "visual [--channel CHANNEL…] [--field NAME] [--sources NAME,…] [--check] [--out FILE]"
    about = (
        "Fit a model of how a field looks on the articles of the archive. Of the article itself, labels come "
        "from feeds' full content, structured data, the extractor and marks, each believed as far as the "
        "others agree; of other fields from what pages state. Tells how well the model does on sites "
        "that it has not seen, and writes ARCHIVE_DIR/models/visual-NAME.json, which the method `visual` "
        "uses from then on. --check writes nothing. "
        "Exit codes: 0 fitted; 1 too few pages have labels; 2 wrong usage."
    )

    def own_options(self, parser: argparse.ArgumentParser) -> None:
        add_channel_option(parser, "articles of")
        parser.add_argument("--field", default="article", choices=_FIELDS, help="what is learned (article)")
        parser.add_argument(
            "--sources", metavar="NAME,…", help="of labels: feed, statement, consensus, wrapper, user (all)"
        )
        parser.add_argument("--network", action="store_true", help="fit MS-RBFN, not a line")
        parser.add_argument("--check", action="store_true", help="only tell how well it does; write nothing")
        parser.add_argument("--out", metavar="FILE", help="write the model there")

    def work(self, args: list[str], opts: argparse.Namespace) -> None:
        if one_argument(args, "kind of model, which is visual") != "visual":
            raise ConfigurationError(f"{args[0]} is not a kind of model: there is visual")
        out = in_a_folder("--out", opts.out) if opts.out else None
        sources = _sources(opts.sources)
        folder = archive_to_read(self.its_settings)
        found = self._gathered(folder, opts, sources)
        from archiver.inspection.training import LEAST_PAGES  # noqa: PLC0415 - no help needs it

        if len(found.pages) < LEAST_PAGES:
            raise ArchiverError(
                f"{len(found.pages)} pages have labels, {LEAST_PAGES} are needed: crawl more, take more "
                "channels, or mark some with `scrapy mark`"
            )
        model = _fitted(found, opts)
        _tell(model, found)
        if not opts.check:
            self._write(model, out or folder / MODELS / f"visual-{opts.field}.json")

    def _gathered(
        self, folder: Path, opts: argparse.Namespace, sources: frozenset[LabelSource]
    ) -> GatheredLabels:
        from archiver.inspection.training import channels_to_learn, gather  # noqa: PLC0415 - likewise

        line = StatusLine(sys.stderr)
        with self.state() as state:
            scope = channels_to_learn(state, chosen_channels(state, opts.channel))
            asked = opts.field, sources, lambda done: line.show(f"{done} pages read")
            found = gather(state, self.withheld(state), folder / "warc", scope, *asked)
        line.clear()
        return found

    def _write(self, model: VisualModel, path: Path) -> None:
        from archiver.articles.methods.visual.model import write_model  # noqa: PLC0415 - likewise

        self.set_umask()
        write_model(path, model)
        print(f"Written to {path}")


def _sources(told: str | None) -> frozenset[LabelSource]:
    from archiver.articles.labels.model import LabelSource  # noqa: PLC0415 - likewise

    names = [one.strip() for one in told.split(",") if one.strip()] if told else list(LabelSource)
    for name in names:
        if name not in {str(one) for one in LabelSource}:
            raise ConfigurationError(f"--sources {name}: there are {', '.join(map(str, LabelSource))}")
    return frozenset(map(LabelSource, names))


def _fitted(found: GatheredLabels, opts: argparse.Namespace) -> VisualModel:
    from msgspec.structs import replace  # noqa: PLC0415 - likewise

    from archiver.articles.methods.visual.training import fit_model, recipe_for  # noqa: PLC0415 - likewise

    recipe = recipe_for(opts.field, "network" if opts.network else "line")
    model = fit_model(found.pages, recipe, when=f"{machine_now():%Y-%m-%d}", on="this archive")
    return replace(model, sources=found.sources)


def _tell(model: VisualModel, found: GatheredLabels) -> None:
    trained = model.trained
    told = "F1 of blocks" if model.field == "article" else "right on pages"
    print(f"{model.field}: {trained.pages} pages of {trained.sites} sites")
    print(f"  {told} of sites that were left out: {trained.held_out:.3f}")
    for name, one in sorted(found.sources.items()):
        reliability = f", reliability {one['reliability']:.2f}" if "reliability" in one else ""
        print(f"  {name}: {one['pages']:.0f} pages{reliability}")
