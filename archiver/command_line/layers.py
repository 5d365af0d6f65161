"""Where settings come from beside the profile: the user's file, the folder's, --config, variables, -s."""

from __future__ import annotations

import os
import re
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from archiver.command_line.checking import checked
from archiver.command_line.rules import rule_for
from archiver.command_line.suggestions import did_you_mean, nearest
from archiver.errors import ConfigurationError
from archiver.urls import redact

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from scrapy.settings import BaseSettings

    from archiver.command_line.rules import Rule

FILE_NAME = "archiver.toml"
PREFIX = "ARCHIVER_"
EXTRA = "extra"
# Between Scrapy's project (20) and its command line (40).
_USERS_FILE, _FOLDERS_FILE, _CHOSEN_FILE, _VARIABLES, _COMMAND_LINE = 22, 24, 26, 28, 40
# Read by Scrapy, though its list of defaults does not name them.
_ALSO_SCRAPYS = frozenset({"CONCURRENT_REQUESTS_PER_IP", "META_COPY_WARN_SKIP_KEYS"})
# A relative path is relative to the file that it stands in.
_PATHS = frozenset({"ARCHIVE_DIR", "LOG_FILE"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Layer:
    """Settings from one place."""

    place: str  # stands before what is wrong
    priority: int
    folder: Path
    values: Mapping[str, object]
    extra: Mapping[str, object] = field(default_factory=dict)
    is_typed: bool = False

    @property
    def all(self) -> dict[str, object]:
        return {**self.values, **self.extra}


def apply_layers(
    settings: BaseSettings, *, config: str | None, typed: Sequence[str], environment: Mapping[str, str]
) -> None:
    """Put the files, the variables and what was typed on top of the profile, each value checked."""
    layers = [*_files(config, environment), _variables(environment), _command_line(typed)]
    extra = {name for layer in layers for name in layer.extra}
    known = {str(name) for name in settings} | _ALSO_SCRAPYS | extra
    # Before any of them is applied: the default tells the kind.
    rules = {name: rule_for(name, settings.get(name)) for layer in layers for name in layer.all}
    for layer in layers:
        for name, value in layer.all.items():
            if name not in known:
                raise ConfigurationError(
                    f"{layer.place}{name} is not a setting: {_advice(layer, name, known)}"
                )
            settings.set(name, _value(layer, name, value, rules[name]), priority=layer.priority)


def users_file(environment: Mapping[str, str]) -> Path:
    """Where the user's own settings are, whatever folder a command is typed in."""
    home = environment.get("XDG_CONFIG_HOME") or f"{environment.get('HOME') or '~'}/.config"
    return Path(os.path.expanduser(home)) / "archiver" / FILE_NAME  # noqa: PTH111 - raises nothing


def _files(config: str | None, environment: Mapping[str, str]) -> Iterator[Layer]:
    here = Path.cwd() / FILE_NAME
    for path, priority in ((users_file(environment), _USERS_FILE), (here, _FOLDERS_FILE)):
        # Not Path.exists, which raises where another user's home may not be looked into, such as under sudo.
        if os.path.exists(path):  # noqa: PTH110
            yield _file(path, priority)
    if config is not None:
        yield _file(Path(config).absolute(), _CHOSEN_FILE)


def _file(path: Path, priority: int) -> Layer:
    values = _read(path)
    extra = values.pop(EXTRA, {})
    if not isinstance(extra, dict):
        raise ConfigurationError(f"{path}: {EXTRA} is not a table: write [{EXTRA}], and settings below it")
    return Layer(
        place=f"{path}: ",
        priority=priority,
        folder=path.parent,
        values=values,
        extra=extra,
        is_typed=True,
    )


def _read(path: Path) -> dict[str, object]:
    text = ""
    try:
        text = path.read_text("utf-8-sig")
        return tomllib.loads(text)
    except OSError as error:
        raise ConfigurationError(f"The settings file {path} cannot be read: {error.strerror}") from error
    except ValueError as error:
        told = _in_python(text) or error
        raise ConfigurationError(f"The settings file {path} is not TOML: {told}") from error


def _in_python(text: str) -> str | None:
    """Of the first value that is written as Python has it: how TOML has it."""
    found = _PYTHON.search(text)
    if found is None:
        return None
    line = text.count("\n", 0, found.start()) + 1
    return f"line {line}: write {found['name']} = {_IN_TOML[found['value']]}"


_PYTHON = re.compile(
    r"^[ \t]*(?P<name>\w+)[ \t]*=[ \t]*(?P<value>True|False|None)[ \t]*(?:#|$)", re.MULTILINE
)
_IN_TOML = {"True": "true", "False": "false", "None": '"none"'}


def _variables(environment: Mapping[str, str]) -> Layer:
    values = {
        name.removeprefix(PREFIX): value for name, value in environment.items() if name.startswith(PREFIX)
    }
    return Layer(place=PREFIX, priority=_VARIABLES, folder=Path.cwd(), values=values)


def _command_line(typed: Sequence[str]) -> Layer:
    values: dict[str, object] = {}
    for pair in typed:
        name, equals, value = pair.partition("=")
        if not equals or not name:
            raise ConfigurationError(f"-s {redact(pair)}: write -s NAME=VALUE")
        values[name] = value
    return Layer(place="", priority=_COMMAND_LINE, folder=Path.cwd(), values=values)


def _value(layer: Layer, name: str, value: object, rule: Rule) -> object:
    try:
        found = checked(name, value, rule, is_typed=layer.is_typed)
    except ConfigurationError as error:
        raise ConfigurationError(f"{layer.place}{error}") from error
    if name in _PATHS and found and layer.priority != _COMMAND_LINE:
        return str(layer.folder / Path(str(found)).expanduser())
    return found


def _advice(layer: Layer, name: str, known: Iterable[str]) -> str:
    otherwise = f"`scrapy settings` lists them; one of your own stands under [{EXTRA}] in {FILE_NAME}"
    names = [one for one in known if one.isupper()]
    if nearest(name, [*names, EXTRA]) == EXTRA:
        return f"did you mean [{EXTRA}]?"
    prefix = PREFIX if layer.place == PREFIX else ""
    return did_you_mean(prefix + name, (prefix + one for one in names), otherwise)
