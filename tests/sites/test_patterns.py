"""Navigation patterns are read from their text as they were written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archiver.acquisition.sites.learning.patterns import LinkStep, NavigationPattern, read_pattern
from archiver.errors import ConfigurationError

STEPS = st.builds(
    LinkStep,
    path=st.text(min_size=1),
    shape=st.none() | st.text(),
    most=st.none() | st.integers(min_value=1, max_value=999_999_999),
)
PATTERNS = st.lists(STEPS, min_size=1, max_size=4).map(lambda steps: NavigationPattern(tuple(steps)))


@given(PATTERNS)
def test_a_pattern_is_read_as_it_was_written(pattern: NavigationPattern) -> None:
    assert read_pattern(str(pattern)) == pattern


def test_a_pattern_is_written_as_the_grammar_has_it() -> None:
    lists = LinkStep("/html/body/nav.pages/a", "page/#", None)
    posts = LinkStep("/html/body/main#posts/article/h2/a")
    text = "(/html/body/nav.pages/a /page/#)+ (/html/body/main#posts/article/h2/a)"
    assert str(NavigationPattern((lists, posts))) == text
    assert str(LinkStep("/html/a", "", 3)) == "(/html/a /){3}"


@pytest.mark.parametrize(
    "text",
    ["", "/html/a", "(/html/a", "()", "(/html/a)*", "(/html/a){0}", "(/html/a)(/html/b)", "(/html/a)  (/b)"],
)
def test_what_is_not_a_pattern_is_refused(text: str) -> None:
    with pytest.raises(ConfigurationError, match="step"):
        read_pattern(text)


def test_a_pattern_begins_with_its_first_steps() -> None:
    whole = read_pattern("(/a)+ (/b) (/c)")
    assert whole.begins_with(read_pattern("(/a)+ (/b)"))
    assert not whole.begins_with(read_pattern("(/a) (/b)"))
