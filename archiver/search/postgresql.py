"""The index in PostgreSQL, beside the tables of the state store: one table of rows with a `tsvector` each."""

from __future__ import annotations

import zlib
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from sqlalchemy import inspect, text

from archiver.search.index import (
    BUILD,
    PLACES,
    VERSION,
    NoIndex,
    from_ticks,
    lowest_id,
    ticks,
)
from archiver.search.lexemes import clean, tsquery_of, vector_of
from archiver.search.settled import bytes_behind
from archiver.search.sieve import (
    CONTRIBUTIONS,
    DEAD,
    EARLIER,
    MOST_COUNTED,
    MOST_RANKED,
    NEWEST,
    Match,
    Paper,
)
from archiver.search.stores import IndexedFile

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping
    from datetime import datetime

    from sqlalchemy import Connection

    from archiver.search.lines import IndexedText
    from archiver.search.sieve import Sieve
    from archiver.search.stores import NewPaper, NewRow

_TABLES = ("search_meta", "search_files", "search_documents", "search_papers", "search_warcs")
_SCHEMA = """
CREATE TABLE search_meta (version INTEGER NOT NULL);
CREATE TABLE search_files (name TEXT PRIMARY KEY, length BIGINT NOT NULL, last BIGINT, mark TEXT NOT NULL);
CREATE TABLE search_documents (
    id BIGINT PRIMARY KEY, file TEXT NOT NULL, place BIGINT NOT NULL, article BIGINT NOT NULL,
    version INTEGER NOT NULL, channel BIGINT NOT NULL, confidence INTEGER NOT NULL, state INTEGER NOT NULL,
    words TSVECTOR NOT NULL
);
CREATE INDEX search_documents_article ON search_documents (article);
CREATE INDEX search_documents_place ON search_documents (file, place);
CREATE INDEX search_documents_words ON search_documents USING gin (words);
CREATE TABLE search_papers (
    id BIGSERIAL PRIMARY KEY, url TEXT NOT NULL, title TEXT NOT NULL, captured BIGINT NOT NULL,
    warc TEXT NOT NULL, place BIGINT NOT NULL, text BYTEA NOT NULL, UNIQUE (warc, place)
);
CREATE TABLE search_warcs (name TEXT PRIMARY KEY);
"""
# Any number, the same for all feeders: one is at it at a time.
_LOCK = 40_2026
_COLUMNS = "id, file, place, article, version, channel, state"
# The classes D, C, B and A: a word of a title counts as much as eight of a text.
_SCORE = "-ts_rank('{0.125, 0.125, 0.125, 1.0}', words, asked.query, 1)"


def found_version(connection: Connection) -> int | None:
    """The version of the index; None where there is none."""
    if not inspect(connection).has_table("search_meta"):
        return None
    found = connection.execute(text("SELECT version FROM search_meta")).scalar()
    return None if found is None else int(found)


def check(connection: Connection) -> None:
    """Raise NoIndex where there is none that can be asked."""
    found = found_version(connection)
    if found is None:
        raise NoIndex(f"This archive has no search index yet: {BUILD}")
    if found != VERSION:
        raise NoIndex(f"The search index is of another archiver (version {found}, not {VERSION}): {BUILD}")


def make(connection: Connection) -> None:
    """An index with nothing in it, in the place of what is there."""
    for table in _TABLES:
        connection.execute(text(f"DROP TABLE IF EXISTS {table}"))
    for statement in filter(str.strip, _SCHEMA.split(";\n")):
        connection.execute(text(statement))
    connection.execute(text("INSERT INTO search_meta VALUES (:version)"), {"version": VERSION})


