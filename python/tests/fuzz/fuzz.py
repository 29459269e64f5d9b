"""Calls pyjacobi with what nobody should hand over. What comes out is an answer or an exception in words.

PYJACOBI_FUZZ_CALLS (default 100000) calls from PYJACOBI_FUZZ_SEED (default 57); PYJACOBI_FUZZ_ONLY=N repeats call N.
The number of the call at work is in the file PYJACOBI_FUZZ_LAST, if that is set: after a crash, the one to repeat.
"""

from __future__ import annotations

import copy
import faulthandler
import gc
import os
import pickle
import random
import sys
import time
import traceback
import warnings
from collections import Counter
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
EXPECTED = (pyjacobi.Error, TypeError, ValueError, MemoryError, Planted)
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


def call_solve(r: random.Random) -> None:
    A = matrix(r)
    b = vector(r, A)

    def again() -> None:
        pyjacobi.solve(A, b, maxiter=2, on_failure="ignore")

    options: dict[str, Callable[[], Any]] = {
        **method_options(r),
        **stop_options(r),
        "x0": lambda: vector(r, A),
        "depth": lambda: unless(r, r.choice([1, 3])),
        "matrix_precision": lambda: unless(r, r.choice(["double", "float", "bf16"])),
        "project_rhs": lambda: unless(r, True),
        "M": lambda: pyjacobi.multigrid(things.grid(r)) if r.random() < 0.5 else things.anything(r),
        "callback": lambda: meddler(r, A, b, again) if r.random() < 0.9 else things.anything(r),
        "progress": lambda: meddler(r, A, b, again),
        "on_failure": lambda: unless(r, r.choice(["warn", "raise", "ignore"])),
        "out": lambda: vector(r, A),
        "copy": lambda: unless(r, True),
        "max_seconds": lambda: unless(r, 0.1),
    }
    given = {"maxiter": 40, **choose(r, options, r.choice([0.03, 0.15, 0.4]))}
    if r.random() < 0.1:
        given["maxiter"], given["max_seconds"] = things.odd_number(r), 0.2
    watched = "callback" in given or "progress" in given or "out" in given
    before = b.tobytes() if isinstance(b, np.ndarray) and not watched else None
    result = pyjacobi.solve(A, b, **given)
    assert before is None or b.tobytes() == before, "b was written"
    if isinstance(b, np.ndarray):
        assert result.x.shape == b.shape, (result.x.shape, b.shape)
    look_at(r, result)


def call_solver(r: random.Random) -> None:
    A = matrix(r)
    options: dict[str, Callable[[], Any]] = {**method_options(r), **stop_options(r)}
    options.pop("check_every")
    solver = pyjacobi.Solver(A, **choose(r, options, 0.15))
    for _ in range(3):
        b = vector(r, A, 0.9)
        options = {**stop_options(r), "x0": lambda: vector(r, A), "out": lambda: vector(r, A)}
        options["callback"] = lambda b=b: meddler(r, A, b, lambda: solver.solve(b))
        try:
            look_at(r, solver.solve(b, maxiter=40, on_failure="ignore", **choose(r, options, 0.15)))
        except EXPECTED as error:
            in_words(error)
        if r.random() < 0.3:
            meddler(r, A, b, gc.collect)()
            solver.values_changed()
    look_at(r, solver)


def call_sweeper(r: random.Random) -> None:
    A = matrix(r)
    s = pyjacobi.Sweeper(A, **choose(r, method_options(r), 0.2))
    for _ in range(r.randint(1, 5)):
        try:
            way = r.randrange(6)
            if way < 2:
                s.load(vector(r, A, 0.95), *([vector(r, A)] if r.random() < 0.4 else []))
            elif way == 2:
                s.advance(count(r, r.randint(0, 20)))
            elif way == 3:
                s.norms(unless(r, r.choice(["residual", "update", "correction", "x"])))
            elif way == 4:
                meddler(r, A, None, gc.collect)()
            else:
                s.x[...] = 0
        except EXPECTED as error:
            in_words(error)
    repr((s, s.method, s.sweeps, s.bytes_per_update))


def call_before(r: random.Random) -> None:
    A = matrix(r)
    b = vector(r, A)
    options: dict[str, Callable[[], Any]] = {"x0": lambda: vector(r, A), **stop_options(r)}
    options.pop("check_every")
    if r.random() < 0.95:  # a prediction measures
        options["cholesky"] = lambda: unless(r, r.choice(["when_cheap", "always", "never", "x"]))
        options["budget"] = lambda: count(r, r.choice([1, 5, 40]))
        look_at(r, pyjacobi.diagnose(A, b if r.random() < 0.9 else None, **choose(r, options, 0.2)))
    else:
        options.pop("reference")
        more = {k: v for k, v in method_options(r).items() if k not in ("period", "recognise_grids")}
        look_at(r, pyjacobi.predict(A, b, **choose(r, {**options, **more}, 0.2)))


