"""What the commands of RDF need that is not installed with the rest."""

from __future__ import annotations

from importlib.util import find_spec

from archiver.errors import ConfigurationError


def need_pyoxigraph(command: str) -> None:
    """Say how to get what reads and writes RDF, where it is missing."""
    if find_spec("pyoxigraph") is None:
        raise ConfigurationError(f'{command} needs pyoxigraph: pip install "archiver[rdf]"')
