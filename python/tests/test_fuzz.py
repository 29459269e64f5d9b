"""A few calls of the fuzz; make check-all makes many, with the address sanitizer."""

from __future__ import annotations

import os
import subprocess
import sys

from conftest import ROOT


def test_some_calls_with_what_nobody_should_hand_over():
    told = subprocess.run(
        [sys.executable, str(ROOT / "python/tests/fuzz/fuzz.py")],
        env={**os.environ, "PYJACOBI_FUZZ_CALLS": os.environ.get("PYJACOBI_FUZZ_CALLS", "400")},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert told.returncode == 0, told.stdout + told.stderr
