"""Validators that are held against what whole answers show: whether they told of changes, and which are sent.

A server that answers 304, or repeats a validator, over an article that changed has lied. After two lies in
a month the validator is not sent to its host for a month. Since a 304 hides what it hides, now and then a
request goes without validators: one of so many.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta  # msgspec reads the annotations at run time
from enum import StrEnum


class Validator(StrEnum):
    """The two of HTTP, and what the rule of Clausen (2004) makes of both. The values are stored."""

    ETAG = "etag"
    LAST_MODIFIED = "last_modified"
    # Without an ETag a page is to be downloaded; with one, only if its Last-Modified moved.
    CLAUSEN_GETS = "clausen_gets"
    CLAUSEN_KEEPS = "clausen_keeps"


# How many lies within which time, and for how long a validator is then not sent.
LIES = 2
FORGOTTEN_AFTER = UNSENT_FOR = timedelta(days=30)
# After so many 304s of a host one request goes without validators; after fewer while it is little known. So
# checking costs one whole answer for a hundred 304s in the long run. Guesses.
CHECKED_AFTER, CHECKED_AFTER_AT_FIRST = 100, 16
# After one lie, to see soon whether it was an accident.
_CHECKED_AFTER_LIE = 2
# So many checks that found nothing make a host known.
_KNOWN_AFTER = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class ValidatorRecord:
    """What was seen of a validator on a host; whole answers are compared with the whole answer before."""

    agreed: int = 0  # moved with the bytes, or stayed with them
    moved: int = 0  # moved although the bytes are the same
    noise: int = 0  # stayed although bytes changed, none of them of the article
    stood: int = 0  # stayed although the article changed: a lie
    hid: int = 0  # of these, how often a 304 vouched for it
    not_modified: int = 0  # answers of 304
    unchecked: int = 0  # of these, since the last whole answer
    checks: int = 0  # whole answers after 304s that found nothing hidden
    lies: int = 0  # within FORGOTTEN_AFTER
    last_lie: datetime | None = None
    unsent_until: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ValidatorLook:
    """A whole answer beside the one before, for one validator."""

    is_moved: bool
    is_same: bool  # the same bytes
    is_edited: bool  # the article, or the entries of the feed, changed
    is_vouched: bool = False  # 304s were answered in between


def after_look(known: ValidatorRecord, look: ValidatorLook, now: datetime) -> ValidatorRecord:
    """What is known after a whole answer."""
    checked = replace(known, unchecked=0)
    if look.is_moved:
        if look.is_same:
            return replace(checked, moved=known.moved + 1)
        return replace(checked, agreed=known.agreed + 1)
    if look.is_edited:
        # Its other 304s stay in doubt: the next request is a check as well.
        return _after_lie(replace(known, stood=known.stood + 1, hid=known.hid + look.is_vouched), now)
    checked = replace(checked, checks=known.checks + look.is_vouched)
    return (
        replace(checked, agreed=known.agreed + 1) if look.is_same else replace(checked, noise=known.noise + 1)
    )


def _after_lie(known: ValidatorRecord, now: datetime) -> ValidatorRecord:
    is_recent = known.last_lie is not None and now - known.last_lie <= FORGOTTEN_AFTER
    lies = 1 + (known.lies if is_recent else 0)
    if lies < LIES:
        return replace(known, lies=lies, last_lie=now)
    return replace(known, lies=0, last_lie=now, checks=0, unsent_until=now + UNSENT_FOR)


def after_not_modified(known: ValidatorRecord, times: int = 1) -> ValidatorRecord:
    return replace(known, not_modified=known.not_modified + times, unchecked=known.unchecked + times)


def is_sent(known: ValidatorRecord, now: datetime) -> bool:
    """Whether a request to the host may have this validator."""
    return known.unsent_until is None or known.unsent_until <= now


def is_check_due(known: ValidatorRecord) -> bool:
    """Whether the next request goes without validators, to see whether 304s hide anything."""
    after = CHECKED_AFTER if known.checks >= _KNOWN_AFTER else CHECKED_AFTER_AT_FIRST
    return known.unchecked >= (_CHECKED_AFTER_LIE if known.lies else after)


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """The validators of one whole answer."""

    etag: str | None = None
    last_modified: str | None = None


def looks_of(
    before: Given, now: Given, *, is_same: bool, is_edited: bool, is_vouched: bool = False
) -> dict[Validator, ValidatorLook]:
    """What two whole answers say of the validators that came with both, and of Clausen's rule."""
    pairs = {
        Validator.ETAG: (before.etag, now.etag),
        Validator.LAST_MODIFIED: (before.last_modified, now.last_modified),
    }
    moved = {one: old != new for one, (old, new) in pairs.items() if old and new}
    is_told = moved.get(Validator.LAST_MODIFIED, True)
    if not now.etag or is_told:
        moved[Validator.CLAUSEN_GETS] = True
    else:
        moved[Validator.CLAUSEN_KEEPS] = False
    return {
        one: ValidatorLook(is_moved=is_moved, is_same=is_same, is_edited=is_edited, is_vouched=is_vouched)
        for one, is_moved in moved.items()
    }