class PostgresqlStore:
    """The index, to be fed."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    @contextmanager
    def transaction(self) -> Iterator[None]:
        with self._connection.begin():
            self._run("SELECT pg_advisory_xact_lock(:lock)", lock=_LOCK)
            if found_version(self._connection) != VERSION:
                make(self._connection)
            yield

    def _run(self, query: str, **values: object) -> Any:  # noqa: ANN401 - SQLAlchemy's results
        return self._connection.execute(text(query), values)

    def empty(self) -> None:
        make(self._connection)

    def files(self) -> list[IndexedFile]:
        return [IndexedFile(*row) for row in self._run("SELECT name, length, last, mark FROM search_files")]

    def note(self, file: IndexedFile) -> None:
        self._run(
            "INSERT INTO search_files VALUES (:name, :length, :last, :mark) ON CONFLICT (name)"
            " DO UPDATE SET length = excluded.length, last = excluded.last, mark = excluded.mark",
            **file._asdict(),
        )

    def forget(self, file: str, length: int) -> None:
        here = "file = :file AND place >= :length"
        articles = self._run(
            f"DELETE FROM search_documents WHERE {here} RETURNING article",  # noqa: S608 - our words
            file=file,
            length=length,
        )
        self._run(_NEWEST_AGAIN, articles=sorted({row.article for row in articles}))
        self.note(IndexedFile(file, length, None, ""))

    def add(self, row: NewRow, text: IndexedText, *, is_past: bool = False) -> None:
        same = "DELETE FROM search_documents WHERE article = :article AND version = :version"
        self._run(same, article=row.article, version=row.version)
        is_newest = not is_past and self.newest_of(row.article) < row.version
        if is_newest:
            before = (
                "UPDATE search_documents SET state = :earlier WHERE article = :article AND state = :newest"
            )
            self._run(before, earlier=EARLIER, article=row.article, newest=NEWEST)
        self._run(
            "INSERT INTO search_documents VALUES (:id, :file, :place, :article, :version, :channel,"
            " :confidence, :state, CAST(:words AS tsvector))",
            id=self._free_id(text.moment),
            **row._asdict(),
            confidence=text.confidence,
            state=NEWEST if is_newest else EARLIER,
            words=clean(vector_of(text)),
        )

    def _free_id(self, moment: datetime) -> int:
        first = lowest_id(moment)
        while True:
            query = "SELECT max(id) FROM search_documents WHERE id BETWEEN :first AND :last"
            last = self._run(query, first=first, last=first + PLACES - 1).scalar()
            if last is None or last < first + PLACES - 1:
                return first if last is None else int(last) + 1
            first += PLACES

    def newest_of(self, article: int) -> int:
        query = (
            "SELECT coalesce(max(version), 0) FROM search_documents"
            " WHERE article = :article AND state = :newest"
        )
        return int(self._run(query, article=article, newest=NEWEST).scalar_one())

    def warcs(self) -> set[str]:
        return set(self._run("SELECT name FROM search_warcs").scalars())

    def looked_through(self, warcs: set[str]) -> None:
        for name in sorted(warcs):
            self._run("INSERT INTO search_warcs VALUES (:name) ON CONFLICT DO NOTHING", name=name)

    def papers(self) -> set[tuple[str, int]]:
        return {(row.warc, row.place) for row in self._run("SELECT warc, place FROM search_papers")}

    def add_paper(self, paper: NewPaper) -> int:
        query = (
            "INSERT INTO search_papers (url, title, captured, warc, place, text)"
            " VALUES (:url, :title, :captured, :warc, :place, :text) RETURNING id"
        )
        values = paper._asdict() | {"captured": ticks(paper.captured)}
        values |= {"text": zlib.compress(paper.text.encode()), "title": clean(paper.title)}
        return int(self._run(query, **values).scalar_one())

    def tidy(self) -> None:
        with self._connection.begin():
            self._run("ANALYZE search_documents")


_NEWEST_AGAIN = f"""
UPDATE search_documents SET state = {NEWEST}
WHERE article = ANY(:articles) AND version = (
    SELECT max(other.version) FROM search_documents other WHERE other.article = search_documents.article
)
"""  # noqa: S608 - our words


class PostgresqlIndex:
    """The index, to be asked on the connection that reads the state store."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def newest(self, sieve: Sieve, before: int | None, limit: int) -> list[Match]:
        where, values = _where(sieve, before)
        query = f"SELECT {_COLUMNS} FROM {_tables(sieve)} WHERE {where} ORDER BY id DESC LIMIT :limit"  # noqa: S608 - our words
        return [Match(*row) for row in self._connection.execute(text(query), values | {"limit": limit})]

    def best(
        self, sieve: Sieve, after: tuple[float, int] | None, limit: int
    ) -> tuple[list[Match], int | None]:
        where, values = _where(sieve)
        newest = f"SELECT * FROM {_tables(sieve)} WHERE {where} ORDER BY id DESC LIMIT {MOST_RANKED}"  # noqa: S608 - our words
        behind = "score > :score OR (score = :score AND id < :id)" if after else "true"
        values |= {"score": after[0], "id": after[1]} if after else {}
        query = (
            f"SELECT * FROM (SELECT {_COLUMNS}, CAST({_SCORE} AS double precision) AS score"  # noqa: S608 - our words
            f" FROM ({newest}) AS found, {_asked()}) AS scored"
            f" WHERE {behind} ORDER BY score, id DESC LIMIT :limit"
        )
        rows = self._connection.execute(text(query), values | {"limit": limit})
        found = [Match(*row) for row in rows]
        return found, MOST_RANKED if self.count(sieve)[0] >= MOST_COUNTED else None

    def count(self, sieve: Sieve) -> tuple[int, bool]:
        where, values = _where(sieve)
        rows = f"SELECT 1 FROM {_tables(sieve)} WHERE {where} LIMIT {MOST_COUNTED + 1}"  # noqa: S608 - our words
        query = f"SELECT count(*) FROM ({rows}) AS found"  # noqa: S608 - our words
        number = int(self._connection.execute(text(query), values).scalar_one())
        return min(number, MOST_COUNTED), number <= MOST_COUNTED

    def papers(self, numbers: Collection[int]) -> dict[int, Paper]:
        if not numbers:
            return {}
        query = text("SELECT id, url, title, captured, text FROM search_papers WHERE id = ANY(:numbers)")
        rows = self._connection.execute(query, {"numbers": sorted(numbers)})
        return {
            row.id: Paper(row.url, row.title, from_ticks(row.captured), zlib.decompress(row.text).decode())
            for row in rows
        }

    def fed_bytes(self) -> int:
        query = text("SELECT coalesce(sum(length), 0) FROM search_files")
        return int(self._connection.execute(query).scalar_one())

    def behind(self, lengths: Mapping[str, int]) -> int:
        rows = self._connection.execute(text("SELECT name, length FROM search_files"))
        return bytes_behind({row.name: row.length for row in rows}, lengths)


