"""What is seen and who links, question by question: each table has what it is held against in the same run.

--faithful  the thesis's claims on links, by real links of sites that are up (--site NAME TRUTH)
--images    the main image of an article, its statement hidden (--data)
--voter     the method `article` with a fourth voter, by models that had not seen the set (--data)
--boxes     estimated layout against Chromium's (--data)
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

_FEATURES = {
    "title, size, weight": ("smartintitle", "size", "weight"),
    "title": ("smartintitle",),
    "none": ("layout_known",),
}


def faithful(sites: Sequence[tuple[str, str]], folds: int) -> list[dict[str, Any]]:
    """Each site by models of the other sites; of one alone, a third of its pages by the others."""
    import visual_links as links  # noqa: PLC0415 - needs scikit-learn

    pages = {name: links.content_pages(name, Path(truth)) for name, truth in sites}
    for name, found in pages.items():
        blocks = sum(len(one.rows) for one in found)
        count = sum(len(one.anchors) for one in found)
        print(f"{name}: {len(found)} content pages, {blocks} blocks, {count} anchors", flush=True)
    splits = _splits(pages, folds)
    rows = []
    for anchors, bags in (("no links", None), ("real links", links.Bags()), ("made-up links", links.Bags(7))):
        for told, names in _FEATURES.items():
            if bags is None and told == "none":
                continue
            rows += [_faithful_row(links, splits, (anchors, told), names, bags)]
            print(_faithful_line(rows[-1]), flush=True)
    return rows


def _splits(pages: dict[str, list[Any]], folds: int) -> list[tuple[list[Any], list[Any]]]:
    if len(pages) > 1:
        return [
            ([one for other, found in pages.items() if other != name for one in found], held)
            for name, held in pages.items()
        ]
    only = [one for found in pages.values() for one in found]
    return [
        (
            [one for at, one in enumerate(only) if at % folds],
            [one for at, one in enumerate(only) if not at % folds],
        )
    ]


def _faithful_row(links: Any, splits: Any, told: tuple[str, str], names: Any, bags: Any) -> dict[str, Any]:
    found: dict[str, list[tuple[float, float, float]]] = {}
    for train, test in splits:
        for name, exact in (("MS-RBFN exact", True), ("MS-RBFN ridge", False)):
            found.setdefault(name, []).append(links.run_network(train, test, names, bags, exact=exact))
        for name in ("logistic", "SVC"):
            found.setdefault(name, []).append(links.run_peer(train, test, names, bags, name))
    means = {
        name: [sum(column) / len(column) for column in zip(*some, strict=True)]
        for name, some in found.items()
    }
    return {"links": told[0], "features": told[1], "scores": means}


def _faithful_line(row: dict[str, Any]) -> str:
    told = "   ".join(
        f"{name} {'/'.join(f'{one:.2f}' for one in scores[:2])}/{scores[2]:.3f}"
        for name, scores in row["scores"].items()
    )
    return f"{row['links']:14}{row['features']:22}{told}"


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    option = made.add_argument
    option("--data", type=Path, nargs="+", default=[], metavar="FILE", help="sets of pages")
    option("--faithful", action="store_true", help="the thesis's claims on links")
    option(
        "--site", nargs=2, action="append", default=[], metavar=("NAME", "TRUTH"), help="a site that is up"
    )
    option("--images", action="store_true", help="main images")
    option("--voter", action="store_true", help="a fourth voter")
    option("--boxes", action="store_true", help="the estimate beside Chromium")
    option("--limit", type=int, metavar="N", help="only the first N pages of each set")
    option("--json", type=Path, metavar="FILE", help="write the figures here as well")
    return made


def main() -> None:
    reader = parser()
    options = reader.parse_args()
    figures: dict[str, Any] = {}
    if options.faithful:
        if not options.site:
            reader.error("--faithful needs sites that are up: --site NAME truth.json")
        figures["faithful"] = faithful(options.site, 3)
    if (options.images or options.voter or options.boxes) and not options.data:
        reader.error("--data names the sets to measure on")
    if options.images:
        import visual_images  # noqa: PLC0415 - only where it is asked for

        figures["images"] = visual_images.run(options.data, options.limit)
    if options.voter:
        import visual_voter  # noqa: PLC0415 - likewise

        figures["voter"] = visual_voter.run(options.data, options.limit)
    if options.boxes:
        import visual_boxes  # noqa: PLC0415 - likewise

        figures["boxes"] = visual_boxes.run(options.data, options.limit or 30)
    if options.json:
        options.json.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
