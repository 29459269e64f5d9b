"""Arrays are read where they lie."""

from __future__ import annotations

import functools
import gc
import resource
import weakref

import numpy as np
import pyjacobi
import pytest
import scipy.sparse as sparse
from conftest import random_csr, random_dense
from pyjacobi._arrays import as_system, vectors


def address(array):
    return array.__array_interface__["data"][0]


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_dense_matrix_is_viewed_in_both_orders(rng, order, dtype):
    A = np.asarray(random_dense(rng, 9, dtype), order=order)
    assert as_system(A).matrix.address == address(A)


def test_a_padded_matrix_is_viewed(rng):
    A = random_dense(rng, 9)
    padded = np.zeros((9, 16))
    padded[:, :9] = A
    view = padded[:, :9]
    system = as_system(view)
    assert system.matrix.address == address(view)
    b = np.ones(9)
    assert np.array_equal(pyjacobi.solve(view, b).x, pyjacobi.solve(A, b).x)
    assert as_system(padded.T[:9].T).matrix.address == address(padded)


def test_other_strides_are_copied_once(rng):
    A = random_dense(rng, 18)[::2, ::2]
    A = A + np.diag([100.0] * 9)
    big = np.zeros((18, 18))
    big[::2, ::2] = A
    view = big[::2, ::2]
    assert as_system(view).matrix.address != address(view)
    assert np.array_equal(pyjacobi.solve(view, np.ones(9)).x, pyjacobi.solve(A, np.ones(9)).x)
    assert (
        np.allclose(pyjacobi.solve(big[::-2, ::-2], np.ones(9)).x, np.linalg.solve(big[::-2, ::-2] + 0, np.ones(9)))
        if (np.diag(big[::-2, ::-2]).all())
        else True
    )


@pytest.mark.parametrize("index", [np.int32, np.int64])
def test_csr_is_viewed_with_both_kinds_of_indices(rng, index):
    A = random_csr(rng, 40, index)
    assert A.indices.dtype == index
    assert as_system(A).matrix.address == address(A.data)


def test_rows_out_of_order_are_copied(rng):
    A = sparse.csr_array(([1.0, 4.0, 5.0, 1.0], [1, 0, 1, 0], [0, 2, 4]), shape=(2, 2))
    assert as_system(A).matrix.address != address(A.data)
    assert np.allclose(A.toarray() @ pyjacobi.solve(A, [1.0, 2.0]).x, [1.0, 2.0])


def test_copy_is_a_copy(rng):
    for A in (random_dense(rng, 9), random_csr(rng, 9)):
        data = A.data if sparse.issparse(A) else A
        assert as_system(A, copy=True).matrix.address != address(data)


def test_read_only_arrays_are_viewed(rng):
    A = random_dense(rng, 9)
    b = np.ones(9)
    A.flags.writeable = b.flags.writeable = False
    system = as_system(A)
    assert system.matrix.address == address(A)
    assert address(vectors(system, b, None, None).b) == address(b)
    assert pyjacobi.solve(A, b).success


def test_b_is_viewed_and_x_is_written_where_out_says(rng):
    A = random_csr(rng, 50)
    b, out = np.ones(50), np.full(50, np.nan)
    system = as_system(A)
    v = vectors(system, b, None, out)
    assert address(v.b) == address(b) and address(v.x) == address(out)
    result = pyjacobi.solve(A, b, out=out)
    assert result.x is out and np.array_equal(out, pyjacobi.solve(A, b).x)


def test_out_may_be_of_a_class_that_keeps_two_dimensions(rng):
    A, out = random_csr(rng, 50), np.zeros((50, 1)).view(np.matrix)
    result = pyjacobi.solve(A, np.ones((50, 1)), out=out)
    assert result.x is out and np.array_equal(np.asarray(out), pyjacobi.solve(A, np.ones((50, 1))).x)


def test_out_may_be_the_start(rng):
    A = random_csr(rng, 50)
    x = rng.standard_normal(50)
    result = pyjacobi.solve(A, A @ x, x, out=x)
    assert result.x is x and result.nit == 0


def test_out_within_A_is_refused_before_anything_is_written(rng):
    dense, A = random_dense(rng, 50), random_csr(rng, 50)
    for matrix, memory, out in [(dense, dense, dense[7]), (A, A.data, A.data[:50])]:
        before = memory.copy()
        for call in (pyjacobi.solve, lambda M, b, out: pyjacobi.Solver(M).solve(b, out=out)):
            with pytest.raises(pyjacobi.UsageError, match="out and A share memory"):
                call(matrix, np.ones(50), out=out)
        assert np.array_equal(memory, before)


