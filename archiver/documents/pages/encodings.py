"""The encoding of bytes for which none is stated, or a wrong one: UTF-8 if they can be, else the likeliest.

A decoding is likely where the commonest characters of its language are as common as they should be. Latin
scripts are told apart from the others before that: their accents stand alone between plain letters.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from archiver.documents.pages.languages import base_language

SAMPLE = 65536
MOST_READ = 8192  # bytes of text, markup left out, that every decoding is tried on
# Text of another script stands in runs; an accent does not. Half of Big5's bytes are plain letters.
LEAST_RUNS = 0.25
LEAST_LIKENESS = 0.5
# So many bytes that follow the rules of UTF-8 do not do so by chance.
PROOF = 8

_FOREIGN = re.compile(rb"[\x80-\xff]")
_RUN = re.compile(rb"[\x80-\xff]{3,}")
_ESCAPED_JAPANESE = re.compile(rb"\x1b\$[@B]")
# Markup, mostly. The byte before it may be the second half of a character.
_PLAIN = re.compile(rb"([\x00-\x7f])[\x00-\x7f]{8,}")
_LANG = re.compile(rb"""<html\b[^>]*?\slang=["']?([\w-]+)""", re.IGNORECASE)
_WINDOWS_ONLY = re.compile(rb"[\x80-\x9f]")
_NO_LETTER = re.compile("[\x00-\xa0]")


@dataclass(frozen=True, slots=True)
class _Candidate:
    encoding: str
    languages: str
    common: str
    share: float  # of the common characters among all that are not ASCII, where there is little else to go by


def _candidates(languages: str, common: str, share: float, *encodings: str) -> list[_Candidate]:
    return [_Candidate(encoding, languages, common, share) for encoding in encodings]


_CANDIDATES = [
    *_candidates("zh", "的一是不了在人有我他这中大来上国个到说们为和地出年就对时要会", 0.12, "gb18030"),
    *_candidates("zh", "的一是不了在人有我他這中大來上國個到說們為和地出年就對時要會", 0.12, "big5hkscs"),
    *_candidates("ja", "のにはをたがでてとしれさあるいなもうかっまスンーリル", 0.3, "cp932", "euc_jp"),
    *_candidates("ko", "이다는의가에을를은하고한지로기사도리인대자시해어", 0.3, "cp949"),
    *_candidates("ru uk be bg mk sr", "оеаинтсрвлкмдпу", 0.7, "cp1251", "koi8_r", "iso8859_5", "cp866"),
    *_candidates("ar fa ur", "ليمناوتربعد", 0.65, "cp1256", "iso8859_6"),
    *_candidates("he yi", "יוהלאבמרתשנ", 0.65, "cp1255"),
    *_candidates("el", "αοιετσνηρπκυςμ", 0.65, "cp1253"),
    *_candidates("th", "านรอกเงวมยลทต่้ั", 0.6, "cp874"),
]
# What pages in these languages were written in before UTF-8.
_LATIN = {
    "cs": "cp1250", "hr": "cp1250", "hu": "cp1250", "pl": "cp1250", "ro": "cp1250", "sk": "cp1250",
    "sl": "cp1250", "tr": "cp1254", "az": "cp1254", "et": "cp1257", "lt": "cp1257", "lv": "cp1257",
    "vi": "cp1258",
}  # fmt: skip


def guess_encoding(body: bytes) -> str:
    """The encoding that the bytes themselves speak for."""
    if _ESCAPED_JAPANESE.search(body, 0, SAMPLE):
        return "iso2022_jp"
    if is_utf8(body):
        return "utf-8"
    sample = body[:SAMPLE]
    language = _stated_language(sample)
    # One byte again and again is no text but spaces that do not break.
    in_runs = sum(len(run) for run in _RUN.findall(sample) if len(set(run)) > 1)
    if language in _LATIN or in_runs < LEAST_RUNS * len(_FOREIGN.findall(sample)):
        return _latin(sample, language)
    text = _PLAIN.sub(rb"\1 ", sample)[:MOST_READ]
    stated = [candidate for candidate in _CANDIDATES if language in candidate.languages.split()]
    likeness, encoding = max((_likeness(text, one), one.encoding) for one in stated or _CANDIDATES)
    return encoding if stated or likeness >= LEAST_LIKENESS else _latin(sample, language)


def is_utf8(body: bytes) -> bool:
    try:
        body.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def is_proven_utf8(body: bytes) -> bool:
    """Whether the bytes are UTF-8 whatever else is said of them."""
    return len(_FOREIGN.findall(body, 0, SAMPLE)) >= PROOF and is_utf8(body)


def is_hardly_utf8(body: bytes) -> bool:
    """Whether more of the bytes break the rules of UTF-8 than follow them; one bad byte may be anywhere."""
    if is_utf8(body):
        return False
    letters = _NO_LETTER.sub("", body[:SAMPLE].decode("utf-8", "replace"))
    return 2 * letters.count("\ufffd") > len(letters)


def _likeness(text: bytes, candidate: _Candidate) -> float:
    """How common the common characters are, as a share of what they should be."""
    letters = _NO_LETTER.sub("", text.decode(candidate.encoding, "replace"))
    common = sum(letters.count(character) for character in candidate.common)
    return common / (candidate.share * len(letters)) if letters else 0.0


def _latin(sample: bytes, language: str) -> str:
    encoding = _LATIN.get(language, "cp1252")
    # The older standard has the same letters elsewhere, and none where only Windows has any.
    return "iso8859_2" if encoding == "cp1250" and not _WINDOWS_ONLY.search(sample) else encoding


def _stated_language(sample: bytes) -> str:
    stated = _LANG.search(sample)
    return (stated and base_language(stated[1].decode("ascii", "replace"))) or ""
