"""A crawl that watches, with a clock that goes fast: the schedule is obeyed, the budget kept, a gap filled."""

from __future__ import annotations

import signal
import time
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from tests.crawl.documents import rss, story
from tests.crawl.running import finish, start_crawl, wait_until
from tests.crawl.site import Site

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime
    from pathlib import Path

    from tests.crawl.running import CrawlRun
    from tests.crawl.site import Answer, Request

# Two hours a second.
SPEED = 7200
WINDOW = 10
