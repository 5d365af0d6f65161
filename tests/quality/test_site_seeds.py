"""Crawls of one site with several seeds: what is told of them together."""

from __future__ import annotations

from typing import Any

from bench.whole_sites.seeds import agreement, spread_lines, total_lines


def _row(app: str, strategy: str, requests: int, *items: str) -> dict[str, Any]:
    row: dict[str, Any] = {"app": app, "strategy": strategy, "ideal": 100, "requests": requests}
    return {**row, "ratio": requests / 100, "text": 1.0, "items_on_pages": 0.5, "reached": frozenset(items)}


def _ours(app: str, strategy: str, requests: int, *items: str) -> dict[str, Any]:
    return {**_row(app, strategy, requests, *items), "text_in_objects": 1.0}


def test_seeds_agree_on_what_all_of_them_found() -> None:
    assert agreement([frozenset("abcd"), frozenset("abc")]) == 0.75


def test_least_median_and_most_of_the_seeds_are_told() -> None:
    rows = [_ours("wiki", f"learned {at}", many, "a") for at, many in enumerate((130, 110, 120))]
    (line,) = spread_lines([*rows, _row("wiki", "wget", 900)])
    assert line.startswith("learned, 3 seeds, min median max: requests 110 120 130; × ideal 1.10 1.20 1.30")
    assert line.endswith("items agree 100.00%")


def test_applications_are_added_up_beside_the_breadth_first_peer() -> None:
    rows = [_ours("wiki", "learned 0", 120), _ours("wiki", "learned 1", 140), _ours("blog", "learned 0", 110)]
    rows += [
        _row("wiki", "breadth-first", 500),
        _row("blog", "breadth-first", 300),
        _row("blog", "wget", 900),
    ]
    ours, peer = total_lines(rows)
    assert ours == (
        "learned, 2 applications: 240 requests, 1.20 × ideal (250 and 1.25 with the worst seed of each)"
    )
    assert peer.startswith("breadth-first, 2 applications: 800 requests, 4.00 × ideal")
