"""The sites of the sample web, in the order of their addresses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sample.sites.blog import Blog
from sample.sites.newspaper import Newspaper
from sample.sites.trouble import Trouble

if TYPE_CHECKING:
    from sample.site import Site

SITES: tuple[type[Site], ...] = (Newspaper, Blog, Trouble)
