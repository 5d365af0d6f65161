"""What the processes of Spark do: each has a worker process carry out tasks, as a crawl has."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from archiver.archive.storage import STORAGE, STORED
from archiver.running.workers.messages import Order, Reply
from archiver.running.workers.worker import Worker

if TYPE_CHECKING:
    from archiver.running.workers.worker import Work


@dataclass(frozen=True, slots=True, kw_only=True)
class CarryingRules:
    """How long a document may take and how much memory; and where files are that a machine does not have."""

    seconds: float
    memory_bytes: int
    # The folder of WARC files as tasks name it; what its lists say of files that are kept elsewhere.
    folder: str = ""
    storage: str = ""
    stored: str = ""


def carried_out(rules: CarryingRules, work: Work) -> bytes:
    """The reply to one task."""
    reply = _worker(rules.seconds, rules.memory_bytes).call(replace(work, order=reached(rules, work.order)))
    return msgspec.json.encode(reply)


def decoded(reply: bytes) -> Reply:
    return msgspec.json.decode(reply, type=Reply)


@cache
def _worker(seconds: float, memory_bytes: int) -> Worker:
    """One for each process of Spark; it ends with that process."""
    return Worker(seconds, memory_bytes)


def reached(rules: CarryingRules, order: bytes) -> bytes:
    """The order; where this machine has no such folder, with one by which stored files are found."""
    if not rules.storage or Path(rules.folder).exists():
        return order
    asked = msgspec.json.decode(order, type=Order)
    fields: dict[str, Any] = msgspec.json.decode(asked.fields)
    if fields.get("folder") != rules.folder:
        return order
    fields["folder"] = str(_stand_in(rules))
    changed = msgspec.structs.replace(asked, fields=msgspec.Raw(msgspec.json.encode(fields)))
    return msgspec.json.encode(changed)


@cache
def _stand_in(rules: CarryingRules) -> Path:
    """A folder without WARC files that says where they are kept."""
    archive = Path(tempfile.mkdtemp(prefix="archiver-"))
    (archive / STORAGE).write_text(rules.storage, "utf-8")
    warcs = archive / Path(rules.folder).name
    warcs.mkdir()
    (warcs / STORED).write_text(rules.stored, "utf-8")
    return warcs
