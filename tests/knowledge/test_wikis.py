"""What is known of wikis, of documentation and of trackers: MediaWiki, DokuWiki, Redmine, MkDocs, Sphinx."""

from __future__ import annotations

import pytest

from archiver.acquisition.sites.known import without_avoided
from archiver.acquisition.sites.model import Followed, VisitRead
from tests.knowledge.entries import SITE, base, detected, leads, read

MEDIAWIKI = '<head><meta name="generator" content="MediaWiki 1.39.17"></head>'
TOOLS = """<ul><li id="t-specialpages"><a href="/index.php/Special:SpecialPages">Special pages</a></li>
<li id="ca-history"><a href="/index.php?title=Ferry&amp;action=history">History</a></li></ul>"""


def wiki_page(talk: str, last: str) -> str:
    return f"""<html>{MEDIAWIKI}<body class="mediawiki sitedir-ltr ns-0 ns-subject action-view">
    <h1 id="firstHeading"><span>The ferry</span></h1>
    <div id="mw-content-text"><div class="mw-parser-output">
<p>It left <a href="/index.php/Noon">noon</a></p></div>
    </div><div id="mw-normal-catlinks"><ul><li><a href="/index.php/Category:Boats">Boats</a></li></ul></div>
    <li id="ca-talk">{talk}</li>{last}{TOOLS}</body></html>"""


WRITTEN = '<a href="/index.php/Talk:Ferry">Discussion</a>'
UNWRITTEN = '<a href="/index.php?title=Talk:Ferry&amp;action=edit&amp;redlink=1">Discussion</a>'


@pytest.mark.parametrize("identifier", ["footer-info-lastmod", "lastmod"])
def test_a_page_of_mediawiki(identifier: str) -> None:
    last = f'<ul><li id="{identifier}"> This page was last edited on 7 May 2026, at 14:33.</li></ul>'
    html = wiki_page(WRITTEN, last)
    assert detected(html) == "mediawiki"
    found = read("mediawiki", html)
    assert (found.level, found.said.title, found.said.categories) == ("page", "The ferry", ("Boats",))
    assert [str(one.day) for one in found.said.dated] == ["2026-05-07"]
    assert leads(found) == {
        "talk": ["index.php/Talk:Ferry"],
        "special-pages": ["index.php/Special:SpecialPages"],
    }


def test_a_talk_page_that_is_not_written_is_not_asked_for() -> None:
    assert "talk" not in leads(read("mediawiki", wiki_page(UNWRITTEN, "")))


def test_signed_comments_of_mediawiki() -> None:
    user = '<a href="/index.php?title=User:{0}&amp;action=edit&amp;redlink=1">{0}</a>'
    html = f"""<html>{MEDIAWIKI}<body class="mediawiki ltr sitedir-ltr ns-1 ns-talk">
<h1 id="firstHeading">Talk:Ferry</h1>
    <div id="mw-content-text"><div class="mw-parser-output"><p>I was late. --{user.format("Ada")}</p>
    <p>Unsigned.</p><dl><dd>As {user.format("Ada")} says. {user.format("Bo")} 10:30, 2 May 2026 (UTC)</dd>
</dl>
    </div></div></body></html>"""
    found = read("mediawiki", html)
    assert (found.level, [one.author for one in found.contributions]) == ("talk", ["Ada", "Bo"])
    assert [one.published and one.published.text for one in found.contributions] == [
        None,
        "2026-05-02T10:30:00+00:00",
    ]
    assert found.contributions[0].text == "I was late. --Ada"


def test_lists_of_mediawiki() -> None:
    special = f"""<html>{MEDIAWIKI}<body class="mediawiki mw-special-Specialpages">
<div id="mw-content-text"><ul>
    <li class="mw-spcontent"><a href="/index.php/Special:AllPages">All pages</a></li></ul></div></body>
</html>"""
    assert leads(read("mediawiki", special)) == {"all-pages": ["index.php/Special:AllPages"]}
    pages = f"""<html>{MEDIAWIKI}<body class="mediawiki mw-special-Allpages">
    <div class="mw-allpages-nav"><a href="/index.php?title=Special:AllPages&amp;from=N">Next page (N)</a>
</div>
    <ul class="mw-allpages-chunk"><li><a href="/index.php/Ferry">Ferry</a></li></ul></body></html>"""
    assert leads(read("mediawiki", pages)) == {
        "pages": ["index.php/Ferry"],
        "next": ["index.php?title=Special:AllPages&from=N"],
    }


