"""The JSON Schema of an object, from its class: `python -m archiver.articles.objects.schema` writes it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from archiver.articles.objects.model import EARLIER_SCHEMAS, SCHEMA, ArchivedObject

FILE = Path(__file__).with_name("schema.json")


def json_schema() -> dict[str, Any]:
    """What every line of an objects file is valid against."""
    head = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"One version of an article ({SCHEMA})",
    }
    schema = head | msgspec.json.schema(ArchivedObject)
    schema["$defs"]["ArchivedObject"]["properties"]["schema"] = {"enum": [*EARLIER_SCHEMAS, SCHEMA]}
    # Defaults come as Python's tuples: JSON has lists.
    return msgspec.json.decode(msgspec.json.encode(schema), type=dict[str, Any])


def main() -> None:
    FILE.write_bytes(msgspec.json.format(msgspec.json.encode(json_schema()), indent=2) + b"\n")


if __name__ == "__main__":
    main()
