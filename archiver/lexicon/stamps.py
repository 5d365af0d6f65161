"""Words of a few languages in texts that change by themselves: dates and counters; data, to be added to."""
# ruff: noqa: RUF001 - letters of many scripts are meant

from __future__ import annotations

from archiver.lexicon.dates import AM, MONTHS, PM, ZONES, fold


def _set(words: str) -> frozenset[str]:
    return frozenset(map(fold, words.split()))


WEEKDAYS = (
    "monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun "
    "montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag mo di mi do fr sa so lundi "
    "mardi mercredi jeudi vendredi samedi dimanche lun mer jeu ven sam dim lunes martes miercoles jueves "
    "viernes sabado domingo mie jue vie sab dom lunedi martedi mercoledi giovedi venerdi sabato domenica "
    "gio segunda-feira terca-feira quarta-feira quinta-feira sexta-feira segunda terca quarta quinta "
    "sexta feira maandag dinsdag woensdag donderdag vrijdag zaterdag zondag mandag tirsdag onsdag torsdag "
    "fredag lordag sondag lørdag søndag poniedziałek wtorek środa czwartek piątek sobota niedziela "
    "понедельник вторник среда четверг пятница суббота воскресенье пн вт ср чт пт сб вс"
)
# What stands beside a date and is part of it.
WITH_DATES = (
    "st nd rd th er o h hrs uhr heures horas ore uur г года року de del di le el la il am um a à at on in "
    "the of op om em as às alle les kl klo den "
    "godz в o'clock oclock local time est. noon midnight 年 月 日 "
    "時 时 分 秒 曜 년 월 일 시 분 and et und y e"
)
UNITS = (
    "s sec secs second seconds m min mins minute minutes h hr hrs hour hours d day days w wk week weeks "
    "mo month months y yr year years sekunde sekunden minuten std stunde stunden tag tage tagen woche "
    "wochen monat monate monaten jahr jahre jahren seconde secondes heure heures jour jours semaine "
    "semaines mois an ans segundo segundos minuto minutos hora horas dia dias semana semanas mes meses "
    "ano anos secondo secondi minuti ora ore giorno giorni settimana settimane mese mesi anno anni "
    "seconden minuut uur dag dagen weken maand maanden jaar jaren minut minuter minutter timme timmar "
    "time timer dagar dager dage vecka veckor uke uker uge uger manad manader maned maneder år arsekund "
    "sekundy sekund godzin godziny godzine dni tydzien tygodni miesiac miesiecy lat секунд секунды минут "
    "минуты минуту час часа часов день дня дней неделю недели недель месяц месяца месяцев год года лет "
    "saniye dakika saat gun hafta yil"
)
RELATIVE = (
    "ago vor hace il y fa ha geleden sedan siden for temu назад тому once just now moments moment "
    "yesterday today day before last this week vorgestern avant-hier anteayer "
    "gestern heute hier aujourd'hui ayer hoy ieri oggi ontem hoje gisteren vandaag вчера "
    "сегодня less than about ungefahr environ jetzt soeben eben justo ahora minute"
)
# Who sees one of these beside a date knows that it is that of the page.
LABELS = _set(
    "updated update updates published publish posted modified edited revised created filed uploaded "
    "added aktualisiert aktualisierung veröffentlicht stand erstellt geändert publié publie mis mise "
    "jour modifié modifie actualisé actualizado actualizada actualización publicado publicada "
    "modificado creado aggiornato aggiornata pubblicato pubblicata atualizado atualizada atualização "
    "bijgewerkt gepubliceerd geplaatst laatst uppdaterad publicerad opdateret offentliggjort "
    "oppdatert publisert zaktualizowano opublikowano aktualizacja обновлено опубликовано дата "
    "yayınlanma güncelleme güncellendi julkaistu päivitetty"
)
LABELS_UNSPACED = ("更新", "发布", "發布", "發佈", "公開", "掲載", "配信", "입력", "수정", "등록")
OTHER_LABELS = (
    "last first by date time originally since am zuletzt letzte dernière derniere mise à jour ultima "
    "última actualizacion vez laatste senast sist sidst por par von di da new neu erstmals created print "
    "edition dated"
)
# What is counted on pages.
COUNTED = _set(
    "comment comments view views share shares like likes read reads reader readers vote votes "
    "follower followers subscriber subscribers retweet retweets tweet tweets reaction reactions reply "
    "replies response responses download downloads visit visits visitor visitors hits clicks click "
    "claps saves rating ratings review pageviews kommentar kommentare kommentaren aufruf aufrufe "
    "leser lesezeit lesedauer gelesen commentaire commentaires vue vues partage partages lecture "
    "réaction réactions comentario comentarios visita visitas lectura lecturas compartido compartidos "
    "votos veces commento commenti condivisioni visualizzazioni lettura letture comentário "
    "comentários visualizações visualizacoes leitura compartilhamentos curtidas reactie reacties "
    "leestijd keer gelezen kommentarer visningar delningar lästid läsare visninger delinger lesetid "
    "komentarz komentarze komentarzy wyświetleń udostępnień комментарий комментария комментариев "
    "просмотр просмотров просмотра поделились yorum okunma görüntülenme paylaşım "
    "recommended recommendation recommendations recommends empfohlen recommandé recomendado "
    "shared viewed liked watched played commented downloaded geteilt angesehen partagé vu lu visto leído "
    "condiviso letto compartilhado lido gedeeld bekeken delad delt udostępniono просмотрено прочитано"
)
COUNTED_UNSPACED = (
    "评论", "評論", "阅读", "閱讀", "点赞", "浏览", "コメント", "いいね", "閲覧", "댓글", "조회", "공유",
)  # fmt: skip
WITH_COUNTS = (
    "reading time min mins minute minutes minuten minuti minutos minuto k m mio mrd tsd no total people "
    "others by temps de tiempo tempo di so far x times mal fois minutes' leave a add your post join the "
    "conversation be first to show all load more see write über und and on this story article page"
)

DATE_WORDS = _set(f"{WEEKDAYS} {WITH_DATES} {UNITS} {RELATIVE}") | {
    *MONTHS, *AM, *PM, *ZONES, "ist", "ast", "gst", "a.m", "p.m", "et", "pt", "ct", "mt",
}  # fmt: skip
STAMP_WORDS = DATE_WORDS | LABELS | _set(OTHER_LABELS)
COUNT_WORDS = COUNTED | _set(WITH_COUNTS)
