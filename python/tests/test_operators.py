"""Operators on grids and preconditioners as SciPy's LinearOperator: shapes, transposes, the matrix and its b."""

from __future__ import annotations

import numpy as np
import pyjacobi
import pytest
import scipy.sparse.linalg as linalg

DISC = dict(mask=lambda x, y: (x - 0.5) ** 2 + (y - 0.5) ** 2 < 0.16)


def everywhere(shape):
    A = pyjacobi.poisson(shape, reaction=0.5)
    M = pyjacobi.multigrid(A)
    return [A, A.T, A.T.T, A.H, M, M.T, pyjacobi.smoother(A)]


@pytest.mark.parametrize("shape", [(15, 16), (3, 4, 5), (7, 1), (1, 7), (7,)])
def test_products_take_the_grid_s_shape_and_give_it_back(shape, rng):
    u = rng.standard_normal(shape)
    n = u.size
    for op in everywhere(shape):
        flat = op @ u.ravel()
        for product in (op.__matmul__, op.dot, op, op.matvec, op.rmatvec):
            assert np.allclose(product(u), flat.reshape(shape), rtol=1e-12, atol=1e-12 * abs(flat).max())
            assert product(u.ravel()).shape == (n,) and product(u.reshape(n, 1)).shape == (n, 1)
        assert (op @ np.ones((n, 3))).shape == (n, 3)
        with pytest.raises(ValueError, match="dimension mismatch"):
            op @ np.ones((n + 1, 2))


def test_a_diagnosis_takes_the_grid_s_shape_too(rng):
    A, b = pyjacobi.poisson((6, 7)), rng.standard_normal((6, 7))
    told, flat = (pyjacobi.diagnose(A, b.reshape(s), np.ones(s)) for s in ((6, 7), (42,)))
    assert told.predicted_sweeps == flat.predicted_sweeps and told.norm_initial == flat.norm_initial
    with pytest.raises(pyjacobi.UsageError, match="b has shape"):
        pyjacobi.diagnose(A, b.T)


def test_products_with_operators_and_numbers_stay_scipys():
    A = pyjacobi.poisson((3, 4))
    assert isinstance(A @ A, linalg.LinearOperator) and isinstance(2 * A, linalg.LinearOperator)
    assert np.allclose((A @ A) @ np.ones(12), A @ (A @ np.ones(12)))
    with pytest.raises(ValueError, match="Scalar"):
        A @ 2.0
    M = pyjacobi.smoother(A.tocsr())  # of no grid
    with pytest.raises(ValueError, match="dimension mismatch"):
        M @ np.ones((3, 4))


UNSYMMETRIC = np.array([[4.0, 1.0], [2.0, 3.0]])


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (lambda: pyjacobi.smoother(UNSYMMETRIC, "plain", 2), "A is not"),
        (lambda: pyjacobi.smoother(pyjacobi.stencil((4, 4), 5.0, {"x-": -1.0})), "A is not"),
        (lambda: pyjacobi.smoother(pyjacobi.poisson((9, 9), bc={"x-": "neumann"})), "half cells"),
        (lambda: pyjacobi.multigrid(pyjacobi.poisson((9, 9), bc={"x-": "neumann"})), "half cells"),
        (lambda: pyjacobi.multigrid(pyjacobi.poisson((9, 9)), 1, 2), "1 sweeps before and 2 after"),
        (lambda: pyjacobi.amg(pyjacobi.poisson((30, 30)).tocsr(), 2, 1), "2 sweeps before and 1 after"),
        (lambda: pyjacobi.multigrid(pyjacobi.poisson((31, 31), **DISC)), "among the unknowns"),
    ],
)
def test_a_transpose_that_is_not_m_is_refused(make, why):
    M = make()
    dense = M @ np.eye(M.shape[0])
    assert abs(dense - dense.T).max() > 1e-9 * abs(dense).max()
    for ask in (lambda: M.T, lambda: M.H, lambda: M.rmatvec(np.ones(M.shape[0])), lambda: np.ones(M.shape[0]) @ M):
        with pytest.raises(NotImplementedError, match=why):
            ask()


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_a_transpose_that_is_m_is_given(dtype):
    grid = pyjacobi.poisson((15, 15), bc={"y": "periodic"}, reaction=1.0, dtype=dtype)
    made = [
        pyjacobi.smoother(grid), pyjacobi.multigrid(grid), pyjacobi.multigrid(grid, cycle="W", cycles=2),
        pyjacobi.smoother(grid.tocsr(), "l1"), pyjacobi.smoother(grid.toarray(), "plain"), pyjacobi.amg(grid.tocsr()),
        pyjacobi.smoother(pyjacobi.poisson((15, 15), **DISC, dtype=dtype)),
    ]  # fmt: skip
    for M in made:
        dense = M @ np.eye(225, dtype=dtype)
        assert M.T is M and M.H is M
        assert abs(dense - dense.T).max() <= 1e3 * np.finfo(dtype).eps * abs(dense).max()


