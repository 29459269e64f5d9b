"""The calls of the fuzz, each of a few functions of pyjacobi."""

from __future__ import annotations

import gc
import pickle
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pyjacobi
import things
from draws import (
    EXPECTED,
    choose,
    count,
    in_words,
    look_at,
    matrix,
    meddler,
    method_options,
    stop_options,
    unless,
    values_of,
    vector,
)


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
        "axes": lambda: unless(
            r, r.choice([{"x": [0, 0.1, 0.5, 1]}, ([1, 2, 4, 8],), ([0, 1], [2, 1, 3]), {"r": 1}, "ab", things.numbers(r)])
        ),
        "coordinates": lambda: unless(r, r.choice(["cartesian", "polar", "cylindrical", "spherical"])),
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
            lambda: A @ np.ones(A.grid_shape),
            lambda: A.weights,
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
