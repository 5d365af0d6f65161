"""Forms are understood: purpose, inputs, labels, values; nothing that writes is taken for search."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlsplit

import pytest
from scrapy.settings import Settings

from archiver.acquisition.forms.model import Answered, Probe
from archiver.acquisition.forms.prober import Prober
from archiver.acquisition.forms.rules import address_of, navigation_plan, planned, unknown_inputs
from archiver.documents.pages.dom import parse_markup
from archiver.documents.pages.forms.description import (
    DescribedInput,
    FormDescription,
    form_as_yaml,
    read_form,
    written,
)
from archiver.documents.pages.forms.finding import described, forms_of
from archiver.errors import ConfigurationError, FileFlaws
from archiver.spiders.forms import set_pace
from tests.commands.here import run_here  # noqa: F401 - a fixture

if TYPE_CHECKING:
    from pathlib import Path

    from archiver.acquisition.forms.model import FormPlan
    from archiver.documents.pages.forms.finding import FoundForm, PageForms
    from tests.commands.here import RunHere

URL = "https://www.books.example/shop/"
CATALOGUE = """
<link rel="search" type="application/opensearchdescription+xml" href="/os.xml">
<form action="../results" id="catalogue">
  <label for="w">Title or author:</label> <input id="w" name="w" type="text">
  <select name="genre"><option value="">All genres</option><option value="n" selected>Novel</option></select>
  Year from <input name="year_from"> to <input name="year_to">
  <label><input type="radio" name="lang" value="en"> English</label>
  <label><input type="radio" name="lang" value="de" checked> German</label>
  <label><input type="checkbox" name="new" value="1"> New only</label>
  <div style="display:none"><input name="url2"></div>
  <input type="hidden" name="op" value="find"><input type="submit" value="Search">
