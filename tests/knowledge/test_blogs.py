"""What is known of blogs: WordPress in classic and block themes, Pelican, Jekyll, Hugo, Blogger."""

from __future__ import annotations

import pytest

from archiver.acquisition.sites.addresses import is_avoided
from tests.knowledge.entries import SITE, base, detected, leads, read

WORDPRESS = '<head><meta name="generator" content="WordPress 6.1.9"></head>'


def classic_comment(number: int, author: str, words: str, replies: str = "") -> str:
    return f"""<li id="comment-{number}" class="comment even depth-1"><article class="comment-body">
    <footer class="comment-meta"><div class="comment-author vcard"><b class="fn">
    <a href="http://{author.lower()}.example/" class="url">{author}</a></b><span class="says">says:</span>
</div>
    <div class="comment-metadata"><a href="{SITE}post/#comment-{number}">
    <time datetime="2026-05-0{number}T10:00:00+00:00">May</time></a></div></footer>
    <div class="comment-content"><p>{words}</p></div></article>{replies}</li>"""


ANSWER = classic_comment(2, "Bo", "So was I.")
CLASSIC = f"""<html>{WORDPRESS}<body class="post-template-default single single-post postid-7">
<article class="hentry"><h1 class="entry-title">The ferry</h1><div class="entry-content">
<p>It left at noon.</p></div>
<footer class="entry-footer"><span class="posted-on"><time class="entry-date published updated"
datetime="2026-05-01T09:00:00+00:00">May 1</time></span><span class="byline">By
<a href="/author/cy/" rel="author">Cy Dee</a></span><span class="cat-links">
<a href="/category/boats/">Boats</a></span>
<span class="tags-links"><a href="/tag/noon/">noon</a></span></footer></article>
<div id="comments"><ol class="comment-list">
{classic_comment(1, "Ada", "I was late.", f"<ol class='children'>{ANSWER}</ol>")}
</ol><nav class="navigation comments-pagination"><div class="nav-links">
<a class="prev page-numbers" href="{SITE}post/comment-page-2/#comments">Older</a>
<a class="page-numbers" href="{SITE}post/comment-page-1/#comments">1</a></div></nav></div>
<nav class="post-navigation"><a href="{SITE}before/" rel="prev">before</a></nav></body></html>"""
BLOCKS = f"""<html>{WORDPRESS}<body class="single single-post"><main>
<h1 class="wp-block-post-title">The ferry</h1>
<div class="entry-content wp-block-post-content"><p>It left at noon.</p></div>
<div class="wp-block-post-date"><time datetime="2026-05-01T09:00:00+00:00">May 1</time></div>
<div class="wp-block-post-author"><p class="wp-block-post-author__name">Cy Dee</p></div>
<div class="taxonomy-category wp-block-post-terms"><a href="/category/boats/">Boats</a></div>
<div class="taxonomy-post_tag wp-block-post-terms"><a href="/tag/noon/">noon</a></div>
<div class="wp-block-comments"><ol class="wp-block-comment-template">
<li id="comment-1" class="comment depth-1">
<div class="wp-block-comment-author-name"><a href="http://ada.example/">Ada</a></div>
<div class="wp-block-comment-date"><time datetime="2026-05-01T10:00:00+00:00"><a href="#">May</a></time>
</div>
<div class="wp-block-comment-content"><p>I was late.</p></div><ol>
<li id="comment-2" class="comment depth-2">
<div class="wp-block-comment-author-name">Bo</div>
<div class="wp-block-comment-date"><time datetime="2026-05-02T10:00:00+00:00">May</time></div>
<div class="wp-block-comment-content"><p>So was I.</p></div></li></ol></li></ol>
<a href="{SITE}post/comment-page-2/#comments" class="wp-block-comments-pagination-previous">Older</a></div>
</main></body></html>"""
# The comments of Twenty Twenty-Two are an older block, around markup of classic themes.
MIXED = (
    BLOCKS.partition('<div class="wp-block-comments">')[0]
    + f"""<div class="wp-block-post-comments">
<div class="navigation"><div class="alignleft"><a href="{SITE}post/comment-page-2/#comments">Older</a></div>
<div class="alignright"></div></div><ol class="commentlist">
{classic_comment(1, "Ada", "I was late.", f"<ol class='children'>{ANSWER}</ol>")}
</ol></div></main></body></html>"""
)


