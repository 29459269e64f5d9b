"""Operators of which only products are known."""

from __future__ import annotations

import os
import pickle
import signal
import threading
import time

import numpy as np
import pyjacobi
import pytest
import scipy.sparse as sparse
from conftest import random_csr
from pyjacobi.linalg import bicgstab, cg
from scipy.sparse.linalg import LinearOperator, aslinearoperator

METHODS = ["plain", "weighted", "chebyshev", "cg", "bicgstab", "anderson"]


def symmetric(rng, n, dtype=np.float64):
    a = sparse.random_array((n, n), density=3 / n, rng=rng)
    a = a + a.T
    return (a + sparse.diags_array(np.asarray(a.sum(axis=1)).ravel() + 1.0)).tocsr().astype(dtype)


def ring(n, dtype=np.float64):
    three = dtype(3)
    return LinearOperator((n, n), matvec=lambda x: three * x - np.roll(x, 1) - np.roll(x, -1), dtype=dtype)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("method", METHODS)
def test_every_method_solves_as_it_does_with_entries(method, dtype, rng):
    A = symmetric(rng, 300, dtype)
    b = rng.standard_normal(300).astype(dtype)
    rtol = 1e-9 if dtype == np.float64 else 1e-4
    by_entries = pyjacobi.solve(A, b, method=method, rtol=rtol, recognise_grids=False)
    by_products = pyjacobi.solve(aslinearoperator(A), b, method=method, rtol=rtol, diagonal=A.diagonal())
    assert by_products.success and by_products.x.dtype == dtype
    assert np.allclose(by_products.x, by_entries.x, rtol=0, atol=100 * rtol * abs(by_entries.x).max())
    assert by_products.backward_error is None and by_products.error_bound is None
    assert np.linalg.norm(b - A @ by_products.x) <= 1.1 * rtol * np.linalg.norm(b)


def test_whatever_has_shape_dtype_and_matvec_is_an_operator():
    class Mine:
        shape = (50, 50)
        dtype = np.dtype(float)

        def matvec(self, x):
            return 2 * x

        def diagonal(self):
            return np.full(50, 2.0)

    assert pyjacobi.solve(Mine(), np.ones(50), method="plain").nit == 1
    assert cg(Mine(), np.ones(50))[1] == 0 and bicgstab(Mine(), np.ones(50))[1] == 0
    assert pyjacobi.diagnose(Mine()).matrix_free


def test_auto_goes_without_a_diagonal():
    result = pyjacobi.solve(ring(5000), np.ones(5000))
    assert result.success and abs(result.x - 1).max() < 1e-6
    assert any("no diagonal was given" in note for note in result.notes)
    assert result.report.method == "cg"


def test_a_diagonal_that_is_needed_is_asked_for_up_to_1000_rows():
    products = []
    told = ring(200)
    counted = LinearOperator((200, 200), matvec=lambda x: products.append(1) or told.matvec(x), dtype=float)
    products.clear()
    result = pyjacobi.solve(counted, np.ones(200), method="plain")
    assert result.success and any("asked for by 200 products" in note for note in result.notes)
    assert 200 < len(products) < 200 + result.nit + 20
    with pytest.raises(pyjacobi.UsageError, match="the diagonal, which is not given"):
        pyjacobi.solve(ring(1001), np.ones(1001), method="plain")


@pytest.mark.parametrize(
    "options", [{"method": m} for m in ("l1", "red-black", "cyclic-chebyshev", "multigrid")] + [{"rung": "sell"}]
)
def test_what_needs_entries_is_refused_in_one_line(options):
    with pytest.raises(pyjacobi.UsageError, match="gives products and no entries, which .* needs") as caught:
        pyjacobi.solve(ring(30), np.ones(30), diagonal=np.full(30, 3.0), **options)
    assert "\n" not in str(caught.value)


