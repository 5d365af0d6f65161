"""Words of a few languages by which pages say that they are no article; data, to be added to."""

from __future__ import annotations

import re


def _any_of(*phrases: str) -> re.Pattern[str]:
    return re.compile("|".join(phrases), re.IGNORECASE)


# What we say of a page that says so: whoever looks for an article again goes by it.
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
