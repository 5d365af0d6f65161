"""Run by the interpreter that has pywb, from a copy: pywb at a socket that only the application can open.

It imports nothing of the archiver, and ends when its parent does, however that ends.
"""

from __future__ import annotations

import os
import shutil
import socket
import sys
import threading
from pathlib import Path


def end_with_parent() -> None:
    """Standard input is a pipe of the parent's; nothing is ever written to it."""
    folder = Path.cwd()
    while os.read(0, 1):
        pass
    # The parent was killed, and cannot clear up.
    shutil.rmtree(folder, ignore_errors=True)
    os._exit(0)


def insert(package: str) -> None:
    """What pywb puts at the head of pages comes after what they need to run without an origin."""
    own = (Path(package).parent / "templates" / "head_insert.html").read_text()
    script = Path("memory.js").read_text()
    made = "<script>{% raw %}" + script + "{% endraw %}</script>" + own
    Path("templates/head_insert.html").write_text(made)


def main(path: str) -> None:
    threading.Thread(target=end_with_parent, daemon=True).start()
    from gevent.monkey import patch_all  # noqa: PLC0415 - only pywb's interpreter has it

    patch_all()
    import pywb  # noqa: PLC0415

    insert(pywb.__file__)
    from gevent.pywsgi import WSGIServer  # noqa: PLC0415
    from pywb.apps import frontendapp  # noqa: PLC0415
    from pywb.utils.geventserver import GeventServer, RequestURIWSGIHandler  # noqa: PLC0415

    class Guarded(GeventServer):  # type: ignore[misc] # pywb has no types
        """A part of pywb listens at a port: it answers pywb alone, whatever names lead to this machine."""

        def make_server(self, app, *args, **kwargs):  # type: ignore[no-untyped-def] # noqa: ANN001, ANN002, ANN003, ANN202 - as pywb has it
            def own(environ, start):  # type: ignore[no-untyped-def] # noqa: ANN001, ANN202 - WSGI
                if environ.get("HTTP_HOST", "").partition(":")[0] != "localhost":
                    start("421 Misdirected Request", [("Content-Length", "0")])
                    return []
                return app(environ, start)

            super().make_server(own, *args, **kwargs)

    frontendapp.GeventServer = Guarded
    application = frontendapp.FrontEndApp()
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listener.bind(path)
    listener.listen(64)
    # It started: lines for each request would fill the disk.
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 1)
    os.dup2(nothing, 2)
    # Their paths as they were asked for: in an archive, %2F and / are two.
    WSGIServer(listener, application, handler_class=RequestURIWSGIHandler, log=None).serve_forever()


if __name__ == "__main__":
    main(sys.argv[1])
