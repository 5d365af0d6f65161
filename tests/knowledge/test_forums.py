"""What is known of forums: phpBB in two styles, vBulletin 3 and 4."""

from __future__ import annotations

import pytest

from tests.knowledge.entries import detected, leads, read


def phpbb(section: str, inside: str) -> str:
    return f'<html><body id="phpbb" class="section-{section} ltr">{inside}</body></html>'


def test_the_way_through_phpbb() -> None:
    forums = phpbb("index", '<a href="./viewforum.php?f=3&amp;sid=12ab" class="forumtitle">Boats</a>')
    assert detected(forums) == "phpbb"
    assert leads(read("phpbb", forums)) == {"forums": ["viewforum.php?f=3"]}
    threads = """<a href="./viewtopic.php?f=3&amp;t=8&amp;sid=12ab" class="topictitle">The ferry</a>
    <a href="./memberlist.php?mode=viewprofile&amp;u=2">Ada</a><div class="pagination"><a href="#">Page</a>
    <span><a href="./viewforum.php?f=3&amp;start=25&amp;sid=12ab">2</a></span></div>"""
    assert leads(read("phpbb", phpbb("viewforum", threads))) == {
        "threads": ["viewtopic.php?f=3&t=8"],
        "pages": ["viewforum.php?f=3&start=25"],
    }


PROSILVER = phpbb(
    "viewtopic",
    """<div id="page-body"><h2 class="topic-title"><a href="./viewtopic.php?t=8">The ferry</a></h2>
    <div id="p12" class="post bg2"><div class="postbody"><h3><a href="#p12">The ferry</a></h3>
    <p class="author">by <strong><a class="username" href="#">Ada</a>
</strong> » Wed Jun 11, 2014 1:04 am</p>
    <div class="content">It left at noon.</div></div></div></div>""",
)
SUBSILVER = """<html><head><meta name="copyright" content="2002-2006 phpBB Group"></head><body class="ltr">
<div id="pageheader"><h2><a class="titles" href="./viewtopic.php?t=8">The ferry</a></h2></div>
<div id="pagecontent">
<table class="tablebg"><tr class="row1"><td><a name="p12"></a><b class="postauthor">Ada</b></td><td>
<table><tr>
<td class="gensmall"><div><b>Post subject:</b> The ferry</div>
<div><b>Posted:</b> Wed Jun 11, 2014 1:04 am</div></td>
</tr></table></td></tr><tr class="row1"><td>n00b</td><td><table><tr><td>
<div class="postbody">It left at noon.</div></td>
</tr></table></td></tr></table></div></body></html>"""


@pytest.mark.parametrize("html", [PROSILVER, SUBSILVER], ids=["prosilver", "subsilver2"])
def test_posts_of_a_thread_of_phpbb(html: str) -> None:
    assert detected(html) == "phpbb"
    found = read("phpbb", html)
    assert (found.level, found.is_content, found.said.title) == ("thread", True, "The ferry")
    [post] = found.contributions
    assert (post.kind, post.key, post.author, post.text) == ("post", "p12", "Ada", "It left at noon.")
    assert post.published is not None
    assert post.published.text == "2014-06-11 01:04"


VB3 = '<html><head><script src="clientscript/vbulletin_global.js?v=387"></script></head>'
VB4 = '<html><head><meta name="generator" content="vBulletin 4.2.2"></head>'


@pytest.mark.parametrize(
    "html",
    [
        f'{VB3}<body><td id="f4"><div><a href="forumdisplay.php?f=4">Boats</a></div></td></body></html>',
        f'{VB3}<body><a class="forum" href="forumdisplay.php?f=4">Boats</a></body></html>',
        f'{VB4}<body><h2 class="forumtitle"><a href="forumdisplay.php?f=4&amp;s=e">Boats</a></h2></body>',
    ],
)
def test_the_forums_of_vbulletin(html: str) -> None:
    # A cell stands in a table.
    html = html.replace("<td", "<table><tr><td").replace("</td>", "</td></tr></table>")
    assert detected(html) == "vbulletin"
    found = read("vbulletin", html)
    assert (found.level, leads(found)) == ("forums", {"forums": ["forumdisplay.php?f=4"]})


def test_threads_and_posts_of_vbulletin() -> None:
    threads = f"""{VB3}<body><a href="showthread.php?t=8" id="thread_title_8">The ferry</a>
    <a href="showthread.php?t=8&amp;page=2">2</a><div class="pagenav">
<a rel="next" href="forumdisplay.php?f=4&amp;page=2">&gt;</a>
    <a href="forumdisplay.php?f=4&amp;page=120">Last</a></div></body></html>"""
    assert leads(read("vbulletin", threads)) == {
        "threads": ["showthread.php?t=8"],
        "pages": ["forumdisplay.php?f=4&page=2"],
    }
    thread = f"""{VB3}<body><div class="breadcrumb"><strong>The ferry</strong></div><div id="posts">
<div id="edit12">
    <table class="tborder" id="post12"><tr><td class="thead">
<a href="showpost.php?p=12">1</a> 04-25-2015, 09:47 PM</td></tr>
    <tr><td><div id="postmenu_12"><a class="bigusername" href="member.php?u=2">Ada</a></div></td><td>
    <div id="post_message_12">It left at noon.</div></td></tr></table></div></div></body></html>"""
    found = read("vbulletin", thread)
    assert (found.level, found.said.title) == ("thread", "The ferry")
    [post] = found.contributions
    assert (post.key, post.author, post.text) == ("post12", "Ada", "It left at noon.")
    assert post.published is not None
    assert post.published.text == "2015-04-25 21:47"
