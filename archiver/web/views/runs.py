"""Runs: what each did, what failed and why, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import msgspec

from archiver.inspection.runs import RunDetails, RunList, list_runs, run_details
from archiver.web.view import WebView

if TYPE_CHECKING:
    from archiver.web.opened import OpenedArchive


class RunsAsked(msgspec.Struct, frozen=True, kw_only=True):
    limit: Annotated[int, msgspec.Meta(ge=1, le=200)] = 50
    before: Annotated[str, msgspec.Meta(max_length=200, description="`next` of the answer before")] = ""


class RunAsked(msgspec.Struct, frozen=True, kw_only=True):
    name: Annotated[
        str, msgspec.Meta(max_length=200, description="The name of a run, or the beginning of it")
    ]


def read_runs(archive: OpenedArchive, asked: RunsAsked) -> RunList:
    return list_runs(archive.folder, archive.state, limit=asked.limit, before=asked.before or None)


def read_run(archive: OpenedArchive, asked: RunAsked) -> RunDetails:
    return run_details(archive.folder, archive.state, asked.name, archive.withheld)


RUNS = WebView(
    name="runs",
    path="/runs",
    about="Runs, the newest first",
    parameters=RunsAsked,
    answer=RunList,
    read=read_runs,
    part="runs",
)
RUN = WebView(
    name="run",
    path="/runs/{name}",
    about="A run: what it did, what failed and why",
    parameters=RunAsked,
    answer=RunDetails,
    read=read_run,
    part="runs",
)