def call_grids(r: random.Random) -> None:
    def shape() -> Any:
        return unless(r, tuple(unless(r, r.randint(0, 5), 0.95) for _ in range(r.randint(0, 4))))

    sides: dict[str, Callable[[], Any]] = {
        "spacing": lambda: unless(r, r.choice([0.1, (1.0, 2.0), [1], "ab", [], things.numbers(r)])),
        "domain": lambda: unless(r, r.choice([(0, 1), ((0, 1), (0, 2)), (1, 0), [], "ab", things.numbers(r)])),
        "bc": lambda: r.choice(
            [things.odd_number(r), {things.odd_number(r) if r.random() < 0.1 else "x-": things.anything(r)}]
            + [{"x": ("neumann", things.numbers(r))}, {"y": "periodic", "x+": ("dirichlet", [1.0, 2.0])}]
            + [("periodic",), (), ("neumann", 1, 2), "robin", {3: "neumann"}, {"": "neumann"}, {"x": ()}]
        )
        if r.random() < 0.9
        else things.anything(r),
        "reaction": lambda: unless(r, r.choice([1.0, -1.0, things.numbers(r)])),
    }
    way = r.randrange(4)
    if way == 0:
        sides["dtype"] = lambda: r.choice([np.float32, "f4", complex, "x", None, int, object(), "U2"])
        A = pyjacobi.poisson(shape(), **choose(r, sides))
    elif way == 1:
        k = things.anything(r) if r.random() < 0.4 else np.abs(values_of(r, r.choice([(5,), (4, 5), (3, 4, 5)]))) + 0.1
        A = pyjacobi.diffusion(k, **choose(r, sides))
    elif way == 2:
        off = r.choice([[1.0, 1.0], [-1.0] * 4, {"x-": -1.0, "y+": things.anything(r)}, things.anything(r), {"q": 1}])
        A = pyjacobi.stencil(shape(), unless(r, things.anything(r), 0.5), off, **choose(r, {"bc": sides["bc"]}))
    else:
        A = things.grid(r)
    if A.shape[0] > 10_000:
        return
    for ask in r.sample(
        [
            lambda: A @ vector(r, A),
            lambda: A.fold(vector(r, A)),
            lambda: A.tocsr(),
            lambda: A.astype(r.choice(["f4", "f8", "c16", "x", None, int])),
            lambda: A.T @ vector(r, A),
            lambda: A.bounds(),
            lambda: A.singular,
            lambda: (2 * A + A) @ vector(r, A),
            lambda: pickle.loads(pickle.dumps(A)),
        ],
        3,
    ):
        try:
            ask()
        except EXPECTED as error:
            in_words(error)


def values_of(r: random.Random, shape: tuple[int, ...]) -> np.ndarray[Any, Any]:
    return things.values(r, int(np.prod(shape))).reshape(shape)


def call_operators(r: random.Random) -> None:
    A = matrix(r)
    if r.random() < 0.6:
        options: dict[str, Callable[[], Any]] = {
            "method": lambda: unless(r, r.choice(["chebyshev", "plain", "weighted", "l1", "cg", "x"])),
            "sweeps": lambda: unless(r, r.randint(0, 6)),
            "omega": lambda: unless(r, 0.7),
            "lower": lambda: unless(r, 0.2),
            "threads": lambda: unless(r, 2),
        }
        M = pyjacobi.smoother(A, **choose(r, options))
    else:
        cycles: dict[str, Callable[[], Any]] = {
            **{name: (lambda: unless(r, r.randint(0, 3))) for name in ("pre", "post", "cycles")},
            "cycle": lambda: unless(r, r.choice(["V", "W", "F", ""])),
        }
        M = pyjacobi.multigrid(A if r.random() < 0.3 else things.grid(r), **choose(r, cycles))
    for ask in r.sample(
        [
            lambda: M @ vector(r, M),
            lambda: M.T @ vector(r, M),
            lambda: M.relax(A, vector(r, M), vector(r, M)),
            lambda: M.relax(things.anything(r), vector(r, M), vector(r, M)),
            lambda: pickle.loads(pickle.dumps(M)),
            lambda: meddler(r, A, None, gc.collect)(),
        ],
        3,
    ):
        try:
            ask()
        except EXPECTED as error:
            in_words(error)
    repr(M)


def call_linalg(r: random.Random) -> None:
    A = matrix(r) if r.random() < 0.8 else things.LyingOperator(r)
    b = vector(r, A)
    options: dict[str, Callable[[], Any]] = {
        "x0": lambda: vector(r, A) if r.random() < 0.8 else "Mb",
        "rtol": lambda: unless(r, 1e-6),
        "atol": lambda: unless(r, 0.1),
        "M": lambda: matrix(r) if r.random() < 0.7 else pyjacobi.smoother(things.right_matrix(r, 4)),
        "callback": lambda: meddler(r, A, b, gc.collect) if r.random() < 0.9 else things.anything(r),
    }
    solver = r.choice([pyjacobi.linalg.cg, pyjacobi.linalg.bicgstab])
    x, info = solver(A, b, maxiter=count(r, 30), **choose(r, options, 0.2))
    assert isinstance(info, int) and isinstance(x, np.ndarray)


def call_relaxation(r: random.Random) -> None:
    A = matrix(r)
    dtype = getattr(A, "dtype", np.float64)
    x, b = vector(r, A, 0.95), vector(r, A, 0.95)
    suits = isinstance(dtype, np.dtype) and dtype.kind == "f"
    if suits and r.random() < 0.6 and isinstance(x, np.ndarray) and isinstance(b, np.ndarray):
        if x.dtype.kind in "fiub" and b.dtype.kind in "fiub":
            x, b = x.astype(dtype), b.astype(dtype)
    kept = b.tobytes() if isinstance(b, np.ndarray) else None
    pyjacobi.relaxation.jacobi(A, x, b, count(r, r.randint(0, 5)), unless(r, r.choice([1.0, 0.7])))
    assert kept is None or b.tobytes() == kept or np.may_share_memory(x, b), "b was written"


CALLS = [
    *[call_solve] * 8, *[call_solver] * 2, *[call_sweeper] * 2, *[call_before] * 2, *[call_grids] * 2,
    *[call_operators] * 2, *[call_linalg] * 2, *[call_relaxation] * 2,
]  # fmt: skip


def in_words(error: BaseException) -> None:
    told = str(error)
    assert told and not any(wrong in told for wrong in NOT_WORDS), f"no words: {type(error).__name__}: {told[:300]}"


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
