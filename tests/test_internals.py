"""Private names of Scrapy and Twisted are used in one module, which says so when they have changed."""

from __future__ import annotations

import ast
import inspect
import pkgutil
import subprocess
import sys
import textwrap
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from scrapy.core.downloader import Downloader

import archiver
from archiver.errors import ConfigurationError
from archiver.handlers import internals
from archiver.handlers.internals import SHAPES, ExpectedName, check_shapes
from tests.test_border import SHELL

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[1]
FOREIGN = ("scrapy", "twisted")
# Of the standard library, and public or told nowhere else.
NOT_THEIRS = {"_actions", "_option_string_actions", "_exit", "_replace"}


def shell_files() -> list[Path]:
    paths = (ROOT / "archiver").rglob("*.py")
    return [path for path in sorted(paths) if path.relative_to(ROOT).parts[1] in SHELL]


def is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__")


# ── What is imported, and what is asked of other objects ─────────────────────────────────────────────────


def private_uses(code: str) -> Iterator[str]:
    """The private names of Scrapy and Twisted that a module imports, and those that it asks of any object."""
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.ImportFrom | ast.Import):
            origin = f"{node.module}." if isinstance(node, ast.ImportFrom) else ""
            names = [f"{origin}{alias.name}".split(".") for alias in node.names]
            yield from (".".join(one) for one in names if one[0] in FOREIGN and any(map(is_private, one)))
        elif isinstance(node, ast.Attribute) and is_private(node.attr) and node.attr not in NOT_THEIRS:
            own = isinstance(node.value, ast.Name) and node.value.id in {"self", "cls"}
            yield from () if own else (ast.unparse(node),)


def test_no_other_module_uses_a_private_name() -> None:
    found = {str(path.relative_to(ROOT)): list(private_uses(path.read_text())) for path in shell_files()}
    assert {path for path, uses in found.items() if uses} == {"archiver/handlers/internals.py"}


def test_a_private_name_would_be_noticed() -> None:
    code = """
    from scrapy.utils.defer import _schedule_coro
    from twisted.web._newclient import HEADER
    import scrapy.utils._download_handlers
    from archiver.somewhere import _ours
    def look(self, engine):
        import twisted.web.http
        return self._mine or engine._slot or super()._theirs
    """
    assert sorted(private_uses(textwrap.dedent(code))) == [
        "engine._slot",
        "scrapy.utils._download_handlers",
        "scrapy.utils.defer._schedule_coro",
        "super()._theirs",
        "twisted.web._newclient.HEADER",
    ]


# ── What classes share with the classes of Scrapy and Twisted that they inherit ──────────────────────────


def own_names(kind: type) -> set[str]:
    """The private names that the code of a class defines, sets or asks of itself."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(kind)))
    asked = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    defined = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    assigned = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    return {name for name in asked | defined | assigned if is_private(name)}


def shared_names(kind: type) -> set[str]:
    """The private names that a class has in common with those of Scrapy and Twisted that it inherits."""
    theirs = [one for one in kind.__mro__ if one.__module__.partition(".")[0] in FOREIGN]
    return own_names(kind) & set().union(*(own_names(one) for one in theirs))


def our_classes() -> Iterator[type]:
    for found in pkgutil.walk_packages(archiver.__path__, "archiver."):
        if found.name.split(".")[1] in SHELL and found.name != "archiver.__main__":
            module = import_module(found.name)
            for kind in vars(module).values():
                if inspect.isclass(kind) and kind.__module__ == module.__name__:
                    yield kind


def test_no_other_class_shares_a_private_name_with_what_it_inherits() -> None:
    shared = {
        f"{kind.__module__}.{kind.__name__}": names for kind in our_classes() if (names := shared_names(kind))
    }
    assert {name: names for name, names in shared.items() if not name.startswith(internals.__name__)} == {}
    assert f"{internals.__name__}.ClientProtocol" in shared


# ── Shapes ───────────────────────────────────────────────────────────────────────────────────────────────


def test_scrapy_and_twisted_are_as_expected() -> None:
    check_shapes()


def test_every_private_name_that_is_used_is_checked() -> None:
    code = Path(inspect.getfile(internals)).read_text().partition("# ── The engine")[2].partition("\n")[2]
    asked = {
        node.attr
        for node in ast.walk(ast.parse(code))
        if isinstance(node, ast.Attribute)
        if is_private(node.attr)
    }
    assert asked == {shape.name for shape in SHAPES}


@pytest.mark.parametrize(
    "gone",
    [
        ExpectedName(Downloader, "_get_queue", ("request",)),
        ExpectedName(Downloader, "_get_slot", ("request", "host")),
        ExpectedName(Downloader, "_slots_by_host"),
    ],
    ids=["method", "parameter", "attribute"],
)
def test_a_name_that_has_changed_is_said_in_a_sentence(
    gone: ExpectedName, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(internals, "SHAPES", (*SHAPES, gone))
    told = rf"does not work with Scrapy 2\S+ and Twisted \S+: scrapy\S+\.Downloader\.{gone.name} changed"
    with pytest.raises(ConfigurationError, match=told):
        check_shapes()


MISSING = """
import sys
import scrapy.core.downloader.handlers.http11 as http11
del http11._LenientHTTP11ClientFactory
from archiver.command_line.program import _run
sys.exit(_run(["crawl", "http://127.0.0.1:1/feed"]))
"""


def test_a_name_that_is_gone_is_said_in_a_sentence(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", MISSING], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    told = " ".join(done.stderr.split())
    assert "cannot import name '_LenientHTTP11ClientFactory'" in told
    assert "Install the versions that requirements.lock names" in told
    assert "Traceback" not in told
    assert done.returncode == 2
