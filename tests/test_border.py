"""Imports point one way: the core never names Scrapy nor the shell, and its rooms are layers."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[1]
SHELL = {
    "profiles",
    "spiders",
    "middlewares",
    "pipelines",
    "handlers",
    "commands",
    "extensions",
    "web",
    "command_line",
    "__main__.py",
}
# From low to high, as docs/architecture.md has them; those of one layer may import each other.
LAYERS = (
    {"lexicon"},
    {
        "errors",
        "clock",
        "urls",
        "digests",
        "addresses",
        "files",
        "domains",
        "batches",
        "user_agent",
        "submissions",
    },
    {"display"},
    {"documents"},
    {"archive"},
    {"rendering"},
    {"fields"},
    {"articles"},
    {"records"},
    {"acquisition"},
    {"store"},
    {"search"},
    {"running"},
    {"inspection"},
    {one.removesuffix(".py") for one in SHELL},
)
HEIGHT = {room: height for height, rooms in enumerate(LAYERS) for room in rooms}
FORBIDDEN = ("scrapy", "twisted", "settings", *(f"archiver.{package}" for package in sorted(SHELL)))


def core_files() -> list[Path]:
    paths = sorted((ROOT / "archiver").rglob("*.py"))
    return [path for path in paths if path.relative_to(ROOT).parts[1] not in SHELL]


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def package_of(path: Path) -> list[str]:
    return list(path.relative_to(ROOT).parent.parts)


def imported_by(path: Path) -> Iterator[str]:
    """Everything that a module imports, wherever in it that stands."""
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            package = package_of(path)
            base = ".".join(package[: len(package) - node.level + 1]) if node.level else ""
            origin = ".".join(part for part in (base, node.module or "") if part)
            yield from (f"{origin}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Call):
            yield from imported_by_call(node)


def imported_by_call(node: ast.Call) -> Iterator[str]:
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    first = node.args[0] if node.args else None
    if name in {"import_module", "__import__"} and isinstance(first, ast.Constant):
        yield str(first.value)


def is_forbidden(name: str) -> bool:
    return any(name == forbidden or name.startswith(f"{forbidden}.") for forbidden in FORBIDDEN)


@pytest.mark.parametrize("path", core_files(), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_no_core_module_names_the_shell(path: Path) -> None:
    assert [name for name in imported_by(path) if is_forbidden(name)] == []


def upward(path: Path) -> list[str]:
    """What a module imports from a higher layer than its own, or from a room that has none."""
    own = HEIGHT[path.relative_to(ROOT).with_suffix("").parts[1]]
    names = [name.split(".") for name in imported_by(path) if name.startswith("archiver.")]
    return [
        ".".join(parts)
        for parts in names
        if parts[1] != "__version__" and HEIGHT.get(parts[1], own + 1) > own
    ]


def test_each_room_imports_only_from_lower_ones() -> None:
    paths = [path for path in (ROOT / "archiver").rglob("*.py") if path.parent != ROOT / "archiver"]
    paths += [path for path in (ROOT / "archiver").glob("*.py") if path.name != "__init__.py"]
    assert {str(path.relative_to(ROOT)): found for path in paths if (found := upward(path))} == {}


def test_an_import_that_points_up_would_be_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = tmp_path / "archiver" / "documents" / "sly.py"
    module.parent.mkdir(parents=True)
    module.write_text(
        "from archiver.store.content import pages\nfrom archiver import errors\nimport archiver.nowhere\n"
    )
    monkeypatch.setitem(globals(), "ROOT", tmp_path)
    assert upward(module) == ["archiver.store.content.pages", "archiver.nowhere"]


def test_importing_the_whole_core_leaves_scrapy_out() -> None:
    """One process for each module would take a minute; the first one to bring Scrapy in is named."""
    check = """
import importlib, sys
for name in sys.argv[1:]:
    importlib.import_module(name)
    brought = [one for one in sys.modules if one.split(".")[0] in ("scrapy", "twisted")]
    if brought:
        sys.exit(f"{name} brings in {brought[0]}")
"""
    command = [sys.executable, "-c", check, *map(module_name, core_files())]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    found = subprocess.run(command, check=False, capture_output=True, text=True, env=environment)
    assert (found.returncode, found.stderr) == (0, "")


def test_the_border_would_notice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "archiver" / "feeds"
    package.mkdir(parents=True)
    module = package / "sly.py"
    module.write_text(
        "from typing import TYPE_CHECKING\n"
        "if TYPE_CHECKING:\n    from scrapy import Request\n"
        "def later():\n    import twisted.internet\n    from ..spiders import feeds\n"
        "    from archiver import handlers\n    __import__('scrapy')\n"
    )
    monkeypatch.setitem(globals(), "ROOT", tmp_path)
    assert [name for name in imported_by(module) if is_forbidden(name)] == [
        "scrapy.Request",
        "twisted.internet",
        "archiver.spiders.feeds",
        "archiver.handlers",
        "scrapy",
    ]


def test_the_border_has_two_sides() -> None:
    names = [module_name(path) for path in core_files()]
    assert "archiver.acquisition.channels.polling.schedule" in names
    assert "archiver.running.workers.child" in names
    assert not [name for name in names if name.startswith("archiver.spiders")]
