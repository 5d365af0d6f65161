"""FOREST and COVERAGE on sibling pages that show one behaviour each."""

from __future__ import annotations

from dataclasses import replace

import pytest

from archiver.articles.methods.reference import forest
from archiver.articles.methods.registry import method_of
from archiver.articles.model import ParsedPage, Selection
from archiver.documents.pages.dom import parse_markup
from archiver.documents.pages.model import Announcement

FOREST = ["forest-tfidf", "forest-feeds"]
ALL = [*FOREST, "coverage"]

STORIES = {
    "Night ferry returns": [
        "The ferry sails at night from the harbour.",
        "The ferry carries dogs, and the captain of the ferry sleeps by day.",
        "A ferry without a captain waits in the harbour.",
    ],
    "Whale seen off the cliffs": [
        "A whale passed below the cliffs.",
        "Children counted the whale twice; the whale breathed.",
        "From the cliffs a guide explained what a whale eats. Cliffs and whale were photographed.",
    ],
    "Bakery wins the bread prize": [
        "The bakery kneads rye bread before dawn.",
        "Judges tasted the bread blind, and the bakery won the prize for its bread.",
        "The baker will spend the prize on an oven for the bakery.",
    ],
}
FERRY = " ".join(STORIES["Night ferry returns"])
NOTHING = Announcement()
MENU = "<div id='menu'><a href='/'>Home</a> <a href='/sport'>Football</a> <a href='/sea'>Sea</a></div>"
FOOT = "<div id='foot'>Island Post, twelve Quay Street. Letters to the editor are welcome.</div>"


def parsed(markup: str, announcement: Announcement = NOTHING, language: str = "en") -> ParsedPage:
    tree = parse_markup(markup)
    assert tree is not None
    url = "https://example.org/"
    return ParsedPage(
        url=url,
        base_url=url,
        tree=tree,
        language=language,
        announcement=announcement,
    )


def siblings(template: str, count: int = 3) -> list[ParsedPage]:
    """Pages of one template, in which `{n}`, `{title}` and `{text}` are each page's own."""
    pages = []
    for number, (title, story) in enumerate(list(STORIES.items())[:count]):
        text = "".join(f"<p>{sentence}</p>" for sentence in story)
        body = template.format(n=number, title=title, text=text)
        announcement = Announcement(title=title, summary=" ".join(story[:2]), language="en")
        pages.append(parsed(f"<title>{title}</title><body>{body}</body>", announcement))
    return pages


def chosen(method: str, pages: list[ParsedPage]) -> list[str | None]:
    """For each page the id or else the tag of the node that was selected."""
    found = method_of(method).find(pages, ()).selections
    return [None if one is None else one.node.get("id") or one.node.tag for one in found]


def first(method: str, pages: list[ParsedPage]) -> Selection:
    found = method_of(method).find(pages, ()).selections[0]
    assert found is not None
    return found


# ── The formulas, with the paper's numbers ───────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("x", "y", "expected"), [(1, 0, 0.32), (8, 20, 0.21), (3, 5, 0.22)])
def test_density_is_sure_only_with_many_terms(x: int, y: int, expected: float) -> None:
    assert forest.density(x, y) == pytest.approx(expected, abs=0.005)


@pytest.mark.parametrize(("x", "y", "expected"), [(10, 26, 22.7), (3, 1, 5.6)])
def test_unexpectedness_favours_much_text_rich_in_signifiers(x: int, y: int, expected: float) -> None:
    assert forest.unexpectedness(x, y, 20, 100) == pytest.approx(expected, abs=0.05)


def test_nothing_is_neither_dense_nor_unexpected() -> None:
    assert forest.density(0, 0) == 0
    assert forest.unexpectedness(0, 0, 0, 0) == 0
    assert forest.unexpectedness(5, 0, 5, 0) == 0
    assert forest.density(0, 3) == 0


# ── Types and patterns ───────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("value", "expected"),
    [("post wrapper-09", "post"), ("post-1234", "post-"), ("42", ""), ("", ""), (" a1b\tc", "ab")],
)
def test_tolerant_form_is_the_first_token_without_digits(value: str, expected: str) -> None:
    assert forest.tolerant(value) == expected


def test_elements_are_numbered_as_they_begin_and_levels_count_from_the_body() -> None:
    page = forest.Numbered(parsed("<body><div id='a'><p>x</p><p>y</p></div><div id='b'>z</div>"))
    assert [(node.element.tag, node.dfs, node.level) for node in page.nodes] == [
        ("body", 1, 1),
        ("div", 2, 2),
        ("p", 3, 3),
        ("p", 4, 3),
        ("div", 5, 2),
    ]


def test_type_has_the_attributes_or_else_the_number() -> None:
    page = forest.Numbered(parsed("<div id='post-7' class='story wide'><p>x</p></div>"))
    _, story, paragraph = (node.pattern for node in page.nodes)
    assert story == forest.Pattern("div", (("class", "story"), ("id", "post-")), 2)
    assert paragraph == forest.Pattern("p", (("dfs", "3"),), 3)


