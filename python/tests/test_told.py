"""Whatever ends a call, it tells how far it got, and whom it concerns."""

from __future__ import annotations

import copy
import pickle
import warnings

import numpy as np
import pyjacobi
import pytest

GRID = pyjacobi.poisson((31, 31))
B = np.ones((31, 31))



def solves_badly():
    return pyjacobi.solve(GRID, B, method="plain", maxiter=3)


def bound_solves_badly():
    return pyjacobi.Solver(GRID, "plain").solve(B, maxiter=3)


@pytest.mark.parametrize("call", [solves_badly, bound_solves_badly])
def test_a_warning_names_the_line_that_called_and_has_the_result(call):
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        result = call()
    assert len(told) == 1 and told[0].category is pyjacobi.ConvergenceWarning
    assert (told[0].filename, told[0].lineno) == (__file__, call.__code__.co_firstlineno + 1)
    assert told[0].message.result is result and result.nit == 3
    with pytest.raises(pyjacobi.ConvergenceWarning) as caught:  # as errors, which pyproject.toml makes of them
        call()
    assert np.array_equal(caught.value.result.x, result.x)
    assert np.array_equal(pickle.loads(pickle.dumps(caught.value)).result.x, result.x)


FORKED = [
    lambda: pyjacobi.solve(GRID, B, threads=2),
    lambda: pyjacobi.Solver(GRID, threads=2),
    lambda: pyjacobi.Sweeper(GRID, threads=2),
    lambda: pyjacobi.smoother(GRID, threads=2),
    lambda: pyjacobi.Heat(GRID, 1.0, 0.1, threads=2),
    lambda: pyjacobi.predict(GRID, B, threads=2),
]


@pytest.mark.parametrize("call", FORKED)
def test_the_warning_of_a_fork_names_it_too(call, monkeypatch):
    monkeypatch.setattr("pyjacobi._options._made_in", -1)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        call()
    assert told and all((w.filename, w.lineno) == (__file__, call.__code__.co_firstlineno) for w in told)


class Third:
    """Interrupts when it is called for the third time."""

    def __init__(self):
        self.calls = 0

    def __call__(self, *_):
        self.calls += 1
        if self.calls == 3:
            raise KeyboardInterrupt


@pytest.mark.parametrize("with_m", [False, True])
@pytest.mark.parametrize("method", ["cg", "bicgstab"])
def test_an_interrupt_leaves_the_iterate_with_an_m_and_without(method, with_m):
    M = pyjacobi.smoother(GRID) if with_m else None
    seen = []
    third = Third()

    def look(x):
        seen.append(x)
        third()

    with pytest.raises(pyjacobi.Interrupted) as caught:
        getattr(pyjacobi.linalg, method)(GRID, B.ravel(), M=M, callback=look)
    result = caught.value.result
    assert result.status == "interrupted" and result.info > 0 and result.method == method
    if with_m:
        assert np.array_equal(result.x, seen[-1]) and result.nit == (3 if method == "cg" else 6)
        norm = np.linalg.norm(B.ravel() - GRID @ result.x)
        assert result.report.norm_final == pytest.approx(norm, rel=1e-6) and "3 iterations" in str(result)
        assert result.to_dict()["sweeps"] == result.nit and result._repr_html_() and len(result.history) == 0
    again = pickle.loads(pickle.dumps(caught.value)).result
    assert np.array_equal(again.x, result.x) and repr(again.report) == repr(result.report)


def test_an_interrupt_before_the_first_iterate_has_no_result():
    def product(x):
        raise KeyboardInterrupt

    M = pyjacobi.linalg.aslinearoperator(np.eye(961))
    M.matvec = product
    with pytest.raises(pyjacobi.Interrupted) as caught:
        pyjacobi.linalg.cg(GRID, B.ravel(), M=M)
    assert caught.value.result is None


def test_an_interrupt_in_a_callback_of_heat_is_one_too():
    heat = pyjacobi.Heat(pyjacobi.poisson(9), 1.0, 0.25)
    with pytest.raises(pyjacobi.Interrupted, match=r"t = 0\.75, u has it"):
        heat.run(9, callback=Third())
    assert heat.time == 0.75


def test_false_ends_a_run_of_heat_as_it_ends_a_solve():
    heat = pyjacobi.Heat(pyjacobi.poisson(9), 1.0, 0.25)
    before = heat.content
    report = heat.run(100, callback=lambda time, u: np.bool_(time < 1.5), every=2)
    assert report.status == "interrupted" and "interrupted" in report.to_text()
    assert report.steps == 6 and report.content_initial == before and report.content_final == heat.content
    assert heat.run(2, callback=lambda time, u: False, every=2).status == "finished"  # there was no step left
    assert heat.run(2, callback=lambda time, u: None).status == "finished"


