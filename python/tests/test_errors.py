"""Whatever is handed over, the answer is an exception in words."""

from __future__ import annotations

import math
import os
import warnings

import numpy as np
import pyjacobi
import pytest
import scipy.sparse as sparse
from conftest import random_csr, random_dense
from hypothesis import given, settings
from hypothesis import strategies as st

A = np.array([[4.0, 1.0], [1.0, 3.0]])
B = np.array([1.0, 2.0])


@pytest.mark.parametrize("dtype", [np.complex64, np.complex128, np.longdouble, np.float16, "U3", "M8[s]", object])
def test_a_dtype_that_cannot_be_computed_in_is_a_type_error(dtype):
    bad = np.ones(2, dtype) if dtype != "M8[s]" else np.zeros(2, dtype)
    with pytest.raises(TypeError, match=r"\bb\b"):
        pyjacobi.solve(A, bad)
    if np.dtype(dtype).kind in "fc":
        with pytest.raises(TypeError, match=r"\bA\b"):
            pyjacobi.solve(A.astype(dtype), B)
        with pytest.raises(TypeError, match=r"\bx0\b"):
            pyjacobi.solve(A, B, bad)


@pytest.mark.parametrize("shape", [(), (1,), (3,), (2, 0), (1, 2), (2, 2, 1), (0,)])
def test_a_shape_of_b_that_does_not_fit_is_named(shape):
    with pytest.raises(pyjacobi.UsageError, match="b has shape"):
        pyjacobi.solve(A, np.ones(shape))


@pytest.mark.parametrize("shape", [(2,), (2, 3), (0, 0), (2, 2, 2), ()])
def test_a_shape_of_the_matrix_that_does_not_fit_is_named(shape):
    with pytest.raises(pyjacobi.UsageError, match="A has"):
        pyjacobi.solve(np.ones(shape), B)
    if len(shape) == 2 and shape[0] != shape[1]:
        with pytest.raises(pyjacobi.UsageError, match="A has shape"):
            pyjacobi.solve(sparse.csr_array(np.ones(shape)), B)


@pytest.mark.parametrize("bad", [math.nan, math.inf])
def test_what_is_not_finite_is_named(bad):
    for ask in (pyjacobi.solve, pyjacobi.diagnose, pyjacobi.predict):
        for matrix in (A, pyjacobi.poisson((2,))):
            with pytest.raises(pyjacobi.InputError, match=r"b\[1\]"):
                ask(matrix, [1.0, bad])
            with pytest.raises(pyjacobi.InputError, match=r"x0?\[1\]"):
                ask(matrix, B, [1.0, bad])
    wrong = A.copy()
    wrong[0, 1] = bad
    for matrix in (wrong, np.asfortranarray(wrong), sparse.csr_array(wrong)):
        with pytest.raises(pyjacobi.InputError):
            pyjacobi.solve(matrix, B)


def test_both_kinds_of_wrong_input_are_value_errors():
    assert issubclass(pyjacobi.UsageError, ValueError) and issubclass(pyjacobi.InputError, ValueError)
    assert issubclass(pyjacobi.BackendError, RuntimeError) and issubclass(pyjacobi.Interrupted, KeyboardInterrupt)


def test_arrays_of_csr_that_lie_are_found_out():
    good = sparse.csr_array(A)
    for name, wrong in [
        ("indptr", np.array([0, 2], np.int32)),
        ("indptr", np.array([0, 2, 9], np.int32)),
        ("indptr", np.array([0, 3, 2], np.int32)),
        ("indptr", np.array([1, 2, 4], np.int32)),
        ("indptr", np.array([0, 2, -4], np.int32)),
        ("indices", np.array([0, 1, 0, 7], np.int32)),
        ("indices", np.array([0, 1, 0, -1], np.int32)),
        ("indices", np.array([0, 1], np.int32)),
        ("data", np.array([1.0, 2.0])),
    ]:
        lying = good.copy()
        setattr(lying, name, wrong)
        with pytest.raises((pyjacobi.UsageError, pyjacobi.InputError)):
            pyjacobi.solve(lying, B)


