"""Texts that change by themselves: dates of a page, how long ago it was, and how often it was read."""

from __future__ import annotations

import re

from archiver.feeds.date_names import AM, MONTHS, PM, ZONES, fold

_WEEKDAYS = (
    "monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun "
    "montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag mo di mi do fr sa so "
    "lundi mardi mercredi jeudi vendredi samedi dimanche lun mer jeu ven sam dim "
    "lunes martes miercoles jueves viernes sabado domingo mie jue vie sab dom "
    "lunedi martedi mercoledi giovedi venerdi sabato domenica gio "
    "segunda-feira terca-feira quarta-feira quinta-feira sexta-feira segunda terca quarta quinta sexta feira "
    "maandag dinsdag woensdag donderdag vrijdag zaterdag zondag "
    "mandag tirsdag onsdag torsdag fredag lordag sondag lørdag søndag mandag "
    "poniedziałek wtorek środa czwartek piątek sobota niedziela poniedziaлek "
    "понедельник вторник среда четверг пятница суббота воскресенье пн вт ср чт пт сб вс"
)
# What stands beside a date and is part of it.
_WITH_DATES = (
    "st nd rd th er o h hrs uhr heures horas ore uur г года року de del di le el la il am um a à at on in the of op "
    "om em as às alle les kl klo den den godz в o'clock oclock local time est. noon midnight 年 月 日 時 时 分 秒 曜 "
    "년 월 일 시 분 and et und y e"
)
_UNITS = (
    "s sec secs second seconds m min mins minute minutes h hr hrs hour hours d day days w wk week weeks mo month "
    "months y yr year years sekunde sekunden minuten std stunde stunden tag tage tagen woche wochen monat monate "
    "monaten jahr jahre jahren seconde secondes heure heures jour jours semaine semaines mois an ans segundo segundos "
    "minuto minutos hora horas dia dias semana semanas mes meses ano anos secondo secondi minuti ora ore giorno "
    "giorni settimana settimane mese mesi anno anni seconden minuut uur dag dagen weken maand maanden jaar jaren "
    "minut minuter minutter timme timmar time timer dagar dager dage vecka veckor uke uker uge uger manad manader "
    "maned maneder år arsekund sekundy sekund godzin godziny godzine dni tydzien tygodni miesiac miesiecy lat "
    "секунд секунды минут минуты минуту час часа часов день дня дней неделю недели недель месяц месяца месяцев "
    "год года лет saniye dakika saat gun hafta yil"
)
_RELATIVE = (
    "ago vor hace il y fa ha geleden sedan siden for temu назад тому once just now moments moment yesterday today "
    "gestern heute hier aujourd'hui ayer hoy ieri oggi ontem hoje gisteren vandaag вчера сегодня less than about "
    "ungefahr environ jetzt soeben eben justo ahora minute"
)
# Who sees one of these beside a date knows that it is that of the page.
LABELS = frozenset(map(fold, ["updated", "update", "updates", "published", "publish", "posted", "modified", "edited", "revised", "created", "filed", "uploaded", "added", "aktualisiert", "aktualisierung", "veröffentlicht", "stand", "erstellt", "geändert", "publié", "publie", "mis", "mise", "jour", "modifié", "modifie", "actualisé", "actualizado", "actualizada", "actualización", "publicado", "publicada", "modificado", "creado", "aggiornato", "aggiornata", "pubblicato", "pubblicata", "atualizado", "atualizada", "atualização", "bijgewerkt", "gepubliceerd", "geplaatst", "laatst", "uppdaterad", "publicerad", "opdateret", "offentliggjort", "oppdatert", "publisert", "zaktualizowano", "opublikowano", "aktualizacja", "обновлено", "опубликовано", "дата", "yayınlanma", "güncelleme", "güncellendi", "julkaistu", "päivitetty"]))  # fmt: skip
_LABELS_UNSPACED = ("更新", "发布", "發布", "發佈", "公開", "掲載", "配信", "입력", "수정", "등록")
_OTHER_LABELS = (
    "last first by date time originally since am zuletzt letzte dernière derniere mise à jour ultima última "
    "actualizacion vez laatste senast sist sidst por par von di da new neu erstmals created print edition dated"
)
COUNTED = frozenset(map(fold, ["comment", "comments", "view", "views", "share", "shares", "like", "likes", "read", "reads", "reader", "readers", "vote", "votes", "follower", "followers", "subscriber", "subscribers", "retweet", "retweets", "tweet", "tweets", "reaction", "reactions", "reply", "replies", "response", "responses", "download", "downloads", "visit", "visits", "visitor", "visitors", "hits", "clicks", "click", "claps", "saves", "rating", "ratings", "review", "pageviews", "kommentar", "kommentare", "kommentaren", "aufruf", "aufrufe", "leser", "lesezeit", "lesedauer", "gelesen", "commentaire", "commentaires", "vue", "vues", "partage", "partages", "lecture", "réaction", "réactions", "comentario", "comentarios", "visita", "visitas", "lectura", "lecturas", "compartido", "compartidos", "votos", "veces", "commento", "commenti", "condivisioni", "visualizzazioni", "lettura", "letture", "comentário", "comentários", "visualizações", "visualizacoes", "leitura", "compartilhamentos", "curtidas", "reactie", "reacties", "leestijd", "keer", "gelezen", "kommentarer", "visningar", "delningar", "lästid", "läsare", "visninger", "delinger", "lesetid", "komentarz", "komentarze", "komentarzy", "wyświetleń", "udostępnień", "комментарий", "комментария", "комментариев", "просмотр", "просмотров", "просмотра", "поделились", "yorum", "okunma", "görüntülenme", "paylaşım"]))  # fmt: skip
_WITH_COUNTS = (
    "reading time min mins minute minutes minuten minuti minutos minuto k m mio mrd tsd no total people others "
    "temps de tiempo tempo di so far x times mal fois minutes' leave a add your post join the conversation be first to "
    "show all load more see write über und and on this story article page this"
)
_COUNTED_UNSPACED = (
    "评论",
    "評論",
    "阅读",
    "閱讀",
    "点赞",
    "浏览",
    "コメント",
    "いいね",
    "閲覧",
    "댓글",
    "조회",
    "공유",
)

