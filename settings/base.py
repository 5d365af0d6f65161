"""The default profile. A setting that is written below overrides its default."""

from archiver.profiles.default import *  # noqa: F403 - the defaults are the archiver's own
