"""Results, diagnoses, solvers, sweepers, operators: what they tell, and that they travel."""

from __future__ import annotations

import copy
import json
import pickle
import threading

import numpy as np
import pyjacobi
import pytest
import scipy.sparse as sparse
from conftest import random_csr, random_dense


@pytest.fixture
def grid():
    return pyjacobi.poisson((31, 31))


def test_a_result_unpacks_as_scipys_does(grid):
    result = pyjacobi.solve(grid, np.ones((31, 31)))
    x, info = result
    assert x is result.x and info == 0 and len(result) == 2 and result[0] is x


def test_a_result_tells_what_was_reached(grid):
    b = np.ones((31, 31))
    result = pyjacobi.solve(grid, b, method="plain")
    assert result.nit > 1000 and result.cycles is None and result.method == "plain"
    assert result.residual_norm == pytest.approx(np.linalg.norm(b.ravel() - grid @ result.x.ravel()), rel=1e-6)
    assert result.history.dtype.names == ("sweeps", "norm") and result.history["sweeps"][-1] == result.nit
    assert result.to_dict()["schema"] == 1 and result.to_dict()["sweeps"] == result.nit
    assert "converged after" in str(result) and "plain" in repr(result)
    assert pyjacobi.solve(grid, b).cycles > 0


def test_a_notebook_sees_a_table_and_a_curve(grid):
    told = pyjacobi.solve(grid, np.ones((31, 31)), method="plain")._repr_html_()
    assert told.startswith("<table>") and "<svg" in told and "<script" not in told


def test_a_plot_is_drawn_where_matplotlib_is(grid):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    axes = pyjacobi.solve(grid, np.ones((31, 31)), method="plain").plot()
    assert axes.get_xlabel() == "sweeps"


def test_results_and_diagnoses_are_pickled_by_value(grid):
    result = pyjacobi.solve(grid, np.ones((31, 31)))
    again = pickle.loads(pickle.dumps(result))
    assert np.array_equal(again.x, result.x) and again.to_dict() == result.to_dict() and str(again) == str(result)
    assert again.info == 0 and np.array_equal(again.history, result.history)
    assert repr(pickle.loads(pickle.dumps(again))) == repr(result)
    d = pyjacobi.diagnose(random_dense(np.random.default_rng(1), 9))
    assert pickle.loads(pickle.dumps(d)).to_dict() == d.to_dict()
    assert copy.deepcopy(d).converges is True


def test_a_diagnosis_says_what_is_proved(rng):
    d = pyjacobi.diagnose(random_csr(rng, 50))
    assert d.converges is True and d.verdict == "converges" and d.radius_upper < 1
    assert any("dominance" in name for name, _ in d.proofs) and "proved" in str(d)
    assert pyjacobi.diagnose(np.array([[1.0, 2.0], [2.0, 1.0]])).converges is False
    undecided = pyjacobi.diagnose(pyjacobi.poisson((60, 60)).tocsr(), cholesky="never", budget=1)
    assert undecided.converges in (True, None)


def test_a_diagnosis_of_a_grid_is_that_of_its_matrix(grid):
    d = pyjacobi.diagnose(grid, np.ones((961,)))
    assert d.m_matrix and d.predicted_sweeps > 1000


def test_a_prediction_is_near_what_happens(grid):
    b = np.ones((31, 31))
    p = pyjacobi.predict(grid, b, method="plain")
    made = pyjacobi.solve(grid, b, method="plain").nit
    assert 0.8 * made < p.sweeps < 1.2 * made
    assert p.memory > 0 and p.seconds > 0 and p.method == "plain" and p.to_dict()["schema"] == 1
    assert pyjacobi.predict(grid.tocsr(), b.ravel()).unknowns == 961


def test_a_solver_gives_the_bits_of_solve(rng):
    A = random_csr(rng, 300)
    solver = pyjacobi.Solver(A, "plain")
    for _ in range(3):
        b = rng.standard_normal(300)
        assert np.array_equal(solver.solve(b).x, pyjacobi.solve(A, b, method="plain").x)
    assert solver.method == "plain" and solver.shape == (300, 300)


def test_a_solver_chooses_and_says_why(grid):
    solver = pyjacobi.Solver(grid)
    assert solver.method == "multigrid" and "full multigrid" in solver.reason
    assert solver.solve(np.ones((31, 31))).success


def test_a_solver_takes_values_that_changed(rng):
    A = random_csr(rng, 60)
    solver = pyjacobi.Solver(A, "plain")
    A.data *= 2
    solver.values_changed()
    assert np.allclose(A @ solver.solve(np.ones(60)).x, 1.0)


