"""Every error that the archiver raises on purpose.

ArchiverError
├── SeedError              a seeds file cannot be used at all
├── FeedParseError         a document is no feed that we can read
├── ExtractionError        a page could not be turned into an article
├── ArchiveError           the archive on disk cannot be used or written
│   ├── ArchiveLocked      another run holds the archive
│   ├── StateLost          the state store is missing or cannot be read
│   ├── ArchiveFull        the disk is full, or writing failed
│   └── RecordError        a WARC record is missing or damaged
├── RunEnding              the run ended before this was asked for
└── ConfigurationError     a setting has a value that cannot work
"""


class ArchiverError(Exception):
    """Base of all errors that a person is meant to read."""


class SeedError(ArchiverError):
    """A seeds file cannot be used at all."""


class FeedParseError(ArchiverError):
    """A document is no feed that we can read."""


class ExtractionError(ArchiverError):
    """A page could not be turned into an article."""


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


class RunEnding(ArchiverError):  # noqa: N818 - reads as what happened
    """The run ended before this was asked for: it is asked for next time."""


class ConfigurationError(ArchiverError):
    """A setting has a value that cannot work."""
