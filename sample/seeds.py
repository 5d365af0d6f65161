"""Writes the list of what to poll, as plain text, OPML or CSV."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, NamedTuple
from xml.sax.saxutils import quoteattr

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from sample.site import Site


class SeedLine(NamedTuple):
    """One address, with the label and the interval that the operator gave it, if any."""

    url: str
    label: str
    every: str


def seed_lines(sites: Iterable[Site], *, extra: str = "") -> list[SeedLine]:
    """What to poll: the sites that are polled as a rule, or only this one of the others."""
    chosen = [site for site in sites if (site.name == extra if extra else not site.is_extra)]
    return [SeedLine(site.base + seed.path, seed.label, seed.every) for site in chosen for seed in site.seeds]


def write_seeds(path: Path, lines: list[SeedLine]) -> None:
    write = {".opml": as_opml, ".csv": as_csv}.get(path.suffix.lower(), as_text)
    path.write_text(write(lines), "utf-8")


def as_text(lines: list[SeedLine]) -> str:
    return "# The sample web: an address a line, then its label and how often to poll it.\n" + "".join(
        " ".join([line.url, *_options(line)]) + "\n" for line in lines
    )


def _options(line: SeedLine) -> list[str]:
    return [f"{name}={value}" for name, value in (("label", line.label), ("every", line.every)) if value]


def as_csv(lines: list[SeedLine]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([SeedLine._fields, *lines])
    return out.getvalue()


def as_opml(lines: list[SeedLine]) -> str:
    labels = dict.fromkeys(line.label for line in lines)
    groups = "".join(_group(label, [line for line in lines if line.label == label]) for label in labels)
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<opml version="2.0">\n'
        f"<head><title>The sample web</title></head>\n<body>\n{groups}</body>\n</opml>\n"
    )


def _group(label: str, lines: list[SeedLine]) -> str:
    inner = "".join(
        f'  <outline type="rss" text={quoteattr(line.url)} xmlUrl={quoteattr(line.url)}/>\n' for line in lines
    )
    return f"<outline text={quoteattr(label)}>\n{inner}</outline>\n" if label else inner
