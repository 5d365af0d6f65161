"""Spark, started: the driver in this process, its processors by a master URL."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from archiver.archive.storage import STORED, storage_of
from archiver.errors import ConfigurationError
from archiver.running.spark.carrying import CarryingRules
from archiver.running.spark.pool import SparkPool, in_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from archiver.running.archive import ArchiveConfig

_JAVA = 17  # what Spark 4 needs
_VERSION = re.compile(r'version "(?:1\.)?(\d+)')
# The driver hands out work and has little to do itself: what starts quickly is what costs least.
_QUICK = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"


def need_spark() -> None:
    """Say what is missing; ConfigurationError."""
    if find_spec("pyspark") is None:
        raise ConfigurationError('--engine spark needs pyspark: pip install "archiver[spark]"')
    java = _java()
    if java is None:
        raise ConfigurationError(
            f"--engine spark needs Java {_JAVA} or newer, and there is no `java`: install it (Debian:"
            " apt-get install default-jre-headless), or set JAVA_HOME"
        )
    found = _version_of(java)
    if found is not None and found < _JAVA:
        raise ConfigurationError(f"--engine spark needs Java {_JAVA} or newer, and {java} is {found}")


def _java() -> str | None:
    home = os.environ.get("JAVA_HOME")
    return shutil.which("java", path=str(Path(home) / "bin")) if home else shutil.which("java")


def _version_of(java: str) -> int | None:
    command = [java, "-version"]
    told = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)  # noqa: S603 - Java's own
    found = _VERSION.search(told.stderr + told.stdout)
    return int(found[1]) if found else None


def open_spark(config: ArchiveConfig, master: str) -> SparkPool:
    """A pool whose tasks Spark does; ConfigurationError where it cannot be started."""
    need_spark()
    archive = config.warc_folder.parent
    stored = config.warc_folder / STORED
    rules = CarryingRules(
        seconds=config.worker_seconds,
        memory_bytes=config.worker_memory_mb << 20,
        folder=str(config.warc_folder),
        storage=storage_of(archive),
        stored=stored.read_text("utf-8") if stored.exists() else "",
    )
    return SparkPool(_context(master), rules)


def _context(master: str) -> Any:  # noqa: ANN401 - Spark's types are not there where it is not
    from pyspark import SparkConf, SparkContext  # noqa: PLC0415 - of an extra

    # Where the machines of a cluster have it elsewhere, the operator says so.
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    # Not by SparkConf: it would overrule what the operator has set for Spark.
    defaults = {
        "spark.driver.extraJavaOptions": _QUICK,
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.log.level": "ERROR",
    }
    if master.startswith("local"):
        os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
        defaults |= {"spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1"}
    conf = SparkConf().setMaster(master).setAppName("archiver")
    for name, value in defaults.items():
        conf.setIfMissing(name, value)
    with tempfile.TemporaryFile() as log:
        try:
            with _words_to(log):
                return SparkContext(conf=conf)
        except Exception as error:
            log.seek(0)
            said = next(_errors(log.read().decode(errors="replace")), "") or in_words(error)
            raise ConfigurationError(f"Spark cannot be started with --master {master}: {said}") from error


@contextmanager
def _words_to(log: IO[bytes]) -> Iterator[None]:
    """What Java writes goes to a file: it begins with lines that no setting keeps it from."""
    sys.stderr.flush()
    before = os.dup(2)
    os.dup2(log.fileno(), 2)
    try:
        yield
    finally:
        os.dup2(before, 2)
        os.close(before)


def _errors(log: str) -> Iterator[str]:
    lines = (line.strip() for line in log.splitlines())
    return (line for line in lines if "Exception" in line or "Error" in line)