def test_an_object_that_lies_about_its_shape_is_found_out():
    class Liar:
        shape = (2, 2)
        dtype = np.dtype(float)

        def __array__(self, dtype=None, copy=None):
            return np.ones((3, 2))

    with pytest.raises(pyjacobi.UsageError, match="A has shape"):
        pyjacobi.solve(Liar(), B)


def test_what_is_no_matrix_is_a_type_error():
    for wrong in (None, "A", {"a": 1}, object(), lambda x: x):
        with pytest.raises((TypeError, ValueError)):
            pyjacobi.solve(wrong, B)
    with pytest.raises(TypeError, match="no shape is known"):
        pyjacobi.solve(lambda x: x, B)
    for entries_needed in (pyjacobi.Sweeper, pyjacobi.smoother):
        with pytest.raises(TypeError, match="only products are known"):
            entries_needed(sparse.linalg.aslinearoperator(A))
    with pytest.raises(TypeError, match="masked"):
        pyjacobi.solve(np.ma.masked_array(A), B)
    with pytest.raises(TypeError, match="sparse"):
        pyjacobi.solve(A, sparse.csr_array(B.reshape(2, 1)))


def test_x0_must_fit():
    with pytest.raises(pyjacobi.UsageError, match="x0 has shape"):
        pyjacobi.solve(A, B, np.ones(3))


def test_out_must_be_a_place_for_x():
    frozen = np.zeros(2)
    frozen.flags.writeable = False
    for out in (np.zeros(3), np.zeros(2, np.float32), np.zeros(4)[::2], frozen, [0.0, 0.0], B):
        with pytest.raises(ValueError, match="out"):
            pyjacobi.solve(A, B, out=out)


@pytest.mark.parametrize(
    "options",
    [
        {"method": "jakobi"},
        {"method": 3},
        {"rtol": -1.0},
        {"rtol": math.nan},
        {"rtol": "small"},
        {"rtol": 0.0},
        {"atol": math.inf},
        {"norm": "energy"},
        {"reference": "x"},
        {"maxiter": -1},
        {"maxiter": 2.5},
        {"max_seconds": -1.0},
        {"omega": 2.5},
        {"omega": 0.5, "method": "plain"},
        {"depth": 3},
        {"period": 3, "method": "cg"},
        {"rung": "escalator"},
        {"matrix_precision": "half"},
        {"backend": "abacus"},
        {"backend": "threads", "threads": 0},
        {"backend": "serial", "threads": 2},
        {"threads": 10**7},
        {"threads": "two"},
        {"callback": 3},
        {"progress": 3},
        {"on_failure": "shrug"},
        {"check_every": 0},
        {"M": A},
    ],
)
def test_an_option_that_cannot_be_meant_is_refused(options):
    for matrix in (A, sparse.csr_array(A)):
        with pytest.raises((ValueError, TypeError, pyjacobi.BackendError)):
            pyjacobi.solve(matrix, B, **options)


@pytest.mark.parametrize(
    "options",
    [{"maxiter": 10**30}, {"threads": 10**20}, {"check_every": 10**30}, {"rtol": 10**400}, {"max_seconds": 10**400}]
    + [{"maxiter": 10**5000}, {"depth": 10**19}, {"period": 10**19, "method": "scheduled"}],
)
def test_a_number_that_is_too_large_is_said_to_be(options):
    with pytest.raises(pyjacobi.UsageError, match="too large"):
        pyjacobi.solve(A, B, **options)
    with pytest.raises(pyjacobi.UsageError, match="domain holds a number that is too large"):
        pyjacobi.poisson((3, 3), domain=[(0, 10**400), (0, 1)])
    with pytest.raises(pyjacobi.UsageError, match="too large for float64"):
        pyjacobi.multigrid(pyjacobi.poisson((3, 3))) @ np.array([10**400] * 9, dtype=object)


def test_a_preconditioner_made_for_another_system_is_refused():
    grid = pyjacobi.poisson((15, 15))
    assert pyjacobi.solve(grid, np.ones(225), M=pyjacobi.multigrid(grid), method="cg").success
    with pytest.raises(pyjacobi.UsageError, match="made for 961 unknowns, A has 225"):
        pyjacobi.solve(grid, np.ones(225), M=pyjacobi.multigrid(pyjacobi.poisson((31, 31))))
    with pytest.raises(pyjacobi.UsageError, match=r"made for a grid of \(225,\), A has \(15, 15\)"):
        pyjacobi.Solver(grid, M=pyjacobi.multigrid(pyjacobi.poisson(225)))


