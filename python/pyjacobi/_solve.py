"""solve."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

import numpy as np

from ._arrays import core, system_and_vectors
from ._errors import ConvergenceError, ConvergenceWarning, Interruptible, UsageError, warn
from ._memory import in_namespace_of
from ._options import Bar, make_backend, make_progress, make_request, make_stop, shown, text
from ._result import Result

log = logging.getLogger("pyjacobi")


class Check:
    """A check of a running solve, as a callback sees it.

    Attributes
    ----------
    sweeps : int
    norm, tolerance : float
        The norm tested after so many sweeps, and what it must fall to.
    """

    __slots__ = ("_check", "_shape", "norm", "sweeps", "tolerance")

    def __init__(self, check: Any, shape: tuple[int, ...]) -> None:
        self.sweeps: int = check.sweeps
        self.norm: float = check.norm
        self.tolerance: float = check.tolerance
        self._check, self._shape = check, shape

    @property
    def x(self) -> np.ndarray[Any, Any]:
        """A copy of the iterate, float64, in the shape of b; only while the callback runs."""
        x: np.ndarray[Any, Any] = self._check.iterate()
        size = int(np.prod(self._shape))
        return x.reshape(self._shape) if x.size == size else x  # of several right-hand sides: that one's

    def __repr__(self) -> str:
        return f"Check(sweeps={self.sweeps}, norm={self.norm:.6g}, tolerance={self.tolerance:.6g})"


def watcher(callback: Callable[[Check], Any] | None, shape: tuple[int, ...]) -> Callable[[Any], Any] | None:
    if callback is None:
        return None
    if not callable(callback):
        raise TypeError("callback must be a function of a Check")
    return lambda check: callback(Check(check, shape))


def conclude(x: Any, report: Any, pending: BaseException | None, on_failure: str) -> Result:
    """The result; or what ended the call is raised, or a warning is given."""
    result = Result(x, report)
    with Interruptible(result.summary, lambda: result):
        if pending is not None:
            raise pending
    if log.isEnabledFor(logging.INFO):
        log.info("%s", result.summary())
        for note in report.notes:
            log.info("note: %s", note)
    if not result.success and on_failure != "ignore":
        message = f"{result.summary()}" + "".join(f"; {note}" for note in report.notes)
        if on_failure == "raise":
            raise ConvergenceError(message, result)
        warn(ConvergenceWarning(message, result))
    return result


def check_on_failure(on_failure: str) -> None:
    if text("on_failure", on_failure) not in ("warn", "raise", "ignore"):
        raise UsageError(f"on_failure={shown(on_failure)}: take 'warn', 'raise' or 'ignore'")


def solve(
    A: Any,
    b: Any,
    x0: Any = None,
    *,
    method: str = "auto",
    rtol: float | None = None,
    atol: float = 0.0,
    norm: str = "auto",
    reference: str = "rhs",
    maxiter: int | None = None,
    max_seconds: float | None = None,
    omega: float | None = None,
    period: int | None = None,
    depth: int | None = None,
    rung: str | None = None,
    matrix_precision: str | None = None,
    recognise_grids: bool = True,
    project_rhs: bool = False,
    M: Any = None,
    backend: str | None = None,
    threads: int | None = None,
    callback: Callable[[Check], Any] | None = None,
    check_every: int | None = None,
    progress: Any = False,
    on_failure: str = "warn",
    out: Any = None,
    copy: bool = False,
    diagonal: Any = None,
    bounds: tuple[float, float] | None = None,
) -> Result:
    """Solve A x = b by the method that suits A, and say what was reached.

    Parameters
    ----------
    A : (n, n) array, SciPy sparse matrix or array, Stencil, or LinearOperator
        float32 or float64; integers are taken as float64. NumPy arrays in C or F order and CSR are read where they
        lie, without a copy. Other sparse formats are converted. Of a LinearOperator, or whatever has shape, dtype and
        matvec, only products are known: plain, weighted, chebyshev, scheduled, cg, bicgstab and anderson take it.
    b : (n,), (n, 1), (n, k) array, or of the grid's shape
        Right-hand side; of (n, k) every column is held to its own tolerance.
    x0 : array of the shape of b, optional
        Where to start; default 0. It is not changed.
    method : str
        auto, plain, weighted, l1, chebyshev, cyclic-chebyshev, red-black, scheduled, anderson, multigrid, amg, cg,
        bicgstab.
    rtol, atol : float
        Converged where norm <= max(atol, rtol * reference), by a residual computed anew. rtol is by default 1e-8 in
        float64 and 1e-4 in float32, about the root of its rounding. What rounding lets nobody reach, as on large grids
        in float32, ends as ``stagnated``.
    norm : str
        auto, residual, update, max-residual, max-update or scaled-residual; auto is the residual, row by row over the
        diagonal where that varies more than 1000-fold.
    reference : str
        What rtol is relative to: rhs (b), initial (the norm of the start) or none. Where b is 0, rhs is taken as
        initial, which ``result.report.reference`` then says; from x0 = 0 that is converged at once.
    maxiter : int, optional
        Most sweeps; default ten million.
    max_seconds : float, optional
    omega : float, optional
        Weight of weighted or anderson, in (0, 2).
    period, depth : int, optional
        Of anderson: sweeps between two combinations, and differences kept. Of scheduled: weights.
    rung : str, optional
        A program of the ladder by name, see `algorithms`.
    matrix_precision : str, optional
        double, float or bf16: how a dense matrix is stored while it is swept.
    recognise_grids : bool
        Whether a sparse matrix that is a grid is swept as one.
    project_rhs : bool
        Of a singular problem: remove from b what no solution exists for, its mean, and say so in a note. On a grid the
        mean is the trapezoidal one: half weights at Neumann sides. A mean as small as the error of discretisation is
        removed in any case, with a note: abs(sum w b) <= q sum w abs(b), where q is 10 / n^2 for n points between
        Neumann sides, the largest of all directions, and from 1e-6 to 0.5. A larger one is an InputError.
    M : Preconditioner, optional
        What `multigrid` returned for a grid of this size: cycles like those, on A, precondition cg. Or what
        `amg` returned for a sparse matrix: for cg and bicgstab.
    backend : str, optional
        serial, threads, cuda or opencl.
    threads : int, optional
        Default: as many as pay, at most the cores that this process may use.
    callback : function of a Check, optional
        Called after every check; sees sweeps, norm and x. Returning False ends the solve.
    check_every : int, optional
        Sweeps between checks.
    progress : bool or function
        True: a bar, by tqdm where that is installed. A function is called with a dictionary, every tenth of a second
        or two; a solve that is shorter may never call it.
    on_failure : {'warn', 'raise', 'ignore'}
        Not converged: a ConvergenceWarning, a ConvergenceError with the result, or only the result's status.
    out : array, optional
        Where x is to be written: contiguous, of the shape of b.
    copy : bool
        Copy A first, where another thread may change it meanwhile. With a callback its indices are copied anyway.
    diagonal : (n,) array, optional
        Of a LinearOperator; default: what ``A.diagonal()`` says, where A has that. Sweeps and anderson divide by it:
        where it is not known, n products ask for it, up to n = 1000. cg and bicgstab then go without a preconditioner.
    bounds : (low, high), optional
        Of a LinearOperator: all eigenvalues of D^-1 A lie between these. chebyshev and scheduled believe it; without,
        they estimate.

    Returns
    -------
    Result
        Unpacks as ``x, info``; ``info`` is 0 where converged. x is float32 where A, b and x0 all are, else float64.
        Of a singular grid ``success`` and ``residual_norm`` are those of the b that is left, see project_rhs; x has
        mean 0, in the same weights.

    Raises
    ------
    UsageError, InputError
        Both are ValueError: shapes that do not fit; NaN; a b that no solution exists for.
    TypeError
        complex, longdouble or float16; not arrays.
    Interrupted
        Ctrl-C, a KeyboardInterrupt with the result so far.

    Examples
    --------
    >>> import numpy as np, pyjacobi
    >>> A = pyjacobi.poisson((63, 63))
    >>> result = pyjacobi.solve(A, np.ones(A.grid_shape))
    >>> result.success, result.x.shape
    (True, (63, 63))

    Of products alone:

    >>> from scipy.sparse.linalg import LinearOperator
    >>> twice = LinearOperator((4, 4), matvec=lambda x: 2 * x, dtype=float)
    >>> pyjacobi.solve(twice, np.ones(4), diagonal=np.full(4, 2.0)).x
    array([0.5, 0.5, 0.5, 0.5])
    """
    check_on_failure(on_failure)
    watched = callback is not None or not (progress is None or progress is False)
    system, v = system_and_vectors(
        A, b, x0, out, copy=copy, own_structure=watched, diagonal=diagonal, bounds=bounds, project=bool(project_rhs)
    )
    stop = make_stop(
        system.dtype,
        rtol=rtol,
        atol=atol,
        norm=norm,
        reference=reference,
        maxiter=maxiter,
        max_seconds=max_seconds,
        check_every=check_every,
        project_rhs=project_rhs,
    )
    request = make_request(
        method,
        omega=omega,
        period=period,
        depth=depth,
        rung=rung,
        matrix_precision=matrix_precision,
        recognise_grids=recognise_grids,
        M=M,
        system=system,
    )
    on = make_backend(backend, threads)
    seen = make_progress(progress)
    run = core("solve_many" if v.many else "solve", system.dtype)
    try:
        report, pending = run(system.matrix, v.b, v.x, request, stop, on, watcher(callback, v.answer.shape), seen)
    finally:
        if isinstance(seen, Bar):
            seen.close()
    for note in system.notes:
        report.add_note(note)
    v.finish(system, report)
    x = v.answer if out is not None else in_namespace_of(b, v.answer)
    return conclude(x, report, pending, on_failure)
