"""Where bulk work is done: in worker processes of this machine, or on Spark."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from archiver.errors import ConfigurationError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterator

    from scrapy.settings import Settings

    from archiver.running.archive import ArchiveConfig
    from archiver.running.workers import TaskRunner

_ENGINES = ("local", "spark")
_MASTER = "local[*]"


def add_engine_options(parser: argparse.ArgumentParser, note: str = "") -> None:
    parser.add_argument(
        "--engine",
        choices=_ENGINES,
        default="local",
        help=f"{note}worker processes of this machine (local), or Apache Spark",
    )
    parser.add_argument("--master", metavar="URL", help=f"of Spark: {_MASTER} unless named, or its cluster's")


def is_spark(opts: argparse.Namespace) -> bool:
    """Whether Spark is asked for; ConfigurationError where something that it needs is missing."""
    if opts.engine != "spark":
        if opts.master is not None:
            raise ConfigurationError("--master goes with --engine spark")
        return False
    from archiver.running.spark.starting import need_spark  # noqa: PLC0415 - no help needs it

    need_spark()
    return True


def engine_from(opts: argparse.Namespace) -> Callable[[ArchiveConfig], TaskRunner]:
    """What opens the workers that are asked for."""
    if is_spark(opts):
        from archiver.running.spark.starting import open_spark  # noqa: PLC0415 - likewise

        return lambda config: open_spark(config, opts.master or _MASTER)
    from archiver.running.objects import open_workers  # noqa: PLC0415 - likewise

    return open_workers


@contextmanager
def spark_from(opts: argparse.Namespace, settings: Settings) -> Iterator[TaskRunner | None]:
    """Spark for a command that only reads; None where it is not asked for."""
    if not is_spark(opts):
        yield None
        return
    from archiver.extensions.configuration import config_from  # noqa: PLC0415 - likewise

    spark = engine_from(opts)(config_from(settings))
    try:
        yield spark
    finally:
        spark.close()
