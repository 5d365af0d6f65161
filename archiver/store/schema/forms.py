"""The tables of forms: what was asked of each, and the records behind it."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    String,
    Table,
    UniqueConstraint,
)

from archiver.acquisition.forms.coverage import Coverage
from archiver.acquisition.forms.model import FormBehaviour, FormPlan, Probe
from archiver.archive.warc.records import Capture
from archiver.records.model import RecordWrapper
from archiver.store.schema.base import Id, metadata
from archiver.store.types import Instant, Json, PlainText

forms = Table(
    "forms",
    metadata,
    Column("id", Id, primary_key=True),
    Column("name", String(60), nullable=False, unique=True),
    Column("page", PlainText, nullable=False),
    Column("definition", PlainText, nullable=False),  # YAML, as it was read last
    Column("folder", PlainText, nullable=False, server_default=""),  # of that file
    Column("state", String(16), nullable=False),
    Column("why", PlainText, nullable=False, server_default=""),
    Column("planned", Json(FormPlan)),  # null until its page was read
    Column("behaviour", Json(FormBehaviour)),
    Column("coverage", Json(Coverage)),
    Column("run", Integer, nullable=False, server_default="1"),
    Column("refusals", Integer, nullable=False, server_default="0"),  # in a row
    Column("rest_until", Instant),
    Column("next_run", Instant),
)

# Each time that a form was asked for its records.
form_runs = Table(
    "form_runs",
    metadata,
    Column("form_id", Id, ForeignKey("forms.id"), primary_key=True, autoincrement=False),
    Column("run", Integer, primary_key=True, autoincrement=False),
    Column("started", Instant, nullable=False),
    Column("ended", Instant),
    Column("requests", Integer, nullable=False, server_default="0"),
    Column("added", Integer, nullable=False, server_default="0"),
    Column("changed", Integer, nullable=False, server_default="0"),
    Column("unchanged", Integer, nullable=False, server_default="0"),
    Column("why", PlainText, nullable=False, server_default=""),  # it ended
)

# What is submitted, once in a run: the row is there before the request is made.
probes = Table(
    "probes",
    metadata,
    Column("id", Id, primary_key=True),
    Column("form_id", Id, ForeignKey("forms.id"), nullable=False),
    Column("run", Integer, nullable=False),
    Column("key", PlainText, nullable=False),
    Column("probe", Json(Probe), nullable=False),
    Column("url", PlainText, nullable=False),
    Column("state", String(8), nullable=False),  # pending, captured, read
    Column("kind", String(8), nullable=False, server_default=""),
    Column("records", Integer, nullable=False, server_default="0"),
    Column("fresh", Integer, nullable=False, server_default="0"),
    Column("total", BigInteger),
    Column("next_url", PlainText, nullable=False, server_default=""),
    Column("answered_by", PlainText, nullable=False, server_default=""),  # the address, after redirects
    Column("capture", Json(Capture)),
    Column("asked", Instant, nullable=False),
    UniqueConstraint("form_id", "run", "key"),
    Index("probes_state", "form_id", "state"),
)

record_wrappers = Table(
    "record_wrappers",
    metadata,
    Column("id", Id, primary_key=True),
    Column("form_id", Id, ForeignKey("forms.id"), nullable=False),
    Column("wrapper", Json(RecordWrapper), nullable=False),
    Column("learned", Instant, nullable=False),
    Column("outdated", Instant),
    Index("record_wrappers_form", "form_id"),
)

# A record as it was seen last; its versions are in objects files.
records = Table(
    "records",
    metadata,
    Column("id", Id, primary_key=True),
    Column("form_id", Id, ForeignKey("forms.id"), nullable=False),
    Column("key", String(64), nullable=False),
    Column("version", Integer, nullable=False),
    Column("digests", Json(dict[str, str]), nullable=False),  # of its values, for each origin
    Column("wrapper", String(24), nullable=False),
    Column("attributes", Json(dict[str, tuple[str, ...]]), nullable=False),
    Column("detail_url", PlainText, nullable=False, server_default=""),
    Column("first_seen", Instant, nullable=False),
    Column("last_seen", Instant, nullable=False),
    Column("run", Integer, nullable=False),  # in which it was seen last
    Column("object_file", PlainText, nullable=False),
    Column("object_offset", BigInteger, nullable=False),
    Column("object_digest", String(64), nullable=False),
    UniqueConstraint("form_id", "key"),
    Index("records_object", "object_file", "object_offset"),
)

record_sightings = Table(
    "record_sightings",
    metadata,
    Column("probe_id", Id, ForeignKey("probes.id"), primary_key=True, autoincrement=False),
    Column("place", Integer, primary_key=True, autoincrement=False),
    Column("record_id", Id, ForeignKey("records.id"), nullable=False),
    Index("record_sightings_record", "record_id"),
)

# Words that could be submitted, from outside the answers.
form_words = Table(
    "form_words",
    metadata,
    Column("form_id", Id, ForeignKey("forms.id"), primary_key=True, autoincrement=False),
    Column("word", PlainText, primary_key=True),
    Column("source", String(16), nullable=False),
)

# Which input filters which attribute.
form_mappings = Table(
    "form_mappings",
    metadata,
    Column("form_id", Id, ForeignKey("forms.id"), primary_key=True, autoincrement=False),
    Column("input", PlainText, primary_key=True),
    Column("attribute", PlainText, primary_key=True),  # "" for one that looks into all of them
    Column("tried", Integer, nullable=False),
    Column("held", Float, nullable=False),
    Column("control", Float, nullable=False),
    Column("confidence", Float, nullable=False),
    Column("how", String(16), nullable=False),
)
