"""A browser that cannot be had, or not safely, is refused before anything is asked for."""

from __future__ import annotations

import os

import pytest

from archiver.errors import ConfigurationError
from archiver.rendering.isolation import isolation_for
from archiver.rendering.model import RenderRules

# A program that is there; it is not started.
_SOME = "/bin/true"


def test_a_browser_that_is_not_there_is_told_with_what_to_do() -> None:
    with pytest.raises(ConfigurationError, match="/nowhere/chromium is not there: install it"):
        isolation_for(RenderRules(browser="/nowhere/chromium"))


@pytest.mark.skipif(os.geteuid() != 0, reason="another user cannot give its rights away")
def test_root_gives_the_browser_to_a_user_without_rights() -> None:
    with pytest.raises(ConfigurationError, match="must not be root"):
        isolation_for(RenderRules(browser=_SOME, user="root"))
    with pytest.raises(ConfigurationError, match="no such user"):
        isolation_for(RenderRules(browser=_SOME, user="no-such-user"))
    found = isolation_for(RenderRules(browser=_SOME, sandbox=False))
    assert found.uid not in {0, None}
    assert f"--reuid={found.uid}" in found.prefix
