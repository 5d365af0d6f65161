"""`make fuzz`: pages that are made up or broken, for some minutes; what fails is kept as a file.

Exit codes: 0 nothing failed; 1 something did; 2 wrong usage.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import time
from pathlib import Path
from random import Random, SystemRandom
from tempfile import TemporaryDirectory

from bench.extraction_sets import SetError
from tests.fuzz.rounds import Rounds
from tests.fuzz.sources import real_sites, sample_sites

FINDINGS = Path("fuzz-findings")
# What the pages of a case may need beyond what is held already: as much as a worker has.
_MEMORY = 1 << 30


def main() -> int:
    options = _options()
    if options.child:
        return _fuzz(options)
    with TemporaryDirectory() as folder:
        child = subprocess.run([*_command(), "--child", folder], check=False)
        if child.returncode >= 0:
            return child.returncode
        for case in Path(folder).iterdir():
            FINDINGS.mkdir(exist_ok=True)
            kept = FINDINGS / case.name
            kept.write_bytes(case.read_bytes())
            print(f"{kept}: the process died of signal {-child.returncode}")
        return 1


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    seconds = float(os.environ.get("FUZZ_SECONDS", "600"))
    parser.add_argument(
        "--seconds", type=float, default=seconds, help="how long, unless FUZZ_SECONDS says it"
    )
    parser.add_argument(
        "--data", type=Path, default=os.environ.get("QUALITY_DATA"), help="a folder of sets of real pages"
    )
    parser.add_argument("--seed", type=int, default=SystemRandom().getrandbits(32), help="to repeat a run")
    parser.add_argument("--child", type=Path, help=argparse.SUPPRESS)
    return parser.parse_args()


def _command() -> list[str]:
    return [sys.executable, "-m", "tests.fuzz", *sys.argv[1:]]


def _fuzz(options: argparse.Namespace) -> int:
    try:
        real = real_sites(options.data) if options.data else []
    except SetError as error:
        print(f"fuzz: {error}", file=sys.stderr)
        return 2
    told = f"{len(real)} sites of {options.data}" if real else "no real pages: QUALITY_DATA is not set"
    print(f"Seed {options.seed}, {options.seconds:.0f} s; {told}", flush=True)
    _limit_memory()
    rounds = Rounds(
        sources=[*sample_sites(), *real],
        findings=FINDINGS,
        under_way=options.child,
        end=time.monotonic() + options.seconds,
        chance=Random(options.seed),
    )
    rounds.run()
    print(f"{rounds.cases} cases, {rounds.pages} pages: {len(rounds.found) or 'no'} findings")
    return 1 if rounds.found else 0


def _limit_memory() -> None:
    used = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + _MEMORY, used + _MEMORY))


if __name__ == "__main__":
    sys.exit(main())
