"""The help of a command reads as it was written, and names what can be typed."""

from __future__ import annotations

import argparse
import re
from importlib import import_module

import pytest
from scrapy.commands import ScrapyHelpFormatter
from scrapy.settings import Settings

from archiver.command_line.listing import COMMANDS, module_of
from archiver.spiders.feeds import FeedsSpider


def help_of(name: str) -> str:
    """What Scrapy's program prints for `--help`, whose formatter takes lines for headings."""
    command = import_module(module_of(name)).Command()
    command.settings = Settings()
    parser = argparse.ArgumentParser(
        prog=f"scrapy {name}",
        description=command.long_desc(),
        formatter_class=ScrapyHelpFormatter,
        conflict_handler="resolve",
    )
    command.add_options(parser)
    return parser.format_help()


@pytest.mark.parametrize("name", COMMANDS)
def test_no_line_of_a_help_is_made_a_heading(name: str) -> None:
    told = help_of(name)
    assert told.startswith(f"usage: scrapy {name} ")
    assert not re.search(r"^ *[=-]{3,}$", told, re.MULTILINE)


def test_the_help_of_crawl_names_every_argument_of_the_spider() -> None:
    told = help_of("crawl")
    assert FeedsSpider.arguments
    assert [name for name in FeedsSpider.arguments if f"{name}=" not in told] == []
