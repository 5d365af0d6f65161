"""What the state store knows of object lines, while a run goes on writing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.store.database import Database
from archiver.store.lines import StoredLines
from archiver.store.object_files import save_object_length
from archiver.store.reading import reading

if TYPE_CHECKING:
    from pathlib import Path


def test_what_was_settled_since_is_known_also_where_all_questions_see_one_state(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'state.sqlite'}"
    database = Database(url)
    database.run(save_object_length, "articles-1.jsonl", 10)
    with reading(url) as connection:
        # As PostgreSQL does it for those who only read.
        connection.exec_driver_sql("BEGIN")
        stored = StoredLines(connection)
        database.run(save_object_length, "articles-1.jsonl", 20)
        assert stored.lengths == StoredLines(connection).lengths == {"articles-1.jsonl": 10}
        assert stored.lengths_now() == {"articles-1.jsonl": 20}
    database.close()
