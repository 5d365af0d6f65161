"""A blog that runs on Quill, an application that a knowledge file tells of, in two templates."""

from __future__ import annotations

from dataclasses import dataclass

from archiver.acquisition.sites.adaptation.sampling import PageToAdapt
from archiver.acquisition.sites.knowledge.loading import read_type
from archiver.acquisition.sites.reading import SitePage, VisitedDocument, site_page

HOST = "quill.example"
# It knows the first template alone.
KNOWLEDGE = """\
format: 1
type: quill
name: Quill
category: blog
detect:
  - meta[@name='generator'][starts-with(@content,'Quill ')]
levels:
  - name: list
    kind: intermediate
    detect: body.index
    follow:
      - {id: posts, to: post, expect: some, path: "li.entry/a/@href"}
  - name: post
    kind: terminal
    detect: body.post
    extract:
      - {field: title, expect: one, path: h1.title}
      - {field: author, path: span.byline/a.author}
      - {field: published, as: date, path: "time.published/@datetime"}
      - {field: modified, as: date, path: "time.modified/@datetime"}
      - {field: body, as: html, expect: one, path: div.text}
    follow:
      - {id: older-comments, to: post, repeat: true, path: "a.comments-previous/@href"}
    parts:
      - kind: comment
        each: li.comment
        key: "@id"
        extract:
          - {field: author, path: b.who}
          - {field: published, as: date, path: "time.when/@datetime"}
          - {field: body, as: html, path: div.said}
"""
WORDS = (
    "The ferry left the old harbour before noon with its lamps lit, because fog had come in from the sound "
    "and the pilot wanted the town to know. On the quay they could not say how long it would take. "
)
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")
AUTHORS = ("Ada Quill", "Bo Marsh", "Cy Dee")


@dataclass(frozen=True, slots=True, kw_only=True)
class Post:
    number: int
    is_edited: bool = False
    has_comments: bool = True

    @property
    def path(self) -> str:
        return f"ferry-{'abcdefghijklmnopqrstuvwxyz'[self.number]}/"

    @property
    def url(self) -> str:
        return f"http://{HOST}/{self.path}"

    @property
    def title(self) -> str:
        return f"{ORDINALS[self.number % 6].title()} ferry of the {ORDINALS[self.number // 6]} week"

    @property
    def author(self) -> str:
        return AUTHORS[self.number % 3]

    @property
    def published(self) -> str:
        return f"2026-05-{self.number + 1:02}T09:00:00+00:00"

    @property
    def modified(self) -> str:
        return f"2026-06-{self.number + 1:02}T10:00:00+00:00" if self.is_edited else self.published

    @property
    def text(self) -> str:
        own = " ".join(f"w{self.number}x{n}" for n in range(30))
        return f"{WORDS} Post {self.number} has words of its own: {own}."

    @property
    def comments(self) -> list[tuple[str, str, str, str]]:
        """Key, author, moment, words."""
        many = 1 + self.number % 3 if self.has_comments else 0
        return [
            (
                f"comment-{10 * self.number + n}",
                f"Reader{n} Of {self.number}",
                f"2026-05-{self.number + 1:02}T1{n}:30:00+00:00",
                f"I was there, and saw it for the {n}th time on day {self.number}.",
            )
            for n in range(many)
        ]


def first_template(post: Post, more: str = "") -> str:
    comments = "".join(
        f'<li class="comment" id="{key}"><b class="who">{who}</b> '
        f'<time class="when" datetime="{at}">May</time><div class="said"><p>{words}</p></div></li>'
        for key, who, at, words in post.comments
    )
    return f"""<html><head><title>{post.title} – Quill Gazette</title>
<meta name="generator" content="Quill 2.4"></head>
<body class="post"><div class="top">Quill Gazette</div><article><h1 class="title">{post.title}</h1>
<span class="byline">by <a class="author" href="/people/">{post.author}</a></span>
<time class="published" datetime="{post.published}">May</time>
<time class="modified" datetime="{post.modified}">June</time>
<div class="text"><p>{post.text}</p></div></article><ol>{comments}</ol>{more}</body></html>"""


def second_template(post: Post, more: str = "") -> str:
    """Other tags and names, in another order; around the comments as well."""
    comments = "".join(
        f'<section class="remark" id="{key}"><header><cite class="remark-name">{who}</cite>'
        f'<time class="remark-time" datetime="{at}">May</time></header><div class="remark-text">'
        f"<p>{words}</p></div></section>"
        for key, who, at, words in post.comments
    )
    return f"""<html><head><title>{post.title} – Quill Gazette</title>
<meta name="generator" content="Quill 3.0"></head>
<body class="post wide"><header class="masthead"><a href="/">Quill Gazette</a></header><main>
<p class="dateline"><time class="dateline-time" datetime="{post.published}">May</time></p>
<h2 class="headline">{post.title}</h2>
<div class="story"><p>{post.text}</p></div>
<p class="signed"><strong class="signed-name">{post.author}</strong></p>
<p class="changed"><time class="changed-time" datetime="{post.modified}">June</time></p>
<div class="remarks">{comments}</div>{more}</main></body></html>"""


def page_of(html: str, url: str) -> SitePage:
    document = VisitedDocument(
        url=url, content=html.encode(), content_type="text/html; charset=utf-8", status=200, scope=f"{HOST}/"
    )
    page = site_page(document)
    assert page is not None
    return page


def redesigned(posts: list[Post]) -> list[PageToAdapt]:
    """Posts as they are in the second template, with captures of the first."""
    return [
        PageToAdapt(now=page_of(second_template(one), one.url), before=page_of(first_template(one), one.url))
        for one in posts
    ]


quill = read_type(KNOWLEDGE.encode(), "quill.yaml").value
