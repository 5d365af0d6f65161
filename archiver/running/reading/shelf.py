"""The field wrappers of a run: which page is read by which, and which are no longer used."""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING

from archiver.clock import machine_now
from archiver.fields.files import ENDING, keep_in_history, load_wrappers, write_wrapper
from archiver.fields.naming import label_of
from archiver.fields.scopes import are_tied, wrappers_for
from archiver.store.field_values.fields import note_stop, suspended_wrappers
from archiver.urls import redact

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from archiver.articles.leads import Lead
    from archiver.fields.model import FieldsRead, FieldWrapper
    from archiver.running.report import RunReport
    from archiver.store.database import Database

logger = logging.getLogger(__name__)

# Seconds between two looks at the folder, by a run that lasts.
_LOOK_EVERY = 5.0


class WrapperShelf:
    """Knows the wrappers of a folder, as they are there now, and tells what is wrong with them."""

    def __init__(
        self, folder: Path | None, database: Database, report: RunReport, *, is_replay: bool = False
    ) -> None:
        self._folder = folder
        self._database = database
        self._report = report
        # What a replay reads is kept already, and the archive stays as it is.
        self._keeps = not is_replay
        self._wrappers: tuple[FieldWrapper, ...] = ()
        self._texts: dict[str, str] = {}
        self._suspended = set(database.run(suspended_wrappers)) if folder else set()
        self._told: set[str] = set()
        self._seen: object = None
        self._next_look = 0.0

    def text_for(self, url: str, leads: Iterable[Lead] = ()) -> str:
        """The file of the wrapper that a page is read by, as text; empty where none is for it."""
        if self._folder is None:
            return ""
        self._look(self._folder)
        channels = frozenset(lead.via for lead in leads if lead.announcer)
        fitting = [one for one in wrappers_for(self._wrappers, url, channels) if not self._is_suspended(one)]
        if not fitting:
            return ""
        if len(fitting) > 1 and are_tied(*fitting[:2]):
            self._tell_tie(*fitting[:2])
        return self._text(self._folder, fitting[0])

    def _look(self, folder: Path) -> None:
        if time.monotonic() < self._next_look:
            return
        self._next_look = time.monotonic() + _LOOK_EVERY
        found = _files(folder)
        if found == self._seen:
            return
        self._seen = found
        loaded = load_wrappers(folder)
        self._wrappers = loaded.wrappers
        for flaw in loaded.flaws:
            told = f"Field wrapper not used: {flaw}"
            logger.error(told)
            self._report.error(told)

    def _text(self, folder: Path, wrapper: FieldWrapper) -> str:
        label = label_of(wrapper)
        if label not in self._texts:
            if self._keeps:
                keep_in_history(folder, wrapper)
            self._texts[label] = write_wrapper(wrapper).decode()
        return self._texts[label]

    def _tell_tie(self, one: FieldWrapper, other: FieldWrapper) -> None:
        self._tell_once(
            f"Field wrappers {one.wrapper} and {other.wrapper} are for the same pages: {one.wrapper} is used,"
            " by its name. Narrow one of the scopes"
        )

    def read(self, found: FieldsRead, url: str) -> None:
        """Count what a wrapper came to on a page, and tell once what went wrong."""
        self._report.fields["troubled" if found.trouble else "read"] += 1
        if found.trouble:
            logger.warning("Field wrapper %s on %s: %s", found.wrapper, url, found.trouble)
            self._tell_once(
                f"Field wrapper {found.wrapper.partition('/')[0]}: {found.trouble}", f"; first on {url}"
            )

    async def killed(self, text: str, url: str, reason: str) -> None:
        """A worker was lost over a page, which could be read without its wrapper."""
        label = next((one for one, known in self._texts.items() if known == text), "")
        name = label.partition("/")[0]
        self._report.fields["killed"] += 1
        told = f"Field wrapper {name} stopped on {redact(url)}: {reason}. The page was read without it"
        logger.error(told)
        self._report.error(told)
        if await self._database.run_async(note_stop, label, f"{redact(url)}: {reason}", machine_now()):
            self._suspended.add(label)
            self._report.error(
                f"Field wrapper {name} is suspended until it is changed: two pages could not be read with it."
                " Look at its rules"
            )

    def _is_suspended(self, wrapper: FieldWrapper) -> bool:
        return label_of(wrapper) in self._suspended

    def _tell_once(self, message: str, more: str = "") -> None:
        if message not in self._told:
            self._told.add(message)
            self._report.note(f"{message}{more}")


def _files(folder: Path) -> list[tuple[str, int, int]]:
    """What tells that a file was changed."""
    found = [(path, path.stat()) for path in folder.glob(f"*{ENDING}")] if folder.is_dir() else []
    return sorted((path.name, status.st_mtime_ns, status.st_size) for path, status in found)
