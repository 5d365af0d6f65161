"""What comments, their parts and the zones that hold them are called, in classes, identifiers and words."""

from __future__ import annotations

import re


def _any(*parts: str) -> re.Pattern[str]:
    return re.compile("".join(parts), re.IGNORECASE)


def _token(*words: str) -> re.Pattern[str]:
    """A name with one of these between its hyphens."""
    return _any(r"(?:^|[\s_-])(?:", "|".join(words), r")(?=[\s_-]|$)")


_COMMENT = "comment|kommentar|commentaire|comentario|coment[aá]rio|commento|komentarz|reactie"

# An identifier with a number of its own: "comment-12", "li-comment-12", "Blog1_cmt-1556", "c115850".
NUMBERED = _any(
    rf"(?P<prefix>(?:[a-z][a-z0-9]{{0,40}}[-_:]){{0,6}}(?:{_COMMENT}|cmt|reply|response|note|message|msg|journal|c))[-_]?",
    r"(?P<number>\d+(?:[-_][0-9a-f]+)*|[0-9a-f]{16,})",
)
# Of those, the ones that are only for comments, wherever they stand.
SURELY_NUMBERED = _any(rf"(?:li-|div-|dsq-|the)?[-_]{{0,2}}(?:{_COMMENT})[-_]?\d+")
# Of a forum.
POST = _any("message|msg")

# A class of a whole comment; not of its parts, of its form, nor of a button.
ITEM = _any(
    "(?!(?:add|btn|button|count|has|icon|latest|leave|load|more|new|no|num|post|recent|show|view|with|without",
    r"|write|your)[-_])(?:[a-z]\w{0,30}?[-_]{1,2})?",
    rf"(?:{_COMMENT}|reply|response)[-_]{{0,2}}",
    "(?:item|entry|wrap|wrapper|container|block|node|single|row|unit|post)?",
)
# A zone, by names beside those that `is_comments_zone` knows.
ZONE = _any(
    r"(?:^|\s)(?:[\w-]{0,30}[-_])?(?:kommentare?|commentaires?|coment[aá]rios?|commenti|komentarze|reacties",
    "|responses|replies|reactions|discussions?|talkbacks?|comments?-?list)",
    r"(?:[-_]?(?:area|list|section|wrap|wrapper|container|block|zone|inner))?(?:[-_]?\d+)?(?=\s|$)",
)
# What such a zone is not: a list of what was said elsewhere, or a place to write in.
ELSEWHERE = _any(
    r"(?<!\bno)(?<!\bwithout)(?<!\bhas)(?<!\bwith)(?:^|[\s_-])(?:recent|latest|newest|popular|widgets?",
    "|side-?bars?|related|trending|most|top-?comments|navigation|previews?|count)",
    r"(?=[\s_-]|$)",
)
# What links other pages to this one.
PINGBACK = _token("pingbacks?", "trackbacks?")
# A box with the answers to the comment above it.
ANSWERS = _token("indent(?:ed)?", "children", "replies", "answers", "nested", "sub-?comments?")
# The head of a zone: "12 Comments", "Kommentare (3)", "3 thoughts on …".
HEADING = _any(
    r"\W*(?:(?:reader|user|all|the|\d[\d.,]*|one|two|three)\s+)*",
    "(?:comments?|responses?|repl(?:y|ies)|thoughts?|kommentare?|commentaires?|comentarios?|coment[aá]rios?",
    r"|commenti|reacties|komentarze|комментари[ийев]{1,2}|コメント|评论|評論)\b.{0,200}",
)
HEADING_NAME = _any("comments?|responses")

AUTHOR = _token(
    "fn", "authors?", "author-?name", "comment-?author(?:-?name)?", "commenter", "poster", "by-?line",
    "posted-?by", "user-?name", "user", "nick-?name", "nick", "display-?name", "screen-?name", "who", "name",
    "from", "cite",
)  # fmt: skip
DATE = _any(r"date|time|published|posted|created|when|\bago\b|permalink|meta(?:data)?\b")
BODY = _token(
    "(?:comment|entry|post|message|note|reply|inner)?[-_]{0,2}"
    "(?:content|body|text|message|copy|entry|description|comment)",
    "format[-_]text", "wiki", "markup", "prose", "inner-comment",
)  # fmt: skip
NO_BODY = _any("meta|author|head|foot|avatar|reply|form|vcard|time|date")
# What stands with a comment and is not of it.
CONTROL = _any(
    r"reply|respond|\bvot(?:e|es|ing)\b|\brat(?:e|ing|ings)\b|\blikes?\b|thumb|\bflag\b|report|abuse",
    r"|\bshar(?:e|ing)\b|\bactions?\b|\bcontrols?\b|contextual|\btools?\b|toolbar|avatar|userpic|photo",
    r"|\bedit\b|delete|moderat|\bnum(?:ber)?\b|count|badge|permalink|\bmeta(?:data)?\b|header|footer|vcard",
    r"|screen-reader|\bhidden\b",
)
# Links that do something, by all that they say.
DOES = _any(
    r"\W*(?:(?:reply|respond)(?: to this(?: comment)?)?|permalink|permanent link|link(?: to this comment)?",
    "|quote|edit|delete(?: comment)?|report(?: abuse| this comment| comment)?|flag|like|unlike|dislike|share",
    "|parent|(?:log|sign) ?in to reply|thumb (?:up|down)|up|down|hide|collapse|expand|loading|in reply to",
    "|(?:load|read|show) more|(?:leave|add|post|write) (?:a|your) (?:comment|reply|response)",
    r"|(?:\d+|no) comments?|comments?|antworten|zitieren|melden|répondre|citer|signaler|responder|citar",
    r"|denunciar|rispondi|beantwoorden|odpowiedz|ответить|返信|回复|#?\d+|#|¶|\[-\])\W*",
)

