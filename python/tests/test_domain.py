"""Masks, fixed points and Robin sides."""

import pickle

import numpy as np
import pyjacobi
import pytest
import scipy.sparse.linalg as linalg


def disc(x, y):
    return (x - 0.5) ** 2 + (y - 0.5) ** 2 < 0.16


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("side", ["dirichlet", ("dirichlet", 0.5), "neumann"])
def test_a_mask_agrees_with_a_direct_solver(dtype, side):
    A = pyjacobi.poisson((21, 25), mask=disc, mask_side=side, fix=lambda x, y: abs(x - 0.5) + abs(y - 0.5) < 0.1,
                         fix_value=lambda x, y: x, dtype=dtype)
    b = np.ones(A.grid_shape, dtype)
    u, info = pyjacobi.solve(A, b, rtol=1e-10 if dtype == np.float64 else 1e-5)
    assert info == 0
    right = linalg.spsolve(A.tocsr().astype(float).tocsc(), A.fold(b).ravel().astype(float)).reshape(A.grid_shape)
    y, x = np.meshgrid(np.arange(1, 22) / 22, np.arange(1, 26) / 26, indexing="ij")
    fixed = abs(x - 0.5) + abs(y - 0.5) < 0.1
    unknown = disc(x, y) & ~fixed
    assert np.isnan(u[~disc(x, y) & ~fixed]).all()
    np.testing.assert_allclose(u[fixed], x[fixed], rtol=1e-6)
    np.testing.assert_allclose(u[unknown], right[unknown], rtol=1e-7 if dtype == np.float64 else 1e-3)


def test_arrays_and_functions_are_the_same():
    y, x = np.meshgrid(np.linspace(0, 1, 20), np.linspace(0, 2, 33)[1:-1], indexing="ij")
    options = dict(domain=((0, 1), (0, 2)), bc={"y": "neumann"})
    A = pyjacobi.poisson(x.shape, mask=lambda x, y: x + y < 2, **options)
    B = pyjacobi.poisson(x.shape, mask=x + y < 2, **options)
    assert (A.toarray() == B.toarray()).all()
    C = pickle.loads(pickle.dumps(B))
    assert (C.toarray() == B.toarray()).all()
    assert C.astype(np.float32).dtype == np.float32


def test_robin_sides_are_exact_for_what_is_linear():
    A = pyjacobi.poisson((17, 17), bc={"x-": ("robin", 2.0, 0.0), "x+": ("robin", np.ones(17), 5.0), "y": "neumann"})
    u = pyjacobi.solve(A, np.zeros(A.grid_shape), rtol=1e-12).x
    np.testing.assert_allclose(u, np.broadcast_to(1 + 2 * np.linspace(0, 1, 17), (17, 17)), atol=1e-9)


def lower(x, y):
    return y < 0.5


def in_parts(**options):
    """A side that is held below, takes up heat in the middle and lets a flux in above."""
    middle = ("robin", 2.0, lambda x, y: y, lambda x, y: y < 0.7)
    parts = [("dirichlet", lambda x, y: 1 + y, lower), middle, ("neumann", 3.0)]
    return pyjacobi.poisson((19, 17), bc={"x-": parts, "y": "neumann"}, **options)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_a_side_in_parts_agrees_with_whole_sides_and_points_held(dtype):
    y = np.linspace(0, 1, 19)
    middle, above = (y >= 0.5) & (y < 0.7), y >= 0.7
    held = np.zeros((19, 17), bool)
    held[y < 0.5, 0] = True
    whole = pyjacobi.poisson((19, 17), bc={"x-": ("robin", 2.0 * middle, y * middle + 3.0 * above), "y": "neumann"},
                             fix=held, fix_value=np.where(held, 1 + y[:, None], 0), dtype=dtype)
    parts = in_parts(dtype=dtype)
    b = np.ones(whole.grid_shape, dtype)
    assert (parts.toarray() == whole.toarray()).all()
    np.testing.assert_allclose(parts.fold(b), whole.fold(b), rtol=1e-6)
    assert (pyjacobi.solve(parts, b).x[y < 0.5, 0] == (1 + y[y < 0.5]).astype(dtype)).all()


def test_parts_are_arrays_functions_or_both_in_each_dimension():
    line = pyjacobi.poisson(8, bc={"x-": [("dirichlet", 2.0, lambda x: x == 0), "neumann"]})
    np.testing.assert_allclose(pyjacobi.solve(line, np.zeros(8), rtol=1e-12).x, 2 - np.arange(8) / 4, atol=1e-10)
    where = np.add.outer(np.arange(5), np.arange(7)) < 6  # of z, y
    block = pyjacobi.poisson((5, 7, 6), spacing=1.0, bc={"x+": [("dirichlet", 3.0, where), "neumann"]})
    by_function = [("dirichlet", 3.0, lambda x, y, z: (z - 1) + (y - 1) + (x - 6) < 6), ("neumann", 0)]
    same = pyjacobi.poisson((5, 7, 6), spacing=1.0, bc={"x+": by_function})
    u = pyjacobi.solve(block, np.zeros(block.grid_shape)).x
    assert ((u[:, :, -1] == 3) == where).all()
    np.testing.assert_array_equal(u, pyjacobi.solve(same, np.zeros(block.grid_shape)).x)