def test_bounds_are_believed_by_chebyshev_and_looked_at_by_diagnose():
    D = np.full(400, 3.0)
    right = pyjacobi.solve(ring(400), np.arange(400.0), method="chebyshev", diagonal=D, bounds=(1 / 3, 5 / 3))
    assert right.success
    d = pyjacobi.diagnose(ring(400), np.arange(400.0), diagonal=D, bounds=(1 / 3, 5 / 3))
    assert d.claimed == (1 / 3, 5 / 3) and not d.warnings and "claimed by the caller" in str(d)
    assert d.to_dict()["matrix_free"] is True
    wrong = pyjacobi.diagnose(ring(400), np.arange(400.0), diagonal=D, bounds=(0.8, 1.2))
    assert len(wrong.warnings) == 2 and "the bounds given are wrong" in wrong.warnings[0]
    for bad in ((2, 1), (0, 1), (-1, 1)):
        with pytest.raises(pyjacobi.UsageError, match="bounds of the eigenvalues"):
            pyjacobi.solve(ring(4), np.ones(4), bounds=bad)
    for bad in (1, (1, 2, 3), "ab", (None, 1)):
        with pytest.raises(TypeError, match="bounds"):
            pyjacobi.solve(ring(4), np.ones(4), bounds=bad)
    with pytest.raises(pyjacobi.UsageError, match="NaN"):
        pyjacobi.solve(ring(4), np.ones(4), bounds=(float("nan"), 1))


def test_nothing_is_proved_of_products():
    d = pyjacobi.diagnose(ring(300))
    assert d.converges is None and d.proofs == [] and not d.positive_definite and d.symmetric
    assert "unproved" in str(d)
    again = pickle.loads(pickle.dumps(d))
    assert again.matrix_free and str(again) == str(d)


def test_predict_measures():
    p = pyjacobi.predict(ring(3000), np.ones(3000), method="cg")
    assert p.method == "cg" and p.seconds_per_sweep > 0 and p.unknowns == 3000
    assert pyjacobi.predict(ring(300), np.arange(300.0), diagonal=np.full(300, 3.0), method="plain").sweeps > 1


def test_a_solver_is_bound_once_and_pickled_by_its_recipe():
    A = aslinearoperator(sparse.diags_array([4.0] * 30) - sparse.eye_array(30, k=1))
    solver = pyjacobi.Solver(A, "plain", diagonal=np.full(30, 4.0))
    for scale in (1.0, 2.0):
        assert solver.solve(scale * np.ones(30)).success
    assert pickle.loads(pickle.dumps(solver)).solve(np.ones(30)).success
    assert pyjacobi.Solver(ring(3000)).solve(np.ones(3000)).success


def test_several_right_hand_sides_and_shapes():
    A, b = ring(40), np.random.default_rng(1).standard_normal((40, 3))
    result = pyjacobi.solve(A, b, diagonal=np.full(40, 3.0))
    assert result.success and result.x.shape == (40, 3)
    assert np.allclose(A.matmat(result.x), b, atol=1e-6)
    assert pyjacobi.solve(A, b[:, :1]).x.shape == (40, 1)


def test_exceptions_of_the_product_come_through():
    class Mine(Exception):
        pass

    made = []

    def product(x):
        made.append(1)
        if len(made) > 6:
            raise Mine("here")
        return 3 * x - np.roll(x, 1) - np.roll(x, -1)

    A = LinearOperator((2000, 2000), matvec=product, dtype=float)
    for method in ("plain", "cg", "bicgstab", "anderson"):
        made.clear()
        with pytest.raises(Mine, match="here"):
            pyjacobi.solve(A, np.arange(2000.0), method=method, rtol=1e-13, diagonal=np.full(2000, 3.0))
    made.clear()
    with pytest.raises(Mine):
        pyjacobi.diagnose(A, np.arange(2000.0), diagonal=np.full(2000, 3.0))


