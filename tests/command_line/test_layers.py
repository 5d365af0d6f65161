"""Settings come from several places: the stronger one counts, and what cannot be meant is told."""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING

import pytest
from scrapy.settings import Settings

import archiver.profiles.default as defaults
from archiver.command_line.checking import checked
from archiver.command_line.layers import apply_layers
from archiver.command_line.rules import RULES, rule_for
from archiver.commands import init
from archiver.errors import ConfigurationError

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder, and beside it the folder of the user's own settings."""
    (tmp_path / "config" / "archiver").mkdir(parents=True)
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    return tmp_path


def applied(home: Path, *typed: str, config: str | None = None, **variables: str) -> Settings:
    settings = Settings()
    settings.setmodule("archiver.profiles.default", priority="project")
    environment = {"XDG_CONFIG_HOME": str(home / "config"), **variables}
    apply_layers(settings, config=config, typed=typed, environment=environment)
    return settings


def users(home: Path, text: str) -> None:
    (home / "config" / "archiver" / "archiver.toml").write_text(text)


def folders(home: Path, text: str) -> None:
    (home / "work" / "archiver.toml").write_text(text)


def test_each_place_is_stronger_than_the_one_before(home: Path) -> None:
    given: dict[str, str] = {}
    assert applied(home)["POLL_BUDGET"] == 12
    users(home, "POLL_BUDGET = 1")
    assert applied(home)["POLL_BUDGET"] == 1
    folders(home, "POLL_BUDGET = 2")
    assert applied(home)["POLL_BUDGET"] == 2
    (home / "chosen.toml").write_text("POLL_BUDGET = 3")
    assert applied(home, config="../chosen.toml")["POLL_BUDGET"] == 3
    given["ARCHIVER_POLL_BUDGET"] = "4"
    assert applied(home, config="../chosen.toml", **given)["POLL_BUDGET"] == 4
    assert applied(home, "POLL_BUDGET=5", config="../chosen.toml", **given)["POLL_BUDGET"] == 5
    # All are above a profile and Scrapy's own defaults, and below what the spider cannot do without.
    assert applied(home).getpriority("POLL_BUDGET") == 24


def test_a_misspelt_name_is_told_with_the_right_one_wherever_it_stands(home: Path) -> None:
    told = "did you mean POLL_BUDGET"
    with pytest.raises(ConfigurationError, match=rf"^POLL_BUDGETT is not a setting: {told}\?"):
        applied(home, "POLL_BUDGETT=5")
    with pytest.raises(ConfigurationError, match=r"did you mean ARCHIVER_POLL_BUDGET\?"):
        applied(home, ARCHIVER_POLL_BUDGT="5")
    for write in (users, folders):
        write(home, "poll_budget = 5")
        with pytest.raises(ConfigurationError, match=rf"toml: poll_budget is not a setting: {told}\?"):
            applied(home)
        write(home, "")
    with pytest.raises(ConfigurationError, match=r"one of your own stands under \[extra\]"):
        applied(home, "XYZZY=1")
    with pytest.raises(ConfigurationError, match=r"did you mean EXTRACTION\?"):
        applied(home, "EXTRACTIN=1")
    folders(home, "[extras]\nMY_SETTING = 1")
    with pytest.raises(ConfigurationError, match=r"did you mean \[extra\]\?"):
        applied(home)


