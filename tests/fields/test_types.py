"""What a text means as a value of a type, and what it does not mean."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archiver.fields.model import Field, FieldType
from archiver.fields.types import typed

BASE = "https://books.example/shop/"


def value(kind: FieldType, text: str, **more: object) -> str | None:
    found = typed(text, Field(field="x", type=kind, **more), BASE)  # type: ignore[arg-type]
    return found.value if found else None


@pytest.mark.parametrize(
    ("kind", "text", "expected"),
    [
        ("text", "  Court \n of Appeal ", "Court of Appeal"),
        ("text", "a\x1b[31mb", "a[31mb"),
        ("integer", "1,234", "1234"),
        ("integer", "1.234", "1234"),
        ("integer", "−5", "-5"),  # noqa: RUF001 - as pages write it
        ("integer", "12.5", None),
        ("integer", "12 pages", None),
        ("number", "1.234,5", "1234.5"),
        ("number", "1,234.5", "1234.5"),
        ("number", "12,5", "12.5"),
        ("number", "1.234", "1.234"),
        ("number", "1,2,3", None),
        ("price", "12,50 €", "12.50"),
        ("price", "Price: £1,234", "1234"),
        ("price", "-£5", "-5"),
        ("price", "12.50", "12.50"),
        ("price", "Chapter 12", None),
        ("price", "2 for £5", None),
        ("price", "£5 £4", None),
        ("date", "17 November 2026", "2026-11-17"),
        ("date", "17.11.2026", "2026-11-17"),
        ("date", "04/11/2026", None),
        ("date", "soon", None),
        ("moment", "2026-11-17T10:00:00+01:00", "2026-11-17T09:00:00Z"),
        ("moment", "2026-11-17 10:00", None),
        ("url", "../a", "https://books.example/a"),
        ("url", "javascript:alert(1)", None),
        ("image", "/a.png", "https://books.example/a.png"),
        ("image", "data:image/png;base64,AA", None),
        ("email", "mailto:a@b.example?subject=x", "a@b.example"),
        ("email", "a at b", None),
        ("phone", "+44 (0)20 7946 0958", "+442079460958"),
        ("phone", "12", None),
        ("isbn", "ISBN-13: 978-0-306-40615-7", "9780306406157"),
        ("isbn", "0-306-40615-2", "0306406152"),
        ("isbn", "080442957X", "080442957X"),
        ("isbn", "978-0-306-40615-8", None),
        ("html", "<p>a</p>", "<p>a</p>"),
        ("text", "x" * 10_001, None),
    ],
)
def test_a_text_is_a_value_of_a_type_or_is_not(kind: FieldType, text: str, expected: str | None) -> None:
    assert value(kind, text) == expected


@pytest.mark.parametrize(
    ("text", "currency"),
    [("£5", "GBP"), ("5 EUR", "EUR"), ("US$ 5", "USD"), ("$5", ""), ("5 kr", ""), ("5 zł", "PLN")],
)
def test_a_currency_is_given_where_the_text_names_one(text: str, currency: str) -> None:
    found = typed(text, Field(field="x", type="price"))
    assert found
    assert (found.value, found.currency, found.text) == ("5", currency, text)


def test_a_day_of_two_meanings_is_read_as_the_wrapper_says() -> None:
    assert value("date", "04/11/2026", day_first=True) == "2026-11-04"
    assert value("date", "04/11/2026", day_first=False) == "2026-04-11"
    assert value("date", "31/02/2026", day_first=True) is None


def test_an_enumeration_has_its_own_spelling() -> None:
    courts = ("High Court", "Court of Appeal")
    assert value("enum", "HIGH  court", values=courts) == "High Court"
    assert value("enum", "Supreme Court", values=courts) is None


@given(st.sampled_from(FieldType.__args__), st.text(max_size=400))  # type: ignore[attr-defined]
def test_any_text_is_read_without_an_error(kind: FieldType, text: str) -> None:
    found = typed(text, Field(field="x", type=kind, values=("a",)), BASE)
    assert found is None or found.value
