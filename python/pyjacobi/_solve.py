"""solve, diagnose, predict."""

from __future__ import annotations

import json
import logging
import warnings
from typing import Any, Callable

import numpy as np

from ._arrays import as_array, as_system, core, in_namespace_of, vectors
from ._errors import ConvergenceError, ConvergenceWarning, Interrupted, UsageError
from ._options import Bar, make_backend, make_progress, make_request, make_stop, whole
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

    __slots__ = ("sweeps", "norm", "tolerance", "_check", "_shape")

    def __init__(self, check: Any, shape: tuple[int, ...]) -> None:
        self.sweeps, self.norm, self.tolerance = check.sweeps, check.norm, check.tolerance
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


def conclude(x: Any, report: Any, pending: BaseException | None, on_failure: str, stacklevel: int = 4) -> Result:
    """The result; or what ended the call is raised, or a warning is given."""
    result = Result(x, report)
    if isinstance(pending, KeyboardInterrupt):
        raise Interrupted(f"interrupted: {result.summary()}", result) from pending
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
        warnings.warn(message, ConvergenceWarning, stacklevel=stacklevel)
    return result


def check_on_failure(on_failure: str) -> None:
    if on_failure not in ("warn", "raise", "ignore"):
        raise UsageError(f"on_failure={on_failure!r}: take 'warn', 'raise' or 'ignore'")


def solve(
    A: Any,
    b: Any,
    x0: Any = None,
    *,
    method: str = "auto",
    rtol: float = 1e-8,
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
) -> Result:
    """Solve A x = b by the method that suits A, and say what was reached.

    Parameters
    ----------
    A : (n, n) array, SciPy sparse matrix or array, or Stencil
        float32 or float64; integers are taken as float64. NumPy arrays in C or F order and CSR are read where they
        lie, without a copy. Other sparse formats are converted.
    b : (n,), (n, 1), (n, k) array, or of the grid's shape
        Right-hand side; of (n, k) every column is held to its own tolerance.
    x0 : array of the shape of b, optional
        Where to start; default 0. It is not changed.
    method : str
        auto, plain, weighted, l1, chebyshev, cyclic-chebyshev, red-black, scheduled, anderson, multigrid, cg, bicgstab.
    rtol, atol : float
        Converged where norm <= max(atol, rtol * reference), by a residual computed anew.
    norm : str
        auto, residual, update, max-residual, max-update or scaled-residual; auto is the residual, row by row over the
        diagonal where that varies more than 1000-fold.
    reference : str
        What rtol is relative to: rhs (b), initial (the norm of the start) or none.
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
        Of a singular grid: remove from b what no solution exists for.
    M : Preconditioner, optional
        What `multigrid` returned for this A: preconditions cg.
    backend : str, optional
        serial, threads or cuda.
    threads : int, optional
        Default: as many as pay, at most the cores that this process may use.
    callback : function of a Check, optional
        Called after every check; sees sweeps, norm and x. Returning False ends the solve.
    check_every : int, optional
        Sweeps between checks.
    progress : bool or function
        True: a bar, by tqdm where that is installed. A function is called with a dictionary.
    on_failure : {'warn', 'raise', 'ignore'}
        Not converged: a ConvergenceWarning, a ConvergenceError with the result, or only the result's status.
    out : array, optional
        Where x is to be written: contiguous, of the shape of b.
    copy : bool
        Copy A first, where it may be changed by somebody else meanwhile.

    Returns
    -------
    Result
        Unpacks as ``x, info``; ``info`` is 0 where converged.

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
    """
    check_on_failure(on_failure)
    rhs = as_array("b", b)
    start = None if x0 is None else as_array("x0", x0)
    system = as_system(A, ("b", rhs), None if start is None else ("x0", start), copy=copy)
    v = vectors(system, rhs, start, out)
    stop = make_stop(
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
    )
    on = make_backend(backend, threads)
    seen = make_progress(progress)
    run = core("solve_many" if v.many else "solve", system.dtype)
    try:
        report, pending = run(system.matrix, v.b, v.x, request, stop, on, watcher(callback, rhs.shape), seen)
    finally:
        if isinstance(seen, Bar):
            seen.close()
    for note in system.notes:
        report.add_note(note)
    x = v.answer if out is not None else in_namespace_of(b, v.answer)
    return conclude(x, report, pending, on_failure)


class Diagnosis:
    """What is known of plain Jacobi on a system before it is solved; printing tells it in lines.

    Attributes are those of the C++ library's Diagnosis: `verdict`, `proofs`, `spectral_radius`, `radius_lower`,
    `radius_upper`, `symmetric`, `positive_definite`, `m_matrix`, `singular`, `predicted_sweeps`, `best_omega`, `method`,
    `method_sweeps`, `advice`, `warnings`, and more.

    Examples
    --------
    >>> import numpy as np, pyjacobi
    >>> d = pyjacobi.diagnose(np.array([[4.0, 1.0], [1.0, 3.0]]))
    >>> d.converges, d.verdict
    (True, 'converges')
    """

    def __init__(self, told: Any) -> None:
        self._told = told

    @property
    def converges(self) -> bool | None:
        """True or False where it is proved of every start, None where it is not."""
        return {"converges": True, "diverges": False, "not for every start": False, "unusable": False}.get(
            self._told.verdict
        )

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._told, name)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *(n for n in dir(self._told) if not n.startswith("_"))})

    def to_dict(self) -> dict[str, Any]:
        """With the keys of ``jacobi diagnose --json``."""
        return json.loads(self._told.to_json())  # type: ignore[no-any-return]

    def __str__(self) -> str:
        return str(self._told.to_text())

    def __repr__(self) -> str:
        return f"<pyjacobi.Diagnosis: plain Jacobi {self._told.verdict}; advised: {self._told.method}>"

    def __reduce__(self) -> Any:
        names = [n for n in dir(self._told) if not n.startswith(("_", "to_"))]
        values = {n: getattr(self._told, n) for n in names}
        return _restore_told, (Diagnosis, values, self._told.to_text(), self._told.to_json())


