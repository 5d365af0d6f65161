"""Another learner of fields, in a process of its own: a field a line comes in, its values and cost go out.

bench/fields.py starts it, with the Python that has the learner: `fields_child.py NAME`.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import sys
import time
from functools import lru_cache
from html import unescape
from importlib import import_module
from typing import Any, TextIO

# Of the processor, for one field: some search for minutes. What is not learned by then is not learned.
_MOST_SECONDS = 5
# mlscraper lists all combinations of the places of five values, with no step at which it could be stopped.
_MOST_MEMORY = 1_500_000_000
# The pages of a site are parsed once for all its fields.
_PARSED_PAGES = 40


class OutOfTimeError(Exception):
    pass


class AutoScraper:
    """AutoScraper, as its documentation says: one rule set from all examples, of the results the first."""

    def learn(self, examples: list[tuple[str, list[str]]]) -> None:
        self._scraper = import_module("autoscraper").AutoScraper()
        for number, (html, values) in enumerate(examples):
            self._scraper.build(html=html, wanted_list=values[:1], update=number > 0)

    def value(self, html: str) -> str | None:
        found = self._scraper.get_result_exact(soup=_normalised_soup(html))
        return str(found[0]) if found else None


@lru_cache(_PARSED_PAGES)
def _normalised_soup(html: str) -> Any:
    """As AutoScraper parses a page that it is given as a text."""
    text = import_module("autoscraper.utils").normalize(unescape(html))
    return import_module("bs4").BeautifulSoup(text, "lxml")


class MlScraper:
    """mlscraper; it finds no node for a value with white space around it, so texts are stripped for it.

    A page keeps what was learned on it, so each field is learned on pages of its own.
    """

    def learn(self, examples: list[tuple[str, list[str]]]) -> None:
        samples, training = import_module("mlscraper.samples"), import_module("mlscraper.training")
        found = samples.TrainingSet()
        for html, values in examples:
            found.add_sample(samples.Sample(_stripped_page(html), " ".join(values[0].split())))
        self._scraper = training.train_scraper(found)

    def value(self, html: str) -> str | None:
        found = self._scraper.get(_parsed_page(html))
        return str(found) if found else None


def _stripped_page(html: str) -> Any:
    soup = import_module("bs4").BeautifulSoup(html, "lxml")
    for text in list(soup.find_all(string=True)):
        if type(text).__name__ == "NavigableString":
            text.replace_with(" ".join(text.split()))
    return import_module("mlscraper.html").Page(str(soup))


_parsed_page = lru_cache(_PARSED_PAGES)(_stripped_page)


class CopiedSelector:
    """The selector that a browser copies: up to the nearest id, with places among siblings."""

    def learn(self, examples: list[tuple[str, list[str]]]) -> None:
        html, values = examples[0]
        wanted = {" ".join(one.split()).casefold() for one in values}
        tree = self._tree(html)
        nodes = [one for one in tree.iter() if self._text(one).casefold() in wanted]
        inner = [one for one in nodes if not any(below in nodes for below in one.iterdescendants())]
        self._path = self._selector(tree, inner[0]) if inner else None

    def value(self, html: str) -> str | None:
        found = self._tree(html).xpath(self._path) if self._path else []
        return self._text(found[0]) if found else None

    def _selector(self, tree: Any, node: Any) -> str:
        steps = ""
        while node is not None:
            name = node.get("id")
            if name and "'" not in name and len(tree.xpath(f"//*[@id='{name}']")) == 1:
                return f"//*[@id='{name}']{steps}"
            around = node.getparent()
            place = 1 if around is None else list(around.iterchildren("*")).index(node) + 1
            alike = around is not None and sum(one.tag == node.tag for one in around) > 1
            steps = f"/*[{place}][self::{node.tag}]{steps}" if alike else f"/{node.tag}{steps}"
            node = around
        return steps

    @staticmethod
    def _tree(html: str) -> Any:
        etree = import_module("lxml.etree")
        parser = etree.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True)
        return etree.fromstring(html.encode("utf-8", "ignore") or b"<p></p>", parser)

    @staticmethod
    def _text(node: Any) -> str:
        return " ".join("".join(node.itertext()).split()) if isinstance(node.tag, str) else ""


LEARNERS = {"autoscraper": AutoScraper, "mlscraper": MlScraper, "copied-selector": CopiedSelector}


def measured(name: str, task: dict[str, Any]) -> dict[str, Any]:
    learner = LEARNERS[name]()
    begun = time.process_time()
    learned = _within(lambda: learner.learn(task["learn"]), _MOST_SECONDS)
    cost = time.process_time() - begun
    begun = time.process_time()
    values: list[str | None] = []
    if learned:
        _within(lambda: values.extend(map(learner.value, task["test"])), 3 * _MOST_SECONDS)
    values += [None] * (len(task["test"]) - len(values))
    return {"values": values, "learn": cost, "read": time.process_time() - begun}


def _within(work: Any, seconds: int) -> bool:
    """Whether it was done; what a learner raises on a field is that it did not learn it."""
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        work()
    except Exception:  # noqa: BLE001 - it scores 0
        return False
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    return True


def _stop(*_: object) -> None:
    raise OutOfTimeError


def answers() -> TextIO:
    """Our own way out, since a learner may print."""
    kept = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    return kept


def main(name: str) -> None:
    signal.signal(signal.SIGVTALRM, _stop)
    resource.setrlimit(resource.RLIMIT_AS, (_MOST_MEMORY, _MOST_MEMORY))
    out = answers()
    for line in sys.stdin:
        print(json.dumps(measured(name, json.loads(line))), file=out, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
