"""The pager at the end of an article: which link leads to its next page, or to all of it on one page."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from archiver.continuation.addresses import counts_itself, nth_page
from archiver.extract.dom import absolute_url, is_comments_zone
from archiver.extract.text import one_line, walk
from archiver.urls import host_of, same_page_key

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lxml.etree import _Element as Element

# "Next" in the languages of the Web, and the signs for it.
_NEXT = re.compile(
    r"next|continue|weiter|nächste|suivant|siguiente|próxima|seguinte|continua|successiv|avanti|prossima|volgende"
    r"|nästa|næste|neste|seuraava|następn|dalej|další|ďalš|következő|înainte|următoare|sonraki|επόμενη|след|далее"
    r"|наступна|下一页|下一頁|下页|次へ|次の|다음|التالي|הבא|ถัดไป|tiếp|berikut"
    r"|[\u203a\xbb\u2192\u27e9\u276f\u25b6\u25ba\u21e8\u226b]",
    re.IGNORECASE,
)
_SIGNS_ALONE = frozenset({">", ">>"})
# What makes it the next of something else.
_OF_OTHERS = re.compile(
    r"article|artikel|articolo|artículo|artigo|story|stories|post\b|posts|entry|eintrag|beitrag|billet|news|meldung"
    r"|comment|kommentar|comentario|repl(?:y|ies)|galler|slide|photo|foto|bild|image|video|статья|запись|文章|記事"
    r"|글\b|коммент|评论",
    re.IGNORECASE,
)
_PAGE = re.compile(
    r"\b(?:page|seite|página|pagina|strona|sida|side|sivu|stránka|oldal|sayfa|part|teil|partie|parte|страниц\w*)\b"
    r"|页|頁|ページ|쪽|페이지",
    re.IGNORECASE,
)
_SINGLE = re.compile(
    r"(?:single|one|all on one)[\s-]*page|(?:view|show|read) (?:it )?(?:all|full|whole|entire|as one)|all pages"
    r"|full (?:article|text|story)|auf einer seite|alles auf|komplett|ganzer artikel|alle seiten|einseitig"
    r"|(?:une|1) (?:seule )?page|toutes les pages|article (?:complet|entier)|una (?:sola )?p[aá]gin|completo"
    r"|página única|uma (?:só )?página|todas as páginas|pagina (?:unica|singola)|één pagina|hele artikel"
    r"|alt på (?:en|én)|en (?:enda )?sida|jednej stronie|jedné stránce|одной странице|全文|単一ページ|1ページ|한 ?페이지",
    re.IGNORECASE,
)
_PRINT = re.compile(
    r"^\W*(?:print(?:able)?(?: (?:view|version|this|page|article|friendly))*|print-friendly(?: version)?"
    r"|druck(?:en|version|ansicht)|(?:artikel|seite) drucken|imprimer|version imprimable|imprimir"
    r"|versión para imprimir|stampa|afdrukken|skriv ut|udskriv|tulosta|drukuj|wersja do druku|tisk|nyomtatás|yazdır"
    r"|печать|версия для печати|打印|列印|印刷|인쇄)\W*$",
    re.IGNORECASE,
)
# A link of a pager says little; the headline of another article says much.
_LONGEST = 40
# Beyond these, an element around a link is more than the pager: characters, and characters outside of links.
_LONGEST_PAGER = 160
_MOST_BESIDE = 60
# Fewer are a link to the comments beside the headline.
_FEW_WORDS = 15
_COMMENT_PAGER = re.compile(r"comments?[-_]?(?:nav|pag)|(?:nav|pag)\w*[-_]comments?", re.IGNORECASE)
_FORUM = ("DiscussionForumPosting", "schema.org/Comment", "QAPage")


@dataclass(frozen=True, slots=True, kw_only=True)
class PageLink:
    """A link of a page, and what it says."""

    element: Element
    url: str
    text: str
    label: str
    is_marked: bool  # rel=next

    @property
    def says_next(self) -> bool:
        words = f"{self.text} {self.label}"
        if len(words) > _LONGEST or _OF_OTHERS.search(words):
            return False
        return self.text in _SIGNS_ALONE or _NEXT.search(words) is not None

    def says_number(self, number: int) -> bool:
        """True for "2", "[2]" and "Page 2"; a word beside it must be one for pages."""
        digits = re.findall(r"\d+", self.text)
        if digits[:1] != [str(number)] or len(self.text) > _LONGEST:
            return False
        return re.search(r"[^\W\d]", self.text) is None or _PAGE.search(self.text) is not None


def links_of(tree: Element, base: str) -> list[PageLink]:
    """The links of a page down to what readers wrote about it, and what its head marks as next."""
    found = []
    for element in _before_comments(tree):
        if element.tag not in ("a", "link") or not (href := element.get("href")):
            continue
        is_marked = "next" in (element.get("rel") or "").lower().split()
        url = absolute_url(base, href) if element.tag == "a" or is_marked else None
        if url is not None:
            label = element.get("aria-label") or element.get("title") or ""
            text = one_line("".join(map(str, element.itertext())))
            link = PageLink(element=element, url=url, text=text, label=label, is_marked=is_marked)
            found.append(link)
    return found


def _before_comments(tree: Element) -> Iterator[Element]:
    """Each element in order, until what readers wrote begins: a pager from there on is one of theirs."""
    if _is_of_readers(tree):
        return
    for element, event in walk(tree, _is_of_readers):
        if event == "skip" and len("".join(map(str, element.itertext())).split()) >= _FEW_WORDS:
            return
        if event == "open":
            yield element


def _is_of_readers(element: Element) -> bool:
    if not isinstance(element.tag, str):
        return True
    kind = element.get("itemtype") or ""
    names = f"{element.get('class', '')} {element.get('id', '')}"
    is_pager_of_comments = element.tag in ("nav", "div", "ul") and _COMMENT_PAGER.search(names) is not None
    return is_comments_zone(element) or is_pager_of_comments or any(one in kind for one in _FORUM)


def next_page(links: Sequence[PageLink], first: str, number: int) -> str | None:
    """The address of the article's page of this number, where a link at its end leads there."""
    is_unsure = counts_itself(first)
    others = {link.url for link in links if link.is_marked and nth_page(link.url, first) is None}
    for link in links:
        nth = nth_page(link.url, first)
        # Some count from 0: their second page is called 1.
        if nth is None or nth not in (number, number - 1) or same_page_key(link.url) == same_page_key(first):
            continue
        has_number = link.says_number(number)
        if nth == number - 1 and not has_number:
            continue
        if has_number or ((link.is_marked or link.says_next) and not is_unsure):
            return link.url
    return None if others else _by_numbers(links, first, number)


