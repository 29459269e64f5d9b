"""Old processors are told so."""

from __future__ import annotations

import subprocess
import sys

from pyjacobi._processor import lacking

NEW = "processor\t: 0\nflags\t\t: fpu sse sse2 ht pni ssse3 cx16 sse4_1 sse4_2 popcnt lahf_lm avx\n"


def test_what_a_processor_lacks_is_named():
    assert lacking(NEW) == []
    assert lacking(NEW.replace("sse4_2 popcnt ", "")) == ["popcnt", "sse4.2"]
    assert lacking("") == [] and lacking("Features : fp asimd") == []


def test_an_old_processor_is_an_import_error_in_words():
    program = """
import builtins, io, platform, sys
real = builtins.open
old = io.StringIO("flags : sse2 pni")
builtins.open = lambda path, *a, **k: old if path == "/proc/cpuinfo" else real(path, *a, **k)
platform.machine = lambda: "x86_64"
try:
    import pyjacobi
except ImportError as error:
    assert "x86-64-v2" in str(error) and "popcnt" in str(error), error
    assert "numpy" not in sys.modules and "pyjacobi._core" not in sys.modules
else:
    raise SystemExit("it was imported")
"""
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)
