"""Words by which forms tell what they are for, as they stand in labels, buttons, names and addresses."""

from __future__ import annotations

import re

# Whole words and beginnings of words, in the languages that most pages are in.
_SEARCH = """
    search srch find finder lookup query keyword suche suchen such finden recherche rechercher
    chercher trouver busca buscar buscador pesquisa pesquisar procurar cerca cercare ricerca trova
    zoek zoeken szukaj wyszukaj szukanie hledat hledej vyhledat vyhledávání hľadať søg sok sök søk
    leit haku hae etsi keres kereses keresés otsi meklēt paiešk paiesk iešk iesk išči iskanje traži
    trazi pretraga kërko ara arama axtar cauta caută căutare поиск найти искать пошук знайти търси
    шукати αναζήτηση חיפוש بحث جستجو ค้นหา tìm cari 検索 搜索 搜尋 查找 검색 찾기
"""
_WRITING = """
    login logon signin signup subscri newsletter register registration registrieren anmelde
    einloggen abonn inscription inscrire connexion connecter password passwort kennwort contraseña
    senha parola registro registrarse registrar suscri assinar cadastr iscriviti registrati accedi
    inloggen aanmelden zaloguj rejestr přihlásit prihlasit registrac logga войти вход регистрац
    подписа подписк пароль giriş abone comment kommentar commentaire comentario commento
    kontakt contact contatto cart basket warenkorb panier carrito carrello winkelwagen koszyk košík
    корзин sepet checkout bestellen commander comprar acquista buy kaufen donate spenden vote poll
    umfrage unsubscribe delete löschen supprimer eliminar logout upload forgot vergessen oublié
    recover unlock 購入 登録 ログイン 登录 注册 로그인 회원가입
"""
# They stand on buttons of every kind of form.
_DOING = """
    send senden absenden envoyer enviar invia versturen wyślij отправить skicka odeslat message
    nachricht mensaje order reply antworten répondre reset join free trial quote request anfrage
"""
# Names that inputs of search forms have, and hardly any other.
SEARCH_NAMES = frozenset(
    {
        "q",
        "s",
        "k",
        "kw",
        "wd",
        "qs",
        "qt",
        "su",
        "sq",
        "st",
        "search",
        "query",
        "keyword",
        "keywords",
        "term",
    }
    | {
        "terms",
        "searchterm",
        "searchtext",
        "searchword",
        "searchquery",
        "words",
        "word",
        "text",
        "find",
        "wp",
    }
)
PERSONAL_NAMES = re.compile(
    r"mail|passw|pwd|login|user|phone|fname|lname|first.?name|last.?name|full.?name|comment|message|subject"
    r"|captcha|card.?n|cvv|iban|coupon|qty|quantity|birth|gender",
    re.IGNORECASE,
)
_PARTS = re.compile(r"[\W_]+|(?<=[a-z])(?=[A-Z])")
# Shorter words stand in others by chance.
_SHORT = 5


def spaced(text: str) -> str:
    """Names such as `txtFindAll` and `find_all` as words."""
    return " ".join(_PARTS.split(text)).casefold()


def _pattern(words: str) -> re.Pattern[str]:
    whole = [re.escape(word) for word in words.split() if len(word) < _SHORT and word.isascii()]
    stems = [re.escape(word) for word in words.split() if len(word) >= _SHORT or not word.isascii()]
    return re.compile(rf"\b(?:{'|'.join(whole)})\b|{'|'.join(stems)}", re.IGNORECASE)


SEARCH_WORDS = _pattern(_SEARCH)
WRITING_WORDS = _pattern(_WRITING)
DOING_WORDS = _pattern(_DOING)
