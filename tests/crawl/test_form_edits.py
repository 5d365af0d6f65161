"""What a form's file and the settings say now counts, also where a run goes on with an earlier one."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from sample.shop.habits import HABITS
from sample.shop.serving import serve_shop
from tests.crawl.running import crawl
from tests.crawl.test_forms import SETTINGS, ask, form_file

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from sample.shop.serving import ServedShop
    from tests.crawl.running import CrawlRun

pytestmark = [pytest.mark.zoo, pytest.mark.xdist_group("forms")]
BOOKS = 30


@pytest.fixture
def shop() -> Iterator[ServedShop]:
    with serve_shop(count=BOOKS) as served:
        yield served


def tried(archive: Path, file: Path, **settings: object) -> CrawlRun:
    arguments = {"file": str(file), "tries": "3"}
    return crawl(archive, arguments=arguments, spider="forms", clock_offset=0, **SETTINGS | settings)


def test_post_is_not_sent_once_a_switch_is_off(archive: Path) -> None:
    with serve_shop(count=BOOKS, habits=[replace(HABITS[0], method="post")]) as shop:
        file = form_file(archive, shop, more="allow_post: true\n")
        assert tried(archive, file, FORMS_ALLOW_POST=True).exit_code == 0
        sent = len(shop.submitted)
        assert sent == 3
        run = ask(archive, file, FORMS_ALLOW_POST=False)
        assert (run.exit_code, len(shop.submitted)) == (1, sent)
        assert "FORMS_ALLOW_POST" in (run.stdout + run.stderr).replace("\n", " ")
        file.write_text(file.read_text().replace("allow_post: true", "allow_post: false"))
        assert ask(archive, file, FORMS_ALLOW_POST=True).exit_code == 1
        assert len(shop.submitted) == sent


def test_inputs_that_were_edited_after_a_trial_are_sent(archive: Path, shop: ServedShop) -> None:
    assert tried(archive, form_file(archive, shop)).exit_code == 0
    before = len(shop.submitted)
    file = form_file(
        archive, shop, more="budget: {requests: 12}\ninputs: {per_page: {kind: option, fixed: '10'}}\n"
    )
    assert ask(archive, file).exit_code == 0
    assert len(shop.submitted) > before
    assert all("per_page=10" in one for one in shop.submitted[before:])


def test_an_input_of_the_file_that_the_form_lacks_is_told(archive: Path, shop: ServedShop) -> None:
    more = "budget: {requests: 3}\ninputs: {categroy: {kind: option, fixed: Poetry}}\n"
    run = ask(archive, form_file(archive, shop, more=more))
    assert run.exit_code == 0
    assert "shop-list: the form has no input called categroy" in run.stdout.replace("\n", " ")


def test_words_that_a_file_names_after_a_trial_are_asked_for(archive: Path, shop: ServedShop) -> None:
    assert tried(archive, form_file(archive, shop)).exit_code == 0
    before = len(shop.submitted)
    file = form_file(archive, shop, more="budget: {requests: 20}\nwords: {file: words.txt, from: [page]}\n")
    (file.parent / "words.txt").write_text("lantern\n")
    assert ask(archive, file).exit_code == 0
    assert any("q=lantern" in one for one in shop.submitted[before:])
    assert len(shop.submitted) == len(set(shop.submitted)), "nothing is submitted twice"
