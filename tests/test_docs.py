"""What the documentation says exists, and what exists is in the documentation."""

from __future__ import annotations

import argparse
import ast
import dataclasses
import pkgutil
import re
import tomllib
from configparser import ConfigParser
from importlib import import_module
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import scrapy.commands
from scrapy.settings import Settings, default_settings

import archiver.commands
import settings.base
import settings.cron
import settings.replay
from archiver import __version__
from archiver.acquisition.outcomes import Failure, Success
from archiver.acquisition.pages import EntryOutcome
from archiver.articles.methods.registry import OURS
from archiver.articles.objects.model import ArchivedObject, WarcPointer
from archiver.documents.pages.model import Image, Link
from archiver.running.report import RunReport
from archiver.spiders.campaign import CampaignSpider
from archiver.spiders.feeds import FeedsSpider
from archiver.spiders.forms import FormsSpider
from archiver.spiders.posts import PostsSpider
from archiver.spiders.site import SiteSpider
from tests.docs.command_lines import CommandLine, command_lines

if TYPE_CHECKING:
    from collections.abc import Iterable

PROJECT = Path(__file__).resolve().parents[1]
DOCS = PROJECT / "docs"
PAGES = [*sorted(PROJECT.glob("*.md")), *sorted(DOCS.rglob("*.md"))]
SCRAPYS_COMMANDS = [module.name for module in pkgutil.iter_modules(scrapy.commands.__path__)]
COMMANDS = [module.name for module in pkgutil.iter_modules(archiver.commands.__path__)]

LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
ROW = re.compile(r"^\| (`.+?) \|(.*)$", re.MULTILINE)
NAME = re.compile(r"`([^`]+)`")


def read(page: str) -> str:
    return without_examples(DOCS / page)


def without_examples(page: Path) -> str:
    return FENCE.sub("", page.read_text("utf-8"))


def section(text: str, title: str) -> str:
    """What stands under a heading of the second level."""
    parts = re.split(r"^## (.+)$", text, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))[title]


def rows(text: str) -> dict[str, list[str]]:
    """The rows of all tables that begin with names in code, by name; a row may begin with several."""
    found = {}
    for names, rest in ROW.findall(text):
        cells = [cell.strip() for cell in rest.split("|")]
        found |= dict.fromkeys(NAME.findall(names), cells)
    return found


def upper_names(module: object) -> dict[str, object]:
    return {name: value for name, value in vars(module).items() if name.isupper()}


def own_settings() -> dict[str, object]:
    return {name: value for name, value in upper_names(settings.base).items() if not is_scrapys(name)}


def is_scrapys(name: str) -> bool:
    return hasattr(default_settings, name)


def field_names(kind: type) -> set[str]:
    return {field.name for field in dataclasses.fields(kind)}


# ── Settings ─────────────────────────────────────────────────────────────────────────────────────────────


def test_every_setting_is_documented_and_none_that_does_not_exist() -> None:
    documented = set(rows(read("settings.md")))
    assert documented == set(upper_names(settings.base)) | set(upper_names(settings.cron))


def test_every_setting_of_ours_has_its_meaning_and_its_use() -> None:
    ours, _, _ = read("settings.md").partition("## Scrapy's settings")
    documented = rows(ours)
    assert set(documented) == set(own_settings())
    assert all(all(cells[:3]) for cells in documented.values())


def documented_values(text: str) -> dict[str, object]:
    """Values as documented, where the page states one."""
    stated = {name: NAME.fullmatch(cells[0]) for name, cells in rows(text).items()}
    return {name: ast.literal_eval(value[1]) for name, value in stated.items() if value}


@pytest.mark.parametrize(
    ("module", "start", "end"),
    [
        (settings.base, "# Settings", "## The cron profile"),
        (settings.cron, "## The cron profile", "## The replay profile"),
        (settings.replay, "## The replay profile", "\n# "),
    ],
)
def test_documented_values_are_those_of_the_settings(module: object, start: str, end: str) -> None:
    text = read("settings.md").partition(start)[2].partition(end)[0]
    documented = documented_values(text)
    assert documented
    assert documented == {name: upper_names(module)[name] for name in documented}


# ── Commands ─────────────────────────────────────────────────────────────────────────────────────────────


