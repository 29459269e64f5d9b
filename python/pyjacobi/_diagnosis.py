"""What is said before a solve: diagnose, predict."""

from __future__ import annotations

import html
import json
from typing import TYPE_CHECKING, Any

from . import _told as _told  # which lets reports be pickled
from ._arrays import core, system_and_vectors
from ._errors import UsageError
from ._linear import flattened
from ._options import make_backend, make_request, make_stop, text, whole

if TYPE_CHECKING:  # both classes have the attributes of what they hold, as __getattr__ gives them
    from ._core import Diagnosis as _Found
    from ._core import Forecast as _Forecast
else:
    _Found = _Forecast = object


class Diagnosis(_Found):
    """What is known of plain Jacobi on a system before it is solved; printing tells it in lines.

    Attributes are those of the C++ library's Diagnosis: `verdict`, `proofs`, `spectral_radius`, `radius_lower`,
    `radius_upper`, `symmetric`, `positive_definite`, `m_matrix`, `singular`, `predicted_sweeps`, `best_omega`,
    `method`, `method_sweeps`, `advice`, `warnings`, and more. `positive_definite` is True where A is proved to be
    symmetric positive definite, False where it is proved not to be, and else None.

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

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(str(self))}</pre>"

    def __repr__(self) -> str:
        return f"<pyjacobi.Diagnosis: plain Jacobi {self._told.verdict}; advised: {self._told.method}>"


def diagnose(
    A: Any,
    b: Any = None,
    x0: Any = None,
    *,
    rtol: float | None = None,
    atol: float = 0.0,
    norm: str = "auto",
    reference: str = "rhs",
    cholesky: str = "when_cheap",
    budget: int = 30,
    diagonal: Any = None,
    bounds: tuple[float, float] | None = None,
) -> Diagnosis:
    """Say before any solve what is proved and estimated of Jacobi sweeps on A, and which are advised.

    Parameters
    ----------
    A : (n, n) array, SciPy sparse matrix or LinearOperator
        Of a LinearOperator nothing is proved: all that is said rests on products.
    b, x0 : (n,) arrays, or of the grid's shape, optional
        Default: ones, and 0. The proofs depend on A alone, the number of sweeps on these too.
    rtol, atol, norm, reference
        As of `solve`: what the sweeps are predicted for.
    cholesky : {'when_cheap', 'always', 'never'}
        Whether Cholesky factors may prove convergence.
    budget : int
        Effort in sweeps.
    diagonal, bounds : optional
        Of a LinearOperator, as of `solve`. Products may show that bounds are wrong: a warning then says so.

    Returns
    -------
    Diagnosis

    Examples
    --------
    >>> import numpy as np, pyjacobi
    >>> pyjacobi.diagnose(np.array([[1.0, 2.0], [2.0, 1.0]])).converges
    False

    Of products alone nothing is proved:

    >>> from scipy.sparse.linalg import aslinearoperator
    >>> d = pyjacobi.diagnose(aslinearoperator(np.array([[4.0, 1.0], [1.0, 3.0]])))
    >>> d.converges, d.verdict, d.proofs
    (None, 'estimated to converge', [])
    """
    from ._stencil import Stencil

    if isinstance(A, Stencil):
        b, x0 = (None if v is None else flattened(name, v, A.grid_shape) for name, v in (("b", b), ("x0", x0)))
        A = A.tocsr()
    system, v = system_and_vectors(A, b, x0, ones=True, diagonal=diagonal, bounds=bounds)
    if v.many:
        raise UsageError(f"b has shape {v.answer.shape}: a diagnosis is of one right-hand side")
    stop = make_stop(system.dtype, rtol=rtol, atol=atol, norm=norm, reference=reference, maxiter=None, max_seconds=None)
    cholesky = text("cholesky", cholesky).replace("-", "_")
    told = core("diagnose", system.dtype)(system.matrix, v.b, v.x, stop, cholesky, whole("budget", budget, 1))
    return Diagnosis(told)


class Prediction(_Forecast):
    """What a solve would take; printing tells it in lines.

    Attributes: `method`, `reason`, `sweeps` (None where unknown), `spectral_radius`, `memory` (bytes),
    `bytes_per_sweep`, `seconds_per_sweep` (measured), `seconds`, `unknowns`, `threads`, `rung`, `algorithm`, `notes`.
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

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(str(self))}</pre>"

    def __repr__(self) -> str:
        return f"<pyjacobi.Prediction: {self._told.method}, sweeps {self._told.sweeps}>"


def predict(
    A: Any,
    b: Any,
    x0: Any = None,
    *,
    method: str = "auto",
    rtol: float | None = None,
    atol: float = 0.0,
    norm: str = "auto",
    omega: float | None = None,
    rung: str | None = None,
    backend: str | None = None,
    threads: int | None = None,
    diagonal: Any = None,
    bounds: tuple[float, float] | None = None,
) -> Prediction:
    """Say what a solve would take: method, sweeps, memory, seconds per sweep. Solves nothing.

    Parameters
    ----------
    A, b, x0, method, rtol, atol, norm, omega, rung, backend, threads, diagonal, bounds
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
    system, v = system_and_vectors(A, b, x0, diagonal=diagonal, bounds=bounds)
    if v.many:
        raise UsageError(f"b has shape {v.answer.shape}: a prediction is of one right-hand side")
    stop = make_stop(system.dtype, rtol=rtol, atol=atol, norm=norm, reference="rhs", maxiter=None, max_seconds=None)
    request = make_request(method, omega=omega, rung=rung)
    told = core("forecast", system.dtype)(system.matrix, v.b, v.x, request, stop, make_backend(backend, threads))
    return Prediction(told)
