"""Scripted servers that answer as the documentation of each API says, on top of a scripted site."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar
from urllib.parse import parse_qs, urlsplit

from tests.crawl.site import Answer, Site, html

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from tests.crawl.running import Archived
    from tests.crawl.site import Request


def as_json(value: object, *headers: tuple[str, str], status: int = 200) -> Answer:
    kind = ("Content-Type", "application/json; charset=utf-8")
    return Answer(status=status, headers=(kind, *headers), body=json.dumps(value).encode())


def asked(request: Request) -> dict[str, str]:
    """The parameters of a request."""
    return {name: values[-1] for name, values in parse_qs(urlsplit(request.target).query).items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A post that a network has."""

    number: int
    words: str = ""
    author: str = "ada"
    minute: int = 0  # of publication
    edited: int | None = None  # when, in minutes
    answers: int | None = None
    is_private: bool = False
    is_deleted: bool = False
    nobot: bool = False

    @property
    def markup(self) -> str:
        words = self.words or f"The water stands at mark {self.number}."
        return f'<p>{words} <a href="https://paper.example/{self.number}">Read on</a></p>'

    def at(self, minute: int | None = None) -> str:
        then = self.minute if minute is None else minute
        return f"2026-06-{10 + then // 1440:02}T{then // 60 % 24:02}:{then % 60:02}:00"


def many_said(count: int) -> list[Said]:
    return [Said(number=number, minute=number) for number in range(1, count + 1)]


@dataclass(slots=True)
class Network:
    """A server of one API, with the posts that it has now."""

    site: Site
    posts: list[Said] = field(default_factory=list)
    # Answers that are given in the place of the next ones.
    instead: list[Answer] = field(default_factory=list)
    # Whether its answers say what an account wants.
    has_profiles: ClassVar[bool] = False

    def begin(self) -> str:
        """Script the server; what the file of a campaign says of it."""
        raise NotImplementedError

    def edit(self, number: int, **changes: Any) -> None:
        self.posts = [replace(one, **changes) if one.number == number else one for one in self.posts]

    def answer(self, made: Answer) -> Answer:
        return self.instead.pop(0) if self.instead else made


class WordPress(Network):
    """https://developer.wordpress.org/rest-api/reference/posts/"""

    def begin(self) -> str:
        link = ("Link", f'<{self.site.url("/wp-json/")}>; rel="https://api.w.org/"')
        self.site.add("/", html("<title>A blog</title>").but(link))
        self.site.add("/wp-json/wp/v2/posts", lambda request: self.answer(self._list(request)))
        return f"{{wordpress: '{self.site.origin}'}}"

    def _list(self, request: Request) -> Answer:
        wanted = asked(request)
        words = wanted.get("search", "").lower()
        shown = [one for one in self.posts if not one.is_deleted and words in one.markup.lower()]
        shown.sort(key=lambda one: one.minute if one.edited is None else one.edited, reverse=True)
        start, size = int(wanted["offset"]), min(int(wanted["per_page"]), 10)
        page = [self.as_post(one) for one in shown[start : start + size]]
        return as_json(
            page, ("X-WP-Total", str(len(shown))), ("X-WP-TotalPages", str(-(-len(shown) // size)))
        )

    def as_post(self, one: Said) -> dict[str, object]:
        content = {"rendered": "" if one.is_private else one.markup, "protected": one.is_private}
        return {
            "id": one.number,
            "date_gmt": one.at(),
            "modified_gmt": one.at(one.edited),
            "link": self.site.url(f"/2026/06/{one.number}/"),
            "title": {"rendered": f"Mark &#8211; {one.number}"},
            "content": content,
            "status": "publish",
            "_embedded": {"author": [{"name": "Ada", "slug": "ada", "link": self.site.url("/author/ada/")}]},
        }


def campaign_file(folder: Path, lines: Sequence[str], name: str = "flood") -> Path:
    """A campaign that has nothing but APIs."""
    path = folder / f"{name}.yaml"
    apis = "".join(f"  - {line}\n" for line in lines)
    path.write_text(f"campaign: {name}\nabout: The flood\napis:\n{apis}")
    return path


def posts_of(archived: Archived) -> list[dict[str, Any]]:
    """The objects of posts, in the order in which they were written."""
    paths = sorted((archived.folder / "objects").glob("posts-*.jsonl"))
    return [json.loads(line) for path in paths for line in path.read_text().splitlines()]


def resolved(value: Any, pointer: str) -> Any:
    """What a JSON pointer leads to (RFC 6901)."""
    for step in pointer.split("/")[1:]:
        name = step.replace("~1", "/").replace("~0", "~")
        value = value[int(name)] if isinstance(value, list) else value[name]
    return value
