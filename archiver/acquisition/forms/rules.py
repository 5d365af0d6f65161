"""Whether a form may be asked at all, and what of it can be set."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, unquote_plus, urlencode, urlsplit, urlunsplit

from archiver.acquisition.forms.model import FormPlan, ProbedInput
from archiver.acquisition.forms.words import is_harmless
from archiver.domains import same_owner
from archiver.errors import ConfigurationError
from archiver.submissions import Submission
from archiver.urls import is_web

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from archiver.acquisition.forms.model import Probe
    from archiver.documents.pages.forms.description import DescribedInput, FormDescription
    from archiver.documents.pages.forms.fields import FormField
    from archiver.documents.pages.forms.finding import FoundForm, PageForms

_PAGE_SIZES = re.compile(r"per.?page|page.?size|limit|show|count|anzahl|results", re.IGNORECASE)
_SORTS = re.compile(r"sort|order|rank", re.IGNORECASE)
_SORT_VALUES = frozenset({"asc", "desc", "ascending", "descending", "relevance", "score"})
# Hidden inputs by which a site tells that a form is submitted from its own page.
_TOKENS = re.compile(r"csrf|xsrf|token|nonce|authenticity|viewstate", re.IGNORECASE)
# Of forms that a person chose: all but those that ask for what a search does not need.
_SENT_KINDS = frozenset({"search", "other"})
_LARGEST_PAGE = 200
# What stands in an address for the words that were asked for.
_WORD = "{}"
_WORDS = re.compile(r"\{\}(?:[-+_ ]?\{\})*")
_MOST_VALUES = 200


def planned(found: PageForms, described: FormDescription, *, allows_post: bool) -> FormPlan:
    """What can be asked of the form; ConfigurationError where it must not be asked."""
    form = _chosen(found, described)
    refuse(form, found.url, described, allows_post=allows_post)
    always: dict[str, str] = {}
    inputs: list[ProbedInput] = []
    for field in form.fields:
        if not field.name or field.kind == "submit":
            continue
        said = described.inputs.get(field.name)
        value = _always(field, said)
        probed: tuple[ProbedInput, ...] = ()
        if value is None and not (said is not None and said.use is False):
            probed = tuple(_probed(field, said))
        if value is None and not probed and field.kind == "option":
            value = _unset(field)
        if value is not None:
            always[field.name] = value
        inputs += probed
    return FormPlan(
        action=form.action or found.url,
        method=form.method,
        always=always,
        inputs=(*inputs, *_tried_flags(form, described)),
        checked=_checked(form),
    )


def _checked(form: FoundForm) -> tuple[tuple[str, str], ...]:
    return tuple((one.name, one.value) for one in form.fields if one.name and one.is_checked)


def _tried_flags(form: FoundForm, described: FormDescription) -> Iterator[ProbedInput]:
    """Check boxes that the file says are tried: those with one name are the values of one input."""
    for name, said in described.inputs.items():
        flags = [one for one in form.fields if one.kind == "flag" and one.name == name]
        if flags and said.use and said.fixed is None:
            values = tuple(dict.fromkeys(one.value for one in flags))[:_MOST_VALUES]
            yield ProbedInput(name=name, kind="option", label=flags[0].label, values=values, unset=None)


def unknown_inputs(found: PageForms, described: FormDescription) -> list[str]:
    """Names of inputs in the form's file that the form does not have."""
    names = {name for one in _chosen(found, described).fields for name in (one.name, one.until)}
    return [name for name in described.inputs if name not in names]


def _chosen(found: PageForms, described: FormDescription) -> FoundForm:
    for form in found.forms:
        if form.number == described.select.number:
            return form
    raise ConfigurationError(
        f"{found.url} has {len(found.forms)} forms, and not number {described.select.number}"
    )


def refuse(form: FoundForm, page: str, described: FormDescription, *, allows_post: bool) -> None:
    """ConfigurationError for what is not a search, writes something, or goes elsewhere."""
    if form.kind != "search":
        raise ConfigurationError(
            f"Form {form.number} of {page} is not a search form but {form.kind}: it is never asked"
        )
    if form.method not in {"GET", "POST"}:
        raise ConfigurationError(f"{form.method} is not a method of forms")
    refuse_post(form.method, described, allows_post=allows_post)
    tokens = [one.name for one in form.fields if one.kind == "hidden" and _TOKENS.search(one.name)]
    if form.method == "POST" and tokens:
        raise ConfigurationError(
            f"The form sends POST with a token of the visit ({tokens[0]}): it is never asked"
        )
    if form.action and not is_web(form.action):
        raise ConfigurationError(f"{form.action} is not a web address")
    if form.action and not same_owner(page, form.action):
        raise ConfigurationError(f"The form of {page} leads to another site, {form.action}: it is not asked")


def refuse_post(method: str, described: FormDescription, *, allows_post: bool) -> None:
    """ConfigurationError for a form of POST without both switches."""
    if method == "POST" and not (described.allow_post and allows_post):
        raise ConfigurationError(
            "The form sends POST: that needs `allow_post: true` in its file and FORMS_ALLOW_POST"
        )


def _always(field: FormField, said: DescribedInput | None) -> str | None:  # noqa: PLR0911 - a table of cases
    """What is sent with every probe; None for what is set by probes."""
    if field.is_trap:
        return ""
    if said is not None and said.fixed is not None:
        return said.fixed
    if field.kind in {"hidden", "flag"}:
        return field.value if field.kind == "hidden" else None
    if field.kind in {"text", "range"} and said is not None and said.use is False:
        return field.value
    if field.kind == "option":
        values = [one.value for one in field.choices]
        if said is not None and said.use:
            return None
        if _is_page_size(field.name, values):
            return _page_size(values)
        if _is_sort(field.name, values):
            return field.value or (values[0] if values else "")
    return None


