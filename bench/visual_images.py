"""The main image of an article on pages whose `og:image` also stands in the body, the statement hidden."""

from __future__ import annotations

from collections import Counter
from statistics import fmean
from typing import TYPE_CHECKING, Any

from extraction_sets import set_name
from fit_visual import add_titles, labelled, recipe
from msgspec.structs import replace as replaced
from visual_samples import samples_of
from visual_voter import MEASURED_ONLY

from archiver.articles.methods.visual.features import FEATURES
from archiver.articles.methods.visual.picture_names import picture_name
from archiver.articles.methods.visual.stated import OPEN_GRAPH_IMAGE
from archiver.articles.methods.visual.training import IMAGE_COLUMNS, Recipe, fit_model
from archiver.documents.pages.statements import statements_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from visual_samples import VisualSample

    from archiver.articles.methods.visual.training import LabelledSight

_LAYOUT = (
    "x",
    "y_screen",
    "y_page",
    "w",
    "h",
    "area",
    "column",
    "beside",
    "above_fold",
    "dst_title",
    "dst_date",
)
_SOURCE = ("type_jpeg", "type_gif", "type_png", "type_other", "name_digits", "intitle", "smartintitle")
# Which features are asked; the thesis's own sets first (tables 4.2 and 4.3).
_ASKED = {
    "x, y, w, h": ("x", "y_screen", "w", "h"),
    "type, name, title": _SOURCE,
    "layout, type, name, title": (*_LAYOUT, *_SOURCE),
    "thesis, all": FEATURES,
    "ours, no layout": tuple(name for name in IMAGE_COLUMNS if name not in _LAYOUT),
    "ours": IMAGE_COLUMNS,
}
_OWN = "ours, own image"

# Of each page whether a rule was right.
Verdicts = dict[str, list[float]]


def run(files: Sequence[Path], limit: int | None) -> list[dict[str, Any]]:
    """Print how often each rule is right, set by set, by models of the other sets without its sites."""
    sets = {set_name(file): _stated(file, limit) for file in files}
    print(f"{'':26}" + "".join(f"{name:>16}" for name in sets) + f"{'all':>8}")
    found = {name: _held_out(name, sets) for name in sets}
    for rule in next(iter(found.values())):
        _print_shares(rule, [some[rule] for some in found.values()])
    own = [_have_own(held) for held in sets.values()]
    chosen = [
        [right for right, is_own in zip(some["ours"], mine, strict=True) if is_own]
        for some, mine in zip(found.values(), own, strict=True)
    ]
    _print_shares(_OWN, chosen)
    for told, counts in (("pages", [len(one) for one in own]), ("with an image of its own", map(sum, own))):
        cells = list(counts)
        print(f"{told:26}" + "".join(f"{count:>16}" for count in cells) + f"{sum(cells):>8}")
    return [
        {"set": name, "pages": len(sets[name]), **{rule: fmean(some) for rule, some in verdicts.items()}}
        for name, verdicts in found.items()
    ]


def _stated(file: Path, limit: int | None) -> list[VisualSample]:
    samples = samples_of(file, limit, only_images=True)
    return [one for one in samples if statements_of(one.page.tree).named(OPEN_GRAPH_IMAGE)]


def _have_own(held: Sequence[VisualSample]) -> list[bool]:
    """Whether no other page of the site states the same picture: one for all pages is not of the article."""
    names = [(one.site, picture_name(_stated_image(one))) for one in held]
    counts = Counter(names)
    return [counts[name] == 1 for name in names]


def _stated_image(one: VisualSample) -> str:
    return statements_of(one.page.tree).named(OPEN_GRAPH_IMAGE)[0]


def _print_shares(rule: str, sets: Sequence[Sequence[float]]) -> None:
    every = [one for some in sets for one in some]
    cells = "".join(f"{fmean(some) if some else float('nan'):>16.3f}" for some in sets)
    print(f"{rule:26}{cells}{fmean(every):>8.3f}", flush=True)


def _held_out(name: str, sets: dict[str, list[VisualSample]]) -> Verdicts:
    held = sets[name]
    sites = {one.site for one in held}
    fitting = [some for other, some in sets.items() if other != name and other not in MEASURED_ONLY]
    rest = [one for some in fitting for one in some if one.site not in sites]
    title = fit_model(labelled(rest, "title"), recipe("title", "line", 0), when="")
    add_titles([*rest, *held], title)
    return {**_rules(held), **_models(labelled(rest, "image"), labelled(held, "image"))}


def _rules(held: Sequence[VisualSample]) -> Verdicts:
    area = FEATURES.index("area")
    return {
        "first": [one.is_image[0] for one in held],
        "first in the article": [float((one.is_image * one.is_first).any()) for one in held],
        "largest": [one.is_image[int(one.images[:, area].argmax())] for one in held],
    }


def _models(train: Sequence[LabelledSight], test: Sequence[LabelledSight]) -> Verdicts:
    found = {
        told: _right(train, test, Recipe(field="image", features=tuple(features), is_choice=True))
        for told, features in _ASKED.items()
    }
    alone = Recipe(field="image", features=IMAGE_COLUMNS)
    found["ours, each by itself"] = _right(train, test, alone)
    network = Recipe(field="image", kind="network", features=IMAGE_COLUMNS)
    found["ours, network"] = _right(train, test, network)
    return found


def _right(train: Sequence[LabelledSight], test: Sequence[LabelledSight], asked: Recipe) -> list[float]:
    model = replaced(fit_model(train, asked, when=""), threshold=float("-inf"))
    return [float(page.is_wanted[int(model.margins(page.rows, page.bags).argmax())]) for page in test]
