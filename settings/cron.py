"""Settings for unattended runs: quiet, and over before the next one starts."""

from settings.base import *  # noqa: F403 - a profile holds only the differences

PROGRESS = False
SUMMARY = False
CLOSESPIDER_TIMEOUT = 50 * 60
