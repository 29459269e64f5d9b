"""Operators whose stencil is the whole box of 3^D points: compact Laplacians, tensor diffusion."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._arrays import core
from ._box import Where, box_of, per_axis, shape_of, sides_of
from ._errors import UsageError
from ._memory import floats, held, laid_out, real_dtype
from ._options import number
from ._sides import Sides, at_points
from ._stencil import Stencil


class BoxStencil(Stencil):
    """An operator made by `compact_poisson` or `tensor_diffusion`.

    As `Stencil`, but for values on Dirichlet sides: `rhs` brings these over, for they count at corners too.

    Attributes
    ----------
    points_shape : tuple of int
        All points in every direction, those on Dirichlet sides included, in NumPy's order.
    """

    def __init__(self, matrix: Any, dtype: np.dtype[Any], recipe: tuple[Any, ...]) -> None:
        _, (shape, where, sides, tensor, reaction), _ = recipe
        super().__init__(matrix, shape, dtype, recipe)
        self._where, self._sides = where, sides
        self._asked = (tensor, reaction)
        last = len(shape) - 1
        self.points_shape: tuple[int, ...] = tuple(n + sides.dirichlet(last - i) for i, n in enumerate(shape))

    def _places(self) -> list[NDArray[Any]]:
        """Coordinates x, y, z of all points."""
        dimensions = len(self.grid_shape)
        spacing, domain = self._where.spacing, self._where.domain
        ends = np.broadcast_to(floats("domain", (0.0, 1.0) if domain is None else domain), (dimensions, 2))

        def line(axis: int) -> NDArray[Any]:
            n = self.points_shape[-1 - axis]
            low, high = ends[-1 - axis]
            intervals = n if self._sides.kinds[2 * axis] == "periodic" else n - 1
            h = (high - low) / intervals if spacing is None else per_axis("spacing", spacing, dimensions)[axis]
            return np.asarray(low + h * np.arange(n))

        return list(np.meshgrid(*[line(axis) for axis in range(dimensions)][::-1], indexing="ij")[::-1])

    def rhs(self, f: Any = 1.0, given: Any = 0.0) -> NDArray[Any]:
        """The b of this operator, whose solution is u.

        Parameters
        ----------
        f : float, array of `points_shape`, or function of x, y, z
        given : float, array of `points_shape`, or function of x, y, z
            u on Dirichlet sides; values elsewhere do not count.

        Returns
        -------
        array of `grid_shape`
        """

        def flat(name: str, value: Any) -> NDArray[Any]:
            array = at_points(name, value, self.points_shape, self._places, "all points, Dirichlet sides included")
            return laid_out(np.ascontiguousarray(array).reshape(-1), self.dtype)

        values, on_sides = flat("f", f), flat("given", given)
        out = np.empty(self.shape[0], self.dtype)
        _held = held(values, on_sides)
        box = box_of(self.grid_shape, self._where, self._sides)
        core("box_rhs", self.dtype)(box, *self._asked, values, on_sides, out)
        return out.reshape(self.grid_shape)


def _make_box(shape: Any, where: Where, sides: Sides, tensor: list[float], reaction: float, dtype: Any) -> BoxStencil:
    wanted = real_dtype("dtype", np.dtype(dtype))
    matrix = core("box", wanted)(box_of(shape, where, sides), tensor, reaction)
    return BoxStencil(matrix, wanted, (_make_box, (shape, where, sides, tensor, reaction), wanted))


def _box(shape: Any, spacing: Any, domain: Any, bc: Any, tensor: list[float], reaction: Any, dtype: Any) -> BoxStencil:
    where, told = Where(spacing, domain), shape_of(shape)
    sides = sides_of(len(told), bc, where)
    if sides.parts or any(value is not None for value in sides.values):
        raise UsageError(
            "bc has values, parts or a robin side: a box stencil has dirichlet, periodic and insulated (neumann) "
            "sides; give values on Dirichlet sides to rhs(f, given)"
        )
    return _make_box(told, where, sides, tensor, number("reaction", reaction), dtype)


def compact_poisson(
    shape: int | Sequence[int],
    *,
    spacing: Any = None,
    domain: Any = None,
    bc: Any = None,
    reaction: float = 0.0,
    dtype: Any = np.float64,
) -> BoxStencil:
    """-laplacian u + reaction u of fourth order, on the box of 3, 9 or 27 points.

    Parameters
    ----------
    shape, spacing, domain
        As of `poisson`.
    bc : dict, str or tuple, optional
        As of `poisson`, without values: dirichlet, neumann (insulated) or periodic.
    reaction : float
        At least 0.
    dtype : dtype
        float64 or float32.

    Returns
    -------
    BoxStencil
        Solve with ``A.rhs(f, given)``, which has the correction of f that the order needs.

    Examples
    --------
    >>> import numpy as np, pyjacobi
    >>> u = lambda x, y: np.sin(np.pi * x) * np.sin(np.pi * y)
    >>> for n in (15, 31):
    ...     A = pyjacobi.compact_poisson((n, n))
    ...     x = pyjacobi.solve(A, A.rhs(lambda x, y: 2 * np.pi**2 * u(x, y))).x
    ...     print(f"{abs(x.max() - 1):.1e}")
    6.2e-06
    3.9e-07
    """
    return _box(shape, spacing, domain, bc, [], reaction, dtype)


def tensor_diffusion(
    shape: int | Sequence[int],
    tensor: Any,
    *,
    spacing: Any = None,
    domain: Any = None,
    bc: Any = None,
    reaction: float = 0.0,
    dtype: Any = np.float64,
) -> BoxStencil:
    """-div(K grad u) + reaction u of second order, K constant, with mixed derivatives.

    Parameters
    ----------
    shape, spacing, domain, reaction, dtype
        As of `poisson`.
    tensor : (d, d) array, or sequence
        K in the order x, y, z: symmetric and positive definite; or its upper triangle by rows, (kxx, kxy, kyy).
    bc
        As of `compact_poisson`; insulated sides only where no mixed derivative lies across them.

    Returns
    -------
    BoxStencil
        Solve with ``A.rhs(f, given)``.

    Examples
    --------
    >>> import pyjacobi
    >>> A = pyjacobi.tensor_diffusion((31, 31), [[2.0, 0.9], [0.9, 1.0]])
    >>> pyjacobi.solve(A, A.rhs(1.0)).success
    True
    """
    entries = floats("tensor", tensor)
    d = len(shape_of(shape))
    if entries.ndim == 2:
        if entries.shape != (d, d) or not np.array_equal(entries, entries.T):
            raise UsageError(f"tensor has shape {entries.shape}: a symmetric one of shape {(d, d)} is needed")
        entries = entries[np.triu_indices(d)]
    if entries.size == 0:
        raise UsageError("tensor is empty: give kxx,kxy,kyy, as (2, 0.5, 1)")
    return _box(shape, spacing, domain, bc, entries.ravel().tolist(), reaction, dtype)
