"""Settings for unattended runs: quiet, and over before the next one starts."""

from archiver.profiles.default import *  # noqa: F403 - a profile holds only the differences

PROGRESS = False
SUMMARY = False
# What sites do wrong is in the run report: a page that is too large is no reason for a mail.
LOG_LEVEL = "ERROR"
CLOSESPIDER_TIMEOUT = 50 * 60
