"""Stencil: an operator on a grid as SciPy's LinearOperator."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sparse
from numpy.typing import NDArray
from scipy.sparse.linalg import LinearOperator

from ._arrays import System
from ._linear import GridOperator, MatrixOnGrid
from ._memory import as_array, held, laid_out, real_dtype, refuse_masked


class Stencil(GridOperator):
    """An operator on a grid, made by `poisson`, `diffusion` or `stencil`.

    Vectors are arrays of `grid_shape`, or flat ones; products have the shape of what was given. As SciPy's
    LinearOperator it is the linear part alone: values given on the sides go into the right-hand side, which `solve`
    does by itself and `fold` shows.

    Attributes
    ----------
    grid_shape : tuple of int
        Unknowns in every direction, in NumPy's order.
    shape : (n, n)
    dtype : dtype
    """

    def __init__(
        self,
        matrix: Any,
        grid_shape: tuple[int, ...],
        dtype: np.dtype[Any],
        recipe: tuple[Any, ...],
        viewed: tuple[NDArray[Any], ...] = (),
    ) -> None:
        n = int(matrix.rows)
        super().__init__(dtype, (n, n))  # type: ignore[call-arg]
        self.grid_shape: tuple[int, ...] = grid_shape
        self._grid = grid_shape
        self.system: System = System(matrix, n, dtype, grid_shape, viewed=viewed)
        self._recipe = recipe

    @property
    def singular(self) -> bool:
        """Whether solutions differ by a constant, in some part that no given value and no reaction touches."""
        return bool(self.system.matrix.singular)

    def astype(self, dtype: Any) -> Stencil:
        """The same operator in float32 or float64."""
        make, args, _ = self._recipe
        wanted = real_dtype("the operator", np.dtype(dtype))
        return make(*args, wanted)  # type: ignore[no-any-return]

    def _multiply(self, x: NDArray[Any]) -> NDArray[Any]:
        refuse_masked("x", x)
        flat = laid_out(x.reshape(-1), self.dtype)
        y = np.empty(self.shape[0], self.dtype)
        _held = held(flat)
        self.system.matrix.multiply(flat, y)
        return y

    def _matvec(self, x: NDArray[Any]) -> NDArray[Any]:
        if np.iscomplexobj(x):
            return self._matvec(x.real) + 1j * self._matvec(x.imag)
        return self._multiply(x).reshape(x.shape)

    def _matmat(self, X: NDArray[Any]) -> NDArray[Any]:
        return np.stack([self._matvec(X[:, c]) for c in range(X.shape[1])], axis=1) if X.shape[1] else X[:, :0]

    def _adjoint(self) -> LinearOperator:
        return MatrixOnGrid(self.tocsr().T.tocsr(), self.grid_shape)

    def tocsr(self) -> sparse.csr_array:
        """The same matrix by rows; its right-hand side is ``fold(b)``.

        Not symmetric with Neumann or Robin sides, whose points have half cells: W A is, with the diagonal W of a half
        for each such side that a point lies on. Points held or left out are rows with a diagonal entry alone.
        """
        indptr, indices, data = self.system.matrix.to_csr()
        if len(data) < 2**31:
            indptr, indices = indptr.astype(np.int32), indices.astype(np.int32)
        return sparse.csr_array((np.array(data), indices, indptr), shape=self.shape)

    def toarray(self) -> NDArray[Any]:
        """The same matrix with all its entries."""
        return self.tocsr().toarray()

    def fold(self, b: Any) -> NDArray[Any]:
        """b with the values on the sides, and of points held, brought over: the right-hand side of ``tocsr()``.

        At points held it is the diagonal entry times their value, so that a direct solution has that value. At points
        outside a mask it is 0, and so is a direct solution, where `solve` gives NaN. b : array of the grid's shape, or
        flat; the answer has its shape. Raises InputError where a part of a domain has no solution. Cost: a few passes.
        """
        array = as_array("b", b)
        real_dtype("b", array.dtype)
        flat = laid_out(array.reshape(-1), self.dtype)
        out = np.empty_like(flat)
        _held = held(flat)
        if self.system.has_domain:
            self.system.matrix.domain_fold(flat, out, False)
            held_at = np.zeros_like(flat)
            self.system.matrix.domain_finish(held_at)  # values of points held, NaN outside
            out += self._multiply(np.nan_to_num(held_at))
        else:
            self.system.matrix.fold(flat, out)
        return out.reshape(array.shape)

    @property
    def weights(self) -> NDArray[Any]:
        """Halves at Neumann and Robin sides, else 1: with the diagonal W of these W A is symmetric.

        So it is where off-diagonal coefficients agree, as those of `poisson` and `diffusion` do.
        """
        out = np.empty(self.shape[0], self.dtype)
        self.system.matrix.weights(out)
        return out.reshape(self.grid_shape)

    @property
    def volumes(self) -> NDArray[Any]:
        """The volume of each unknown's cell over the mean one: -laplacian u = f is solved with b = volumes * f.

        All 1 where neither axes nor coordinates were given.
        """
        out = np.ones(self.shape[0], self.dtype)
        self.system.matrix.times_volumes(out)
        return out.reshape(self.grid_shape)

    def bounds(self) -> tuple[float, float]:
        """Bounds of the eigenvalues of D^-1 A; exact with constant coefficients.

        Where coefficients vary the lower one is an estimate. With a mask or fixed points it is that of the whole
        box: a bound, unless points at the cut are insulated.
        """
        low, high = self.system.matrix.bounds()
        return float(low), float(high)

    def __reduce__(self) -> Any:
        make, args, dtype = self._recipe
        return make, (*args, dtype)

    def __repr__(self) -> str:
        return f"<pyjacobi.Stencil of {' x '.join(map(str, self.grid_shape))} unknowns, {self.dtype}>"
