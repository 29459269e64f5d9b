"""Operators on grids of one, two or three dimensions. Axes are NumPy's: the last one is x."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._arrays import core
from ._box import Points, Where, axes_of, box_of, places_of, shape_of, shape_on_axes, sides_of
from ._errors import UsageError
from ._memory import FLOAT64, as_array, floats, held, laid_out, real_dtype
from ._options import number, shown, text
from ._sides import Sides
from ._stencil import Stencil


def _on_domain(matrix: Any, sides: Sides, points: Points | None, dtype: np.dtype[Any]) -> Any:
    """The operator of the box, or of a domain where some points are no unknowns or sides are Robin's."""
    if points is None and not sides.robin:
        return matrix
    flat = [np.ascontiguousarray(floats("robin", v).ravel()) for pair in sides.robin.values() for v in pair]
    robin = [(side, flat[2 * i], flat[2 * i + 1]) for i, side in enumerate(sides.robin)]
    kinds, values = np.zeros(0, np.uint8), np.zeros(0, dtype)
    if points is not None:
        kinds, values = points.kinds.ravel(), laid_out(points.values.ravel(), dtype)
    return core("domain", dtype)(matrix, kinds, values, points is not None and points.insulated, robin)


def _make_poisson(
    told: tuple[int, ...], where: Where, sides: Sides, reaction: float, points: Points | None, dtype: Any
) -> Stencil:
    wanted = real_dtype("dtype", np.dtype(dtype))
    matrix = core("poisson", wanted)(box_of(told, where, sides), number("reaction", reaction))
    matrix = _on_domain(matrix, sides, points, wanted)
    return Stencil(matrix, told, wanted, (_make_poisson, (told, where, sides, reaction, points), wanted))


def _points(
    shape: tuple[int, ...], where: Where, sides: Sides, mask: Any, mask_side: Any, fix: Any, fix_value: Any
) -> Points | None:
    """None where all points are unknowns. Lays out the sides."""
    sides.lay_out(shape, lambda side: places_of(shape, where, sides, side))
    if mask is None and fix is None and mask_side == "dirichlet" and not np.any(fix_value) and not sides.held:
        return None
    return Points(shape, where, sides, mask, mask_side, fix, fix_value)


