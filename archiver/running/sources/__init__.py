"""Kinds of things to fetch: each source says what is due, and takes what came of it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from sqlalchemy import Connection

    from archiver.acquisition.targets import Target
    from archiver.running.session import Session

T = TypeVar("T", bound="Target")


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """How much may be handed out, and of which hosts."""

    now: datetime  # the schedule's
    moment: datetime  # the machine's
    limit: int
    # What is under way, or is not handed out again in this run.
    busy: frozenset[int] = frozenset()
    # So many of a host, of which some are under way.
    per_host: int
    at_host: Mapping[str, int] = field(default_factory=dict)
    # The hosts of which no more may be handed out now.
    full: frozenset[str] = frozenset()
    # Those of them that another worker asks at present.
    elsewhere: frozenset[str] = frozenset()
    # When a run began that asks for nothing twice; None in one that watches.
    since: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Effects:
    """What an answer led to."""

    # Sources that may have something due that had nothing before.
    wants: tuple[str, ...] = ()
    # Captured pages may wait to be read.
    reads: bool = False


class Source(ABC, Generic[T]):
    """A kind of thing to fetch. The frontier asks it what is due; the session hands it the answers."""

    name: ClassVar[str]
    # Targets that are taken from the store at once, as a multiple of those that may be under way.
    ahead: ClassVar[int] = 1
    # Seconds after which it is asked again while a run goes on, also where nothing seems to be due.
    every: ClassVar[float] = 30.0
    # Seconds for which a run that has nothing else to do waits for what falls due of it.
    patience: ClassVar[float] = 0.0
    # Its answers are pages to be read: none is asked for while too many wait for that.
    is_read: ClassVar[bool] = False
    # It waits until nothing of another source waits for room.
    yields: ClassVar[bool] = False
    # Other sources with the same targets: what these have under way is not handed out here.
    alike: ClassVar[tuple[str, ...]] = ()
    # In a replay, the sources of one stage are asked when those of the stages before have nothing left.
    stage: ClassVar[int] = 0

    def __init__(self, session: Session) -> None:
        self.session = session
        # Targets that may be under way, in all and of one host.
        self.most = 2 * session.places.requests
        self.per_host = max(1, session.places.per_host // 4)

    @property
    def is_on(self) -> bool:
        """False where the settings leave nothing to fetch."""
        return True

    @abstractmethod
    def due(self, connection: Connection, room: Room) -> Sequence[T]:
        """Return what is due, at most as much as there is room for."""

    def next_due(self, connection: Connection, now: datetime) -> datetime | None:  # noqa: ARG002 - for others
        """Return when something falls due that is not due yet; None where that is not known."""
        return None

    def recorded(self, connection: Connection) -> Sequence[T]:  # noqa: ARG002 - for others
        """Return everything that a replay may ask for, due or not."""
        return ()

    def asks_anyway(self, target: T) -> bool:  # noqa: ARG002 - for others
        """Return whether a replay asks for it also where the archive has no answer: it failed then, too."""
        return False

    @abstractmethod
    async def store(self, answer: Any) -> Effects:  # noqa: ANN401 - each source has its own
        """Make what came of a target part of the archive's state."""
