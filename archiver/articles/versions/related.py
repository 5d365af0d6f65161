"""Words that lead away from an article: headings over lists of other articles, and lines that name one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from archiver.articles.versions.reading import Block

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
_HEADING = re.compile(rf"\W*(?:{_LEAD})", re.IGNORECASE)
_LINE = re.compile(rf"\W*(?:{_LEAD})[^.]{{0,60}}?[:|>»\u203a\u2192\u2013-]", re.IGNORECASE)
_ALONE = re.compile(
    r"\W*(?:advertise(?:ment|r?)s?|ads?|sponsored(?: content)?|promoted|anzeige|werbung|publicité|publicidad"
    r"|pubblicità|publicidade|advertentie|annons(?:e|er)?|reklam[ae]?|реклама|广告|廣告|広告|광고"
    r"|(?:advertisement\W*)?(?:story|article) continues (?:below|after)[\w ]*)\W*",
    re.IGNORECASE,
)
LONGEST_HEADING = 8
LINKED = 70


def is_advertisement(text: str) -> bool:
    """Whether a text only says that what follows is paid for."""
    return len(text) < 80 and bool(_ALONE.fullmatch(text))


def is_lead(block: Block) -> bool:
    """Whether a line leads to another article: `Read more: …` and a link."""
    is_linked = block.linked >= LINKED / 2 or block.words <= LONGEST_HEADING
    return (is_linked and bool(_LINE.match(block.text))) or (
        block.linked >= LINKED and bool(_HEADING.match(block.text))
    )


def below_headings(blocks: Sequence[Block]) -> set[int]:
    """Places of blocks that are links under a heading such as `Related`, and of the heading."""
    found: set[int] = set()
    heading = -1
    for place, block in enumerate(blocks):
        if block.words <= LONGEST_HEADING and _HEADING.match(block.text):
            heading = place
        elif heading >= 0 and block.linked >= LINKED:
            found |= {heading, place}
        elif block.words > 3:
            heading = -1
    return found
