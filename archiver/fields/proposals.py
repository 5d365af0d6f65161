"""Repairs that wait for a person: files beside those that are in use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.fields.files import load_wrapper, save_wrapper, wrapper_path

if TYPE_CHECKING:
    from pathlib import Path

    from archiver.fields.model import FieldWrapper

# Below the folder of the wrappers.
_PROPOSED = "proposed"


def proposed_path(folder: Path, name: str) -> Path:
    return wrapper_path(folder / _PROPOSED, name)


def propose(folder: Path, wrapper: FieldWrapper) -> Path:
    """Keep a wrapper with other rules until a person takes it."""
    return save_wrapper(folder / _PROPOSED, wrapper)


def accept(folder: Path, name: str) -> FieldWrapper:
    """Use what is proposed from now on; FileFlaws where it cannot be used."""
    wrapper = load_wrapper(proposed_path(folder, name))
    save_wrapper(folder, wrapper)
    proposed_path(folder, name).unlink()
    return wrapper
