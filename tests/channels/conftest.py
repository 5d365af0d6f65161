"""What is read of channels runs on SQLite and on a real PostgreSQL server, as all of the store."""

from __future__ import annotations

from tests.store.conftest import database, open_store, postgresql, store_url  # noqa: F401 - fixtures
