"""When a form was asked enough: its latest requests brought too little for what may be left."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from archiver.acquisition.forms.coverage import Coverage

# The last requests brought less than a record each: it is over.
_LAST = 50
# A number that a site claims may be too large by this share: so many requests must bring nothing at all.
_CLAIM_ERROR, _IN_VAIN = 0.005, 150
# Where less than this share was seen, by the estimate, so many requests must bring less than so many records.
_NEARLY_ALL, _LONGEST, _LEAST_OF_MANY = 0.97, 200, 40


def is_enough(coverage: Coverage, brought: Sequence[int]) -> bool:
    """True where no more is to be expected; `brought` has the new records of each request."""
    if coverage.lacks is not None and coverage.lacks <= _CLAIM_ERROR * coverage.seen:
        # The site may count what it does not show.
        return not coverage.lacks or (len(brought) >= _IN_VAIN and not any(brought[-_IN_VAIN:]))
    if coverage.lacks is not None or (coverage.share is not None and coverage.share < _NEARLY_ALL):
        # There are more by the estimate, which may be wrong: it goes on for a while, with less.
        return len(brought) >= _LONGEST and sum(brought[-_LONGEST:]) < _LEAST_OF_MANY
    return len(brought) >= _LAST and sum(brought[-_LAST:]) < _LAST
