"""A site that tries to run scripts in whatever shows it: by titles, texts, addresses, styles and images."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.crawl.documents import Entry, prose, rss
from tests.crawl.site import Answer, html

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.crawl.site import Site

# What every attack does where it succeeds: it marks the page, and calls home.
_RUN = (
    "(top||self).marked=1;self.marked=1;document.documentElement.dataset.marked=1;"
    "new Image().src='{home}/marked'"
)
_RIGHT_TO_LEFT = "\u202egnirts desrever\u2066"
_MEGABYTE = "A title without an end " * 45_000


def attacks(home: str) -> list[str]:
    """Markup that runs a script where it is not escaped, or where something undoes that."""
    run = _RUN.format(home=home)
    return [
        f"<script>{run}</script>",
        f'"><script>{run}</script>',
        f"'-({run})-'",
        f"</title></textarea></style></script><script>{run}</script>",
        f'<img src=x onerror="{run}">',
        f'<svg onload="{run}"><animate onbegin="{run}" attributeName=x dur=1s></svg>',
        f'<a href="javascript:{run}">click here</a>',
        f'<iframe srcdoc="&lt;script&gt;{run}&lt;/script&gt;"></iframe>',
        f'<math><mtext><table><mglyph><style><img src onerror="{run}"></style></mglyph></table></math>',
        f"<style>@import '{home}/marked'; body {{ background: url({home}/marked) }}</style>",
        f'<p style="background: \\75\\72\\6c({home}/marked)">a style</p>',
        f'<meta http-equiv="refresh" content="0; url=javascript:{run}">',
        f'<base href="{home}/marked/"><form action="{home}/marked"><input autofocus onfocus="{run}"></form>',
        "{{ 7 * 7 }}{% raw %}<%= 1 %>${1}",
        f"{_RIGHT_TO_LEFT} <script>{run}</script>",
        "\x00\x0b\ufffe\u2028 controls",
        _MEGABYTE,
    ]


def _page(title: str, attack: str, number: int, edit: str, home: str) -> Answer:
    body = "".join(f"<p>{paragraph}</p>" for paragraph in prose(number))
    run = _RUN.format(home=home)
    return html(
        f'<!DOCTYPE html><html lang="en&quot;onload=x"><head><title>{title}</title>'
        f'<meta name="author" content="&quot;&gt;&lt;script&gt;{run}&lt;/script&gt;">'
        '<link rel="stylesheet" href="/style.css"><script src="/run.js"></script>'
        f"<script>{run}</script></head>"
        f'<body onload="{run}"><article><h1>{title}</h1><p>{edit}</p>{attack}{body}'
        f'<img src="/picture.svg" alt="&quot; onerror=&quot;{run}"><p>{attack}</p></article></body></html>'
    )


def put_up(site: Site, *, edit: str) -> str:
    """Publish the site as it is after an edit; the address of its feed."""
    home = site.origin
    run = _RUN.format(home=home)
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" onload="{run}"><script>{run}</script></svg>'
    style = f"@import '{home}/marked'; * {{ background: url({home}/marked) }} body {{ color: #333 }}"
    site.add("/run.js", Answer(headers=(("Content-Type", "text/javascript"),), body=run.encode()))
    site.add("/picture.svg", Answer(headers=(("Content-Type", "image/svg+xml"),), body=svg.encode()))
    site.add("/style.css", Answer(headers=(("Content-Type", "text/css"),), body=style.encode()))
    return site.add("/feed.xml", rss(list(_entries(site, edit)), title=f"Feed <script>{run}</script>"))


def _entries(site: Site, edit: str) -> Iterator[Entry]:
    home = site.origin
    for number, attack in enumerate(attacks(home), 1):
        path = f"/page/{number}?q=<script>alert({number})</script>&\"'"
        title = attack.replace("\x00", "").replace("\x0b", "").replace("\ufffe", "")
        site.remove(f"/page/{number}")
        site.add(f"/page/{number}", _page(title, attack[:5000], number, f"{edit} {attack[:200]}", home))
        yield Entry(
            link=f"{home}{path}", title=title, summary=title[:5000], id=f"tag:{number}<x>", author=title[:300]
        )
