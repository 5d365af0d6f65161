"""What travels between the crawl and its workers: orders, and their replies. Bodies never travel."""

from __future__ import annotations

import struct
from enum import StrEnum
from pkgutil import resolve_name
from typing import Any

import msgspec

from archiver.running.workers import Task

# Before each message stands its length.
LENGTH = struct.Struct("!I")
# Sent once, when the worker has imported what our own tasks need.
READY = LENGTH.pack(0)


class Order(msgspec.Struct, frozen=True, kw_only=True):
    """A task as a message: where its class is, its fields, and how many times as long it may take."""

    task: str
    fields: msgspec.Raw
    times: float


def order_of(task: Task[Any]) -> bytes:
    kind = type(task)
    path = f"{kind.__module__}:{kind.__qualname__}"
    fields = msgspec.Raw(msgspec.json.encode(task))
    return msgspec.json.encode(Order(task=path, fields=fields, times=task.patience()))


def task_of(order: Order) -> Task[Any]:
    """The task of an order. Only the crawl writes to a worker, and what it names must be a task."""
    kind = resolve_name(order.task)
    if not (isinstance(kind, type) and issubclass(kind, Task)):
        raise TypeError(f"{order.task} is not a task")
    return msgspec.json.decode(order.fields, type=kind)


class Trouble(StrEnum):
    """What kept a task from being done."""

    # The task named a record that is not in the archive, or is damaged.
    RECORD = "record"
    # An exception that the document provoked, or a mistake of ours.
    ERROR = "error"
    # More memory than a worker is allowed.
    MEMORY = "memory"
    # More time than a task is allowed, and it was used; or the machine did not give it any.
    TIME = "time"
    WAITED = "waited"
    # The process crashed.
    DIED = "died"
    # A missing or broken package, a file that cannot be opened, memory that is not there.
    MACHINE = "machine"
    # SIGKILL: no document can do that, but a machine that runs out of memory does.
    KILLED = "killed"


class Reply(msgspec.Struct, frozen=True, kw_only=True):
    """A result, or what went wrong in words."""

    result: msgspec.Raw = msgspec.Raw(b"null")
    error: str = ""
    trouble: Trouble | None = None
