"""What commands are called with: addresses, moments, and files to write."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from scrapy.exceptions import UsageError

from archiver.display.spans import parse_span
from archiver.urls import is_web, redact

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime


def refuse_arguments(args: Sequence[str], taken: int = 0) -> None:
    """All beyond those that the command takes."""
    if len(args) > taken:
        raise UsageError(f"Unknown argument {' '.join(args[taken:])}", print_help=False)


def one_argument(args: Sequence[str], what: str) -> str:
    if len(args) != 1:
        raise UsageError(f"Name one {what}; got {' '.join(args) or 'none'}", print_help=False)
    return args[0]


def one_url(args: Sequence[str]) -> str:
    return web_url(one_argument(args, "URL"))


def web_url(text: str) -> str:
    if not is_web(text):
        raise UsageError(f"{redact(text)} is not a web address: write http://…", print_help=False)
    return text


def moment_from(text: str | None) -> datetime | None:
    """The first moment of what `--at` says."""
    try:
        return parse_span(text).first if text else None
    except ValueError as error:
        raise UsageError(f"--at: {error}", print_help=False) from error


def output_file(option: str, name: str) -> Path:
    """Checked before the work: a typing mistake must not be found when only the writing is left."""
    path = in_a_folder(option, name)
    if path.is_dir():
        raise UsageError(f"{option} {path} is a folder", print_help=False)
    return path


def in_a_folder(option: str, name: str) -> Path:
    path = Path(name)
    if not path.absolute().parent.is_dir():
        raise UsageError(f"{option} {path}: there is no such folder", print_help=False)
    return path
