"""The reasons for a relevance, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from archiver.acquisition.campaigns.signals import Signals

_STRONG, _SOME = 0.66, 0.33


def reasons_of(signals: Signals, judged: bool | None = None) -> tuple[str, ...]:
    """What speaks for a page and against it, the strongest first."""
    told = []
    if judged is not None:
        told.append(
            "a person says that it is relevant" if judged else "a person says that it is not relevant"
        )
    if signals.excluded:
        told.append(f"excluded by {signals.excluded}")
    if signals.found:
        told.append(f"says {', '.join(signals.found)}")
    if signals.examples is not None:
        told.append(f"{_much(signals.examples)} like the examples")
    if signals.time is not None and signals.time != 0.6:
        told.append("published in the time" if signals.time == 1 else "published outside the time")
    if signals.language is not None and signals.language < 1:
        told.append("of unknown language" if signals.language == 0.5 else "in another language")
    told += [f"does not say {group}" for group in signals.missing]
    return tuple(told)


def _much(value: float) -> str:
    return "much" if value >= _STRONG else "somewhat" if value >= _SOME else "little"
