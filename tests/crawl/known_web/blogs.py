"""A known web whose hosts are blogs of one software, with all that its pages lead to besides posts."""

from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING

from tests.crawl.known_web.pages import KnownWeb, Story
from tests.crawl.known_web.texts import SUBJECTS, paragraphs
from tests.crawl.site import Answer, html, not_found, text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_PER_LIST = 10
_HEAD = '<meta name="generator" content="WordPress 6.4.2">'
_LIST = re.compile(r"/(?:(tag|author|2026)/(\d+)/)?(?:page/(\d+)/)?$")
_STORY = re.compile(r"/story/(\d+)$")
# Lists of a blog beside that of all posts: a month, a tag and an author have a part of them each.
_LISTS = {"tag": 12, "author": 5, "2026": 12}
_REPLIES = 3


class BlogWeb(KnownWeb):
    """The same stories and relevance; lists by tag, month and author, buttons, and a page to log in."""

    def __init__(self, seed: int, origins: Sequence[str]) -> None:
        super().__init__(seed, origins, traps=0)

    def answer(self, host: int, target: str) -> Answer:
        path = target.partition("?")[0]
        if path == "/robots.txt":
            return text("User-agent: *\nDisallow: /wp-admin/\n")
        if found := _STORY.match(path):
            number = int(found[1])
            return self._post(host, number) if number < len(self.stories[host]) else not_found()
        if found := _LIST.match(path):
            return self._list(host, found[1] or "", int(found[2] or 0), int(found[3] or 1))
        return html(_page("Log in", "login", "<p>User name and password, please.</p>", ""))

    def _list(self, host: int, kind: str, number: int, page: int) -> Answer:
        some = [one for one in self.stories[host] if not kind or self._part(one, kind) == number]
        shown = some[(page - 1) * _PER_LIST : page * _PER_LIST]
        if not shown:
            return not_found()
        posts = "".join(_listed(self.url_of(one), one.title) for one in shown)
        base = f"/{kind}/{number}/" if kind else "/"
        older = f'<a class="next page-numbers" href="{base}page/{page + 1}/">Older posts</a>'
        older = older if page * _PER_LIST < len(some) else ""
        name = f"Paper {host} {kind} {number}" if kind else f"Paper {host}"
        return html(_page(name, "archive" if kind else "blog", posts + older, self._chrome(host)))

    def _part(self, story: Story, kind: str) -> int:
        """The tag, month or author of a post: tags go a little with the subject."""
        chance = random.Random(f"{self.seed} {kind} {story.host} {story.number}")
        if kind == "tag" and chance.random() < 0.5:
            return story.subject
        return chance.randrange(_LISTS[kind])

    def _post(self, host: int, number: int) -> Answer:
        story = self.stories[host][number]
        chance = random.Random(f"{self.seed} story {host} {number}")
        told = paragraphs(chance, story.subject, chance.randint(3, 7))
        links = "".join(f'<p><a href="{url}">{words}</a></p>' for url, words in self._related(story, chance))
        replies = "".join(
            f'<a href="/story/{number}?replytocom={one}#respond">Reply</a>' for one in range(_REPLIES)
        )
        body = (
            f'<article><h1 class="entry-title">{story.title}</h1><div class="entry-content">'
            f"{''.join(f'<p>{one}</p>' for one in told)}{links}</div></article>{replies}"
            f'<a href="/story/{number}?share=mail">Share</a>'
        )
        own = "".join(
            f'<a href="/{kind}/{self._part(story, kind)}/">{kind} {self._part(story, kind)}</a>'
            for kind in _LISTS
        )
        return html(_page(story.title, "single", body + own, self._chrome(host)))

    def _related(self, story: Story, chance: random.Random) -> Iterator[tuple[str, str]]:
        for _ in range(chance.randint(2, 5)):
            subject = story.subject if chance.random() < 0.65 else chance.randrange(SUBJECTS)
            host = chance.randrange(self.hosts) if chance.random() < 0.4 else story.host
            some = [one for one in self.stories[host] if one.subject == subject]
            if some:
                other = chance.choice(some)
                yield self.url_of(other), other.title

    def _chrome(self, host: int) -> str:
        """The side bar of every page."""
        recent = "".join(
            f'<li><a href="{self.url_of(one)}">{one.title}</a></li>' for one in self.stories[host][:5]
        )
        lists = "".join(
            f'<li><a href="/{kind}/{number}/">{kind} {number}</a></li>'
            for kind, count in _LISTS.items()
            for number in range(count)
        )
        login = '<a href="/wp-login.php">Log in</a> <a href="/?s=flood">Search</a> <a href="/feed/">Feed</a>'
        return f"<aside><ul>{recent}</ul><ul>{lists}</ul>{login}</aside>"


def _listed(url: str, name: str) -> str:
    return f'<article class="hentry"><h2 class="entry-title"><a href="{url}">{name}</a></h2></article>'


def _page(name: str, level: str, body: str, chrome: str) -> str:
    return (
        f'<html lang="en"><head><title>{name}</title>{_HEAD}</head>'
        f'<body class="{level}"><main>{body}</main>{chrome}</body></html>'
    )