def test_a_solver_serves_threads_one_after_the_other(grid):
    solver = pyjacobi.Solver(grid)
    expected = solver.solve(np.ones((31, 31))).x
    told = []
    threads = [threading.Thread(target=lambda: told.append(solver.solve(np.ones((31, 31))).x)) for _ in range(8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert len(told) == 8 and all(np.array_equal(x, expected) for x in told)


def test_a_solver_is_tuned():
    solver = pyjacobi.Solver(pyjacobi.poisson((300, 300)), "plain")
    assert solver.tune(0.2) >= 1.0


def test_solvers_and_operators_are_pickled_and_bound_anew(grid):
    for thing in (pyjacobi.Solver(grid), pyjacobi.smoother(grid), pyjacobi.multigrid(grid), grid):
        assert repr(pickle.loads(pickle.dumps(thing))) == repr(thing)
    again = pickle.loads(pickle.dumps(grid))
    assert np.array_equal(again @ np.ones(961), grid @ np.ones(961))
    with pytest.raises(TypeError, match="cannot be pickled"):
        pickle.dumps(pyjacobi.Sweeper(grid))


def test_a_sweeper_makes_the_sweeps_of_the_textbook():
    A = np.array([[4.0, 1.0, 0.0], [1.0, 5.0, 2.0], [0.0, 2.0, 6.0]])
    b = np.array([1.0, 2.0, 3.0])
    s = pyjacobi.Sweeper(A)
    s.load(b)
    x = np.zeros(3)
    for n in range(5):
        before, x = x, (b - (A - np.diag(np.diag(A))) @ x) / np.diag(A)
        update = s.advance()
        assert np.allclose(s.x, x, rtol=1e-14)
        assert update.max == pytest.approx(np.abs(x - before).max()) and s.sweeps == n + 1
    assert s.norms("residual").l2 == pytest.approx(np.linalg.norm(b - A @ x))


def test_a_sweeper_has_weights_and_rungs(grid):
    b = np.ones((31, 31))
    plain = pyjacobi.Sweeper(grid)
    textbook = pyjacobi.Sweeper(grid, rung="textbook")
    for s in (plain, textbook):
        s.load(b)
        s.advance(50)
    assert np.array_equal(plain.x, textbook.x) and plain.x.shape == (31, 31)
    fast = pyjacobi.Sweeper(grid, "chebyshev")
    fast.load(b)
    fast.advance(50)
    assert fast.norms().l2 < plain.norms().l2
    for method in ("weighted", "red-black", "scheduled", "multigrid"):
        s = pyjacobi.Sweeper(grid, method)
        s.load(b)
        s.advance(6)
        assert np.isfinite(s.x).all()


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_stencil_is_a_linear_operator(dtype, rng):
    A = pyjacobi.poisson((5, 4), dtype=dtype, reaction=0.5)
    dense = A.toarray()
    X = rng.standard_normal((20, 3)).astype(dtype)
    assert isinstance(A, sparse.linalg.LinearOperator) and A.shape == (20, 20) and A.dtype == dtype
    tolerance = 1e-5 if dtype == np.float32 else 1e-12
    assert np.allclose(A @ X, dense @ X, rtol=tolerance, atol=tolerance)
    assert np.allclose(A @ X[:, 0], dense @ X[:, 0], rtol=tolerance, atol=tolerance)
    assert np.allclose(A.T @ X[:, 0], dense.T @ X[:, 0], rtol=tolerance, atol=tolerance)
    assert np.allclose((2 * A) @ X, 2 * dense @ X, rtol=tolerance, atol=tolerance)


def test_coefficients_go_where_they_are_said_to():
    off = {"x-": np.full((2, 3), -1.0), "x+": np.full((2, 3), -2.0), "y-": np.full((2, 3), -3.0), "y+": -4.0}
    A = pyjacobi.stencil((2, 3), np.full((2, 3), 20.0), off).toarray()
    expected = np.diag([20.0] * 6) + np.diag([-4.0] * 3, 3) + np.diag([-3.0] * 3, -3)
    for i, j, value in [(0, 1, -2), (1, 2, -2), (3, 4, -2), (4, 5, -2), (1, 0, -1), (2, 1, -1), (4, 3, -1), (5, 4, -1)]:
        expected[i, j] = value
    assert np.array_equal(A, expected)


def test_spacing_and_domain_say_the_same():
    a = pyjacobi.poisson((9, 19), domain=((0, 1), (0, 2)))
    b = pyjacobi.poisson((9, 19), spacing=(0.1, 0.1))
    assert np.allclose(a.toarray(), b.toarray())


def test_diffusion_with_one_coefficient_is_poisson():
    assert np.allclose(pyjacobi.diffusion(np.ones((8, 9))).toarray(), pyjacobi.poisson((6, 7)).toarray())


def test_a_smoother_is_symmetric_and_helps_scipys_cg(grid):
    A = grid.tocsr()
    for M in (pyjacobi.smoother(A), pyjacobi.smoother(grid, "plain", 3), pyjacobi.multigrid(grid)):
        dense = M @ np.eye(961)
        assert np.allclose(dense, dense.T, atol=1e-12)
        counts = []
        x, info = sparse.linalg.cg(A, np.ones(961), M=M, rtol=1e-8, callback=counts.append)
        assert info == 0 and len(counts) < 30 + 20 * (M.cycle is None)


def test_a_smoother_relaxes_in_place(grid):
    A = grid.tocsr()
    smoother = pyjacobi.smoother(A, "weighted", 2)
    x, b = np.zeros(961), np.ones(961)
    smoother.relax(A, x, b)
    expected = np.zeros(961)
    pyjacobi.relaxation.jacobi(A, expected, b, iterations=2, omega=2 / 3)
    assert np.allclose(x, expected, rtol=1e-13)


def test_a_pyamg_hierarchy_takes_the_smoother():
    pyamg = pytest.importorskip("pyamg")
    A = sparse.csr_array(pyjacobi.poisson((60, 60), spacing=1.0).tocsr())
    ml = pyamg.smoothed_aggregation_solver(A)
    for level in ml.levels[:-1]:
        smoother = pyjacobi.smoother(level.A, "weighted", 2)
        level.presmoother = level.postsmoother = smoother.relax
    residuals = []
    x = ml.solve(np.ones(3600), tol=1e-8, residuals=residuals)
    assert np.linalg.norm(1 - A @ x) < 1e-7 * 60 and len(residuals) < 40


def test_linalg_has_scipys_signature_and_tuple(grid):
    A, b = grid.tocsr(), np.ones(961)
    for ours in (pyjacobi.linalg.cg, pyjacobi.linalg.bicgstab):
        for operator in (A, A.toarray(), grid, sparse.linalg.aslinearoperator(A)):
            for M in (None, pyjacobi.smoother(A)):
                told = ours(operator, b, rtol=1e-8, M=M)
                assert type(told) is tuple and told[1] == 0
                assert np.linalg.norm(b - A @ told[0]) <= 1e-8 * np.linalg.norm(b) * (1 + 1e-9)


def test_linalg_of_zero_is_zero(grid):
    x, info = pyjacobi.linalg.cg(grid.tocsr(), np.zeros(961), np.ones(961))
    assert info == 0 and not x.any()


def test_what_is_here_is_listed():
    told = pyjacobi.info()
    assert told["version"] == pyjacobi.__version__ == "0.1.0" and told["cores"] >= 1
    assert told["instruction_sets"]["chosen"] in told["instruction_sets"]["compiled"]
    assert {b["name"] for b in pyjacobi.backends()} == {"serial", "threads", "cuda", "opencl"}
    names = {k: [a["name"] for a in v] for k, v in pyjacobi.algorithms().items()}
    assert "simd" in names["sparse"] and "textbook" in names["grid"] and names["dense"]
    json.dumps(told)


def test_all_that_is_exported_is_there_and_documented():
    for name in pyjacobi.__all__:
        thing = getattr(pyjacobi, name)
        assert thing.__doc__, name


def test_a_solver_cannot_be_used_inside_its_own_callback():
    A = sparse.diags_array([-1.0, 2.5, -1.0], offsets=[-1, 0, 1], shape=(60, 60), format="csr")
    solver = pyjacobi.Solver(A)
    with pytest.raises(pyjacobi.UsageError, match="in use by the call that asks"):
        solver.solve(np.ones(60), callback=lambda _: solver.solve(np.ones(60)) and None)
    assert solver.solve(np.ones(60)).success


def test_false_of_numpy_ends_a_solve_too():
    A = sparse.diags_array([-1.0, 2.5, -1.0], offsets=[-1, 0, 1], shape=(60, 60), format="csr")
    r = pyjacobi.solve(A, np.ones(60), method="plain", callback=lambda c: c.x.max() < -1, on_failure="ignore")
    assert r.status == "interrupted"


def _unsorted(A):
    B = A.copy()
    B.indices[:2], B.data[:2] = B.indices[1::-1].copy(), B.data[1::-1].copy()
    B.has_sorted_indices = False
    return B


@pytest.mark.parametrize(
    "made",
    [
        lambda A: A,
        lambda A: A.tocsc(),
        lambda A: A.tocoo(),
        lambda A: A.tobsr((1, 1)),
        lambda A: A.astype(np.int64),
        _unsorted,
    ],
    ids=["csr", "csc", "coo", "bsr", "int64", "unsorted"],
)
def test_changed_values_are_those_of_the_matrix_now(made):
    A = made(sparse.diags_array([-1.0, 4.0, -1.0], offsets=[-1, 0, 1], shape=(50, 50)).tocsr())
    solver = pyjacobi.Solver(A)
    for change in ("in place", "another array"):
        if change == "in place":
            A.data *= 2
        else:
            A.data = A.data * 2
        solver.values_changed()
        x = solver.solve(np.ones(50)).x
        assert np.linalg.norm(A.tocsr().astype(float) @ x - 1) <= 1e-7, change


@pytest.mark.parametrize(
    "view", [lambda A: A, lambda A: A.T, lambda A: A[::2, ::2], lambda A: A.astype(int), lambda A: A.astype(">f8")]
)
def test_changed_values_of_a_dense_array_are_those_it_has_now(view):
    A = view(np.diag(np.full(60, 4.0)) - np.eye(60, k=2) - np.eye(60, k=-2))
    solver = pyjacobi.Solver(A)
    A *= 3
    solver.values_changed()
    assert np.linalg.norm(A @ solver.solve(np.ones(len(A))).x - 1) <= 1e-7
