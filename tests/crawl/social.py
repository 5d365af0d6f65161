"""Scripted servers of networks and forums: the shapes of their answers are those of their documentation."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, ClassVar

from tests.crawl.networks import Network, as_json, asked
from tests.crawl.wire_server import self_signed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.crawl.networks import Said
    from tests.crawl.site import Answer, Request

_ON_A_PAGE = 10


def page_before(posts: Sequence[Said], number: str) -> list[Said]:
    """The newest posts before one of them."""
    return [one for one in reversed(posts) if not number or one.number < int(number)][:_ON_A_PAGE]


class Mastodon(Network):
    """https://docs.joinmastodon.org/entities/Status/"""

    has_profiles: ClassVar[bool] = True

    def begin(self) -> str:
        self.site.add("/api/v1/timelines/tag/flood", lambda request: self.answer(self._list(request)))
        return f"{{mastodon: '{self.site.origin}', tags: ['#flood']}}"

    def _list(self, request: Request) -> Answer:
        shown = [one for one in self.posts if not one.is_deleted]
        page = page_before(shown, asked(request).get("max_id", ""))
        end = f"{self.site.url(request.path)}?max_id={page[-1].number}" if page else ""
        link = [("Link", f'<{end}>; rel="next", <{self.site.url("/")}?min_id=9>; rel="prev"')] if page else []
        limits = [("X-RateLimit-Limit", "300"), ("X-RateLimit-Remaining", "299")]
        limits += [("X-RateLimit-Reset", "2026-11-18T00:00:00.000Z")]
        return as_json([self._status(one) for one in page], *link, *limits)

    def _status(self, one: Said) -> dict[str, object]:
        account = {
            "id": "7", "username": one.author, "acct": f"{one.author}@social.example", "display_name": "Ada",
            "note": "<p>I row. <a>#<span>nobot</span></a></p>" if one.nobot else "<p>I row.</p>",
            "url": f"https://social.example/@{one.author}", "discoverable": True, "noindex": False,
        }  # fmt: skip
        return {
            "id": str(one.number),
            "uri": f"https://social.example/users/{one.author}/statuses/{one.number}",
            "url": f"https://social.example/@{one.author}/{one.number}",
            "created_at": f"{one.at()}.000Z",
            "edited_at": f"{one.at(one.edited)}.000Z" if one.edited else None,
            "in_reply_to_id": str(one.answers) if one.answers else None,
            "visibility": "private" if one.is_private else "public",
            "language": "de",
            "spoiler_text": "",
            "content": one.markup,
            "account": account,
            "reblog": None,
            "reblogs_count": 2,
            "replies_count": 1,
            "tags": [{"name": "flood", "url": "https://social.example/tags/flood"}],
            "card": None,
        }


