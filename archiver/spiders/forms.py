"""The spider of forms: `scrapy crawl forms -a file=forms/library.yaml`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from scrapy import Request, Spider

from archiver.acquisition.forms.words import is_harmless
from archiver.documents.pages.forms.description import load_form
from archiver.errors import ConfigurationError, advice_on
from archiver.extensions.archive import ArchiveExtension
from archiver.extensions.places import wrappers_folder
from archiver.fields.files import load_wrapper, wrapper_path
from archiver.running.form_ending import FormRun
from archiver.running.form_start import FormFile, start_forms, start_navigations
from archiver.spiders.arguments import boolean, refuse_unknown, set_request_headers, whole
from archiver.spiders.form_looks import FormPageLook, one_page
from archiver.urls import host_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from scrapy.crawler import Crawler
    from scrapy.settings import BaseSettings

    from archiver.fields.model import FieldWrapper

_KINDS = {"archiver.spiders.kinds.forms.FormKind": 100}


class FormsSpider(Spider):
    """`scrapy crawl forms -a file=FILE[,FILE…] [-a wrapper=NAME[,NAME…]] [-a watch=1] [-a tries=NUMBER]`.

    With `-a look=URL` it fetches that page alone, for `scrapy forms look`.
    """

    name = "forms"
    arguments = ("file", "wrapper", "watch", "tries", "look")

    def __init__(
        self,
        file: str = "",
        wrapper: str = "",
        watch: str = "",
        tries: str = "",
        look: str = "",
        **unknown: object,
    ) -> None:
        super().__init__()
        refuse_unknown(unknown, self.arguments)
        self.look = one_page(look) if look else ""
        self.has_begun = False
        self.trial = whole("tries", tries) or 0
        self.watch = boolean("watch", watch) if watch else False
        paths = [Path(word.strip()) for word in file.split(",") if word.strip()]
        self.names = [word.strip() for word in wrapper.split(",") if word.strip()]
        self.wrappers: list[FieldWrapper] = []
        if self.look and (paths or self.names):
            raise ConfigurationError(
                "-a look fetches one page and asks nothing: leave out the other arguments"
            )
        if not paths and not self.names and not self.look:
            raise ConfigurationError(
                "Say which form: -a file=FILE, as `scrapy forms look URL --write FILE` writes it"
            )
        # Read here, so that a file with a flaw is refused before anything is asked for.
        read = [(path, *load_form(path)) for path in paths]
        self.files = [
            FormFile(said=said, text=text, folder=path.parent, words=file_words(path.parent, said.words.file))
            for path, said, text in read
        ]

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: str, **arguments: str) -> FormsSpider:
        spider = super().from_crawler(crawler, *args, **arguments)
        settings = crawler.settings
        if not (settings["CONTACT"] or "").strip():
            raise ConfigurationError("CONTACT is not set: a form is only asked by those who can be reached")
        spider.wrappers = [navigated_wrapper(wrappers_folder(settings), name) for name in spider.names]
        starts = [one.navigate.start for one in spider.wrappers if one.navigate is not None]
        looked = [spider.look] if spider.look else []
        waits = [one.said.budget.delay for one in spider.files if one.said.budget.delay is not None]
        pages = [*looked, *starts, *(one.said.page for one in spider.files)]
        set_pace(settings, pages, max((one.total_seconds() for one in waits), default=0.0))
        return spider

    @classmethod
    def update_settings(cls, settings: BaseSettings) -> None:
        super().update_settings(settings)
        set_request_headers(settings)
        settings.set("KINDS_BASE", _KINDS, priority="spider")

    async def start(self) -> AsyncIterator[Request]:
        """Register the forms, then ask for whatever the frontier hands out."""
        if not self.crawler.crawling:
            return
        self.has_begun = True
        extension = ArchiveExtension.of(self.crawler)
        session = extension.session
        session.seeds = []  # no channel is polled
        session.archive.report.crawled = "forms"
        if self.look:
            yield FormPageLook(self.crawler).request(self.look)
            return
        if not await session.has_alone(*self._names()):
            return
        run = FormRun(
            allows_post=self.settings.getbool("FORMS_ALLOW_POST"),
            trial=self.trial,
            agent=self.settings["ROBOTSTXT_USER_AGENT"],
        )
        session.form_run = run
        await start_forms(session, run, self.files)
        await start_navigations(session, run, self.wrappers)
        targets = session.frontier.targets(watch=self.watch, idle=session.extraction.idle)
        async for target in targets:
            yield extension.asking.request(target)

    def _names(self) -> list[str]:
        """What one worker at a time asks."""
        wrappers = [f"wrapper {name}" for name in self.names]
        return [*(f"form {one.said.form}" for one in self.files), *wrappers]


def navigated_wrapper(folder: Path | None, name: str) -> FieldWrapper:
    """The field wrapper of a name; ConfigurationError or FileFlaws where a crawl cannot follow it."""
    path = wrapper_path(folder, name) if folder is not None else None
    if path is None or not path.is_file():
        raise ConfigurationError(f"There is no field wrapper {name}: `scrapy fields` lists them")
    wrapper = load_wrapper(path)
    if wrapper.navigate is None:
        raise ConfigurationError(f"{path} has no `navigate`, which says where its lists are")
    return wrapper


def set_pace(settings: BaseSettings, pages: list[str], said: float = 0.0) -> None:
    """One request at a time of a host, and FORMS_DELAY between two, on loopback as DOWNLOAD_DELAY says.

    A file may say more, and never less.
    """
    settings.set("CONCURRENT_REQUESTS_PER_DOMAIN", 1, priority="spider")
    settings.set("ROBOTSTXT_OBEY", True, priority="cmdline")
    least = 0.0 if all(map(_is_loopback, pages)) else settings.getfloat("FORMS_DELAY")
    if not max(least, said):
        return
    delay = max(settings.getfloat("DOWNLOAD_DELAY"), least, said)
    settings.set("DOWNLOAD_DELAY", delay, priority="cmdline")
    settings.set("RANDOMIZE_DOWNLOAD_DELAY", False, priority="cmdline")


def _is_loopback(url: str) -> bool:
    host = host_of(url).partition(":")[0].strip("[]")
    return host in {"localhost", "::1"} or host.startswith("127.")


def file_words(folder: Path, name: str) -> tuple[str, ...]:
    """The words of a file that the form's file names: one on each line."""
    if not name:
        return ()
    try:
        lines = (folder / name).read_text("utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        advice = advice_on(error) if isinstance(error, OSError) else ": write UTF-8"
        raise ConfigurationError(f"{folder / name} cannot be read{advice}") from error
    return tuple(line.strip() for line in lines if is_harmless(line.strip()))
