"""A PDF of one page and one line of text, small and valid."""

from __future__ import annotations

from itertools import accumulate

_PAGE = b"""<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R
/Resources << /Font << /F1 5 0 R >> >> >>"""


def one_page_pdf(line: str) -> bytes:
    drawing = f"BT /F1 14 Tf 72 720 Td ({line}) Tj ET".encode("ascii")
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        _PAGE,
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(drawing), drawing),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    return _assembled(objects)


def _assembled(objects: list[bytes]) -> bytes:
    """The objects with the table of where each of them begins."""
    head = b"%PDF-1.4\n"
    parts = [b"%d 0 obj\n%s\nendobj\n" % (number, text) for number, text in enumerate(objects, 1)]
    starts = list(accumulate(map(len, parts), initial=len(head)))
    table = b"".join(b"%010d 00000 n \n" % start for start in starts[:-1])
    size = len(objects) + 1
    index = b"xref\n0 %d\n0000000000 65535 f \n%s" % (size, table)
    trailer = b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (size, starts[-1])
    return head + b"".join(parts) + index + trailer