class ActivityPub(Network):
    """https://www.w3.org/TR/activitypub/#outbox: an account that WebFinger finds, over TLS as all are."""

    def begin(self) -> str:
        with TemporaryDirectory() as folder:
            self.site.tls = self_signed(Path(folder), self.site.host)
        origin = self.site.origin
        itself = {"rel": "self", "type": "application/activity+json", "href": f"{origin}/users/ada"}
        self.site.add("/.well-known/webfinger", as_json({"subject": "acct:ada", "links": [itself]}))
        actor = {"id": f"{origin}/users/ada", "type": "Person", "preferredUsername": "ada", "name": "Ada"}
        self.site.add("/users/ada", as_json(actor | {"outbox": f"{origin}/users/ada/outbox"}))
        self.site.add("/users/ada/outbox", lambda request: self.answer(self._outbox(request)))
        return f"{{activitypub: '@ada@{origin.removeprefix('https://')}'}}"

    def _outbox(self, request: Request) -> Answer:
        given, here = asked(request), self.site.url("/users/ada/outbox")
        if "page" not in given:
            return as_json({"type": "OrderedCollection", "totalItems": 99, "first": f"{here}?page=true"})
        page = page_before(self.posts, given.get("max_id", ""))
        shown: dict[str, object] = {
            "type": "OrderedCollectionPage",
            "orderedItems": [
                *map(self._activity, page),
                {"type": "Announce", "object": "https://x.example/1"},
            ],
        }
        goes_on = {"next": f"{here}?page=true&max_id={page[-1].number}"} if page else {}
        return as_json(shown | goes_on)

    def _activity(self, one: Said) -> dict[str, object]:
        name = self.site.url(f"/users/ada/statuses/{one.number}")
        if one.is_deleted:
            return {"type": "Create", "object": {"id": name, "type": "Tombstone"}}
        to_all = "https://www.w3.org/ns/activitystreams#Public"
        note = {
            "id": name,
            "type": "Note",
            "url": self.site.url(f"/@ada/{one.number}"),
            "published": f"{one.at()}Z",
            "updated": f"{one.at(one.edited)}Z" if one.edited else None,
            "to": [self.site.url("/users/ada/followers") if one.is_private else to_all],
            "content": one.markup,
            "contentMap": {"de": one.markup},
        }
        return {"id": f"{name}/activity", "type": "Create", "object": note}


class Bluesky(Network):
    """https://docs.bsky.app/docs/api/app-bsky-feed-get-author-feed"""

    def begin(self) -> str:
        path = "/xrpc/app.bsky.feed.getAuthorFeed"
        self.site.add(path, lambda request: self.answer(self._feed(request)))
        return "{bluesky: {actors: [ada.example]}}"

    def _feed(self, request: Request) -> Answer:
        shown = [one for one in self.posts if not one.is_deleted]
        page = page_before(shown, asked(request).get("cursor", ""))
        feed: list[dict[str, object]] = [{"post": self._view(one)} for one in page]
        repeated = {"post": {"uri": "at://did:plc:other/app.bsky.feed.post/1"}, "reason": {"$type": "repost"}}
        answer: dict[str, object] = {"feed": [*feed, repeated]}
        return as_json(answer | ({"cursor": str(page[-1].number)} if page else {}))

    def _view(self, one: Said) -> dict[str, object]:
        words = one.words or f"The water stands at mark {one.number}."
        hidden = [{"val": "!no-unauthenticated"}] if one.is_private else []
        link = {"$type": "app.bsky.richtext.facet#link", "uri": f"https://paper.example/{one.number}"}
        author = {"did": "did:plc:ada", "handle": "ada.example", "displayName": "Ada", "labels": hidden}
        return {
            "uri": f"at://did:plc:ada/app.bsky.feed.post/{one.number}",
            "cid": f"cid{one.number}",
            "author": author,
            "record": {
                "$type": "app.bsky.feed.post",
                "text": words,
                "createdAt": f"{one.at()}.000Z",
                "langs": ["de"],
                "facets": [{"index": {"byteStart": 0, "byteEnd": 3}, "features": [link]}],
            },
            "replyCount": 0,
            "repostCount": 0,
            "indexedAt": f"{one.at()}.000Z",
        }


