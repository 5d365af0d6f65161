"""What came of a visit: settled in one transaction with all that it leads to and contributes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, select, update

from archiver.acquisition.outcomes import Failed, Failure
from archiver.acquisition.pages import Ended, after_failure
from archiver.acquisition.sites import plan
from archiver.acquisition.sites.coverage import estimate, united
from archiver.acquisition.sites.model import SITES, SiteState, Strategy
from archiver.acquisition.sites.refusing import Standing, after_answer
from archiver.acquisition.sites.traps.evidence import PageVerdict
from archiver.acquisition.sites.traps.forms import SkipReason, labels_of
from archiver.articles.contributions.model import ContributionPage
from archiver.store.content.contributions import write_contributions
from archiver.store.content.leads import FoundPage, lead_to, scope_of
from archiver.store.content.pages import FreshCapture, mark_captured
from archiver.store.schema import pages, sites, visits
from archiver.store.whole_sites.expected import Expected, expected_of
from archiver.store.whole_sites.failed_actions import note_failed_actions
from archiver.store.whole_sites.families import give_up_waiting, go_on_with_all, go_on_with_family
from archiver.store.whole_sites.guarding import LinkGuard, guard_of, judged_visit, with_own_address
from archiver.store.whole_sites.held import release_held
from archiver.store.whole_sites.label_book import close_book, open_book
from archiver.store.whole_sites.label_choice import choose_next, give_up_ranked
from archiver.store.whole_sites.labels import Learner, learn, with_width
from archiver.store.whole_sites.learned_actions import unapplied
from archiver.store.whole_sites.lists_again import go_on_with_list, note_look, seen_again
from archiver.store.whole_sites.referrers import forget_referrers
from archiver.store.whole_sites.second_tries import try_again
from archiver.store.whole_sites.series import go_on_with_series
from archiver.store.whole_sites.sites import change_site, count_request, is_visited, site_by_id
from archiver.store.whole_sites.visits import add_visits, visit_key
from archiver.submissions import request_key

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy import BindParameter, Column, Connection

    from archiver.acquisition.pages import PagePolicy
    from archiver.acquisition.sites.model import Site, VisitFetch, WantedVisit
    from archiver.acquisition.sites.plan import VisitStep
    from archiver.archive.objects.writer import ObjectWriter
    from archiver.store.content.contributions import ContributionCounts

# The curve of a site has about so many points, however long the crawl is.
_POINTS = 200
# Why a site is stopped that has a limit of its own.
USED_UP = "its limit of requests is used up"


@dataclass(frozen=True, slots=True, kw_only=True)
class VisitResult:
    """What a visit came to."""

    site: Site  # as it was before
    outcome: str  # empty: it is tried again later
    found: int = 0  # documents that were not known
    is_content: bool = False
    is_done: bool = False  # nothing is left of the site
    contributions: ContributionCounts | None = None
    # How the site takes it, where that has changed: it wants rest, or fails too often.
    standing: Standing | None = None
    # What is going to be spent, once that is known; told once.
    expected: Expected | None = None


def store_visit(
    connection: Connection,
    objects: ObjectWriter,
    fetch: VisitFetch,
    *,
    policy: PagePolicy,
    recorded: datetime,
    now: datetime,
) -> VisitResult:
    """Settle a visit, with all that it leads to and what was contributed to it; within `Archive.write`."""
    site = site_by_id(connection, fetch.visit.site.id)
    count_request(connection, site.id)
    if site.limit is not None and site.requests + 1 >= site.limit:
        change_site(connection, site.id, state=SiteState.STOPPED, why=USED_UP)
    if fetch.read is not None and fetch.read.notice:
        failed = Failed(failure=Failure.UNAVAILABLE, detail=fetch.read.notice)
        fetch = replace(fetch, failed=failed)
    result = _stored(connection, objects, fetch, site, policy, recorded, now)
    return replace(result, standing=_note_standing(connection, site, fetch, policy, now))


def _note_standing(
    connection: Connection, site: Site, fetch: VisitFetch, policy: PagePolicy, now: datetime
) -> Standing | None:
    """Pause a site that asks for it, and one that fails again and again."""
    standing = after_answer(site.failures, fetch.failed, now, policy.first_wait)
    if not (standing.in_a_row or site.failures):
        return None
    values: dict[str, Any] = {"failures": standing.in_a_row}
    if standing.rest_until is not None:
        values["rest_until"] = standing.rest_until
    if standing.paused:
        values |= {"state": SiteState.PAUSED, "why": standing.paused}
        # What it refused while it refused everything is asked for again.
        mine = (visits.c.site_id == site.id) & (visits.c.outcome == str(Failure.REFUSED))
        connection.execute(update(visits).where(mine).values(state="pending", outcome=None, tries=0))
    change_site(connection, site.id, **values)
    return standing


def _stored(
    connection: Connection,
    objects: ObjectWriter,
    fetch: VisitFetch,
    site: Site,
    policy: PagePolicy,
    recorded: datetime,
    now: datetime,
) -> VisitResult:
    if fetch.failed is not None:
        return _failed(connection, site, fetch, policy, now)
    if fetch.not_modified:
        mine = visits.c.id == fetch.visit.id
        connection.execute(update(visits).where(mine).values(state="settled", visited=recorded))
        learner = learn(connection, site, site.way, fetch)
        return _ended(connection, site, fetch, plan.unchanged(site), "read", now, learner=learner)
    read = fetch.read
    if read is None or read.problem:
        _settle(connection, fetch, "unreadable", recorded)
        learner = learn(connection, site, site.way, fetch)
        step = plan.after_failure(site, fetch.visit)
        return _ended(connection, site, fetch, step, "unreadable", now, learner=learner)
    if Strategy.LEARNED in {site.way, site.strategy} or (site.strategy is Strategy.AUTO and not site.way):
        read = with_own_address(connection, site.id, read)
    guard, read = judged_visit(connection, site.id, fetch.visit.id, read)
    step = plan.after_visit(site, fetch.visit, fetch.url, read)
    is_same = guard.verdict is PageVerdict.SAME
    learner = learn(connection, site, step.way, fetch, read, is_same=is_same)
    _settle(connection, fetch, "read", recorded, is_content=step.is_content)
    note_failed_actions(connection, site.id, read.level, read.failed, fetch.url, recorded)
    _note_text(connection, site, read.text)
    if step.is_content:
        _keep(connection, site, fetch, now)
    counts = write_contributed(connection, objects, fetch, recorded)
    ended = _ended(connection, site, fetch, step, "read", now, guard=guard, learner=learner)
    return replace(ended, contributions=counts)


def write_contributed(
    connection: Connection, objects: ObjectWriter, fetch: VisitFetch, recorded: datetime
) -> ContributionCounts | None:
    """Write what was contributed to the page, or to the item that it is a further page of."""
    read, capture = fetch.read, fetch.capture
    if read is None or capture is None or not (read.contributions or read.has_all):
        return None
    url = fetch.visit.whole or fetch.url
    page = ContributionPage(key=request_key(url, ""), url=url, capture=capture)
    counts = write_contributions(
        connection, objects, page, read.contributions, recorded, is_whole=read.has_all
    )
    if counts.new:
        change_site(connection, fetch.visit.site.id, contributions=sites.c.contributions + counts.new)
    return counts


def _failed(
    connection: Connection, site: Site, fetch: VisitFetch, policy: PagePolicy, now: datetime
) -> VisitResult:
    failed, mine = fetch.failed, visits.c.id == fetch.visit.id
    if failed is None:
        raise ValueError("only a visit that failed is tried again")
    tries = int(connection.execute(select(visits.c.tries).where(mine)).scalar_one()) + 1
    # What a site links to was not just announced: where it is not there, that is believed at once.
    verdict = after_failure(fetch.visit.url, failed, tries, policy, few=1)
    if isinstance(verdict, Ended):
        connection.execute(
            update(visits).where(mine).values(state="settled", tries=tries, outcome=str(failed.failure))
        )
        if failed.failure in {Failure.NOT_FOUND, Failure.GONE}:
            judged_visit(connection, site.id, fetch.visit.id, None)
        learner = learn(connection, site, site.way, fetch)
        step = plan.after_failure(site, fetch.visit)
        return _ended(connection, site, fetch, step, failed.failure, now, learner=learner)
    connection.execute(update(visits).where(mine).values(tries=tries, next_try=now + verdict.wait))
    go_on_with_family(connection, fetch.visit.id)
    go_on_with_series(connection, fetch.visit.id)
    return VisitResult(site=site, outcome="")


def _settle(
    connection: Connection, fetch: VisitFetch, outcome: str, recorded: datetime, *, is_content: bool = False
) -> None:
    forget_referrers(connection, fetch.visit.id)
    values = {
        "visit": fetch.visit.id,
        "its_outcome": outcome,
        "has_content": is_content,
        "at": recorded,
        "its_capture": fetch.capture,
        "its_validators": fetch.validators,
        "its_empty": fetch.read.empty if fetch.read and fetch.read.level else None,
        "its_level": (fetch.read.level if fetch.read else "") or fetch.visit.level,
    }
    connection.execute(_SETTLED, values)


def _given(name: str, column: Column[Any]) -> BindParameter[Any]:
    return bindparam(name, type_=column.type)


# Asked with every visit: to put them together each time would take longer than to answer them.
_SETTLED = (
    update(visits)
    .where(visits.c.id == bindparam("visit"))
    .values(
        state="settled",
        outcome=_given("its_outcome", visits.c.outcome),
        is_content=_given("has_content", visits.c.is_content),
        visited=_given("at", visits.c.visited),
        capture=_given("its_capture", visits.c.capture),
        earlier=visits.c.capture,
        validators=_given("its_validators", visits.c.validators),
        empty=_given("its_empty", visits.c.empty),
        level=_given("its_level", visits.c.level),
    )
)
_TEXT = select(sites.c.text, sites.c.curve, sites.c.requests).where(sites.c.id == bindparam("site"))
_PAGE = select(pages.c.id).where(pages.c.key == bindparam("page_key"))


def _ended(
    connection: Connection,
    site: Site,
    fetch: VisitFetch,
    step: VisitStep,
    outcome: str,
    now: datetime,
    *,
    guard: LinkGuard | None = None,
    learner: Learner | None = None,
) -> VisitResult:
    """Go on from a document whose visit has ended."""
    if (step.way, step.type) != (site.way, site.type):
        software = (fetch.read.software if fetch.read else "") or site.software
        change_site(connection, site.id, way=step.way, type=step.type, software=software)
    _alias(connection, site, fetch)
    if learner is None and step.way == Strategy.LEARNED:
        learner = Learner(visit_id=fetch.visit.id, book=open_book(connection, site))
    learner = learner and with_width(learner, step.wanted)
    guard = replace(guard or guard_of(connection, site.id), learner=learner)
    seen = seen_again(connection, site, learner, step.wanted, guard.key)
    always = [one for one in step.wanted if not one.if_new]
    found = add_visits(connection, site.id, always, now, guard=guard, by=fetch.visit.id)
    if found:
        further = [one for one in step.wanted if one.if_new]
        add_visits(connection, site.id, further, now, guard=guard, by=fetch.visit.id)
    if site.again is not None and found:
        _go_on(connection, site, site.again, step.wanted, now)
    add_visits(connection, site.id, step.held, now, state="held", by=fetch.visit.id)
    releases = not found if step.is_whole_if_new else step.releases
    if releases is not None:
        release_held(connection, site, is_asked=releases)
    go_on_with_family(connection, fetch.visit.id)
    go_on_with_series(connection, fetch.visit.id)
    if learner is not None:
        note_look(learner.book, seen)
        go_on_with_list(connection, site, learner.book, seen, fetch.url, now)
        choose_next(connection, site, learner.book)
        close_book(connection, learner.book, site.requests + 1)
    is_done = is_visited(connection, site.id) and not (
        go_on_with_all(connection, site.id) or try_again(connection, site.id, site.requests)
    )
    if is_done:
        give_up_waiting(connection, site.id)
        give_up_ranked(connection, site.id, SkipReason.NOTHING_NEW)
        # Not before its pages are read by what was learned on it: see `note_applied`.
        if not unapplied(connection, site.id):
            change_site(connection, site.id, state=SiteState.DONE, ended=now, why=None)
    return VisitResult(
        site=site,
        outcome=outcome,
        found=found,
        is_content=step.is_content,
        is_done=is_done,
        expected=expected_of(connection, site.id),
    )


def _go_on(
    connection: Connection, site: Site, since: datetime, wanted: Sequence[WantedVisit], now: datetime
) -> None:
    """Where a list shows something new, its further pages are asked for again as well."""
    keys = [visit_key(one.url) for one in wanted if one.is_further]
    mine = (visits.c.site_id == site.id) & visits.c.key.in_(keys) & (visits.c.state == "settled")
    stale = visits.c.visited < since
    connection.execute(update(visits).where(mine, stale).values(state="pending", next_try=now, tries=0))


def _alias(connection: Connection, site: Site, fetch: VisitFetch) -> None:
    """Where an address led to another one of the site by a redirect, that one was visited, too."""
    key = visit_key(fetch.url)
    if fetch.failed is None and key != visit_key(fetch.visit.url):
        other = (visits.c.site_id == site.id) & (visits.c.key == key)
        waits = visits.c.state.in_(("pending", "held"))
        connection.execute(update(visits).where(other, waits).values(state="skipped", outcome="redirected"))


def _note_text(connection: Connection, site: Site, text: bytes) -> None:
    """Add the words of a page to those that were seen, and a point to the curve."""
    if not text:
        return
    row = connection.execute(_TEXT, {"site": site.id}).one()
    seen = united(row.text or b"", text)
    curve = row.curve or ()
    # Half of the points are dropped whenever there are too many: the rest stay evenly spaced.
    curve = curve[::2] if len(curve) >= 2 * _POINTS else curve
    step = max(1, row.requests // _POINTS)
    if not curve or row.requests - curve[-1][0] >= step:
        curve = (*curve, (row.requests, estimate(seen)))
    change_site(connection, site.id, text=seen, curve=curve)


def _keep(connection: Connection, site: Site, fetch: VisitFetch, now: datetime) -> None:
    """Have the page read for its article: it is in the archive already."""
    read, capture = fetch.read, fetch.capture
    if read is None or capture is None:
        return
    # Pages of one template teach each other; where nothing is known of them, addresses of one form do.
    group = labels_of(fetch.url).family if fetch.visit.site.way == Strategy.LEARNED else read.level
    scope = scope_of(connection, SITES, f"{site.url} {group}".rstrip())
    page = FoundPage(url=fetch.url, via=fetch.visit.via, said=read.said, capture=None)
    # As of the capture: what is read from it is what is waited for, and the page need not be asked for again.
    lead_to(connection, scope, SITES, [page], recorded=capture.date, now=now, again=True)
    number = connection.execute(_PAGE, {"page_key": page.key}).scalar_one()
    fresh = FreshCapture(page_id=number, capture=capture, size=fetch.size, validators=fetch.validators)
    mark_captured(connection, [fresh], now)
