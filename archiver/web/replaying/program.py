"""Which pywb there is: the one that a setting names, or one on PATH, and the interpreter that runs it."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from archiver.errors import ConfigurationError

# A script of pip's: its first line, or where that would be too long, its second.
_SHEBANG = re.compile(
    rb"#!\s*(?P<path>/[^\s]+)(?P<name>[^\n]*)\n(?:'''exec' \"?(?P<long>/[^\"\n]+?)\"? \"\$0\")?"
)
_LONGEST_LINE = 4096


def pywb_interpreter(named: str | None) -> Path | None:
    """The Python of a pywb; None where no pywb is named or on PATH. Raises ConfigurationError."""
    script = Path(named).expanduser() if named else _on_path()
    if script is None:
        return None
    if named and not script.is_file():
        raise ConfigurationError(f"REPLAY_PYWB {named}: there is no such file; name pywb's `wayback`")
    found = _interpreter_of(script)
    if found is None and named:
        raise ConfigurationError(f"REPLAY_PYWB {named} is not pywb's `wayback`: its Python cannot be found")
    return found


def _on_path() -> Path | None:
    found = shutil.which("wayback")
    return Path(found) if found else None


def _interpreter_of(script: Path) -> Path | None:
    try:
        with script.open("rb") as file:
            begin = _SHEBANG.match(file.read(_LONGEST_LINE))
    except OSError:
        return None
    if begin is None:
        return None
    named = (begin["long"] or begin["path"]).decode(errors="surrogateescape")
    if Path(named).name == "env":
        named = shutil.which(begin["name"].decode(errors="replace").strip()) or ""
    return Path(named) if "python" in Path(named).name and Path(named).is_file() else None
