"""When records' own pages are fetched, and which: a share of them, within the form's budget."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

from archiver.acquisition.forms.model import Probe
from archiver.domains import same_owner
from archiver.store.asked_forms.details import count_records, details_asked, details_to_ask
from archiver.store.asked_forms.records import records_with_pages

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from archiver.running.form_run import FormInquiry

DETAILS = 4  # pages of records that are learned from
# Of the budget of a run, at most: the rest is for what finds records.
_BUDGET_SHARE = 0.5
_LOOKED_AT = 50


def are_due(connection: Connection, inquiry: FormInquiry) -> bool:
    """True where what is left of the budget is needed for them."""
    if not inquiry.follows or not inquiry.can_read:
        return False
    left = inquiry.said.budget.requests - inquiry.asked
    return wanted(connection, inquiry) >= left


def wanted(connection: Connection, inquiry: FormInquiry) -> int:
    """How many are still to be fetched in this run."""
    said = inquiry.said
    most = min(
        ceil(said.detail.share * count_records(connection, inquiry.form)),
        int(_BUDGET_SHARE * said.budget.requests),
    )
    return most - details_asked(connection, inquiry.form)


def next_detail(connection: Connection, inquiry: FormInquiry) -> Probe | None:
    """The page to fetch next; None where none is wanted."""
    if not inquiry.follows or not inquiry.can_read:
        return None
    if not inquiry.knows_details:
        if inquiry.details is None:
            inquiry.details = list(records_with_pages(connection, inquiry.form.id, DETAILS))
        return Probe(chosen_by="detail", url=inquiry.details.pop(0)) if inquiry.details else None
    if wanted(connection, inquiry) < 1:
        return None
    # Records that came since stand before the last one that was followed.
    return _after(connection, inquiry, inquiry.followed) or _after(connection, inquiry, "")


def _after(connection: Connection, inquiry: FormInquiry, key: str) -> Probe | None:
    for record, url in details_to_ask(connection, inquiry.form, key, _LOOKED_AT):
        inquiry.followed = record
        if same_owner(inquiry.said.page, url):
            return Probe(chosen_by="detail", url=url)
    return None
