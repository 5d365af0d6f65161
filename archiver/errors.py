"""Every error that the archiver raises on purpose.

ArchiverError
├── SeedError              a seeds file cannot be used at all
├── FeedParseError         a document is no feed that we can read
│   └── FeedBrokenOff      it ends before it is whole, and nothing in it can be used
├── ExtractionError        a page could not be turned into an article
├── ReadingFault           the machine, or we, kept a document from being read: it waits
├── ArchiveError           the archive on disk cannot be used or written
│   ├── ArchiveLocked      another run holds the archive
│   ├── StateLost          the state store is missing or cannot be read
│   ├── ArchiveFull        the disk is full, or writing failed
│   ├── RecordError        a WARC record is missing or damaged
│   ├── WithheldError      what was asked for is kept, and must not be shown
│   └── WorkersBroken      no worker process of this machine can read anything
├── RunEnding              the run ended before this was asked for
│   ├── HostTimeUp         the time of its host in this run is used up
│   │   └── BudgetSpent    the budget of its campaign is spent
│   └── HostSlow           its host is slow: others come first
├── ExpressionFlaw         a text is not an expression of our language
├── OverBudget             an expression looks at too much of a page
└── ConfigurationError     a setting or an argument has a value that cannot work
    └── FileFlaws          a file that a person wrote cannot be used: where, and why
"""

from __future__ import annotations

import errno
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_ADVICE = {
    errno.EACCES: ": run as the user who owns it, or give yourself the permission",
    errno.EPERM: ": run as the user who owns it, or give yourself the permission",
    errno.ENOSPC: ": free some space and run again",
    errno.EDQUOT: ": free some space and run again",
}


def advice_on(error: OSError) -> str:
    """What to do about an error of the machine, to be written behind it; nothing where that is not known."""
    return _ADVICE.get(error.errno or 0, "")


class ArchiverError(Exception):
    """Base of all errors that a person is meant to read."""


class SeedError(ArchiverError):
    """A seeds file cannot be used at all."""


class FeedParseError(ArchiverError):
    """A document is no feed that we can read."""


class FeedBrokenOff(FeedParseError):  # noqa: N818 - reads as what happened
    """A document ends before it is whole, and nothing in it can be used."""


class ExtractionError(ArchiverError):
    """A page could not be turned into an article."""


class ReadingFault(ArchiverError):  # noqa: N818 - reads as what happened
    """The machine, or we, kept a document from being read: it says nothing of the document, which waits."""


class ArchiveError(ArchiverError):
    """The archive on disk cannot be used or written."""


class ArchiveLocked(ArchiveError):  # noqa: N818 - reads as what happened
    """Another run holds the archive."""


class StateLost(ArchiveError):  # noqa: N818 - reads as what happened
    """The state store is missing, or cannot be read."""


class ArchiveFull(ArchiveError):  # noqa: N818 - reads as what happened
    """The disk is full, or writing to it failed."""


class RecordError(ArchiveError):
    """A WARC record is missing or damaged."""


class WithheldError(ArchiveError):
    """What was asked for is kept, and must not be shown."""


class BusyError(ArchiveError):
    """Too much is being asked for at once: it can be had a little later."""


class WorkersBroken(ArchiveError):  # noqa: N818 - reads as what happened
    """No worker process of this machine can read anything: as it is, every document would fail."""


class RunEnding(ArchiverError):  # noqa: N818 - reads as what happened
    """The run ended before this was asked for: it is asked for next time."""


class HostTimeUp(RunEnding):
    """The time of the host in this run is used up: the next run continues."""


class BudgetSpent(HostTimeUp):
    """The budget of a campaign is spent: what waits stays in its queue."""


class HostSlow(RunEnding):
    """The host is slow, and others come first: this is handed out again when it fits."""


class SiteRests(HostSlow):
    """The crawl of the site was paused or stopped: what waits is asked for when it goes on."""


class ConfigurationError(ArchiverError):
    """A setting, or an argument of a command, has a value that cannot work."""


class FileFlaws(ConfigurationError):  # noqa: N818 - reads as what was found
    """A file that a person wrote cannot be used: a line for each reason, with its place."""

    def __init__(self, flaws: Sequence[object]) -> None:
        super().__init__("\n".join(map(str, flaws)))
        self.flaws = tuple(flaws)


class ExpressionFlaw(ArchiverError):  # noqa: N818 - reads as what was found
    """A text is not an expression of our language: why, at which character, and what to write instead."""

    def __init__(self, message: str, column: int, suggestion: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.column = column
        self.suggestion = suggestion

    def __str__(self) -> str:
        advice = f": {self.suggestion}" if self.suggestion else ""
        return f"{self.message}{advice}"


class OverBudget(ArchiverError):  # noqa: N818 - reads as what happened
    """An expression looks at more of a page than it may."""
