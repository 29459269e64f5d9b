"""SciPy's LinearOperator for operators on grids: vectors may have the shape of the grid."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, overload

import numpy as np
import scipy.sparse as sparse
from numpy.typing import ArrayLike, NDArray
from scipy.sparse.linalg import LinearOperator

from ._memory import as_array, refuse_masked


class GridOperator(LinearOperator):
    """Square and real. Takes (n,), (n, 1) and (n, k) as SciPy does, and arrays of a grid's shape.

    The answer has the shape of what was given. Where shapes coincide, as on a grid of (n, 1), both readings are one.
    """

    _grid: tuple[int, ...] | None = None

    def _shaped(self, product: Callable[[Any], Any], x: Any) -> Any:
        if self._grid is None or len(self._grid) < 2 or isinstance(x, LinearOperator) or sparse.issparse(x):
            return product(x)
        refuse_masked("x", x)
        if np.shape(x) != self._grid:
            return product(x)
        return product(np.asarray(x).reshape(-1)).reshape(self._grid)

    def matvec(self, x: ArrayLike) -> NDArray[Any]:  # type: ignore[override]
        """A x, in the shape of x: (n,), (n, 1), or that of the grid."""
        told: NDArray[Any] = self._shaped(super().matvec, x)
        return told

    def rmatvec(self, x: ArrayLike) -> NDArray[Any]:  # type: ignore[override]
        """The transpose of A times x, in the shape of x."""
        told: NDArray[Any] = self._shaped(super().rmatvec, x)
        return told

    @overload  # type: ignore[override]
    def dot(self, x: LinearOperator) -> LinearOperator: ...
    @overload
    def dot(self, x: ArrayLike) -> NDArray[Any]: ...
    def dot(self, x: Any) -> Any:
        """A x of an array, also of several columns; of an operator or a number the product with that."""
        return self._shaped(super().dot, x)

    @overload  # type: ignore[override]
    def __matmul__(self, x: LinearOperator) -> LinearOperator: ...
    @overload
    def __matmul__(self, x: ArrayLike) -> NDArray[Any]: ...
    def __matmul__(self, x: Any) -> Any:
        return self._shaped(super().__matmul__, x)

    def _transpose(self) -> LinearOperator:
        return self._adjoint()


class MatrixOnGrid(GridOperator):
    """A sparse matrix as such an operator: the transpose of one that has no entries at hand."""

    def __init__(self, matrix: Any, grid: tuple[int, ...]) -> None:
        super().__init__(matrix.dtype, matrix.shape)  # type: ignore[call-arg]
        self._matrix, self._grid = matrix, grid

    def _matvec(self, x: NDArray[Any]) -> NDArray[Any]:
        return self._matrix @ x  # type: ignore[no-any-return]

    _matmat = _matvec

    def _adjoint(self) -> LinearOperator:
        return MatrixOnGrid(self._matrix.T.tocsr(), self._grid or ())


def flattened(name: str, value: Any, grid: tuple[int, ...]) -> NDArray[Any]:
    """An array of the grid's shape as (n,), any other as it is; `name` is what errors call it."""
    array = as_array(name, value)
    return array.reshape(-1) if array.shape == grid else array


def is_symmetric(matrix: Any) -> bool:
    """Whether the entries of a sparse matrix and of its transpose differ by rounding at most."""
    other = matrix.T.tocsr()
    largest = abs(matrix).maximum(abs(other))
    return bool((abs(matrix - other) > 8 * np.finfo(matrix.dtype).eps * largest).nnz == 0)
