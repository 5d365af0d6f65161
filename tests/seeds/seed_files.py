"""Short names for what the tests of seeds ask again and again."""

from __future__ import annotations

from collections.abc import Callable

from archiver.acquisition.seeds import SeedList

# read(content, file_name) writes the file and reads it as seeds
Read = Callable[..., SeedList]


def urls(found: SeedList) -> list[str]:
    return [seed.url for seed in found.seeds]


def reasons(found: SeedList) -> list[str]:
    return [str(problem) for problem in found.problems]


def opml(*outlines: str) -> str:
    return "\n".join(['<?xml version="1.0"?>', '<opml version="2.0"><body>', *outlines, "</body></opml>"])
