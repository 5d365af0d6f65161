"""How texts begin that are beside an article, in the languages that news is most read in."""

from __future__ import annotations

import re

# Soft evidence, whose weight is fitted: the beginning of a line that is no part of the text.
ASIDE = re.compile(
    r"""(?:
    read\ (?:more|next|also|the\ full)|see\ also|related|more\ (?:from|on|in|stories)|advertisement|sponsored
    |share\ (?:this|on|via)|follow\ (?:us|me)|subscribe|sign\ up|click\ here|tags?:|filed\ under
    |posted\ (?:in|by|on)|photo(?:s|graph)?[:\ ]|images?[:\ ]|credit|source:|copyright|\u00a9|all\ rights
    |comments?\b|leave\ a\ (?:comment|reply)|advert|by\ (?-i:[A-Z])|updated|published
    |last\ (?:updated|modified)|watch|listen|download|get\ the|print|email|save|loading|skip\ to
    |continue\ reading|view\ (?:all|more)|back\ to|editor|correspond|contact|getty|reuters
    |\(?(?:ap|afp)\)?\b|newsletter|about\ the\ author
    |this\ (?:article|story)\ (?:was|first|originally)
    |lesen\ sie\ (?:auch|mehr)|mehr\ zum\ thema|anzeige\b|teilen\b|kommentare\b|foto:|bild:|quelle:
    |lire\ (?:aussi|la\ suite)|publicit\u00e9|partager|commentaires?\b|sur\ le\ m\u00eame\ sujet
    |leer\ m\u00e1s|lea\ tambi\u00e9n|publicidad|compartir|comentarios\b|fuente:
    |leggi\ anche|pubblicit\u00e0|condividi|commenti\b|leia\ (?:mais|tamb\u00e9m)|publicidade|compartilh
    |lees\ (?:ook|meer)|advertentie|delen\b|reacties\b|l\u00e4s\ (?:ocks\u00e5|mer)|annons\b
    |\u0447\u0438\u0442\u0430\u0439\u0442\u0435|\u0440\u0435\u043a\u043b\u0430\u043c\u0430\b
    |\u0444\u043e\u0442\u043e:|\u043f\u043e\u0434\u0435\u043b\u0438\u0442\u044c\u0441\u044f
    |\u5e7f\u544a|\u5e83\u544a|\u76f8\u5173|\u95a2\u9023|\u5173\u952e\u8bcd|\uad00\ub828|\uad11\uace0
    )""",
    re.IGNORECASE | re.VERBOSE,
)

# Likewise: a heading under which something else begins.
ANOTHER_MATTER = re.compile(
    r"""(?:
    related|more|read|recommend|popular|trending|latest|comments?|leave\ a|share|follow|about\ the\ author
    |tags?|topics?|also|you\ (?:may|might)|most|see\ also|next|previous|newsletter|sign\ up|subscribe|advert
    |sponsored|top\ stories|editor.?s|explore|discover|join|contact|filed|don.t\ miss|up\ next|what\ to
    |further\ reading|in\ this|recent|other|similar|today.s|from\ (?:our|the|around)|around\ the\ web
    |mehr\b|das\ k\u00f6nnte|auch\ interessant|meistgelesen|kommentare|themen
    |\u00e0\ lire|lire\ aussi|les\ plus|sur\ le\ m\u00eame|commentaires|vous\ aimerez
    |m\u00e1s\ (?:le\u00eddo|noticias)|lo\ m\u00e1s|te\ puede|comentarios|relacionad
    |leggi\ anche|potrebbe|commenti|correlati|leia\ tamb\u00e9m|mais\ lid|veja\ tamb\u00e9m
    |lees\ ook|meer\b|reacties|\u0447\u0438\u0442\u0430\u0439\u0442\u0435|\u043f\u043e\u0445\u043e\u0436
    |\u76f8\u5173|\u95a2\u9023|\u63a8\u8350|\uad00\ub828
    )""",
    re.IGNORECASE | re.VERBOSE,
)

# Narrower than the two above, for it decides alone: how headings and lines lead to other articles.
_LEAD = (
    r"(?:also )?read (?:more|also|next|this|on|about)"
    r"|more (?:on|from|about|stories|news|like|coverage|in|to)\b|related|recommended|recommendations"
    r"|you (?:may|might) (?:also )?(?:like|be interested)|see also|also (?:read|see|on)|don'?t miss"
    r"|most (?:read|popular|viewed)|trending|popular|top stories|up next|further reading|in other news"
    r"|what to read|keep reading|watch (?:also|next|more)|suggested|editors?'? (?:picks|choice)"
    r"|sponsored|promoted|advertisement|story continues below|continue reading"
    r"|latest (?:news|stories|articles)|mehr (?:zum thema|dazu|von|aus|zu)|lesen sie (?:auch|mehr|hier)"
    r"|das könnte sie|auch interessant|meistgelesen|anzeige|zum thema"
    r"|weitere (?:artikel|themen|meldungen)|(?:à )?lire (?:aussi|également|plus)|sur le même sujet"
    r"|à découvrir|voir aussi|les plus lus|publicité|lee (?:también|más)|le puede interesar"
    r"|te puede interesar|más (?:noticias|información|sobre)|noticias relacionadas|relacionad[oa]s?"
    r"|lo más (?:leído|visto)|publicidad|leggi anche|potrebbe interessarti|articoli correlati"
    r"|i più letti|pubblicità|leia (?:também|mais)|veja também|relacionadas|mais lidas|publicidade"
    r"|lees (?:ook|meer|verder)|gerelateerd|meest gelezen|advertentie|läs (?:också|även|mer)|les også"
    r"|læs også|czytaj (?:też|także|więcej)|zobacz też|читайте также|по теме|ещё по теме|рекомендуем"
    r"|реклама|相关(?:阅读|新闻|文章)|延伸(?:阅读|閱讀)|関連(?:記事|ニュース)|あわせて読みたい|관련 ?기사"
)
LEADING_HEADING = re.compile(rf"\W*(?:{_LEAD})", re.IGNORECASE)
LEADING_LINE = re.compile(rf"\W*(?:{_LEAD})[^.]{{0,60}}?[:|>»\u203a\u2192\u2013-]", re.IGNORECASE)
ADVERTISEMENT = re.compile(
    r"\W*(?:advertise(?:ment|r?)s?|ads?|sponsored(?: content)?|promoted|anzeige|werbung|publicité|publicidad"
    r"|pubblicità|publicidade|advertentie|annons(?:e|er)?|reklam[ae]?|реклама|广告|廣告|広告|광고"
    r"|(?:advertisement\W*)?(?:story|article) continues (?:below|after)[\w ]*)\W*",
    re.IGNORECASE,
)
