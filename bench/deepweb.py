"""What is behind forms, measured on sets with known answers: alignment, forms, records.

Rows are `{set, method, precision, recall, f1}`; `ours` is what the archiver does.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path

from deepweb_alignment import alignment_rows
from deepweb_end import end_rows
from deepweb_forms import form_rows
from deepweb_probing import probing_rows
from deepweb_records import record_rows
from deepweb_scale import scale_rows

PARTS = {
    "alignment": alignment_rows,
    "forms": form_rows,
    "records": record_rows,
    "scale": scale_rows,
    # Of the sample shop: no data is needed.
    "probing": lambda _: probing_rows(),
    "end": lambda _: end_rows(),
}
OWN = {"probing", "end"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("part", choices=PARTS)
    parser.add_argument("--data", type=Path, metavar="PATH", help="the sets")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the rows there")
    options = parser.parse_args()
    if options.data is None and options.part not in OWN:
        parser.error(f"--data is missing: {options.part} needs sets")
    began = time.process_time()
    rows = PARTS[options.part](options.data)
    if not rows:
        sys.exit(f"{options.data} has no set for {options.part}")
    print(f"{'set':<24}{'method':<12}{'precision':>10}{'recall':>8}{'f1':>8}  more")
    for row in rows:
        more = " ".join(f"{key} {value}" for key, value in row.items() if key not in MAIN)
        scores = f"{row.get('precision', ''):>10}{row.get('recall', ''):>8}{row.get('f1', ''):>8}"
        print(f"{row['set']:<24}{row['method']:<12}{scores}  {more}")
    print(f"{time.process_time() - began:.1f} s of processor time")
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1), encoding="utf-8")


MAIN = ("set", "method", "precision", "recall", "f1")

if __name__ == "__main__":
    main()