@pytest.mark.parametrize(
    ("answer", "error", "match"),
    [
        (lambda x: np.ones(3), pyjacobi.UsageError, "shape"),
        (lambda x: np.ones((4, 2)), pyjacobi.UsageError, "shape"),
        (lambda x: x * 1j, TypeError, "complex128"),
        (lambda x: x.astype(np.longdouble), TypeError, "dtype"),
        (lambda x: None, TypeError, "no array of numbers"),
        (lambda x: "no", pyjacobi.UsageError, "shape"),
        (lambda x: sparse.csr_array(x.reshape(1, -1)), TypeError, "sparse"),
        (lambda x: np.ma.masked_array(x), TypeError, "masked"),
    ],
)
def test_a_product_that_is_none_is_refused(answer, error, match):
    class Mine:
        shape, dtype = (4, 4), np.dtype(float)
        matvec = staticmethod(answer)

    for call in (pyjacobi.solve, cg, bicgstab):
        with pytest.raises(error, match=match):
            call(Mine(), np.ones(4))


def test_a_product_in_double_of_a_system_in_float_is_refused_and_whole_numbers_are_taken():
    class Double:
        shape, dtype = (4, 4), np.dtype(np.float32)

        def matvec(self, x):
            return 2 * x.astype(np.float64)

    with pytest.raises(TypeError, match="float64, which does not fit into float32"):
        pyjacobi.solve(Double(), np.ones(4, np.float32))
    assert pyjacobi.solve(Double(), np.ones(4)).success  # in double

    class Whole:
        shape, dtype = (4, 4), np.dtype(int)

        def matvec(self, x):
            return np.rint(x).astype(int)

    assert pyjacobi.solve(Whole(), np.ones(4), method="bicgstab").x.dtype == np.float64


def test_a_product_that_is_not_finite_is_said_to_be():
    A = LinearOperator((4, 4), matvec=lambda x: np.array([x[0], np.nan, x[2], x[3]]), dtype=float)
    with pytest.warns(pyjacobi.ConvergenceWarning, match="entry 1 of A x is nan"):
        result = pyjacobi.solve(A, np.ones(4), method="cg")
    assert result.status == "not_finite" and result.info == -3
    with pytest.raises(pyjacobi.InputError, match="is nan: every entry must be finite"):
        pyjacobi.solve(A, np.ones(4), method="plain")


def test_a_diagonal_that_does_not_fit_is_refused():
    for bad in (np.ones(3), np.ones((4, 1)), 2.0):
        with pytest.raises(pyjacobi.UsageError, match="diagonal has shape"):
            pyjacobi.solve(ring(4), np.ones(4), diagonal=bad)
    with pytest.raises(TypeError, match="diagonal"):
        pyjacobi.solve(ring(4), np.ones(4), diagonal=np.ones(4, complex))
    with pytest.raises(pyjacobi.InputError, match="entry 2 of the diagonal is inf"):
        pyjacobi.solve(ring(4), np.ones(4), diagonal=[1, 1, np.inf, 1])
    with pytest.raises(pyjacobi.InputError, match="ZeroDiagonal"):
        pyjacobi.solve(ring(4), np.ones(4), diagonal=[3.0, 3.0, 0.0, 3.0], method="plain")
    for options in ({"diagonal": np.ones(2)}, {"bounds": (1, 2)}):
        with pytest.raises(pyjacobi.UsageError, match="go with an operator"):
            pyjacobi.solve(np.eye(2), np.ones(2), **options)
    with pytest.raises(pyjacobi.UsageError, match="diagonal goes with"):
        cg(np.eye(2), np.ones(2), diagonal=np.ones(2))


@pytest.mark.parametrize("shape", [(3, 2), (0, 0)])
def test_a_shape_that_is_not_square_is_refused(shape):
    A = LinearOperator(shape, matvec=lambda x: np.zeros(shape[0]), dtype=float)
    with pytest.raises(pyjacobi.UsageError, match="A has"):
        pyjacobi.solve(A, np.ones(shape[0]))


def test_cg_refuses_what_two_products_show_not_to_be_symmetric(rng):
    A = aslinearoperator(random_csr(rng, 50))
    with pytest.raises(pyjacobi.InputError, match="method cg is for symmetric operators"):
        pyjacobi.solve(A, np.ones(50), method="cg")
    assert bicgstab(A, np.ones(50))[1] == 0


