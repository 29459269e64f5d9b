"""Times of pyjacobi beside those of the library itself, SciPy and pyamg: medians and ratios of one run.

    build/python-tests/bin/python python/bench/targets.py [--quick] [--repeats N] [--threads N] [--only WORD]

Answers are verified before they count. On a busy machine the ratios say little, and the seconds nothing.
"""

from __future__ import annotations

import argparse
import gc
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pyjacobi
import scipy.sparse as sparse
import scipy.sparse.linalg
from pyjacobi import _core

RTOL = 1e-8
missed: list[str] = []


def seconds(call: Callable[[], Any]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def alternately(repeats: int, *calls: Callable[[], float]) -> list[float]:
    """The median of each: what disturbs one of them disturbs its neighbours too."""
    gc.collect()
    told: list[list[float]] = [[] for _ in calls]
    for call in calls:
        call()  # once for caches, threads and imports
    for _ in range(repeats):
        for times, call in zip(told, calls):
            times.append(call())
    return [statistics.median(times) for times in told]


def say(what: str, value: float, limit: float, least: bool, detail: str) -> None:
    met = value >= limit if least else value <= limit
    sign = ">=" if least else "<="
    print(f"{what:58} {value:9.3f}  target {sign} {limit:g}  {'met   ' if met else 'MISSED'}  {detail}", flush=True)
    if not met:
        missed.append(what)


def verify(A: Any, x: np.ndarray[Any, Any], b: np.ndarray[Any, Any], slack: float = 1.0) -> None:
    residual = np.linalg.norm(b.ravel() - A @ x.ravel()) / np.linalg.norm(b)
    if not residual <= RTOL * slack:
        raise SystemExit(f"a residual of {residual:.2e}: this answer is wrong, and its time worth nothing")


def library_seconds(call: Callable[[], Any]) -> float:
    """What of the call the library takes: the matrix is looked at, diagnosed, solved for, and its error bounded."""
    before = _core.seconds_in_cpp()
    call()
    return float(_core.seconds_in_cpp() - before)


def overhead(name: str, A: Any, b: np.ndarray[Any, Any], o: argparse.Namespace) -> None:
    """Wall time of solve over the time of the library in the same call, less 100 us."""
    verify(A, pyjacobi.solve(A, b, threads=o.threads).x, b)
    shares, walls, libraries = [], [], []
    for _ in range(o.repeats):
        start = time.perf_counter()
        libraries.append(library_seconds(lambda: pyjacobi.solve(A, b, threads=o.threads)))
        walls.append(time.perf_counter() - start)
        shares.append((walls[-1] - 100e-6) / libraries[-1])
    detail = f"{statistics.median(walls) * 1e3:.2f} ms, the library {statistics.median(libraries) * 1e3:.2f} ms"
    say(f"solve of {name}: (time - 100 us) / the library's", statistics.median(shares), 1.02, False, detail)


def random_rows(n: int, each: int) -> sparse.csr_array:
    rng = np.random.default_rng(1)
    columns = rng.integers(0, n, n * (each - 1))
    off = sparse.csr_array((-rng.random(n * (each - 1)), (np.repeat(np.arange(n), each - 1), columns)), shape=(n, n))
    A = (off + sparse.diags_array(np.asarray(abs(off).sum(axis=1)).ravel() + 1.0)).tocsr()
    A.sort_indices()
    return A


def overheads(o: argparse.Namespace) -> None:
    n = 63 if o.quick else 511
    overhead(f"a grid of {n}^2", pyjacobi.poisson((n, n)), np.ones((n, n)), o)
    n = 10_000 if o.quick else 10**6
    overhead(f"CSR, {n} x 10", random_rows(n, 10), np.ones(n), o)
    n = 256 if o.quick else 2048
    a = np.random.default_rng(2).standard_normal((n, n))
    overhead(f"dense, {n}", a + np.diag(np.abs(a).sum(axis=1) * 1.1), np.ones(n), o)


def small(o: argparse.Namespace) -> None:
    count = 500 if o.quick else 10_000
    a = np.diag(np.full(16, 4.0)) - np.eye(16, k=1) - np.eye(16, k=-1)
    b = np.ones(16)
    solver = pyjacobi.Solver(a)
    calls: list[tuple[str, Callable[[], pyjacobi.Result]]] = [
        ("solve", lambda: pyjacobi.solve(a, b)),
        ("Solver.solve", lambda: solver.solve(b)),
    ]
    for name, call in calls:
        verify(a, call().x, b)
        told = 0.0
        start = time.perf_counter()
        for _ in range(count):
            told += library_seconds(call)
        wall = time.perf_counter() - start
        above = (wall - told) / count * 1e6
        detail = f"{wall / count * 1e6:.1f} us each, the library {told / count * 1e6:.1f} us"
        say(f"{count} times {name} of 16 unknowns: us above the library", above, 20, False, detail)


def others(o: argparse.Namespace) -> None:
    n = 63 if o.quick else 512
    A = pyjacobi.poisson((n, n)).tocsr()
    b = np.ones(n * n)
    norm = np.linalg.norm(b)
    contenders: list[tuple[str, float, Callable[[], Any], int]] = [
        ("scipy.sparse.linalg.spsolve", 20, lambda: scipy.sparse.linalg.spsolve(A.tocsc(), b), 1),
        ("scipy.sparse.linalg.cg", 100, lambda: scipy.sparse.linalg.cg(A, b, rtol=RTOL, maxiter=10**6)[0], 10),
    ]
    try:
        import pyamg

        def by_pyamg() -> Any:
            ml = pyamg.smoothed_aggregation_solver(A)
            # its tolerance is of the preconditioned residual: one that gives ours
            return ml.solve(b, tol=o.pyamg_tol, accel="cg", maxiter=100)

        o.pyamg_tol = RTOL
        for _ in range(6):
            if np.linalg.norm(b - A @ by_pyamg()) <= RTOL * norm:
                break
            o.pyamg_tol /= 3
        contenders.append(("pyamg, smoothed aggregation with cg", 5, by_pyamg, 1))
    except ImportError:
        print("no pyamg here: it is not compared with")
    verify(A, pyjacobi.solve(A, b, threads=o.threads).x, b)
    for name, least, call, slack in contenders:
        verify(A, call(), b, slack)
        repeats = max(3, o.repeats // 3)
        ours, theirs = alternately(
            repeats, lambda: seconds(lambda: pyjacobi.solve(A, b, threads=o.threads)), lambda: seconds(call)
        )
        say(f"Poisson {n}^2 as CSR: as fast as {name}, times", theirs / ours, least, True,
            f"{ours * 1e3:.2f} ms, {theirs * 1e3:.1f} ms")  # fmt: skip


def smoothers(o: argparse.Namespace) -> None:
    try:
        import pyamg
        from pyamg.relaxation.relaxation import jacobi as theirs
    except ImportError:
        print("no pyamg here: its sweeps are not compared with")
        return
    n = 63 if o.quick else 512
    A = pyjacobi.poisson((n, n), spacing=1.0).tocsr()
    levels = pyamg.smoothed_aggregation_solver(A, max_coarse=50).levels[:-1]
    matrices = [("CSR, 10^6 x 10", random_rows(10**6, 10))] if not o.quick else []
    matrices += [(f"level {i}, {level.A.shape[0]} rows", level.A.tocsr()) for i, level in enumerate(levels)]
    for name, M in matrices:
        b = np.ones(M.shape[0])
        for sweeps in (1, 2):
            x, y = np.zeros(M.shape[0]), np.zeros(M.shape[0])
            pyjacobi.relaxation.jacobi(M, x, b, sweeps, 0.7)
            theirs(M, y, b, sweeps, 0.7)
            if not np.allclose(x, y, rtol=1e-12, atol=1e-14):
                raise SystemExit(f"{name}: other sweeps than pyamg's")
            many = max(1, 200_000 // M.nnz)

            def times(call: Any, z: Any, M: Any = M, b: Any = b, sweeps: int = sweeps, many: int = many) -> float:
                start = time.perf_counter()
                for _ in range(many):
                    call(M, z, b, sweeps, 0.7)
                return (time.perf_counter() - start) / many

            ours, other = alternately(
                o.repeats, lambda x=x: times(pyjacobi.relaxation.jacobi, x), lambda y=y: times(theirs, y)
            )
            say(f"relaxation.jacobi, {name}, {sweeps} sweeps: over pyamg's", ours / other, 1.0, False,
                f"{ours * 1e6:.1f} us, {other * 1e6:.1f} us")  # fmt: skip


PARTS = {"overhead": overheads, "small": small, "others": others, "smoothers": smoothers}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="small systems: whether this script works")
    parser.add_argument("--repeats", type=int, default=9)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--only", choices=list(PARTS))
    o = parser.parse_args()
    for name, part in PARTS.items():
        if o.only in (None, name):
            part(o)
    print(f"{len(missed)} targets missed" + "".join(f"\n  {what}" for what in missed))
    return 0


if __name__ == "__main__":
    sys.exit(main())