</form>
"""


def read(markup: str) -> PageForms:
    tree = parse_markup(f"<body>{markup}</body>")
    assert tree is not None
    return forms_of(tree, URL)


def only(markup: str) -> FoundForm:
    (form,) = read(markup).forms
    return form


def test_inputs_have_kinds_labels_and_values() -> None:
    form = only(CATALOGUE)
    assert (form.kind, form.method, form.action) == ("search", "GET", "https://www.books.example/results")
    told = {field.name: (field.kind, field.label) for field in form.fields}
    assert told == {
        "w": ("text", "Title or author"),
        "genre": ("option", "genre"),
        "year_from": ("range", "Year from"),
        "lang": ("option", "English"),
        "new": ("flag", "New only"),
        "url2": ("text", "url2"),
        "op": ("hidden", "op"),
        "": ("submit", "Search"),
    }
    by_name = {field.name: field for field in form.fields}
    assert [one.value for one in by_name["lang"].choices] == ["en", "de"]
    assert by_name["genre"].value == "n"
    assert by_name["year_from"].until == "year_to"
    assert [field.name for field in form.fields if field.is_trap] == ["url2"]
    assert read(CATALOGUE).opensearch == ("https://www.books.example/os.xml",)


@pytest.mark.parametrize(
    "markup",
    [
        '<form action="/"><input name="q"></form>',
        '<form role="search"><input name="x" placeholder="Suchbegriff"><button>Los</button></form>',
        '<form method="post" action="/recherche"><input name="mots"><input type="submit" value="OK"></form>',
        '<form action="/find"><select name="make"></select><select name="model"></select></form>',
        '<form><input type="search" name="z"></form>',
        '<form action="/поиск"><input name="text"><button>Найти</button></form>',
    ],
)
def test_search_is_recognised(markup: str) -> None:
    assert only(markup).kind == "search"


@pytest.mark.parametrize(
    ("markup", "kind"),
    [
        ('<form><input name="q"><input type="password" name="p"><button>Search</button></form>', "login"),
        (
            '<form id="search"><input name="a"><input type=password><input type=password name=b></form>',
            "registration",
        ),
        ('<form action="/search"><input name="s"><textarea name="t"></textarea></form>', "contact"),
        ('<form action="/search"><input name="email" placeholder="Search"></form>', "subscription"),
        ('<form action="/search"><input type="email" name="q"></form>', "subscription"),
        ('<form action="mailto:me@site.example"><input name="q"></form>', "subscription"),
        ('<form action="/cart/add"><input name="n" value="1"><button>Add to cart</button></form>', "other"),
        ('<form id="newsletter"><input name="s"><button>Subscribe</button></form>', "other"),
        ('<form action="/login"><input name="code"><button>Log in</button></form>', "other"),
        ('<form action="/go"><input name="zip"></form>', "other"),
        ('<form action="/search"><input type="file" name="q"></form>', "subscription"),
        ('<form action="/search"><input type="submit" value="Search"></form>', "other"),
    ],
)
def test_what_writes_or_signs_in_is_never_search(markup: str, kind: str) -> None:
    assert only(markup).kind == kind


@pytest.mark.parametrize("action", ["http://[x", "javascript:void(0)", "ftp://www.books.example/"])
def test_a_form_that_leads_to_no_web_address_is_told_and_not_asked(action: str) -> None:
    search = f'<form action="{action}"><input name="q" type="search"></form>'
    link = '<link rel="search" type="application/opensearchdescription+xml" href="http://[">'
    found = read(f"{link}{search}")
    assert ([one.kind for one in found.forms], found.opensearch) == (["search"], ())
    with pytest.raises(ConfigurationError, match="is not a web address"):
        planned(found, FormDescription(form="a", page=URL), allows_post=True)
    with pytest.raises(ConfigurationError):
        navigation_plan(found, 1, {})


def test_a_base_that_is_no_address_counts_for_nothing() -> None:
    found = read('<base href="http://["><form action="find"><input name="q"></form>')
    assert [one.action for one in found.forms] == [f"{URL}find"]


def test_a_description_is_read_as_it_was_written() -> None:
    description = described(only(CATALOGUE), URL)
    text = form_as_yaml(description)
    assert read_form(text.encode(), "f.yaml") == description
    assert (description.form, list(description.inputs)) == (
        "books-example",
        ["w", "genre", "year_from", "lang", "new", "op"],
    )
    with pytest.raises(FileFlaws):
        read_form(text.replace("kind: text", "kinnd: text").encode(), "f.yaml")


def test_the_command_shows_forms_and_writes_a_description(tmp_path: Path, run_here: RunHere) -> None:  # noqa: F811
    page, target = tmp_path / "page.html", tmp_path / "books.yaml"
    page.write_text(f"<body><form><input type=password name=p></form>{CATALOGUE}")
    done = run_here("forms", tmp_path, "look", str(page), "--write", str(target))
    assert (done.exit_code, "Form 2: search, GET" in done.text) == (0, True), done.told
    assert read_form(target.read_bytes(), "books.yaml").select.number == 2
    again = run_here("forms", tmp_path, "look", str(page), "--write", str(target))
    assert (again.exit_code, "already exists" in again.told) == (2, True)
    printed = json.loads(run_here("forms", tmp_path, "look", str(page), "--number", "1", "--json").text)
    assert [form["kind"] for form in printed["forms"]] == ["login"]
    for args, message in (
        (("look",), "URL or file"),
        (("look", str(page), "--number", "9"), "2 forms"),
        (("look", "nowhere"), "neither"),
    ):
        done = run_here("forms", tmp_path, *args)
        assert (done.exit_code, message in done.told) == (2, True), done.told


def test_names_without_values_are_told() -> None:
    with pytest.raises(FileFlaws, match="Names with values must stand here"):
        read_form(b"form: a\npage: https://a.example/\ninputs: [q]\n", "f.yaml")


FILE = """form: a
page: https://a.example/
answer:
  record: "//li[@class='hit']"
  next: "//a[@rel='next']/@href"
key: [detail_url, shelf]
budget: {delay: 7s}
align:
  with: books.nt
  joins: 1
  floor: 0.7