_DATE_WORDS = frozenset(map(fold, f"{_WEEKDAYS} {_WITH_DATES} {_UNITS} {_RELATIVE}".split())) | {
    *MONTHS, *AM, *PM, *ZONES, "ist", "ast", "gst", "a.m", "p.m", "et", "pt", "ct", "mt",
}  # fmt: skip
_STAMP_WORDS = _DATE_WORDS | LABELS | frozenset(map(fold, _OTHER_LABELS.split()))
_COUNT_WORDS = COUNTED | frozenset(map(fold, _WITH_COUNTS.split()))

_TOKEN = re.compile(r"\d+(?:[.,:]\d+)*|[^\W\d_]+(?:['.-][^\W\d_]+)*")
_SENTENCE = re.compile(r"[.!?…。！？][\"')\]]*$")  # noqa: RUF001 - Chinese marks are meant
_DIGIT = re.compile(r"\d")
# More are a sentence.
MOST_WORDS = 25
MOST_OTHERS = 8
MOST_COUNT_WORDS = 10
_SHORT = 12

_NUMBER = r"(?:\d{1,3}|an?|one|two|three|eine[rmn]?|une?|un|una|uma|een|et|en)"
_SOON = (
    r"(?:s(?:ec(?:ond)?s?)?|m(?:in(?:ute)?s?)?|h(?:(?:ou)?rs?)?|sekunden?|minuten?|minuut|std\.?|stunden?"
    r"|secondes?|minutes?|heures?|segundos?|minutos?|horas?|second[oi]|minut[oi]|or[ae]|uur|uren|minut(?:er|ter)?"
    r"|timm(?:e|ar)|timer?|godzin[yę]?|minut[yę]?|секунд[ыу]?|минут[ыу]?|час(?:а|ов)?|dakika|saat)"
)
_LATE = (
    r"(?:d|w|days?|w(?:ee)?ks?|months?|y(?:ea)?rs?|tag(?:en?)?|wochen?|monat(?:en?)?|jahr(?:en?)?|jours?|semaines?"
    r"|mois|ans?|d[ií]as?|semanas?|mes(?:es)?|a[nñ]os?|giorn[oi]|settiman[ae]|mes[ei]|ann[oi]|dag(?:en|ar|er|e)?"
    r"|weken|week|maand(?:en)?|jaar|veck(?:a|or)|uker?|dni|д(?:ень|ня|ней)|недел[иьюя]+|месяц(?:а|ев)?|год|лет)"
)
_CJK = r"\d{1,3}\s*(?:秒|分钟|分鐘|分|小时|小時|時間|초|분|시간)\s*(?:前|전)"
_CJK_LATE = r"\d{1,3}\s*(?:天|日|周|週間|か月|ヶ月|个月|個月|年|일|주|개월|년)\s*(?:前|전)"


