"""Sweeps and cycles as preconditioners and smoothers."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import scipy.sparse as sparse
from numpy.typing import NDArray
from scipy.sparse.linalg import LinearOperator

from ._arrays import System, as_system, core
from ._errors import InputError, Interruptible, UsageError
from ._linear import GridOperator, is_symmetric
from ._memory import as_array, held, laid_out, real_dtype, refuse_masked
from ._options import Exclusive, make_backend, make_request, number, shown, text, whole
from ._stencil import Stencil


class Preconditioner(GridOperator):
    """So many sweeps, or cycles, from 0 on A z = r, as SciPy's LinearOperator: ``z = M @ r``.

    Made by `smoother`, `multigrid` and `amg`. A fixed linear map, symmetric where A is (if pre == post).
    On grids with masks or fixed points cycles are symmetric among the unknowns alone. `T`, `H` and `rmatvec` are M
    itself where M is symmetric as a matrix, and raise NotImplementedError else. Half cells of Neumann and Robin sides
    make a grid's matrix unsymmetric. Of a grid, vectors may have its shape.

    Attributes
    ----------
    method : str
    sweeps : int
    weights : list of float
        Of the sweeps; empty of multigrid.
    """

    def __init__(self, recipe: tuple[Any, ...]) -> None:
        A, request, weights, cycles, _, _ = recipe
        system = as_system(A, own_structure=True)
        super().__init__(system.dtype, (system.rows, system.rows))  # type: ignore[call-arg]
        self._recipe, self._system, self._grid = recipe, system, system.shape
        self.weights: list[float] = list(weights)
        self.method: str = request["method"]
        self.cycle: tuple[int, int, int] | None = request.get("cycle")
        self.algebraic: tuple[Any, ...] | None = request.get("amg")
        self.sweeps: int = len(weights) or cycles * sum((self.cycle or self.algebraic or (0, 0))[:2])
        self._lock = Exclusive()
        self._bind_again()

    def _bind_again(self, needed: bool = True) -> None:
        if not needed:
            return
        _, _, _, cycles, backend, threads = self._recipe
        asked = make_request("l1" if self.method == "l1" else "multigrid" if self.cycle else "plain")
        if self.cycle:
            before, after, visits = self.cycle
            asked.set_cycle(before, after, visits, False)
        if self.algebraic:
            asked.set_amg(*self.algebraic)
        on = make_backend(backend, threads)
        self._applied = core("Applied", self.dtype)(self._system.matrix, asked, self.weights, cycles, on)

    def _matvec(self, r: NDArray[Any]) -> NDArray[Any]:
        if np.iscomplexobj(r):
            return self._matvec(r.real) + 1j * self._matvec(r.imag)
        refuse_masked("r", r)
        flat = laid_out(r.reshape(-1), self.dtype)
        z = np.empty(self.shape[0], self.dtype)
        _held = held(flat)
        with self._lock as left:
            self._bind_again(left)
            self._applied.apply(flat, z)
        return z.reshape(r.shape)

    def _matmat(self, R: NDArray[Any]) -> NDArray[Any]:
        return np.stack([self._matvec(R[:, c]) for c in range(R.shape[1])], axis=1) if R.shape[1] else R[:, :0]

    def _adjoint(self) -> LinearOperator:
        """M where M is symmetric, found out anew each time, for values of A may change.

        Cost: a copy of A's entries, and of cycles two products. Raises NotImplementedError.
        """
        why = self._asymmetry()
        if why:
            raise NotImplementedError(f"M is not symmetric as a matrix, and its transpose is not known here: {why}")
        return self

    def _asymmetry(self) -> str:
        """Why M is not symmetric; empty where it is. Sweeps are p(D^-1 A) D^-1, with a polynomial p."""
        if self.cycle or self.algebraic:
            before, after = (self.cycle or self.algebraic or ())[:2]
            if before != after:
                return f"cycles make {before} sweeps before and {after} after each correction"
        indptr, indices, data = self._system.matrix.to_csr()
        if not is_symmetric(sparse.csr_array((data, indices, indptr), shape=self.shape)):
            return "A is not, for half cells at its sides" if self._has_half_cells() else "A is not"
        if self.weights:
            return ""
        return self._asymmetry_seen()

    def _has_half_cells(self) -> bool:
        if self._system.shape is None:
            return False
        weights = np.empty(self.shape[0], self.dtype)
        self._system.matrix.weights(weights)
        return bool((weights != weights[0]).any())

    def _asymmetry_seen(self) -> str:
        """By products with two vectors, which differ where M and its transpose do."""
        u, v = np.random.default_rng(1).standard_normal((2, self.shape[0])).astype(self.dtype)
        Mu, Mv = self._matvec(u), self._matvec(v)
        norm = np.linalg.norm
        with np.errstate(all="ignore"):  # entries of A may have become anything
            allowed = 1e3 * np.finfo(self.dtype).eps * float(norm(u) * norm(Mv) + norm(v) * norm(Mu))
            if abs(float(u @ Mv) - float(v @ Mu)) <= allowed:
                return ""
        return "cycles are so among the unknowns alone" if self._system.has_domain else "these cycles are not"

    def relax(self, A: Any, x: Any, b: Any) -> None:
        """Improve x in place by the same sweeps on A x = b: the form of pyamg's smoothers.

        Parameters
        ----------
        A : object
            Must have the shape of the matrix that this was made for, which is the one that is swept.
        x, b : (n,) or (n, 1) arrays
            x is contiguous and of the dtype of the operator.

        Raises
        ------
        InputError
            An entry of x or b that is not finite; x is as before.
        Interrupted
            Ctrl-C, a KeyboardInterrupt; x has the sweeps that were made.
        """
        if not self.weights:
            raise UsageError("a preconditioner of cycles has no sweeps of one grid: take smoother()")
        shape, n = getattr(A, "shape", None), self.shape[0]
        if shape != (n, n):
            raise UsageError(f"A has shape {shown(shape)}: this smoother was made for {(n, n)}")
        refuse_masked("x", x)
        if not isinstance(x, np.ndarray) or x.dtype != self.dtype or not x.flags.carray:
            raise UsageError(f"x must be a writable, contiguous array of {self.dtype}")
        rhs = as_array("b", b)
        real_dtype("b", rhs.dtype)
        if x.size != n or rhs.size != n:
            raise UsageError(f"x has shape {x.shape}, b {rhs.shape}: ({n},) or ({n}, 1) is needed")
        flat = laid_out(rhs.reshape(-1), self.dtype)
        if np.may_share_memory(flat, x):
            flat = flat.copy()
        for name, array in (("x", x), ("b", flat)):
            if not np.isfinite(array).all():
                raise InputError(f"{name} has an entry that is not finite")
        _held = held(flat, x)
        with self._lock as left:
            self._bind_again(left)
            with Interruptible(lambda: "interrupted: x has the sweeps that were made"):
                self._applied.relax(flat, np.asarray(x).reshape(-1))

    def __reduce__(self) -> Any:
        return Preconditioner, (self._recipe,)

    def __repr__(self) -> str:
        what = "cycles" if self.algebraic else f"cycle {self.cycle}" if self.cycle else f"{self.sweeps} sweeps"
        return f"<pyjacobi.Preconditioner: {self.method}, {what}, {self.shape[0]} unknowns>"


def _largest_eigenvalue(A: Any, system: System) -> float:
    """A bound of the eigenvalues of D^-1 A: the largest sum of magnitudes of a row over its diagonal."""
    if isinstance(A, Stencil):
        return A.bounds()[1]
    indptr, indices, data = system.matrix.to_csr()
    matrix = sparse.csr_array((data, indices, indptr), shape=(system.rows, system.rows))
    diagonal = np.abs(matrix.diagonal()).astype(float)
    if not diagonal.all():
        raise InputError(f"ZeroDiagonal: row {int(np.argmin(diagonal))}: sweeps divide by the diagonal")
    return float(np.max(np.asarray(abs(matrix).sum(axis=1)).ravel() / diagonal))


def _chebyshev_weights(low: float, high: float, sweeps: int) -> list[float]:
    """1 over the roots of Chebyshev's polynomial on [low, high], the smallest weight first."""
    roots = [
        (high + low) / 2 + (high - low) / 2 * math.cos(math.pi * (2 * j + 1) / (2 * sweeps)) for j in range(sweeps)
    ]
    return [1 / root for root in roots]


