"""How many pages of a trap are asked for, and that pages which look like one are not lost."""

from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING

import pytest

from archiver.acquisition.sites.model import Strategy
from archiver.store.whole_sites.choosing import SiteWish
from tests.sites.computed.site import ComputedSite
from tests.sites.generated import Answer, GeneratedSite
from tests.sites.walking import walk

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from archiver.store.database import Database
    from tests.sites.walking import Walked


class _SmallSite(GeneratedSite):
    """A site of pages that a function writes; what it writes nothing for is missing."""

    def __init__(self, write: Callable[[str], str]) -> None:
        super().__init__("blog", 3, items=1)
        self._write = write

    def answer(self, target: str) -> Answer:
        body = self._write(target)
        return Answer(body=f"<html><body>{body}</body></html>", status=200 if body else 404, content=target)


def prose(name: object) -> str:
    words = random.Random(str(name)).sample(_WORDS, k=20)
    return f"<p>{' '.join(words)}.</p>"


_WORDS = [
    a + b + c for a in ("ba", "to", "mi") for b in ("ren", "lus", "dop", "gat") for c in ("el", "um", "ix")
]


def links(*targets: str) -> str:
    return "".join(f'<p><a href="{target}">{target}</a></p>' for target in targets)


def asked(walked: Walked, pattern: str) -> list[str]:
    return [target for target in walked.targets if re.search(pattern, target)]


@pytest.mark.zoo
def test_few_pages_of_each_trap_are_asked_for(database: Database, tmp_path: Path) -> None:
    shop = GeneratedSite("shop", 5017, items=120)
    walked = walk(database, tmp_path, shop)
    assert walked.content == shop.content
    # The same filters stand on all lists.
    assert len(asked(walked, r"(?:color|size|brand|stock)=")) <= 3
    assert len(asked(walked, "replytocom=")) == 1
    assert len(asked(walked, "^/about/.+/")) == 1
    # Two after the last page of the first list, one after that of any other.
    assert len(asked(walked, r"^/page/1[3-9]/")) == 2
    assert asked(walked, r"^/section/\w+/page/5/")
    assert not asked(walked, r"^/section/\w+/page/6/")


def _with_a_hole(target: str) -> str:
    """A list of twelve pages whose fifth one shows what the fourth does; each links to the next two."""
    if target.startswith("/story/"):
        return prose(target)
    number = 1 if target == "/" else int(target.removeprefix("/list?page="))
    if number > 12:
        return ""
    shown = 4 if number == 5 else number
    return prose(f"list {shown}") + links(f"/story/{shown}-a", *(f"/list?page={number + n}" for n in (1, 2)))


def test_a_list_is_followed_beyond_one_page_that_shows_nothing(database: Database, tmp_path: Path) -> None:
    walked = walk(database, tmp_path, _SmallSite(_with_a_hole))
    assert {f"/story/{number}-a" for number in range(1, 13) if number != 5} <= walked.content


def _in_two_languages(target: str) -> str:
    """Each page is there in two languages; one of them is what is shown without a parameter."""
    path, _, language = target.partition("?lang=")
    if path == "/":
        return prose(f"front {language or 'en'}") + links(*(f"/story/{number}" for number in range(1, 13)))
    return prose(f"{path} {language or 'en'}") + links(f"{path}?lang=en", f"{path}?lang=de")


def test_pages_in_another_language_are_found(database: Database, tmp_path: Path) -> None:
    walked = walk(database, tmp_path, _SmallSite(_in_two_languages))
    assert {f"/story/{number}?lang=de" for number in range(1, 13)} <= walked.content


def _by_number(target: str) -> str:
    """A program whose parameter chooses the page, beside one that prints it."""
    found = re.fullmatch(r"/show\.php(?:\?id=(\d+))?(&print=1)?", target)
    if target != "/" and found is None:
        return ""
    if found is None or found[1] is None:
        return prose("front") + links("/show.php", *(f"/show.php?id={number}" for number in range(1, 21)))
    return prose(found[1]) + ("" if found[2] else links(f"/show.php?id={found[1]}&print=1"))


def test_pages_that_a_parameter_chooses_are_found_and_one_is_asked_for_to_print(
    database: Database, tmp_path: Path
) -> None:
    walked = walk(database, tmp_path, _SmallSite(_by_number))
    assert {f"/show.php?id={number}" for number in range(1, 21)} <= walked.content
    assert len(asked(walked, "print=1")) == 1


def _session(numbers: random.Random) -> str:
    return f"{numbers.getrandbits(128):032x}"


@pytest.mark.zoo
def test_a_session_is_known_whatever_number_of_links_carries_one(database: Database, tmp_path: Path) -> None:
    """Each link has a session of its own: more of them wait than are swept at a time."""
    numbers = random.Random(7)

    def write(target: str) -> str:
        path = target.partition("?")[0]
        if path == "/":
            return prose(path) + links(*(f"/p{number}/" for number in range(30)))
        sessions = [_session(numbers) for _ in range(800 if path != "/about/" else 0)]
        return prose(path) + links(*(f"/about/?visit={one}" for one in sessions))

    walked = walk(database, tmp_path, _SmallSite(write))
    assert len(asked(walked, "visit=")) <= 2


def test_where_links_are_weighed_a_session_is_known_after_two_pages_as_well(
    database: Database, tmp_path: Path
) -> None:
    """Addresses that wait until nothing promises more are swept like all others."""
    numbers = random.Random(7)

    def write(target: str) -> str:
        path = target.partition("?")[0]
        session = f"?visit={_session(numbers)}"
        menu = "".join(f'<li><a href="/{name}/{session}">{name}</a></li>' for name in ("about", "contact"))
        pages = links(*(f"/p{number}/" for number in range(40))) if path == "/" else ""
        return f"<nav><ul>{menu}</ul></nav><main>{prose(path)}{pages}</main>"

    wish = SiteWish(strategy=Strategy.LEARNED)
    walked = walk(database, tmp_path, _SmallSite(write), wish=wish)
    assert len({target for target in walked.content if target.startswith("/p")}) == 40
    assert len(asked(walked, "visit=")) <= 4


def test_pages_that_led_to_sessions_alone_are_asked_for_no_longer(database: Database, tmp_path: Path) -> None:
    """Each page of a shop has links with an id of the visit, and they seemed new until it was known."""
    wish = SiteWish(strategy=Strategy.LEARNED)
    walked = walk(database, tmp_path, ComputedSite("shop", 0, 100), wish=wish)
    assert len(walked.content) >= 100
    assert len(asked(walked, "/compare/")) + len(asked(walked, "cart?add")) <= 4