def _asked() -> str:
    return "(SELECT CAST(:query AS tsquery) AS query) AS asked"


def _tables(sieve: Sieve) -> str:
    return f"search_documents, {_asked()}" if sieve.has_words else "search_documents"


def _where(sieve: Sieve, before: int | None = None) -> tuple[str, dict[str, object]]:
    parts = [f"state <> {DEAD}" if sieve.all_versions else f"state = {NEWEST}"]
    values: dict[str, object] = {}
    if sieve.has_words:
        parts.append("words @@ asked.query")
        values["query"] = clean(tsquery_of(sieve))
    for name, condition, value in (
        ("before", "id < :before", before),
        ("lowest", "id >= :lowest", sieve.lowest),
        ("highest", "id <= :highest", sieve.highest),
        ("confidence", "confidence >= :confidence", sieve.confidence or None),
        ("floor", "article >= :floor", None if sieve.contributions else CONTRIBUTIONS),
        ("channels", "channel = ANY(:channels)", _listed(sieve.channels)),
        ("articles", "article = ANY(:articles)", _listed(sieve.articles)),
    ):
        if value is not None:
            parts.append(condition)
            values[name] = value
    return " AND ".join(parts), values


def _listed(numbers: tuple[int, ...] | None) -> list[int] | None:
    return None if numbers is None else list(numbers)
