"""Settings that cannot be meant are told before anything is opened."""

from __future__ import annotations

from datetime import timedelta

import pytest
from scrapy.settings import Settings

from archiver.articles.objects.schema import ArticleKind
from archiver.errors import ConfigurationError
from archiver.extensions.configuration import components, config_from
from archiver.inspection.simulation.budget import OURS
from archiver.inspection.simulation.lockstep import ReplaySpan
from archiver.inspection.simulation.run import SHIPPED_BUDGET, SHIPPED_POLICY


def settings(**given: object) -> Settings:
    values = Settings()
    values.setmodule("settings.base")
    values.update({"USER_AGENT": "test", **given})
    return values


class BadlyNamed(ArticleKind):
    name = "Court-Notices"


class SecondArticles(ArticleKind):
    pass


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("RECHECK_SHARE", "much", "RECHECK_SHARE='much' is not a number"),
        ("RECHECK_SHARE", "1", "RECHECK_SHARE='1': less than 1"),
        ("RECHECK_SHARE", "-0.1", "RECHECK_SHARE='-0.1': at least 0"),
        ("RECHECK_INTERVAL", "daily", "RECHECK_INTERVAL='daily'"),
        ("RECHECK_FLOOR", "0", "RECHECK_FLOOR='0'"),
        ("RECHECK_DAYS", "a month", "RECHECK_DAYS='a month' is not a number"),
        ("RECHECK_SHARE", "nan", "RECHECK_SHARE='nan' is not a number"),
        ("RECHECK_DAYS", "inf", "RECHECK_DAYS='inf' is not a number"),
        ("RECHECK_DAYS", "1e12", "RECHECK_DAYS='1e12': at most 36525"),
        ("RETIRE_AFTER_DAYS", "1e12", "RETIRE_AFTER_DAYS='1e12': at most 36525"),
        ("POLL_BUDGET", "0", "POLL_BUDGET='0': at least 0.01"),
        ("CLOCK_SPEED", "0", "CLOCK_SPEED='0'"),
        ("ARCHIVE_UMASK", "rw-r-----", "ARCHIVE_UMASK='rw-r-----' is not a mask for others"),
        ("ARCHIVE_UMASK", "0640", "ARCHIVE_UMASK='0640' is not a mask for others"),
        ("ARCHIVE_UMASK", "-1", "ARCHIVE_UMASK='-1' is not a mask for others"),
        (
            "EXTRACT_METHOD",
            "magic",
            "EXTRACT_METHOD='magic' is not known: choose from article, visual, sigfeed, ",
        ),
        ("WRITER", "web 1", "WRITER='web 1' is not a name: write up to 64 letters, digits and hyphens"),
        ("WRITER", "web.example", "WRITER='web.example' is not a name"),
        ("WRITER", "x" * 65, "WRITER='xxx"),
        ("WRITER", "", "WRITER='' is not a name"),
        ("WRITER", "--", "WRITER='--' is not a name"),
        ("OBJECT_KINDS", {"nothing.there.Kind": 1}, "OBJECT_KINDS: nothing.there.Kind cannot be loaded"),
        ("OBJECT_KINDS", {f"{__name__}.BadlyNamed": 1}, "OBJECT_KINDS: 'Court-Notices' is not a name"),
        ("OBJECT_KINDS", {f"{__name__}.SecondArticles": 1}, "OBJECT_KINDS: two kinds write articles"),
    ],
)
def test_a_setting_that_cannot_be_is_named_with_what_was_said(name: str, value: object, told: str) -> None:
    with pytest.raises(ConfigurationError) as error:
        config_from(settings(**{name: value}))
    assert str(error.value).startswith(told)


def test_a_kind_that_cannot_be_loaded_is_named() -> None:
    with pytest.raises(ConfigurationError, match="KINDS: nothing cannot be loaded"):
        components(settings(KINDS={"nothing": 1}), "KINDS")


@pytest.mark.parametrize(("value", "umask"), [("027", 0o027), ("077", 0o077), (0o022, 0o022), ("none", None)])
def test_a_umask_is_read_as_octal_digits(value: object, umask: int | None) -> None:
    assert config_from(settings(ARCHIVE_UMASK=value)).umask == umask


def test_rechecks_are_as_the_settings_say() -> None:
    rules = config_from(settings(RECHECK_SHARE="0.2", RECHECK_INTERVAL="12h", RECHECK_DAYS="90")).rechecks
    assert (rules.share, rules.policy.interval) == (0.2, timedelta(hours=12))
    assert (rules.policy.floor, rules.policy.until) == (timedelta(minutes=15), timedelta(days=90))
    assert config_from(settings()).rechecks.policy.interval is None


def test_the_floors_between_polls_are_as_the_settings_say() -> None:
    given = {"POLL_FLOOR": "20m", "POLL_FLOOR_BLIND": "40m", "POLL_FLOOR_URGENT": "2m"}
    policy = config_from(settings(**given)).polls.policy
    floors = (policy.politeness.floor, policy.politeness.floor_blind, policy.politeness.floor_urgent)
    assert floors == tuple(timedelta(minutes=minutes) for minutes in (20, 40, 2))
    # A plan may be as short as the floor can become.
    assert policy.aim is not None
    assert policy.aim.shortest == 120.0


def test_the_policy_that_is_claimed_to_ship_is_that_of_the_settings() -> None:
    polls = config_from(settings()).polls
    claimed, bounds = OURS[SHIPPED_POLICY], ReplaySpan(start=0.0, end=1.0)
    assert polls.budget == SHIPPED_BUDGET
    assert polls.policy.politeness.floor.total_seconds() == claimed.floor
    assert polls.policy.politeness.floor_urgent.total_seconds() == bounds.shortest
    assert polls.policy.aim is not None
    assert (polls.policy.aim.fairness, polls.policy.aim.longest) == (claimed.fairness, bounds.longest)


def test_pages_of_an_article_are_as_many_as_the_settings_say() -> None:
    assert config_from(settings()).article_pages == 20
    assert config_from(settings(ARTICLE_PAGES="3")).article_pages == 3


@pytest.mark.parametrize(("value", "is_fed"), [(None, True), ("True", True), ("False", False)])
def test_the_search_index_is_fed_unless_it_is_switched_off(value: str | None, is_fed: bool) -> None:
    given = {} if value is None else {"SEARCH_INDEX": value}
    assert config_from(settings(**given)).search == is_fed
