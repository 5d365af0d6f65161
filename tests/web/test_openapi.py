"""Whatever the description of the interface allows, and more, is answered as the description says."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.specs.openapi.checks import negative_data_rejection, positive_data_acceptance

if TYPE_CHECKING:
    from tests.web.browsing import Shown

pytestmark = [pytest.mark.zoo, pytest.mark.xdist_group("web")]
_EXAMPLES = 60


@pytest.fixture(scope="session")
def interface(shown: Shown) -> schemathesis.BaseSchema:
    return schemathesis.openapi.from_url(shown.address("/openapi.json"))


schema = schemathesis.pytest.from_fixture("interface")


@schema.parametrize()
@settings(max_examples=_EXAMPLES, suppress_health_check=list(HealthCheck), deadline=None, derandomize=True)
def test_no_request_is_answered_with_a_failure_or_in_an_undocumented_way(case: schemathesis.Case) -> None:
    # A day that no calendar has is a text like any other to a schema, and refused all the same; what a form
    # leaves empty is not a value of its list, and taken for what was not asked.
    case.call_and_validate(excluded_checks=[positive_data_acceptance, negative_data_rejection])
