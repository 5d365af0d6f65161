"""Fields from crawls: in objects, of pages without an article, as versions, and at no article's cost."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING, Any, NamedTuple

import jsonschema
import pytest

from archiver.articles.objects.schema import json_schema
from tests.crawl.documents import Entry, rss, stories
from tests.crawl.running import DAY, Archived, crawl, scrapy
from tests.crawl.site import Site, html

if TYPE_CHECKING:
    from pathlib import Path

    from tests.commands.here import RunHere
    from tests.crawl.running import CrawlRun
    from tests.crawl.site import Answer

# One process crawls for all tests of this file.
pytestmark = pytest.mark.xdist_group("fields")
DAILY = {"RECHECK_SHARE": 0.5, "RECHECK_INTERVAL": "1d", "RECHECK_DAYS": 9999}
SOLD, KEPT, VIEWED = stories(3)
PRODUCT = "/product/1.html"
SHOP = """\
wrapper: shop
scope: {site: 127.0.0.1}
objects: true
fields:
  - field: price
    type: price
    required: true
    rules: ["*.price"]
  - field: views
    type: integer
    versioned: false
    rules: ["*.views"]
  - {field: tags, many: true, rules: ['ul.tags/li']}
"""
BROKEN = SHOP.replace("wrapper: shop", "wrapper: broken").replace("rules: ['ul", "rulse: ['ul")
HOSTILE = """\
wrapper: hostile
scope: {url: '/**'}
fields:
  - field: all
    rules: ["//*//*[contains(.,'x')]/..//*[contains(.,'y')]//*[contains(.,'z')]"]
