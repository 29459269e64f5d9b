"""A system bound once: Solver, and Sweeper for who wants to see every sweep."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ._arrays import System, as_system, core, sees_changes, vectors
from ._errors import Interruptible, UsageError
from ._memory import as_array, in_namespace_of, real_dtype
from ._options import Bar, Exclusive, make_backend, make_progress, make_request, make_stop, number, shown, text, whole
from ._result import Result
from ._solve import Check, check_on_failure, conclude, watcher


class Solver:
    """A matrix laid out once, solved for as many right-hand sides as wanted.

    Calls from several threads wait for each other.

    Parameters
    ----------
    A, method, omega, period, depth, rung, matrix_precision, recognise_grids, M, backend, threads, diagonal, bounds
        As of `solve`. Values of A are read where they lie; indices are copied. Computed is in the dtype of A alone.
    rtol, atol, norm, reference : optional
        The stopping test of all solves, which each may replace; method auto chooses for it.

    Examples
    --------
    >>> import numpy as np, pyjacobi
    >>> A = pyjacobi.poisson((31, 31))
    >>> solver = pyjacobi.Solver(A)
    >>> u = np.zeros((31, 31))
    >>> for step in range(3):
    ...     u = solver.solve(np.ones((31, 31)), u).x
    """

    def __init__(
        self,
        A: Any,
        method: str = "auto",
        *,
        rtol: float | None = None,
        atol: float = 0.0,
        norm: str = "auto",
        reference: str = "rhs",
        omega: float | None = None,
        period: int | None = None,
        depth: int | None = None,
        rung: str | None = None,
        matrix_precision: str | None = None,
        recognise_grids: bool = True,
        M: Any = None,
        backend: str | None = None,
        threads: int | None = None,
        diagonal: Any = None,
        bounds: tuple[float, float] | None = None,
    ) -> None:
        options: dict[str, Any] = dict(
            method=method,
            omega=omega,
            period=period,
            depth=depth,
            rung=rung,
            matrix_precision=matrix_precision,
            recognise_grids=recognise_grids,
            M=M,
        )
        self._stop_defaults: dict[str, Any] = dict(rtol=rtol, atol=atol, norm=norm, reference=reference)
        self._known: dict[str, Any] = dict(diagonal=diagonal, bounds=bounds)
        self._options = options
        self._recipe = (A, {**options, **self._known}, self._stop_defaults, backend, threads)
        self._lock = Exclusive()
        self._system, self._bound = self._made()

    def _bind_again(self, needed: bool = True) -> None:
        if needed:
            self._system, self._bound = self._made()

    def _made(self) -> tuple[System, Any]:
        """A as it is now, and bound."""
        A, _, stop_defaults, backend, threads = self._recipe
        system = as_system(A, own_structure=True, products=True, **self._known)
        stop = make_stop(system.dtype, **stop_defaults, maxiter=None, max_seconds=None)
        ones = np.ones(system.rows, system.dtype)
        request = make_request(**self._options, system=system)
        on = make_backend(backend, threads)
        return system, core("Solver", system.dtype)(system.matrix, ones, request, stop, on)

    @property
    def method(self) -> str:
        """The method taken."""
        return str(self._bound.method)

    @property
    def reason(self) -> str:
        """Why; empty where the method was asked for."""
        return str(self._bound.reason)

    @property
    def shape(self) -> tuple[int, int]:
        return (self._system.rows, self._system.rows)

    @property
    def dtype(self) -> np.dtype[Any]:
        """Of A, and of every x: float32 or float64."""
        return self._system.dtype

    def solve(
        self,
        b: Any,
        x0: Any = None,
        *,
        rtol: float | None = None,
        atol: float | None = None,
        norm: str | None = None,
        reference: str | None = None,
        maxiter: int | None = None,
        max_seconds: float | None = None,
        check_every: int | None = None,
        callback: Callable[[Check], Any] | None = None,
        progress: Any = False,
        on_failure: str = "warn",
        out: Any = None,
        project_rhs: bool = False,
    ) -> Result:
        """Solve for one right-hand side, of shape (n,), (n, 1) or the grid's; as `pyjacobi.solve`.

        x has the `dtype` of the solver, which is that of A: of a float32 A a float64 b is rounded, and a note says so.
        """
        check_on_failure(on_failure)
        rhs = as_array("b", b)
        real_dtype("b", rhs.dtype)
        v = vectors(self._system, rhs, x0, out, bool(project_rhs))
        if v.many:
            raise UsageError(
                f"b has shape {rhs.shape}: a Solver takes one right-hand side; pyjacobi.solve takes several"
            )
        given = dict(rtol=rtol, atol=atol, norm=norm, reference=reference)
        chosen = {**self._stop_defaults, **{k: w for k, w in given.items() if w is not None}}
        limits: dict[str, Any] = dict(
            maxiter=maxiter, max_seconds=max_seconds, check_every=check_every, project_rhs=project_rhs
        )
        stop = make_stop(self._system.dtype, **chosen, **limits)
        seen = make_progress(progress)
        try:
            with self._lock as left:
                self._bind_again(left)
                report, pending = self._bound.solve(v.b, v.x, stop, watcher(callback, rhs.shape), seen)
        finally:
            if isinstance(seen, Bar):
                seen.close()
        v.finish(self._system, report)
        if real_dtype("b", rhs.dtype).itemsize > self.dtype.itemsize:
            report.add_note(f"b was rounded from {rhs.dtype} to {self.dtype}, which A of this Solver has")
        return conclude(v.answer if out is not None else in_namespace_of(b, v.answer), report, pending, on_failure)

    def values_changed(self) -> None:
        """To be called after values of A were changed; its structure must stay.

        Cost: a pass over A where the library reads the values that A has now. Else as a new Solver: of a format
        that was converted, of a dtype that was, of rows that were sorted, and where ``A.data`` is another array.
        """
        with self._lock as left:
            if left or not sees_changes(self._system, self._recipe[0]):
                self._bind_again()
            else:
                self._bound.values_changed()

    def tune(self, seconds: float = 1.0) -> float:
        """Try a few blockings for so long, keep a faster one; returns its speed over the one before."""
        told = number("seconds", seconds)
        if not 0 < told <= 3600:
            raise UsageError(f"seconds={shown(seconds)}: above 0 and at most an hour")
        with self._lock as left:
            self._bind_again(left)
            return float(self._bound.tune(np.ones(self._system.rows, self._system.dtype), told))

    def __reduce__(self) -> Any:
        return _solver, self._recipe

    def __repr__(self) -> str:
        return f"<pyjacobi.Solver: {self.method}, {self._system.rows} unknowns, {self._system.dtype}>"


def _solver(A: Any, options: dict[str, Any], stop: dict[str, Any], backend: str | None, threads: int | None) -> Solver:
    return Solver(A, **options, **stop, backend=backend, threads=threads)


class Norms(NamedTuple):
    """2-norm and largest magnitude of one vector."""

    l2: float
    max: float


class Sweeper:
    """Sweeps, one call at a time, without a stopping test: to be watched.

    Parameters
    ----------
    A : array, SciPy sparse matrix or Stencil
    method : str
        plain, weighted, l1, chebyshev, cyclic-chebyshev, red-black, scheduled or multigrid.
    omega, period, rung, recognise_grids, backend, threads
        As of `solve`.

    Examples
    --------
    >>> import numpy as np, pyjacobi
    >>> s = pyjacobi.Sweeper(np.array([[4.0, 1.0], [1.0, 3.0]]))
    >>> s.load(np.array([1.0, 2.0]))
    >>> s.advance(1).max
    0.6666666666666666
    >>> s.x
    array([0.25      , 0.66666667])
    """

    def __init__(
        self,
        A: Any,
        method: str = "plain",
        *,
        omega: float | None = None,
        period: int | None = None,
        rung: str | None = None,
        recognise_grids: bool = True,
        backend: str | None = None,
        threads: int | None = None,
    ) -> None:
        if text("method", method) in ("cg", "bicgstab", "anderson"):
            raise UsageError(
                f"method {method} has no weights known beforehand: Sweeper takes those that have; solve() all"
            )
        request = make_request(method, omega=omega, period=period, rung=rung, recognise_grids=recognise_grids)
        self._lock = Exclusive()
        self._system = as_system(A, own_structure=True)
        self._shape: tuple[int, ...] = (self._system.rows,)
        self._recipe = request, backend, threads
        self._bind_again()

    def _bind_again(self, needed: bool = True) -> None:
        """Without an iterate."""
        if needed:
            request, backend, threads = self._recipe
            on = make_backend(backend, threads)
            self._sweeper = core("Sweeper", self._system.dtype)(self._system.matrix, request, on)

    def load(self, b: Any, x: Any = None) -> None:
        """Take a right-hand side and an iterate (default 0), both copied."""
        rhs = as_array("b", b)
        real_dtype("b", rhs.dtype)
        v = vectors(self._system, rhs, x, None)
        if v.many:
            raise UsageError(f"b has shape {rhs.shape}: sweeps are of one right-hand side")
        with self._lock as left:
            self._bind_again(left)
            self._sweeper.load(v.b, v.x)
        self._shape = rhs.shape

    def advance(self, sweeps: int = 1) -> Norms:
        """Make so many sweeps; returns the norms of the last update.

        Ctrl-C raises Interrupted, a KeyboardInterrupt; `x` and `sweeps` are then those of the sweeps that were made.
        """
        told = whole("sweeps", sweeps, 0)
        with self._lock as left:
            self._bind_again(left)
            before = self.sweeps
            with Interruptible(lambda: f"interrupted: {self.sweeps - before} of {told} sweeps were made, x has them"):
                return Norms(*self._sweeper.advance(told))

    def norms(self, of: str = "residual") -> Norms:
        """Norms of the residual b - A x, the last update, or the correction D^-1 (b - A x)."""
        with self._lock as left:
            self._bind_again(left)
            return Norms(*self._sweeper.norms(text("of", of)))

    @property
    def x(self) -> np.ndarray[Any, Any]:
        """A copy of the iterate, in the shape of b."""
        x = np.empty(self._system.rows, self._system.dtype)
        with self._lock as left:
            self._bind_again(left)
            self._sweeper.store(x)
        if self._system.has_domain:
            self._system.matrix.domain_finish(x)
        return x.reshape(self._shape)

    @property
    def sweeps(self) -> int:
        """Made since the last load."""
        return int(self._sweeper.sweeps)

    @property
    def method(self) -> str:
        return str(self._sweeper.method)

    @property
    def bytes_per_update(self) -> float:
        """What one new value should move."""
        return float(self._sweeper.bytes_per_update)

    def __reduce__(self) -> Any:
        raise TypeError("a Sweeper cannot be pickled: its iterate lies in memory of its own; pickle its x")

    def __repr__(self) -> str:
        return f"<pyjacobi.Sweeper: {self.method}, {self._system.rows} unknowns, {self.sweeps} sweeps made>"