def _ago(units: str, unspaced: str) -> re.Pattern[str]:
    after = r"ago|fa|geleden|sedan|siden|temu|назад|önce"
    return re.compile(
        rf"\b{_NUMBER}\s*{units}(?:[\s,]+(?:and\s+)?{_NUMBER}\s*{units})?\s+(?:{after})\b"
        rf"|\b(?:vor|hace|il\s+y\s+a|h[áa])\s+{_NUMBER}\s*{units}\b|{unspaced}|\bjust now\b|\b(?:a few )?moments ago\b",
        re.IGNORECASE,
    )


_SOON_AGO = _ago(_SOON, _CJK)
_EVER_AGO = _ago(f"(?:{_SOON}|{_LATE})", f"{_CJK}|{_CJK_LATE}")


def tokens_of(text: str) -> list[str]:
    return [fold(token) for token in _TOKEN.findall(text)]


def is_stamp(text: str, *, is_marked: bool = False, is_cell: bool = False) -> bool:
    """Whether a text says when a page was made, and nothing else but perhaps by whom.

    A date alone is one, except in a list or a table, where it may be anything; marked are those in `time`
    elements and in places that are named for it.
    """
    tokens = tokens_of(text)
    if not tokens or len(tokens) > MOST_WORDS or not _has_date(text, tokens):
        return False
    is_labelled = not LABELS.isdisjoint(tokens) or any(label in text for label in _LABELS_UNSPACED)
    others = [token for token in tokens if token not in _STAMP_WORDS and not token[0].isdigit()]
    if not others:
        return is_labelled or is_marked or not is_cell or bool(_EVER_AGO.search(text))
    if _SENTENCE.search(text) and len(others) > 1:
        return False
    return (is_labelled or is_marked) and len(others) <= MOST_OTHERS


def _has_date(text: str, tokens: list[str]) -> bool:
    if _EVER_AGO.search(text):
        return True
    return bool(_DIGIT.search(text)) or any(token in MONTHS for token in tokens)


def is_counter(text: str, *, is_bare: bool = False) -> bool:
    """Whether a text only says how often something was read, shared or answered, or how long reading takes.

    A bare number is one where it stands in no paragraph, list or table.
    """
    tokens = tokens_of(text)
    if not tokens or len(tokens) > MOST_COUNT_WORDS:
        return False
    if any(mark in text for mark in _COUNTED_UNSPACED) and _DIGIT.search(text):
        return len(text) < 2 * MOST_WORDS
    words = [token for token in tokens if not token[0].isdigit()]
    if not words or words == ["k"]:
        return is_bare
    return not COUNTED.isdisjoint(words) and all(word in _COUNT_WORDS for word in words)


def timeless(text: str) -> str:
    """The text without how long ago something was: in a long text only where that is hours, and not years."""
    pattern = _EVER_AGO if len(text.split()) <= _SHORT else _SOON_AGO
    return pattern.sub("@", text)


def without_numbers(text: str) -> list[str]:
    """The words of a stamp that are no part of a date."""
    return [token for token in tokens_of(text) if token not in _STAMP_WORDS and not token[0].isdigit()]
