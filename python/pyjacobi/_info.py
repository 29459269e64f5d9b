"""What this build holds, and what this machine can run."""

from __future__ import annotations

from typing import Any

from . import _core


def backends() -> list[dict[str, Any]]:
    """Every known backend: name, compiled, usable, and a note.

    Examples
    --------
    >>> import pyjacobi
    >>> [b["name"] for b in pyjacobi.backends()][0]
    'serial'
    """
    return list(_core.backends())


def algorithms() -> dict[str, list[dict[str, Any]]]:
    """The ladder of programs on grids, sparse and dense matrices (`rung` of `solve`), and algorithms on grids.

    Examples
    --------
    >>> import pyjacobi
    >>> "textbook" in [a["name"] for a in pyjacobi.algorithms()["sparse"]]
    True
    """
    return dict(_core.algorithms())


def info() -> dict[str, Any]:
    """Version, cores, instruction sets and backends.

    Examples
    --------
    >>> import pyjacobi
    >>> pyjacobi.info()["version"] == pyjacobi.__version__
    True
    """
    return {
        "version": _core.version(),
        "cores": _core.cores(),
        "instruction_sets": {
            "compiled": _core.simd_compiled(),
            "usable": _core.simd_usable(),
            "chosen": _core.simd_chosen(),
        },
        "backends": backends(),
    }
