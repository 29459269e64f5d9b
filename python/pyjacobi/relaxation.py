"""jacobi with pyamg's signature: x is improved in place."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sparse

from . import _core
from ._arrays import core, csr_arrays, sparse_dtype, to_csr
from ._errors import Interruptible, UsageError
from ._memory import FLOAT32, FLOAT64, held, laid_out, refuse_masked
from ._options import number, whole
from ._stencil import Stencil

__all__ = ["jacobi"]


def jacobi(A: Any, x: Any, b: Any, iterations: int = 1, omega: float = 1.0) -> None:
    """Weighted Jacobi sweeps on A x = b, in place, as ``pyamg.relaxation.relaxation.jacobi``.

    Reads CSR where it lies and keeps nothing of it, so that A may change between calls. Columns may come in any order.

    Parameters
    ----------
    A : (n, n) SciPy sparse matrix
        float32 or float64. Other formats than CSR are converted in every call.
    x, b : (n,) or (n, 1) arrays
        x is written: contiguous, of A's dtype, in memory of its own.
    iterations : int
    omega : float
        In (0, 2).

    Raises
    ------
    InputError
        A zero on the diagonal, or an entry of A, b or x that is not finite; x is as before.
    Interrupted
        Ctrl-C, a KeyboardInterrupt; x is the iterate of some sweep.

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
    with Interruptible(lambda: "interrupted: x is the iterate of the last sweep that was finished"):
        if not _at_once(A, x, b, weight, sweeps):
            _with_copies(A, x, b, weight, sweeps)


_CSR = (sparse.csr_array, sparse.csr_matrix)


def _at_once(A: Any, x: Any, b: Any, weight: float, sweeps: int) -> bool:
    """Whether all lay as it must, so that the sweeps were made."""
    if type(A) not in _CSR or type(x) is not np.ndarray or type(b) is not np.ndarray:
        return False
    if x.ndim != 1 or b.ndim != 1 or A.shape != (len(x), len(x)):
        return False
    relax = _core.relax_f64 if x.dtype == FLOAT64 else _core.relax_f32
    indptr, indices, data = A.indptr, A.indices, A.data
    if not type(indptr) is type(indices) is type(data) is np.ndarray:
        return False
    _held = held(indptr, indices, data, b, x)
    return bool(relax(indptr, indices, data, b, x, weight, sweeps))


def _with_copies(A: Any, x: Any, b: Any, weight: float, sweeps: int) -> None:
    """Whatever is not as it must be is copied, but for x, or refused."""
    for name, value in (("A", A), ("x", x), ("b", b)):
        refuse_masked(name, value)
    if sparse.issparse(A):
        sparse_dtype(A)
        A = to_csr(A)
    else:
        A = A.tocsr() if isinstance(A, Stencil) else sparse.csr_array(A)
    if not isinstance(x, np.ndarray) or not isinstance(b, np.ndarray):
        raise UsageError("x and b must be NumPy arrays")
    dtype = A.dtype
    if not dtype == x.dtype == b.dtype:
        raise TypeError(f"A, x and b have dtypes {dtype}, {x.dtype} and {b.dtype}: they must be equal")
    if dtype != FLOAT64 and dtype != FLOAT32:
        raise TypeError(f"x has dtype {dtype}: float32 or float64 is needed")
    arrays = csr_arrays(A, dtype)
    n = len(arrays[0]) - 1
    if x.shape not in ((n,), (n, 1)) or b.shape not in ((n,), (n, 1)):
        raise UsageError(f"x has shape {x.shape}, b {b.shape}: ({n},) or ({n}, 1) is needed")
    if not x.flags.carray:
        raise UsageError("x must be writable and lie in memory without gaps")
    rhs = laid_out(np.asarray(b).reshape(-1), dtype)
    _held = held(*arrays, rhs, x)
    if not core("relax", dtype)(*arrays, rhs, np.asarray(x).reshape(-1), weight, sweeps):
        raise TypeError("A, x or b is of a type that cannot be swept")
