"""Chosen articles as markup that is XHTML as well: all that was archived is text in it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from archiver.display.page import safe
from archiver.urls import is_web

if TYPE_CHECKING:
    from collections.abc import Iterator

    from archiver.inspection.selection.model import ChosenArticle

# What BCP 47 allows, roughly: a page may call its language anything.
_LANGUAGE = re.compile(r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,3}")


def language_of(article: ChosenArticle) -> str:
    """A tag that may stand in a document; empty where it is not one."""
    return article.language if _LANGUAGE.fullmatch(article.language) else ""


def article_markup(article: ChosenArticle, *, level: int = 2) -> str:
    """The heading, what is known of it, and its paragraphs."""
    language = language_of(article)
    lang = f' lang="{language}" xml:lang="{language}"' if language else ""
    return "".join(
        (
            f"<article{lang}><h{level}>{safe(article.title)}</h{level}>",
            f'<p class="soft">{_facts(article)}</p>',
            *(f"<p>{_broken(part)}</p>\n" for part in article.paragraphs),
            "</article>\n",
        )
    )


def _facts(article: ChosenArticle) -> str:
    return " · ".join(_told(article))


def _told(article: ChosenArticle) -> Iterator[str]:
    if article.authors:
        yield _apart(", ".join(article.authors))
    if article.channel:
        yield _apart(article.channel)
    if article.published:
        yield f"published {article.published:%Y-%m-%d}"
    yield f"captured {article.captured:%Y-%m-%d}, version {article.version}"
    # Never `javascript:` and its like.
    address = safe(article.url)
    yield f'<a href="{address}">{address}</a>' if is_web(article.url) else address


def _apart(text: str) -> str:
    """A turned direction ends with what it stands in."""
    return f"<bdi>{safe(text)}</bdi>"


def _broken(paragraph: str) -> str:
    return "<br/>".join(safe(line) for line in paragraph.splitlines())