"""


def test_a_file_says_where_records_are_and_what_makes_two_one() -> None:
    said = read_form(FILE.encode(), "f.yaml")
    assert [written(said.answer.record), written(said.answer.next)] == [
        "//li[@class='hit']",
        "//a[@rel='next']/@href",
    ]
    assert (said.key, said.budget.delay) == (("detail_url", "shelf"), timedelta(seconds=7))
    assert (said.align.ontology, said.align.joins, said.align.floor) == ("books.nt", 1, 0.7)


@pytest.mark.parametrize(
    ("old", "new", "line", "told"),
    [
        ("//li[@class='hit']", "//li[last()", 4, ""),
        ("//a[@rel='next']/@href", "//a[matches(., '(a+)+$')]", 5, ""),
        ("record:", "recrod:", 4, "record"),
        ("detail_url,", "detail-url,", 6, "detail_url"),
        ("shelf]", "detail_url]", 6, "twice"),
        ("shelf]", "'a b']", 6, "not a name of an attribute"),
        ("7s", "7", 7, "not a time"),
        ("joins: 1", "joins: 3", 10, "write 1 or 2"),
        ("0.7", "7", 11, "not a share"),
        ("with:", "whit:", 9, "with"),
        ("https://a.example/", "'http://[::1'", 2, "not a web address"),
        ("7s", "1000000w", 7, "too long"),
        (
            "key: [detail_url, shelf]",
            "attributes: {a: {property: 'http://a.example/<b>'}}",
            6,
            "not a property",
        ),
        ("key: [detail_url, shelf]", "attributes: {a: {property: 'dcterms:a|b'}}", 6, "not a property"),
    ],
)
def test_flaws_of_a_file_are_told_with_their_lines(old: str, new: str, line: int, told: str) -> None:
    with pytest.raises(FileFlaws) as error:
        read_form(FILE.replace(old, new).encode(), "f.yaml")
    assert [one.place.line for one in error.value.flaws] == [line]
    assert told in str(error.value)


@pytest.mark.parametrize(
    ("sizes", "sent"), [((10, 50, 100), "100"), ((50, 200, 500), "200"), ((250, 1000, 500), "250")]
)
def test_the_largest_page_that_is_polite_is_asked_for(sizes: tuple[int, ...], sent: str) -> None:
    options = "".join(f"<option>{one}</option>" for one in sizes)
    found = read(f'<form action="/find"><input name="q"><select name="per_page">{options}</select></form>')
    said = FormDescription(form="a", page=URL)
    assert planned(found, said, allows_post=False).always == {"per_page": sent}


def test_an_input_that_is_not_to_be_used_is_sent_as_it_stands() -> None:
    found = read(CATALOGUE)
    plan = planned(found, FormDescription(form="a", page=URL), allows_post=False)
    assert [one.name for one in plan.inputs] == ["w", "year_from", "lang"]
    left = {name: DescribedInput(kind="", use=False) for name in ("w", "year_from")}
    plan = planned(found, FormDescription(form="a", page=URL, inputs=left), allows_post=False)
    assert [one.name for one in plan.inputs] == ["lang"]
    assert plan.always == {"w": "", "genre": "", "year_from": "", "url2": "", "op": "find"}


def sent_by(plan: FormPlan, **inputs: str) -> list[tuple[str, str]]:
    url = address_of(plan, Probe(inputs=inputs, chosen_by="word"))
    return sorted(parse_qsl(urlsplit(url).query, keep_blank_values=True))


@pytest.mark.parametrize(
    ("options", "sent"),
    [
        ("<select name=o><option>a<option>b</select>", "a"),
        ("<select name=o><option>a<option selected>b</select>", "b"),
        ("<select name=o><option disabled>a<option>b<option>c</select>", "b"),
        ("<select name=o multiple><option>a<option>b</select>", None),
        ("<select name=o><option value=''>All<option selected>a<option>b</select>", ""),
        ("<input type=radio name=o value=a><input type=radio name=o value=b>", None),
        ("<input type=radio name=o value=a><input type=radio name=o value=b checked>", "b"),
    ],
)
@pytest.mark.parametrize("use", [None, False])
def test_a_list_that_is_not_tried_is_sent_as_a_browser_sends_it(
    options: str, sent: str | None, use: bool | None
) -> None:
    found = read(f'<form action="/find"><input name="q">{options}</form>')
    said = FormDescription(form="a", page=URL, inputs={"o": DescribedInput(kind="option", use=use)})
    plan = planned(found, said, allows_post=False)
    assert [one.name for one in plan.inputs] == (["q", "o"] if use is None else ["q"])
    assert dict(sent_by(plan, q="word")) == {"q": "word"} | ({} if sent is None else {"o": sent})


def test_what_the_file_fixes_and_what_is_tried_count_before_the_page() -> None:
    found = read('<form action="/find"><input name="q"><select name=o><option>a<option>b</select></form>')
    plan = planned(found, FormDescription(form="a", page=URL), allows_post=False)
    assert sent_by(plan, o="b") == [("o", "b"), ("q", "")]
    fixed = FormDescription(form="a", page=URL, inputs={"o": DescribedInput(kind="option", fixed="b")})
    plan = planned(found, fixed, allows_post=False)
    assert sent_by(plan) == [("o", "b"), ("q", "")]


def test_a_list_of_one_value_is_sent_with_it() -> None:
    """As a browser does: there is nothing to choose, and nothing to probe."""
    markup = '<form action="/find"><input name="q"><select name="db"><option>main</option></select></form>'
    plan = planned(read(markup), FormDescription(form="a", page=URL), allows_post=False)
    assert ([one.name for one in plan.inputs], plan.always) == (["q"], {"db": "main"})


FLAGS = """<form action="/find"><input name="q">
  <label><input type="checkbox" name="new" value="1"> New</label>
  <input type="checkbox" name="full" checked> Full text
  <input type="checkbox" name="in" value="t" checked> Title
  <input type="checkbox" name="in" value="a" checked> Author
  <input type="checkbox" name="in" value="s"> Subject</form>
