"""PDF documents, written by hand: a page for each text, in a font that every reader has."""

from __future__ import annotations


def pdf(*pages: str, title: str = "") -> bytes:
    """A valid document; texts are in Latin-1."""
    count = len(pages)
    kids = " ".join(f"{4 + 2 * number} 0 R" for number in range(count))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {count} >>".encode(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for number, text in enumerate(pages):
        drawn = f"BT /F1 12 Tf 72 720 Td ({text}) Tj ET".encode("latin-1")
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >>"
            + f" /Contents {5 + 2 * number} 0 R >>".encode()
        )
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(drawn), drawn))
    objects.append(f"<< /Title ({title}) >>".encode("latin-1"))
    return _written(objects)


def _written(objects: list[bytes]) -> bytes:
    found, places = b"%PDF-1.4\n", []
    for number, one in enumerate(objects, 1):
        places.append(len(found))
        found += b"%d 0 obj\n%s\nendobj\n" % (number, one)
    start = len(found)
    found += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    found += b"".join(b"%010d 00000 n \n" % place for place in places)
    size, info = len(objects) + 1, len(objects)
    return found + b"trailer << /Size %d /Root 1 0 R /Info %d 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (
        size,
        info,
        start,
    )
