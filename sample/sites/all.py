"""The sites of the sample web, in the order of their addresses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sample.sites.blog import Blog
from sample.sites.bookshop import Bookshop
from sample.sites.gazette import Gazette
from sample.sites.institute import Institute
from sample.sites.magazine import Magazine
from sample.sites.moved import Moved
from sample.sites.newspaper import Newspaper
from sample.sites.observatory import Observatory
from sample.sites.planet import Planet
from sample.sites.trouble import Trouble
from sample.sites.wire import Wire
from sample.sites.wordpress import WordPress

if TYPE_CHECKING:
    from sample.site import Site

SITES: tuple[type[Site], ...] = (
    Newspaper,
    Blog,
    Magazine,
    Institute,
    WordPress,
    Planet,
    Trouble,
    Moved,
    Wire,
    Gazette,
    Observatory,
    Bookshop,
)