def poisson(
    shape: int | Sequence[int] | None = None,
    *,
    spacing: Any = None,
    domain: Any = None,
    axes: Any = None,
    coordinates: str = "cartesian",
    bc: Any = None,
    reaction: float = 0.0,
    mask: Any = None,
    mask_side: Any = "dirichlet",
    fix: Any = None,
    fix_value: Any = 0.0,
    dtype: Any = np.float64,
) -> Stencil:
    """-laplacian u + reaction u on a box.

    Parameters
    ----------
    shape : int or tuple of int
        Unknowns in every direction, in NumPy's order: (ny, nx). Points on Dirichlet sides are none. May be left out
        where axes give all directions.
    spacing : float or sequence, optional
        Distance of neighbours, in NumPy's order; else it follows from the domain.
    domain : (lo, hi) or a sequence of such pairs, optional
        In NumPy's order; default the unit box.
    axes : dict or sequence of arrays, optional
        Coordinates of all points along 'x', 'y', 'z', or (x, y, z): increasing, points on the sides included, and
        where the period ends. Equations are multiplied by cells' volumes then: b is ``A.volumes * f``.
    coordinates : 'cartesian', 'polar' or 'cylindrical'
        polar: x is the radius r, y the angle. cylindrical: x is r, in 2D y the height, in 3D y the angle. At r = 0
        nothing is given and nothing flows.
    bc : dict, str or tuple, optional
        Of an axis ('x') or a side ('x-'): 'dirichlet', 'neumann', 'periodic', or (kind, value); default dirichlet, 0. A
        value is a number, an array of the side's points, or a function of x, y, z. Neumann gives the outward
        derivative, and its points are unknowns. ('robin', alpha, beta) is du/dn + alpha u = beta, alpha >= 0. A list
        has parts, (kind, value, where) or ('robin', alpha, beta, where); where is an array or a function. The first
        part whose `where` is not 0 holds at a point. Points of such a side are unknowns, those of its Dirichlet parts
        held. Not a dictionary: the same for all axes.
    reaction : float
        At least 0.
    mask : array of that shape, or function of x, y, z, optional
        Where it is 0 or False a point is no unknown; solutions have NaN there. The edge is a staircase, of first order.
    mask_side : 'dirichlet', ('dirichlet', values) or 'neumann'
        What holds beyond: points outside have these values (default 0), or no flux passes.
    fix : array of that shape, or function of x, y, z, optional
        Points that are held at fix_value.
    fix_value : float, array of that shape, or function of x, y, z
    dtype : dtype
        float64 or float32.

    Returns
    -------
    Stencil
        Neumann sides make its ``tocsr()`` unsymmetric. Where it is `singular`, b must have mean 0, with the values of
        Neumann sides; a small mean is removed, see project_rhs of `solve`.

    Examples
    --------
    >>> import numpy as np, pyjacobi
    >>> A = pyjacobi.poisson((3, 4), spacing=1.0)
    >>> A.shape, A.tocsr()[0, 0]
    ((12, 12), np.float64(4.0))
    >>> B = pyjacobi.poisson((32, 32), bc={"x": "periodic", "y-": ("neumann", 1.0)})
    >>> B.singular
    False
    >>> D = pyjacobi.poisson((31, 31), mask=lambda x, y: (x - 0.5) ** 2 + (y - 0.5) ** 2 < 0.16)
    >>> u = pyjacobi.solve(D, np.ones(D.grid_shape)).x
    >>> bool(np.isnan(u[0, 0])), round(float(u[15, 15]), 3)
    (True, 0.042)

    The lower half of a side is held at 1, the upper one insulated:

    >>> P = pyjacobi.poisson((31, 32), bc={"x-": [("dirichlet", 1.0, lambda x, y: y < 0.5), "neumann"]})
    >>> u = pyjacobi.solve(P, np.zeros(P.grid_shape)).x
    >>> bool((u[:15, 0] == 1).all()), bool((u[15:, 0] < 1).all())
    (True, True)

    A coaxial cable, u = 1 on its core of radius 0.1 and 0 on its screen, is a logarithm of the radius:

    >>> r = 0.1 * 10 ** np.linspace(0, 1, 65)
    >>> C = pyjacobi.poisson(axes=(r,), coordinates="cylindrical", bc={"x-": ("dirichlet", 1.0)})
    >>> u = pyjacobi.solve(C, C.volumes * np.zeros(C.grid_shape)).x
    >>> bool(abs(u + np.log10(r[1:-1])).max() < 1e-4)
    True
    """
    where = Where(spacing, domain, axes_of(axes), text("coordinates", coordinates))
    told = shape_on_axes(where, bc) if shape is None else shape_of(shape)
    sides = sides_of(len(told), bc, where)
    points = _points(told, where, sides, mask, mask_side, fix, fix_value)
    return _make_poisson(told, where, sides, reaction, points, dtype)


def _shape_below(k: Any, sides: Sides) -> tuple[int, ...]:
    """The unknowns, where k has a value for each point."""
    shape = tuple(n - sides.dirichlet(k.ndim - 1 - i) for i, n in enumerate(k.shape))
    if min(shape) < 1:
        raise UsageError(f"k has shape {k.shape}: no unknown is left between the Dirichlet sides")
    return shape


def _make_diffusion(k: Any, where: Where, sides: Sides, reaction: Any, points: Points | None, dtype: Any) -> Stencil:
    shape = _shape_below(k, sides)
    wanted = np.dtype(dtype)
    c = np.zeros(0, wanted) if reaction is None else np.asarray(reaction)
    if c.ndim and reaction is not None and c.shape != shape:
        raise UsageError(f"reaction has shape {c.shape}: one number, or {shape}, is needed")
    flat = laid_out(k.reshape(-1), wanted)
    rate = laid_out(c.reshape(-1), wanted)
    _held = held(flat, rate)
    matrix = core("diffusion", wanted)(box_of(shape, where, sides), flat, rate)
    matrix = _on_domain(matrix, sides, points, wanted)
    return Stencil(matrix, shape, wanted, (_make_diffusion, (k, where, sides, reaction, points), wanted))


