"""`python -m sample.shop`: serves the shop alone, or writes its truth and its ontology."""

from __future__ import annotations

import argparse
from pathlib import Path
from threading import Event

from sample.shop.books import BOOKS, make_books
from sample.shop.serving import serve_shop
from sample.shop.truth import ontology, truth_json


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m sample.shop", description=__doc__)
    parser.add_argument("--port", type=int, default=8932, metavar="PORT", help="default: 8932")
    parser.add_argument("--books", type=int, default=BOOKS, metavar="N", help=f"default: {BOOKS}")
    parser.add_argument("--truth", type=Path, metavar="FILE", help="write the books as JSON, serve nothing")
    parser.add_argument("--ontology", type=Path, metavar="FILE", help="write N-Triples, serve nothing")
    options = parser.parse_args()
    books = make_books(options.books)
    if options.truth:
        options.truth.write_text(truth_json(books), encoding="utf-8")
    if options.ontology:
        lines = ontology(books, make_books(options.books, seed=2))
        options.ontology.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    if options.truth or options.ontology:
        return
    with serve_shop(port=options.port, count=options.books) as shop:
        print(f"{shop.base}/ until Ctrl-C", flush=True)
        try:
            Event().wait()
        except KeyboardInterrupt:
            return


if __name__ == "__main__":
    main()
