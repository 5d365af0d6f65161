"""Lists that a field wrapper navigates to: one query of a GET form or one address, its pages, and details."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from msgspec import structs

from archiver.acquisition.forms.model import Answered, FormPlan, Probe
from archiver.acquisition.forms.probed import as_probed
from archiver.acquisition.forms.rules import navigation_plan
from archiver.documents.pages.forms.description import (
    FollowedDetails,
    FormBudget,
    FormDescription,
    SelectedForm,
    Wait,
    form_as_yaml,
)
from archiver.domains import same_owner
from archiver.fields.files import write_wrapper
from archiver.fields.model import MOST_PAGES
from archiver.fields.naming import wrapper_digest
from archiver.records.objects.model import designed_name
from archiver.running.form_run import FormInquiry
from archiver.store.asked_forms.records import values_of
from archiver.urls import same_page_key

if TYPE_CHECKING:
    from collections.abc import Sequence

    from archiver.acquisition.forms.answers import AnswerPageRead
    from archiver.acquisition.forms.model import AnswerKind
    from archiver.documents.pages.forms.finding import PageForms
    from archiver.fields.model import FieldWrapper, Navigation
    from archiver.store.asked_forms.forms import AskedForm

# Each crawl looks at a list anew.
_AGAIN = Wait(timedelta())


def navigation_form(wrapper: FieldWrapper) -> tuple[FormDescription, str]:
    """The navigation of a wrapper as a form that is asked one thing, and the text of that."""
    said = _navigation(wrapper)
    described = FormDescription(
        form=wrapper.wrapper.replace("_", "-"),
        page=said.start,
        select=SelectedForm(path=said.form.path.text if said.form is not None else ""),
        detail=FollowedDetails(follow=said.detail is not None),
        budget=FormBudget(pages_a_query=said.next.most if said.next is not None else MOST_PAGES),
    )
    return structs.replace(described, every=_AGAIN), form_as_yaml(described)


def _navigation(wrapper: FieldWrapper) -> Navigation:
    assert wrapper.navigate is not None  # noqa: S101 - others are not crawled
    return wrapper.navigate


class NavigationInquiry(FormInquiry):
    """One wrapper of a run: its lists are read page by page, as its file says."""

    def __init__(self, form: AskedForm, said: FormDescription, wrapper: FieldWrapper) -> None:
        super().__init__(form, said)
        self.design = write_wrapper(wrapper).decode()
        self.wrapper_name = designed_name(wrapper_digest(wrapper))
        self._said = _navigation(wrapper)
        if self._said.form is None:
            self.plan = FormPlan(action=self._said.start)
        self._next = Probe(chosen_by="empty", url="" if self._said.form is not None else self._said.start)
        self._is_asked = False
        self._seen_pages = {same_page_key(self._said.start)}
        self._keys: set[str] = set()

    def planned(self, found: PageForms, number: int, *, allows_post: bool) -> FormPlan:  # noqa: ARG002 - never
        values = self._said.form.set if self._said.form is not None else {}
        return navigation_plan(found, number, values)

    def begin(self, plan: FormPlan, words: dict[str, str]) -> None:  # noqa: ARG002 - nothing is looked for
        self.plan = plan

    def may_follow(self, url: str, words: Sequence[str]) -> bool:  # noqa: ARG002 - its pages are told otherwise
        return same_owner(self._said.start, url)

    def next_probe(self) -> Probe | None:
        if self.plan is None:
            return Probe(chosen_by="page", url=self._said.start)
        probe = None if self._is_asked else self._next
        self._is_asked = True
        return probe

    def dead_end(self, probe: Probe) -> None:  # noqa: ARG002 - there is one list
        self.stop("the list goes on at another site, which is not followed")

    def judged(self, probe: Probe, read: AnswerPageRead) -> Answered:
        records = tuple(as_probed(record.key, values_of(record)) for record in read.records)
        kind: AnswerKind = "error" if read.problem else "results" if records else "none"
        return Answered(probe=probe, kind=kind, records=records, total=read.total, next_url=read.next_url)

    def take(self, answered: Answered, read: AnswerPageRead | None = None) -> int:  # noqa: ARG002 - as above
        """Note a page; it goes on where it showed something new, and the next one was not seen."""
        fresh = {one.key for one in answered.records} - self._keys
        self._keys |= fresh
        self.records = len(self._keys)
        page, following = answered.probe.page + 1, same_page_key(answered.next_url or self._said.start)
        if fresh and page <= self.said.budget.pages_a_query and following not in self._seen_pages:
            self._seen_pages.add(following)
            self._next = Probe(chosen_by="empty", page=page, url=answered.next_url)
            self._is_asked = False
        return len(fresh)

    def take_failure(self, probe: Probe) -> None:  # noqa: ARG002 - the list ends here
        self._is_asked = True
