"""Modules that Scrapy loads when it is imported, and a command that only looks at the archive never uses."""

from __future__ import annotations

import sys
from importlib.machinery import SourceFileLoader
from importlib.util import LazyLoader, find_spec, module_from_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import ModuleType

# The event loop with TLS, and a web server: a fifth of the start of a command.
_UNUSED = ("twisted.internet.asyncioreactor", "twisted.web.http")


def leave_unused_modules() -> None:
    """Put these off until something of them is asked for, if ever."""
    for name in _UNUSED:
        _put_off(name)


class _Steady(SourceFileLoader):
    """Keeps a module in its place, where Twisted would put a proxy that warns of old names.

    Python refuses a lazy module that is not there any more once it is loaded.
    """

    def exec_module(self, module: ModuleType) -> None:
        super().exec_module(module)
        sys.modules[self.name] = module


def _put_off(name: str) -> None:
    if name in sys.modules:
        return
    found = find_spec(name)
    if found is None or not isinstance(found.loader, SourceFileLoader):
        return
    found.loader = LazyLoader(_Steady(found.loader.name, found.loader.path))
    module = module_from_spec(found)
    sys.modules[name] = module
    found.loader.exec_module(module)
    # As `from twisted.web import http` finds it.
    parent, _, child = name.rpartition(".")
    setattr(sys.modules[parent], child, module)
