"""Grids whose points are not spaced equally, and grids around an axis."""

import pickle

import numpy as np
import pyjacobi
import pytest
import scipy.sparse.linalg as linalg


def stretched(n):
    return np.linspace(0, 1, n) ** 1.5


def error(n):
    x, y = stretched(n), np.sinh(2 * np.linspace(0, 1, n)) / np.sinh(2)
    A = pyjacobi.poisson(axes=(x, y))
    X, Y = np.meshgrid(x[1:-1], y[1:-1])
    exact = np.sin(np.pi * X) * np.sin(np.pi * Y)
    return abs(pyjacobi.solve(A, A.volumes * 2 * np.pi**2 * exact, rtol=1e-10).x - exact).max()


def test_a_stretched_grid_is_of_second_order():
    assert np.log2(error(17) / error(33)) == pytest.approx(2, abs=0.15)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_a_stretched_grid_agrees_with_a_direct_solver(dtype):
    A = pyjacobi.poisson((21, 25), axes={"x": stretched(27)}, dtype=dtype, bc={"y-": ("neumann", 1.0)})
    b = A.volumes * np.ones(A.grid_shape, dtype)
    u = pyjacobi.solve(A, b, rtol=1e-10 if dtype == np.float64 else 1e-5).x
    right = linalg.spsolve(A.tocsr().astype(float).tocsc(), A.fold(b).ravel().astype(float)).reshape(A.grid_shape)
    np.testing.assert_allclose(u, right, rtol=1e-7 if dtype == np.float64 else 2e-3)


def test_axes_by_name_or_in_order_with_or_without_shape_are_the_same():
    x, y = stretched(9), stretched(12)
    A = pyjacobi.poisson(axes=(x, y))
    for B in (pyjacobi.poisson((10, 7), axes={"x": x, "y": y}), pickle.loads(pickle.dumps(A)), A.astype(np.float64)):
        assert A.grid_shape == B.grid_shape == (10, 7)
        assert (A.toarray() == B.toarray()).all()
        assert (A.volumes == B.volumes).all()
    assert A.volumes.sum() == pytest.approx(70, rel=0.3)


def test_a_grid_without_axes_has_volumes_of_one():
    assert (pyjacobi.poisson((3, 4)).volumes == 1).all()


def test_masks_see_the_true_coordinates():
    x = stretched(33)
    A = pyjacobi.poisson(axes=(x, x), mask=lambda x, y: x + y < 1.2)
    u = pyjacobi.solve(A, A.volumes).x
    X, Y = np.meshgrid(x[1:-1], x[1:-1])
    assert (np.isnan(u) == (X + Y >= 1.2)).all()


def test_around_an_axis_nothing_is_given_at_radius_0():
    r, z = stretched(33), np.linspace(0, 1, 17)
    A = pyjacobi.poisson(axes=(r, z), coordinates="cylindrical", bc={"y": "neumann"})
    assert A.grid_shape == (17, 32)
    u = pyjacobi.solve(A, A.volumes, rtol=1e-11).x
    np.testing.assert_allclose(u, np.broadcast_to((1 - r[:-1] ** 2) / 4, (17, 32)), atol=2e-4)


def test_diffusion_takes_axes_robin_sides_and_points_held():
    r = np.linspace(1, 2, 33)
    k = np.full((1 + 32, 33), 3.0)
    A = pyjacobi.diffusion(
        k, axes=(r, np.linspace(0, 2, 33)), coordinates="cylindrical",
        bc={"x-": ("dirichlet", 1.0), "x+": ("robin", 2.0, 0.0), "y": "neumann"},
    )
    u = pyjacobi.solve(A, np.zeros(A.grid_shape), rtol=1e-11).x
    slope = -1 / (np.log(2) + 3 / (2 * 2))  # k u' + 2 u = 0 at r = 2
    np.testing.assert_allclose(u, np.broadcast_to(1 + slope * np.log(r[1:]), u.shape), atol=1e-4)
    B = pyjacobi.diffusion(np.ones((19, 19)), fix=lambda x, y: abs(x - 0.5) < 0.1, fix_value=2.0)
    assert (pyjacobi.solve(B, np.zeros(B.grid_shape)).x[:, 8] == 2).all()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (dict(axes=([0, 0.5, 0.4, 1],)), "increase"),
        (dict(axes=([0, np.nan, 0.4, 1],)), "finite"),
        (dict(shape=3, axes=([0, 0.5, 1.0],)), "3 coordinates of x for 5 points"),
        (dict(shape=3, axes={"y": [0, 0.5, 1.0]}), "this grid has x"),
        (dict(shape=3, axes={"r": [0, 0.5, 1.0]}), "take 'x'"),
        (dict(axes={"y": [0, 0.5, 1.0]}), "all directions"),
        (dict(), "give shape"),
        (dict(shape=(3, 3), coordinates="polar"), "begins at 0"),
        (dict(shape=3, coordinates="spherical"), "spherical"),
        (dict(shape=3, domain=(-1, 1), coordinates="cylindrical"), ">= 0"),
        (dict(shape=3, coordinates="cylindrical", bc={"x-": "dirichlet"}), "nothing flows"),
    ],
)
def test_what_cannot_be_meant_is_said(options, words):
    with pytest.raises(pyjacobi.Error, match=words):
        pyjacobi.poisson(**options)