def smoother(
    A: Any,
    method: str = "chebyshev",
    sweeps: int = 3,
    *,
    omega: float | None = None,
    lower: float = 0.1,
    backend: str | None = None,
    threads: int | None = None,
) -> Preconditioner:
    """A few sweeps as a smoother or preconditioner.

    Parameters
    ----------
    A : array, SciPy sparse matrix or Stencil
        Read where it lies; it must not change while the smoother is used.
    method : {'chebyshev', 'plain', 'weighted', 'l1'}
        chebyshev: weights that damp the upper part of the spectrum most; symmetric positive definite of such A.
    sweeps : int
    omega : float, optional
        Weight of 'weighted'; default 2/3.
    lower : float
        chebyshev damps eigenvalues of D^-1 A from ``lower`` times the largest one on.
    backend, threads
        As of `solve`.

    Returns
    -------
    Preconditioner

    Examples
    --------
    >>> import numpy as np, pyjacobi
    >>> from scipy.sparse.linalg import cg
    >>> A = pyjacobi.poisson((32, 32)).tocsr()
    >>> M = pyjacobi.smoother(A)
    >>> x, info = cg(A, np.ones(1024), M=M)
    >>> info
    0
    """
    sweeps = whole("sweeps", sweeps, 1, 1000)
    method = text("method", method)
    if omega is not None and method != "weighted":
        raise UsageError(f"omega goes with method weighted, not {method}")
    if method == "chebyshev":
        if not 0 < number("lower", lower) < 1:
            raise UsageError(f"lower={shown(lower)}: between 0 and 1")
        high = _largest_eigenvalue(A, as_system(A))
        weights = _chebyshev_weights(lower * high, high, sweeps)
    elif method == "l1" and as_system(A).matrix.kind != "csr":
        raise UsageError("smoother l1 is for sparse matrices: of a grid take A.tocsr(), or weighted")
    elif method in ("plain", "l1"):
        weights = [1.0] * sweeps
    elif method == "weighted":
        weights = [number("omega", 2 / 3 if omega is None else omega)] * sweeps
    else:
        raise UsageError(f"there is no smoother '{method}': take chebyshev, plain, weighted or l1")
    return Preconditioner((A, {"method": method}, tuple(weights), 1, backend, threads))