def test_float_is_held_to_what_float_can_reach(rng):
    a, b = random_dense(rng, 40, np.float32), np.ones(40, np.float32)
    r = pyjacobi.solve(a, b)
    assert r.success and r.report.tolerance == pytest.approx(1e-4 * np.sqrt(40))
    assert pyjacobi.solve(a, b, rtol=1e-5).report.tolerance == pytest.approx(1e-5 * np.sqrt(40))
    assert pyjacobi.solve(a, b.astype(float)).report.tolerance == pytest.approx(1e-8 * np.sqrt(40))
    assert pyjacobi.solve(pyjacobi.poisson((15, 15), dtype=np.float32), np.ones(225, np.float32)).success


def test_sparse_matrices_that_were_spoiled_are_found_out_before_scipy_converts_them():
    for form in ("csc", "coo", "bsr"):
        for name, wrong in (("indices", 99), ("indptr", -5), ("row", 99), ("col", -3)):
            spoiled = sparse.coo_array(A).asformat(form)
            if not hasattr(spoiled, name):
                continue
            getattr(spoiled, name)[-1] = wrong
            for call in (
                lambda s=spoiled: pyjacobi.solve(s, B),
                lambda s=spoiled: pyjacobi.relaxation.jacobi(s, B.copy(), B),
                lambda s=spoiled: pyjacobi.linalg.cg(s, B, M=np.eye(2)),
            ):
                with pytest.raises(pyjacobi.UsageError, match="not a sound"):
                    call()


def test_a_callback_that_spoils_the_structure_spoils_nothing(rng):
    for name, value in (("indices", 2**31 - 1), ("indptr", -1), ("data", 0.0)):
        matrix = random_csr(rng, 200)

        def spoil(check, matrix=matrix, name=name, value=value):
            getattr(matrix, name)[...] = value

        pyjacobi.solve(matrix, np.ones(200), method="plain", callback=spoil, maxiter=50, on_failure="ignore")

    matrix = random_csr(rng, 200)
    solver, expected = pyjacobi.Solver(matrix, "plain"), pyjacobi.solve(matrix, np.ones(200), method="plain").x
    matrix.indices[...], matrix.indptr[...] = 2**31 - 1, -1
    assert np.array_equal(solver.solve(np.ones(200)).x, expected)


def test_the_cuda_backend_says_that_it_is_not_here():
    with pytest.raises(pyjacobi.BackendError, match="cuda"):
        pyjacobi.solve(A, B, backend="cuda")


def test_a_zero_diagonal_is_named_where_sweeps_meet_it():
    with pytest.raises(pyjacobi.InputError, match="ZeroDiagonal"):
        pyjacobi.solve(np.array([[0.0, 1.0], [1.0, 0.0]]), B, method="plain")


def test_a_right_hand_side_without_a_solution_is_refused():
    ring = pyjacobi.poisson(8, bc="periodic").tocsr()
    with pytest.raises(pyjacobi.InputError):
        pyjacobi.solve(ring, np.ones(8))