def test_same_type_on_two_levels_is_two_patterns() -> None:
    page = forest.Numbered(parsed("<div class='idem'><div class='idem'>x</div></div>"))
    _, outer, inner = (node.pattern for node in page.nodes)
    assert outer.attributes == inner.attributes
    assert outer != inner


def test_wrapper_is_an_xpath_with_its_possible_positions() -> None:
    extra = siblings(MENU + "<p>New today</p><div class='story s{n}'><h1>{title}</h1>{text}</div>", 1)
    pages = extra + siblings(MENU + "<div class='story s{n}'><h1>{title}</h1>{text}</div>")[1:]
    evidence = first("forest-tfidf", pages).evidence
    assert evidence["wrapper"] == '//div[contains(@class, "story") and (@dfs=6 or @dfs=7)]'
    assert evidence["pages"] == 3


def test_xpath_can_be_written_whatever_the_attributes_are() -> None:
    pattern = forest.Pattern("div", (("class", 'a"b'), ("id", "")), 2)
    wrapper = forest.PatternWrapper(pattern=pattern, relevance=1.0, pages=1, positions=(4,))
    assert wrapper.xpath == '//div[contains(@class, "a") and @id and (@dfs=4)]'


# ── Signifiers ───────────────────────────────────────────────────────────────────────────────────────────


def test_signifiers_are_the_ten_terms_that_the_siblings_do_not_share() -> None:
    pages = [forest.Numbered(page) for page in siblings("{text}<p>island island island</p>")]
    ferry, whale, _ = forest.tfidf_signifiers(pages)
    assert len(ferry) == len(whale) == forest.K
    assert next(iter(ferry)) == "ferri"
    assert ferry["ferri"] == 1.0
    assert set(ferry).isdisjoint(whale)
    assert "island" not in ferry


def test_one_page_alone_is_weighed_by_frequency() -> None:
    (weights,) = forest.tfidf_signifiers([forest.Numbered(parsed(f"<p>{FERRY}</p>"))])
    assert list(weights)[:3] == ["ferri", "harbour", "captain"]
    assert len(weights) <= forest.K


def test_terms_of_the_entry_are_stemmed_as_those_of_the_page() -> None:
    announcement = Announcement(title="The ferries", language="zh")
    (weights,) = forest.feed_signifiers([forest.Numbered(parsed(f"<p>{FERRY}</p>", announcement))])
    assert list(weights) == ["ferri"]


def test_entry_of_many_terms_has_ten_signifiers() -> None:
    words = " ".join(f"harbour{chr(97 + one)} " * (30 - one) for one in range(24))
    page = parsed(f"<p>{FERRY}</p>", Announcement(title="Ferry", summary=words, language="en"))
    (weights,) = forest.feed_signifiers([forest.Numbered(page)])
    assert len(weights) == forest.K == 10
    assert set(weights.values()) == {1.0}


def test_page_without_terms_has_no_signifiers() -> None:
    pages = [forest.Numbered(parsed("<p>&nbsp;</p>")), forest.Numbered(parsed("<p>The and of</p>"))]
    assert forest.tfidf_signifiers(pages) == [{}, {}]
    assert forest.feed_signifiers(pages) == [{}, {}]


# ── The wrapper ──────────────────────────────────────────────────────────────────────────────────────────

PLAIN = MENU + "<div id='story'><h1>{title}</h1>{text}</div>" + FOOT


@pytest.mark.parametrize("method", ALL)
def test_pattern_that_the_words_of_all_pages_single_out_is_the_article(method: str) -> None:
    assert chosen(method, siblings(PLAIN)) == ["story"] * 3


@pytest.mark.parametrize("method", ALL)
def test_names_that_vary_from_page_to_page_are_one_type(method: str) -> None:
    template = MENU + "<div id='story-{n}' class='post p{n}'><h1>{title}</h1>{text}</div>" + FOOT
    assert chosen(method, siblings(template)) == ["story-0", "story-1", "story-2"]


@pytest.mark.parametrize("method", ALL)
def test_container_without_attributes_is_found_by_its_number(method: str) -> None:
    pages = siblings(MENU + "<section><h1>{title}</h1>{text}</section>" + FOOT)
    assert chosen(method, pages) == ["section"] * 3
    assert "@dfs=6" in str(first(method, pages).evidence["wrapper"])


@pytest.mark.parametrize("method", FOREST)
def test_list_that_names_the_siblings_is_not_the_article(method: str) -> None:
    titles = "".join(f"<li>{title}</li>" for title in STORIES)
    assert chosen(method, siblings(PLAIN + f"<ul id='recent'>{titles}</ul>")) == ["story"] * 3


def test_coverage_prefers_the_deepest_pattern_with_all_signifiers() -> None:
    template = "<div id='outer'><div id='inner'><p>{title}</p>{text}</div><p>Same, same</p></div>"
    assert chosen("coverage", siblings(template)) == ["inner"] * 3


