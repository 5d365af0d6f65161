"""`python -m tests.docs.refresh`: writes into the documents what their commands print today.

A document in which all is as shown stays as it is. In any other, all shown output is from this one run, so
that times and names agree with each other. A line `…` keeps its place: as many lines before it and after it.
Read the difference before you commit it: what is shown must also be what is meant.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from tests.docs.checkout import PROJECT
from tests.docs.following import DOCUMENTS, failures, follow

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tests.docs.following import Step


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        followed = follow(Path(folder))
    for failure in failures(followed):
        print(failure, end="\n\n")
    for document in DOCUMENTS:
        steps = [step for step in followed.steps if step.block.document == document]
        if any(step.difference for step in steps):
            _rewrite(PROJECT / document, steps)
            print(f"{document}: rewritten")
    wrong = [step for step in followed.steps if step.printed.exit_code != step.expected_code]
    return 1 if wrong else 0


def _rewrite(path: Path, steps: Iterable[Step]) -> None:
    lines = path.read_text("utf-8").splitlines()
    # From the end, so that the numbers of lines above stay as they are.
    for step in sorted(steps, key=lambda step: step.shown.line, reverse=True):
        if step.shown.output is not None and step.printed.exit_code == step.expected_code:
            at = step.shown.line
            lines[at : at + len(step.shown.output)] = refreshed(step.shown.output, step.printed.lines)
    path.write_text("\n".join(lines) + "\n", "utf-8")


def refreshed(shown: Sequence[str], printed: Sequence[str]) -> list[str]:
    printed = [line.rstrip() for line in printed]
    if "…" not in shown:
        return printed
    before = shown.index("…")
    after = len(shown) - before - 1
    return [*printed[:before], "…", *(printed[-after:] if after else [])]


if __name__ == "__main__":
    sys.exit(main())
