"""Hosts that lead a crawl on without end, or waste its requests."""

from __future__ import annotations

import random
import re
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

from tests.crawl.known_web.texts import KEYWORDS, paragraphs, stuffed, title
from tests.crawl.site import Answer, html, not_found, redirect, text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.crawl.site import Headers

# Of a host with ids of sessions.
_REPORTS = 12
_NUMBER = re.compile(r"(\d+)(?!.*\d)")


def html_page(
    name: str,
    told: Sequence[str],
    links: Sequence[tuple[str, str]],
    nav: Sequence[tuple[str, str]] = (),
    headers: Headers = (),
) -> Answer:
    listed = "".join(f'<li><a href="{url}">{words}</a></li>' for url, words in links)
    body = "".join(f"<p>{words}</p>" for words in told)
    menu = "".join(f'<a href="{url}">{words}</a> ' for url, words in nav)
    return html(
        f'<html lang="en"><head><title>{name}</title></head><body><nav>{menu}</nav><main><h1>{name}</h1>'
        f"{body}<ul>{listed}</ul></main></body></html>"
    ).but(*headers)


class Trap(ABC):
    """A host of a known web that no campaign should spend much on."""

    def __init__(self, seed: int, origin: str) -> None:
        self.seed, self.origin = seed, origin

    @property
    def entry(self) -> str:
        return f"{self.origin}/0"

    def lure(self, chance: random.Random) -> str:
        """What links to it say: as much about the subject as those to a relevant page."""
        return title(chance, 0, 0.35)

    def answer(self, target: str) -> Answer:
        return text("User-agent: *\nDisallow:\n") if target == "/robots.txt" else self.page(target)

    def worth(self, target: str) -> str | None:  # noqa: ARG002 - for others
        """The one address of what an address shows that is worth to be fetched once; None: nothing is."""
        return None

    @property
    def worthy(self) -> frozenset[str]:
        """All that is worth to be fetched here, once each: it is about the flood."""
        return frozenset()

    @abstractmethod
    def page(self, target: str) -> Answer:
        """What an address answers."""

    def number(self, target: str) -> int:
        found = _NUMBER.search(target.partition("?")[0])
        return int(found[1][-6:]) if found else 0


class EndlessCalendar(Trap):
    """Has a page about the flood for every day there will ever be, each but for its date the same."""

    @property
    def entry(self) -> str:
        return f"{self.origin}/calendar/2026/1"

    def worth(self, target: str) -> str | None:
        return "/day" if target.startswith("/calendar/") else None

    @property
    def worthy(self) -> frozenset[str]:
        return frozenset({"/day"})

    def page(self, target: str) -> Answer:
        day = self.number(target)
        told = paragraphs(random.Random(f"{self.seed} calendar"), 0, 3)
        links = [
            (f"/calendar/2026/{day + step}", f"Flood dyke events of day {day + step}") for step in (1, 2, 7)
        ]
        return html_page(f"Flood events of day {day}", [f"Day {day}.", *told], links)


class SessionIds(Trap):
    """Gives every link an id of its own, by a name that no list of such names has."""

    def worth(self, target: str) -> str | None:
        return f"/{self.number(target) % _REPORTS}"

    @property
    def worthy(self) -> frozenset[str]:
        return frozenset(f"/{number}" for number in range(_REPORTS))

    def page(self, target: str) -> Answer:
        number = self.number(target) % _REPORTS
        chance = random.Random(f"{self.seed} session {target}")
        told = paragraphs(random.Random(f"{self.seed} visitor {number}"), 0, 3)
        links = []
        for step in (1, 2, 3, 5):
            visit = f"{chance.getrandbits(72):018x}"
            links.append((f"/{(number + step) % _REPORTS}?visit={visit}", title(chance, 0, 0.5)))
        return html_page(f"Flood report {number}", told, links)


class NearDuplicates(Trap):
    """Has one text about the flood at any number of addresses, a few words of which are others each time."""

    def worth(self, target: str) -> str | None:  # noqa: ARG002 - all are one
        return "/0"

    @property
    def worthy(self) -> frozenset[str]:
        return frozenset({"/0"})

    def page(self, target: str) -> Answer:
        number = self.number(target)
        told = paragraphs(random.Random(f"{self.seed} duplicate"), 0, 5)
        chance = random.Random(f"{self.seed} duplicate {number}")
        told.append(
            f"Visitor {number} read this at {chance.randrange(24)} with {chance.randrange(999)} others."
        )
        links = [(f"/{chance.randrange(100_000)}", title(chance, 0, 0.5)) for _ in range(6)]
        return html_page("The flood at the dyke", told, links)


class LinkFarm(Trap):
    """Is stuffed with what people search for, and leads to nothing but more of it."""

    def page(self, target: str) -> Answer:
        chance = random.Random(f"{self.seed} farm {target}")
        links = [
            (f"/{chance.randrange(100_000)}", " ".join(chance.choices(KEYWORDS, k=3))) for _ in range(30)
        ]
        return html_page(" ".join(chance.choices(KEYWORDS, k=6)), stuffed(chance, 3), links)


class RedirectLoop(Trap):
    """Redirects from one address to the next, and at last to the first."""

    def page(self, target: str) -> Answer:
        return redirect(f"/{(self.number(target) + 1) % 40}", 302)


class Forbidding(Trap):
    """Forbids everything in its robots.txt."""

    def answer(self, target: str) -> Answer:
        return text("User-agent: *\nDisallow: /\n") if target == "/robots.txt" else self.page(target)

    def page(self, target: str) -> Answer:  # noqa: ARG002 - no crawl may see it
        return not_found()


TRAPS: tuple[type[Trap], ...] = (
    EndlessCalendar, SessionIds, NearDuplicates, LinkFarm, RedirectLoop, Forbidding,
)  # fmt: skip
