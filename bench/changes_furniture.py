"""The furniture of foreign pages in several makes, as different sites have it: names, labels and wordings."""

# ruff: noqa: E501, RUF001 - pieces of markup as sites have them, each on a line

from __future__ import annotations

# Names of an advertisement's box and its label: where the names tell nothing, the label does.
AD_BOXES = (
    ("ad-slot ad-inline", "Advertisement"),
    ("advertisement", ""),
    ("banner-ad", "Ad"),
    ("dfp-unit", "ADVERTISEMENT"),
    ("sponsored-box", "Sponsored"),
    ("c7f2", "Advertisement"),
    ("gpt-wrapper", "Story continues below advertisement"),
)
ADS = (
    "Mattresses that let you sleep like a stone. Order before Sunday and save a third.",
    "Your next car is waiting: zero deposit, five years of service, one call away.",
    "Broadband at half the price for eighteen months. New customers only, terms apply.",
    "Book two nights by the sea and the third one is on us. Breakfast included.",
    "Glasses from £19, ready in an hour.",
)
SHARES = (
    '<div class="share-bar"><span class="share-count">{count}</span> shares</div>',
    '<ul class="social-links"><li><a href="#">Share</a></li><li>{count} Shares</li></ul>',
    '<div class="sharing-tools"><em>{count}</em></div>',
    '<p class="stats">Shared {count} times</p>',
)
COMMENT_COUNTS = (
    '<a class="comment-count" href="#comments">{count} Comments</a>',
    '<span class="disqus-comment-count">{count} comments</span>',
    '<p class="post-meta"><a href="#respond">Leave a comment ({count})</a></p>',
)
VIEWS = (
    '<div class="post-views"><span>{count:,}</span> views</div>',
    '<p class="hits">Read {count} times</p>',
    '<span class="viewcount">Views: {count:,}</span>',
)
# What is said within the first hours, and what is said later.
AGES = (
    ("{hours} hours ago", "1 day ago"),
    ("Published {hours} hours ago", "Published yesterday"),
    ("Posted {hours} minutes ago", "Posted {hours} hours ago"),
    ("Updated {hours} mins ago", "Updated 3 hrs ago"),
)
AGE_BOXES = (
    '<span class="timeago">{told}</span>',
    '<time class="published">{told}</time>',
    '<div class="byline-date">{told}</div>',
)
STAMPS = (
    '<p class="timestamp">Last updated: <time datetime="{day}T{hour:02}:05:00Z">{hour:02}:05 GMT, {day}</time></p>',
    '<div class="updated">Updated {hour}.05pm EST March 5, 2024</div>',
    '<span class="article__modified">UPDATED: {day}, {hour:02}:05</span>',
    "<p>Updated: March 5, 2024 at {hour}:05 p.m.</p>",
)
RELATED = (
    ("related-articles", "Related articles"),
    ("more-stories", "More from this section"),
    ("recirculation", "You might also like"),
    ("read-next", "Read next"),
    ("x9k", "Recommended for you"),
)
READ_MORE = (
    '<aside class="read-more"><h3>Read more</h3><ul>{rows}</ul></aside>',
    '<div class="inline-related"><strong>See also</strong><ul>{rows}</ul></div>',
    '<p class="read-also"><strong>READ MORE: {first}</strong></p>',
    '<div class="related-inline"><h4>Related</h4>{first}</div>',
)
NEWSLETTERS = (
    (
        '<div class="newsletter-signup"><h3>Sign up for our newsletter</h3><p>Get the day’s top stories in your inbox every '
        'morning.</p><form action="/newsletter"><input type="email" name="email"><button>Subscribe</button></form></div>'
    ),
    (
        '<section class="signup"><h4>Don’t miss a thing</h4><p>Join 40,000 readers who get our weekly digest.</p><a '
        'href="/subscribe">Sign up now</a></section>'
    ),
    '<div class="email-promo"><p>Enjoying this story? Subscribe to our newsletter for more like it.</p></div>',
)
CONSENTS = (
    (
        '<div id="cookie-consent" role="dialog" class="consent-banner"><h2>We value your privacy</h2><p>We and our partners '
        "store and access information on a device, such as cookies, and process personal data, such as unique "
        "identifiers, for personalised advertisements and content.</p><button>Accept all</button></div>"
    ),
    (
        '<div class="gdpr-bar"><p>By continuing to use this site you agree to our use of cookies.</p><a href="/cookies">Learn '
        "more</a></div>"
    ),
)
BIOS = (
    (
        '<div class="author-bio"><img class="avatar" src="/avatars/{number}.jpg" alt="{name}"><h4>About the author</h4><p>{name} '
        "is a senior reporter. Follow {name} on social media.</p></div>"
    ),
    (
        '<section class="bio"><a href="/people/{number}">{name}</a><p>{name} covers business and the economy, and lives by the '
        "sea with two dogs.</p></section>"
    ),
    '<div class="contributor"><h3>{name}</h3><p>Staff writer</p><a href="mailto:news@page.invalid">Contact {name}</a></div>',
)
METERS = (
    '<div class="meter"><p>You have {left} free articles left this month.</p></div>',
    '<div class="paywall-counter">{left} of 5 free stories remaining. <a href="/subscribe">Subscribe</a></div>',
)
ZONES = (
    '<div id="comments"><h3>{count} Comments</h3><ol class="commentlist">{rows}</ol></div>',
    '<section class="comments-area"><h2>Join the conversation ({count})</h2><ul>{rows}</ul></section>',
    '<div class="discussion" aria-label="Comments"><h4>Comments</h4><ul class="comment-list">{rows}</ul></div>',
)
TICKERS = (
    '<div class="breaking-ticker"><b>Breaking</b> <a href="/live">{told}</a></div>',
    '<div class="top-strip"><span>LIVE</span> <a href="/live">{told}</a></div>',
)