def test_the_report_of_heat_is_of_all_steps_however_often_it_was_shown():
    reports = []
    for every in (10, 3):
        heat = pyjacobi.Heat(pyjacobi.poisson((9, 9)), 1.0, 0.01)
        reports.append(heat.run(10, callback=lambda time, u: None, every=every))
    for name in ("status", "steps", "sweeps", "cycles", "content_initial", "content_final", "time", "notes"):
        assert getattr(reports[0], name) == getattr(reports[1], name), name
    assert reports[1].lups > 0 and reports[1].seconds > 0


@pytest.mark.parametrize("make", [lambda: pyjacobi.solve(GRID, B).report, lambda: pyjacobi.Heat(GRID, 1.0, 0.1).run(2)])
def test_reports_are_copied_pickled_and_shown(make):
    report = make()
    names = [name for name in dir(report) if not name.startswith("_") and not callable(getattr(report, name))]
    assert len(names) > 15 and repr(report).startswith("<pyjacobi.") and report.status in repr(report)
    for again in (pickle.loads(pickle.dumps(report)), copy.copy(report), copy.deepcopy(report)):
        assert repr(again) == repr(report)
        assert again.to_text() == report.to_text() and again.to_json() == report.to_json()
        for name in names:
            assert np.array_equal(getattr(again, name), getattr(report, name)), name
        assert repr(pickle.loads(pickle.dumps(again))) == repr(report)


def test_a_result_is_a_pair_that_can_be_copied():
    result = pyjacobi.solve(GRID, B)
    assert isinstance(result, tuple) and result[1] == result.info == 0 and result == result and hash(result)
    again = copy.deepcopy(result)
    assert again != result and not result != result  # by identity, as arrays have no one truth
    assert np.array_equal(again.x, result.x) and again.x is not result.x and str(again) == str(result)
    assert copy.copy(result).x is result.x
    match result:
        case (x, 0):
            assert x is result.x


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: pyjacobi.smoother(GRID, "l1"), "smoother l1 is for sparse matrices"),
        (lambda: pyjacobi.smoother(np.eye(3), "l1"), "smoother l1 is for sparse matrices"),
        (lambda: pyjacobi.poisson((4, 4), bc={"y+": ("neumann", [1.0, 2.0])}), r"side y\+ has 4 points"),
        (lambda: pyjacobi.poisson((4, 4), bc={"x-": ("dirichlet", np.inf)}), "of side x- is inf"),
        (lambda: pyjacobi.poisson((3, 3, 4), bc={"z-": ("dirichlet", np.inf)}), "of side z- is inf"),
        (lambda: pyjacobi.stencil((3, 3), 4.0, {"y-": np.full((3, 3), np.nan)}), "NonFiniteCoefficient: y- of point"),
        (lambda: pyjacobi.multigrid(pyjacobi.stencil((9, 9), 4.0, {"x+": 1.0})), "towards x- of all points"),
    ],
)
def test_words_are_those_of_the_call(call, words):
    with pytest.raises(ValueError, match=words):
        call()


def test_coordinates_of_another_type_are_refused_in_words():
    for make in (lambda: pyjacobi.poisson(9, coordinates=np.ones(3)), lambda: pyjacobi.diffusion(B, coordinates=3)):
        with pytest.raises(TypeError, match="coordinates=.*: a string is needed"):
            make()


def test_data_of_two_dimensions_is_named():
    A = GRID.tocsr()
    A.data = A.data.reshape(-1, 1)
    with pytest.raises(pyjacobi.UsageError, match=r"A\.data has shape .*: one dimension is needed"):
        pyjacobi.solve(A, B.ravel())


FLOAT = pyjacobi.poisson(9, dtype=np.float32)
LARGE = np.full(9, 1e60)


@pytest.mark.parametrize(
    "call",
    [
        lambda: pyjacobi.Solver(FLOAT).solve(LARGE),
        lambda: pyjacobi.Solver(FLOAT).solve(np.ones(9), LARGE),
        lambda: pyjacobi.Sweeper(FLOAT).load(LARGE),
        lambda: pyjacobi.Heat(FLOAT, 1e60, 0.1),
        lambda: pyjacobi.Heat(FLOAT, 1.0, 0.1, f=LARGE),
        lambda: pyjacobi.poisson(9, dtype=np.float32, fix=LARGE > 0, fix_value=LARGE),
        lambda: pyjacobi.diffusion(LARGE).astype(np.float32),
        lambda: FLOAT @ LARGE,
        lambda: FLOAT.fold(LARGE),
        lambda: pyjacobi.smoother(FLOAT) @ LARGE,
    ],
)
def test_what_float_cannot_hold_is_refused_without_a_warning_of_numpy(call):
    with pytest.raises(pyjacobi.UsageError, match="too large for float32"):
        call()
