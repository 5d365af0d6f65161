"""Vocabularies of RDF, by the prefixes that stand for them."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

PREFIXES: Mapping[str, str] = MappingProxyType(
    {
        "schema": "https://schema.org/",
        "sioc": "http://rdfs.org/sioc/ns#",
        "dcterms": "http://purl.org/dc/terms/",
        "prov": "http://www.w3.org/ns/prov#",
        "xsd": "http://www.w3.org/2001/XMLSchema#",
        "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
        # What none of these has a word for.
        "archiver": "urn:archiver:terms:",
    }
)
