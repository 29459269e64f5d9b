"""What the fuzz hands over: mostly right, now and then what nobody should."""

from __future__ import annotations

import copy
import gc
import pickle
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pyjacobi
import scipy.sparse as sparse
import things
from things import Planted

METHODS = [
    *["auto", "plain", "weighted", "l1", "chebyshev", "cyclic-chebyshev", "red-black", "scheduled", "anderson"],
    *["multigrid", "cg", "bicgstab", "magic", "", "plain\0"],
]
# In words: what a caller can have done wrong. MemoryError: what is larger than this machine.
EXPECTED = (pyjacobi.Error, TypeError, ValueError, MemoryError, NotImplementedError, Planted)
NOT_WORDS = ("incompatible function arguments", "incompatible constructor", "__init__()", "bad_alloc", "vector::")


def unless(r: random.Random, right: Any, odds: float = 0.93) -> Any:
    return right if r.random() < odds else things.odd_number(r)


def count(r: random.Random, right: int, odds: float = 0.95) -> Any:
    """Of sweeps: not so many that they would be made for days."""
    told = unless(r, right, odds)
    return right if isinstance(told, int) and 10_000 < told <= 2**62 else told


def choose(r: random.Random, options: dict[str, Callable[[], Any]], odds: float = 0.25) -> dict[str, Any]:
    return {name: make() for name, make in options.items() if r.random() < odds}


def matrix(r: random.Random) -> Any:
    way = r.random()
    if way < 0.65:
        return things.right_matrix(r, r.randint(1, 6), r.choice(["f8", "f8", "f4", "i4"]))
    if way < 0.8:
        return things.grid(r)
    return things.anything(r) if way < 0.9 else things.wrong_sparse(r)


def rows(A: Any) -> int:
    shape = getattr(A, "shape", None)
    return shape[0] if isinstance(shape, tuple) and len(shape) == 2 and isinstance(shape[0], int) else 3


def vector(r: random.Random, A: Any, odds: float = 0.9) -> Any:
    n = rows(A)
    if r.random() > odds or not 0 < n < 10_000:
        return things.anything(r)
    shape = r.choice([(n,), (n,), (n,), (n, 1), (n, 2), getattr(A, "grid_shape", (n,))])
    b = np.array([r.uniform(-1, 1) for _ in range(n * (shape[1] if shape == (n, 2) else 1))]).reshape(shape)
    return things.crooked(r, b.astype(r.choice(["f8", "f8", "f8", "f4"]))) if r.random() < 0.4 else b


def meddler(r: random.Random, A: Any, b: Any, again: Callable[[], Any]) -> Any:
    """A callback that does what it must not."""
    kept: list[Any] = []

    def meddle(check: Any = None) -> Any:
        way = r.randrange(12)
        if way == 8:
            again()
        try:
            return spoil(way, check)
        except EXPECTED:
            raise
        except Exception as error:  # of NumPy and SciPy
            raise Planted(f"callback: {error}") from error

    def spoil(way: int, check: Any) -> Any:
        kept.append(check)
        if way == 0:
            raise Planted("callback")
        if way == 1 and isinstance(b, np.ndarray) and b.flags.writeable:
            b.fill(r.choice([0.0, 1.0, np.nan]))
        if way == 2 and isinstance(b, np.ndarray):
            b.resize((0,))  # refused as long as it is in use
        if way == 3 and sparse.issparse(A) and A.format == "csr":
            part = r.choice([A.data, A.indices, A.indptr])
            if isinstance(part, np.ndarray):
                part[...] = r.choice([0, -1, 2**31 - 1, 77])
        if way == 4 and sparse.issparse(A):
            A.resize((2, 2))
        if way == 5 and sparse.issparse(A) and A.format == "csr":
            A.check_format(full_check=True)  # SciPy does not look before it writes
            A.eliminate_zeros()
            A.sum_duplicates()
            A.data = A.indices = A.indptr = np.zeros(0, np.int32)
            gc.collect()
        if way == 6 and isinstance(A, np.ndarray) and A.flags.writeable:
            A.fill(r.choice([0, 1]))
        if way == 7 and hasattr(check, "x"):
            kept.append(check.x)
            check.x[...] = np.nan
        if way == 9 and len(kept) > 1 and hasattr(kept[0], "x"):
            return kept[0].x  # of a check that is over
        return r.choice([None, None, None, True, False, 0, "a", np.array([1, 2]), things.Raiser()])

    KEPT[:] = [kept]
    return meddle


KEPT: list[list[Any]] = []  # what the last meddler was shown


def ask_too_late() -> None:
    """A check that is over tells its numbers, and its iterate no more."""
    for check in KEPT[0] if KEPT else []:
        if isinstance(check, pyjacobi.Check):
            repr(check)
            try:
                check.x  # noqa: B018
            except pyjacobi.UsageError:
                continue
            raise AssertionError("an iterate was had after the callback")


def look_at(r: random.Random, told: Any) -> None:
    """Whatever is told can be printed, copied and kept."""
    for ask in r.sample([str, repr, copy.copy, pickle.dumps, dir], 2):
        ask(told)
    for name in ("history", "columns", "summary", "to_dict", "_repr_html_"):
        found = getattr(told, name, None) if r.random() < 0.3 else None
        if callable(found):
            found()


def stop_options(r: random.Random) -> dict[str, Callable[[], Any]]:
    return {
        "rtol": lambda: unless(r, r.choice([1e-8, 1e-3, 0.0])),
        "atol": lambda: unless(r, r.choice([0.0, 1e-6])),
        "norm": lambda: unless(r, r.choice(["auto", "residual", "update", "max_residual", "scaled-residual", "x"])),
        "reference": lambda: unless(r, r.choice(["rhs", "initial", "none", "x"])),
        "check_every": lambda: unless(r, r.choice([1, 2, 100, 2**62])),
    }


def method_options(r: random.Random) -> dict[str, Callable[[], Any]]:
    return {
        "method": lambda: unless(r, r.choice(METHODS)),
        "omega": lambda: unless(r, r.choice([0.5, 1.0, 1.9])),
        "period": lambda: unless(r, r.choice([1, 2, 8])),
        "rung": lambda: unless(r, r.choice(["textbook", "fused", "simd", "threads", "tiled", "x"])),
        "recognise_grids": lambda: unless(r, False),
        "backend": lambda: unless(r, r.choice(["serial", "threads", "threads:2", "cuda", "", ":", "threads:-1"])),
        "threads": lambda: unless(r, r.choice([1, 2, 10**6])),
    }


def in_words(error: BaseException) -> None:
    told = str(error)
    assert told and not any(wrong in told for wrong in NOT_WORDS), f"no words: {type(error).__name__}: {told[:300]}"


def values_of(r: random.Random, shape: tuple[int, ...]) -> np.ndarray[Any, Any]:
    return things.values(r, int(np.prod(shape))).reshape(shape)