def test_a_page_and_the_index_of_dokuwiki() -> None:
    head = '<head><meta name="generator" content="DokuWiki"></head>'
    page = f"""<html>{head}<body><div id="dokuwiki__top" class="site dokuwiki mode_show">
    <main id="dokuwiki__content"><div class="page"><h1>The ferry</h1><div class="level1"><p>It left.</p>
</div></div></main>
    <div class="docInfo"><bdi>a/ferry.txt</bdi> · Last modified: 2026/05/07 16:03 by <bdi>ada</bdi></div>
    <a href="/doku.php?id=ferry&amp;do=edit">Edit</a></div></body></html>"""
    assert detected(page) == "dokuwiki"
    found = read("dokuwiki", page)
    assert (found.level, found.said.title) == ("page", "The ferry")
    assert [str(one.day) for one in found.said.dated] == ["2026-05-07"]
    assert found.lists[0].url == f"{SITE}?do=index"
    index = f"""<html>{head}<body><div id="dokuwiki__top" class="site dokuwiki mode_index">
<div id="index__tree"><ul>
    <li class="closed"><a href="/doku.php?id=start&amp;idx=boats" class="idx_dir">boats</a></li>
    <li><a href="/doku.php?id=start" class="wikilink1">start</a></li></ul></div></div></body></html>"""
    assert leads(read("dokuwiki", index)) == {
        "namespaces": ["doku.php?id=start&idx=boats"],
        "pages": ["doku.php?id=start"],
    }


REDMINE = '<head><meta name="description" content="Redmine"></head>'
DAY = '<a title="{0}" href="/projects/p/activity?from={1}">days</a> ago'


def test_a_topic_of_redmine_with_replies() -> None:
    html = f"""<html>{REDMINE}<body class="controller-messages action-show"><div id="content">
<h2>The ferry</h2>
    <div class="message"><p><span class="author">Added by <a class="user" href="/users/1">Cy Dee</a>
    {DAY.format("04/11/2026 02:08 PM", "2026-04-11")}</span></p><div class="wiki"><p>It left.</p></div>
</div>
    <div id="replies"><div class="message reply" id="message-9"><h4>
<a href="/boards/1/topics/8?r=9#message-9">RE:</a>
    Added by <a class="user" href="/users/2">Ada</a> {DAY.format("11/04/2026 03:00 AM", "2026-04-11")}</h4>
    <div class="wiki"><p>I was late.</p></div></div></div>
    <span class="pagination"><ul><li class="next page"><a href="/boards/1/topics/8?page=2">Next</a></li>
</ul></span>
    </div></body></html>"""
    assert detected(html) == "redmine"
    found = read("redmine", html)
    assert (found.level, found.said.title, found.said.authors) == ("topic", "The ferry", ("Cy Dee",))
    assert [str(one.day) for one in found.said.dated] == ["2026-04-11"]
    [reply] = found.contributions
    assert (reply.kind, reply.key, reply.author, reply.text) == ("post", "message-9", "Ada", "I was late.")
    assert reply.published is not None
    assert reply.published.text == "2026-04-11 03:00"
    assert leads(found) == {"replies": ["boards/1/topics/8?page=2"]}


def test_comments_on_news_of_redmine_stand_behind_their_headings() -> None:
    said = "".join(
        f"""<h4>Added by <a class="user" href="/users/2">{author}</a>
        {DAY.format("05/17/2026 04:03 PM", "2026-05-17")}
        </h4><div class="wiki"><p>{words}</p></div>"""
        for author, words in (("Ada", "I was late."), ("Bo", "So was I."))
    )
    html = f"""<html>{REDMINE}<body class="controller-news action-show"><div id="content"><h2>The ferry</h2>
    <p><span class="author">Added by <a class="user" href="/users/1">Cy Dee</a></span></p>
<div class="wiki"><p>It left.</p></div>
    <div id="comments"><h3>Comments</h3>{said}</div></div></body></html>"""
    found = read("redmine", html)
    assert [(one.author, one.text) for one in found.contributions] == [
        ("Ada", "I was late."),
        ("Bo", "So was I."),
    ]
    assert len({one.key for one in found.contributions}) == 2


