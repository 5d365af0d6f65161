"""Modules that Scrapy loads when it is imported, and a command that only looks at the archive never uses."""

from __future__ import annotations

import sys
from importlib.util import LazyLoader, find_spec, module_from_spec

# The event loop with TLS, and a web server: a fifth of the start of a command.
_UNUSED = ("twisted.internet.asyncioreactor", "twisted.web.http")


def leave_unused_modules() -> None:
    """Put these off until something of them is asked for, if ever."""
    for name in _UNUSED:
        _put_off(name)


def _put_off(name: str) -> None:
    if name in sys.modules:
        return
    found = find_spec(name)
    if found is None or found.loader is None:
        return
    found.loader = LazyLoader(found.loader)
    module = module_from_spec(found)
    sys.modules[name] = module
    found.loader.exec_module(module)
    # As `from twisted.web import http` finds it.
    parent, _, child = name.rpartition(".")
    setattr(sys.modules[parent], child, module)