def test_names_of_scrapy_and_of_the_table_extra_are_known(home: Path) -> None:
    folders(home, '[extra]\nMY_SETTING = "x"')
    settings = applied(home, "MY_SETTING=y", "JOBDIR=j")
    assert (settings["MY_SETTING"], settings["JOBDIR"]) == ("y", "j")
    assert applied(home, ARCHIVER_MY_SETTING="z")["MY_SETTING"] == "z"
    folders(home, "extra = 1")
    with pytest.raises(ConfigurationError, match="extra is not a table"):
        applied(home)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('POLL_BUDGET = "12"', "POLL_BUDGET='12' is not a number: write one without quotes"),
        ("POLL_BUDGET = true", "POLL_BUDGET=True is not a number"),
        ("PROGRESS = 1", "PROGRESS=1: write true or false"),
        ("CONTACT = 5", "CONTACT=5 is not text"),
        ("PAGE_TRIES = 1.5", "PAGE_TRIES=1.5 is not a whole number"),
        ('POLL_FLOOR = "soon"', "POLL_FLOOR='soon': not an interval"),
        ('REQUISITES = "all"', "REQUISITES='all' is not known: choose from none, article, look, page"),
        ("WARC_COMPRESSION = 10", "WARC_COMPRESSION=10: at most 9"),
        ("SPIDER_MODULES = 1", "SPIDER_MODULES=1 is not a list"),
        ("EXTENSIONS = 1", "EXTENSIONS=1 is not a table"),
        ("CONCURRENT_REQUESTS = 0", "CONCURRENT_REQUESTS=0: at least 1"),
        ("CONTACT = ", "is not TOML"),
        ("PAGE_TRIES = 5\nPROGRESS = True", "is not TOML: line 2: write PROGRESS = true"),
        ("PROGRESS=False # quiet", "is not TOML: line 1: write PROGRESS = false"),
        ("[extra]\nMINE = None", 'is not TOML: line 2: write MINE = "none"'),
    ],
)
def test_a_wrong_value_in_a_file_is_told_with_the_file(home: Path, line: str, told: str) -> None:
    folders(home, line)
    with pytest.raises(ConfigurationError) as error:
        applied(home)
    assert "archiver.toml" in str(error.value)
    assert told in str(error.value)


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("CONCURRENT_REQUESTS=many", "CONCURRENT_REQUESTS='many' is not a number"),
        ("RETRY_TIMES=x", "RETRY_TIMES='x' is not a number"),
        ("ROBOTSTXT_OBEY=maybe", "ROBOTSTXT_OBEY='maybe': write true or false"),
        ("LOG_LEVEL=loud", "LOG_LEVEL='loud' is not known"),
        ("EXTENSIONS={", "EXTENSIONS='{' is not JSON"),
        ("POLL_BUDGET", "-s POLL_BUDGET: write -s NAME=VALUE"),
    ],
)
def test_a_wrong_value_that_was_typed_is_told(home: Path, typed: str, told: str) -> None:
    with pytest.raises(ConfigurationError) as error:
        applied(home, typed)
    assert str(error.value).startswith(told)


def test_values_get_their_types(home: Path) -> None:
    typed = ("PROGRESS=no", "POLL_BUDGET=None", "LOG_LEVEL=info", "PAGE_TRIES=3", 'DOWNLOAD_SLOTS={"a": {}}')
    settings = applied(home, *typed)
    assert settings["PROGRESS"] is False
    assert settings["POLL_BUDGET"] is None
    assert settings["LOG_LEVEL"] == "INFO"
    assert settings["PAGE_TRIES"] == 3
    assert settings.getdict("DOWNLOAD_SLOTS") == {"a": {}}


def test_a_relative_archive_is_beside_the_file_that_names_it(home: Path) -> None:
    users(home, 'ARCHIVE_DIR = "mine"')
    assert applied(home)["ARCHIVE_DIR"] == str(home / "config" / "archiver" / "mine")
    assert applied(home, ARCHIVER_ARCHIVE_DIR="here")["ARCHIVE_DIR"] == str(home / "work" / "here")
    # What is typed means what it means to the shell; the command looks after that.
    assert applied(home, "ARCHIVE_DIR=typed")["ARCHIVE_DIR"] == "typed"


def test_a_file_that_is_chosen_must_be_there(home: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"none\.toml cannot be read: No such file"):
        applied(home, config="none.toml")


def test_every_default_keeps_its_rule_and_every_rule_has_a_setting() -> None:
    settings = Settings()
    settings.setmodule("archiver.profiles.default", priority="project")
    for name in (name for name in vars(defaults) if name.isupper()):
        value = getattr(defaults, name)
        assert checked(name, value, rule_for(name, settings.get(name))) == value or value == ""
    unknown = set(RULES) - {str(name) for name in settings}
    # Known to the programs that have it.
    assert unknown <= {"SEEDS_DROP_SHARE"}


def test_what_init_writes_is_valid_also_without_its_comment_signs(home: Path) -> None:
    folders(home, init.SETTINGS)
    assert applied(home)["ARCHIVE_DIR"] == str(home / "work" / "archive")
    lines = [line.removeprefix("# ") for line in init.SETTINGS.splitlines()]
    wanted = [line for line in lines if " = " in line]
    assert len(wanted) > 5
    folders(home, "\n".join(wanted))
    assert applied(home)["OPERATOR"] == "City Library"
    assert len(tomllib.loads("\n".join(wanted))) == len(wanted)
