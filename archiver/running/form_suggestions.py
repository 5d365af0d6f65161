"""Words that a site suggests for its search: asked for before the form is, where its file wants them."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from archiver.acquisition.forms.model import Probe
from archiver.acquisition.forms.words import words_in
from archiver.documents.pages.forms.opensearch import suggestion_address
from archiver.domains import same_owner
from archiver.errors import ExtractionError
from archiver.running.workers.suggestions import ReadDescription, ReadSuggestions
from archiver.store.asked_forms.forms import offer_words
from archiver.store.asked_forms.probes import READ, mark_probe

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from archiver.documents.pages.forms.finding import PageForms
    from archiver.running.archive import Archive
    from archiver.running.form_run import FormInquiry
    from archiver.running.workers import DocumentPlace
    from archiver.store.asked_forms.probes import MadeProbe

SUGGESTIONS = "suggestions"
# Of a run: the most beginnings of words, and the share of the budget. Guess.
_MOST_BEGINNINGS = 10
_BUDGET_SHARE = 0.05
# After the letters with which the words of the page begin.
_BEGINNINGS = "aceimoprst"
_SHORTEST = 3


def description_probes(inquiry: FormInquiry, found: PageForms) -> list[Probe]:
    """The description of search that the form's page names, where suggestions are wanted."""
    if SUGGESTIONS not in inquiry.said.words.sources or inquiry.trial:
        return []
    ours = [url for url in found.opensearch if same_owner(found.url, url)]
    return [Probe(chosen_by="opensearch", url=url) for url in ours[:1]]


async def read_beside(archive: Archive, inquiry: FormInquiry, made: MadeProbe, place: DocumentPlace) -> None:
    """Read a description, and what is to be asked by it; or words that were suggested."""
    task = ReadDescription(**place) if made.probe.chosen_by == "opensearch" else ReadSuggestions(**place)
    try:
        found = (await archive.workers.run(task)).texts
    except ExtractionError:
        found = ()
    if made.probe.chosen_by == "opensearch":
        inquiry.suggestions = _suggestion_probes(inquiry, found[0] if found else "")
        found = ()
    await archive.database.run_async(_offer, inquiry, made, found)


def _suggestion_probes(inquiry: FormInquiry, template: str) -> list[Probe]:
    if not template or not same_owner(inquiry.said.page, template):
        return []
    initials = Counter(word[0] for word in inquiry.words if word[:1].isalpha())
    letters = list(dict.fromkeys([*(letter for letter, _ in initials.most_common()), *_BEGINNINGS]))
    most = max(1, min(_MOST_BEGINNINGS, int(_BUDGET_SHARE * inquiry.said.budget.requests)))
    urls = [suggestion_address(template, letter) for letter in letters[:most]]
    return [Probe(chosen_by="suggestions", url=url) for url in urls]


def _offer(connection: Connection, inquiry: FormInquiry, made: MadeProbe, texts: tuple[str, ...]) -> None:
    words = dict.fromkeys(word for text in texts for word in words_in(text) if len(word) >= _SHORTEST)
    offer_words(connection, inquiry.form.id, words, SUGGESTIONS)
    inquiry.offer(list(words), SUGGESTIONS)
    mark_probe(connection, made.id, state=READ)
