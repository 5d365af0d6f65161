"""Whatever goes wrong in a command is told in a sentence, and the exit code says of which kind it was."""

from __future__ import annotations

import argparse
import sqlite3

import pytest
from scrapy.exceptions import UsageError
from sqlalchemy.exc import OperationalError

from archiver.errors import ArchiveError, ConfigurationError
from archiver.extensions.command import ArchiveCommand


class Failing(ArchiveCommand):
    """A command that does nothing but fail."""

    def __init__(self, error: BaseException) -> None:
        super().__init__()
        self._error = error

    def work(self, args: list[str], opts: argparse.Namespace) -> None:  # noqa: ARG002 - as for all commands
        raise self._error


@pytest.mark.parametrize(
    ("error", "code", "told"),
    [
        (
            OperationalError("SELECT seed_url", {"x": "hunter2"}, sqlite3.OperationalError("disk I/O error")),
            1,
            "The state store cannot be used: disk I/O error",
        ),
        (sqlite3.DatabaseError("malformed"), 1, "The state store cannot be used: malformed"),
        (FileNotFoundError(2, "No such file or directory", "x.warc"), 1, "x.warc: No such file or directory"),
        (ArchiveError("The archive is elsewhere"), 1, "The archive is elsewhere"),
        (KeyboardInterrupt(), 130, "interrupted"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_failure_is_a_sentence(
    error: BaseException, code: int, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    command = Failing(error)
    command.run([], argparse.Namespace())
    written = capsys.readouterr().err
    assert (command.exitcode, written) == (code, f"scrapy {command.name}: error: {told}\n")


def test_a_setting_that_cannot_work_is_wrong_usage() -> None:
    with pytest.raises(UsageError, match="POLL_BUDGET is not a number"):
        Failing(ConfigurationError("POLL_BUDGET is not a number")).run([], argparse.Namespace())


def test_a_fault_of_the_program_is_not_hidden() -> None:
    with pytest.raises(LookupError):
        Failing(LookupError("a fault")).run([], argparse.Namespace())