def option_names(command: str) -> list[str]:
    """Every option that `scrapy COMMAND --help` shows."""
    module = f"archiver.commands.{command}" if command in COMMANDS else f"scrapy.commands.{command}"
    instance = import_module(module).Command()
    instance.settings = Settings()
    parser = argparse.ArgumentParser(conflict_handler="resolve")
    instance.add_options(parser)
    return list(parser._option_string_actions)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_a_section_with_all_its_options(command: str) -> None:
    # A module cannot be called as the command is.
    text = section(read("commands.md"), command.replace("_", "-"))
    told = {word for name in NAME.findall(text) for word in name.split()}
    assert set(option_names(command)) <= told


def test_every_argument_of_the_spider_is_documented() -> None:
    text = section(read("commands.md"), "crawl")
    assert all(f"`-a {name}=" in text for name in FeedsSpider.arguments)
    of_sites = section(read("sites.md"), "Arguments")
    assert all(f"`-a {name}=" in of_sites for name in SiteSpider.arguments)
    of_forms = section(read("forms.md"), "Asking a form")
    assert all(f"`-a {name}=" in of_forms for name in FormsSpider.arguments)


def make_targets() -> set[str]:
    targets = re.search(r"^\.PHONY: (.+)$", (PROJECT / "Makefile").read_text(), re.MULTILINE)
    assert targets
    return set(targets[1].split())


def test_every_make_target_is_documented() -> None:
    documented = {name.split()[1] for name in rows(section(read("commands.md"), "make"))}
    assert documented == make_targets()


# ── Command lines ────────────────────────────────────────────────────────────────────────────────────────


# What was true of a version stays in the changelog.
SHOWN = [
    (str(page.relative_to(PROJECT)), line)
    for page in chain(PROJECT.glob("*/*.md"), PROJECT.glob("*/*/*.md"), PROJECT.glob("*.md"))
    if not page.relative_to(PROJECT).parts[0].startswith((".", "archive", "CHANGELOG"))
    for line in command_lines(page.read_text("utf-8"))
]


def shown_by(*programs: str) -> list[tuple[str, CommandLine]]:
    return [(page, line) for page, line in SHOWN if line.program in programs]


SPIDERS_ARGUMENTS = {
    *FeedsSpider.arguments,
    *SiteSpider.arguments,
    *PostsSpider.arguments,
    *CampaignSpider.arguments,
    *FormsSpider.arguments,
}


def unknown(line: CommandLine) -> set[str]:
    """The parts of a command line that do not exist."""
    if line.command == "COMMAND" or line.command.startswith("-"):
        return set()
    module = line.command.replace("-", "_")
    if module not in {*COMMANDS, *SCRAPYS_COMMANDS}:
        return {line.command}
    known = {*upper_names(settings.base), *upper_names(settings.cron), *upper_names(default_settings)}
    return (
        (set(line.options) - set(option_names(module)))
        | (set(line.settings) - known)
        | (set(line.arguments) - SPIDERS_ARGUMENTS)
    )


def test_every_command_line_has_only_commands_options_settings_and_arguments_that_exist() -> None:
    lines = shown_by("scrapy", "archiver")
    assert len(lines) > 100
    assert [(page, line, unknown(line)) for page, line in lines if unknown(line)] == []


def test_a_command_line_with_anything_unknown_is_found() -> None:
    shown = "`scrapy crawl feeds -a sedes=x -s POLL_BUDGETT=5 --quick`, `scrapy verfy`"
    wrong, misspelt = [unknown(line) for line in command_lines(shown)]
    assert wrong == {"sedes", "POLL_BUDGETT", "--quick"}
    assert misspelt == {"verfy"}
    (right,) = command_lines("```sh\n$ ARCHIVER=1 .venv/bin/scrapy verify --quick | cat -v\n```")
    assert (right.options, unknown(right)) == (["--quick"], set())


def test_every_make_target_and_module_that_is_shown_exists() -> None:
    targets = {(page, line.command) for page, line in shown_by("make") if line.command[0].islower()}
    assert {target for _, target in targets} <= make_targets()
    modules = {line.command for _, line in shown_by("python -m")}
    assert modules
    assert [name for name in modules if find_spec(name) is None] == []


def test_every_profile_that_is_shown_exists() -> None:
    config = ConfigParser()
    config.read(PROJECT / "scrapy.cfg")
    named = {name for page in PAGES for name in re.findall(r"SCRAPY_PROJECT=(\w+)", page.read_text("utf-8"))}
    assert named <= set(config["settings"])


# ── Objects, outcomes, reports ───────────────────────────────────────────────────────────────────────────


def test_every_field_of_an_object_is_documented_and_no_other() -> None:
    fields = section(read("objects.md"), "Fields")
    assert set(rows(fields)) == field_names(ArchivedObject) | field_names(WarcPointer)


