"""The price of a poll, kept with the state and steered by the polls that were made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import delete, func, insert, select, update

from archiver.acquisition.channels.polling.estimate import rate_of
from archiver.acquisition.channels.polling.price import PERIOD, Price, first_price, steered
from archiver.store.schema import channels, poll_prices

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy import Connection

# From so many channels it is told what polling costs in this archive.
_SAMPLE = 500


def price_of_poll(connection: Connection, budget: float, fairness: float, now: datetime) -> float:
    """Count a poll, and say what one costs at present."""
    price = _kept(connection)
    if price is None or price.budget != budget or price.since > now:
        price = Price(budget=budget, value=_first(connection, budget, fairness), since=now)
        _keep(connection, price)
    elif now - price.since >= PERIOD:
        price = steered(price, _active(connection), now)
        _keep(connection, price)
    connection.execute(update(poll_prices).values(polls=poll_prices.c.polls + 1))
    return price.value


def _kept(connection: Connection) -> Price | None:
    row = connection.execute(select(poll_prices)).first()
    if row is None:
        return None
    return Price(
        budget=row.budget,
        value=row.price,
        since=row.since,
        polls=row.polls,
        before=row.before,
        days=row.days,
    )


def _keep(connection: Connection, price: Price) -> None:
    connection.execute(delete(poll_prices))
    connection.execute(
        insert(poll_prices).values(
            id=1,
            budget=price.budget,
            price=price.value,
            since=price.since,
            polls=price.polls,
            before=price.before,
            days=price.days,
        )
    )


def _first(connection: Connection, budget: float, fairness: float) -> float:
    known = select(channels.c.rhythm).where(channels.c.rhythm.is_not(None)).limit(_SAMPLE)
    rates = [rate_of(rhythm) for rhythm in connection.execute(known).scalars()]
    return first_price(rates, budget, fairness)


def _active(connection: Connection) -> int:
    """How many channels are polled by what a poll costs; the others would be whatever it costs."""
    query = select(func.count()).where(
        channels.c.status == "active", channels.c.kind != "site", channels.c.every.is_(None)
    )
    return connection.execute(query).scalar_one()
