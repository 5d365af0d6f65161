"""The language of a text, stated or not."""

from __future__ import annotations

import pytest

from archiver.documents.pages.languages import base_language, language_for, script_of

FERRY = {
    "en": "After nine years the night ferry between the islands sails again from the old harbour.",
    "de": "Nach neun Jahren fährt die Nachtfähre zwischen den Inseln wieder vom alten Hafen.",
    "fr": "Après neuf ans, le ferry de nuit entre les îles repart du vieux port.",
    "es": "Después de nueve años el ferry nocturno entre las islas vuelve a zarpar desde el puerto.",
    "pl": "Po dziewięciu latach nocny prom między wyspami znów wypływa ze starego portu, ale nie co dzień.",
    "vi": "Sau chín năm, chuyến phà đêm giữa các hòn đảo lại khởi hành từ bến cảng cũ.",
    "ru": "Через девять лет ночной паром между островами снова отходит от старой гавани.",
    "uk": "Через дев'ять років нічний пором між островами знову відходить від гавані, що є в місті.",
    "el": "Μετά από εννέα χρόνια το νυχτερινό πλοίο φεύγει πάλι.",
    "ar": "بعد تسع سنوات تبحر العبارة الليلية بين الجزر من جديد من الميناء القديم",
    "fa": "پس از نه سال کشتی شبانه دوباره از بندر قدیمی حرکت کرد و این خوب است",
    "he": "אחרי תשע שנים המעבורת הלילית שוב יוצאת מהנמל הישן",
    "hi": "यह नौका नौ साल बाद फिर से पुराने बंदरगाह से चलेगी",
    "th": "เรือเฟอร์รี่กลางคืนจะกลับมา",
    "zh": "夜班渡轮重返旧港。",
    "ja": "夜行フェリー、旧港に戻る",
    "ko": "여객선이 옛 항구로 돌아온다.",
}


@pytest.mark.parametrize(("language", "text"), FERRY.items(), ids=FERRY)
def test_language_that_nobody_states_is_guessed(language: str, text: str) -> None:
    assert language_for(text) == language


@pytest.mark.parametrize(
    "language", [language for language, text in FERRY.items() if script_of(text) != "latin"]
)
def test_stated_language_of_another_script_is_not_believed(language: str) -> None:
    assert language_for(FERRY[language], "en-US", "de") == language


@pytest.mark.parametrize(
    ("text", "stated", "language"),
    [
        ("Kort tekst", ("nb-NO",), "no"),
        ("Кратак текст", ("sr",), "sr"),
        ("Kratak tekst", ("sr-Latn",), "sr"),
        ("旧港", ("cn",), "zh"),
        ("שלום", ("iw",), "he"),
        ("iPhone 17", ("zh-CN", "en"), "en"),
        ("iPhone 17", ("zh-CN",), None),
        ("2024", ("zh-CN",), "zh"),
        ("ferry", ("english please", None, "", "en_GB"), "en"),
        ("ferry", (), None),
        ("", (), None),
        ("ⰃⰎⰀⰃⰑⰎⰉⰜⰀ", (), None),
    ],
)
def test_first_stated_language_that_the_script_allows_counts(
    text: str, stated: tuple[str | None, ...], language: str | None
) -> None:
    assert language_for(text, *stated) == language


def test_language_is_the_first_part_of_its_tag() -> None:
    assert base_language("pt_BR") == "pt"
    assert base_language("zh-Hant-TW") == "zh"
    assert base_language("english please") is None
    assert base_language(None) is None
