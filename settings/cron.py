"""The cron profile. A setting that is written below overrides its default."""

from archiver.profiles.cron import *  # noqa: F403 - the defaults are the archiver's own