def test_an_issue_of_redmine_with_notes() -> None:
    html = f"""<html>{REDMINE}<body class="controller-issues action-show"><div id="content"><h2>Bug #14</h2>
    <div class="issue details"><div class="subject"><div><h3>The ferry</h3></div></div>
    <p class="author">Added by <a class="user" href="/users/1">Cy Dee</a>
    {DAY.format("05/01/2026 03:51 AM", "2026-05-01")}.
    Updated {DAY.format("05/17/2026 04:03 PM", "2026-05-17")}.</p>
    <div class="description"><div class="wiki"><p>It left.</p></div></div></div>
    <div id="history"><div id="tab-content-history"><div id="change-1" class="journal"><h4>status</h4></div>
    <div id="change-2" class="journal has-notes"><div id="note-1"><h4>
<a class="user" href="/users/2">Ada</a>
    {DAY.format("05/17/2026 04:03 PM", "2026-05-17")}</h4><div class="wiki"><p>I was late.</p></div></div>
</div>
    </div></div></div></body></html>"""
    found = read("redmine", html)
    assert (found.level, found.said.title) == ("issue", "The ferry")
    assert [str(one.day) for one in found.said.dated] == ["2026-05-01", "2026-05-17"]
    assert [(one.key, one.author, one.text) for one in found.contributions] == [
        ("change-2", "Ada", "I was late.")
    ]


def test_the_way_through_redmine_without_what_its_robots_txt_forbids() -> None:
    projects = f"""<html>{REDMINE}<body class="controller-projects action-index"><div id="main-menu"><ul>
    <li><a class="activity" href="/activity">Activity</a></li><li>
<a class="issues" href="/issues">Issues</a></li>
    <li><a class="news" href="/news">News</a></li></ul></div>
    <div id="projects-index"><a class="project" href="/projects/p">P</a></div></body></html>"""
    assert leads(read("redmine", projects)) == {
        "projects": ["projects/p"],
        "issues": ["issues"],
        "news": ["news"],
    }
    board = f"""<html>{REDMINE}<body class="controller-boards action-show"><table><tr class="message">
    <td class="subject"><a href="/boards/1/topics/8">The ferry</a></td>
    <td class="last_message"><a href="/boards/1/topics/8?r=9#message-9">RE</a></td></tr></table></body>
</html>"""
    assert leads(read("redmine", board)) == {"topics": ["boards/1/topics/8"]}


def test_a_post_of_mkdocs_material() -> None:
    html = """<html><head><meta name="generator" content="mkdocs-1.6.1, mkdocs-material-9.7.7"></head><body>
    <div class="md-content md-content--post"><ul class="md-post__meta"><li>
<time datetime="2026-05-01 09:00:00+00:00">May
    </time></li><li><span>in <a href="/blog/category/boats/">Boats</a></span></li></ul>
    <article class="md-content__inner"><nav class="md-tags"><span class="md-tag">noon</span></nav>
<h1>The ferry</h1>
    <p>It left.</p></article></div></body></html>"""
    assert detected(html) == "mkdocs-material"
    found = read("mkdocs-material", html)
    assert (found.level, found.said.title) == ("post", "The ferry")
    assert set(found.said.categories) == {"noon", "Boats"}
    assert str(found.said.dated[0].at) == "2026-05-01 09:00:00+00:00"


def test_a_sitemap_of_mkdocs_is_read_without_lists_that_show_posts_once_more() -> None:
    paths = ["blog/2026/05/01/ferry/", "blog/category/boats/page/2/", "blog/archive/2026/", "tags/", "guide/"]
    listed = VisitRead(follow=tuple(Followed(url=SITE + path, action="sitemap") for path in paths))
    kept = without_avoided(listed, base().types["mkdocs-material"])
    assert leads(kept) == {"sitemap": ["blog/2026/05/01/ferry/", "guide/"]}


def test_a_post_of_sphinx_with_ablog() -> None:
    head = '<head><script src="../_static/documentation_options.js"></script></head>'
    html = f"""<html>{head}<body><div class="body"><section id="ferry">
<h1>The ferry<a class="headerlink" href="#f">¶</a></h1>
    <p>It left.</p></section></div><div class="ablog-sidebar-item ablog__postcard"><h2><i></i>
<span>01 May 2026</span></h2>
    <ul><li id="ablog-sidebar-item author ablog__author"><a href="../author/cy/">Cy Dee</a></li>
    <li id="ablog-sidebar-item tags ablog__tags"><a href="../tag/noon/">noon</a></li></ul></div></body>
</html>"""
    assert detected(html) == "sphinx"
    found = read("sphinx", html)
    assert (found.level, found.said.title, found.said.authors) == ("post", "The ferry", ("Cy Dee",))
    assert [str(one.day) for one in found.said.dated] == ["2026-05-01"]
    archive = f"""<html>{head}<body><div class="section ablog__catalog_header">
<div class="section ablog__catalog_post">
    <p><span>01 May</span> - <a href="/blog/ferry/">The ferry</a></p></div></div></body></html>"""
    assert leads(read("sphinx", archive)) == {"posts": ["blog/ferry/"]}
