"""A hub: takes subscriptions, asks back, and tells those who subscribed what is new."""

from __future__ import annotations

import hashlib
import hmac
import http.client
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Self
from urllib.parse import parse_qs, urlencode, urlsplit


class Hub:
    """One hub on loopback, which gives leases of so many seconds."""

    def __init__(self, lease: int) -> None:
        self.lease = lease
        self.asked: list[dict[str, str]] = []  # the forms that came
        self.agreed: dict[str, dict[str, str]] = {}  # callback → the form that was agreed to
        self.refused = 0
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}/hub"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        hub = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"])).decode()
                form = {name: values[0] for name, values in parse_qs(body).items()}
                hub.asked.append(form)
                # As some hubs do: it asks back before it answers.
                hub.verify(form)
                self.send_response(202)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_: object) -> None:
                """Nothing to anybody."""

        return Handler

    def verify(self, form: dict[str, str]) -> None:
        """Ask the subscriber whether it wants what somebody asked for in its name."""
        mode, topic = form["hub.mode"], form["hub.topic"]
        status, answer = ask_back(form["hub.callback"], mode, topic, "a challenge", self.lease)
        if (status, answer) != (200, b"a challenge"):
            self.refused += 1
        elif mode == "subscribe":
            self.agreed[form["hub.callback"]] = form
        else:
            self.agreed.pop(form["hub.callback"], None)

    def tell(self, body: bytes, secret: str | None = None) -> list[int]:
        """Send something new to everybody; what they answered."""
        answers = []
        for callback, form in list(self.agreed.items()):
            key = (secret or form["hub.secret"]).encode()
            signature = "sha256=" + hmac.new(key, body, hashlib.sha256).hexdigest()
            answers.append(send(callback, "POST", body, {"X-Hub-Signature": signature})[0])
        return answers


def ask_back(callback: str, mode: str, topic: str, challenge: str, lease: int) -> tuple[int, bytes]:
    query = {"hub.mode": mode, "hub.topic": topic, "hub.challenge": challenge, "hub.lease_seconds": lease}
    return send(f"{callback}?{urlencode(query)}", "GET")


def send(
    url: str, method: str, body: bytes | None = None, headers: dict[str, str] | None = None
) -> tuple[int, bytes]:
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=20)
    try:
        connection.request(method, parts._replace(scheme="", netloc="").geturl(), body, headers or {})
        response = connection.getresponse()
        return response.status, response.read()
    finally:
        connection.close()
