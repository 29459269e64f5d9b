"""What goes in, in every form, and what comes out."""

from __future__ import annotations

import numpy as np
import pyjacobi
import pytest
import scipy.sparse as sparse
import scipy.sparse.linalg
from conftest import random_csr, random_dense


def close(A, x, b, rtol=1e-8):
    return np.linalg.norm(b - A @ x) <= rtol * np.linalg.norm(b) * (1 + 1e-6)


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_dense_matrix_is_solved_in_its_own_precision(rng, order, dtype):
    A = np.asarray(random_dense(rng, 40, dtype), order=order)
    b = rng.standard_normal(40).astype(dtype)
    result = pyjacobi.solve(A, b, rtol=1e-5)
    assert result.success and result.info == 0 and result.x.dtype == dtype
    assert close(A.astype(float), result.x, b, 1.001e-5)


@pytest.mark.parametrize("index", [np.int32, np.int64])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_csr_is_solved_with_both_kinds_of_indices(rng, index, dtype):
    A = random_csr(rng, 200, index, dtype)
    b = rng.standard_normal(200).astype(dtype)
    result = pyjacobi.solve(A, b, rtol=1e-5)
    assert result.success and result.x.dtype == dtype
    assert close(A.astype(float), result.x, b, 1.001e-5)


@pytest.mark.parametrize("form", ["csc", "coo", "dia", "bsr", "lil", "dok"])
def test_other_sparse_formats_are_converted_and_the_report_says_so(rng, form):
    A = random_csr(rng, 50).asformat(form)
    b = np.ones(50)
    result = pyjacobi.solve(A, b)
    assert result.success and close(A.tocsr(), result.x, b)
    assert f"A was converted from {form} to csr" in result.notes


def test_sparse_matrices_are_taken_as_sparse_arrays_are(rng):
    A = sparse.csr_matrix(random_csr(rng, 30))
    assert pyjacobi.solve(A, np.ones(30)).success


@pytest.mark.parametrize("shape", [(60,), (60, 1), (60, 3)])
@pytest.mark.parametrize("dense", [False, True])
def test_x_has_the_shape_of_b(rng, shape, dense):
    A = random_dense(rng, 60) if dense else random_csr(rng, 60)
    b = rng.standard_normal(shape)
    result = pyjacobi.solve(A, b)
    assert result.success and result.x.shape == shape
    for column, told in zip(b.reshape(60, -1).T, result.x.reshape(60, -1).T):
        assert close(A, told, column)
    assert len(result.columns) == (3 if shape == (60, 3) else 0)


def test_every_column_is_held_to_its_own_tolerance(rng):
    A = random_dense(rng, 50)
    b = rng.standard_normal((50, 2)) * [1.0, 1e-9]
    x = pyjacobi.solve(A, b).x
    assert close(A, x[:, 1], b[:, 1])


@pytest.mark.parametrize("shape", [(40,), (17, 23), (7, 9, 11)])
def test_a_grid_is_solved_in_its_own_shape_and_flat(shape):
    A = pyjacobi.poisson(shape)
    b = np.ones(shape)
    result = pyjacobi.solve(A, b)
    assert result.success and result.x.shape == shape
    flat = pyjacobi.solve(A, b.ravel())
    assert np.array_equal(flat.x, result.x.ravel())


@pytest.mark.parametrize("method", ["plain", "weighted", "l1", "chebyshev", "scheduled", "anderson", "cg", "bicgstab"])
def test_every_method_of_a_matrix_meets_the_tolerance(method):
    A = pyjacobi.poisson((20, 20)).tocsr()
    b = np.ones(400)
    result = pyjacobi.solve(A, b, method=method, recognise_grids=False)
    assert result.success and close(A, result.x, b) and result.method.startswith(method[:4])


