"""Says in words, before anything that was compiled is loaded, that this processor cannot run it."""

from __future__ import annotations

import platform

# x86-64-v2, for which the module is compiled, as Linux names its parts in /proc/cpuinfo.
_NEEDED = {
    "cx16": "cmpxchg16b",
    "lahf_lm": "lahf",
    "popcnt": "popcnt",
    "pni": "sse3",
    "ssse3": "ssse3",
    "sse4_1": "sse4.1",
    "sse4_2": "sse4.2",
}


def lacking(cpuinfo: str) -> list[str]:
    """What of x86-64-v2 the first processor lacks; nothing where the text does not tell."""
    for line in cpuinfo.splitlines():
        name, colon, flags = line.partition(":")
        if colon and name.strip() == "flags":
            return [told for flag, told in _NEEDED.items() if flag not in flags.split()]
    return []


def _first_processor() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as told:
            return told.read(20_000)
    except OSError:
        return ""


if platform.machine() in ("x86_64", "AMD64"):
    _missing = lacking(_first_processor())
    if _missing:
        raise ImportError(
            f"pyjacobi needs a processor of x86-64-v2, as all since about 2010 are; missing here: {', '.join(_missing)}"
        )
