"""What a run says at its end: what is due next, what is left, how its sites and campaigns stand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.display.when import when
from archiver.running.replay.compare import compare_objects
from archiver.running.site_endings import sites_told
from archiver.store.content.pages import count_waiting_pages
from archiver.store.content.requisites import count_due_requisites
from archiver.store.outstanding import outstanding
from archiver.store.polling.due import next_up
from archiver.store.polling.gaps import count_open_gaps
from archiver.store.polling.history import count_open_histories
from archiver.store.whole_sites.tallies import tally_sites
from archiver.urls import redact

if TYPE_CHECKING:
    from archiver.running.archive import Archive, Replayed
    from archiver.running.session import Session


async def tell_end(session: Session, reason: str, *, host_time: str) -> None:
    """Put into the report what the next run has to do; `host_time` is the setting as it was written."""
    archive = session.archive
    await _note_next(session, reason)
    await _note_waiting(session, host_time)
    archive.report.requisites_waiting = await _waiting_requisites(archive)
    archive.report.gaps_open = await archive.database.run_async(count_open_gaps)
    archive.report.history_open = await archive.database.run_async(count_open_histories)
    archive.report.left = await _left(session)
    await _tell_sites(session)
    await _tell_campaigns(session)
    await _tell_forms(session)


async def _left(session: Session) -> dict[str, int]:
    """What the next run has to do; none comes after a replay."""
    archive = session.archive
    if archive.config.replayed is not None:
        return {}
    left = await archive.database.run_async(outstanding, archive.clock.now(), session.seeds)
    if session.sites is not None:
        return {"unread": left.unread}
    return {name: getattr(left, name) for name in ("pages", "retries", "unread", "channels")}


async def _tell_sites(session: Session) -> None:
    """Say what became of each site, and what of it an operator must know."""
    if session.sites is None:
        return
    report = session.archive.report
    tallies = await session.archive.database.run_async(tally_sites, session.sites.ids)
    told = sites_told(tallies, session.sites)
    report.crawled, report.sites, report.next = "sites", [redact(one) for one in told.sites], told.next
    report.left["visits"] = told.left
    for problem in told.errors:
        report.error(problem)
    for note in told.notes:
        report.note(note)


async def _tell_campaigns(session: Session) -> None:
    """Note what campaigns have spent, and say how each stands."""
    if session.campaign_run is None:
        return
    report, archive = session.archive.report, session.archive
    report.campaigns = await archive.database.run_async(session.campaign_run.end, archive.clock.now())
    if report.crawled == "campaigns":
        report.left = {"unread": report.left.get("unread", 0)}


async def _tell_forms(session: Session) -> None:
    """Note how far each form was asked, and say so."""
    if session.form_run is not None:
        report = session.archive.report
        report.sites += await session.archive.database.run_async(session.form_run.end)
        report.left = {}


async def _waiting_requisites(archive: Archive) -> int:
    """How many are beyond their share of the day's requests, or could not be asked for in this run."""
    if archive.config.replayed is not None:
        return 0
    kinds = archive.config.requisites.kinds
    return await archive.database.run_async(count_due_requisites, archive.clock.now(), kinds)


async def _note_next(session: Session, reason: str) -> None:
    """Where nothing was due, say what is due next, and when."""
    archive = session.archive
    others = (session.sites, session.campaign_run, session.form_run)
    is_asked = others == (None, None, None) and archive.config.replayed is None
    if archive.report.polls or not is_asked or reason != "finished":
        return
    row = await archive.database.run_async(next_up, session.seeds)
    now = archive.clock.now()
    if row is not None and archive.heartbeat is not None and row.next_poll <= now:
        archive.report.note("Other workers have all that is due: `scrapy workers` lists them")
    elif row is not None:
        soon = when(row.next_poll, now)
        archive.report.note(f"No channel was due; next: {row.url} {soon} ({row.why})")


async def _note_waiting(session: Session, host_time: str) -> None:
    """Say which hosts have had their time in this run, and what is left of them."""
    hosts, archive = session.frontier.hosts_left, session.archive
    waiting = await archive.database.run_async(count_waiting_pages, archive.clock.now(), hosts=hosts)
    for host in sorted(hosts, key=lambda host: -waiting.get(host, 0)):
        archive.report.note(
            f"{host}: {waiting.get(host, 0)} pages wait for the next run: its time in this one is used up"
            f" (RUN_HOST_TIME = {host_time})"
        )


def tell_replay(archive: Archive, replayed: Replayed) -> None:
    """Say whether the replay made what the archive has."""
    report = archive.report
    found = compare_objects(replayed.objects_folder, archive.config.objects_folder)
    report.note(f"{found.same} objects came out as the archive has them")
    for told in found.reworded:
        report.note(f"{told} has other text now: the extractor saw other evidence, or has changed")
    for told in found.missing:
        report.error(f"The archive has {told}, which its WARC does not give")
    for told in found.unexpected:
        report.error(f"The WARC gives {told}, which the archive does not have")