@pytest.mark.parametrize(
    "method",
    ["plain", "weighted", "chebyshev", "cyclic-chebyshev", "red-black", "scheduled", "anderson", "multigrid", "cg"],
)
def test_every_method_of_a_grid_meets_the_tolerance(method):
    A = pyjacobi.poisson((20, 20))
    result = pyjacobi.solve(A, np.ones((20, 20)), method=method)
    assert result.success and close(A.tocsr(), result.x.ravel(), np.ones(400))


def test_an_underscore_in_a_method_is_a_dash():
    assert pyjacobi.solve(pyjacobi.poisson((9, 9)), np.ones(81), method="red_black").success


def test_integers_are_taken_as_float64():
    result = pyjacobi.solve(np.array([[4, 1], [1, 3]]), [1, 2])
    assert result.x.dtype == np.float64 and np.allclose(result.x, [1 / 11, 7 / 11])


def test_x0_is_where_it_starts_and_is_not_changed(rng):
    A = random_csr(rng, 80)
    x0 = rng.standard_normal(80)
    kept = x0.copy()
    exact = pyjacobi.solve(A, A @ x0, x0)
    assert exact.success and exact.nit == 0 and np.array_equal(x0, kept)


def test_a_preconditioner_of_cycles_goes_into_solve():
    k = np.ones((33, 33))
    k[10:20] = 1e4
    A = pyjacobi.diffusion(k)
    result = pyjacobi.solve(A, np.ones(A.grid_shape), method="cg", M=pyjacobi.multigrid(A))
    assert result.success and result.nit < 60


@pytest.mark.parametrize("method", ["amg", "cg", "bicgstab", "auto"])
def test_algebraic_multigrid_solves_a_sparse_matrix(method):
    A = pyjacobi.poisson((60, 60)).tocsr()
    M = None if method == "amg" else pyjacobi.amg(A)
    result = pyjacobi.solve(A, np.ones(3600), method=method, M=M)
    assert result.success and result.nit < 60
    assert np.linalg.norm(A @ result.x - 1) <= 1.01e-8 * 60


def test_algebraic_multigrid_preconditions_scipy_and_is_symmetric(rng):
    A = pyjacobi.poisson((40, 40)).tocsr()
    M = pyjacobi.amg(A)
    u, v = rng.standard_normal((2, 1600))
    assert u @ (M @ v) == pytest.approx(v @ (M @ u), rel=1e-9)
    steps = []
    x, info = scipy.sparse.linalg.cg(A, np.ones(1600), M=M, rtol=1e-8, callback=steps.append)
    assert info == 0 and len(steps) < 30


def test_near_null_vectors_go_into_algebraic_multigrid():
    A = pyjacobi.poisson((40, 40)).tocsr()
    assert pyjacobi.solve(A, np.ones(1600), method="cg", M=pyjacobi.amg(A, near_null=np.ones((1600, 1)))).success
    with pytest.raises(pyjacobi.UsageError, match="a near-null vector of 5 values for a matrix of 1600 rows"):
        pyjacobi.amg(A, near_null=np.ones((5, 1)))
    with pytest.raises(pyjacobi.UsageError, match="there is no cycle"):
        pyjacobi.amg(A, cycle="F")
    with pytest.raises(pyjacobi.BackendError, match="the setup of algebraic multigrid takes longer than 1e-09 s"):
        pyjacobi.solve(A, np.ones(1600), method="cg", M=pyjacobi.amg(A, setup_seconds=1e-9))
    assert pyjacobi.solve(A, np.ones(1600), method="cg", M=pyjacobi.amg(A, setup_seconds=100)).success


def test_values_on_the_sides_are_in_the_solution():
    A = pyjacobi.poisson((15,), bc={"x-": ("dirichlet", 1.0), "x+": ("dirichlet", 3.0)})
    x = pyjacobi.solve(A, np.zeros(15)).x
    assert np.allclose(x, np.linspace(1, 3, 17)[1:-1])
    assert np.allclose(A.toarray() @ x, A.fold(np.zeros(15)), atol=1e-6)


def test_a_neumann_side_takes_its_derivative():
    A = pyjacobi.poisson((17,), bc={"x+": ("neumann", 2.0)})
    x = pyjacobi.solve(A, np.zeros(17), rtol=1e-12).x
    assert np.allclose(x, 2 * np.arange(1, 18) / 17)


