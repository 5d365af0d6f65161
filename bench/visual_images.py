"""The main image of an article on pages whose stated image also stands in the body, the statement hidden."""

from __future__ import annotations

from statistics import fmean
from typing import TYPE_CHECKING, Any

from extraction_sets import set_name
from fit_visual import add_titles, labelled, recipe
from msgspec.structs import replace as replaced
from visual_samples import samples_of
from visual_voter import MEASURED_ONLY

from archiver.articles.methods.visual.features import FEATURES
from archiver.articles.methods.visual.training import IMAGE_COLUMNS, Recipe, fit_model

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
    "ours": IMAGE_COLUMNS,
}


def run(files: Sequence[Path], limit: int | None) -> list[dict[str, Any]]:
    sets = {set_name(file): list(samples_of(file, limit, only_images=True)) for file in files}
    names = ("first", "first in the article", "largest", *_ASKED, "ours, network")
    print(f"{'':26}" + "".join(f"{name:>16}" for name in sets) + f"{'all':>8}")
    found: dict[str, list[tuple[float, int]]] = {name: [] for name in names}
    for name, held in sets.items():
        sites = {one.site for one in held}
        fitting = [some for other, some in sets.items() if other != name and other not in MEASURED_ONLY]
        rest = [one for some in fitting for one in some if one.site not in sites]
        for rule, share in _shares(rest, held).items():
            found[rule].append((share, len(held)))
    for rule, some in found.items():
        mean = sum(share * count for share, count in some) / sum(count for _, count in some)
        print(f"{rule:26}" + "".join(f"{share:>16.3f}" for share, _ in some) + f"{mean:>8.3f}", flush=True)
    print("pages" + " " * 21 + "".join(f"{len(held):>16}" for held in sets.values()))
    return [{"rule": rule, "sets": dict(zip(sets, some, strict=True))} for rule, some in found.items()]


def _shares(rest: Sequence[VisualSample], held: Sequence[VisualSample]) -> dict[str, float]:
    title = fit_model(labelled(rest, "title"), recipe("title", "line", 0), when="")
    add_titles([*rest, *held], title)
    train, test = labelled(rest, "image"), labelled(held, "image")
    found = {
        "first": fmean(one.is_image[0] for one in held),
        "first in the article": fmean(float((one.is_image * one.is_first).any()) for one in held),
        "largest": fmean(one.is_image[int(one.images[:, FEATURES.index("area")].argmax())] for one in held),
    }
    for told, features in _ASKED.items():
        found[told] = _right(train, test, Recipe(field="image", features=tuple(features)))
    found["ours, network"] = _right(
        train, test, Recipe(field="image", kind="network", features=IMAGE_COLUMNS)
    )
    return found


def _right(train: Sequence[LabelledSight], test: Sequence[LabelledSight], asked: Recipe) -> float:
    model = replaced(fit_model(train, asked, when=""), threshold=float("-inf"))
    return fmean(page.is_wanted[int(model.margins(page.rows, page.bags).argmax())] for page in test)
