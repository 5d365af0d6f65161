"""What the tests of alignment share."""

from __future__ import annotations

from tests.commands.here import run_here  # noqa: F401 - a fixture