@pytest.mark.parametrize("html", [CLASSIC, BLOCKS, MIXED], ids=["classic", "blocks", "mixed"])
def test_a_post_of_wordpress_with_its_comments(html: str) -> None:
    assert detected(html) == "wordpress"
    found = read("wordpress", html, "post/")
    assert (found.level, found.is_content, found.failed) == ("post", True, ())
    assert found.said.title == "The ferry"
    assert found.said.authors == ("Cy Dee",)
    assert found.said.categories == ("Boats", "noon")
    assert [str(one.at) for one in found.said.dated][:1] == ["2026-05-01 09:00:00+00:00"]
    said = [
        (one.key, one.author, one.text, one.parent, str(one.published and one.published.utc)[:10])
        for one in found.contributions
    ]
    assert said == [
        ("comment-1", "Ada", "I was late.", None, "2026-05-01"),
        ("comment-2", "Bo", "So was I.", "comment-1", "2026-05-02"),
    ]
    assert leads(found) == {"older-comments": ["post/comment-page-2/"]}


@pytest.mark.parametrize(
    ("title", "older"),
    [
        (
            '<h2 class="entry-title"><a href="/one/">One</a></h2>',
            '<a class="next page-numbers" href="/page/2/">2</a>',
        ),
        (
            '<h2 class="wp-block-post-title"><a href="/one/">One</a></h2>',
            '<a class="wp-block-query-pagination-next" href="/page/2/">Next</a>',
        ),
    ],
)
def test_a_list_of_wordpress_leads_to_posts_and_to_older_ones(title: str, older: str) -> None:
    html = f'<html>{WORDPRESS}<body class="home blog">{title}<a href="/tag/x/">x</a>{older}</body></html>'
    found = read("wordpress", html)
    assert (found.level, found.is_content) == ("list", False)
    assert leads(found) == {"posts": ["one/"], "older": ["page/2/"]}


def test_a_page_that_is_not_there_is_of_no_level_of_wordpress() -> None:
    html = f'<html>{WORDPRESS}<body class="error404"><p>Nothing here</p></body></html>'
    assert read("wordpress", html).level == ""


def test_a_page_about_wordpress_is_not_of_it() -> None:
    html = '<html><body>WordPress <img src="/wp-content/a.png"><a href="/wp-content/x">x</a></body></html>'
    assert detected(html) is None


def test_a_post_of_a_block_theme_is_not_the_last_page_of_its_comments() -> None:
    wrong = f'<link rel="canonical" href="{SITE}post/comment-page-3/#comments">'
    found = read("wordpress", BLOCKS.replace("</head>", f"{wrong}</head>"), "post/")
    assert (found.canonical, found.is_content) == (None, True)
    assert "canonical" not in leads(found)


def test_the_sitemap_of_wordpress_is_asked_first() -> None:
    first = read("wordpress", CLASSIC).lists[0]
    assert (first.url, first.only) == (f"{SITE}wp-sitemap.xml", "wp-sitemap-posts-")


def test_a_post_of_pelican_and_its_archives() -> None:
    head = '<head><meta name="generator" content="Pelican"></head>'
    post = f"""<html>{head}<body><section id="content"><article><header><h1 class="entry-title">
    <a href="/ferry.html">The ferry</a></h1></header><div class="entry-content"><footer class="post-info">
    <abbr class="published" title="2026-05-01T09:00:00+00:00">Published: Fri</abbr>
    <address class="vcard author">By <a class="url fn" href="/author/cy.html">Cy Dee</a></address>
    <p>In <a href="/category/boats.html">Boats</a>.</p><p>tags: <a href="/tag/noon.html">noon</a></p>
</footer>
    <p>It left at noon.</p></div></article></section></body></html>"""
    found = read("pelican", post)
    assert detected(post) == "pelican"
    assert (found.level, found.said.title, found.said.authors) == ("post", "The ferry", ("Cy Dee",))
    assert found.said.categories == ("Boats", "noon")
    assert found.lists[0].url == f"{SITE}archives.html"
    listed = (
        '<section id="content"><dl><dt>Fri</dt><dd><a href="/ferry.html">The ferry</a></dd></dl></section>'
    )
    archives = read("pelican", f"<html>{head}<body>{listed}</body></html>")
    assert (archives.level, leads(archives)) == ("archives", {"posts": ["ferry.html"]})


