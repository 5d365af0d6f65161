"""Commands one after the other in one process, and how each of them ended: `python every.py < commands`."""

from __future__ import annotations

import io
import json
import sys
import traceback
from contextlib import redirect_stderr, redirect_stdout

from archiver.command_line.program import _run


def outcome(words: list[str]) -> dict[str, object]:
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    with redirect_stdout(out), redirect_stderr(err):
        try:
            code: object = _run(words)
        except SystemExit as ended:
            code = ended.code
        except BaseException:  # noqa: BLE001 - that is what the tests look for
            traceback.print_exc()
            code = None
    said = [stream.buffer.getvalue().decode() for stream in (out, err)]  # type: ignore[attr-defined] # BytesIO
    return {"words": words, "code": code, "stdout": said[0], "stderr": said[1]}


if __name__ == "__main__":
    print(json.dumps([outcome(words) for words in json.load(sys.stdin)]))
