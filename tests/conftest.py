"""What holds for all tests."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import settings

from archiver.command_line.layers import PREFIX, users_file


def _without_a_developers_settings() -> TemporaryDirectory[str]:
    """Their own archiver.toml and variables do not count, also for processes that tests start.

    What other programs are told in the same place, such as where pip finds packages, still counts.
    """
    theirs = users_file(os.environ).parents[1]
    folder = TemporaryDirectory(prefix="archiver-tests-")
    Path(folder.name).chmod(0o755)  # for tests that run as another user
    for path in theirs.iterdir() if theirs.is_dir() else ():
        if path.name != "archiver":
            (Path(folder.name) / path.name).symlink_to(path.resolve())
    os.environ["XDG_CONFIG_HOME"] = folder.name
    for name in [name for name in os.environ if name.startswith((PREFIX, "SCRAPY_"))]:
        del os.environ[name]
    # Tables are as wide as this says, and processes beside each other get it from pytest.
    os.environ.pop("COLUMNS", None)
    return folder


# Before any test module is loaded; removed when the process ends.
_FOLDER = _without_a_developers_settings()

# Shells have commands in the background ignore Ctrl-C, and so would all processes that tests start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Whichever profile: no deadline, since a busy machine is not a fault of what is tested.
# The same examples every time: a change is judged by what it changed.
settings.register_profile("steady", derandomize=True, deadline=None)
# For `make quick`.
settings.register_profile("quick", derandomize=True, deadline=None, max_examples=10)
# Other examples every time, to look further.
settings.register_profile("default", deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "steady"))
