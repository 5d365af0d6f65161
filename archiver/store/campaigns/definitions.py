"""Campaigns and the revisions of their definitions, of which every one is kept."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from sqlalchemy import insert, select, update

from archiver.acquisition.campaigns.model import Campaign, CampaignState
from archiver.acquisition.campaigns.reading import parsed_definition
from archiver.documents.nearest import did_you_mean
from archiver.errors import ConfigurationError
from archiver.store.schema import campaigns, definitions

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy import Connection, Row

    from archiver.acquisition.campaigns.reading import CampaignFile


@dataclass(frozen=True, slots=True, kw_only=True)
class Registered:
    campaign: Campaign
    is_new: bool = False
    is_revised: bool = False


def register_campaign(connection: Connection, read: CampaignFile, file: str, now: datetime) -> Registered:
    """Note a campaign, or another revision of one that is known; the same text is the same revision."""
    name = read.definition.campaign
    row = connection.execute(select(campaigns).where(campaigns.c.name == name)).first()
    if row is None:
        values = {"name": name, "state": CampaignState.RUNNING, "file": file, "revision": 0, "began": now}
        connection.execute(insert(campaigns).values(**values))
    number = connection.execute(select(campaigns.c.id).where(campaigns.c.name == name)).scalar_one()
    last = connection.execute(
        select(definitions.c.revision, definitions.c.digest)
        .where(definitions.c.campaign_id == number)
        .order_by(definitions.c.revision.desc())
        .limit(1)
    ).first()
    is_revised = last is None or last.digest != read.digest
    if is_revised:
        _revise(connection, number, (last.revision if last else 0) + 1, read, now)
    connection.execute(update(campaigns).where(campaigns.c.id == number).values(file=file))
    found = campaign_by_id(connection, number)
    return Registered(campaign=found, is_new=row is None, is_revised=is_revised and row is not None)


def _revise(connection: Connection, number: int, revision: int, read: CampaignFile, now: datetime) -> None:
    connection.execute(
        insert(definitions).values(
            campaign_id=number,
            revision=revision,
            read=now,
            text=read.text,
            digest=read.digest,
            seeds=read.seeds,
            narrower=read.narrower,
        )
    )
    connection.execute(update(campaigns).where(campaigns.c.id == number).values(revision=revision))


def campaign_by_id(connection: Connection, number: int) -> Campaign:
    row = connection.execute(_whole().where(campaigns.c.id == number)).one()
    return _campaign(row)


def campaign_named(connection: Connection, name: str) -> Campaign:
    """The campaign of a name; ConfigurationError where there is none."""
    row = connection.execute(_whole().where(campaigns.c.name == name)).first()
    if row is None:
        names = list(connection.execute(select(campaigns.c.name)).scalars())
        advice = did_you_mean(name, names) or (
            f"known are {', '.join(sorted(names))}"
            if names
            else "`scrapy crawl campaign -a file=FILE` begins one"
        )
        raise ConfigurationError(f"There is no campaign {name}: {advice}")
    return _campaign(row)


def all_campaigns(connection: Connection) -> list[Campaign]:
    return [_campaign(row) for row in connection.execute(_whole().order_by(campaigns.c.name))]


def known_campaigns(connection: Connection, names: Sequence[str]) -> list[Campaign]:
    """Those of these names that were run."""
    if not names:
        return []
    return [_campaign(row) for row in connection.execute(_whole().where(campaigns.c.name.in_(names)))]


def change_campaign(connection: Connection, number: int, /, **values: Any) -> None:  # noqa: ANN401 - of any column
    connection.execute(update(campaigns).where(campaigns.c.id == number).values(**values))


def revisions(connection: Connection, number: int) -> Sequence[Row[Any]]:
    query = select(definitions).where(definitions.c.campaign_id == number)
    return connection.execute(query.order_by(definitions.c.revision)).all()


def _whole() -> Any:  # noqa: ANN401 - a query of all columns of both tables
    last = (definitions.c.campaign_id == campaigns.c.id) & (definitions.c.revision == campaigns.c.revision)
    columns = (definitions.c.text, definitions.c.digest, definitions.c.seeds, definitions.c.narrower)
    return select(campaigns, *columns).join(definitions, last)


def _campaign(row: Row[Any]) -> Campaign:
    return Campaign(
        id=row.id,
        name=row.name,
        state=CampaignState(row.state),
        file=row.file,
        revision=row.revision,
        began=row.began,
        requests=row.requests,
        bytes=row.bytes,
        definition=_definition(row.text, row.file),
        seeds=row.seeds,
        narrower=row.narrower,
        ended=row.ended,
    )


@lru_cache(maxsize=32)
def _definition(text: str, file: str) -> Any:  # noqa: ANN401 - a Definition, which mypy loses in the cache
    return parsed_definition(text.encode(), file)
