"""jacobi with pyamg's signature: x is improved in place."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sparse

from ._arrays import as_system, core, laid_out
from ._errors import UsageError
from ._options import make_backend, make_request, number, whole

__all__ = ["jacobi"]


def jacobi(A: Any, x: Any, b: Any, iterations: int = 1, omega: float = 1.0) -> None:
    """Weighted Jacobi sweeps on A x = b, in place, as ``pyamg.relaxation.relaxation.jacobi``.

    Binds A anew in every call, so that A may change between calls; where it does not, ``pyjacobi.smoother(A).relax`` is
    faster.

    Parameters
    ----------
    A : (n, n) SciPy sparse matrix
    x, b : (n,) or (n, 1) arrays
        x is written: contiguous, of A's dtype.
    iterations : int
    omega : float
        In (0, 2).

    Examples
    --------
    >>> import numpy as np, pyjacobi
    >>> A = pyjacobi.poisson(4, spacing=1.0).tocsr()
    >>> x = np.zeros(4)
    >>> pyjacobi.relaxation.jacobi(A, x, np.ones(4), iterations=2)
    >>> x
    array([0.75, 1.  , 1.  , 0.75])
    """
    sweeps = whole("iterations", iterations, 0)
    weight = number("omega", omega)
    if hasattr(A, "tocsr"):  # a grid, too
        A = A.tocsr()
    if not sparse.issparse(A):
        A = sparse.csr_array(A)
    if not isinstance(x, np.ndarray) or not isinstance(b, np.ndarray):
        raise UsageError("x and b must be NumPy arrays")
    if not A.dtype == x.dtype == b.dtype:
        raise TypeError(f"A, x and b have dtypes {A.dtype}, {x.dtype} and {b.dtype}: they must be equal")
    system = as_system(A)
    n = system.rows
    if x.shape not in ((n,), (n, 1)) or b.shape not in ((n,), (n, 1)):
        raise UsageError(f"x has shape {x.shape}, b {b.shape}: ({n},) or ({n}, 1) is needed")
    if x.dtype != system.dtype:
        raise TypeError(f"x has dtype {x.dtype}: float32 or float64 is needed")
    if not x.flags.c_contiguous or not x.flags.writeable:
        raise UsageError("x must be writable and lie in memory without gaps")
    if sweeps == 0:
        return
    request = make_request("plain") if weight == 1.0 else make_request("weighted", omega=weight)
    request.recognise_grids = False
    request.rung = "fused"
    sweeper = core("Sweeper", system.dtype)(system.matrix, request, make_backend(None, None))
    flat = x.reshape(-1)
    sweeper.load(laid_out(b.reshape(-1), system.dtype), flat)
    sweeper.advance(sweeps)
    sweeper.store(flat)
