"""Diffusion in time."""

import numpy as np
import pyjacobi
import pytest


def half_waves(n):
    x = np.sin(np.pi * np.arange(1, n + 1) / (n + 1))
    return np.outer(x, x)


def eigenvalue(n):
    return 8 * (n + 1) ** 2 * np.sin(np.pi / (2 * n + 2)) ** 2


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize(
    ("options", "allowed"),
    [(dict(), 1e-4), (dict(theta=1.0), 2e-2), (dict(scheme="explicit"), 2e-2), (dict(step_tolerance=1e-6), 1e-4)],
)
def test_half_waves_decay(dtype, options, allowed):
    A = pyjacobi.poisson((15, 15), dtype=dtype)
    u = half_waves(15)
    heat = pyjacobi.Heat(A, u, 5e-4, threads=2, **options)
    report = heat.run(100)
    assert report.status == "finished" and heat.time == pytest.approx(0.05)
    assert report.content_final < report.content_initial
    right = np.exp(-eigenvalue(15) * 0.05) * u
    assert heat.u.dtype == dtype
    np.testing.assert_allclose(heat.u, right, rtol=allowed + 1e-3 * (dtype == np.float32))


def test_an_insulated_shape_keeps_its_heat():
    A = pyjacobi.poisson((25, 30), mask=lambda x, y: (x - 0.5) ** 2 + (y - 0.4) ** 2 < 0.1, mask_side="neumann")
    for scheme in ("implicit", "explicit"):
        heat = pyjacobi.Heat(A, np.linspace(0, 1, 30) * np.ones((25, 1)), 1e-4, scheme=scheme)
        before = heat.content
        heat.run(3000)
        assert heat.content == pytest.approx(before, rel=1e-12)
        assert np.isnan(heat.u[0, 0]) and np.nanmax(heat.u) - np.nanmin(heat.u) < 0.1


def test_a_steady_state_is_that_of_solve():
    k = np.random.default_rng(1).uniform(1, 3, (12, 14))
    A = pyjacobi.diffusion(k, bc={"x": "neumann"}, reaction=1.0)
    right = pyjacobi.solve(A, np.ones(A.grid_shape), rtol=1e-12).x
    heat = pyjacobi.Heat(A, 0.0, 0.1, f=1.0, theta=1.0)
    heat.run(300)
    np.testing.assert_allclose(heat.u, right, rtol=1e-6)


def test_a_callback_sees_times_and_ends_a_run():
    heat = pyjacobi.Heat(pyjacobi.poisson(9), 1.0, 0.25)
    seen = []

    def look(time, u):
        seen.append((time, u.shape))
        return time < 1.5

    heat.run(100, callback=look, every=2)
    assert seen == [(0.5, (9,)), (1.0, (9,)), (1.5, (9,))]
    assert heat.time == 1.5 and "t = 1.5" in repr(heat)
    with pytest.raises(ZeroDivisionError):
        heat.run(1, callback=lambda time, u: 1 / 0)


@pytest.mark.parametrize(
    ("change", "error", "words"),
    [
        (dict(dt=0.0), pyjacobi.UsageError, "above 0"),
        (dict(dt=np.nan), pyjacobi.UsageError, "dt is NaN"),
        (dict(theta=0.2), pyjacobi.UsageError, "Crank-Nicolson"),
        (dict(scheme="euler"), pyjacobi.UsageError, "'implicit' or 'explicit'"),
        (dict(scheme="explicit"), pyjacobi.UsageError, "largest that is stable here is 0.0"),
        (dict(u0=np.ones(4)), pyjacobi.UsageError, "u0 has shape"),
        (dict(f=np.full((5, 6), np.inf)), pyjacobi.InputError, "inf"),
        (dict(A=np.eye(3)), TypeError, "a grid is needed"),
        (dict(rtol=2.0), pyjacobi.UsageError, "between 0 and 1"),
    ],
)
def test_what_cannot_be_is_refused(change, error, words):
    given = dict(A=pyjacobi.poisson((5, 6)), u0=1.0, dt=0.1) | change
    with pytest.raises(error, match=words):
        pyjacobi.Heat(given.pop("A"), given.pop("u0"), given.pop("dt"), **given)