"""


def with_facts(answer: Answer, price: str, views: int) -> Answer:
    facts = f'<p class="price">{price}</p><p class="views">{views}</p><ul class="tags"><li>Sea<li>Ships</ul>'
    return answer.but(body=answer.body.replace(b"</h1>", b"</h1>" + facts.encode()))


def product(price: str) -> Answer:
    return html(f"<title>Anchor</title><h1>Anchor</h1><p class='price'>{price}</p>")


class Lived(NamedTuple):
    runs: list[CrawlRun]

    def versions(self, path: str) -> list[dict[str, Any]]:
        return [one for one in self.runs[-1].objects if one["url"].endswith(path)]


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory) -> Lived:
    archive = tmp_path_factory.mktemp("fields") / "archive"
    (archive / "wrappers").mkdir(parents=True)
    (archive / "wrappers" / "shop.yaml").write_text(SHOP)
    (archive / "wrappers" / "broken.yaml").write_text(BROKEN)
    runs = []
    with Site() as site:
        told = [SOLD, KEPT, VIEWED]
        entries = [*(one.entry for one in told), Entry(link=PRODUCT, title=None, id="anchor")]
        feed = site.add("/feed.xml", rss(entries))
        for day, (price, views) in enumerate([("£12.50", 3), ("£13", 4)]):
            site.add(SOLD.path, with_facts(SOLD.page, price, 1))
            site.add(KEPT.path, with_facts(KEPT.page, "on request", 1))
            site.add(VIEWED.path, with_facts(VIEWED.page, "£5", views))
            site.add(PRODUCT, product(price))
            runs.append(crawl(archive, [feed], clock_offset=day * DAY, **DAILY))
    return Lived(runs)


def test_an_object_has_the_fields_of_its_page_and_names_their_wrapper(lived: Lived) -> None:
    first = lived.versions(SOLD.path)[0]
    assert first["fields"] == {
        "price": {"value": "12.50", "text": "£12.50", "rule": 1, "currency": "GBP"},
        "views": {"value": "1", "text": "1", "rule": 1},
        "tags": {"value": ["Sea", "Ships"], "text": ["Sea", "Ships"], "rule": 1},
    }
    name, _, digest = first["field_wrapper"].partition("/")
    archive = lived.runs[-1].folder
    assert (archive / "wrappers" / "history" / f"{name}-{digest}.yaml").exists()
    assert SOLD.paragraphs[0] in first["text"]
    jsonschema.validate(first, json_schema())


def test_a_required_field_that_is_not_found_is_null(lived: Lived) -> None:
    assert lived.versions(KEPT.path)[0]["fields"]["price"] is None


def test_a_new_value_is_a_version_and_a_counter_is_none(lived: Lived) -> None:
    sold = lived.versions(SOLD.path)
    assert [(one["version"], one["fields"]["price"]["value"]) for one in sold] == [(1, "12.50"), (2, "13")]
    assert "fields" in sold[1]["change"]["kinds"]
    assert [one["version"] for one in lived.versions(VIEWED.path)] == [1]


def test_a_page_without_an_article_is_an_object_where_the_wrapper_says_so(lived: Lived) -> None:
    made = lived.versions(PRODUCT)
    assert [(one["method"], one["text"], one["fields"]["price"]["value"]) for one in made] == [
        ("fields", "", "12.50"),
        ("fields", "", "13"),
    ]
    assert made[0]["title"] == "Anchor"
    assert made[1]["change"]["kinds"] == ["fields"]
    assert lived.runs[0].reports[0]["outcomes"] == {"stored": 4}
    jsonschema.validate(made[0], json_schema())


def test_a_wrapper_with_a_flaw_is_told_and_costs_no_other(lived: Lived) -> None:
    (told,) = lived.runs[0].reports[0]["errors"]
    assert told.startswith("Field wrapper not used: ")
    assert "broken.yaml:13:31: The key rulse is not known here: did you mean rules?" in told
    assert lived.runs[0].exit_code == 1
    assert "broken.yaml:13:31" in lived.runs[0].stderr


def test_what_is_counted_stands_in_the_report(lived: Lived) -> None:
    assert [one["fields"] for one in lived.runs[0].reports] == [{"read": 4}, {"read": 3}]


def test_a_hostile_rule_is_stopped_and_the_article_is_there(site: Site, archive: Path) -> None:
    (archive / "wrappers").mkdir(parents=True)
    (archive / "wrappers" / "hostile.yaml").write_text(HOSTILE)
    told = stories(1)[0]
    nested = b"<div>" * 200 + b"<i>x</i>" * 20_000 + b"</div>" * 200
    large = told.page
    site.add(told.path, large.but(body=large.body.replace(b"</body>", nested + b"</body>")))
    run = crawl(archive, [site.add("/feed.xml", rss([told.entry]))])
    assert run.exit_code == 0, run
    (made,) = run.objects
    assert told.paragraphs[0] in made["text"]
    assert run.report["fields"] == {"troubled": 1}
    assert any("all: rule 1 looks at too much of this page" in note for note in run.report["notes"])


def test_without_the_folder_or_the_setting_no_fields_are_read(site: Site, archive: Path) -> None:
    (archive / "wrappers").mkdir(parents=True)
    (archive / "wrappers" / "shop.yaml").write_text(SHOP)
    told = stories(1)[0]
    site.add(told.path, with_facts(told.page, "£5", 1))
    run = crawl(archive, [site.add("/feed.xml", rss([told.entry]))], FIELD_WRAPPERS="")
    (made,) = run.objects
    assert (made["fields"], made["field_wrapper"]) == ({}, None)


def test_a_wrapper_that_comes_later_fills_the_past(lived: Lived, tmp_path: Path) -> None:
    archive = shutil.copytree(lived.runs[-1].folder, tmp_path / "archive")
    later = SHOP.replace('rules: ["*.price"]', 'rules: ["p.price"]').replace("tags/li'", "tags/li[1]'")
    (archive / "wrappers" / "shop.yaml").write_text(later)
    before = list(Archived(archive).objects)
    done = scrapy(archive, "reextract", "--fields", "shop", "-s", "EXTRACT_WORKERS=1")
    assert done.exit_code == 0, done
    assert f"{len(before)} versions filled by shop/" in done.stdout
    anew = [one for one in Archived(archive).objects if one["reextracted"]]
    assert {(one["id"], one["version"]) for one in anew} == {(one["id"], one["version"]) for one in before}
    texts = {(one["id"], one["version"]): one["text"] for one in before}
    for one in anew:
        jsonschema.validate(one, json_schema())
        assert one["text"] == texts[one["id"], one["version"]]
        assert one["field_wrapper"] != before[0]["field_wrapper"]
    sold = [one for one in anew if one["url"].endswith(SOLD.path)]
    assert [one["fields"]["tags"]["value"] for one in sold] == [["Sea"], ["Sea"]]
    again = scrapy(archive, "reextract", "--fields", "shop", "-s", "EXTRACT_WORKERS=1")
    assert "0 versions filled by shop/" in again.stdout
    assert f"{len(before)} had its fields already" in again.stdout
    assert scrapy(archive, "verify").exit_code == 0


def test_pages_without_an_article_become_objects_of_the_past(site: Site, archive: Path) -> None:
    site.add(PRODUCT, product("£7"))
    run = crawl(archive, [site.add("/feed.xml", rss([Entry(link=PRODUCT, title=None, id="anchor")]))])
    assert run.objects == []
    (archive / "wrappers").mkdir()
    (archive / "wrappers" / "shop.yaml").write_text(SHOP)
    done = scrapy(archive, "reextract", "--fields", "shop", "-s", "EXTRACT_WORKERS=1")
    assert "1 object made of pages without an article" in done.stdout, done
    (made,) = run.objects
    assert (made["method"], made["fields"]["price"]["value"]) == ("fields", "7")
    assert list(run.outcomes().values()) == ["stored"]
    assert scrapy(archive, "verify").exit_code == 0


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("shpo", "There is no field wrapper shpo: did you mean shop?"),
        ("broken", "The key rulse is not known"),
    ],
)
def test_a_wrapper_that_cannot_be_used_fills_nothing(lived: Lived, name: str, told: str) -> None:
    done = scrapy(lived.runs[-1].folder, "reextract", "--fields", name)
    assert done.exit_code == 2, done
    assert told in done.stderr


def test_explain_tells_each_rule_and_why_it_was_passed_over(lived: Lived, run_here: RunHere) -> None:
    url = lived.versions(KEPT.path)[0]["url"]
    done = run_here("explain", lived.runs[-1].folder, url)
    assert done.exit_code == 0, done
    _, _, told = done.text.partition("Fields, by shop/")
    assert "price (price): not found\n  - 1 *.price\n      “on request” gives no price" in told
    assert "views (integer)\n  + 1 *.views\n      1\n" in told


def test_a_replay_gives_the_same_fields(lived: Lived, tmp_path: Path) -> None:
    archive = shutil.copytree(lived.runs[-1].folder, tmp_path / "archive")
    (archive / "wrappers" / "broken.yaml").unlink()
    run = crawl(archive, profile="replay", **DAILY)
    assert run.exit_code == 0, run
    (folder,) = archive.glob("replay-*")

    def told(objects: list[dict[str, Any]]) -> set[str]:
        keys = ("id", "field_wrapper", "fields", "method")
        return {json.dumps([one[key] for key in keys], sort_keys=True) for one in objects}

    assert told(Archived(folder).objects) == told(run.objects)


def test_lost_lines_are_made_again_with_their_fields(lived: Lived, tmp_path: Path) -> None:
    archive = shutil.copytree(lived.runs[-1].folder, tmp_path / "archive")
    (archive / "wrappers" / "broken.yaml").unlink()
    before = {(one["id"], one["version"]): one["fields"] for one in Archived(archive).objects}
    for path in (archive / "objects").glob("articles-*.jsonl"):
        path.write_bytes(b"")
    done = scrapy(archive, "recover", "-s", "EXTRACT_WORKERS=1")
    after = {(one["id"], one["version"]): one["fields"] for one in Archived(archive).objects}
    assert after == before, done
