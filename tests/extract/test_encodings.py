"""Encodings that nobody stated."""

from __future__ import annotations

import pytest

from archiver.documents.pages.encodings import guess_encoding, is_hardly_utf8, is_proven_utf8

NORWAY = {
    "gb18030": "九年之后。往返群岛的夜班渡轮将再次从旧港启航。公司在挪威买下一艘二手船。船长说人们都在等。",
    "big5hkscs": "九年之後。往返群島的夜班渡輪將再次從舊港啟航。公司在挪威買下一艘二手船。船長說人們都在等。",
    "cp932": "九年ぶりに島々を結ぶ夜行フェリーが旧港から出航する。会社はノルウェーで中古の船を買った。",
    "euc_jp": "九年ぶりに島々を結ぶ夜行フェリーが旧港から出航する。会社はノルウェーで中古の船を買った。",
    "iso2022_jp": "九年ぶりに島々を結ぶ夜行フェリーが旧港から出航する。",
    "cp949": "구 년 만에 섬들을 잇는 야간 여객선이 옛 항구에서 다시 출항한다. 회사는 노르웨이에서 배를 샀다.",
    "cp1251": "Через девять лет ночной паром снова отходит от старой гавани. Компания купила судно.",
    "koi8_r": "Через девять лет ночной паром снова отходит от старой гавани. Компания купила судно.",
    "iso8859_5": "Через девять лет ночной паром снова отходит от старой гавани. Компания купила судно.",
    "cp1256": "بعد تسع سنوات تبحر العبارة الليلية بين الجزر من جديد من الميناء القديم",
    "iso8859_6": "بعد تسع سنوات تبحر العبارة الليلية بين الجزر من جديد من الميناء القديم",
    "cp1255": "אחרי תשע שנים המעבורת הלילית בין האיים שוב יוצאת מהנמל הישן",
    "cp1253": "Μετά από εννέα χρόνια το νυχτερινό πλοίο φεύγει πάλι από το παλιό λιμάνι",
    "cp874": "เรือเฟอร์รี่กลางคืนจะกลับมาให้บริการอีกครั้งจากท่าเรือเก่าในวันศุกร์นี้",
}
WESTERN = [
    "Après neuf années, le ferry « de nuit » repart d\u2019où l\u2019été l\u2019a laissé.",
    "La città è là, però così non va più.",
    "Größe, Übermut, schöne Fähre.",
    "mañana, año, corazón, según, allí",
    "hôtel",
]


@pytest.mark.parametrize(("encoding", "text"), NORWAY.items(), ids=NORWAY)
def test_text_that_does_not_state_its_encoding_is_read(encoding: str, text: str) -> None:
    body = f"<html><body><div class='x'><p>{text}</p></div></body></html>".encode(encoding)
    assert body.decode(guess_encoding(body), "replace") == body.decode(encoding)


@pytest.mark.parametrize(
    ("language", "encoding", "text"),
    [
        ("zh-TW", "big5hkscs", "夜班渡輪重返舊港 颱風來襲"),
        ("ja", "euc_jp", "夜行フェリー旧港へ復帰 台風警報"),
        ("ko", "cp949", "야간 여객선 복귀 태풍 경보 발령"),
    ],
)
def test_headlines_are_read_where_the_page_states_its_language(
    language: str, encoding: str, text: str
) -> None:
    body = f"<html class=no-js lang={language}><body><h1>{text}</h1></body></html>".encode(encoding)
    assert guess_encoding(body) == encoding


def test_stated_language_of_another_script_does_not_mislead() -> None:
    body = f"<html lang='en'><body>{NORWAY['gb18030']}</body></html>".encode("gb18030")
    assert guess_encoding(body) == "gb18030"


@pytest.mark.parametrize("text", WESTERN)
def test_accents_between_plain_letters_are_western(text: str) -> None:
    assert guess_encoding(text.encode("cp1252")) == "cp1252"


@pytest.mark.parametrize(
    ("language", "encoding", "text"),
    [
        ("pl", "iso8859_2", "Łódź, żółć i gęś"),
        ("cs", "cp1250", "Příliš žluťoučký kůň"),
        ("tr", "cp1254", "İstanbul ve ağaç"),
        ("lt", "cp1257", "ąžuolas ir šermukšnis"),
        ("de", "cp1252", "schöne Fähre"),
    ],
)
def test_latin_letters_are_those_of_the_language(language: str, encoding: str, text: str) -> None:
    body = f"<html lang='{language}'><body>{text}</body></html>".encode(encoding)
    assert guess_encoding(body) == encoding


@pytest.mark.parametrize("text", [*NORWAY.values(), *WESTERN])
def test_utf8_is_always_told(text: str) -> None:
    assert guess_encoding(text.encode()) == "utf-8"
    assert not is_hardly_utf8(text.encode())
    assert not is_hardly_utf8(text.encode() + b"\xff")


@pytest.mark.parametrize(("encoding", "text"), NORWAY.items(), ids=NORWAY)
def test_other_encodings_are_hardly_utf8(encoding: str, text: str) -> None:
    body = text.encode(encoding)
    assert not is_proven_utf8(body)
    assert is_hardly_utf8(body) or body.isascii()


def test_two_characters_prove_nothing() -> None:
    assert not is_proven_utf8("联通".encode("gbk"))


@pytest.mark.parametrize("body", [b"", b"plain", b"\xff", bytes(range(256)) * 20, b"\x1b$B\x00\xff"])
def test_any_bytes_have_a_guess_that_can_be_used(body: bytes) -> None:
    assert isinstance(body.decode(guess_encoding(body), "replace"), str)


def test_spaces_that_do_not_break_are_no_text_of_another_script() -> None:
    text = "<p>\u00a0\u00a0\u00a0\u00a0 \u00abA plain page\u00bb \u00a9 2026 \u00a0\u00a0\u00a0</p>"
    assert guess_encoding(text.encode("latin-1")) == "cp1252"
