"""A page with what the server and its address say: all that an expression can look at."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from lxml import etree

from archiver.documents.pages.dom import base_url, writable
from archiver.documents.pages.things import things_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lxml.etree import _Element as Element

    from archiver.documents.pages.things import StatedThing


@dataclass(frozen=True, kw_only=True)
class VirtualDocument:
    """A page as expressions see it: its tree, and below `http` and `url` what is known of it besides."""

    tree: Element
    url: str = ""
    status: int = 200
    # As they came, by any case of their names; a name may come several times.
    headers: Sequence[tuple[str, str]] = ()

    @cached_property
    def by_class(self) -> Mapping[str, Sequence[Element]]:
        """The elements of the page that have a class, in their order."""
        found: defaultdict[str, list[Element]] = defaultdict(list)
        for element in self.tree.iter(etree.Element):
            names = element.get("class")
            if names:
                for name in dict.fromkeys(names.split()):
                    found[name].append(element)
        return found

    @cached_property
    def things(self) -> Sequence[StatedThing]:
        """What the page states for machines."""
        return things_of(self.tree)

    @cached_property
    def base_url(self) -> str:
        """What its relative addresses are relative to."""
        return base_url(self.tree, self.url)

    @property
    def knows_classes(self) -> bool:
        """Whether `by_class` was made already."""
        return "by_class" in self.__dict__

    @cached_property
    def facts(self) -> Element:
        """What the server and the address say, as a tree."""
        facts = etree.Element("facts")
        http = etree.SubElement(facts, "http", status=str(self.status))
        for name, value in self.headers:
            etree.SubElement(http, "header", name=writable(name.lower()), value=writable(value))
        for name, value in self.cookies:
            etree.SubElement(http, "cookie", name=writable(name), value=writable(value))
        etree.SubElement(facts, "url", dict(self.address))
        return facts

    @cached_property
    def address(self) -> Mapping[str, str]:
        """The parts of the address."""
        try:
            parts = urlsplit(self.url)
        except ValueError:  # such as an unfinished IPv6 host
            return {}
        named = {
            "scheme": parts.scheme,
            "host": parts.hostname or "",
            "path": parts.path,
            "query": parts.query,
        }
        return {name: writable(value) for name, value in named.items()}

    @cached_property
    def cookies(self) -> Sequence[tuple[str, str]]:
        """The cookies that the server sets."""
        found: list[tuple[str, str]] = []
        for name, value in self.headers:
            if name.lower() == "set-cookie":
                cookie, _, _rest = value.partition(";")
                name_of_cookie, _, content = cookie.partition("=")
                found.append((name_of_cookie.strip(), content.strip()))
        return found