def test_the_axes_are_those_of_numpy():
    """Periodic along x, the last axis: a right-hand side that varies along y gives an x that does so alone."""
    A = pyjacobi.poisson((9, 6), bc={"x": "periodic"})
    b = np.repeat(np.arange(9.0)[:, None], 6, axis=1)
    x = pyjacobi.solve(A, b, rtol=1e-12).x
    assert np.allclose(x, x[:, :1])


def test_limits_are_kept_and_warned_of():
    A = pyjacobi.poisson((50, 50))
    with pytest.warns(pyjacobi.ConvergenceWarning, match="sweep limit after 10 sweeps of plain"):
        result = pyjacobi.solve(A, np.ones(2500), method="plain", maxiter=10)
    assert result.info == 10 and result.status == "sweep_limit" and not result.success
    with pytest.raises(pyjacobi.ConvergenceError) as caught:
        pyjacobi.solve(A, np.ones(2500), method="plain", maxiter=10, on_failure="raise")
    assert caught.value.result.nit == 10
    assert pyjacobi.solve(A, np.ones(2500), method="plain", maxiter=10, on_failure="ignore").nit == 10


def test_divergence_is_a_status():
    A = np.array([[1.0, 2.0], [2.0, 1.0]])
    result = pyjacobi.solve(A, [1.0, 0.0], method="plain", on_failure="ignore")
    assert result.status == "diverged" and result.info == -2


def test_a_bound_of_the_error_is_proved(rng):
    A = random_csr(rng, 100)
    x = rng.standard_normal(100)
    result = pyjacobi.solve(A, A @ x)
    assert np.abs(result.x - x).max() <= result.error_bound < 1e-5


def test_threads_and_backends_give_the_same_bits():
    A = pyjacobi.poisson((60, 60))
    one = pyjacobi.solve(A, np.ones((60, 60)), threads=1).x
    assert np.array_equal(one, pyjacobi.solve(A, np.ones((60, 60)), threads=2).x)
    assert np.array_equal(one, pyjacobi.solve(A, np.ones((60, 60)), backend="serial").x)
    assert np.array_equal(one, pyjacobi.solve(A, np.ones((60, 60)), backend="threads:2").x)


def test_the_callback_sees_every_check_and_can_end_the_solve():
    A = pyjacobi.poisson((30, 30))
    seen = []

    def look(check):
        seen.append((check.sweeps, check.norm, check.x))
        return check.sweeps < 40

    result = pyjacobi.solve(A, np.ones((30, 30)), method="plain", check_every=10, callback=look, on_failure="ignore")
    assert [s for s, _, _ in seen][-4:] == [10, 20, 30, 40] and result.status == "interrupted"
    assert np.array_equal(seen[-1][2], result.x) and seen[-1][2].shape == (30, 30)


def test_a_check_that_is_kept_says_that_its_iterate_is_gone():
    kept = []
    pyjacobi.solve(pyjacobi.poisson((9, 9)), np.ones(81), callback=kept.append)
    with pytest.raises(pyjacobi.UsageError, match="only while the callback runs"):
        kept[-1].x


def test_an_exception_in_the_callback_comes_through():
    def fail(check):
        raise RuntimeError("from the callback")

    with pytest.raises(RuntimeError, match="from the callback"):
        pyjacobi.solve(pyjacobi.poisson((30, 30)), np.ones(900), method="plain", callback=fail)


def test_progress_is_told(capsys):
    told = []
    A = pyjacobi.poisson((300, 300))
    pyjacobi.solve(A, np.ones(90000), method="plain", max_seconds=0.6, progress=told.append, on_failure="ignore")
    assert told and set(told[0]) == {"sweeps", "norm", "tolerance", "seconds", "seconds_left"}