@pytest.mark.parametrize(
    "make",
    [
        lambda: pyjacobi.poisson((0, 3)),
        lambda: pyjacobi.poisson((2, 2, 2, 2)),
        lambda: pyjacobi.poisson("many"),
        lambda: pyjacobi.poisson((3, 3), spacing=-1.0),
        lambda: pyjacobi.poisson((3, 3), spacing=(1.0, 2.0, 3.0)),
        lambda: pyjacobi.poisson((3, 3), spacing=1.0, domain=(0, 1)),
        lambda: pyjacobi.poisson((3, 3), domain=(1, 0)),
        lambda: pyjacobi.poisson((3, 3), bc={"z": "periodic"}),
        lambda: pyjacobi.poisson((3, 3), bc={"x-": "periodic"}),
        lambda: pyjacobi.poisson((3, 3), bc={"x": "robin"}),
        lambda: pyjacobi.poisson((3, 3), bc={"x-": ("neumann", [1.0, 2.0])}),
        lambda: pyjacobi.poisson((3, 3), bc=7),
        lambda: pyjacobi.poisson((3, 3), reaction=-1.0),
        lambda: pyjacobi.poisson((3, 3), dtype=complex),
        lambda: pyjacobi.diffusion(np.zeros((5, 5))),
        lambda: pyjacobi.diffusion(np.ones((2, 2))),
        lambda: pyjacobi.diffusion(np.ones((5, 5)), reaction=np.ones(4)),
        lambda: pyjacobi.stencil(3, 0.0, [1.0, 1.0]),
        lambda: pyjacobi.stencil(3, 2.0, [1.0]),
        lambda: pyjacobi.stencil(3, 2.0, {"y-": 1.0}),
        lambda: pyjacobi.stencil(3, np.ones(4), [1.0, 1.0]),
        lambda: pyjacobi.smoother(A, "gauss-seidel"),
        lambda: pyjacobi.smoother(A, sweeps=0),
        lambda: pyjacobi.smoother(np.array([[0.0, 1.0], [1.0, 1.0]])),
        lambda: pyjacobi.multigrid(pyjacobi.poisson((9, 9)), cycle="F"),
        lambda: pyjacobi.multigrid(pyjacobi.poisson((9, 9)), post=0),
        lambda: pyjacobi.multigrid(A),
        lambda: pyjacobi.Sweeper(A, "cg"),
        lambda: pyjacobi.Sweeper(A).advance(1),
        lambda: pyjacobi.diagnose(A, np.ones((2, 2))),
        lambda: pyjacobi.diagnose(A, cholesky="maybe"),
        lambda: pyjacobi.linalg.cg(A, np.ones(3)),
        lambda: pyjacobi.linalg.cg(A, B, M=np.ones((3, 3))),
        lambda: pyjacobi.linalg.cg(A, B, rtol=-1.0),
        lambda: pyjacobi.relaxation.jacobi(sparse.csr_array(A), np.zeros(3), B),
        lambda: pyjacobi.relaxation.jacobi(sparse.csr_array(A), np.zeros(2, np.float32), B),
        lambda: pyjacobi.relaxation.jacobi(sparse.csr_array(A), np.zeros(4)[::2], B),
    ],
)
def test_what_cannot_be_made_is_an_exception_in_words(make):
    with pytest.raises((ValueError, TypeError)) as caught:
        make()
    assert len(str(caught.value)) > 10


_numbers = st.one_of(st.floats(width=32), st.integers(-3, 3), st.just(math.inf), st.just(math.nan))


@settings(max_examples=5_000 if "PYJACOBI_ALL" in os.environ else 300, deadline=None, derandomize=True)
@given(
    n=st.integers(0, 5),
    m=st.integers(0, 5),
    values=st.lists(_numbers, min_size=1, max_size=6),
    dtype=st.sampled_from([np.float32, np.float64, np.int64, np.complex64, np.float16, ">f8", np.bool_]),
    b_shape=st.sampled_from([(), (1,), (2,), (3, 1), (4, 2), (5,), (0,)]),
    form=st.sampled_from(["C", "F", "csr", "coo", "strided"]),
    method=st.sampled_from(["auto", "plain", "cg", "bicgstab", "chebyshev", "anderson", "multigrid"]),
)
def test_no_call_crashes(n, m, values, dtype, b_shape, form, method):
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        matrix = np.resize(np.array(values, float), (n, m)).astype(dtype)
        b = np.resize(np.array(values[::-1], float), b_shape)
        try:
            if form == "F":
                matrix = np.asfortranarray(matrix)
            elif form == "strided":
                matrix = np.repeat(matrix, 2, axis=1)[:, ::2]
            elif form in ("csr", "coo"):
                matrix = sparse.coo_array(matrix).asformat(form)
            result = pyjacobi.solve(matrix, b, method=method, maxiter=50)
        except (ValueError, TypeError, pyjacobi.BackendError):
            return
        assert result.x.shape == b.shape


def test_random_systems_do_not_warn(rng):
    for n in (3, 30):
        assert pyjacobi.solve(random_dense(rng, n), np.ones(n)).success
        assert pyjacobi.solve(random_csr(rng, n), np.ones(n)).success


