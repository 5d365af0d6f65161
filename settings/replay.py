"""The replay profile. A setting that is written below overrides its default."""

from archiver.profiles.replay import *  # noqa: F403 - the defaults are the archiver's own
