"""Fits the models that ship with the method `visual`; says how they do on sites that they have not seen."""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from datetime import UTC, datetime
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING

from extraction_metric import score
from extraction_sets import set_name
from visual_samples import samples_of

from archiver.articles.methods.article.decisions import decided
from archiver.articles.methods.article.hints import hints_of
from archiver.articles.methods.article.judge import JudgedPage
from archiver.articles.methods.article.selection import choose, kept_blocks
from archiver.articles.methods.visual.model import shipped_model, write_model
from archiver.articles.methods.visual.network import NetworkSize
from archiver.articles.methods.visual.training import LabelledSight, Recipe, fit_model, recipe_for

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from visual_samples import VisualSample

    from archiver.articles.methods.visual.model import VisualModel

FOLDER = Path(__file__).parent.parent / "archiver" / "articles" / "methods" / "visual"
FIELDS = ("title", "article", "image", "published")
# A field of one block: the label's name on a sample. Others are handled by themselves.
_ONE = {"title": "is_title", "published": "is_published"}


def labelled(samples: Iterable[VisualSample], field: str) -> list[LabelledSight]:
    """The pages that say what the field is, with their features."""
    found = []
    for one in samples:
        if field == "image":
            rows, bags, wanted, weights = one.images, one.image_bags, one.is_image, None
        elif field == "article":
            rows, bags, wanted, weights = one.texts, one.bags, one.is_article, one.weights
        else:
            rows = one.title if field == "title" else one.texts
            bags, wanted, weights = one.bags, getattr(one, _ONE[field]), None
        if wanted.any():
            sight = LabelledSight(site=one.site, rows=rows, bags=bags, is_wanted=wanted, weights=weights)
            found.append(sight)
    return found


def add_titles(samples: Iterable[VisualSample], model: VisualModel) -> None:
    for one in samples:
        one.with_title(int(model.margins(one.title, one.bags).argmax()) if len(one.title) else None)


def recipe(field: str, kind: str, units: int) -> Recipe:
    size = NetworkSize(units=units, bag_units=min(units, 50))
    return recipe_for(field, "network" if kind == "network" else "line", size)


def article_f1(one: VisualSample, model: VisualModel) -> float:
    likely = model.likelihoods(model.margins(one.texts, one.bags).tolist())
    outline = one.sight.outline
    judged = decided(JudgedPage(first=likely, second=likely), outline, hints_of(one.page), frozenset())
    node = choose(outline, judged.second)
    kept = kept_blocks(node, judged.second) if node else []
    return score(one.gold, "\n".join(outline.blocks[place].text for place in kept)).f1


def right_share(pages: Sequence[LabelledSight], model: VisualModel) -> float:
    return fmean(page.is_wanted[int(model.margins(page.rows, page.bags).argmax())] for page in pages)


def check(
    sets: dict[str, list[VisualSample]], fitting: Sequence[str], kinds: Sequence[tuple[str, int]]
) -> None:
    """Each set by models that were fitted without it, and without its sites."""
    for name, held in sets.items():
        sites = {one.site for one in held}
        rest = [one for other in fitting if other != name for one in sets[other] if one.site not in sites]
        for kind, units in kinds:
            told = _checked(rest, held, kind, units)
            print(f"{name:16}{kind:8}{units or '':>4}  {told}", flush=True)


def _checked(rest: Sequence[VisualSample], held: Sequence[VisualSample], kind: str, units: int) -> str:
    parts = []
    for field in FIELDS:
        model = fit_model(labelled(rest, field), recipe(field, kind, units), when="")
        if field == "article":
            f1 = sorted(article_f1(one, model) for one in held if one.sight.texts)
            parts.append(f"article F1 {fmean(f1):.4f} p10 {f1[len(f1) // 10]:.3f}")
            continue
        pages = labelled(held, field)
        parts.append(f"{field} {right_share(pages, model):.3f} of {len(pages)}" if pages else f"{field} -")
        if field == "title":
            add_titles([*rest, *held], model)
    return "   ".join(parts)


def write_all(samples: Sequence[VisualSample], on: str, options: argparse.Namespace) -> None:
    """Write the models that were asked for; those of images and texts need that of titles."""
    if "title" not in options.fields:
        add_titles(samples, shipped_model("title"))
    when = f"{datetime.now(UTC):%Y-%m-%d}"
    for field in options.fields:
        pages = labelled(samples, field)
        model = fit_model(pages, recipe(field, options.kind, options.units), when=when, on=on)
        if field == "title":
            add_titles(samples, model)
        write_model(FOLDER / f"visual-{field}.json", model)
        quality = model.trained.held_out
        print(f"visual-{field}.json: {len(pages)} pages, {model.trained.sites} sites, held out {quality}")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, nargs="+", required=True, help="sets to fit on")
    parser.add_argument("--also", type=Path, nargs="*", default=[], help="with --check: sets never to fit on")
    parser.add_argument("--check", action="store_true", help="fit without each set in turn; write nothing")
    parser.add_argument("--fields", nargs="+", choices=FIELDS, default=FIELDS, help="what is written")
    parser.add_argument("--kind", default="line", choices=("line", "network"), help="what is written")
    parser.add_argument("--units", type=int, default=100, help="of a network, in the space of features")
    return parser.parse_args()


def main() -> None:
    options = arguments()
    sets: dict[str, list[VisualSample]] = defaultdict(list)
    for path in (*options.data, *options.also):
        print(f"reading {path.name} …", file=sys.stderr)
        sets[set_name(path)] = list(samples_of(path))
    fitting = [set_name(path) for path in options.data]
    if options.check:
        check(sets, fitting, [("line", 0), ("network", 50), ("network", options.units)])
        return
    samples = [one for name in fitting for one in sets[name]]
    write_all(samples, ", ".join(fitting), options)


if __name__ == "__main__":
    main()
