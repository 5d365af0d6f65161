"""Files of wrappers: read with every flaw at its place, written so that people can read and change them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import yaml

from archiver.documents.expressions.model import Expression
from archiver.documents.expressions.parsing import parse
from archiver.documents.yaml_values.nodes import MOST_BYTES, FileFlaw, FilePlace
from archiver.documents.yaml_values.structs import YamlRead, read_yaml
from archiver.errors import FileFlaws, advice_on
from archiver.fields.checks import wrapper_flaws
from archiver.fields.model import FieldWrapper
from archiver.fields.naming import wrapper_digest
from archiver.fields.plain import plain_wrapper
from archiver.files import whole_file

if TYPE_CHECKING:
    from pathlib import Path

ENDING = ".yaml"
HISTORY = "history"


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadedWrappers:
    """The wrappers of a folder that can be used, by their names, and the flaws of the others."""

    wrappers: tuple[FieldWrapper, ...] = ()
    flaws: tuple[FileFlaw, ...] = ()


def read_wrapper(content: bytes, file: str) -> YamlRead[FieldWrapper]:
    """The wrapper of a file; FileFlaws, with all flaws of the file, where it cannot be used."""
    read = read_yaml(content, file, FieldWrapper, {Expression: parse})
    flaws = sorted(wrapper_flaws(read), key=lambda flaw: (flaw.place.line, flaw.place.column))
    if flaws:
        raise FileFlaws(flaws)
    return read


def write_wrapper(wrapper: FieldWrapper) -> bytes:
    """The wrapper as YAML, from which the same one is read."""
    written: bytes = yaml.dump(
        plain_wrapper(wrapper),
        Dumper=_Dumper,
        sort_keys=False,
        allow_unicode=True,
        width=110,
        encoding="utf-8",
    )
    return written


class _Dumper(yaml.SafeDumper):
    """Writes what our reader takes: no anchors, and items of lists under their key."""

    def ignore_aliases(self, data: object) -> bool:
        del data
        return True

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
        del indentless
        super().increase_indent(flow, False)


def _text(dumper: _Dumper, text: str) -> yaml.Node:
    # Line ends are folded where a text is not in double quotes, and some signs are taken for one.
    style = None if text.isprintable() else '"'
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _text)


def wrapper_path(folder: Path, name: str) -> Path:
    return folder / f"{name}{ENDING}"


def load_wrappers(folder: Path) -> LoadedWrappers:
    """All wrappers of a folder: a flaw of one file costs no other."""
    wrappers: list[FieldWrapper] = []
    flaws: list[FileFlaw] = []
    for path in sorted(folder.glob(f"*{ENDING}")) if folder.is_dir() else ():
        try:
            wrappers.append(load_wrapper(path))
        except FileFlaws as error:
            flaws += [flaw for flaw in error.flaws if isinstance(flaw, FileFlaw)]
    return LoadedWrappers(wrappers=tuple(wrappers), flaws=tuple(flaws))


def load_wrapper(path: Path) -> FieldWrapper:
    """The wrapper of a file of its name; FileFlaws where it cannot be used."""
    try:
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
    except OSError as error:
        message = f"The file cannot be read: {error.strerror or error}{advice_on(error)}"
        raise FileFlaws([FileFlaw(place=FilePlace(str(path)), message=message)]) from error
    read = read_wrapper(content, str(path))
    if read.value.wrapper != path.name.removesuffix(ENDING):
        raise FileFlaws(
            [
                FileFlaw(
                    place=read.place(read.value, "wrapper"),
                    message=f"The wrapper is called {read.value.wrapper}, and its file is not",
                    suggestion=f"name the file {read.value.wrapper}{ENDING}",
                )
            ]
        )
    return read.value


def save_wrapper(folder: Path, wrapper: FieldWrapper) -> Path:
    """Write the file of a wrapper, whole, in place of the one that may be there."""
    folder.mkdir(parents=True, exist_ok=True)
    path = wrapper_path(folder, wrapper.wrapper)
    with whole_file(path) as file:
        file.write(write_wrapper(wrapper))
    return path


def keep_in_history(folder: Path, wrapper: FieldWrapper) -> Path:
    """Keep a wrapper under its digest, once: what filled an object can be read again for ever."""
    path = history_path(folder, wrapper.wrapper, wrapper_digest(wrapper))
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        with whole_file(path) as file:
            file.write(write_wrapper(wrapper))
    return path


def history_path(folder: Path, name: str, digest: str) -> Path:
    return folder / HISTORY / f"{name}-{digest}{ENDING}"
