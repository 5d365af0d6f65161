"""Fields that fail while a run goes on: noticed, repaired where that can be proved, and told."""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Literal

from archiver.articles.versions.model import FIELDS
from archiver.errors import ArchiverError
from archiver.fields.files import load_wrapper, read_wrapper, save_wrapper, wrapper_path, write_wrapper
from archiver.fields.naming import label_of
from archiver.fields.proposals import propose
from archiver.running.reading.missed import fill_missed
from archiver.running.reading.remembering import as_they_were, remembered
from archiver.running.workers.repairing import CheckFields, RepairFields
from archiver.store.field_values.field_pages import (
    count_since,
    failing_page,
    pages_of,
    pages_since,
    pages_until,
)
from archiver.store.field_values.fields import failing_fields, note_missed, note_repair

if TYPE_CHECKING:
    from collections.abc import Coroutine, Sequence

    from archiver.acquisition.findings import Finding
    from archiver.fields.model import FieldWrapper
    from archiver.running.archive import Archive
    from archiver.running.reading.remembering import FailingSince
    from archiver.running.workers.repairing import FieldsRepaired, RememberedPage
    from archiver.store.field_values.field_pages import WrappedPage
    from archiver.store.field_values.fields import FailingField

logger = logging.getLogger(__name__)

RepairSetting = Literal["off", "propose", "auto"]
# Pages that a repair looks at.
_MOST_BEFORE, _MOST_AFTER = 20, 40
# Pages that are looked at for known values at a time; those that come meanwhile wait.
_MOST_CHECKED = 20
# Of a long run, what was read this long before an alarm.
_DOUBTED = timedelta(days=1)
# Pages after which alarms are looked for, whatever was read off them.
_MOST_UNSEEN = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class _Attempt:
    """A wrapper that was to be repaired: with how many pages at hand."""

    label: str
    fields: tuple[str, ...]
    pages: int