def multigrid(
    A: Any,
    pre: int = 2,
    post: int = 2,
    cycle: str = "V",
    cycles: int = 1,
    *,
    backend: str | None = None,
    threads: int | None = None,
) -> Preconditioner:
    """Multigrid cycles as a preconditioner: of a grid, or of a sparse matrix that is one.

    Parameters
    ----------
    A : Stencil or SciPy sparse matrix
        Values given on its sides must be 0.
    pre, post : int
        Sweeps before and after the correction of every grid.
    cycle : {'V', 'W'}
    cycles : int
    backend, threads
        As of `solve`.

    Returns
    -------
    Preconditioner

    Examples
    --------
    >>> import numpy as np, pyjacobi
    >>> from scipy.sparse.linalg import cg
    >>> A = pyjacobi.poisson((63, 63))
    >>> x, info = cg(A, np.ones(63 * 63), M=pyjacobi.multigrid(A))
    >>> info
    0
    """
    visits = {"V": 1, "W": 2}.get(text("cycle", cycle))
    if visits is None:
        raise UsageError(f"there is no cycle {shown(cycle)}: take 'V' or 'W'")
    told = (whole("pre", pre, 0, 1000), whole("post", post, 1, 1000), visits)
    cycles = whole("cycles", cycles, 1, 1000)
    return Preconditioner((A, {"method": "multigrid", "cycle": told}, (), cycles, backend, threads))


def amg(
    A: Any,
    pre: int = 1,
    post: int = 1,
    cycle: str = "V",
    cycles: int = 1,
    *,
    strength: float = 0.08,
    block: int = 1,
    near_null: Any = None,
    setup_seconds: float | None = None,
    backend: str | None = None,
    threads: int | None = None,
) -> Preconditioner:
    """Cycles of algebraic multigrid as a preconditioner: of a sparse matrix, which need be no grid.

    Parameters
    ----------
    A : SciPy sparse matrix
        Symmetric definite, or an M-matrix.
    pre, post : int
        Sweeps before and after the correction of every level.
    cycle : {'V', 'W'}
        Also 'K' where it goes to `solve` as M; by itself that is no linear map.
    cycles : int
    strength : float
        A coupling is strong above so much of the diagonal entries of its row and column.
    block : int
        Unknowns that belong together, as the displacements of a point do.
    near_null : (n, k) array, optional
        Columns that A nearly annihilates: of elasticity, rigid body modes. Default: constants.
    setup_seconds : float, optional
        Limit of the setup's time, beyond which BackendError is raised. Default: none.
    backend, threads
        As of `solve`.

    Returns
    -------
    Preconditioner

    Examples
    --------
    >>> import numpy as np, pyjacobi
    >>> from scipy.sparse.linalg import cg
    >>> A = pyjacobi.poisson((63, 63)).tocsr()
    >>> x, info = cg(A, np.ones(63 * 63), M=pyjacobi.amg(A))
    >>> info
    0
    >>> pyjacobi.solve(A, np.ones(63 * 63), method="amg").success
    True
    """
    columns: list[list[float]] = []
    if near_null is not None:
        given = as_array("near_null", near_null)
        real_dtype("near_null", given.dtype)
        if given.ndim != 2:
            raise UsageError(f"near_null has shape {given.shape}: (n, k) is needed")
        columns = [[float(value) for value in column] for column in given.T]
    told = (
        whole("pre", pre, 0, 64),
        whole("post", post, 1, 64),
        text("cycle", cycle),
        number("strength", strength),
        whole("block", block, 1, 64),
        columns,
        float("inf") if setup_seconds is None else number("setup_seconds", setup_seconds),
    )
    cycles = whole("cycles", cycles, 1, 1000)
    return Preconditioner((A, {"method": "amg", "amg": told}, (), cycles, backend, threads))
