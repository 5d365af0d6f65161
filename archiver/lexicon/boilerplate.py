"""How texts begin that are beside an article: soft evidence, in the languages that news is most read in."""

from __future__ import annotations

import re

# The beginning of a line that is no part of the text.
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

# A heading under which something else begins.
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
