"""Modules that Scrapy loads when it is imported, and a command that only looks at the archive never uses."""

from __future__ import annotations

import sys
from importlib.util import LazyLoader, find_spec, module_from_spec

# The event loop with TLS, a web server, and guesses at encodings: a quarter of the start of a command.
_UNUSED = ("twisted.internet.asyncioreactor", "twisted.web.http", "charset_normalizer")


def leave_unused_modules() -> None:
    """Put these off until something of them is asked for, if ever."""
    for name in _UNUSED:
        _put_off(name)


def _put_off(name: str) -> None:
    found = find_spec(name)
    if name in sys.modules or found is None or found.loader is None:
        return
    found.loader = LazyLoader(found.loader)
    module = module_from_spec(found)
    sys.modules[name] = module
    found.loader.exec_module(module)
    parent, _, child = name.rpartition(".")
    if parent:
        setattr(sys.modules[parent], child, module)