_SAYS = (
    "says?|said|wrote|writes|responded|replied|replies|commented|adds|added|sagte?|meint|schrieb|schreibt"
    "|a écrit|a dit|dit|dice|dijo|escribió|escreveu|disse|zegt|schreef|pisze|napisał|пишет|говорит"
)
# Words around a name: "Posted by: Ada |", "Ada says:", "By Ada on".
BEFORE_NAME = _any(
    r"^\W*(?:(?:comment(?:ed)?|posted|added|updated|written|submitted|left|by|from|von|par|por|da|door|od|автор",
    r"|name)\b[\s:]*)+",
)
AFTER_NAME = _any(
    rf"[\s,.:|·•/–—-]*\b(?:{_SAYS}|on|at|in reply)\b(?:\s*(?:on|at|am|le|el|em|op))?[\s:.…]*(?:\(.*\))?$",
)
# Both in one line: "Posted by: Ada | May 2", "On May 2, Ada said".
NAMED_BY = _any(
    r"\bby:?\s+(?P<by>[^|,·•]{2,60}?)\s*(?:[|,·•]|\bon\b|\bat\b|$)",
    r"|^(?:.*\d(?:[ap]m)?,\s+)?(?P<says>[^|,·•]{2,60}?)\s+(?:says?|said|wrote|responded|replied)\b",
)
# What is left of such a line when name and date are taken out.
REST = _any(
    rf"\W*(?:(?:{_SAYS}|posted|updated|comments?|by|from|on|at|am|pm|um|le|el|em|in|to|the|of|this|ago|reply",
    "|permalink|link|edit|von|vor|uhr|par|por|op|door|mon|tue|wed|thu|fri|sat|sun|monday|tuesday|wednesday",
    r"|thursday|friday|saturday|sunday|#?\d{1,4})\b\W*)*",
)

# A page of comments before or behind this one.
PAGED = _any(r"comment-page-|[?&;]cpage=|comments?[-_]?page|[?&;]comments?=\d|load[-_]?more[-_]?comments?")
PAGER = _any(r"pagin|(?:^|[\s_-])pagers?(?=[\s_-]|$)")
MORE = _any(
    r"\W*(?:(?:load|show|view|see|read|display)\s+(?:\d+\s+)?(?:more|all|older|newer|previous)?\s*\d*\s*",
    r"(?:comments?|replies|responses?)|(?:older|newer|more|previous|next)\s+(?:comments?|replies|responses?)",
    r"|(?:ältere|neuere|weitere|mehr) kommentare|commentaires (?:plus anciens|suivants|précédents))\W*",
)

_TIME = (
    r"(?:[\s,]+(?:at|@|um|à|a las|-|–|·|\|)?[\s]*\d{1,2}[:.h]\d{2}(?:[:.]\d{2})?\s?(?:[ap]\.?m\b\.?)?"
    r"(?:\s?(?:uhr|[+-]\d\d:?\d\d|[A-Z]{2,4}\b))?)?"
)
_WORD = r"[^\W\d_]{3,12}"
# The words of a month are looked up: it may be any word.
WRITTEN_DATE = re.compile(
    r"\d{4}-\d\d-\d\d(?:[T\s]\d\d:\d\d(?::\d\d(?:\.\d+)?)?\s?(?:Z\b|UTC|[+-]\d\d:?\d\d)?)?"
    rf"|(?P<first>{_WORD})\.?\s\d{{1,2}}(?:st|nd|rd|th)?,?\s\d{{4}}{_TIME}"
    rf"|\d{{1,2}}(?:\.|st|nd|rd|th)?,?\s(?:de\s)?(?P<second>{_WORD})\.?,?\s(?:de\s)?\d{{4}}{_TIME}"
    rf"|\d{{1,2}}[./]\d{{1,2}}[./]\d{{2,4}}{_TIME}"
)
_UNIT = "(?:second|minute|min|hour|hr|day|week|month|year)s?"
RELATIVE_DATE = _any(
    r"(?:(?:about|over|almost|less than|more than)\s)?",
    rf"(?:\d+|an?|one)\s{_UNIT}(?:,?\s\d+\s{_UNIT})?(?:\sago)?\b",
    r"|vor\s(?:\d+|eine[mr]?)\s\w+|il y a\s\d+\s\w+|hace\s\d+\s\w+|há\s\d+\s\w+|\d+\s(?:uur|dagen)\sgeleden",
    "|yesterday|today|just now",
)