def diffusion(
    k: Any,
    *,
    spacing: Any = None,
    domain: Any = None,
    axes: Any = None,
    coordinates: str = "cartesian",
    bc: Any = None,
    reaction: Any = None,
    mask: Any = None,
    mask_side: Any = "dirichlet",
    fix: Any = None,
    fix_value: Any = 0.0,
) -> Stencil:
    """-div(k grad u) + reaction u on a box; between two points the harmonic mean of k counts.

    Parameters
    ----------
    k : array of 1, 2 or 3 dimensions
        Above 0 at every grid point, those on Dirichlet sides included: the unknowns are k's shape less its Dirichlet
        sides.
    spacing, domain, axes, coordinates, bc, mask, mask_side, fix, fix_value
        As of `poisson`; ('robin', alpha, beta) is k du/dn + alpha u = beta.
    reaction : float or array of the unknowns' shape, optional
        At least 0.

    Returns
    -------
    Stencil

    Examples
    --------
    >>> import numpy as np, pyjacobi
    >>> k = np.ones((10, 10)); k[3:6] = 1000.0
    >>> pyjacobi.diffusion(k).grid_shape
    (8, 8)
    """
    array = as_array("k", k)
    dtype = real_dtype("k", array.dtype)
    if not 1 <= array.ndim <= 3:
        raise UsageError(f"k has shape {array.shape}: a grid has 1, 2 or 3 dimensions")
    rate = None if reaction is None else as_array("reaction", reaction)
    if rate is not None:
        real_dtype("reaction", rate.dtype)
    where = Where(spacing, domain, axes_of(axes), text("coordinates", coordinates))
    sides = sides_of(array.ndim, bc, where)
    points = _points(_shape_below(array, sides), where, sides, mask, mask_side, fix, fix_value)
    return _make_diffusion(array, where, sides, rate, points, dtype)


def _make_stencil(shape: Any, center: Any, off: Any, bc: Any, dtype: Any) -> Stencil:
    told = shape_of(shape)
    n = int(np.prod(told))
    wanted = np.dtype(dtype)

    def flat(name: str, value: Any, whole: bool) -> NDArray[Any]:
        if value.ndim and value.shape != told and value.shape != (n,):
            raise UsageError(f"{name} has shape {value.shape}: one number, or {told}, is needed")
        array = np.full(n, value) if whole and value.ndim == 0 else value
        return laid_out(array.reshape(-1), wanted)

    whole = any(v.ndim for v in (center, *off))
    sides = Sides(len(told), bc)
    if sides.parts:
        raise UsageError("bc has a robin side or one in parts: poisson takes it; a stencil has it in its coefficients")
    if any(callable(value) for value in sides.values):
        raise UsageError("bc has a function: a stencil has no coordinates, give numbers")
    box = box_of(told, Where(spacing=1.0), sides)
    parts = [flat("off", v, whole) for v in off]
    middle = flat("center", center, whole)
    matrix = core("stencil", wanted)(box, middle, parts)
    return Stencil(matrix, told, wanted, (_make_stencil, (shape, center, off, bc), wanted), (middle, *parts))


def stencil(shape: int | Sequence[int], center: Any, off: Any, *, bc: Any = None) -> Stencil:
    """An operator by its coefficients: centre, and one towards every neighbour.

    Parameters
    ----------
    shape : int or tuple of int
        Unknowns in every direction, in NumPy's order.
    center : float or array of that shape
    off : float, dict, or sequence in the order x-, x+, y-, y+, z-, z+
        Numbers or arrays; keys of a dictionary are those names. Missing ones are 0.
    bc
        As of `poisson`.

    Returns
    -------
    Stencil

    Examples
    --------
    >>> import pyjacobi
    >>> pyjacobi.stencil(3, 2.0, [-1.0, -1.0]).toarray()
    array([[ 2., -1.,  0.],
           [-1.,  2., -1.],
           [ 0., -1.,  2.]])
    """
    told = shape_of(shape)
    names = [a + end for a in "xyz"[: len(told)] for end in "-+"]
    if isinstance(off, Mapping):
        unknown = set(off) - set(names)
        if unknown:
            raise UsageError(f"off has the key {shown(min(unknown, key=str))}: this grid has {', '.join(names)}")
        off = [off.get(name, 0.0) for name in names]
    if np.isscalar(off):
        off = [off] * len(names)
    if len(off) != len(names):
        raise UsageError(f"off has {len(off)} entries: {len(names)} are needed, {', '.join(names)}")
    arrays = [as_array("off", v) for v in off]
    middle = as_array("center", center)
    dtype = np.result_type(*(real_dtype("a coefficient", v.dtype) for v in (middle, *arrays)))
    return _make_stencil(shape, middle, arrays, bc, FLOAT64 if dtype.kind != "f" else dtype)
