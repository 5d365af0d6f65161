"""How each section words and marks up what stands around its articles: no two templates do it alike."""

from __future__ import annotations

from dataclasses import dataclass

# ruff: noqa: E501 - pieces of markup, each on a line


@dataclass(frozen=True, slots=True, kw_only=True)
class Wording:
    """Patterns for `str.format`."""

    ad: str
    share: str
    dates: str
    views: str
    comments: str
    comment: str
    links: str
    labels: dict[str, str]
    newsletter: str
    cookie_banner: str
    author_box: str
    ages: tuple[str, str, str] = ("3 hours ago", "2 days ago", "last week")


_LINK_KINDS = ("most read", "related links", "related inside")


def _labels(*labels: str) -> dict[str, str]:
    return dict(zip(_LINK_KINDS, labels, strict=True))


TOWN = Wording(
    ad='<div class="ad ad-{place}"><span>Advertisement</span><a href="/out/{number}"><img src="{image}" alt="" width="300" height="90"></a><p>{text}</p></div>',
    share='<div class="share"><span class="shares">{shares}</span> shares <a class="talk" href="#comments">{comments} comments</a></div>',
    dates='<p class="dates"><time datetime="{iso}">{day}</time> <span class="ago">{ago}</span> <span class="updated">Updated at {hour:02}:15</span></p>',
    views='<p class="views">Read {count} times</p>',
    comments='<section id="comments" class="comments"><h3>Comments</h3><ol>{rows}</ol></section>',
    comment='<li class="comment"><cite>{name}</cite><p>{text}</p></li>',
    links='<aside class="{name}"><h3>{label}</h3><ul>{rows}</ul></aside>',
    labels=_labels("Most read", "Related stories", "Read more"),
    newsletter='<div class="newsletter"><h3>The fells in your inbox</h3><p>Sign up for our newsletter and never miss a story.</p><form action="/newsletter"><input name="email" type="email"><button>Sign up</button></form></div>',
    cookie_banner='<div id="consent" class="cookie-banner"><p>We use cookies to make this site better, and so do our 214 partners. You can change your mind at any time.</p><button>Accept</button></div>',
    author_box='<div class="author-box"><img src="/img/{slug}.gif" alt="{name}"><h4>About {name}</h4><p>{name} writes about the fells and keeps bees. The newsroom passes letters on.</p></div>',
)
FARM = Wording(
    ad='<center><font size="1">- advertisement -</font><br><a href="/out/{number}"><img src="{image}" alt="{text}" width="468" height="60"></a><br><small>{text}</small></center>',
    share='<p><font size="1">Recommended by {shares} readers. <a href="#talk">{comments} letters</a></font></p>',
    dates='<font size="1">{day}, {ago}. Last change: {hour}.15 h</font>',
    views='<p><font size="1">Visitors to this page: {count}</font></p>',
    comments='<a name="talk"></a><div class="letters comments"><b>Letters to the farm desk</b><ul>{rows}</ul></div>',
    comment="<li><i>{name}:</i> {text}</li>",
    links='<table class="box" border="1" width="100%"><tr><td><b>{label}</b><ul>{rows}</ul></td></tr></table>',
    labels=_labels("Farmers read", "More on farming", "See also"),
    newsletter='<table class="box" border="1"><tr><td><b>Farm letter</b><br>Prices and weather by e-mail every Friday. <a href="/farmletter">Subscribe here</a></td></tr></table>',
    cookie_banner='<p class="notice"><small>This site sets cookies. By reading on you agree to that. <a href="/cookies">More about cookies</a></small></p>',
    author_box='<table class="box" border="0"><tr><td><img src="/img/{slug}.gif" alt="{name}" width="60"></td><td><b>{name}</b> has farmed below the fells for thirty years and writes on Thursdays.</td></tr></table>',
    ages=("today", "the day before yesterday", "last week"),
)
ARTS = Wording(
    ad='<div class="x3"><i>Sponsored</i><a href="/out/{number}"><img src="{image}" alt="" width="320" height="50"></a><div>{text}</div></div>',
    share='<div class="k1"><b>{shares}</b><b>{comments}</b></div>',
    dates='<div class="k2">{day} <em>{ago}</em> <span>updated {hour}:15</span></div>',
    views='<div class="k3">{count} views</div>',
    comments='<div class="k4" id="disqus_thread"><div>Join the conversation</div><div>{rows}</div></div>',
    comment='<div class="k5"><span>{name}</span><div>{text}</div></div>',
    links='<div class="k6"><div>{label}</div><ul>{rows}</ul></div>',
    labels=_labels("Trending", "You may also like", "Don’t miss"),  # noqa: RUF001 - as it is printed
    newsletter='<div class="k7"><div>Enjoying this?</div><div>Get arts news every week: join our mailing list.</div><a href="/list">Join</a></div>',
    cookie_banner='<div class="k8" role="dialog"><div>Your privacy</div><div>We and our partners store information on your device to measure and to advertise.</div><button>OK</button></div>',
    author_box='<div class="k9"><img src="/img/{slug}.gif" alt="{name}"><div>{name}</div><div>Critic, swimmer, maker of marmalade. Follow {name} for more.</div></div>',
    ages=("3h", "2d", "1w"),
)
LIVE = Wording(
    ad='<div class="dfp-slot" id="slot-{number}"><small>Story continues below advertisement</small><a href="/out/{number}"><img src="{image}" alt="" width="728" height="90"></a><p>{text}</p></div>',
    share='<p class="social">Share ({shares}) &middot; Comments ({comments})</p>',
    dates='<p class="posted">Posted {day} ({ago}), updated {hour:02}:15 GMT</p>',
    views='<span class="hits">{count} reading this</span>',
    comments='<div class="commentarea"><h4>Comments</h4><div class="comment-list">{rows}</div></div>',
    comment='<div class="comment-body"><strong>{name} says:</strong><p>{text}</p></div>',
    links='<div class="widget {name}"><h4 class="widget-title">{label}</h4><ul>{rows}</ul></div>',
    labels=_labels("Popular now", "Earlier", "Related"),
    newsletter='<div class="signup-inline"><p><strong>Breaking news by e-mail.</strong> Be the first to know: <a href="/alerts">get our alerts</a>.</p></div>',
    cookie_banner='<div class="gdpr"><p>We value your privacy. Choose which cookies we may use.</p><button>All</button><button>None</button></div>',
    author_box='<div class="reporter vcard"><img src="/img/{slug}.gif" alt="{name}"><p><b>{name}</b> reports live from the fells. Send tips to the live desk.</p></div>',
)
WORDINGS = {"town": TOWN, "farm": FARM, "arts": ARTS, "live": LIVE}