def _unset(field: FormField) -> str | None:
    """What is sent of a list that is not tried: the empty value, which means all, else as it stands."""
    return "" if any(not one.value for one in field.choices) else field.default


def _is_page_size(name: str, values: list[str]) -> bool:
    numbers = [int(one) for one in values if one.isdecimal()]
    are_sizes = len(numbers) >= max(2, len(values) - 1) and all(5 <= one <= 1000 for one in numbers)
    return are_sizes and bool(_PAGE_SIZES.search(name))


def _page_size(values: list[str]) -> str:
    """The largest one that asks no more of a site than is polite; the smallest where all do."""
    sizes = sorted((one for one in values if one.isdecimal()), key=int)
    return next((one for one in reversed(sizes) if int(one) <= _LARGEST_PAGE), sizes[0])


def _is_sort(name: str, values: list[str]) -> bool:
    return bool(_SORTS.search(name)) or any(one.lower() in _SORT_VALUES for one in values)


def _probed(field: FormField, said: DescribedInput | None) -> Iterator[ProbedInput]:
    if field.kind == "text":
        suggested = tuple(one.value for one in field.choices)
        yield ProbedInput(name=field.name, kind="text", label=field.label, texts=suggested)
    elif field.kind == "range" and field.until:
        ends = (said.low, said.high) if said else (None, None)
        yield ProbedInput(
            name=field.name, kind="range", label=field.label, until=field.until, low=ends[0], high=ends[1]
        )
    elif field.kind == "option":
        chosen = [one for one in field.choices if one.value][:_MOST_VALUES]
        if len(chosen) > 1:
            values, texts = tuple(one.value for one in chosen), tuple(one.text for one in chosen)
            yield ProbedInput(
                name=field.name,
                kind="option",
                label=field.label,
                values=values,
                texts=texts,
                unset=_unset(field),
            )


def address_of(plan: FormPlan, probe: Probe) -> str:
    """The address that a browser would go to; further pages have their own."""
    if probe.url:
        return probe.url
    parts = urlsplit(plan.action)
    if plan.method == "POST":
        return urlunsplit(parts._replace(fragment=""))
    # A form that is sent by GET replaces the query of its address.
    return urlunsplit(parts._replace(query=urlencode(_pairs(plan, probe)), fragment=""))


def submission_for(plan: FormPlan, probe: Probe) -> Submission | None:
    """What is sent in the body of a request; None where all is in its address."""
    if plan.method != "POST" or probe.url:
        return None
    return Submission(body=urlencode(_pairs(plan, probe)).encode())


def _pairs(plan: FormPlan, probe: Probe) -> list[tuple[str, str]]:
    texts = {one.name for one in plan.inputs if one.kind == "text"}
    for name, value in probe.inputs.items():
        if name in texts and not is_harmless(value):
            raise ConfigurationError(f"{value!r} is not submitted: words have letters and digits alone")
    unset = {one.name: one.unset for one in plan.inputs if one.unset is not None}
    ends = {one.until: "" for one in plan.inputs if one.until}
    sent = {**unset, **ends, **plan.always, **probe.inputs}
    return [*sent.items(), *(pair for pair in plan.checked if pair[0] not in sent)]


def is_further_page(plan: FormPlan, url: str) -> bool:
    """True for an address of the same search: nothing else is followed."""
    one, other = urlsplit(plan.action), urlsplit(url)
    return (one.scheme, one.netloc) == (other.scheme, other.netloc) and _stem(one.path) == _stem(other.path)


def _stem(path: str) -> str:
    """A path without the number of a page at its end."""
    return re.sub(r"/(?:page|seite|p)/\d+/?$|/+$", "", path)


def answer_place(url: str, words: Sequence[str]) -> str:
    """Where an answer is, whatever was asked for: its host and path, without these words and the page."""
    parts = urlsplit(url)
    path = unquote_plus(_stem(parts.path)).casefold()
    for word in words:
        path = re.sub(rf"\b{re.escape(word.casefold())}\b", _WORD, path)
    return f"{parts.netloc}{_WORDS.sub(_WORD, path)}"


def submitted(url: str) -> dict[str, str]:
    return dict(parse_qsl(urlsplit(url).query))


def _is_sent(field: FormField) -> bool:
    return bool(field.name) and field.kind not in {"submit", "flag"}


def navigation_plan(found: PageForms, number: int, values: Mapping[str, str]) -> FormPlan:
    """A form with these values and its own defaults; ConfigurationError where it is not one to be sent."""
    form = next((one for one in found.forms if one.number == number), None)
    if form is None:
        raise ConfigurationError(f"The expression of the wrapper's file leads to no form of {found.url}")
    if form.method != "GET" or form.kind not in _SENT_KINDS:
        raise ConfigurationError(
            f"Form {number} of {found.url} is not followed: it is of the kind {form.kind}, "
            f"and sends {form.method}"
        )
    if form.action and not (is_web(form.action) and same_owner(found.url, form.action)):
        raise ConfigurationError(f"The form of {found.url} leads to another site: it is not followed")
    names = {name for one in form.fields for name in (one.name, one.until) if name}
    if unknown := [name for name in values if name not in names]:
        raise ConfigurationError(f"The form of {found.url} has no input {', '.join(unknown)}")
    said = {
        one.name: one.default if one.kind == "option" else one.value for one in form.fields if _is_sent(one)
    }
    stated = {name: value for name, value in said.items() if value is not None}
    always = {one.name: "" for one in form.fields if one.is_trap and one.name}
    always |= dict(values)
    return FormPlan(action=form.action or found.url, always=stated | always, checked=_checked(form))