def test_the_arrays_live_as_long_as_the_operator(rng):
    A = random_csr(rng, 3000)
    kept = A.copy()
    solver = pyjacobi.Solver(A, "plain")
    del A
    for _ in range(20):
        np.zeros(3000)
    x = solver.solve(np.ones(3000)).x
    assert np.allclose(kept @ x, 1.0)


def test_an_array_of_another_library_is_viewed_by_dlpack():
    class Foreign:
        """Has nothing but DLPack."""

        def __init__(self, array):
            self.array = array

        def __dlpack__(self, **options):
            return self.array.__dlpack__(**options)

        def __dlpack_device__(self):
            return self.array.__dlpack_device__()

    A, b = np.array([[4.0, 1.0], [1.0, 3.0]]), np.array([1.0, 2.0])
    system = as_system(Foreign(A))
    assert system.matrix.address == address(A)
    assert np.allclose(A @ pyjacobi.solve(Foreign(A), Foreign(b)).x, b)


def test_an_array_on_a_device_is_refused_in_words():
    class OnDevice:
        def __dlpack__(self, **options):
            raise AssertionError("must not be asked")

        def __dlpack_device__(self):
            return (2, 0)

    with pytest.raises(pyjacobi.BackendError, match="lies on a device"):
        pyjacobi.solve(np.eye(2), OnDevice())


GRID = sparse.csr_array(pyjacobi.poisson((20, 20)).tocsr())


def resized(array):
    """What a callback does that wants the memory that is in use."""

    def resize(check):
        array.resize(10, refcheck=False)

    return resize


@pytest.mark.parametrize("which", ["out", "b", "a part of b", "values", "x of a Solver"])
def test_an_array_in_use_cannot_be_resized(which):
    A, b, out, big = GRID.copy(), np.ones(400), np.zeros(400), np.ones(800)
    A.data = A.data.copy()  # of its own
    chosen = {"out": out, "b": b, "a part of b": big, "values": A.data, "x of a Solver": out}[which]
    rhs = big[:400] if which == "a part of b" else b
    solve = functools.partial(pyjacobi.solve, A)
    if which == "x of a Solver":
        solve = pyjacobi.Solver(A, "plain").solve
    with pytest.raises(ValueError, match="is referenced"):
        solve(rhs, out=out, callback=resized(chosen))
    del solve
    gc.collect()  # the exception and its frames
    chosen.resize(10, refcheck=False)  # afterwards it can
    assert chosen.shape == (10,)


def test_arrays_of_a_bound_operator_cannot_be_resized():
    A, center = GRID.copy(), np.full(400, 4.0)
    A.data = A.data.copy()
    solver, grid = pyjacobi.Solver(A, "plain"), pyjacobi.stencil(400, center, [-1.0, -1.0])
    for array in (A.data, center):
        with pytest.raises(ValueError, match="is referenced"):
            array.resize(10, refcheck=False)
    assert solver.solve(np.ones(400)).success and grid.shape == (400, 400)


def test_a_cycle_through_a_solver_of_products_is_collected():
    class Operator:
        shape, dtype = (4, 4), np.dtype(float)

        def __init__(self):
            self.solver = pyjacobi.Solver(self, "cg")

        def matvec(self, x):
            return 2 * x

    gone = []
    for _ in range(3):
        one = Operator()
        assert one.solver.solve(np.ones(4)).success
        gone.append(weakref.ref(one))
        del one
    gc.collect()
    assert [reference() for reference in gone] == [None] * 3


@pytest.mark.parametrize("solver", [pyjacobi.linalg.cg, pyjacobi.linalg.bicgstab])
def test_a_callback_may_change_indices_of_a_matrix_whose_products_scipy_makes(solver):
    A, M = GRID.copy(), sparse.diags_array(np.full(400, 0.25)).tocsr()

    def lead_anywhere(x):
        A.indices[:] = M.indices[:] = 2**30

    x, info = solver(A, np.ones(400), M=M, callback=lead_anywhere)
    assert info == 0 and np.linalg.norm(GRID @ x - 1) <= 1.01e-5 * 20


def test_memory_does_not_grow():
    A = np.array([[4.0, 1.0], [1.0, 3.0]])
    b = np.ones(2)

    def some():
        for _ in range(1500):
            pyjacobi.solve(A, b, callback=lambda check: None)
        gc.collect()
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    some()
    before = some()
    assert some() - before < 2000  # KiB
    solver = pyjacobi.Solver(A, "plain")
    for _ in range(100_000):
        solver.solve(b)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 3000
