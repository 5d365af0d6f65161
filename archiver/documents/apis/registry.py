"""The readers of APIs by their names; each is imported when it is first used."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from archiver.documents.apis.model import ApiReader

APIS = ("activitypub", "bluesky", "discourse", "lemmy", "mastodon", "mediawiki", "wordpress")


def reader_of(api: str) -> ApiReader:
    """The reader of an API that `APIS` names."""
    if api not in APIS:
        raise KeyError(api)
    return cast("ApiReader", import_module(f"archiver.documents.apis.{api}"))