@pytest.mark.parametrize("bc", [{"x": ("neumann", 1, 2)}, {"x": ()}, {"x": "neumann", "x-": "dirichlet"}])
def test_a_side_is_said_once_and_as_a_pair(bc):
    with pytest.raises(pyjacobi.UsageError, match="is needed|given twice"):
        pyjacobi.poisson((4, 4), bc=bc)


def test_one_coefficient_goes_to_every_neighbour():
    assert np.array_equal(pyjacobi.stencil((4, 5), 4.0, -1.0).toarray(), pyjacobi.poisson((4, 5), spacing=1.0).toarray())


@pytest.mark.parametrize(("there", "here"), [("gauss-seidel", "red-black"), ("GMRES", "bicgstab"), ("weigthed", "weighted")])
def test_a_name_of_other_libraries_gets_the_name_here(there, here):
    with pytest.raises(pyjacobi.UsageError, match=f"did you mean '{here}'"):
        pyjacobi.solve(A, B, method=there)


@pytest.mark.parametrize("unit", [1e-200, 1e-160, 1.0, 1e160, 1e200, 1e300])
@pytest.mark.parametrize("M", [None, np.eye(40) / 4])
@pytest.mark.parametrize("method", [pyjacobi.linalg.cg, pyjacobi.linalg.bicgstab])
def test_solved_is_said_in_every_unit_of_b_of_a_solution_alone(method, M, unit):
    T = np.diag(np.full(40, 4.0)) - np.eye(40, k=1) - np.eye(40, k=-1)
    rhs = np.ones(40) * unit
    x, info = method(T, rhs, rtol=1e-8, M=M)
    assert info == 0
    assert np.linalg.norm(T @ (x / unit) - 1) <= 1.01e-8 * math.sqrt(40)


@pytest.mark.parametrize("method", [pyjacobi.linalg.cg, pyjacobi.linalg.bicgstab])
def test_solved_in_float_is_said_of_the_residual_in_double(method, rng):
    for n in (1, 2, 30):
        for _ in range(30):
            S = rng.standard_normal((n, n))
            S = (S @ S.T + n * np.eye(n)).astype(np.float32)
            rhs = rng.standard_normal(n).astype(np.float32)
            x, info = method(S, rhs, rtol=3e-7, M=np.eye(n, dtype=np.float32))
            left = np.linalg.norm(rhs.astype(float) - S.astype(float) @ x.astype(float))
            assert info != 0 or left <= 3e-7 * np.linalg.norm(rhs.astype(float)) * (1 + 1e-12)


@pytest.mark.parametrize("ask", [pyjacobi.solve, pyjacobi.predict, lambda A, b: pyjacobi.Solver(A).solve(b)])
def test_no_right_hand_side_is_no_right_hand_side_of_ones(ask):
    with pytest.raises(TypeError, match=r"\bb\b"):
        ask(A, None)


MASKED = np.ma.masked_array(B, mask=[False, True])


@pytest.mark.parametrize(
    "call",
    [
        lambda: pyjacobi.linalg.cg(A, MASKED),
        lambda: pyjacobi.linalg.bicgstab(A, B, MASKED),
        lambda: pyjacobi.linalg.cg(np.ma.masked_array(A), B),
        lambda: pyjacobi.linalg.cg(A, B, M=np.ma.masked_array(A)),
        lambda: pyjacobi.relaxation.jacobi(sparse.csr_array(A), MASKED, B),
        lambda: pyjacobi.relaxation.jacobi(sparse.csr_array(A), np.ones(2), MASKED),
        lambda: pyjacobi.relaxation.jacobi(np.ma.masked_array(A), np.ones(2), B),
        lambda: pyjacobi.smoother(np.ma.masked_array(A)),
        lambda: pyjacobi.smoother(A).matvec(MASKED),
        lambda: pyjacobi.smoother(A).matmat(np.ma.masked_array(A)),
        lambda: pyjacobi.smoother(A).relax(A, MASKED, B),
        lambda: pyjacobi.smoother(A).relax(A, np.ones(2), MASKED),
        lambda: pyjacobi.poisson(2).matvec(MASKED),
        lambda: pyjacobi.amg(sparse.csr_array(A), near_null=np.ma.masked_array(A)),
    ],
)
def test_masked_arrays_are_refused_everywhere(call):
    with pytest.raises(TypeError, match="masked array: fill it first"):
        call()