def _restore_told(kind: Any, values: dict[str, Any], as_text: str, as_json: str) -> Any:
    from ._result import _Told

    return kind(_Told(values, as_text, as_json))


def diagnose(
    A: Any,
    b: Any = None,
    x0: Any = None,
    *,
    rtol: float = 1e-8,
    atol: float = 0.0,
    norm: str = "auto",
    reference: str = "rhs",
    cholesky: str = "when_cheap",
    budget: int = 30,
) -> Diagnosis:
    """Say before any solve what is proved and estimated of Jacobi sweeps on A, and which are advised.

    Parameters
    ----------
    A : (n, n) array or SciPy sparse matrix
    b, x0 : (n,) arrays, optional
        Default: ones, and 0. The proofs depend on A alone, the number of sweeps on these too.
    rtol, atol, norm, reference
        As of `solve`: what the sweeps are predicted for.
    cholesky : {'when_cheap', 'always', 'never'}
        Whether Cholesky factors may prove convergence.
    budget : int
        Effort in sweeps.

    Returns
    -------
    Diagnosis

    Examples
    --------
    >>> import numpy as np, pyjacobi
    >>> pyjacobi.diagnose(np.array([[1.0, 2.0], [2.0, 1.0]])).converges
    False
    """
    from ._grids import Stencil

    if isinstance(A, Stencil):
        A = A.tocsr()
    rhs = None if b is None else as_array("b", b)
    start = None if x0 is None else as_array("x0", x0)
    system = as_system(A, None if rhs is None else ("b", rhs), None if start is None else ("x0", start))
    if rhs is None:
        rhs = np.ones(system.rows, system.dtype)
    v = vectors(system, rhs, start, None)
    if v.many:
        raise UsageError(f"b has shape {rhs.shape}: a diagnosis is of one right-hand side")
    stop = make_stop(rtol=rtol, atol=atol, norm=norm, reference=reference, maxiter=None, max_seconds=None)
    told = core("diagnose", system.dtype)(
        system.matrix, v.b, v.x, stop, cholesky, whole("budget", budget, 1)
    )
    return Diagnosis(told)


class Prediction:
    """What a solve would take; printing tells it in lines.

    Attributes: `method`, `reason`, `sweeps` (None where unknown), `spectral_radius`, `memory` (bytes), `bytes_per_sweep`,
    `seconds_per_sweep` (measured), `seconds`, `unknowns`, `threads`, `rung`, `algorithm`, `notes`.
    """

    def __init__(self, told: Any) -> None:
        self._told = told

    @property
    def seconds(self) -> float | None:
        """Sweeps times the seconds of one."""
        sweeps = self._told.sweeps
        return None if sweeps is None else float(sweeps) * float(self._told.seconds_per_sweep)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._told, name)

    def to_dict(self) -> dict[str, Any]:
        """With the keys of ``--dry-run --json``."""
        return json.loads(self._told.to_json())  # type: ignore[no-any-return]

    def __str__(self) -> str:
        return str(self._told.to_text())

    def __repr__(self) -> str:
        return f"<pyjacobi.Prediction: {self._told.method}, sweeps {self._told.sweeps}>"

    def __reduce__(self) -> Any:
        names = [n for n in dir(self._told) if not n.startswith(("_", "to_"))]
        values = {n: getattr(self._told, n) for n in names}
        return _restore_told, (Prediction, values, self._told.to_text(), self._told.to_json())


def predict(
    A: Any,
    b: Any,
    x0: Any = None,
    *,
    method: str = "auto",
    rtol: float = 1e-8,
    atol: float = 0.0,
    norm: str = "auto",
    omega: float | None = None,
    rung: str | None = None,
    backend: str | None = None,
    threads: int | None = None,
) -> Prediction:
    """Say what a solve would take: method, sweeps, memory, seconds per sweep. Solves nothing.

    Parameters
    ----------
    A, b, x0, method, rtol, atol, norm, omega, rung, backend, threads
        As of `solve`.

    Returns
    -------
    Prediction

    Examples
    --------
    >>> import numpy as np, pyjacobi
    >>> A = pyjacobi.poisson((63, 63))
    >>> pyjacobi.predict(A, np.ones((63, 63)), method="plain").sweeps > 1000
    True
    """
    rhs = as_array("b", b)
    start = None if x0 is None else as_array("x0", x0)
    system = as_system(A, ("b", rhs), None if start is None else ("x0", start))
    v = vectors(system, rhs, start, None)
    if v.many:
        raise UsageError(f"b has shape {rhs.shape}: a prediction is of one right-hand side")
    stop = make_stop(rtol=rtol, atol=atol, norm=norm, reference="rhs", maxiter=None, max_seconds=None)
    request = make_request(method, omega=omega, rung=rung)
    told = core("forecast", system.dtype)(system.matrix, v.b, v.x, request, stop, make_backend(backend, threads))
    return Prediction(told)