class Discourse(Network):
    """https://docs.discourse.org/: topics of up to 23 posts each."""

    per_topic: ClassVar[int] = 23

    def begin(self) -> str:
        self.site.add("/latest.json", lambda request: self.answer(self._latest(request)))
        for topic in (1, 2):
            self.site.add(f"/t/{topic}.json", lambda _, topic=topic: self._topic(topic))
            self.site.add(f"/t/{topic}/posts.json", lambda request, topic=topic: self._more(topic, request))
        return f"{{discourse: '{self.site.origin}'}}"

    def _of(self, topic: int) -> list[Said]:
        return [one for one in self.posts if (one.number - 1) // self.per_topic == topic - 1]

    def _latest(self, request: Request) -> Answer:
        topics = [topic for topic in (2, 1) if self._of(topic)]
        page = int(asked(request)["page"])
        listed = [
            {
                "id": topic,
                "title": f"Topic {topic}",
                "posts_count": len(self._of(topic)),
                "last_posted_at": max(one.at(one.edited) for one in self._of(topic)),
            }
            for topic in topics[page : page + 1]
        ]
        more = {"more_topics_url": f"/latest?page={page + 1}"} if page + 1 < len(topics) else {}
        return as_json({"topic_list": {"topics": listed} | more})

    def _topic(self, topic: int) -> Answer:
        posts = self._of(topic)
        stream = {"posts": [self._post(one) for one in posts[:20]], "stream": [one.number for one in posts]}
        return as_json({"id": topic, "title": f"Topic {topic}", "tags": ["flood"], "post_stream": stream})

    def _more(self, topic: int, request: Request) -> Answer:
        wanted = {part.partition("=")[2] for part in request.target.partition("?")[2].split("&")}
        posts = [self._post(one) for one in self._of(topic) if str(one.number) in wanted]
        return as_json({"id": topic, "post_stream": {"posts": posts}})

    def _post(self, one: Said) -> dict[str, object]:
        return {
            "id": one.number,
            "name": "Ada",
            "username": one.author,
            "created_at": f"{one.at()}.000Z",
            "updated_at": f"{one.at(one.edited)}.000Z",
            "cooked": one.markup,
            "post_number": (one.number - 1) % self.per_topic + 1,
            "post_type": 4 if one.is_private else 1,
            "reply_to_post_number": None,
            "reply_count": 0,
            "topic_slug": "the-flood",
            "version": 2 if one.edited else 1,
            "hidden": False,
            "user_deleted": one.is_deleted,
        }


class Lemmy(Network):
    """https://join-lemmy.org/api/: odd numbers are posts, even ones are comments on the post before."""

    has_profiles: ClassVar[bool] = True

    def begin(self) -> str:
        self.site.add("/api/v3/post/list", lambda request: self.answer(self._list(request)))
        self.site.add("/api/v3/comment/list", self._comments)
        return f"{{lemmy: '{self.site.origin}', communities: [flood]}}"

    def _list(self, request: Request) -> Answer:
        asked_for = asked(request)
        listed = sorted(
            (one for one in self.posts if one.number % 2),
            key=lambda one: max((one.minute, *(said.minute for said in self._on(one.number)))),
        )
        start = int(asked_for.get("page_cursor", "P0")[1:])
        page = list(reversed(listed))[start : start + _ON_A_PAGE]
        more = {"next_page": f"P{start + _ON_A_PAGE}"} if start + _ON_A_PAGE < len(listed) else {}
        return as_json({"posts": [self._view(one, "post") for one in page]} | more)

    def _on(self, number: int) -> list[Said]:
        return [one for one in self.posts if one.number == number + 1]

    def _comments(self, request: Request) -> Answer:
        on = self._on(int(asked(request)["post_id"]))
        return as_json({"comments": [self._view(one, "comment") for one in on]})

    def _view(self, one: Said, kind: str) -> dict[str, object]:
        words = one.words or f"The water stands at mark {one.number}."
        said: dict[str, object] = {
            "id": one.number,
            "ap_id": f"https://lemmy.example/{kind}/{one.number}",
            "published": f"{one.at()}Z",
            "deleted": one.is_deleted,
            "removed": one.is_private,
        }
        text = f"{words} [Read on](https://paper.example/{one.number})"
        said |= (
            {"name": "Mark", "body": text} if kind == "post" else {"content": text, "path": f"0.{one.number}"}
        )
        creator = {
            "name": one.author, "display_name": "Ada", "actor_id": f"https://lemmy.example/u/{one.author}",
            "bio": "I row. #nobot" if one.nobot else "I row.",
        }  # fmt: skip
        return {kind: said, "creator": creator, "counts": {"comments": len(self._on(one.number))}}
