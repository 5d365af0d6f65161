"""Words in the names of images and of what is around them, by what they say of the image."""

from __future__ import annotations

# It shows the site or a person, not the story.
FURNITURE = frozenset({
    "logo", "icon", "icons", "avatar", "sprite", "badge", "button", "banner", "headshot", "byline", "author",
    "profile", "placeholder", "spacer", "transparent", "pixel", "blank", "loading", "spinner", "favicon",
    "rating", "stars", "star", "emoji", "smiley", "facebook", "twitter", "youtube", "instagram", "share",
    "subscribe", "newsletter", "signature", "contributor", "reporter", "staff", "columnist", "sponsor", "ad",
    "ads", "svg", "app", "store",
})  # fmt: skip
# The same in the words that stand for an image, where they are few.
FURNITURE_ALT = frozenset({"logo", "icon", "avatar", "author", "photo", "profile", "headshot"})
# It stands beside the article: a person, other articles, what the site wants of its readers.
ASIDE = frozenset({
    "author", "authors", "byline", "bylines", "avatar", "contributor", "related", "recirc", "recirculation",
    "recommend", "recommended", "recommendations", "recs", "promo", "promos", "sidebar", "newsletter",
    "social", "share", "sharing", "footer", "nav", "navigation", "menu", "logo", "comment", "comments",
    "teaser", "teasers", "trending", "popular", "ad", "ads", "advert", "advertisement", "sponsor",
    "sponsored", "widget", "widgets", "subscribe", "signup", "bio", "profile", "masthead", "branding", "cta",
    "metadata", "thumb", "thumbs", "thumbnails", "listing", "carousel", "read", "latest", "upnext", "recent",
})  # fmt: skip
# It is the first image of an article.
LEAD = frozenset({"lead", "hero", "featured", "primary", "opener", "headline", "top", "cover"})
# It belongs to a text.
WITHIN = frozenset({
    "caption", "figure", "inline", "attachment", "aligncenter", "alignnone", "body", "content", "entry",
})  # fmt: skip