def test_relevance_is_the_sum_times_the_pages_times_the_level() -> None:
    pages = siblings(PLAIN)
    numbered = [forest.Numbered(page) for page in pages]
    weights = forest.tfidf_signifiers(numbered)
    marked = [forest.Marked(page, weight) for page, weight in zip(numbered, weights, strict=True)]
    stories = [next(node for node in page.nodes if node.element.get("id") == "story") for page in marked]
    total = sum(forest.informativeness(page, node) for page, node in zip(marked, stories, strict=True))
    assert first("forest-tfidf", pages).evidence["relevance"] == pytest.approx(total * 3 * 2, abs=0.001)


def test_page_whose_entry_is_empty_has_the_wrapper_of_its_siblings() -> None:
    pages = siblings(PLAIN, 2)
    silent = parsed(f"<body>{PLAIN.format(title='Fog', text='<p>Fog again over the island.</p>')}")
    assert chosen("forest-feeds", [*pages, silent]) == ["story"] * 3
    found = method_of("forest-feeds").find([*pages, silent], ()).selections[2]
    assert found is not None
    assert found.confidence == 0.0


@pytest.mark.parametrize("method", ALL)
def test_page_of_another_template_has_no_article(method: str) -> None:
    other = parsed("<body><table><tr><td>Nothing of this kind</td></tr></table>")
    assert chosen(method, [*siblings(PLAIN), other])[3] is None


@pytest.mark.parametrize("method", ALL)
def test_page_alone_has_an_article(method: str) -> None:
    assert chosen(method, siblings(PLAIN, 1)) != [None]


@pytest.mark.parametrize("method", ALL)
def test_identical_pages_are_weighed_by_frequency(method: str) -> None:
    (page,) = siblings(PLAIN, 1)
    assert None not in chosen(method, [page, page])


def test_confidence_is_the_share_of_signifiers_and_of_pages() -> None:
    found = first("forest-tfidf", siblings(PLAIN))
    assert 0.8 < found.confidence <= 1.0


def test_chinese_siblings_that_claim_to_be_english_are_told_apart() -> None:
    texts = [
        "夜班渡轮重返旧港。渡轮从旧港启航。渡轮的船长说渡轮很快。",
        "鲸鱼游过悬崖。孩子们数了鲸鱼。鲸鱼在悬崖下呼吸。",
        "面包店赢得大奖。面包店的面包很香。评委喜欢面包。",
    ]
    template = (
        "<div id='menu'>首页 体育 天气</div><div id='story'><p>{}</p></div><div>版权所有 岛屿邮报</div>"
    )
    pages = [parsed(template.format(text.replace("。", "</p><p>"))) for text in texts]
    assert chosen("forest-tfidf", pages) == ["story"] * 3


@pytest.mark.parametrize("method", ALL)
@pytest.mark.parametrize(
    "markup", ["<html><head><title>Only a title</title></head></html>", "<frameset>", "<p>x", "<p>&nbsp;</p>"]
)
def test_odd_pages_give_no_article_and_spoil_none(method: str, markup: str) -> None:
    odd = parsed(markup)
    assert chosen(method, [odd]) == [None]
    assert chosen(method, [odd, *siblings(PLAIN)])[1:] == ["story"] * 3


@pytest.mark.parametrize("method", ALL)
def test_no_pages_give_no_articles(method: str) -> None:
    assert method_of(method).find([], ()).selections == []


# ── What the paper tries both ways ───────────────────────────────────────────────────────────────────────


def tried(pages: list[ParsedPage], **choices: bool | int) -> list[Selection | None]:
    method = replace(forest.FOREST_TFIDF, choices=forest.Choices(**choices))  # type: ignore[arg-type]
    return list(method.find(pages, ()).selections)


def test_names_with_numbers_are_one_pattern_only_in_their_tolerant_form() -> None:
    pages = siblings("<div><div id='story-{n}'>{text}</div></div>" + FOOT)
    assert [one and one.node.get("id") for one in tried(pages)] == ["story-0", "story-1", "story-2"]
    assert not any(one and one.node.get("id") for one in tried(pages, is_tolerant=False))


def test_without_the_level_all_of_the_page_may_be_the_article() -> None:
    by_level, without = (tried(siblings(PLAIN), by_level=chosen) for chosen in (True, False))
    assert [one and one.node.get("id") for one in by_level] == ["story"] * 3
    assert [one and one.node.tag for one in without] == ["body"] * 3


def test_lists_of_links_are_left_out_of_the_count_and_of_the_article() -> None:
    links = "<ul id='more'><li><a href='/a'>Whale</a></li><li><a href='/b'>Ferry</a></li></ul>"
    pages = siblings(f"<div id='story'>{{text}}{links}<ul id='own'><li>Harbour</li></ul></div>")
    with_lists, without = tried(pages)[0], tried(pages, with_link_lists=False)[0]
    assert with_lists is not None
    assert without is not None
    assert not with_lists.dropped
    assert [one.get("id") for one in without.dropped] == ["more"]


def test_number_of_signifiers_is_a_choice() -> None:
    pages = [forest.Numbered(page) for page in siblings(PLAIN)]
    assert [len(one) for one in forest.tfidf_signifiers(pages, 3)] == [3, 3, 3]
    assert len(forest.feed_signifiers(pages, 1)[0]) == 1
