"""cg and bicgstab with SciPy's signature: a real ``(x, info)`` tuple.

Without M the library's own methods run, preconditioned by the diagonal where it is known. With an M the textbook
iteration runs over products.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.sparse as sparse
from numpy.typing import NDArray
from scipy.sparse.linalg import aslinearoperator

from ._arrays import System, gives_products, sparse_dtype, to_csr
from ._errors import Interruptible, UsageError
from ._memory import as_array, real_dtype, refuse_masked
from ._options import number, whole
from ._solve import Check, solve
from ._stencil import Stencil
from ._textbook import Last, bicgstab_steps, cg_steps, inner_product, norm_of

__all__ = ["bicgstab", "cg"]


def _product(
    name: str, operator: Any, n: int, own: bool = False
) -> Callable[[NDArray[Any]], NDArray[Any]]:
    """own: of a copy, since other Python code runs meanwhile."""
    if operator is None:
        return lambda v: v
    refuse_masked(name, operator)
    if sparse.issparse(operator):
        sparse_dtype(operator)
        operator = to_csr(operator)  # looked at, as products do not
        operator = operator.copy() if own else operator
    told = aslinearoperator(operator)
    if told.shape != (n, n):
        raise UsageError(f"{name} has shape {told.shape}, A ({n}, {n})")
    if told.dtype is not None:
        real_dtype(name, np.dtype(told.dtype))
    return told.matvec


def _prepare(A: Any, b: Any, x0: Any, M: Any) -> tuple[Any, NDArray[Any], NDArray[Any]]:
    refuse_masked("A", A)
    A = A if sparse.issparse(A) or gives_products(A) or isinstance(A, np.ndarray) else _as_operator(A)
    if len(A.shape) != 2 or A.shape[0] != A.shape[1]:
        raise UsageError(f"A has shape {A.shape}: as many rows as columns are needed")
    n = int(A.shape[0])
    rhs = as_array("b", b)
    if rhs.shape not in ((n,), (n, 1)):
        raise UsageError(f"b has shape {rhs.shape}: ({n},) or ({n}, 1) is needed")
    dtypes = [real_dtype("b", rhs.dtype)]
    if sparse.issparse(A):
        dtypes.append(real_dtype("A", sparse_dtype(A)))
    elif getattr(A, "dtype", None) is not None:
        dtypes.append(real_dtype("A", np.dtype(A.dtype)))
    if x0 is not None:
        if isinstance(x0, str):
            if x0 != "Mb":
                raise UsageError(f"x0={x0!r}: an array, or 'Mb' for M b, is needed")
            x0 = _product("M", M, n)(rhs.reshape(n))
        x0 = as_array("x0", x0)
        if x0.shape not in ((n,), (n, 1)):
            raise UsageError(f"x0 has shape {x0.shape}: ({n},) is needed")
        dtypes.append(real_dtype("x0", x0.dtype))
    dtype = np.result_type(*dtypes)
    x = np.zeros(n, dtype) if x0 is None else np.array(x0, dtype).reshape(n)
    rhs = rhs.astype(dtype, copy=False).reshape(n)
    if not np.isfinite(rhs).all():
        raise UsageError("b has an entry that is not finite")
    return A, rhs, x


def _as_operator(A: Any) -> Any:
    return aslinearoperator(A) if hasattr(A, "shape") else np.asarray(A)


def _with_half_cells(A: Stencil, x: NDArray[Any]) -> tuple[System, NDArray[Any]]:
    """The grid itself, which the library's cg takes with its Neumann sides, and what it would add to b."""
    if A.dtype != x.dtype:
        A = A.astype(x.dtype)
    n = A.shape[0]
    given = np.zeros(n, x.dtype) if A.system.has_domain else A.fold(np.zeros(n, x.dtype))
    return System(A.system.matrix, n, A.system.dtype), given


def _by_library(
    method: str, A: Any, b: Any, x: Any, rtol: float, atol: float, maxiter: int, callback: Any, diagonal: Any
) -> tuple[NDArray[Any], int]:
    seen: Callable[[Check], None] | None = None
    if callback is not None:
        each = 2 if method == "bicgstab" else 1  # sweeps of an iteration

        def seen(check: Check) -> None:
            if check.sweeps > 0 and check.sweeps % each == 0:
                callback(check.x)

    told = solve(
        A,
        b,
        x,
        method=method,
        rtol=rtol,
        atol=atol,
        norm="residual",
        maxiter=maxiter,
        callback=seen,
        check_every=None if seen is None else 1,
        recognise_grids=False,
        on_failure="ignore",
        diagonal=diagonal,
    )
    return told.x, told.info


