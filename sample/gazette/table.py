"""The script as a table for people: `python -m sample.gazette.table` prints it."""

from __future__ import annotations

from sample.gazette.kinds import KINDS
from sample.gazette.script import places

HEAD = "| kind | what happens | is | kinds of change | where and when |\n| --- | --- | --- | --- | --- |"


def table() -> str:
    return "\n".join([HEAD, *(_row(name) for name in KINDS)])


def _row(name: str) -> str:
    kind = KINDS[name]
    sort = "a real edit" if kind.is_real else "an absence" if kind.absence else "noise"
    kinds = (" or " if kind.either else ", ").join(f"`{one}`" for one in kind.kinds) or "–"
    return f"| {name} | {kind.what} | {sort} | {kinds} | {places()[name]} |"


if __name__ == "__main__":
    print(table())
