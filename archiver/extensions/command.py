"""What our commands have in common: their settings, their options, and how each of them fails."""

from __future__ import annotations

import os
import sys
from abc import abstractmethod
from typing import TYPE_CHECKING, ClassVar

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from archiver.command_line.checking import checked
from archiver.command_line.interrupts import INTERRUPTED
from archiver.command_line.listing import COMMANDS, name_of
from archiver.command_line.options import add_options_of_ours, options_applied, refuse_unknown
from archiver.command_line.rules import RULES
from archiver.display.tables import folded
from archiver.display.terminal import close_quietly, window_width
from archiver.errors import ArchiveError, ArchiverError, ConfigurationError
from archiver.extensions.places import archive_folder, archive_to_read, check_profile, state_url
from archiver.extensions.telling import as_typed, in_words, is_of_the_database

if TYPE_CHECKING:
    import argparse
    from contextlib import AbstractContextManager

    from scrapy.settings import Settings
    from sqlalchemy import Connection

    from archiver.archive.withheld import Withheld
    from archiver.running.archive import ArchiveConfig


class ArchiveCommand(ScrapyCommand):
    """A command of ours. It does its work in `work`; whatever goes wrong there is told in a sentence.

    Exit codes: 0 done; 1 failed; 2 typed or configured wrongly; 130 interrupted.
    """

    requires_project = True
    requires_crawler_process = False
    # Set to "archiver" by the program of that name.
    program = "scrapy"
    # What may be typed behind its name, and what its help says.
    usage: ClassVar[str]
    about: ClassVar[str]
    # What is said before any error, and what Ctrl-C is answered with.
    unfinished: ClassVar[str] = ""
    interrupted: ClassVar[str] = "interrupted"

    @property
    def name(self) -> str:
        return name_of(type(self).__module__)

    @property
    def its_settings(self) -> Settings:
        assert self.settings is not None  # noqa: S101 - set before anything is asked of a command
        return self.settings

    def short_desc(self) -> str:
        return COMMANDS[self.name]

    def syntax(self) -> str:
        return self.usage

    def long_desc(self) -> str:
        return self.about

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        add_options_of_ours(parser, self.program)
        self.own_options(parser)
        self._parser = parser

    def own_options(self, parser: argparse.ArgumentParser) -> None:
        """Options that no other command has."""

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        refuse_unknown(args, self._parser, self.also_meant)
        if self.program == "scrapy":
            check_profile(self.its_settings, self.name)
        # As they were typed: a command that starts another one hands them on.
        self.typed = tuple(opts.set)
        with options_applied(self.its_settings, opts, self.program):
            super().process_options(args, opts)

    def state(self) -> AbstractContextManager[Connection]:
        """The state store, to read from it."""
        from archiver.store.reading import reading  # noqa: PLC0415 - no help needs it, and it loads SQLAlchemy

        return reading(state_url(self.its_settings))

    def withheld(self, state: Connection | None = None) -> Withheld:
        """What must not be shown; where the state store cannot be read, by what was ever ordered."""
        from archiver.store.withheld import load_withheld  # noqa: PLC0415 - no help needs it

        folder = archive_folder(self.its_settings)
        if state is not None:
            return load_withheld(state, folder)
        try:
            with self.state() as connection:
                return load_withheld(connection, folder)
        except ArchiveError:
            return load_withheld(None, folder)

    def config_to_write(self) -> ArchiveConfig:
        """The archive that is there, to be opened and written to as a run would."""
        archive_to_read(self.its_settings)
        from archiver.extensions.configuration import config_from  # noqa: PLC0415 - no help needs it

        config = config_from(self.its_settings)
        if config.replayed is not None:
            raise ConfigurationError("A replay has an archive of its own: choose another profile")
        self.set_umask()
        return config

    def set_umask(self) -> None:
        """Have new files of the archive grant what ARCHIVE_UMASK leaves, as a crawl does."""
        mask = checked("ARCHIVE_UMASK", self.its_settings["ARCHIVE_UMASK"], RULES["ARCHIVE_UMASK"])
        if mask is not None:
            os.umask(int(str(mask), 8))

    def also_meant(self) -> dict[str, str]:
        """What might be typed as an option, and how it is written instead."""
        return {}

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        try:
            self.work(args, opts)
            sys.stdout.flush()
        except ConfigurationError as error:
            raise UsageError(as_typed(str(error), self.program), print_help=False) from error
        except BrokenPipeError:
            close_quietly()
        except KeyboardInterrupt:
            self.fail(f"{self.unfinished}{self.interrupted}", exit_code=INTERRUPTED)
        except (ArchiverError, OSError) as error:
            self.fail(f"{self.unfinished}{in_words(error)}")
        except Exception as error:
            if not is_of_the_database(error):
                raise
            self.fail(f"{self.unfinished}{in_words(error)}")

    @abstractmethod
    def work(self, args: list[str], opts: argparse.Namespace) -> None:
        """Do what the command is for; whatever is raised is told, and sets the exit code."""

    def fail(self, message: str, *, exit_code: int = 1) -> None:
        """Say on standard error what went wrong; the command may go on."""
        # First: what reads the message may have gone.
        self.exitcode = exit_code
        self.tell(f"error: {message}")

    def tell(self, message: str) -> None:
        """Say something on standard error, after the name of the command."""
        told = f"{self.program} {self.name}: {as_typed(message, self.program)}"
        print(folded(told, window_width(sys.stderr)), file=sys.stderr)
