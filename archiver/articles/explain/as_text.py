"""An explanation as lines for a terminal."""

from __future__ import annotations

from itertools import groupby
from textwrap import wrap
from typing import TYPE_CHECKING

from archiver.display.tables import printable, shortened

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from archiver.articles.explain.explanation import ExplainedBlock, Explanation, Opinion, TriedWrapper
    from archiver.articles.explain.sources import ExplainedSource
    from archiver.fields.explaining import ExplainedField

    # A text in a colour, or as it is where there are no colours.
    Paint = Callable[[str, str], str]

# Of so many blocks in a row that came to the same, some are left out.
_RUN = 5
_COLOURS = {"kept": "green", "dropped": "red", "outside": "grey"}
_SIGNS = {"kept": "+", "dropped": "-", "outside": " "}
_INDENT = 28
_LEAST_TEXT = 20


def lines_of(told: Explanation, paint: Paint, *, width: int, is_whole: bool) -> Iterator[str]:
    """What to print; blocks that came to the same are shortened, unless all are wanted."""
    yield from _head(told, paint)
    if told.wrappers:
        yield ""
        yield paint("Wrappers", "bold")
        for wrapper in told.wrappers:
            yield from _wrapper(wrapper, paint)
    if told.opinions:
        yield ""
        yield paint("Voters" if not _by_wrapper(told) else "Voters, who were not asked", "bold")
        yield from (_opinion(one, paint, is_asked=not _by_wrapper(told)) for one in told.opinions)
    if told.sources:
        yield ""
        yield paint("Sources", "bold") + ": which text is the article, and how far each is trusted"
        yield from map(_source, told.sources)
    if told.fields is not None:
        yield ""
        yield paint("Fields", "bold") + f", by {told.fields.wrapper}"
        for field in told.fields.fields:
            yield from _field(field, paint, width)
    if told.blocks:
        yield ""
        yield paint("Blocks", "bold") + f": {_counts(told.blocks)}"
        yield f"{'first':>7} {'second':>6} {'words':>5} {'linked':>6}"
        yield from _blocks(told.blocks, paint, width, is_whole=is_whole)


def _source(one: ExplainedSource) -> str:
    usual = f"usually {one.usual:.2f}" + (f", of {one.pages} pages" if one.pages else "")
    found = f"{one.words:>5} words in {one.blocks:>3} blocks"
    return f"  {one.source:<10} {found}, trusted {one.soundness:.2f} ({usual})"


def _field(field: ExplainedField, paint: Paint, width: int) -> Iterator[str]:
    is_found = any(rule.is_used for rule in field.rules)
    yield f"  {field.field} ({field.type})" + ("" if is_found else paint(": not found", "red"))
    for number, rule in enumerate(field.rules, 1):
        sign = paint("+", "green") if rule.is_used else "-"
        yield f"  {sign} {number} {printable(rule.rule)}"
        gave = ", ".join(printable(value) for value in rule.values)
        told = "; ".join(filter(None, (gave, printable(rule.why))))
        yield f"      {shortened(told, max(_LEAST_TEXT, width - 6))}"


def _head(told: Explanation, paint: Paint) -> Iterator[str]:
    outcome = paint("article", "green") if told.outcome == "article" else paint(told.outcome, "red")
    yield f"Outcome    {outcome}" + (f": {printable(told.reason)}" if told.reason else "")
    if told.confidence is not None:
        yield f"Confidence {told.confidence:.2f}"
    if not told.blocks:
        return
    yield f"Chosen     {printable(told.xpath)}" if told.xpath else "Chosen     nothing"
    if told.chosen_by:
        yield f"By         {told.chosen_by}{_why(told)}"
    yield f"Known      {_known(told)}"
    yield f"Siblings   {printable(', '.join(told.siblings)) or 'none'}"


def _known(told: Explanation) -> str:
    source = "the feed" if told.is_announced else "the page alone"
    source = "the knowledge base, whose text alone is read" if told.is_known else source
    title = f"title {told.title!r}" if told.title else "no title"
    body = f", stated text of {told.body_words} words" if told.body_words else ""
    return f"from {source}: {title}, summary of {told.summary_words} words{body}"


def _by_wrapper(told: Explanation) -> bool:
    return any(wrapper.is_used for wrapper in told.wrappers)


def _why(told: Explanation) -> str:
    """Why this one of the voters."""
    if _by_wrapper(told):
        return ""
    support = next(one.support for one in told.opinions if one.is_winner)
    ties = [one.voter for one in told.opinions if one.support == support and not one.is_winner]
    if ties:
        return f": {' and '.join(ties)} had as much support ({support:.2f}), and it comes first"
    return f": the others agree with it most ({support:.2f} on average)"


def _wrapper(wrapper: TriedWrapper, paint: Paint) -> Iterator[str]:
    sign, colour = ("+", "green") if wrapper.is_used else ("-", "grey")
    told = "used" if wrapper.is_used else f"not used: {wrapper.reason}"
    yield paint(f"{sign} {wrapper.id}", colour) + f" of {wrapper.samples} pages, {told}"
    yield f"    {printable(wrapper.xpath)}"


def _opinion(one: Opinion, paint: Paint, *, is_asked: bool) -> str:
    is_winner = one.is_winner and is_asked
    name = paint(f"{'+' if is_winner else ' '} {one.voter:<12}", "green" if is_winner else "plain")
    where = printable(one.xpath or "nothing")
    votes = f"agreement {one.agreement:.2f}, support {one.support:.2f}"
    return f"{name} {votes}, {one.words:>5} words in {one.blocks:>3} blocks, {where}"


def _counts(blocks: Sequence[ExplainedBlock]) -> str:
    names = [block.fate for block in blocks]
    told = {"kept": "kept", "dropped": "dropped", "outside": "outside the chosen node"}
    return ", ".join(f"{names.count(name)} {words}" for name, words in told.items())


def _blocks(blocks: Sequence[ExplainedBlock], paint: Paint, width: int, *, is_whole: bool) -> Iterator[str]:
    for fate, grouped in groupby(blocks, key=lambda block: block.fate):
        run = list(grouped)
        hidden = 0 if is_whole or len(run) <= _RUN else len(run) - _RUN + 1
        for block in run[: len(run) - hidden - 1] if hidden else run:
            yield from _block(block, fate, paint, width)
        if hidden:
            yield paint(f"  … {hidden} more blocks {fate}", _COLOURS[fate])
            yield from _block(run[-1], fate, paint, width)


def _block(block: ExplainedBlock, fate: str, paint: Paint, width: int) -> Iterator[str]:
    numbers = f"{block.first:>5.2f} {block.second:>6.2f} {block.words:>5} {block.linked / block.words:>6.0%}"
    room = max(_LEAST_TEXT, width - _INDENT - 1)
    text = shortened(printable(block.text), room)
    yield paint(f"{_SIGNS[fate]} {numbers}  {text}", _COLOURS[fate])
    if block.reasons:
        yield from wrap(
            printable("; ".join(block.reasons)),
            max(width, _INDENT + _LEAST_TEXT),
            initial_indent=" " * _INDENT,
            subsequent_indent=" " * _INDENT,
        )
