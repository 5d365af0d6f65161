"""The queries of histories run on SQLite and on a real PostgreSQL server, as all of the store."""

from __future__ import annotations

from tests.store.conftest import postgresql, store_url  # noqa: F401 - fixtures
