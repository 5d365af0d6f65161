"""What a detector made of changes that are known: counted by kind, and every mistake named."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from changes_kinds import Expected

RIGHT, WRONG, MISSED, FALSE, QUIET, NO_ARTICLE = (
    "right",
    "wrong kind",
    "missed",
    "false",
    "quiet",
    "no article",
)
LEGEND = """\
found       real changes that became exactly one version with the right kinds
wrong kind  became a version, with other kinds of change
missed      became none; false: versions of what is no change of the article
digest      by which any other bytes of the page are a version: its false ones beside ours
precision   found / (found + wrong kind + false); recall: found / real changes"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """One change, or one capture without any, and what was said of it."""

    kind: str
    is_real: bool
    said: str
    # Whether the bytes of the page were others.
    digest: bool
    where: str
    detail: str = ""


def verdict(expected: Expected, found: frozenset[str]) -> str:
    if not (expected.kinds or expected.either):
        return FALSE if found else QUIET
    if not found:
        return MISSED
    return RIGHT if expected.admits(found) else WRONG


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """Sums of outcomes."""

    changes: int
    real: int
    said: Counter[str]
    digest_false: int
    digest_found: int

    @property
    def precision(self) -> float:
        return _share(self.said[RIGHT], self.said[RIGHT] + self.said[WRONG] + self.said[FALSE])

    @property
    def recall(self) -> float:
        return _share(self.said[RIGHT], self.real)

    @property
    def digest_precision(self) -> float:
        return _share(self.digest_found, self.digest_found + self.digest_false)

    @property
    def digest_recall(self) -> float:
        return _share(self.digest_found, self.real)

    def row(self) -> dict[str, object]:
        counts = {name: self.said[name] for name in (RIGHT, WRONG, MISSED, FALSE, QUIET, NO_ARTICLE)}
        shares = {"precision": round(self.precision, 4), "recall": round(self.recall, 4)}
        digest = {"digest_false": self.digest_false, "digest_precision": round(self.digest_precision, 4)}
        return {"changes": self.changes, "real": self.real, **counts, **shares, **digest}


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 1.0


def score(outcomes: Sequence[Outcome]) -> Score:
    """Captures that gave no article are counted apart."""
    told = [one for one in outcomes if one.said != NO_ARTICLE]
    return Score(
        changes=len(told),
        real=sum(one.is_real for one in told),
        said=Counter(one.said for one in outcomes),
        digest_false=sum(one.digest and not one.is_real for one in told),
        digest_found=sum(one.digest and one.is_real for one in told),
    )


def table(outcomes: Sequence[Outcome]) -> str:
    """By kind, the real ones first."""
    kinds = sorted({(not one.is_real, one.kind) for one in outcomes})
    wide = max(len(kind) for _, kind in kinds)
    head = f"{'':{wide}} {'changes':>8}{'found':>7}{'wrong kind':>12}{'missed':>8}{'false':>7}"
    head += f"{'digest false':>14}"
    lines = []
    for is_noise, kind in kinds:
        of_kind = score([one for one in outcomes if (not one.is_real, one.kind) == (is_noise, kind)])
        lines.append(_line(f"{kind:{wide}}", of_kind, is_noise=is_noise))
    return "\n".join([head, *lines])


def _line(name: str, of: Score, *, is_noise: bool) -> str:
    found = ("",) * 3 if is_noise else (of.said[RIGHT], of.said[WRONG], of.said[MISSED])
    digest = of.digest_false if is_noise else ""
    false = of.said[FALSE]
    return f"{name} {of.changes:>8}{found[0]:>7}{found[1]:>12}{found[2]:>8}{false:>7}{digest:>14}"


def summary(name: str, outcomes: Sequence[Outcome]) -> str:
    of = score(outcomes)
    apart = f", {of.said[NO_ARTICLE]} without an article" if of.said[NO_ARTICLE] else ""
    return (
        f"{name}: precision {of.precision:.3f}, recall {of.recall:.3f}: "
        f"{of.real} real changes among {of.changes}{apart}; "
        f"by digest of the page: precision {of.digest_precision:.3f}, recall {of.digest_recall:.3f}"
    )


def mistakes(outcomes: Iterable[Outcome]) -> list[str]:
    return [
        f"{one.said}: {one.kind}: {one.where}{f' ({one.detail})' if one.detail else ''}"
        for one in outcomes
        if one.said in (MISSED, FALSE, WRONG)
    ]