def test_values_that_change_are_looked_at_again():
    A = pyjacobi.poisson((4, 4)).tocsr()
    M = pyjacobi.smoother(A, "plain", 1)
    assert M.T is M
    A.data[1] *= 2
    with pytest.raises(NotImplementedError):
        M.T


@pytest.mark.parametrize("bc", [{"x": "neumann"}, {"x-": "neumann", "y": ("neumann", 2.0)}, {"y+": ("robin", 1.0, 2)}])
def test_weights_make_half_cells_symmetric(bc):
    for A in (
        pyjacobi.poisson((6, 5), bc=bc),
        pyjacobi.diffusion(np.random.default_rng(1).uniform(1, 2, (7, 8)), bc=bc),
        pyjacobi.poisson(axes=(np.linspace(0, 1, 7) ** 2, np.linspace(0, 1, 6)), bc=bc),
    ):
        dense = A.toarray()
        weighed = A.weights.reshape(-1, 1) * dense
        assert abs(dense - dense.T).max() > 0.1
        assert abs(weighed - weighed.T).max() <= 1e-12 * abs(dense).max()


@pytest.mark.parametrize("preconditioned", [False, True])
@pytest.mark.parametrize(("dtype", "rtol"), [(np.float64, 1e-9), (np.float32, 1e-4)])
@pytest.mark.parametrize(
    "options",
    [
        dict(bc={"x-": "neumann"}),
        dict(bc="neumann", reaction=1.0),
        dict(bc={"x": ("neumann", 3.0), "y-": ("dirichlet", 2.0)}),
        dict(bc={"y": "neumann"}, fix=np.eye(15, 16), fix_value=5.0),
    ],
)
def test_cg_solves_the_linear_part_of_grids_with_half_cells(options, dtype, rtol, preconditioned, rng):
    A = pyjacobi.poisson((15, 16), **options, dtype=dtype)
    b = rng.standard_normal(240).astype(dtype)
    seen = []
    M = pyjacobi.smoother(A.tocsr()) if preconditioned else None
    x, info = pyjacobi.linalg.cg(A, b, rtol=rtol, M=M, callback=seen.append)
    assert info == 0 and x.dtype == dtype and 5 < len(seen) < 240 and seen[0].shape == (240,)
    residual = b - A.tocsr().astype(float) @ x.astype(float)
    assert np.linalg.norm(residual) <= rtol * np.linalg.norm(b) * 1.001
    direct = linalg.spsolve(A.tocsr().astype(float).tocsc(), b.astype(float))
    assert np.linalg.norm(x - direct) <= 1e3 * rtol * np.linalg.norm(direct)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_a_direct_solution_of_the_folded_system_has_the_values_held(dtype):
    A = pyjacobi.poisson(5, spacing=1.0, fix=np.arange(5) == 2, fix_value=7.0, dtype=dtype)
    assert np.allclose(A.fold(np.ones(5)), [1, 8, 14, 8, 1])
    B = pyjacobi.poisson((21, 25), **DISC, fix=lambda x, y: abs(x - 0.5) < 0.03, fix_value=lambda x, y: y, dtype=dtype)
    for stencil in (A, B):
        b = np.ones(stencil.grid_shape, dtype)
        u = pyjacobi.solve(stencil, b, rtol=1e-10 if dtype == np.float64 else 1e-5).x
        direct = linalg.spsolve(stencil.tocsr().astype(float).tocsc(), stencil.fold(b).ravel().astype(float))
        expected = np.nan_to_num(u.ravel())  # 0 outside
        assert np.allclose(direct, expected, atol=1e-7 if dtype == np.float64 else 1e-3)


def test_a_domain_is_singular_where_a_part_touches_no_value():
    upper = dict(mask=np.triu(np.ones((9, 9))), mask_side="neumann")
    assert pyjacobi.poisson((9, 9), **upper, bc="neumann").singular
    assert pyjacobi.poisson((9, 9), bc="neumann").singular
    fixed = dict(bc="neumann", fix=np.eye(9))
    for held in (dict(), dict(bc="neumann", reaction=1.0), fixed, dict(bc={"x": "neumann"})):
        assert not pyjacobi.poisson((9, 9), **upper, **held).singular
    cut = np.ones((9, 9))
    cut[:, 4] = 0  # the left part alone touches a value
    assert pyjacobi.poisson((9, 9), mask=cut, mask_side="neumann", bc={"x+": "neumann", "y": "neumann"}).singular