"""


def plan_with(**inputs: DescribedInput) -> FormPlan:
    return planned(read(FLAGS), FormDescription(form="a", page=URL, inputs=inputs), allows_post=False)


def test_check_boxes_are_sent_as_they_stand_on_the_page() -> None:
    plan = plan_with()
    assert [one.name for one in plan.inputs] == ["q"]
    checked = [("full", "on"), ("in", "a"), ("in", "t")]
    assert sent_by(plan, q="word") == [*checked, ("q", "word")]
    kept = navigation_plan(read(FLAGS), 1, {"q": "word"})
    assert sent_by(kept) == [*checked, ("q", "word")]


def test_check_boxes_are_tried_where_the_file_says_so() -> None:
    tried = {name: DescribedInput(kind="flag", use=True) for name in ("new", "in")}
    plan = plan_with(**tried)
    assert {one.name: one.values for one in plan.inputs} == {"q": (), "new": ("1",), "in": ("t", "a", "s")}
    assert sent_by(plan, new="1") == [("full", "on"), ("in", "a"), ("in", "t"), ("new", "1"), ("q", "")]
    assert sent_by(plan, **{"in": "s"}) == [("full", "on"), ("in", "s"), ("q", "")]
    prober = Prober(plan.inputs)
    prober.words_work = False
    asked = []
    while (probe := prober.next()) is not None:
        asked.append(probe.query)
        prober.take(Answered(probe=probe, kind="none"))
    assert sorted(asked) == ["in=a", "in=s", "in=t", "new=1"]


def test_what_the_file_fixes_of_a_check_box_is_sent() -> None:
    plan = plan_with(
        full=DescribedInput(kind="flag", fixed="off"), new=DescribedInput(kind="flag", fixed="1")
    )
    assert sent_by(plan) == [("full", "off"), ("in", "a"), ("in", "t"), ("new", "1"), ("q", "")]


def test_inputs_that_the_form_does_not_have_are_told() -> None:
    inputs = {name: DescribedInput(kind="text") for name in ("w", "year_to", "op", "wrods", "url3")}
    said = FormDescription(form="a", page=URL, inputs=inputs)
    assert unknown_inputs(read(CATALOGUE), said) == ["wrods", "url3"]


@pytest.mark.parametrize(
    ("page", "said", "delay"),
    [
        ("https://a.example/", 2.0, 5.0),
        ("https://a.example/", 9.0, 9.0),
        ("http://127.0.0.1:8000/", 0.0, 0.25),
        ("http://127.0.0.1:8000/", 3.0, 3.0),
    ],
)
def test_a_file_may_slow_a_form_down_and_never_speed_it_up(page: str, said: float, delay: float) -> None:
    settings = Settings({"DOWNLOAD_DELAY": 0.25, "FORMS_DELAY": 5.0})
    set_pace(settings, [page], said)
    assert settings.getfloat("DOWNLOAD_DELAY") == delay