def test_what_the_product_keeps_stays_as_it_was():
    seen = []
    told = ring(100)
    A = LinearOperator((100, 100), matvec=lambda x: seen.append(x) or told.matvec(x), dtype=float)
    seen.clear()
    pyjacobi.solve(A, np.arange(100.0), method="cg")
    copies = [x.copy() for x in seen]
    pyjacobi.solve(A, np.arange(100.0) ** 2, method="cg")
    assert all(np.array_equal(x, y) for x, y in zip(seen, copies))
    assert len({x.tobytes() for x in seen}) > 5


def test_one_operator_is_solved_in_several_threads():
    A, alone, told = ring(3000), {}, {}

    def run(k, into):
        into[k] = pyjacobi.solve(A, np.arange(3000.0) % k, method="cg", threads=2).x

    for k in range(2, 6):
        run(k, alone)
    threads = [threading.Thread(target=run, args=(k, told)) for k in alone]
    for t in threads:
        t.start()
    for t in threads:
        t.join(60)
    assert all(np.array_equal(told[k], alone[k]) for k in alone)


@pytest.mark.parametrize("compiled", [False, True])
def test_ctrl_c_ends_a_solve_and_keeps_the_iterate(compiled):
    n = 2000
    if compiled:  # a product that runs no line of Python
        matrix = sparse.diags_array([-1.0, 2.0, -1.0], offsets=[-1, 0, 1], shape=(n, n)).tocsr()

        class A:
            shape, dtype = (n, n), np.dtype(float)
            matvec = matrix.__matmul__
    else:
        def product(x):
            y = 2 * x
            y[1:] -= x[:-1]
            y[:-1] -= x[1:]
            return y

        A = LinearOperator((n, n), matvec=product, dtype=float)
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    start = time.monotonic()
    with pytest.raises(pyjacobi.Interrupted) as caught:
        pyjacobi.solve(A, np.ones(n), method="plain", rtol=1e-14, diagonal=np.full(n, 2.0), max_seconds=30)
    assert time.monotonic() - start < 5
    result = caught.value.result
    assert result.status == "interrupted" and result.nit > 0 and result.x.any()


def test_ctrl_c_ends_a_diagnosis():
    def slow(x):
        time.sleep(0.1)
        return 2 * x

    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        pyjacobi.diagnose(LinearOperator((900, 900), matvec=slow, dtype=float))
    assert time.monotonic() - start < 5


def test_scipys_functions_take_their_operators_by_the_library():
    rng = np.random.default_rng(2)
    A = symmetric(rng, 400)
    b = rng.standard_normal(400)
    seen = []
    x, info = cg(aslinearoperator(A), b, rtol=1e-10, callback=lambda x: seen.append(x))
    assert info == 0 and np.linalg.norm(b - A @ x) <= 1e-10 * np.linalg.norm(b) and len(seen) > 3
    x, info = cg(aslinearoperator(A), b, rtol=1e-10, maxiter=3)
    assert info == 3
    x, info = bicgstab(aslinearoperator(A), b, rtol=1e-10, diagonal=A.diagonal())
    assert info == 0 and np.linalg.norm(b - A @ x) <= 1e-10 * np.linalg.norm(b)


@pytest.mark.parametrize("method", ["plain", "weighted", "chebyshev", "cg", "bicgstab", "anderson"])
def test_products_in_float32_end_where_their_rounding_does(method):
    n = 400
    narrow = sparse.diags_array([-1.0, 2.2, -1.0], offsets=[-1, 0, 1], shape=(n, n), dtype=np.float32).tocsr()
    A = LinearOperator((n, n), dtype=float, matvec=lambda x: narrow @ x.astype(np.float32))
    bounds = (0.09, 1.91) if method == "chebyshev" else None
    r = pyjacobi.solve(
        A, np.ones(n), method=method, rtol=1e-12, diagonal=np.full(n, 2.2), bounds=bounds, max_seconds=30,
        on_failure="ignore",
    )
    assert r.status == "stagnated" and r.residual_norm < 1e-3 and r.nit < 100_000
