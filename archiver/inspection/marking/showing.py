"""A page to mark fields on: as it is shown without scripts, its elements numbered, its links dead."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.documents.pages.dom import parse_html
from archiver.inspection.marking.numbers import number_elements
from archiver.inspection.showing.page import PagePlaces, shown_tree

if TYPE_CHECKING:
    from archiver.inspection.showing.kept import KeptCopy
    from archiver.inspection.showing.places import ArchivePlaces

# A link stays one, for the styles of links, and leads nowhere.
_NOWHERE = "#"


def markable_copy(copy: KeptCopy, places: ArchivePlaces) -> str:
    """A captured page as HTML. Its elements have the numbers that they have where it is read again."""
    tree = parse_html(copy.body, copy.content_type, copy.line.url)
    number_elements(tree)
    dead = PagePlaces(shown=places.kept, linked=lambda _: _NOWHERE)
    return shown_tree(tree, copy.line.url, dead)
