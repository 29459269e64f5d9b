"""Calls pyjacobi with what nobody should hand over. What comes out is an answer or an exception in words.

PYJACOBI_FUZZ_CALLS (default 100000) calls from PYJACOBI_FUZZ_SEED (default 57); PYJACOBI_FUZZ_ONLY=N repeats call N.
The number of the call at work is in the file PYJACOBI_FUZZ_LAST, if that is set: after a crash, the one to repeat.
"""

from __future__ import annotations

import faulthandler
import os
import random
import sys
import time
import traceback
import warnings
from collections import Counter

import numpy as np
from calls import CALLS
from draws import EXPECTED, KEPT, ask_too_late, in_words


def one(seed: int, number: int) -> tuple[str, str]:
    """What came of a call: '' and the kind of its end, or the trace of what must not be."""
    r = random.Random(f"{seed} {number}")
    call = r.choice(CALLS)
    try:
        call(r)
        return "", f"{call.__name__}: answer"
    except EXPECTED as error:
        try:
            in_words(error)
            return "", f"{call.__name__}: {type(error).__name__}"
        except AssertionError:
            return traceback.format_exc(), ""
    except Exception:
        return traceback.format_exc(), ""


def main() -> int:
    calls = int(os.environ.get("PYJACOBI_FUZZ_CALLS", "100000"))
    seed = int(os.environ.get("PYJACOBI_FUZZ_SEED", "57"))
    only = os.environ.get("PYJACOBI_FUZZ_ONLY")
    last = os.environ.get("PYJACOBI_FUZZ_LAST")
    at = os.open(last, os.O_WRONLY | os.O_CREAT, 0o644) if last else -1
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    faulthandler.enable()
    print(f"fuzz: {calls} calls, seed {seed}", flush=True)
    seen: Counter[str] = Counter()
    faults: dict[str, str] = {}
    slowest = (0.0, 0)
    start = time.monotonic()
    for number in [int(only)] if only else range(calls):
        if at >= 0:
            os.pwrite(at, b"%-12d\n" % number, 0)
        if number % 50 == 0:
            faulthandler.dump_traceback_later(300, exit=True)
        begin = time.monotonic()
        fault, kind = one(seed, number)
        slowest = max(slowest, (time.monotonic() - begin, number))
        seen[kind or "fault"] += 1
        ask_too_late()
        KEPT.clear()
        if fault:
            place = fault.strip().splitlines()
            faults.setdefault(" ".join(place[-3:])[:200], f"call {number}:\n{fault}")
    faulthandler.cancel_dump_traceback_later()
    for fault in list(faults.values())[:20]:
        print(fault, file=sys.stderr)
    print(f"fuzz: {time.monotonic() - start:.0f} s; " + ", ".join(f"{n} {kind}" for kind, n in seen.most_common(60)))
    print(f"fuzz: the slowest call was {slowest[1]}, with {slowest[0]:.2f} s")
    if faults:
        print(f"fuzz: {len(faults)} kinds of faults; PYJACOBI_FUZZ_SEED={seed} PYJACOBI_FUZZ_ONLY=N repeats call N")
    return 1 if faults else 0


if __name__ == "__main__":
    raise SystemExit(main())
