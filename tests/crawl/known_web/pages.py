"""The pages of a web whose relevance is known, and what each address answers."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from tests.crawl.known_web.texts import KEYWORDS, SUBJECTS, paragraphs, title
from tests.crawl.known_web.traps import TRAPS, Trap, html_page
from tests.crawl.site import Answer, not_found, redirect, text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

# Of the stories of a host, so many are about the flood.
_SHARES = (0.55, 0.4, 0.3, 0.2, 0.1, 0.05)
_PER_SECTION = 20
# A link leads to another story of its kind so often, to another host, to a copy, a redirect, nowhere.
_ALIKE, _ABROAD, _COPY, _MOVED, _DEAD = 0.65, 0.3, 0.04, 0.05, 0.04
# Titles that say what they are about.
_TELLING = 0.35
_NAV = (("/", "Home"), ("/section/0", "News"), ("/section/1", "More"))
_STORY = re.compile(r"/(story|moved|copy)/(\d+)(?:/(\d+))?$")
_LIST = re.compile(r"/section/(\d+)$")


@dataclass(frozen=True, slots=True)
class Story:
    host: int
    number: int
    subject: int
    title: str

    @property
    def is_relevant(self) -> bool:
        return self.subject == 0


class KnownWeb:
    """Hosts of stories, of which some are about a flood, and hosts that are traps."""

    def __init__(
        self, seed: int, origins: Sequence[str], *, stories: int = 160, traps: int = len(TRAPS)
    ) -> None:
        self.seed, self.origins = seed, list(origins)
        self.traps: dict[int, Trap] = {}
        for place in range(traps):
            host = len(origins) - traps + place
            self.traps[host] = TRAPS[place](seed, self.origins[host])
        self.hosts = len(origins) - traps
        self.stories = [self._stories(host, stories) for host in range(self.hosts)]

    def _stories(self, host: int, count: int) -> list[Story]:
        chance = random.Random(f"{self.seed} host {host}")
        share = _SHARES[host % len(_SHARES)]
        found = []
        for number in range(chance.randint(count // 2, count * 3 // 2)):
            subject = 0 if chance.random() < share else chance.randrange(1, SUBJECTS)
            found.append(Story(host, number, subject, title(chance, subject, _TELLING)))
        return found

    @property
    def seeds(self) -> list[str]:
        return [f"{self.origins[host]}/" for host in range(min(3, self.hosts))]

    @cached_property
    def relevant(self) -> frozenset[str]:
        """The addresses of all pages about the flood, each once; a trap may have some, too."""
        told = {self.url_of(story) for some in self.stories for story in some if story.is_relevant}
        return told.union(*({f"{one.origin}{path}" for path in one.worthy} for one in self.traps.values()))

    def url_of(self, story: Story) -> str:
        return f"{self.origins[story.host]}/story/{story.number}"

    def page_at(self, url: str) -> str | None:
        """The one address of what an address shows, be it a copy or a redirect; None: nothing of worth."""
        place = self._place(url)
        if place is None:
            return None
        target = url[len(self.origins[place]) :]
        if place in self.traps:
            path = self.traps[place].worth(target)
            return f"{self.origins[place]}{path}" if path else None
        found = _STORY.match(target)
        if found is None:
            return None
        host = int(found[2]) if found[1] == "copy" else place
        number = int(found[3] if found[1] == "copy" else found[2])
        known = host < self.hosts and number < len(self.stories[host])
        return f"{self.origins[host]}/story/{number}" if known else None

    def wasted(self, asked: Sequence[str]) -> list[str]:
        """Requests to traps that brought nothing, or the same again."""
        seen: set[str] = set()
        found = []
        for url in asked:
            if self._place(url) in self.traps and not url.endswith("/robots.txt"):
                page = self.page_at(url)
                found += [url] if page is None or page in seen else []
                seen |= {page} if page else set()
        return found

    def missed(self, asked: Sequence[str], waiting: Sequence[str]) -> int:
        """How many relevant pages wait that were not fetched, each once."""
        fetched = {self.page_at(url) for url in asked}
        return len(({self.page_at(url) for url in waiting} - fetched) & self.relevant)

    def _place(self, url: str) -> int | None:
        return next((at for at, one in enumerate(self.origins) if url.startswith(f"{one}/")), None)

    # ── What a host answers ──────────────────────────────────────────────────────────────────────────────

    def answer(self, host: int, target: str) -> Answer:
        if host in self.traps:
            return self.traps[host].answer(target)
        if target == "/robots.txt":
            return text("User-agent: *\nDisallow: /private/\n")
        if target == "/":
            return self._front(host)
        if found := _LIST.match(target):
            return self._section(host, int(found[1]))
        if found := _STORY.match(target):
            return self._story_answer(host, found)
        return not_found()

    def _front(self, host: int) -> Answer:
        sections = range((len(self.stories[host]) + _PER_SECTION - 1) // _PER_SECTION)
        links = [(f"/section/{number}", f"Section {number}") for number in sections]
        links += [(self.url_of(one), one.title) for one in self.stories[host][:6]]
        chance = random.Random(f"{self.seed} front {host}")
        links += [
            (trap.entry, trap.lure(chance)) for place, trap in self.traps.items() if place % 3 == host % 3
        ]
        return html_page(f"Paper {host}", paragraphs(chance, 1 + host % 8, 1), links)

    def _section(self, host: int, number: int) -> Answer:
        some = self.stories[host][number * _PER_SECTION : (number + 1) * _PER_SECTION]
        chance = random.Random(f"{self.seed} section {host} {number}")
        told = paragraphs(chance, 1 + number % 8, 1)
        return html_page(f"Section {number}", told, [(self.url_of(one), one.title) for one in some])

    def _story_answer(self, host: int, found: re.Match[str]) -> Answer:
        if found[1] == "copy":
            host, number = int(found[2]), int(found[3])
        else:
            number = int(found[2])
        if host >= self.hosts or number >= len(self.stories[host]):
            return not_found()
        story = self.stories[host][number]
        if found[1] == "moved":
            return redirect(self.url_of(story), 301)
        chance = random.Random(f"{self.seed} story {host} {number}")
        strays = [chance.choice(KEYWORDS)] if not story.is_relevant and chance.random() < 0.25 else ()
        told = paragraphs(chance, story.subject, chance.randint(3, 7), strays)
        return html_page(story.title, told, list(self._links(story, chance)), nav=_NAV)

    def _links(self, story: Story, chance: random.Random) -> Iterator[tuple[str, str]]:
        for _ in range(chance.randint(4, 9)):
            subject = story.subject if chance.random() < _ALIKE else chance.randrange(SUBJECTS)
            host = chance.randrange(self.hosts) if chance.random() < _ABROAD else story.host
            some = [one for one in self.stories[host] if one.subject == subject]
            if some:
                other = chance.choice(some)
                yield self._address(other, chance), other.title
        if chance.random() < 0.1 and self.traps:
            trap = self.traps[chance.choice(list(self.traps))]
            yield trap.entry, trap.lure(chance)

    def _address(self, story: Story, chance: random.Random) -> str:
        """Its own, or one of those that lead to it, or to nothing."""
        dice = chance.random()
        if dice < _COPY:
            return f"{self.origins[chance.randrange(self.hosts)]}/copy/{story.host}/{story.number}"
        if dice < _COPY + _MOVED:
            return f"{self.origins[story.host]}/moved/{story.number}"
        if dice < _COPY + _MOVED + _DEAD:
            return f"{self.origins[story.host]}/story/{story.number + 100_000}"
        return self.url_of(story)


def campaign_text(web: KnownWeb, requests: int, more: str = "") -> str:
    """A campaign about the flood, with one story of each of three hosts for an example."""
    told = [web.url_of(next(one for one in some if one.is_relevant)) for some in web.stories[:3]]
    return (
        f"campaign: flood\nlanguages: [en]\nkeywords: [{', '.join(KEYWORDS)}]\n"
        f"examples: {{like: [{', '.join(told)}]}}\n"
        f"seeds: [{', '.join(web.seeds)}]\nbudget: {{requests: {requests}}}\n{more}"
    )