def _by_numbers(links: Sequence[PageLink], first: str, number: int) -> str | None:
    """A link that only its own number tells: one of several in a row, each with the next number."""
    for link in links:
        if link.text != str(number) or host_of(link.url) != host_of(first):
            continue
        row = pager_around(link.element)
        words = one_line("".join(map(str, row.itertext())))
        if row is not link.element and re.match(rf"\D*1\D.*\b{number}\b", words) and _is_row(row, number):
            return link.url if _is_below(link.url, first) else None
    return None


def _is_row(row: Element, number: int) -> bool:
    """Whether the links in it are numbers in order, with words for pages around them at most."""
    texts = [one_line("".join(map(str, link.itertext()))) for link in row.iter("a")]
    numbers = [int(text) for text in texts if text.isdecimal()]
    words = [text for text in texts if not text.isdecimal() and re.search(r"[^\W\d]", text)]
    is_all = set(numbers) | {1, number, number - 1} >= set(range(1, max(numbers) + 1))
    return is_all and numbers == sorted(numbers) and not any(_OF_OTHERS.search(word) for word in words)


def _is_below(url: str, first: str) -> bool:
    """Whether an address is in the folder of the first page, or below it."""
    folder, here = first.partition("?")[0].rpartition("/")[0], url.partition("?")[0]
    return here.startswith(f"{folder}/") and here.rstrip("/") != folder


def single_page(links: Sequence[PageLink], first: str, passed: Sequence[str]) -> str | None:
    """The address of a view of the whole article on one page; asked for only where it has several."""
    for is_wanted in (_says_single, _says_print):
        for link in links:
            is_apart = same_page_key(link.url) != same_page_key(first) and link.url not in passed
            if is_apart and host_of(link.url) == host_of(first) and is_wanted(link):
                return link.url
    return None


def _says_single(link: PageLink) -> bool:
    words = f"{link.text} {link.label}"
    return len(words) <= _LONGEST and _SINGLE.search(words) is not None


def _says_print(link: PageLink) -> bool:
    return any(_PRINT.match(words) for words in (link.text, link.label) if words)


def pager_around(element: Element) -> Element:
    """The largest element around a link that is nothing but a pager."""
    found = element
    for around in element.iterancestors():
        texts = "".join(map(str, around.itertext()))
        linked = sum(len("".join(map(str, link.itertext()))) for link in around.iter("a"))
        words = one_line(texts)
        if around.tag in ("body", "html", "article", "main") or len(words) > _LONGEST_PAGER:
            break
        if len(words) - linked > _MOST_BESIDE or around.find(".//img") is not None:
            break
        found = around
    return found


def pagers_of(links: Sequence[PageLink], first: str) -> list[Element]:
    """The elements of a page that lead through the pages of its article."""
    found: list[Element] = []
    for link in links:
        counts = nth_page(link.url, first)
        is_back = same_page_key(link.url) == same_page_key(first) and link.says_number(1)
        if link.element.tag == "a" and ((counts or 0) > 0 or is_back):
            row = pager_around(link.element)
            if row not in found:
                found.append(row)
    return found
