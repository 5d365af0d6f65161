"""Reading the file of a campaign: all that is wrong in it is told at once, each with its line."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, cast

from archiver.acquisition.campaigns.definition import API_KINDS, Definition, Share, Size, Span, Until, Weight
from archiver.acquisition.campaigns.lasting import last_moment, span_of
from archiver.acquisition.campaigns.narrower import narrower_terms
from archiver.acquisition.campaigns.queries import flaw_of
from archiver.acquisition.campaigns.queue import denied_host
from archiver.acquisition.seeds.address import url_flaw, web_address
from archiver.acquisition.seeds.read import read_seeds
from archiver.digests import name_digest
from archiver.documents.pages.languages import base_language
from archiver.documents.pages.words import stop_words, tokens
from archiver.documents.yaml_values.nodes import FileFlaw, FilePlace
from archiver.documents.yaml_values.structs import YamlRead, read_yaml
from archiver.errors import ConfigurationError, FileFlaws, SeedError, advice_on

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,59}")
_SIZE = re.compile(r"([0-9]{1,15})\s*(|[KMGT])B?", re.IGNORECASE)
# A number that a person means: weights beyond it would leave nothing of the others.
_MOST_WEIGHT = 100.0
# A hundred years; and years after which the calendar of a computer ends.
_MOST_DAYS, _LAST_YEAR = 36_500, 9000


@dataclass(frozen=True, kw_only=True)
class CampaignFile:
    """A definition as it was read, with what it names in other files."""

    definition: Definition
    text: str
    # Of the text and of all that it names: another digest is another revision.
    digest: str
    # In the order of the file, those of other files in their place.
    seeds: tuple[str, ...]
    narrower: tuple[str, ...] = ()


def load_campaign(path: Path) -> CampaignFile:
    """The campaign of a file; FileFlaws where it cannot be used."""
    try:
        content = path.read_bytes()
    except OSError as error:
        reason = f"{path} cannot be read: {error.strerror}{advice_on(error)}"
        raise ConfigurationError(reason) from error
    return read_campaign(content, str(path), path.parent)


def parsed_definition(content: bytes, file: str) -> Definition:
    """What a text means that was found to be in order before."""
    return read_yaml(content, file, Definition, _readers()).value


def _readers() -> Mapping[type, Callable[[str], object]]:
    return cast("Mapping[type, Callable[[str], object]]", _READERS)


def read_campaign(content: bytes, file: str, folder: Path) -> CampaignFile:
    """What the text of a campaign means; files that it names are looked for in `folder`."""
    read = read_yaml(content, file, Definition, _readers())
    flaws: list[FileFlaw] = list(_wrong_in(read))
    seeds, narrower = _seeds(read, folder, flaws), _narrower(read, folder, flaws)
    if not (seeds or read.value.apis or read.value.examples.like):
        advice = "write seeds, examples or apis: a campaign begins with them"
        flaws.append(_flaw(read, "", "The campaign has nothing to begin with", advice))
    if flaws:
        flaws.sort(key=lambda flaw: (flaw.place.line, flaw.place.column))
        raise FileFlaws(flaws)
    text = content.decode("utf-8-sig")
    digest = name_digest("\n".join((text, *seeds, *narrower)))
    return CampaignFile(
        definition=read.value, text=text, digest=digest, seeds=tuple(seeds), narrower=tuple(narrower)
    )


def _until(text: str) -> Until:
    try:
        last_moment(text, None)
    except (ValueError, OverflowError):
        raise ValueError(f"{text} is not an end: write a day such as 2026-07-31, or +30d") from None
    return Until(text)


def _size(text: str) -> Size:
    found = _SIZE.fullmatch(text.strip())
    if found is None:
        raise ValueError(f"{text} is not a size: write bytes, or a number with KB, MB, GB or TB")
    return Size(int(found[1]) * 1000 ** " KMGT".index(found[2].upper() or " "))


def _share(text: str) -> Share:
    found = _number(text)
    if not 0 <= found <= 1:
        raise ValueError(f"{text} is not a share: write a number between 0 and 1")
    return Share(found)


def _weight(text: str) -> Weight:
    found = _number(text)
    if not 0 < found <= _MOST_WEIGHT:
        raise ValueError(f"{text} is not a weight: write a number above 0, at most {_MOST_WEIGHT:g}")
    return Weight(found)


def _number(text: str) -> float:
    if not re.fullmatch(r"[0-9]{0,9}(?:\.[0-9]{0,9})?", text) or text in ("", "."):
        raise ValueError(f"{text} is not a number")
    return float(text)


def _day(text: str) -> date:
    try:
        found = date.fromisoformat(text)
    except ValueError:
        raise ValueError(f"{text} is not a day: write it as 2026-06-08") from None
    if found.year > _LAST_YEAR:
        raise ValueError(f"{text} is too far away: leave it out where there is no end")
    return found


_READERS: Mapping[object, Callable[[str], object]] = {
    Span: span_of, Size: _size, Until: _until, Share: _share, Weight: _weight, date: _day,
}  # fmt: skip


def _wrong_in(read: YamlRead[Definition]) -> Iterator[FileFlaw]:
    """What no single value shows."""
    said = read.value
    if not _NAME.fullmatch(said.campaign):
        advice = "use a-z, 0-9 and hyphens, at most 60 characters"
        yield _flaw(read, "campaign", f"{said.campaign} is not a name of a campaign", advice)
    if not (said.keywords or said.entities or said.examples.like or said.about):
        yield _flaw(read, "", "The campaign does not say what it is about", "write keywords or examples")
    span = said.time
    if span and span.begin and span.end and span.begin > span.end:
        yield _at(read.place(span, "from"), f"{span.begin} is after {span.end}", "exchange the two days")
    yield from _wrong_words(read)
    yield from _wrong_languages(read)
    yield from _wrong_hosts(read)
    yield from _wrong_apis(read)
    yield from _wrong_numbers(read)
    for key, urls in (("like", said.examples.like), ("unlike", said.examples.unlike)):
        for number, url in enumerate(urls):
            flaw = url_flaw(web_address(url))
            if flaw is not None:
                yield _at(read.place(said.examples, key, number), f"{url} {flaw}")


def _wrong_words(read: YamlRead[Definition]) -> Iterator[FileFlaw]:
    said = read.value
    stop = frozenset[str]().union(*(stop_words(language) for language in said.languages or ("en",)))
    for keyword in said.keywords:
        words = tokens(keyword.term)
        if not words or all(word in stop for word in words):
            message = f"{keyword.term or 'Nothing'} says nothing of a page"
            yield _at(read.place(keyword), message, "write a word that is not on every page")
    for entity in said.entities:
        if not tokens(entity.name):
            yield _at(read.place(entity), "An entity has a name")


def _wrong_languages(read: YamlRead[Definition]) -> Iterator[FileFlaw]:
    for number, language in enumerate(read.value.languages):
        if base_language(language) is None:
            message = f"{language or 'Nothing'} is not a language"
            yield _at(read.place(read.value, "languages", number), message, "write its code, such as de")


def _wrong_hosts(read: YamlRead[Definition]) -> Iterator[FileFlaw]:
    """A host that cannot be one would deny nothing, in silence."""
    scope = read.value.scope
    for number, host in enumerate(scope.hosts_deny):
        if not denied_host(host):
            message, advice = (
                f"{host or 'Nothing'} is not a host",
                "write x.com: what is below it counts, too",
            )
            yield _at(read.place(scope, "hosts_deny", number), message, advice)


def _wrong_apis(read: YamlRead[Definition]) -> Iterator[FileFlaw]:
    for api in read.value.apis:
        if len(api.kinds) != 1:
            advice = f"write one of {', '.join(API_KINDS)}"
            yield _at(read.place(api), "An API is of one service", advice)
        elif flaw := flaw_of(api):
            yield _at(read.place(api), flaw)


def _wrong_numbers(read: YamlRead[Definition]) -> Iterator[FileFlaw]:
    budget, scope = read.value.budget, read.value.scope
    for struct, key in (
        (budget, "requests"), (budget, "bytes"), (budget, "days"), (budget, "per_day"), (scope, "per_host"),
        (read.value.feeds, "most"),
    ):  # fmt: skip
        value = getattr(struct, key)
        if value is not None and value < 1:
            yield _at(read.place(struct, key), f"{value} is too few", "write 1 or more")
    if scope.depth_off_topic < 0:
        place = read.place(scope, "depth_off_topic")
        yield _at(place, f"{scope.depth_off_topic} is too few", "write 0 or more")
    if budget.days is not None and budget.days > _MOST_DAYS:
        yield _at(
            read.place(budget, "days"), f"{budget.days} is too many", "leave it out where there is no end"
        )


def _seeds(read: YamlRead[Definition], folder: Path, flaws: list[FileFlaw]) -> list[str]:
    found: list[str] = []
    for seed in read.value.seeds:
        if bool(seed.url) == bool(seed.file):
            flaws.append(_at(read.place(seed), "A seed is an address or a file"))
        elif seed.url:
            url = web_address(seed.url)
            flaw = url_flaw(url)
            found += [] if flaw else [url]
            flaws += [_at(read.place(seed), f"{seed.url} {flaw}")] if flaw else []
        else:
            try:
                found += [one.url for one in read_seeds([folder / seed.file]).seeds]
            except SeedError as error:
                flaws.append(_at(read.place(seed), str(error)))
    return list(dict.fromkeys(found))


def _narrower(read: YamlRead[Definition], folder: Path, flaws: list[FileFlaw]) -> list[str]:
    said = read.value
    if not said.narrower:
        return []
    try:
        words = [keyword.term for keyword in said.keywords]
        return narrower_terms(folder / said.narrower, words, said.languages)
    except ConfigurationError as error:
        flaws.append(_flaw(read, "narrower", str(error)))
        return []


def _flaw(read: YamlRead[Definition], key: str, message: str, suggestion: str = "") -> FileFlaw:
    return _at(read.place(read.value, key), message, suggestion)


def _at(place: FilePlace, message: str, suggestion: str = "") -> FileFlaw:
    return FileFlaw(place=place, message=message, suggestion=suggestion)