@pytest.mark.parametrize(("field", "kind"), [("links", Link), ("images", Image)])
def test_the_parts_of_links_and_images_are_documented(field: str, kind: type) -> None:
    _, meaning, *_ = rows(section(read("objects.md"), "Fields"))[field]
    assert set(NAME.findall(meaning)) == field_names(kind)


def test_every_method_is_documented_and_no_other() -> None:
    assert set(rows(section(read("extraction.md"), "Methods"))) == set(OURS)


def test_every_outcome_of_entries_is_documented_and_no_other() -> None:
    assert set(rows(section(read("objects.md"), "Outcomes of entries"))) == set(EntryOutcome)


def test_every_outcome_of_polls_is_documented_and_no_other() -> None:
    documented = set(rows(section(read("objects.md"), "Outcomes of polls")))
    assert documented == set(Success) | set(Failure)


def test_every_field_of_the_run_report_is_documented_and_no_other() -> None:
    assert set(rows(section(read("operations.md"), "Run reports"))) == field_names(RunReport)


# ── The project ──────────────────────────────────────────────────────────────────────────────────────────


def names_of(requirements: Iterable[str]) -> set[str]:
    return {re.split(r"[^\w.-]", requirement, maxsplit=1)[0].lower() for requirement in requirements}


def packages_in(text: str) -> set[str]:
    cells = re.findall(r"^\| ([\w., -]+?) \|", text, re.MULTILINE)
    return {name.lower() for cell in cells for name in cell.split(", ")} - {"package", "---"}


def test_every_dependency_has_its_reason() -> None:
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text())["project"]
    text = read("dependencies.md")
    assert packages_in(section(text, "What runs")) == names_of(project["dependencies"])
    assert names_of(chain.from_iterable(project["optional-dependencies"].values())) <= packages_in(text)


def test_the_changelog_has_the_present_version() -> None:
    assert f"\n## {__version__}" in (PROJECT / "CHANGELOG.md").read_text("utf-8")


@pytest.mark.parametrize("page", [page.name for page in PROJECT.glob("*.md") if page.name != "README.md"])
def test_the_readme_leads_to_every_page_beside_it(page: str) -> None:
    assert f"]({page})" in (PROJECT / "README.md").read_text("utf-8")


def test_hooks_before_a_commit_use_the_projects_own_tools() -> None:
    entries = re.findall(r"^ +entry: (\S+)", (PROJECT / ".pre-commit-config.yaml").read_text(), re.MULTILINE)
    linted = re.search(r"^lint:.*\n((?:\t.*\n)+)", (PROJECT / "Makefile").read_text(), re.MULTILINE)
    assert linted
    assert [Path(entry).name for entry in entries] == re.findall(r"\$\(BIN\)/(\w+)", linted[1])


def layout_of_the_architecture() -> list[Path]:
    """The folders and modules of archiver/ that it names, in its order."""
    text = (DOCS / "architecture.md").read_text("utf-8")
    found, room = [], Path()
    for line in text.partition("archiver/\n")[2].partition("\nsample/")[0].splitlines():
        inner = line.startswith("    ")
        names = re.findall(r"\b\w+(?:/(?=\s|$)|\.py\b)", line.strip())
        if not inner:
            room = Path(names[0]) if names and names[0].endswith("/") else Path()
        found += [(room if inner else Path()) / name for name in names]
    return found


def test_the_layout_in_the_architecture_names_only_what_exists() -> None:
    named = layout_of_the_architecture()
    assert len(named) > 60
    assert [str(path) for path in named if not (PROJECT / "archiver" / path).exists()] == []


def test_the_layout_in_the_architecture_has_every_room() -> None:
    rooms = {path.name for path in (PROJECT / "archiver").iterdir() if (path / "__init__.py").exists()}
    assert rooms <= {str(path) for path in layout_of_the_architecture()}


def anchors(page: Path) -> set[str]:
    """The headings of a page as its readers can link to them."""
    headings = HEADING.findall(without_examples(page))
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(PROJECT)))
def test_every_relative_link_leads_somewhere(page: Path) -> None:
    for link in LINK.findall(without_examples(page)):
        if link.startswith(("http://", "https://")):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), f"{page.name}: {link}"
        assert not anchor or anchor in anchors(target), f"{page.name}: {link}"


def test_the_glossary_has_each_word_once_in_the_order_of_the_alphabet() -> None:
    rows = (DOCS / "glossary.md").read_text().split("| --- | --- |\n")[1].splitlines()
    words = [row.split("|")[1].strip().lower() for row in rows]
    assert words == sorted(set(words))
