"""What months, halves of the day and time zones are called in the dates of feeds."""

from __future__ import annotations

import unicodedata


def fold(text: str) -> str:
    """The text without case, accents, full-width forms or doubled spaces, so that names can be looked up."""
    plain = unicodedata.normalize("NFKD", text).casefold()
    bare = "".join(c for c in plain if not unicodedata.combining(c))
    # NFKD takes Korean syllables apart; NFC puts them together again.
    return " ".join(unicodedata.normalize("NFC", bare).split())


# One line per language: English, German, French, Spanish, Italian, Portuguese, Dutch, Russian (both cases).
# Within these languages no name stands for two months; add a language only if that stays true.
_MONTHS = (
    "January February March April May June July August September October November December",
    "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
    "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
    "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
    "januari februari maart april mei juni juli augustus september oktober november december",
    "январь февраль март апрель май июнь июль август сентябрь октябрь ноябрь декабрь",
    "января февраля марта апреля мая июня июля августа сентября октября ноября декабря",
)
_SHORT_MONTHS = (
    "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec",
    "Jän Feb Mär Apr Mai Jun Jul Aug Sept Okt Nov Dez",
    "janv févr mars avr mai juin juil août sept oct nov déc",
    "ene feb mar abr may jun jul ago set oct nov dic",
    "gen fév mrz apr mag giu lug ago set ott nov dic",
    "jan fev mrt abr mei jun jul ago sep out nov dez",
    "янв фев мар апр мая июн июл авг сен окт ноя дек",
    "янв февр март апр май июнь июль авг сент окт нояб дек",
)
MONTHS = {
    fold(name): number
    for names in (*_MONTHS, *_SHORT_MONTHS)
    for number, name in enumerate(names.split(), start=1)
}

AM = frozenset({"am", "上午", "午前", "오전"})
PM = frozenset({"pm", "下午", "午後", "오후"})

# Minutes east of Greenwich. Left out because they mean several places: IST, AST, ADT, ECT, GST, SST, WST,
# and the military letters other than Z, which RFC 822 got wrong and RFC 2822 declares meaningless.
# BST is read as British, and EST to PDT as American, as RFC 822 has them.
_ZONES_BY_OFFSET = {
    0: "z ut utc gmt wet",
    60: "bst west cet met mez wat",
    120: "cest mest mesz eet cat sast",
    180: "eest msk eat",
    240: "msd",
    300: "pkt",
    345: "npt",
    420: "ict wib",
    480: "hkt sgt awst wita",
    540: "jst kst",
    570: "acst",
    600: "aest",
    630: "acdt",
    660: "aedt",
    720: "nzst",
    780: "nzdt",
    -180: "brt art",
    -240: "edt",
    -300: "est cdt",
    -360: "cst mdt",
    -420: "mst pdt",
    -480: "pst akdt",
    -540: "akst",
    -600: "hst",
}
ZONES = {name: offset for offset, names in _ZONES_BY_OFFSET.items() for name in names.split()}
# CST is China's too: only RFC 822's own form of a date can be trusted to mean the American one.
CHINESE_TOO = frozenset({"cst"})
# Moscow time was an hour further east from March 2011 to October 2014.
MOSCOW_UNSURE = range(2011, 2015)
