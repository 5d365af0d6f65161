"""Words of a few languages by which pages say that they are no article; data, to be added to."""

from __future__ import annotations

import re


def _any_of(*phrases: str) -> re.Pattern[str]:
    return re.compile("|".join(phrases), re.IGNORECASE)


# What we say of a page that says so: later looks at its article go by it.
NOTHING_THERE = "the page says that there is nothing at this address"

# In a title or heading.
NOT_FOUND = _any_of(
    r"\b(?:page|article|content|story|post)\s+(?:(?:could|can)\s?not\s+be\s+|was\s+not\s+|not\s+|isn.t\s+)"
    r"(?:found|available)",
    r"\b(?:page|article|content|story)\s+(?:no longer|does not|doesn.t)\s+(?:exists?|available)",
    r"\bnothing (?:was )?found\b",
    r"\bseite (?:wurde )?nicht gefunden\b",
    r"\bpage (?:non trouvée|introuvable)\b",
    r"\bp[áa]gina (?:no|não|non) (?:encontrada|trovata|existe)\b",
    r"\bpagina (?:non trovata|niet gevonden)\b",
    r"\bsidan (?:hittades inte|kunde inte hittas)\b",
    r"\bsiden (?:blev ikke fundet|ble ikke funnet|finnes ikke)\b",
    r"\bnie znaleziono strony\b",
    r"\bsayfa bulunamad\u0131\b",
    r"страниц[аы] не (?:найден|существует)",
    r"сторінк[аи] не (?:знайден|існує)",
    r"الصفحة غير موجودة",
    r"הדף לא נמצא",
    r"页面(?:不存在|未找到)|頁面不存在|找不到(?:页面|頁面|网页)",
    r"ページ(?:が|は)?(?:見つかりません|存在しません)",
    r"페이지를 찾을 수 없",
    r"ไม่พบหน้า",
)
ASKS_TO_LOG_IN = _any_of(
    r"\b(?:log|sign)[\s-]?(?:in|on)\b",
    r"\b(?:anmelden|anmeldung|einloggen)\b",
    r"\b(?:connexion|se connecter|identifiez-vous)\b",
    r"\b(?:iniciar sesión|inicia sesión|entrar|acceder|iniciar sessão|accedi|inloggen|logga in|logg inn)\b",
    r"\b(?:zaloguj|giriş yap)\b",
    r"войти|вход|увійти",
    r"تسجيل الدخول|התחברות",
    r"登录|登入|ログイン|로그인|เข้าสู่ระบบ",
)
CHECKS = _any_of(
    r"^just a moment\b",
    r"^attention required\b",
    r"\bare you (?:a )?(?:robot|human)\b",
    r"\bverif(?:y|ying) (?:that )?you are (?:a )?human\b",
    r"^(?:access denied|access to this page has been denied|pardon our interruption|security check)\b",
    r"\bchecking your browser\b",
)
# At the end of what can be read.
SUBSCRIBE = _any_of(
    r"\bsubscribe (?:now )?to (?:continue|keep) reading\b",
    r"\b(?:to|and) (?:continue|keep) reading\b.{0,80}\b(?:subscri|sign (?:in|up)|log in|register)",
    r"\b(?:article|story|content) is (?:only )?(?:for|available to|reserved for) (?:\w+ )?subscribers\b",
    r"\balready a (?:subscriber|member)\b",
    r"\b(?:weiterlesen|lesen) mit\b.{0,40}\b(?:abo|plus|premium)",
    r"\b(?:jetzt|kostenlos) (?:abonnieren|testen)\b",
    r"\b(?:réservé aux abonnés|il vous reste \d+)\b",
    r"\b(?:contenido exclusivo para suscriptores|solo para suscriptores|exclusivo para assinantes)\b",
    r"\b(?:riservato agli abbonati|per continuare a leggere)\b",
    r"\b(?:verder lezen|lees verder)\b.{0,60}\babonne",
    r"только для подписчиков",
    r"有料会員|この記事は会員限定|会員限定記事",
    r"订阅后继续阅读|구독자 전용",
)
# In a title or heading of a page where an article was: that it is gone.
REMOVED = _any_of(
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
