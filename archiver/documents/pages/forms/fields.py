"""The fields of a form as a person sees them: kinds, labels, options."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml.etree import _Element as Element

_BUTTONS = frozenset({"submit", "image", "button", "reset"})
_TEXTS = frozenset({"", "text", "search", "url", "tel", "number"})
_DATES = frozenset({"date", "month", "week", "datetime-local", "time"})
_LABEL_LENGTH = 60
_OPTIONS = 500  # of a field that are kept: a list of all towns is not one of choices
_SPLIT = re.compile(r"[_\-.\[\]$:]+|(?<=[a-z])(?=[A-Z])")
# Ends of a range, as names and labels tell them.
_FROM = re.compile(
    r"(?:^|[_\W])(?:from|min|start|von|ab|de|desde|since|after|low|da)(?:$|[_\W])", re.IGNORECASE
)
_TO = re.compile(r"(?:^|[_\W])(?:to|max|end|bis|hasta|until|before|high|à|al)(?:$|[_\W])", re.IGNORECASE)
_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)


class Choice(msgspec.Struct, frozen=True, omit_defaults=True):
    """A value that can be chosen, and the words beside it."""

    value: str
    text: str = ""


class FormField(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An input with a name, or the inputs that share one."""

    name: str
    kind: str  # text, option, flag, range, date, hidden, submit, password, file, email, area
    label: str = ""
    value: str = ""
    choices: tuple[Choice, ...] = ()
    default: str | None = None  # of a list or radio buttons: what a browser sends; None: nothing
    is_checked: bool = False  # of a check box
    until: str = ""  # of a range: the name of its upper end
    is_search: bool = False  # it says so itself
    is_trap: bool = False  # it is there for programs, and people do not see it


def fields_of(form: Element) -> tuple[FormField, ...]:
    found: dict[str, FormField] = {}
    for element in form.iter("input", "select", "textarea", "button"):
        field = _field(element, form)
        before = found.get(field.name) if field.name else None
        if before is not None and before.kind == field.kind == "option":
            found[field.name] = msgspec.structs.replace(
                before,
                choices=before.choices + field.choices,
                default=field.default if before.default is None else before.default,
            )
        else:
            found[field.name if field.name and before is None else f"\0{len(found)}"] = field
    return tuple(_with_ranges(list(found.values())))


def _field(element: Element, form: Element) -> FormField:
    kind = _kind(element)
    own = str(element.get("value") or "")
    choices: tuple[Choice, ...] = ()
    default: str | None = None
    if element.tag == "select":
        choices = tuple(
            Choice(str(one.get("value", _text(one))), _text(one)) for one in element.iter("option")
        )[:_OPTIONS]
        chosen = next((one for one in element.iter("option") if one.get("selected") is not None), None)
        own = str(chosen.get("value", _text(chosen))) if chosen is not None else ""
        default = _selected(element)
    elif kind == "option":
        choices = (Choice(own, _label(element, form)),)
        default = own if element.get("checked") is not None else None
        own = own if element.get("checked") is not None else ""
    elif kind == "flag":
        own = str(element.get("value", "on"))
    elif element.get("list"):
        choices = tuple(_suggested(element, str(element.get("list"))))[:_OPTIONS]
    return FormField(
        name=str(element.get("name") or ""),
        kind=kind,
        label=_button_text(element) if kind == "submit" else _label(element, form),
        value=own,
        choices=choices,
        default=default,
        is_checked=kind == "flag" and element.get("checked") is not None,
        is_search=str(element.get("type") or "").lower() == "search",
        is_trap=kind == "text" and _is_hidden(element, form),
    )


def _selected(element: Element) -> str | None:
    """What a browser sends of a list: the option that is selected, else the first one of those to choose."""
    options = [one for one in element.iter("option") if one.get("disabled") is None]
    selected = [one for one in options if one.get("selected") is not None]
    chosen = selected or (options if element.get("multiple") is None else [])
    return str(chosen[0].get("value", _text(chosen[0]))) if chosen else None


def _suggested(element: Element, name: str) -> Iterator[Choice]:
    """What a list of suggestions (`datalist`) has."""
    for one in element.getroottree().iter("datalist"):
        if one.get("id") == name:
            for option in one.iter("option"):
                yield Choice(str(option.get("value", _text(option))), _text(option))


def _kind(element: Element) -> str:
    if element.tag in {"select", "textarea", "button"}:
        return {"select": "option", "textarea": "area", "button": "submit"}[str(element.tag)]
    kind = str(element.get("type") or "").strip().lower()
    if kind in _BUTTONS:
        return "submit"
    if kind in {"hidden", "password", "file", "email"}:
        return kind
    if kind in {"radio", "checkbox"}:
        return "option" if kind == "radio" else "flag"
    if kind in _DATES:
        return "date"
    return "range" if kind == "range" else "text"


def _label(element: Element, form: Element) -> str:
    """What stands for, around or in it; else what stands just before it; else its name."""
    told = (
        *_labels_for(element, form),
        *(element.get(name) for name in ("aria-label", "placeholder", "title")),
        _text_before(element, form),
        " ".join(_SPLIT.split(str(element.get("name") or ""))),
    )
    return next((text for one in told if (text := " ".join((one or "").split()).rstrip(":*"))), "")[
        :_LABEL_LENGTH
    ]


def _labels_for(element: Element, form: Element) -> Iterator[str]:
    name = element.get("id")
    if name:
        yield from (_text(one) for one in form.iter("label") if one.get("for") == name)
    yield from (_text(one) for one in element.iterancestors("label"))


def _text_before(element: Element, form: Element) -> str:
    """The last text before it that no other field is in front of."""
    at: Element | None = element
    while at is not None and at is not form:
        for sibling in at.itersiblings(preceding=True):
            if (sibling.tail or "").strip():
                return str(sibling.tail)
            if next(sibling.iter("input", "select", "textarea"), None) is not None:
                return ""
            if isinstance(sibling.tag, str) and _text(sibling) and sibling.tag not in {"script", "style"}:
                return _text(sibling) if len(_text(sibling)) <= _LABEL_LENGTH else ""
        at = at.getparent()
        if at is not None and (at.text or "").strip():
            return str(at.text)
    return ""


def _button_text(element: Element) -> str:
    told = (_text(element), *(element.get(name) for name in ("value", "alt", "title", "aria-label")))
    return " ".join(text for one in told if (text := " ".join((one or "").split())))[:_LABEL_LENGTH]


def _is_hidden(element: Element, form: Element) -> bool:
    around = [element, *(one for one in element.iterancestors() if form in one.iterancestors())]
    return any(
        one.get("aria-hidden") == "true"
        or one.get("hidden") is not None
        or _HIDDEN.search(one.get("style") or "")
        for one in around
    )


def _text(element: Element) -> str:
    return " ".join(str(element.xpath("string()")).split())


def _with_ranges(fields: list[FormField]) -> Iterator[FormField]:
    """Two neighbours that are called from and to are one range."""
    at = 0
    while at < len(fields):
        pair = fields[at : at + 2]
        if len(pair) == 2 and _is_range(*pair):
            yield msgspec.structs.replace(pair[0], kind="range", until=pair[1].name)
            at += 2
        else:
            yield pair[0]
            at += 1


def _is_range(one: FormField, other: FormField) -> bool:
    kinds = {"text", "date", "option"}
    if one.kind != other.kind or one.kind not in kinds or not one.name or not other.name:
        return False
    told = (f"{_SPLIT.sub(' ', field.name)} {field.label}" for field in (one, other))
    first, second = told
    return bool(_FROM.search(first) and _TO.search(second))
