"""The main image of an article on pages whose `og:image` also stands in the body, the statement hidden."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from statistics import fmean
from typing import TYPE_CHECKING, Any

import numpy as np
from extraction_sets import set_name
from fit_visual import add_titles, labelled, recipe
from visual_samples import samples_of
from visual_voter import MEASURED_ONLY

from archiver.articles.methods.visual.features import FEATURES
from archiver.articles.methods.visual.images import IMAGE_FEATURES
from archiver.articles.methods.visual.picture_names import picture_name
from archiver.articles.methods.visual.stated import OPEN_GRAPH_IMAGE, same_address
from archiver.articles.methods.visual.training import Recipe, fit_model
from archiver.documents.pages.statements import statements_of

if TYPE_CHECKING:
    from collections.abc import Callable
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
    "ours and layout": (*_LAYOUT, *IMAGE_FEATURES),
    "ours": IMAGE_FEATURES,
}
# How freely the weights follow the pages: which is best is asked of the sets that models are fitted on.
_STRENGTHS = (0.01, 0.03, 0.1, 0.3, 1.0)
# The rules that are asked of parts of the pages as well.
_FIRST, _OURS = "first", "ours"

# Of each page the image that a rule takes; -1 where it takes none.
Picks = dict[str, list[int]]
# Of each page which of its images are right; None where the page is not asked.
Truth = list[Sequence[float] | None]


def run(files: Sequence[Path], limit: int | None) -> list[dict[str, Any]]:
    """Print how often each rule is right, set by set, by models of the other sets without its sites."""
    sets = {set_name(file): _stated(file, limit) for file in files}
    print(f"{'':30}" + "".join(f"{name:>16}" for name in sets) + f"{'all':>8}")
    found = {name: _held_out(name, sets) for name in sets}
    truths = [[one.is_image for one in held] for held in sets.values()]
    for rule in next(iter(found.values())):
        _print_shares(rule, [some[rule] for some in found.values()], truths)
    _print_count("pages", truths)
    for told, truth_of in _PARTS.items():
        some = [truth_of(held) for held in sets.values()]
        for rule in (_FIRST, _OURS):
            _print_shares(f"{rule}: {told}", [picks[rule] for picks in found.values()], some)
        _print_count("  pages", some)
    _print_strengths(sets)
    return [
        {
            "set": name,
            "pages": len(held),
            **{rule: fmean(_right(picks, truth)) for rule, picks in found[name].items()},
        }
        for (name, held), truth in zip(sets.items(), truths, strict=True)
    ]


def _stated(file: Path, limit: int | None) -> list[VisualSample]:
    samples = samples_of(file, limit, only_images=True)
    return [one for one in samples if statements_of(one.page.tree).named(OPEN_GRAPH_IMAGE)]


def _same_address(held: Sequence[VisualSample]) -> Truth:
    """The plain reading: only an image with the very address is right, and only such pages are asked."""
    found = [same_address(one.placed.images, [_stated_image(one)], one.page) for one in held]
    return [list(map(float, some)) if any(some) else None for some in found]


def _own_image(held: Sequence[VisualSample]) -> Truth:
    """Pages whose picture no other page of the site states: one for all pages is not of the article."""
    names = [(one.site, picture_name(_stated_image(one))) for one in held]
    counts = Counter(names)
    return [one.is_image if counts[name] == 1 else None for one, name in zip(held, names, strict=True)]


_PARTS: dict[str, Callable[[Sequence[VisualSample]], Truth]] = {
    "the same address": _same_address,
    "of one page alone": _own_image,
}


def _stated_image(one: VisualSample) -> str:
    return statements_of(one.page.tree).named(OPEN_GRAPH_IMAGE)[0]


def _right(picks: Sequence[int], truth: Sequence[Sequence[float] | None]) -> list[float]:
    pairs = zip(picks, truth, strict=True)
    return [float(at >= 0 and some[at] > 0) for at, some in pairs if some is not None]


def _print_shares(rule: str, picks: Sequence[Sequence[int]], truths: Sequence[Truth]) -> None:
    sets = [_right(some, truth) for some, truth in zip(picks, truths, strict=True)]
    cells = "".join(f"{fmean(some) if some else float('nan'):>16.3f}" for some in sets)
    print(f"{rule:30}{cells}{fmean(one for some in sets for one in some):>8.3f}", flush=True)


def _print_count(told: str, truths: Sequence[Truth]) -> None:
    counts = [sum(one is not None for one in truth) for truth in truths]
    print(f"{told:30}" + "".join(f"{count:>16}" for count in counts) + f"{sum(counts):>8}")


def _print_strengths(sets: dict[str, list[VisualSample]]) -> None:
    """Each strength on the sets that models are fitted on, each left out in turn."""
    fitted = {name: some for name, some in sets.items() if name not in MEASURED_ONLY}
    for strength in _STRENGTHS:
        asked = Recipe(field="image", features=IMAGE_FEATURES, is_choice=True, choice_strength=strength)
        right = []
        for name, held in fitted.items():
            train, test = labelled(_others(name, sets), "image"), labelled(held, "image")
            right += _right(_picks(train, test, asked), [one.is_image for one in held])
        print(f"strength {strength:<5} on sets fitted on {fmean(right):>8.4f}", flush=True)


def _others(name: str, sets: dict[str, list[VisualSample]]) -> list[VisualSample]:
    """What a set is asked by: the other sets that models may be fitted on, without its sites."""
    sites = {one.site for one in sets[name]}
    fitting = [some for other, some in sets.items() if other != name and other not in MEASURED_ONLY]
    return [one for some in fitting for one in some if one.site not in sites]


def _held_out(name: str, sets: dict[str, list[VisualSample]]) -> Picks:
    held, rest = sets[name], _others(name, sets)
    title = fit_model(labelled(rest, "title"), recipe("title", "line", 0), when="")
    add_titles([*rest, *held], title)
    return {**_rules(held), **_models(labelled(rest, "image"), labelled(held, "image"))}


def _rules(held: Sequence[VisualSample]) -> Picks:
    area = FEATURES.index("area")
    return {
        _FIRST: [0] * len(held),
        "first in the article": [int(one.is_first.argmax()) if one.is_first.any() else -1 for one in held],
        "largest": [int(np.nan_to_num(one.images[:, area]).argmax()) for one in held],
    }


def _models(train: Sequence[LabelledSight], test: Sequence[LabelledSight]) -> Picks:
    found = {
        told: _picks(train, test, Recipe(field="image", features=tuple(features), is_choice=True))
        for told, features in _ASKED.items()
    }
    alone = Recipe(field="image", features=IMAGE_FEATURES)
    found["ours, each by itself"] = _picks(train, test, alone)
    network = Recipe(field="image", kind="network", features=IMAGE_FEATURES)
    found["ours, network"] = _picks(train, test, network)
    return found


def _picks(train: Sequence[LabelledSight], test: Sequence[LabelledSight], asked: Recipe) -> list[int]:
    model = fit_model(train, asked, when="")
    return [int(model.margins(page.rows, page.bags).argmax()) for page in test]
