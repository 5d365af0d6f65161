"""RDF files are read as a stream: every format, bad lines, other encodings."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING

import pytest

from archiver.errors import ConfigurationError
from archiver.records.alignment.literals import dice, like_literals, literal_key, shingles_of
from archiver.records.alignment.reading import Fact, RdfFile

if TYPE_CHECKING:
    from pathlib import Path

XSD = "http://www.w3.org/2001/XMLSchema#"


def test_lines_are_read_and_bad_ones_counted(tmp_path: Path) -> None:
    lines = (
        "# a comment\n\n"
        '<urn:a> <urn:r> "caf\\u00E9 \\"x\\"\\n"@fr .\r\n'
        "_:b1 <urn:r> <urn:c> <urn:graph> . # why\n"
        '<urn:a> <urn:r> "7"^^<http://www.w3.org/2001/XMLSchema#integer>.\n'
        '<urn:a> <urn:r> "no end .\n'
        "<urn:a <urn:r> <urn:c> .\n"
    )
    path = tmp_path / "some.nq.gz"
    path.write_bytes(gzip.compress(lines.encode()))
    file = RdfFile(path)
    assert list(file) == [
        Fact("urn:a", "urn:r", "", 'café "x"\n', ""),
        Fact("_:b1", "urn:r", "urn:c", "", ""),
        Fact("urn:a", "urn:r", "", "7", f"{XSD}integer"),
    ]
    assert file.bad_lines == 2


def test_other_formats_say_the_same(tmp_path: Path) -> None:
    (tmp_path / "a.ttl").write_text('<urn:a> <urn:r> "x", <urn:c> .')
    head = '<?xml version="1.0" encoding="windows-1252"?><rdf:RDF xmlns:u="urn:" xmlns:rdf='
    body = '"http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="urn:a"><u:r>é</u:r>'
    (tmp_path / "a.rdf").write_bytes(f"{head}{body}</rdf:Description></rdf:RDF>".encode("cp1252"))
    assert [(one.literal, one.resource) for one in RdfFile(tmp_path / "a.ttl")] == [("x", ""), ("", "urn:c")]
    assert [one.literal for one in RdfFile(tmp_path / "a.rdf")] == ["é"]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.ttl", '<urn:a> <urn:r> "x" ,, .', "is not valid RDF"),
        ("a.txt", "", "unknown kind of RDF file"),
        ("a.rdf", '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><x/>', "they are not loaded"),
    ],
)
def test_what_cannot_be_read_is_told(tmp_path: Path, name: str, content: str, message: str) -> None:
    (tmp_path / name).write_text(content)
    with pytest.raises(ConfigurationError, match=message):
        list(RdfFile(tmp_path / name))


def test_literals_that_mean_the_same_have_one_key() -> None:
    assert literal_key("Café  de l'Ouest!") == literal_key("cafe de louest")
    assert literal_key("12.50") == literal_key("12,5") == literal_key("12.5", f"{XSD}decimal")
    assert literal_key("129") != literal_key("12.9")
    assert literal_key("1998", f"{XSD}gYear") == literal_key("1998")
    assert literal_key("2001-05-03Z", f"{XSD}date") == literal_key("2001-05-03")
    assert literal_key(" … ") == ""


def test_texts_are_alike_by_their_words() -> None:
    assert dice(shingles_of("Fontane, Theodor"), shingles_of("Theodor Fontane")) == 1
    left, right = (
        {literal_key(one): one for one in some} for some in (["Effi Briest", "1998"], ["Efi Briest", "1999"])
    )
    assert [pair[:2] for pair in like_literals(left, right)] == [("effibriest", "efibriest")]
