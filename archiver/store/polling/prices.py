"""The prices of a poll and of a recheck, kept with the state and steered by the requests that were made."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from sqlalchemy import delete, func, insert, select, update

from archiver.acquisition.channels.polling.estimate import rate_of
from archiver.acquisition.channels.polling.price import PERIOD, Price, first_price, steered
from archiver.acquisition.rechecks.price import USUAL_PRICE, RecheckPrice
from archiver.acquisition.rechecks.price import steered as steered_rechecks
from archiver.store.counts import add_counts, clear_counts, total_counts
from archiver.store.schema import channels, poll_prices, recheck_prices

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy import Connection

# From so many channels it is told what polling costs in this archive.
_SAMPLE = 500
# As far as the clocks of several workers may differ: a price of the near future is not one of a wrong clock.
_SLACK = timedelta(minutes=15)


def price_of_poll(connection: Connection, budget: float, fairness: float, now: datetime) -> float:
    """Count a poll, and say what one costs at present."""
    price = _kept(connection)
    if price is None or price.budget != budget or _is_ahead(connection, price.since, now):
        price = Price(budget=budget, value=_first(connection, budget, fairness), since=now)
        _keep(connection, price)
    elif now - price.since >= PERIOD:
        price = steered(price, _active(connection), now)
        _keep(connection, price)
    if not add_counts(connection, polls=1):
        connection.execute(update(poll_prices).values(polls=poll_prices.c.polls + 1))
    return price.value


def _is_ahead(connection: Connection, moment: datetime, now: datetime) -> bool:
    """Whether a clock was ahead by which something was noted."""
    return moment > (now + _SLACK if connection.dialect.name == "postgresql" else now)


def _kept(connection: Connection) -> Price | None:
    row = connection.execute(select(poll_prices)).first()
    if row is None:
        return None
    counted = total_counts(connection, "polls")
    return Price(
        budget=row.budget,
        value=row.price,
        since=row.since,
        polls=row.polls + counted["polls"],
        before=row.before,
        days=row.days,
    )


def _keep(connection: Connection, price: Price) -> None:
    connection.execute(delete(poll_prices))
    clear_counts(connection, "polls")
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Rechecks:
    """On what terms articles are looked at again at present."""

    price: float = USUAL_PRICE
    curve: bytes | None = None  # of all channels together
    # How many may be made until others have been asked for as well; None: nothing was counted yet.
    room: float | None = None


def rechecks_now(connection: Connection, share: float, now: datetime) -> Rechecks:
    """The terms at present, thought over from time to time."""
    row = connection.execute(select(recheck_prices)).first()
    if row is None:
        price = RecheckPrice(share=share, since=now)
        connection.execute(insert(recheck_prices).values(id=1, **_values(price)))
        clear_counts(connection, "rechecks", "others")
        return Rechecks(price=price.value)
    counted = total_counts(connection, "rechecks", "others")
    price = RecheckPrice(
        share=share,
        value=row.price,
        since=row.since,
        rechecks=row.rechecks + counted["rechecks"],
        others=row.others + counted["others"],
        rechecks_before=row.rechecks_before,
        others_before=row.others_before,
    )
    if now - price.since >= PERIOD or _is_ahead(connection, price.since, now) or row.share != share:
        price = steered_rechecks(price, now)
        connection.execute(update(recheck_prices).values(**_values(price)))
        clear_counts(connection, "rechecks", "others")
    return Rechecks(price=price.value, curve=row.curve, room=_room(price))


def _room(price: RecheckPrice) -> float:
    """Rechecks that still fit into their share of the requests of about the last day."""
    others = price.others + price.others_before
    rechecks = price.rechecks + price.rechecks_before
    return others * price.share / (1 - price.share) - rechecks if price.share < 1 else float("inf")


def _values(price: RecheckPrice) -> dict[str, object]:
    return {
        "share": price.share,
        "price": price.value,
        "since": price.since,
        "rechecks": price.rechecks,
        "others": price.others,
        "rechecks_before": price.rechecks_before,
        "others_before": price.others_before,
    }


def count_requests(connection: Connection, *, rechecks: int = 0, others: int = 0) -> None:
    """Note requests that were made, of which rechecks are a share; nothing is counted before there is one."""
    if (rechecks or others) and not add_counts(connection, rechecks=rechecks, others=others):
        connection.execute(
            update(recheck_prices).values(
                rechecks=recheck_prices.c.rechecks + rechecks, others=recheck_prices.c.others + others
            )
        )


def curve_of_all(connection: Connection) -> bytes | None:
    """How articles of all channels change; None before anything was looked at again."""
    return connection.execute(select(recheck_prices.c.curve)).scalar()


def save_curve(connection: Connection, curve: bytes) -> None:
    connection.execute(update(recheck_prices).values(curve=curve))
