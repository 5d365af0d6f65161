"""A machine whose clock is ahead by CLOCK_AHEAD seconds: put this folder in front of PYTHONPATH.

Python runs a module of this name by itself, before anything else of the archiver is loaded, in the crawl and
in every process that it starts.
"""

from __future__ import annotations

import os
from datetime import timedelta
from typing import TYPE_CHECKING

from archiver import clock

if TYPE_CHECKING:
    from datetime import datetime

_AHEAD = timedelta(seconds=float(os.environ.get("CLOCK_AHEAD", "0")))
_right = clock.machine_now


def machine_now() -> datetime:
    return _right() + _AHEAD


clock.machine_now = machine_now
