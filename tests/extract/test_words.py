"""Tokens and terms of any script."""

from __future__ import annotations

import pytest

from archiver.documents.pages.words import stemmer, stop_words, terms, tokens


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The Ferry's 2nd trip", ["the", "ferry", "s", "2nd", "trip"]),
        ("don\u2019t don't", ["don", "t", "don", "t"]),
        ("Надвечір\u2019я Паром", ["надвечір", "я", "паром"]),
        ("渡轮AB旧港、人々", ["渡", "轮", "ab", "旧", "港", "人", "々"]),
        ("フェリーで", ["フ", "ェ", "リ", "ー", "で"]),
        ("여객선이 온다", ["여", "객", "선", "이", "온", "다"]),
        ("เรือ ฿5", ["เ", "ร", "ื", "อ", "5"]),
        ("हिन्दी में", ["हिन्दी", "में"]),
        ("\uff26\uff45\uff52\uff52\uff59 e\u0301t\u00e9", ["ferry", "été"]),
        ("\u2764\ufe0f 5\ufe0f\u20e3", ["5\ufe0f"]),
        ("", []),
    ],
)
def test_words_of_any_script_are_tokens(text: str, expected: list[str]) -> None:
    assert tokens(text) == expected


@pytest.mark.parametrize(
    ("written", "same"),
    [
        ("Nacht\u00adfähre", "Nachtfähre"),
        ("العَبَّارَة", "العبارة"),
        ("العبـــارة", "العبارة"),
        ("שָׁלוֹם", "שלום"),
        ("\u200fהנמל\u200e", "הנמל"),
        ("ﻣﻴﻨﺎء", "ميناء"),
        ("ﾌｪﾘｰ", "フェリー"),
    ],
)
def test_what_may_be_left_out_makes_no_other_word(written: str, same: str) -> None:
    assert tokens(written) == tokens(same)


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("en", "The ferries of the captain's isles", ["ferri", "captain", "isl"]),
        ("en", "They don't sail, o'er 5 y", ["sail"]),
        ("fr", "Aujourd'hui l'île et ses bateaux", ["île", "bateau"]),
        ("no", "Fergene går fra havnen", ["ferg", "går", "havn"]),
        ("ru", "Паромы и гавани", ["паром", "гаван"]),
        ("zh", "渡轮重返旧港。", ["渡轮", "轮重", "重返", "返旧", "旧港"]),
        ("zh", "一方面,船", ["船"]),
        ("ja", "夜行フェリーが旧港に戻りました。船です", ["夜行", "フェリー", "旧港", "戻", "船"]),
        ("ko", "여객선이 그리고 항구로", ["여객", "객선", "선이", "항구", "구로"]),
        ("th", "เรือเก่า", ["เรือ", "รือเ", "ือเก", "อเก่", "เก่า"]),
        ("ar", "العبّارة تعود إلى الميناء", ["عبار", "تعود", "ميناء"]),
        ("he", "המעבורת חוזרת אל הנמל", ["המעבורת", "חוזרת", "הנמל"]),
        ("hi", "नौका पुराने बंदरगाह से", ["नौक", "पुर", "बंदरगाह"]),
        ("xx", "Ferries to the isles", ["ferries", "to", "the", "isles"]),
        (None, "渡轮 ferry", ["渡轮", "ferry"]),
    ],
)
def test_terms_are_what_a_text_is_about(language: str | None, text: str, expected: list[str]) -> None:
    assert terms(text, language) == expected


@pytest.mark.parametrize(
    "text",
    [
        "夜班渡轮重返旧港",
        "夜行フェリーが旧港に戻る",
        "여객선이 돌아온다",
        "เรือเฟอร์รี่กลางคืน",
        "المعبر القديم",
        "הנמל הישן",
    ],
)
@pytest.mark.parametrize("language", ["en", "de", "xx", None])
def test_wrong_language_does_not_take_the_words_away(text: str, language: str | None) -> None:
    assert len(terms(text, language)) >= 2


def test_unknown_language_has_neither_stems_nor_stop_words() -> None:
    assert stemmer("xx")("running") == "running"
    assert stop_words("xx") == frozenset()
    assert stop_words(None) == frozenset()
