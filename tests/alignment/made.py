"""A small made-up library and its records on another site, as N-Triples."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

TYPE = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
SYLLABLES = ("sil", "win", "gar", "har", "orch", "mir"), ("ver", "ter", "den", "bour", "ard")
WORDS = tuple(one + other for one in SYLLABLES[0] for other in SYLLABLES[1])
NAMES = ("Anna", "Bruno", "Clara", "Dario", "Edith", "Frida", "Georg", "Helma", "Ivo", "Jutta")


def write_library(folder: Path, books: int = 60, copies: int = 1) -> dict[str, str]:
    """Write `records.nt` and `library.nt`; return which record is which book.

    Every fifth title has a typing error in the records, authors have their names turned round, and a third
    of the books is not among the records.
    """
    choose = random.Random(3)
    library, records, gold = [], [], {}
    for number in range(books):
        title = " ".join(choose.sample(WORDS, 4)).title()
        author = f"{choose.choice(NAMES)} {choose.choice(WORDS).title()}son"
        year, book, person = choose.randint(1950, 2020), f"<urn:lib:b{number}>", f"<urn:lib:p{number}>"
        library += [
            f"{book} {TYPE} <urn:lib:Book> .",
            f'{book} <urn:lib:hasTitle> "{title}"@en .',
            f'{book} <urn:lib:year> "{year}"^^<http://www.w3.org/2001/XMLSchema#gYear> .',
            f"{person} <urn:lib:created> {book} .",
            f'{person} <urn:lib:name> "{author}" .',
            f"{person} {TYPE} <urn:lib:Person> .",
        ]
        if number % 3 == 0:
            continue
        for copy in range(copies):
            record = f"urn:site:{choose.getrandbits(32):x}"
            gold[record] = book.strip("<>")
            shown = title[:6] + title[7:] if (number + copy) % 5 == 0 else title.upper()
            records += [
                f"<{record}> {TYPE} <urn:site:Record> .",
                f'<{record}> <urn:site:col1> "{shown}" .',
                f'<{record}> <urn:site:col2> "{", ".join(reversed(author.split()))}" .',
                f'<{record}> <urn:site:col3> "{year}" .',
                f'<{record}> <urn:site:price> "{choose.randint(5, 60)}.50" .',
            ]
    (folder / "library.nt").write_text("\n".join([*library, ""]), encoding="utf-8")
    (folder / "records.nt").write_text("\n".join([*records, ""]), encoding="utf-8")
    return gold
