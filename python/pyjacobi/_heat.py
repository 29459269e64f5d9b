"""Diffusion in time: Heat."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from . import _core
from . import _told as _told  # which lets reports be copied and pickled
from ._arrays import core
from ._errors import ConvergenceError, Interruptible, UsageError
from ._memory import as_array, held, laid_out, narrowed, real_dtype
from ._options import Exclusive, make_backend, number, shown, text, whole
from ._stencil import Stencil

if TYPE_CHECKING:
    from ._core import HeatReport


class Heat:
    """A state u of du/dt = f - A u on a grid, which goes on in steps of dt.

    Calls from several threads wait for each other. A and f are constant in time.

    Parameters
    ----------
    A : Stencil
        -div(k grad u) + c u with its sides, masks and fixed points, made by `poisson` or `diffusion`.
    u0 : float or array of A.grid_shape
        u at the beginning.
    dt : float
        Time step.
    f : float or array of A.grid_shape
    scheme : 'implicit' or 'explicit'
        The theta method, a solve in each step; or explicit Euler, weighted Jacobi sweeps. Of explicit ones a dt that is
        too large to be stable is refused, and the largest is named.
    theta : float
        From 0.5 (Crank-Nicolson, of order 2) to 1 (implicit Euler, of order 1).
    rtol : float
        A solve ends when the 2-norm of its residual is at most so many times what it was at the old u.
    step_tolerance : float, optional
        Double and halve the implicit step, so that its error is at most so many times the largest abs(u).
    rung, backend, threads
        As of `solve`.

    Examples
    --------
    >>> import numpy as np, pyjacobi
    >>> A = pyjacobi.poisson((31, 31))
    >>> x = np.sin(np.pi * np.arange(1, 32) / 32)
    >>> heat = pyjacobi.Heat(A, np.outer(x, x), dt=1e-3)
    >>> heat.run(50).status
    'finished'
    >>> round(heat.time, 12), round(float(heat.u.max()), 2)
    (0.05, 0.37)
    """

    def __init__(
        self,
        A: Stencil,
        u0: Any,
        dt: float,
        *,
        f: Any = 0.0,
        scheme: str = "implicit",
        theta: float = 0.5,
        rtol: float = 1e-8,
        step_tolerance: float | None = None,
        rung: str | None = None,
        backend: str | None = None,
        threads: int | None = None,
    ) -> None:
        if not isinstance(A, Stencil):
            raise TypeError(f"A is a {type(A).__name__}: a grid is needed, as poisson and diffusion make it")
        if text("scheme", scheme) not in ("implicit", "explicit"):
            raise UsageError(f"scheme={shown(scheme)}: take 'implicit' or 'explicit'")
        options = _core.HeatOptions()
        if scheme == "explicit":
            options.set_explicit()
        options.theta = number("theta", theta)
        options.relative = number("rtol", rtol)
        options.step_tolerance = 0.0 if step_tolerance is None else number("step_tolerance", step_tolerance)
        options.rung = "" if rung is None else text("rung", rung)
        self._A = A
        self._lock = Exclusive()
        source, start = self._given("f", f), self._given("u0", u0)
        _held = held(source, start)
        make = core("Heat", A.system.dtype)
        self._state = make(A.system.matrix, source, start, number("dt", dt), options, make_backend(backend, threads))

    def _given(self, name: str, value: Any) -> NDArray[Any]:
        array = as_array(name, value)
        real_dtype(name, array.dtype)
        if array.ndim == 0:
            return np.full(self._A.shape[0], narrowed(array, self._A.system.dtype))
        if array.shape not in (self._A.grid_shape, (self._A.shape[0],)):
            raise UsageError(f"{name} has shape {array.shape}: one number, or {self._A.grid_shape}, is needed")
        return laid_out(array.reshape(-1), self._A.system.dtype)

    def run(
        self, steps: int, *, callback: Callable[[float, NDArray[Any]], Any] | None = None, every: int = 1
    ) -> HeatReport:
        """Go on by so many times dt; returns a report, with `status`, `steps`, `content_final`, `to_text()` and more.

        status: 'finished' where all steps were made, 'interrupted' where the callback ended them. callback(time, u) is
        called after every so many steps; returning False ends the run. Raises ConvergenceError where a step could not
        be solved for, Interrupted after Ctrl-C; u is then that of the last whole step. Cost: a solve or a sweep a step.
        """
        left, portion = whole("steps", steps, 0), whole("every", every, 1)
        if callback is None:
            portion = max(left, 1)
        with self._lock as left_in_use:
            if left_in_use:
                raise UsageError("this Heat was in use when the process was forked: make another one in the child")
            with Interruptible(lambda: f"interrupted at t = {self._state.time:.6g}, u has it"):
                return self._run(left, portion, callback)

    def _run(self, left: int, portion: int, callback: Callable[[float, NDArray[Any]], Any] | None) -> HeatReport:
        report: HeatReport
        before: HeatReport | None = None
        while True:
            now = min(portion, left)
            report, pending = self._state.run(now)
            left -= now
            if pending is not None:
                raise pending
            if report.status != "finished":
                raise ConvergenceError("; ".join(report.notes) or report.status, None)
            if before is not None:
                report.follow(before)
            before = report
            told = None if callback is None else callback(float(self._state.time), self._shown())
            if told is not None and not told and left > 0:
                report.interrupt()
                return report
            if left == 0:
                return report

    def _shown(self) -> NDArray[Any]:
        return np.asarray(self._state.u()).reshape(self._A.grid_shape)

    @property
    def u(self) -> NDArray[Any]:
        """A copy of u as it is now; NaN where no point of the domain is."""
        with self._lock:
            return self._shown()

    @property
    def time(self) -> float:
        """Since the beginning."""
        return float(self._state.time)

    @property
    def content(self) -> float:
        """The sum of u times the volumes of cells, half ones at Neumann sides."""
        with self._lock:
            return float(self._state.content)

    def __reduce__(self) -> Any:
        raise TypeError("a Heat cannot be pickled: its state lies in memory of its own; pickle its u and time")

    def __repr__(self) -> str:
        return f"<pyjacobi.Heat: {' x '.join(map(str, self._A.grid_shape))} unknowns, t = {self.time:.6g}>"