def test_values_of_whole_sides_may_be_functions():
    y = np.arange(1, 20) / 20
    A = pyjacobi.poisson((19, 17), bc={"x-": ("dirichlet", lambda x, y: x + y), "x+": ("neumann", lambda x, y: x * y)})
    B = pyjacobi.poisson((19, 17), bc={"x-": ("dirichlet", y), "x+": ("neumann", y)})
    np.testing.assert_allclose(A.fold(np.zeros(A.grid_shape)), B.fold(np.zeros(A.grid_shape)), rtol=1e-13)


def test_diffusion_and_heat_take_sides_in_parts_and_operators_are_pickled():
    bc = {"x-": [("dirichlet", 1.0, lower), "neumann"], "y": "neumann"}
    A = pyjacobi.diffusion(np.full((21, 21), 2.0), bc=bc)
    heat = pyjacobi.Heat(A, 0.0, dt=0.05, theta=1.0)
    heat.run(200)
    still = pyjacobi.solve(A, np.zeros(A.grid_shape), rtol=1e-10).x
    np.testing.assert_allclose(heat.u, still, atol=1e-4)
    assert (heat.u[:10, 0] == 1).all()
    again = pickle.loads(pickle.dumps(in_parts()))
    assert (again.toarray() == in_parts().toarray()).all()
    assert again.astype(np.float32).dtype == np.float32


def test_a_solver_and_columns_take_a_domain():
    A = pyjacobi.poisson((15, 15), mask=disc)
    b = np.random.default_rng(3).standard_normal((15, 15))
    one = pyjacobi.solve(A, b)
    assert one.report.unknowns == int((~np.isnan(one.x)).sum())
    assert any("lie outside" in note for note in one.notes)
    again = pyjacobi.Solver(A).solve(b).x
    np.testing.assert_array_equal(np.isnan(again), np.isnan(one.x))
    np.testing.assert_allclose(again, one.x, atol=1e-7)
    two = pyjacobi.solve(A, np.stack([b.ravel(), 2 * b.ravel()], axis=1)).x
    np.testing.assert_allclose(two[:, 1], 2 * one.x.ravel(), atol=1e-7)


def test_pockets_are_told_and_projected():
    A = pyjacobi.poisson((31, 31), mask=disc, mask_side="neumann")
    with pytest.raises(pyjacobi.InputError, match="must have mean 0"):
        pyjacobi.solve(A, np.ones(A.grid_shape))
    result = pyjacobi.solve(A, np.ones(A.grid_shape), project_rhs=True)
    assert result.success and any("as asked" in note for note in result.notes)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (dict(mask=np.ones((3, 3))), "shape"),
        (dict(mask=np.full((4, 5), np.nan)), "NaN"),
        (dict(mask=np.zeros((4, 5))), "none of the 20 points"),
        (dict(mask_side="neumann"), "goes with a mask"),
        (dict(mask=disc, mask_side="open"), "mask_side"),
        (dict(fix_value=1.0), "goes with fix"),
        (dict(bc={"x-": ("robin", 1.0)}), "robin"),
        (dict(bc={"x-": ("robin", None, 0.0)}), "robin needs both numbers"),
        (dict(bc={"x-": ("robin", -1.0, 0.0)}), "alpha"),
        (dict(bc={"x-": ("robin", np.ones(3), 0.0)}), "points"),
        (dict(bc={"x-": ("dirichlet", 1.0, lower)}), "list of parts"),
        (dict(bc={"x-": [("dirichlet", 1.0, lower)]}), "says nothing of point .* of side x-"),
        (dict(bc={"x-": [("dirichlet", 1.0, np.ones(3)), "neumann"]}), "the points of side x-"),
        (dict(bc={"x-": [("dirichlet", 1.0, [np.nan] * 4), "neumann"]}), "NaN"),
        (dict(bc={"x-": [("neumann", 1.0, lower, 2)]}), "where"),
        (dict(bc={"x-": [("robin", 1.0, 0.0, lower), ("robin", -1.0, 0.0)]}), "alpha"),
        (dict(bc={"x": [("periodic",)]}), "both sides"),
    ],
)
def test_what_cannot_be_is_said(options, words):
    with pytest.raises(ValueError, match=words):
        pyjacobi.poisson((4, 5), **options)