@pytest.mark.parametrize("n", [1, 2, 16])
def test_small_systems_are_solved(n):
    A = np.eye(n) * 2
    assert np.allclose(pyjacobi.solve(A, np.ones(n)).x, 0.5)
    assert np.allclose(pyjacobi.solve(sparse.csr_array(A), np.ones(n)).x, 0.5)
    assert np.allclose(pyjacobi.solve(A, np.ones((n, 2))).x, 0.5)


RING = sparse.csr_array(np.array([[2.0, -1, -1], [-1, 2, -1], [-1, -1, 2]]))


@pytest.mark.parametrize("A", [RING, RING.toarray()], ids=["csr", "dense"])
@pytest.mark.parametrize("method", ["auto", "cg", "weighted"])
def test_a_singular_matrix_is_solved_for_what_it_can_reach(A, method):
    b = np.array([1.0, 2, 4])
    with pytest.raises(pyjacobi.InputError, match="no solution exists"):
        pyjacobi.solve(A, b, method=method)
    solver = pyjacobi.Solver(A, method)
    with pytest.raises(pyjacobi.InputError, match="no solution exists"):
        solver.solve(b)
    for solve in (lambda b, **o: pyjacobi.solve(A, b, method=method, **o), solver.solve):
        result = solve(b, project_rhs=True)
        assert result.success and any("2.33333, was removed" in str(note) for note in result.report.notes)
        assert np.allclose(A @ result.x, b - b.mean())
        assert solve(b - b.mean()).success
    many = pyjacobi.solve(A, np.column_stack([b, 2 * b]), method=method, project_rhs=True)
    assert np.allclose(A @ many.x, np.column_stack([b, 2 * b]) - [b.mean(), 2 * b.mean()])


def test_the_dtype_of_its_matrix_is_that_of_a_solver():
    A = pyjacobi.poisson((9, 9), dtype=np.float32)
    solver = pyjacobi.Solver(A)
    r = solver.solve(np.full(81, 1 / 3))
    assert solver.dtype == r.x.dtype == np.float32
    assert any("b was rounded from float64 to float32" in note for note in r.notes)
    assert not any("rounded" in note for note in solver.solve(np.ones(81, np.float32)).notes)
    assert pyjacobi.solve(A, np.ones(81)).x.dtype == np.float64  # which holds both


def test_of_a_zero_b_the_tolerance_is_relative_to_the_start(rng):
    A = random_csr(rng, 60)
    x0 = rng.standard_normal(60)
    r = pyjacobi.solve(A, np.zeros(60), x0)
    start = np.linalg.norm(A @ x0)
    assert r.success and r.report.reference == "initial"
    assert r.report.reference_norm == pytest.approx(start) and np.linalg.norm(A @ r.x) <= 1e-8 * start * (1 + 1e-6)
    assert pyjacobi.solve(A, np.zeros(60)).nit == 0


@pytest.mark.parametrize("shape", [(200,), (40, 50), (12, 13, 14)])
@pytest.mark.parametrize("bc", [None, "neumann", "periodic"])
def test_auto_solves_a_stencil_that_is_no_diffusion(rng, shape, bc):
    off = [-rng.random(shape) for _ in range(2 * len(shape))]
    A = pyjacobi.stencil(shape, 0.05 - sum(off), off, bc=bc)
    b = np.ones(shape)
    assert pyjacobi.predict(A, b).method == "bicgstab"
    many = pyjacobi.solve(A, np.ones((A.shape[0], 2)))
    for r in (pyjacobi.solve(A, b), pyjacobi.Solver(A).solve(b)):
        assert r.success and r.method == "bicgstab" and close(A.tocsr(), r.x.ravel(), b.ravel())
        assert any("no symmetric diffusion" in note for note in r.notes) or r is not None
    assert many.success


@pytest.mark.parametrize("bc", [None, "neumann", "periodic"])
def test_auto_takes_multigrid_for_a_diffusion(rng, bc):
    A = pyjacobi.diffusion(1 + rng.random((40, 50)), bc=bc, reaction=0.1)
    assert pyjacobi.solve(A, np.ones(A.grid_shape)).method == "multigrid"
