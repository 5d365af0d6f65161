"""The interface for programs as OpenAPI 3.1: made from the views, so that it cannot differ from them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import msgspec

from archiver import __version__

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from archiver.web.view import WebView

_REFERENCE = "#/components/schemas/{name}"
_IN_PATH = re.compile(r"\{(\w+)(?::\w+)?\}")


class ProblemTold(msgspec.Struct, frozen=True):
    """What is answered instead, and what to do next."""

    status: int
    problem: str


_FAILURES = {
    "400": "a parameter has a value that cannot be used",
    "404": "the archive does not have it",
    "451": "it is kept, and withheld",
    "503": "the archive cannot be read now",
}


def description(views: Sequence[WebView[Any, Any]]) -> dict[str, Any]:
    types = [*dict.fromkeys(view.answer for view in views), ProblemTold]
    schemas, components = msgspec.json.schema_components(types, ref_template=_REFERENCE)
    by_type = dict(zip(types, schemas, strict=True))
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "archiver",
            "version": __version__,
            "description": "What `scrapy browse` shows, for programs. Everything here only reads.",
        },
        "paths": {_plain(view.json_path): {"get": _operation(view, by_type)} for view in views},
        "components": {"schemas": components},
    }


def _plain(path: str) -> str:
    return _IN_PATH.sub(r"{\1}", path)


def _operation(view: WebView[Any, Any], schemas: dict[object, Any]) -> dict[str, Any]:
    failures = {
        status: {"description": told, "content": _content(schemas[ProblemTold])}
        for status, told in _FAILURES.items()
    }
    found = {"200": {"description": view.about, "content": _content(schemas[view.answer])}}
    return {
        "operationId": view.name,
        "summary": view.about,
        "parameters": list(_parameters(view)),
        "responses": found | failures,
    }


def _content(schema: dict[str, Any]) -> dict[str, Any]:
    return {"application/json": {"schema": schema}}


def _parameters(view: WebView[Any, Any]) -> Iterator[dict[str, Any]]:
    (_, components) = msgspec.json.schema_components([view.parameters], ref_template=_REFERENCE)
    asked = components[view.parameters.__name__]
    in_path = set(_IN_PATH.findall(view.path))
    for name, schema in asked.get("properties", {}).items():
        yield {
            "name": name,
            "in": "path" if name in in_path else "query",
            "required": name in in_path or name in asked.get("required", ()),
            "schema": _without_null(schema),
        }


def _without_null(schema: dict[str, Any]) -> dict[str, Any]:
    """An address cannot say null: what is not asked is left out."""
    kept = {name: value for name, value in schema.items() if name != "default" or value is not None}
    if "anyOf" in kept:
        options = [one for one in kept.pop("anyOf") if one.get("type") != "null"]
        return kept | options[0] if len(options) == 1 else kept | {"anyOf": options}
    return kept
