"""relaxation.jacobi: sweeps straight over the caller's arrays."""

from __future__ import annotations

import numpy as np
import pyjacobi
import pytest
import scipy.sparse as sparse
from conftest import random_csr
from pyjacobi.relaxation import jacobi


def by_sweeper(A, b, x, omega, sweeps):
    method = ("plain", None) if omega == 1 else ("weighted", omega)
    s = pyjacobi.Sweeper(A, method[0], omega=method[1], rung="textbook", recognise_grids=False)
    s.load(b, x)
    s.advance(sweeps)
    return s.x


def band(rng, n, index, dtype):
    sides = [rng.standard_normal(n - k) for k in (90, 1, 1)]
    A = sparse.diags_array([*sides, np.full(n, 9.0)], offsets=[-90, -1, 1, 0], format="csr")
    return sparse.csr_array((A.data.astype(dtype), A.indices.astype(index), A.indptr.astype(index)), shape=A.shape)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("index", [np.int32, np.int64])
@pytest.mark.parametrize("omega", [1.0, 0.7])
def test_the_bits_are_those_of_the_textbook(rng, dtype, index, omega):
    for n, sweeps in ((1, 1), (7, 2), (300, 3), (70_000, 2)):  # the last one by several threads
        A = random_csr(rng, n, index, dtype) if n < 1000 else band(rng, n, index, dtype)
        x, b = (rng.standard_normal(n).astype(dtype) for _ in range(2))
        expected = by_sweeper(A, b, x, omega, sweeps)
        jacobi(A, x, b, iterations=sweeps, omega=omega)
        assert np.array_equal(x, expected)


def test_values_and_structure_may_change_between_calls(rng):
    A = random_csr(rng, 50)
    b = rng.standard_normal(50)
    for scale in (1.0, 2.0, 0.5):
        A.data *= scale
        x = np.ones(50)
        jacobi(A, x, b)
        assert np.array_equal(x, by_sweeper(A, b, np.ones(50), 1.0, 1))
    A.indptr[:] = np.arange(51)
    A.indices[:50], A.data[:50] = np.arange(50), 2.0
    x = np.ones(50)
    jacobi(A, x, b)
    assert np.allclose(x, b / 2, rtol=1e-14, atol=1e-15)


def test_columns_may_come_in_any_order_and_twice():
    A = sparse.csr_array(([1.0, 3.0, 1.0, 1.0, 3.0], [1, 0, 0, 0, 1], [0, 3, 5]), shape=(2, 2))
    x = np.zeros(2)
    jacobi(A, x, np.array([4.0, 6.0]), iterations=50)
    assert np.allclose(A.toarray() @ x, [4.0, 6.0])


def test_other_formats_grids_and_columns_of_numbers_are_taken(rng):
    grid = pyjacobi.poisson((5, 6))
    b = rng.standard_normal((30, 1))
    expected = np.zeros(30)
    jacobi(grid.tocsr(), expected, b.ravel(), iterations=3)
    for A in (grid, grid.tocsr().tobsr(), grid.tocsr().tocoo(), grid.toarray()):
        x = np.zeros((30, 1))
        jacobi(A, x, b, iterations=3)
        assert np.array_equal(x.ravel(), expected)


def test_b_may_be_x(rng):
    A = random_csr(rng, 40)
    x = rng.standard_normal(40)
    expected = by_sweeper(A, x, x, 1.0, 4)
    jacobi(A, x, x, iterations=4)
    assert np.array_equal(x, expected)


@pytest.mark.parametrize(
    ("part", "at", "value", "words"),
    [
        ("data", 0, np.nan, "must be finite"),
        ("data", 1, np.inf, "must be finite"),
        ("data", 0, 0.0, "ZeroDiagonal"),
        ("indices", 1, 7, "column 7 is not in"),
        ("indices", 1, -1, "column -1 is not in"),
        ("indptr", 0, 1, "A.indptr is wrong"),
        ("indptr", 1, 5, "A.indptr is wrong"),
        ("indptr", 1, -1, "A.indptr is wrong"),
        ("indptr", 2, 2, "ZeroDiagonal|A.indptr is wrong"),
        ("indptr", 2, -3, "A.indptr ends at"),
        ("indptr", 2, 9, "A.indptr ends at"),
    ],
)
def test_what_cannot_be_swept_is_named_and_x_stays(part, at, value, words):
    A = sparse.csr_array(np.array([[4.0, 1.0], [1.0, 3.0]]))
    getattr(A, part)[at] = value
    x = np.array([1.0, 2.0])
    with pytest.raises(ValueError, match=words):
        jacobi(A, x, np.ones(2), iterations=3)
    assert np.array_equal(x, [1.0, 2.0])


def test_an_iterate_beyond_all_bounds_is_no_error():
    A = sparse.csr_array(np.array([[1.0, 9.0], [9.0, 1.0]]))
    x = np.array([1.0, 2.0])
    with np.errstate(all="ignore"):
        jacobi(A, x, np.ones(2), iterations=1000)
    assert not np.isfinite(x).any()


def test_x_must_be_a_place_to_write():
    A = sparse.csr_array(np.array([[4.0, 1.0], [1.0, 3.0]]))
    frozen = np.zeros(2)
    frozen.flags.writeable = False
    crooked = np.frombuffer(bytearray(17), np.uint8)[1:].view(np.float64)
    for x in (frozen, np.zeros(4)[::2], crooked, A.data[:2]):
        with pytest.raises(pyjacobi.UsageError, match="^x "):
            jacobi(A, x, np.ones(2))
    with pytest.raises(TypeError, match="dtypes"):
        jacobi(A, np.zeros(2), np.ones(2, np.float32))
    with pytest.raises(pyjacobi.UsageError, match="omega"):
        jacobi(A, np.zeros(2), np.ones(2), omega=2.0)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_entries_that_are_not_finite_are_refused_in_words(rng, bad, dtype):
    A = random_csr(rng, 30, dtype=dtype)
    M = pyjacobi.smoother(A, "plain", 2)
    for name in ("A", "x", "b"):
        x, b, matrix = np.ones(30, dtype), np.ones(30, dtype), A.copy()
        {"A": matrix.data, "x": x, "b": b}[name][7] = bad
        before = x.copy()
        with pytest.raises(pyjacobi.InputError, match=rf"(entry \(.*|{name}\[7\]) is .*every entry must be finite"):
            jacobi(matrix, x, b, iterations=3)
        if name != "A":
            with pytest.raises(pyjacobi.InputError, match=f"{name} has an entry that is not finite"):
                M.relax(A, x, b)
        assert np.array_equal(x, before, equal_nan=True)
