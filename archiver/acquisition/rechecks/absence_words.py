"""Words of a few languages by which a title says that an article was taken away; data, to be added to."""

from __future__ import annotations

import re

_PHRASES = (
    r"\b(?:page|article|content|story|post)\s+(?:ha(?:s|ve)\s+been|was|is)\s+(?:removed|deleted|withdrawn)\b",
    r"\b(?:page|article|content|story|post)\s+(?:(?:has|is)\s+)?(?:unavailable|unpublished|expired|removed)\b",
    r"\b(?:page|article|content|story|post)\s+(?:is\s+)?no\s+longer\s+(?:available|exists?|online|here)\b",
    r"\b(?:page|article|story)\s+you\b.{0,40}\b(?:not|no longer|can.t|cannot)\b",
    r"^\W*(?:error\W+)?(?:404|410)\b|\b(?:404|410)\W*$",
    r"\bnot found\W*(?:$|[|–-])",
    r"\b(?:artikel|seite|beitrag|inhalt)\b.{0,20}\bnicht (?:mehr )?(?:verfügbar|vorhanden|gefunden)\b",
    r"\b(?:artikel|seite|beitrag)\b.{0,20}\b(?:gelöscht|entfernt)\b",
    r"\b(?:article|page|contenu)\b.{0,20}\b(?:supprimée?|introuvable|plus disponible|n.existe plus)\b",
    r"\b(?:página|artículo|contenido)\b.{0,30}\b(?:eliminad[oa]|no disponible|ya no (?:existe|está))\b",
    r"\b(?:página|artigo|conteúdo)\b.{0,30}\b(?:removid[oa]|indisponível|não disponível)\b",
    r"\b(?:pagina|articolo|contenuto)\b.{0,20}\b(?:rimoss[oa]|non (?:è )?(?:più )?disponibile)\b",
    r"\b(?:pagina|artikel)\b.{0,20}\b(?:verwijderd|niet (?:meer )?beschikbaar)\b",
    r"\b(?:sidan|artikeln)\b.{0,20}\b(?:borttagen|finns inte)\b",
    r"\b(?:siden|artikkelen|artiklen)\b.{0,20}\b(?:fjernet|slettet|findes ikke|finnes ikke)\b",
    r"\b(?:strona|artykuł)\b.{0,20}\b(?:usunięt[ay]|nie istnieje)\b",
    r"\b(?:sayfa|haber)\b.{0,20}\b(?:kald\u0131r\u0131l|silin|bulunamad)",
    r"(?:страница|статья|материал)\s.{0,20}(?:удал[её]н|недоступ|снят)",
    r"(?:сторінку|сторінка|статтю|стаття)\s.{0,20}(?:видален|недоступ)",
    r"تم حذف (?:المقال|الصفحة|الخبر)|הכתבה (?:הוסרה|לא נמצאה)",
    r"(?:文章|内容|內容|页面|頁面|新闻|新聞)(?:已|已经|已經)?(?:被)?(?:删除|刪除|移除|下架)",
    r"(?:記事|ページ)(?:は|が)?(?:削除|掲載(?:を|が)?終了)",
    r"(?:기사|게시물|페이지)(?:가|는|이)?\s*삭제",
)
REMOVED = re.compile("|".join(_PHRASES), re.IGNORECASE)