def _run(
    method: str,
    steps: Any,
    A: Any,
    b: Any,
    x0: Any,
    rtol: float,
    atol: float,
    maxiter: Any,
    M: Any,
    callback: Any,
    diagonal: Any,
) -> tuple[NDArray[Any], int]:
    matrix, rhs, x = _prepare(A, b, x0, M)
    if diagonal is not None and (M is not None or not gives_products(matrix) or isinstance(matrix, Stencil)):
        raise UsageError("diagonal goes with a LinearOperator, and without an M")
    n = len(rhs)
    try:
        rtol, atol = number("rtol", rtol), number("atol", atol)  # infinity too, as in SciPy
    except TypeError as error:
        raise UsageError(str(error)) from None
    if rtol < 0 or atol < 0:
        raise UsageError(f"rtol={rtol}, atol={atol}: at least 0")
    most = 10 * n if maxiter is None else whole("maxiter", maxiter, 0)
    if callback is not None and not callable(callback):
        raise TypeError("callback must be a function of x")
    size = norm_of(rhs)
    if size == 0:
        return np.zeros_like(rhs), 0
    target = max(atol, rtol * size)
    if target == math.inf:
        return x, 0
    inner = inner_product
    if isinstance(matrix, Stencil):
        weights = matrix.weights.reshape(n).astype(rhs.dtype)
        if method == "cg" and (weights != weights[0]).any():
            if M is None and target > 0:
                system, given = _with_half_cells(matrix, x)
                return _by_library(method, system, rhs - given, x, 0.0, target, most, callback, None)

            def inner(u: NDArray[Any], v: NDArray[Any]) -> float:  # in which A is symmetric
                return float(u @ (weights * v))

        matrix = matrix.tocsr()
    if M is None and target > 0:
        sweeps = most if method == "cg" else 2 * most
        x, info = _by_library(method, matrix, rhs, x, rtol, atol, sweeps, callback, diagonal)
        return x, (info + 1) // 2 if info > 0 and method == "bicgstab" else info
    unit = rhs.dtype.type(1)
    if not 1e-12 < size < 1e12:  # squares of float are to fit; both steps are linear in b and x together
        unit = rhs.dtype.type(2.0 ** math.frexp(size)[1])
    last = Last(method, unit, target, callback)
    with Interruptible(last.said, last.result):
        x, info = steps(
            _product("A", matrix, n, callback is not None),
            _product("M", M, n, callback is not None),
            rhs / unit,
            x / unit,
            target / float(unit),
            most,
            last,
            inner,
        )
    return x * unit, info


def cg(
    A: Any,
    b: Any,
    x0: Any = None,
    *,
    rtol: float = 1e-5,
    atol: float = 0.0,
    maxiter: int | None = None,
    M: Any = None,
    callback: Callable[[Any], Any] | None = None,
    diagonal: Any = None,
) -> tuple[NDArray[Any], int]:
    """Conjugate gradients with the signature of ``scipy.sparse.linalg.cg``.

    Parameters
    ----------
    A : array, SciPy sparse matrix, Stencil or LinearOperator
        Symmetric and definite. Of a Stencil the linear part alone, as everywhere in SciPy; half cells of Neumann and
        Robin sides are allowed for.
    b : (n,) or (n, 1) array
    x0 : array, optional
    rtol, atol : float
        Converged where the 2-norm of b - A x, computed anew, is at most max(rtol * ||b||, atol).
    maxiter : int, optional
        Default 10 n.
    M : array, sparse matrix or LinearOperator, optional
        Approximates the inverse of A. None: the diagonal where it is known, else nothing.
    callback : function of x, optional
        Called after every iteration.
    diagonal : (n,) array, optional
        Of a LinearOperator; default: what ``A.diagonal()`` says, where A has that.

    Returns
    -------
    x : (n,) array
    info : int
        0 converged, above 0 iterations made, below 0 breakdown.

    Raises
    ------
    UsageError, InputError
        Both are ValueError: shapes that do not fit; NaN; a b that no solution exists for.
    Interrupted
        Ctrl-C, also in the callback: a KeyboardInterrupt with the last iterate as its `result`.

    Examples
    --------
    >>> import numpy as np
    >>> from pyjacobi.linalg import cg
    >>> x, info = cg(np.array([[4.0, 1.0], [1.0, 3.0]]), np.array([1.0, 2.0]))
    >>> info
    0
    """
    return _run("cg", cg_steps, A, b, x0, rtol, atol, maxiter, M, callback, diagonal)


def bicgstab(
    A: Any,
    b: Any,
    x0: Any = None,
    *,
    rtol: float = 1e-5,
    atol: float = 0.0,
    maxiter: int | None = None,
    M: Any = None,
    callback: Callable[[Any], Any] | None = None,
    diagonal: Any = None,
) -> tuple[NDArray[Any], int]:
    """BiCGStab with the signature of ``scipy.sparse.linalg.bicgstab``, for any A.

    Parameters
    ----------
    A, b, x0, rtol, atol, maxiter, M, callback, diagonal
        As of `cg`; an iteration takes two products.

    Returns
    -------
    x : (n,) array
    info : int

    Examples
    --------
    >>> import numpy as np
    >>> from pyjacobi.linalg import bicgstab
    >>> x, info = bicgstab(np.array([[4.0, 1.0], [0.0, 3.0]]), np.array([1.0, 2.0]))
    >>> info
    0
    """
    return _run("bicgstab", bicgstab_steps, A, b, x0, rtol, atol, maxiter, M, callback, diagonal)
