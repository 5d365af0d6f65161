"""Parts of addresses that don't choose the page: who shared a link, in which session, from where."""

from __future__ import annotations

import re

_SHARED = r"utm_\w+|fbclid|gclid|dclid|msclkid|mc_[ce]id|igshid|yclid|_hsenc|_hsmi|at_\w+|ns_\w+"
_SENT_FROM = r"ref|source"
# Added where a link is shared. The key of a page leaves these out: a change here changes stored keys.
TRACKING = re.compile(f"(?:{_SHARED})$", re.IGNORECASE)
# Also where a visitor was sent from; on some sites these choose the page, so they stay in its key.
TRACKING_OR_REFERRER = re.compile(f"{_SHARED}|{_SENT_FROM}", re.IGNORECASE)
# All that hardly ever makes two links of an article two pages: for links that are compared, not for keys.
NOT_OF_A_PAGE = re.compile(
    rf"{_SHARED}|{_SENT_FROM}|[a-z]{{0,6}}clid|igsh|_hs\w+|wt[._]\w+|_g[al]|_|__\w+"
    r"|(?:php|j|asp|cf|user|web|visitor)?_?s(?:ess(?:ion)?)?_?id|aspsessionid\w*|sess(?:ion)?(?:_?key)?|cfid"
    r"|cftoken|token|nonce|sig(?:nature)?|hash|ref(?:_?src|errer|erer)|cmp(?:id)?|campaign(?:_?id)?"
    r"|[oisnm]cid|smid|smtyp|xtor|ito|mbid|partner|affiliate(?:_?id)?|aff(?:_?id)?|tracking(?:_?id)?|trk\w*"
    r"|cb|cache_?buster|rand(?:om)?|rnd|ts|timestamp|time|click_?id|visitor|clickref",
    re.IGNORECASE,
)
# Session ids that servers write into links. Of `sid` only long ones: it is also the number of a story.
SESSION = re.compile(
    r"(?:phpsessid|jsessionid|aspsessionid\w*|asp\.net_sessionid|sess(?:ion)?_?id|cfid|cftoken|oscsid|zenid)="
    r"|s(?:id)?=[0-9a-f]{20,}$",
    re.IGNORECASE,
)
SESSION_IN_PATH = re.compile(r";(?:jsessionid|phpsessid|sid)=[^/;?]*|/\(S\([^/()]*\)\)", re.IGNORECASE)
