"""What the hostile servers of the zoo have in common: each is a scripted site that misbehaves in one way.

    class TornRobots(HostileSite):
        \"\"\"Breaks off in the middle of its robots.txt.\"\"\"

        def misbehave(self) -> None:
            self.add("/robots.txt", text("User-agent: *\\nDisallow: /\\n").but(cut=10))

One module for each topic, one class for each kind; its docstring is one sentence that says what it does. A
fault that is not a server's (a torn file, a clock that was wrong) is a class without this base. docs/zoo.md
has what the archiver does with each of them, a section for each module; tests/test_zoo.py joins the two.
"""

from __future__ import annotations

from tests.crawl.site import Site


class HostileSite(Site):
    """A site at one address that is scripted as soon as it listens."""

    def __init__(self, host: str = "127.0.0.1", port: int = 0) -> None:
        super().__init__(host, port)
        self.misbehave()

    def misbehave(self) -> None:
        """Script the paths on which it misbehaves."""
        raise NotImplementedError