class FieldRepairs:
    """Looks after the wrappers of a run, behind the crawl; a fault of it costs nothing else."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        config = archive.config
        self._folder = config.field_wrappers if config.replayed is None else None
        self._suspects: dict[str, list[int]] = defaultdict(list)
        self._attempts: dict[str, _Attempt] = {}
        # Wrappers with new rules, and since when the old ones failed.
        self._repaired_since: dict[str, datetime] = {}
        self._task: asyncio.Task[None] | None = None
        self._is_stopped = False
        self._since_look = 0

    def settled(self, findings: Sequence[Finding]) -> None:
        """Look at wrappers some of whose fields were not found."""
        if self._folder is None or self._is_stopped:
            return
        wakes = False
        for finding in findings:
            if finding.fields is None:
                continue
            self._since_look += 1
            if _is_suspect(finding):
                wakes = True
                self._suspect(finding.fields.wrapper.partition("/")[0], finding)
        # Values may also be wrong.
        wakes = wakes or self._since_look >= _MOST_UNSEEN
        if wakes and (self._task is None or self._task.done()):
            self._task = asyncio.create_task(self._guarded(self._look()))

    def _suspect(self, name: str, finding: Finding) -> None:
        """A known article without a value that it may have had."""
        waiting = self._suspects[name]
        if finding.article_id is not None and len(waiting) < _MOST_CHECKED:
            waiting.append(finding.page_id)

    async def finish(self) -> None:
        """Wait for what is being looked at, look a last time, and tell what fails."""
        self._is_stopped = True
        if self._task is not None:
            await self._task
        if self._folder is not None:
            await self._guarded(self._look())
            await self._guarded(self._fill())
            await self._tell()

    async def _look(self) -> None:
        self._since_look = 0
        await self._check()
        failing = await self._archive.database.run_async(failing_fields)
        if self._archive.config.field_repair != "off":
            for label in dict.fromkeys(f"{one.wrapper}/{one.digest}" for one in failing):
                await self._repair([one for one in failing if f"{one.wrapper}/{one.digest}" == label])

    async def _fill(self) -> None:
        """Read again what was missed until there were new rules."""
        for name, since in self._repaired_since.items():
            self._archive.report.note(
                f"Field wrapper {name}: {await fill_missed(self._archive, name, since)}"
            )

    async def _guarded(self, work: Coroutine[None, None, None]) -> None:
        try:
            await work
        except ArchiverError as error:
            logger.warning("Field wrappers were not looked after: %s", error)
            self._archive.report.note(f"Field wrappers were not looked after: {error}")
        except Exception as error:
            # A crawl does not fail with it; its report has it.
            logger.exception("Internal error while field wrappers were looked after")
            self._archive.report.note_once(f"Internal error while field wrappers were looked after: {error}")

    async def _check(self) -> None:
        """See whether values of older versions still stand where none was found."""
        suspects, self._suspects = self._suspects, defaultdict(list)
        failing = await self._archive.database.run_async(failing_fields)
        for name, page_ids in suspects.items():
            wrapper = self._filed(name)
            if wrapper is None or not page_ids:
                continue
            found = await self._archive.database.run_async(pages_of, name, page_ids)
            since = _since([one for one in failing if one.wrapper == name])
            known = await asyncio.to_thread(self._remembered, found, since)
            task = CheckFields(
                folder=self._warcs, wrapper=write_wrapper(wrapper).decode(), pages=tuple(known)
            )
            checked = await self._archive.workers.run(task)
            captured = {page.url: page.capture.date for page in found}
            told = [(one.field, one.is_found, captured[one.url]) for one in checked.fields]
            if told:
                await self._archive.database.run_async(note_missed, name, told)

    def _remembered(self, pages: Sequence[WrappedPage], failing: FailingSince) -> list[RememberedPage]:
        return [remembered(self._archive.config.objects_folder, page, failing) for page in pages]

    @property
    def _warcs(self) -> str:
        return str(self._archive.config.warc_folder)

    def _wrapper(self, label: str) -> FieldWrapper | None:
        """The wrapper as it is in its file, if it is still the one of this label."""
        found = self._filed(label.partition("/")[0])
        return found if found is not None and label_of(found) == label else None

    def _filed(self, name: str) -> FieldWrapper | None:
        assert self._folder is not None  # noqa: S101 - asked for where this begins
        try:
            return load_wrapper(wrapper_path(self._folder, name))
        except ArchiverError:
            return None  # told when it was not used

    async def _repair(self, failing: Sequence[FailingField]) -> None:
        """Have other rules looked for, again each time that there are twice as many pages, and at the end."""
        name, since = failing[0].wrapper, min(one.alarm.since for one in failing)
        label, fields = f"{name}/{failing[0].digest}", tuple(one.field for one in failing)
        wrapper = self._wrapper(label)
        pages = await self._archive.database.run_async(count_since, name, since)
        tried = self._attempts.get(name)
        is_tried = tried is not None and (tried.label, tried.fields) == (label, fields)
        enough = (
            0 if tried is None or not is_tried else tried.pages + 1 if self._is_stopped else 2 * tried.pages
        )
        if wrapper is None or pages < enough:
            return
        self._attempts[name] = _Attempt(label=label, fields=fields, pages=pages)
        repaired = await self._repaired(wrapper, failing)
        if repaired.wrapper:
            new = read_wrapper(repaired.wrapper.encode(), "repaired").value
            self._use(wrapper, new, repaired, failing)
            if self._archive.config.field_repair == "auto":
                names = [one.field for one in repaired.fields]
                digest = label_of(new).partition("/")[2]
                await self._archive.database.run_async(note_repair, name, digest, names)

    async def _repaired(self, wrapper: FieldWrapper, failing: Sequence[FailingField]) -> FieldsRepaired:
        database, name = self._archive.database, wrapper.wrapper
        since = min(one.alarm.since for one in failing)
        after = await database.run_async(pages_since, name, since, _MOST_AFTER)
        earlier = await database.run_async(pages_until, name, since, _MOST_BEFORE)
        objects = self._archive.config.objects_folder
        before = await asyncio.to_thread(as_they_were, objects, [*earlier, *after], self._doubted(failing))
        task = RepairFields(
            folder=self._warcs,
            wrapper=write_wrapper(wrapper).decode(),
            fields=tuple(one.field for one in failing),
            before=tuple(before[:_MOST_BEFORE]),
            after=tuple(await asyncio.to_thread(self._remembered, after, _since(failing))),
        )
        return await self._archive.workers.run(task)

    def _doubted(self, failing: Sequence[FailingField]) -> dict[str, datetime]:
        """From when on values of fields may be wrong: the change came in this run, before it was noticed."""
        started = self._archive.report.started
        return {
            name: max(started, since - _DOUBTED) if since >= started else since
            for name, since in _since(failing).items()
        }

    def _use(
        self, old: FieldWrapper, new: FieldWrapper, repaired: FieldsRepaired, failing: Sequence[FailingField]
    ) -> None:
        """Put the new rules to use, or before a person."""
        assert self._folder is not None  # noqa: S101 - as above
        is_auto = self._archive.config.field_repair == "auto"
        if is_auto:
            # The file that it takes the place of is in the history since it was first used.
            save_wrapper(self._folder, new)
            self._repaired_since.setdefault(old.wrapper, min(one.alarm.since for one in failing))
        else:
            propose(self._folder, new)
        since = {one.field: one.alarm.since for one in failing}
        for one in repaired.fields:
            proof = f"{one.proof.filled} of {one.proof.pages} other pages have a value"
            if one.proof.known:
                proof += f", {one.proof.agreed} of {one.proof.known} the one that is known"
            begun = f"Field wrapper {old.wrapper}: {one.field} failed since {since[one.field]:%Y-%m-%d}"
            if is_auto:
                told = f"{begun} and has new rules ({proof})"
            else:
                told = f"{begun}; new rules are proposed ({proof}): `scrapy fields {old.wrapper} --accept`"
            logger.warning(told)
            self._archive.report.note(told)

    async def _tell(self) -> None:
        """A line for each field that fails at the end of the run."""
        failing = await self._archive.database.run_async(failing_fields)
        for one in failing:
            if self._wrapper(f"{one.wrapper}/{one.digest}") is None:
                continue  # it has other rules by now
            url = await self._archive.database.run_async(failing_page, one.wrapper, one.field)
            shown = f"; `scrapy mark {url}` shows the page" if url else ""
            self._archive.report.note(
                f"Field wrapper {one.wrapper}: {one.field} fails since {one.alarm.since:%Y-%m-%d}{shown}"
            )


def _since(failing: Sequence[FailingField]) -> dict[str, datetime]:
    return {one.field: one.alarm.since for one in failing}


def _is_suspect(finding: Finding) -> bool:
    """Whether a field is missing on a page, or another than before."""
    if finding.fields is None:
        return False
    judgement = finding.judged.judgement if finding.judged else None
    is_changed = judgement is not None and judgement.change is not None and FIELDS in judgement.change.kinds
    return is_changed or any(not one.values for one in finding.fields.readings.values())