def test_a_post_of_jekyll_and_its_list() -> None:
    head = '<head><meta name="generator" content="Jekyll v4.3.1"></head>'
    post = f"""<html>{head}<body><article class="post h-entry" itemtype="http://schema.org/BlogPosting">
    <header class="post-header"><h1 class="post-title p-name">The ferry</h1>
    <time class="dt-published" datetime="2026-05-01T09:00:00+00:00">May</time>
    <span itemprop="author"><span class="p-author h-card">Cy Dee</span></span></header>
    <div class="post-content e-content"><p>It left.</p></div></article></body></html>"""
    found = read("jekyll", post)
    assert detected(post) == "jekyll"
    assert (found.level, found.said.title, found.said.authors) == ("post", "The ferry", ("Cy Dee",))
    listed = (
        '<ul class="post-list"><li><h3><a class="post-link" href="/2026/ferry.html">Ferry</a></h3></li></ul>'
    )
    menu = '<nav class="site-nav"><a class="page-link" href="/about.html">About</a></nav>'
    home = f"<html>{head}<body>{menu}{listed}</body></html>"
    assert leads(read("jekyll", home)) == {"posts": ["2026/ferry.html"], "pages": ["about.html"]}


def test_a_post_of_hugo_by_what_its_templates_say() -> None:
    head = '<meta name="generator" content="Hugo 0.111.3"><meta property="og:type" content="website">'
    home = f"<html><head>{head}</head>"
    listed = '<article><h2><a href="/posts/ferry/">The ferry</a></h2></article><ul class="pagination"><li>'
    listed += '<a href="/page/2/" aria-label="Next">»</a></li></ul>'
    assert detected(f"{home}<body>{listed}</body></html>") == "hugo"
    found = read("hugo", f"{home}<body>{listed}</body></html>")
    assert leads(found) == {"posts": ["posts/ferry/"], "older": ["page/2/"]}
    assert found.lists[0].url == f"{SITE}sitemap.xml"
    post = read(
        "hugo",
        """<html><head><meta property="og:title" content="The ferry">
<meta property="og:type" content="article">
        <meta property="article:published_time" content="2026-05-01T09:00:00+00:00"></head>
        <body><main><article><p>It left at noon.</p></article></main></body></html>""",
    )
    assert (post.level, post.said.title) == ("post", "The ferry")
    assert str(post.said.dated[0].at) == "2026-05-01 09:00:00+00:00"


def test_blogger_is_told_and_left_to_the_extractor() -> None:
    html = "<html><head><meta content='blogger' name='generator'></head><body><p>Words</p></body></html>"
    assert detected(html) == "blogger"
    found = read("blogger", html)
    assert (found.level, found.follow, found.is_content) == ("", (), True)


def test_what_ships() -> None:
    assert set(base().types) == {
        *("wordpress", "pelican", "jekyll", "hugo", "blogger", "mkdocs-material", "sphinx"),
        *("mediawiki", "dokuwiki", "redmine", "phpbb", "vbulletin"),
    }


@pytest.mark.parametrize(
    "item", ["page_item page-item-2", "wp-block-pages-list__item", "menu-item-object-page"]
)
def test_menus_of_wordpress_lead_to_pages(item: str) -> None:
    menu = f'<ul><li class="{item}"><a href="/about/">About</a></li></ul>'
    titled = '<h2 class="entry-title"><a href="/post/">The ferry</a></h2>'
    lists = read("wordpress", f'<html>{WORDPRESS}<body class="home blog">{menu}{titled}</body></html>')
    assert leads(lists) == {"posts": ["post/"], "pages": ["about/"]}
    first = read("wordpress", f'<html>{WORDPRESS}<body class="home page">{menu}</body></html>')
    assert leads(first) == {"pages": ["about/"]}


def test_plain_addresses_of_wordpress() -> None:
    avoid = base().types["wordpress"].avoid
    assert not is_avoided(f"{SITE}?p=7", avoid)
    assert not is_avoided(f"{SITE}?page_id=2", avoid)
    assert is_avoided(f"{SITE}?p=7&replytocom=3", avoid)
    named = [one.url for one in read("wordpress", f"<html>{WORDPRESS}<body></body></html>").lists]
    assert f"{SITE}?sitemap=index" in named


@pytest.mark.parametrize("kind", ["hugo", "jekyll"])
def test_the_author_of_a_theme_of_its_own(kind: str) -> None:
    html = """<html><head><meta property="og:type" content="article">
    <meta property="og:title" content="The ferry">
    <meta name="author" content="The editors"></head><body><main><article><h1>The ferry</h1>
    <p>by <span class="author">Cy Dee</span></p><p>It left at noon.</p></article></main></body></html>"""
    assert read(kind, html, "post/").said.authors == ("Cy Dee",)
