"""Programs of a user, read by type checkers; test_types.py runs them too."""

from __future__ import annotations

from typing import Any, assert_type

import numpy as np
import pyjacobi
import scipy.sparse as sparse
from numpy.typing import NDArray
from scipy.sparse.linalg import LinearOperator


def solves() -> bool:
    A = sparse.csr_array(np.array([[4.0, 1.0], [1.0, 3.0]]))
    result: pyjacobi.Result = pyjacobi.solve(A, np.ones(2), rtol=1e-10, on_failure="raise")
    x, info = pyjacobi.solve(A, np.ones(2))
    assert_type(x, NDArray[Any])
    assert_type(info, int)
    assert_type(result.x, NDArray[Any])
    assert_type(result.report.sweeps, int)
    history: NDArray[Any] = result.history
    bound: float | None = result.error_bound
    return result.success and info == 0 and len(history) > 0 and bound is not None and bool(x.any())


def on_grids() -> tuple[int, ...]:
    parts = [("dirichlet", 1.0, np.ones(9)), "neumann"]
    A: pyjacobi.Stencil = pyjacobi.poisson((7, 9), bc={"x": "periodic", "y-": parts})
    M: pyjacobi.Preconditioner = pyjacobi.multigrid(A, pre=1, post=1)
    x, info = pyjacobi.linalg.cg(A, np.ones(63), M=M)
    assert_type(x, NDArray[Any])
    for operator in (A, M):
        assert_type(operator @ np.ones((7, 9)), NDArray[Any])
        assert_type(operator.matvec(x), NDArray[Any])
        assert_type(operator.dot(x), NDArray[Any])
    product: LinearOperator = A @ M
    entry: float = A.tocsr()[0, 0]
    assert_type(pyjacobi.Heat(A, 1.0, 0.1).run(2).steps, int)
    assert_type(pyjacobi.Heat(A, 1.0, 0.1).u, NDArray[Any])
    return A.grid_shape if product.shape == A.shape and entry else ()


def watched() -> list[int]:
    seen: list[int] = []

    def look(check: pyjacobi.Check) -> bool:
        seen.append(check.sweeps)
        return True

    pyjacobi.solve(pyjacobi.poisson(9), np.ones(9), method="plain", callback=look)
    return seen


def swept() -> float:
    s = pyjacobi.Sweeper(np.array([[4.0, 1.0], [1.0, 3.0]]))
    s.load(np.ones(2))
    norms: pyjacobi.Norms = s.advance(3)
    return norms.l2


def by_products() -> bool:
    A: LinearOperator = LinearOperator((3, 3), matvec=lambda x: 2 * x, dtype=np.float64)
    result: pyjacobi.Result = pyjacobi.solve(A, np.ones(3), method="plain", diagonal=np.full(3, 2.0), bounds=(1, 1))
    return result.success


def diagnosed() -> bool | None:
    d: pyjacobi.Diagnosis = pyjacobi.diagnose(np.eye(3))
    p: pyjacobi.Prediction = pyjacobi.predict(np.eye(3), np.ones(3))
    assert_type(d.verdict, str)
    assert_type(p.sweeps, float | None)
    return d.converges if p.seconds is not None else None
