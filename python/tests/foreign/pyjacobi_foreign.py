"""A pytest plugin: other projects' own tests, with our functions in the place of theirs.

Nothing is copied: the tests are those that the installed packages bring. Items that do not use our functions are left
out; those that ours cannot pass are listed with the reason, and must fail.
"""

from __future__ import annotations

import re

import numpy as np
import pyamg.gallery.laplacian
import pyamg.relaxation.relaxation
import pyjacobi
import pytest
import scipy.sparse as sparse
import scipy.sparse.linalg
import scipy.sparse.linalg._isolve as isolve
from scipy.sparse.linalg import LaplacianNd

SUITES = [
    "scipy.sparse.linalg._isolve.tests.test_iterative",
    "scipy.sparse.linalg.tests.test_special_sparse_arrays",
    "pyamg.relaxation.tests.test_relaxation",
    "pyamg.relaxation.tests.test_smoothing",
    "pyamg.gallery.tests.test_laplacian",
]
# What of each suite is kept, by name.
KEPT = [
    r"test_iterative\.py::test_",
    r"test_special_sparse_arrays\.py::TestLaplacianNd::",
    r"test_relaxation\.py::TestCommonRelaxation::",
    r"test_relaxation\.py::TestRelaxation::test_jacobi$",
    r"test_smoothing\.py::",
    r"test_laplacian\.py::TestPoisson::",
]
# What must fail, and why: a name, the exception, the reason.
EXCLUDED: list[tuple[str, type[BaseException], str]] = [
    (r"test_iterative\.py::.*(cmplx|nonsymposdef-F)", TypeError, "complex: only real systems are solved"),
    (
        r"test_iterative\.py::test_maxiter\[rand-diag(-F)?-bicgstab\]",
        AssertionError,
        "without an M the diagonal preconditions: one iteration solves a diagonal matrix, the test expects more",
    ),
    (
        r"::test_1d_with_graph_laplacian$",
        AssertionError,
        "Neumann: ours is second-order accurate, with points on the side, and another matrix",
    ),
]


class OurLaplacian(LaplacianNd):  # type: ignore[misc]
    """SciPy's class, whose matrix is minus our Poisson operator with distance 1."""

    def __init__(self, grid_shape, *, boundary_conditions="neumann", dtype=np.int8):
        super().__init__(grid_shape, boundary_conditions=boundary_conditions, dtype=dtype)
        self._ours = pyjacobi.poisson(grid_shape, spacing=1.0, bc=boundary_conditions, dtype=dtype)

    def toarray(self):
        return -self._ours.toarray().astype(self.dtype)

    def tosparse(self):
        return -self._ours.tocsr().astype(self.dtype)

    def _matvec(self, x):
        return -(self._ours @ x).astype(np.result_type(x.dtype, self.dtype))

    def _matmat(self, x):
        return -(self._ours @ x).astype(np.result_type(x.dtype, self.dtype))


def our_poisson(grid, dtype=float, format=None, type="FD"):
    assert type == "FD"
    return sparse.csr_array(pyjacobi.poisson(grid, spacing=1.0, dtype=dtype).tocsr()).asformat(format or "csr")


OURS = (pyjacobi.linalg.cg, pyjacobi.linalg.bicgstab)


def pytest_configure(config: pytest.Config) -> None:
    isolve.cg, isolve.bicgstab = OURS
    scipy.sparse.linalg.LaplacianNd = OurLaplacian
    scipy.sparse.linalg._special_sparse_arrays.LaplacianNd = OurLaplacian
    pyamg.relaxation.relaxation.jacobi = pyjacobi.relaxation.jacobi
    pyamg.gallery.laplacian.poisson = our_poisson


def _id(item: pytest.Item) -> str:
    """File and name, wherever the packages are installed."""
    return f"{item.path.name}::{item.nodeid.partition('::')[2]}"


def _uses_ours(item: pytest.Item) -> bool:
    if not any(re.search(kept, _id(item)) for kept in KEPT):
        return False
    params = getattr(item, "callspec", None)
    if params is None:
        return True
    told = params.params
    if "TestLaplacianNd" in item.nodeid:
        dtype = told.get("dtype", np.float64)
        return told.get("bc") != "neumann" and np.dtype(dtype) in (np.dtype(np.float32), np.dtype(np.float64))
    solver = told.get("solver", getattr(told.get("case"), "solver", None))
    return solver is None or solver in OURS


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    kept = [item for item in items if _uses_ours(item)]
    config.hook.pytest_deselected(items=[item for item in items if item not in kept])
    items[:] = kept
    for item in kept:
        for name, error, reason in EXCLUDED:
            if re.search(name, _id(item)):
                item.add_marker(pytest.mark.xfail(raises=error, reason=reason, strict=True))
