"""The knowledge base: all files of it, read as one, or refused as one."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from archiver.acquisition.sites.knowledge import BUILTIN
from archiver.acquisition.sites.knowledge.checks import Checker
from archiver.acquisition.sites.knowledge.hierarchy import ancestry, inherited
from archiver.acquisition.sites.knowledge.model import SiteType
from archiver.digests import name_digest
from archiver.documents.expressions.model import Expression
from archiver.documents.expressions.parsing import parse
from archiver.documents.yaml_values.nodes import FileFlaw, FilePlace
from archiver.documents.yaml_values.structs import YamlRead, read_yaml
from archiver.errors import FileFlaws, ReadingFault, advice_on

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

_BASE = Path(__file__).parent / "base"
_ENDINGS = (".yaml", ".yml")
_READERS: Mapping[type, Callable[[str], object]] = {Expression: parse}

TypeFile = YamlRead[SiteType]


@dataclass(frozen=True, kw_only=True, eq=False)
class KnowledgeBase:
    """All types that are known, each with what it has from those above it."""

    types: Mapping[str, SiteType]
    # Each type and those above it, itself first.
    ancestry: Mapping[str, tuple[str, ...]]
    files: Mapping[str, str]
    # Of all files: the same base has the same digest, wherever it is loaded.
    digest: str
    # From where it was loaded, for a process that loads it again.
    sources: tuple[str, ...]


def load_knowledge(sources: Sequence[str]) -> KnowledgeBase:
    """The base of the setting SITE_KNOWLEDGE: later files win; FileFlaws where one of them cannot be used."""
    files: dict[str, TypeFile] = {}
    contents: dict[str, bytes] = {}
    flaws: list[object] = []
    for source in sources:
        own: dict[str, TypeFile] = {}
        for path in _paths(source):
            try:
                content = _content(path)
                read = read_type(content, str(path))
            except FileFlaws as error:
                flaws += error.flaws
                continue
            if read.value.type in own:
                other = own[read.value.type].file
                flaws.append(_flaw(read, f"The type {read.value.type} is also in {other}"))
            own[read.value.type] = read
            contents[read.value.type] = content
        files |= own
    flaws += _wrong_in(files) if not flaws else ()
    if flaws:
        raise FileFlaws(flaws)
    return _base(files, contents, tuple(sources))


@lru_cache(maxsize=2)
def loaded_knowledge(sources: tuple[str, ...], digest: str) -> KnowledgeBase:
    """The base as another process loaded it, once for each process."""
    base = load_knowledge(sources)
    if base.digest != digest:
        raise ReadingFault(
            "The knowledge of sites was changed while a run uses it: the next run reads it anew"
        )
    return base


def read_type(content: bytes, file: str) -> TypeFile:
    """One file, held against the schema alone."""
    return read_yaml(content, file, SiteType, _READERS)


def _wrong_in(files: Mapping[str, TypeFile]) -> list[FileFlaw]:
    types = {name: read.value for name, read in files.items()}
    return [flaw for read in files.values() for flaw in Checker(read, types).flaws()]


def _base(
    files: Mapping[str, TypeFile], contents: Mapping[str, bytes], sources: tuple[str, ...]
) -> KnowledgeBase:
    types = {name: read.value for name, read in sorted(files.items())}
    text = "\n".join(f"{name}\n{contents[name].decode(errors='replace')}" for name in types)
    return KnowledgeBase(
        types={name: inherited(name, types) for name in types},
        ancestry={name: ancestry(name, types) for name in types},
        files={name: files[name].file for name in types},
        digest=name_digest(text),
        sources=sources,
    )


def _paths(source: str) -> Iterator[Path]:
    path = _BASE if source == BUILTIN else Path(source).expanduser()
    if path.is_dir():
        yield from sorted(one for one in path.iterdir() if one.suffix in _ENDINGS)
    else:
        yield path


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        reason = f"The file cannot be read: {error.strerror or error}{advice_on(error)}"
        raise FileFlaws([FileFlaw(place=FilePlace(str(path)), message=reason)]) from error


def _flaw(read: TypeFile, message: str) -> FileFlaw:
    return FileFlaw(place=read.place(read.value, "type"), message=message)
