"""Column types that mean the same in every database."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import cached_property
from typing import TYPE_CHECKING, Any

import msgspec
from sqlalchemy import BigInteger, Text, TypeDecorator

if TYPE_CHECKING:
    from sqlalchemy import Dialect

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_TICK = timedelta(microseconds=1)


class Instant(TypeDecorator[datetime]):
    """A moment as microseconds since 1970: sorts and compares alike everywhere."""

    impl = BigInteger
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> int | None:  # noqa: ARG002
        return None if value is None else (value - _EPOCH) // _TICK

    def process_result_value(self, value: int | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        return None if value is None else _EPOCH + timedelta(microseconds=value)


class PlainText(TypeDecorator[str]):
    """Text that every database takes: servers may send anything, and PostgreSQL refuses NUL."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:  # noqa: ARG002
        if value is None or (value.isascii() and "\0" not in value):
            return value
        return value.replace("\0", "\ufffd").encode("utf-8", "replace").decode()


class Json(TypeDecorator[Any]):
    """A typed value, kept as JSON text."""

    impl = Text
    cache_ok = True

    def __init__(self, kind: Any) -> None:  # noqa: ANN401 - any form of type that msgspec takes
        super().__init__()
        self.kind = kind

    @cached_property
    def _decoder(self) -> msgspec.json.Decoder[Any]:
        """Made when first asked for: a command reads a few of all columns."""
        return msgspec.json.Decoder(self.kind)

    def process_bind_param(self, value: object, dialect: Dialect) -> str | None:  # noqa: ARG002
        return None if value is None else msgspec.json.encode(value).decode()

    def process_result_value(self, value: str | None, dialect: Dialect) -> object:  # noqa: ARG002
        return None if value is None else self._decoder.decode(value)
