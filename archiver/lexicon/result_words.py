"""Words by which pages of results tell how many records there are, in the languages of the Web."""

from __future__ import annotations

import re

# What is counted; the beginnings of words.
COUNTED = (
    r"results?|hits?|matches|match|records?|items?|entries|entry|documents?|titles?|books?|products?|articles?|found|files?"
    r"|ergebniss?e?|treffer|eintr[aä]ge?|datens[aä]tze?|gefunden|titel|b[uü]cher|artikel"
    r"|r[ée]sultats?|notices?|trouv[ée]s?|documents?|livres?|ouvrages?"
    r"|resultados?|registros?|encontrad\w+|libros?|risultati|trovati|libri|resultaten|gevonden|boeken"
    r"|wynik\w*|znalezion\w*|v[ýy]sledk\w*|nalezen\w*|tr[äa]ffar|resultater|tulosta|eredm[ée]ny|sonu[çc]"
    r"|результат\w*|найден\w*|записей|книг\w*|αποτελέσματα|件|条|條|結果|结果|개|نتيجة|نتائج|תוצאות"
)
# Between the records shown and all of them.
OF = r"of|von|de|di|van|z|ze|av|af|из|\u05de\u05ea\u05d5\u05da|/"
# Names of elements that hold the number alone.
TOTAL_NAMES = re.compile(
    r"(?:total|hit|result|match|record)s?[-_ ]?(?:count|number|num|total)?(?:\s|$)|count\b", re.IGNORECASE
)
