"""What pagers of articles say, in the languages of the Web."""

from __future__ import annotations

import re


def _any(*words: str) -> re.Pattern[str]:
    return re.compile("|".join(words), re.IGNORECASE)


# "Next", and the signs for it.
NEXT = _any(
    r"next|continue|weiter|nächste|suivant|siguiente|próxima|seguinte|continua|successiv|avanti|prossima",
    r"volgende|nästa|næste|neste|seuraava|następn|dalej|další|ďalš|következő|înainte|următoare|sonraki",
    r"επόμενη|след|далее|наступна|下一页|下一頁|下页|次へ|次の|다음|التالي|הבא|ถัดไป|tiếp|berikut",
    r"[\u203a\xbb\u2192\u27e9\u276f\u25b6\u25ba\u21e8\u226b]",
)
SIGNS_ALONE = frozenset({">", ">>"})
# What makes it the next of something else.
OF_OTHERS = _any(
    r"article|artikel|articolo|artículo|artigo|story|stories|post\b|posts|entry|eintrag|beitrag|billet|news",
    r"meldung|comment|kommentar|comentario|repl(?:y|ies)|galler|slide|photo|foto|bild|image|video",
    r"статья|запись|文章|記事|글\b|коммент|评论",
)
PAGE = _any(
    r"\b(?:page|seite|página|pagina|strona|sida|side|sivu|stránka|oldal|sayfa|part|teil|partie|parte)\b",
    r"страниц|页|頁|ページ|쪽|페이지",
)
# A view of the whole article.
SINGLE = _any(
    r"(?:single|one|all on one)[\s-]*page|all pages",
    r"(?:view|show|read) (?:it )?(?:all|full|whole|entire|as one)",
    r"full (?:article|text|story)|auf einer seite|alles auf|komplett|ganzer artikel|alle seiten|einseitig",
    r"(?:une|1) (?:seule )?page|toutes les pages|article (?:complet|entier)|una (?:sola )?p[aá]gin|completo",
    r"página única|uma (?:só )?página|todas as páginas|pagina (?:unica|singola)|één pagina|hele artikel",
    r"alt på (?:en|én)|en (?:enda )?sida|jednej stronie|jedné stránce|одной странице|全文|単一ページ|1ページ",
    r"한 ?페이지",
)
# "View all posts in News"
MANY = _any(
    r"posts|entries|comments?|kommentare|commentaires|comentarios|articles|stories|photos|images|bilder",
    r"videos|reviews|replies|beiträge|news",
)
_PRINT = _any(
    r"print(?:able)?(?: (?:view|version|this|page|article|friendly))*|print-friendly(?: version)?",
    r"druck(?:en|version|ansicht)|(?:artikel|seite) drucken|imprimer|version imprimable|imprimir",
    r"versión para imprimir|stampa|afdrukken|skriv ut|udskriv|tulosta|drukuj|wersja do druku|tisk|nyomtatás",
    r"yazd\u0131r|печать|версия для печати|打印|列印|印刷|인쇄",
)
# What stands between is bounded: a long name would be gone through from each of its places.
COMMENT_PAGER = _any(r"comments?[-_]?(?:nav|pag)", r"(?:nav|pag)\w{0,40}[-_]comments?")


def says_print(words: str) -> bool:
    """Whether a link says nothing else."""
    return _PRINT.fullmatch(words.strip(" \t.:|[]()\xa0")) is not None
