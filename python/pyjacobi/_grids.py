"""Operators on grids of one, two or three dimensions. Axes are NumPy's: the last one is x."""

from __future__ import annotations

import math
import operator
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import scipy.sparse as sparse
from scipy.sparse.linalg import LinearOperator

from . import _core
from ._arrays import System, core
from ._errors import UsageError
from ._memory import FLOAT64, as_array, held, laid_out, real_dtype, refuse_masked
from ._options import number, shown

_KINDS = ("dirichlet", "neumann", "periodic", "robin")


def _shape_of(shape: Any) -> tuple[int, ...]:
    if not isinstance(shape, (tuple, list, np.ndarray)):
        shape = (shape,)
    try:
        told = tuple(operator.index(n) for n in shape)
    except TypeError:
        raise TypeError(f"shape {shown(shape)}: whole numbers are needed") from None
    if not 1 <= len(told) <= 3:
        raise UsageError(f"shape {shown(told)}: a grid has 1, 2 or 3 dimensions")
    if min(told) < 1:
        raise UsageError(f"shape {shown(told)}: at least one unknown in every direction")
    if math.prod(told) >= 2**40:
        raise UsageError(f"shape {shown(told)}: too large, at most 2^40 unknowns")
    return told


class _Sides:
    """What holds on each side: of x-, x+, y-, ... kind and values."""

    def __init__(self, dimensions: int, bc: Any) -> None:
        axes = "xyz"[:dimensions]
        self.kinds = ["dirichlet"] * (2 * dimensions)
        self.values: list[Any] = [None] * (2 * dimensions)
        self.robin: dict[int, tuple[Any, Any]] = {}  # alpha and beta of sides that are Neumann's otherwise
        if bc is None:
            return
        if isinstance(bc, (str, tuple)):
            bc = dict.fromkeys(axes, bc)
        if not isinstance(bc, Mapping):
            raise TypeError(f"bc={shown(bc)}: a dictionary such as {{'x': 'periodic', 'y-': ('neumann', 1)}} is needed")
        known = {key for a in axes for key in (a, a + "-", a + "+")}
        for key in sorted(bc, key=lambda k: len(str(k))):  # a side by itself after both of its axis
            if key not in known:
                raise UsageError(f"bc has the key {shown(key)}: this grid has the sides {', '.join(sorted(known))}")
            if key[1:] and key[0] in bc:
                raise UsageError(f"bc has {shown(key[0])} and {shown(key)}: {key} is given twice")
            self._set(axes.index(key[0]), key[1:], bc[key])

    def _set(self, axis: int, end: str, what: Any) -> None:
        if not isinstance(what, (str, tuple, list)):
            raise TypeError(f"bc has {shown(what)} for a side: a kind, or a pair (kind, value), is needed")
        told = (what,) if isinstance(what, str) else tuple(what)
        if told[:1] == ("robin",):
            if len(told) != 3:
                raise UsageError(f"bc has {shown(what)} for a side: ('robin', alpha, beta) is needed")
            for side in (0, 1):
                if end in ("", "-+"[side]):
                    self.kinds[2 * axis + side] = "neumann"
                    self.robin[2 * axis + side] = (told[1], told[2])
            return
        if not 1 <= len(told) <= 2:
            raise UsageError(f"bc has {shown(what)} for a side: a kind, or a pair (kind, value), is needed")
        kind, value = (*told, None)[:2]
        if kind not in _KINDS:
            hint = _core.hint_for(kind, list(_KINDS)) if isinstance(kind, str) else ""
            raise UsageError(f"there is no boundary condition {shown(kind)}: take one of {', '.join(_KINDS)}{hint}")
        if kind == "periodic" and (end or value is not None):
            raise UsageError("periodic is of both sides of an axis, without a value: bc={'x': 'periodic'}")
        for side in (0, 1):
            if end in ("", "-+"[side]):
                self.kinds[2 * axis + side] = kind
                self.values[2 * axis + side] = value

    def listed(self) -> list[list[float]]:
        told: list[list[float]] = []
        for value in self.values:
            if value is None:
                told.append([])
                continue
            array = as_array("a boundary value", value)
            real_dtype("a boundary value", array.dtype)
            told.append([float(v) for v in array.ravel()])
        return told

    def dirichlet(self, axis: int) -> int:
        """How many sides of the axis keep their points from the unknowns."""
        return self.kinds[2 * axis : 2 * axis + 2].count("dirichlet")


def _per_axis(name: str, value: Any, dimensions: int) -> list[float]:
    """In the order x, y, z."""
    values = [value] * dimensions if np.ndim(value) == 0 else list(value)
    if len(values) != dimensions:
        raise UsageError(f"{name} has {len(values)} entries: one, or {dimensions}, are needed")
    return [number(name, v) for v in reversed(values)]


def _box(shape: tuple[int, ...], spacing: Any, domain: Any, sides: _Sides) -> Any:
    dimensions = len(shape)
    if spacing is not None and domain is not None:
        raise UsageError("give spacing or domain, not both")
    distances: list[float] = []
    lower, upper = [0.0] * dimensions, [1.0] * dimensions
    if spacing is not None:
        distances = _per_axis("spacing", spacing, dimensions)
        if not all(0 < h < np.inf for h in distances):
            raise UsageError(f"spacing={shown(spacing)}: above 0 and finite")
    elif domain is not None:
        refuse_masked("domain", domain)
        ends = np.asarray(domain, float)
        if ends.shape == (2,):
            ends = np.tile(ends, (dimensions, 1))
        if ends.shape != (dimensions, 2):
            raise UsageError(f"domain has shape {ends.shape}: a pair of numbers for every axis is needed")
        lower, upper = ends[::-1, 0].tolist(), ends[::-1, 1].tolist()
    return _core.Box(list(reversed(shape)), lower, upper, distances, sides.kinds, sides.listed())


class Stencil(LinearOperator):
    """An operator on a grid, made by `poisson`, `diffusion` or `stencil`.

    Vectors are arrays of `grid_shape`, or flat ones. As SciPy's LinearOperator it is the linear part alone: values
    given on the sides go into the right-hand side, which `solve` does by itself and `fold` shows.

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
        viewed: tuple[np.ndarray[Any, Any], ...] = (),
    ) -> None:
        n = int(matrix.rows)
        super().__init__(dtype, (n, n))  # type: ignore[call-arg]
        self.grid_shape: tuple[int, ...] = grid_shape
        self.system: System = System(matrix, n, dtype, grid_shape, viewed=viewed)
        self._recipe = recipe

    @property
    def singular(self) -> bool:
        """Whether solutions differ by a constant: no Dirichlet side, all row sums 0."""
        return bool(self.system.matrix.singular)

    def astype(self, dtype: Any) -> Stencil:
        """The same operator in float32 or float64."""
        make, args, _ = self._recipe
        wanted = real_dtype("the operator", np.dtype(dtype))
        return make(*args, wanted)  # type: ignore[no-any-return]

    def _multiply(self, x: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        refuse_masked("x", x)
        flat = laid_out(x.reshape(-1), self.dtype)
        y = np.empty(self.shape[0], self.dtype)
        _held = held(flat)
        self.system.matrix.multiply(flat, y)
        return y

    def _matvec(self, x: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        if np.iscomplexobj(x):
            return self._matvec(x.real) + 1j * self._matvec(x.imag)
        return self._multiply(x).reshape(x.shape)

    def _matmat(self, X: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        return np.stack([self._matvec(X[:, c]) for c in range(X.shape[1])], axis=1) if X.shape[1] else X[:, :0]

    def _adjoint(self) -> LinearOperator:
        from scipy.sparse.linalg import aslinearoperator

        return aslinearoperator(self.tocsr().T.tocsr())

    def tocsr(self) -> sparse.csr_array:
        """The same matrix by rows; its right-hand side is ``fold(b)``."""
        indptr, indices, data = self.system.matrix.to_csr()
        if len(data) < 2**31:
            indptr, indices = indptr.astype(np.int32), indices.astype(np.int32)
        return sparse.csr_array((np.array(data), indices, indptr), shape=self.shape)

    def toarray(self) -> np.ndarray[Any, Any]:
        """The same matrix with all its entries."""
        return self.tocsr().toarray()

    def fold(self, b: Any) -> np.ndarray[Any, Any]:
        """b with the values on the sides, and of points held, brought over: the right-hand side of ``tocsr()``."""
        array = as_array("b", b)
        real_dtype("b", array.dtype)
        flat = laid_out(array.reshape(-1), self.dtype)
        out = np.empty_like(flat)
        _held = held(flat)
        if self.system.has_domain:
            self.system.matrix.domain_fold(flat, out, False)
        else:
            self.system.matrix.fold(flat, out)
        return out.reshape(array.shape)

    def bounds(self) -> tuple[float, float]:
        """Bounds of the eigenvalues of D^-1 A; exact with constant coefficients."""
        low, high = self.system.matrix.bounds()
        return float(low), float(high)

    def __reduce__(self) -> Any:
        make, args, dtype = self._recipe
        return make, (*args, dtype)

    def __repr__(self) -> str:
        return f"<pyjacobi.Stencil of {' x '.join(map(str, self.grid_shape))} unknowns, {self.dtype}>"


class _Points:
    """Which points of a grid are no unknowns, and their values, as arrays."""

    def __init__(
        self, shape: tuple[int, ...], places: Any, mask: Any, mask_side: Any, fix: Any, fix_value: Any
    ) -> None:
        def at_points(name: str, value: Any) -> np.ndarray[Any, Any]:
            array = np.asarray(value(*places()) if callable(value) else value)
            if array.dtype.kind not in "biuf":
                raise TypeError(f"{name} has dtype {array.dtype}: numbers are needed")
            if array.ndim and array.shape != shape:
                raise UsageError(f"{name} has shape {array.shape}: {shape}, that of the unknowns of the box, is needed")
            if np.isnan(array).any():
                raise UsageError(f"{name} has NaN at {tuple(map(int, np.argwhere(np.isnan(array))[0]))}")
            return np.broadcast_to(array, shape)

        side, value = (mask_side, 0.0) if isinstance(mask_side, str) else mask_side
        if side not in ("dirichlet", "neumann") or (side == "neumann" and np.any(value)):
            raise UsageError(f"mask_side={shown(mask_side)}: take 'dirichlet', ('dirichlet', values) or 'neumann'")
        self.insulated = side == "neumann"
        self.kinds = np.zeros(shape, np.uint8)
        self.values = np.zeros(shape)
        if mask is not None:
            outside = at_points("mask", mask) == 0
            self.kinds[outside] = 2
            self.values[outside] = at_points("mask_side", value)[outside]
        elif mask_side != "dirichlet":
            raise UsageError("mask_side goes with a mask")
        if fix is not None:
            fixed = at_points("fix", fix) != 0
            self.kinds[fixed] = 1
            self.values[fixed] = at_points("fix_value", fix_value)[fixed]
        elif np.any(fix_value):
            raise UsageError("fix_value goes with fix")


def _places(shape: tuple[int, ...], spacing: Any, domain: Any, sides: _Sides) -> Any:
    """Coordinates x, y, z of the unknowns, each an array of the grid's shape, when called."""

    def made() -> list[np.ndarray[Any, Any]]:
        dimensions = len(shape)
        ends = np.broadcast_to(np.asarray((0.0, 1.0) if domain is None else domain, float), (dimensions, 2))
        axes = []
        for axis in range(dimensions):  # x first
            n, (low, high) = shape[-1 - axis], ends[-1 - axis]
            intervals = n if sides.kinds[2 * axis] == "periodic" else n + sides.dirichlet(axis) - 1
            h = (high - low) / intervals if spacing is None else _per_axis("spacing", spacing, dimensions)[axis]
            axes.append(low + h * (np.arange(n) + (sides.kinds[2 * axis] == "dirichlet")))
        return list(np.meshgrid(*axes[::-1], indexing="ij"))[::-1]

    return made


def _on_domain(matrix: Any, sides: _Sides, points: _Points | None, dtype: np.dtype[Any]) -> Any:
    """The operator of the box, or of a domain where some points are no unknowns or sides are Robin's."""
    if points is None and not sides.robin:
        return matrix
    flat = [np.ascontiguousarray(np.asarray(v, float).ravel()) for pair in sides.robin.values() for v in pair]
    robin = [(side, flat[2 * i], flat[2 * i + 1]) for i, side in enumerate(sides.robin)]
    kinds, values = np.zeros(0, np.uint8), np.zeros(0, dtype)
    if points is not None:
        kinds, values = points.kinds.ravel(), laid_out(points.values.ravel(), dtype)
    return core("domain", dtype)(matrix, kinds, values, points is not None and points.insulated, robin)


def _make_poisson(
    shape: Any, spacing: Any, domain: Any, bc: Any, reaction: float, points: _Points | None, dtype: Any
) -> Stencil:
    told = _shape_of(shape)
    wanted = real_dtype("dtype", np.dtype(dtype))
    sides = _Sides(len(told), bc)
    matrix = core("poisson", wanted)(_box(told, spacing, domain, sides), number("reaction", reaction))
    matrix = _on_domain(matrix, sides, points, wanted)
    return Stencil(matrix, told, wanted, (_make_poisson, (shape, spacing, domain, bc, reaction, points), wanted))


def poisson(
    shape: int | Sequence[int],
    *,
    spacing: Any = None,
    domain: Any = None,
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
        Unknowns in every direction, in NumPy's order: (ny, nx). Points on Dirichlet sides are none.
    spacing : float or sequence, optional
        Distance of neighbours, in NumPy's order; else it follows from the domain.
    domain : (lo, hi) or a sequence of such pairs, optional
        In NumPy's order; default the unit box.
    bc : dict, str or tuple, optional
        Of an axis ('x') or a side ('x-'): 'dirichlet', 'neumann', 'periodic', or (kind, value); default dirichlet, 0. A
        value is a number, or an array of the side's points. Neumann gives the outward derivative, and its points are
        unknowns. ('robin', alpha, beta) is du/dn + alpha u = beta, alpha >= 0. Not a dictionary: the same for all axes.
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
    """
    points = None
    if mask is not None or fix is not None or mask_side != "dirichlet" or np.any(fix_value):
        told = _shape_of(shape)
        places = _places(told, spacing, domain, _Sides(len(told), bc))
        points = _Points(told, places, mask, mask_side, fix, fix_value)
    return _make_poisson(shape, spacing, domain, bc, reaction, points, dtype)


def _make_diffusion(k: Any, spacing: Any, domain: Any, bc: Any, reaction: Any, dtype: Any) -> Stencil:
    sides = _Sides(k.ndim, bc)
    shape = tuple(n - sides.dirichlet(k.ndim - 1 - i) for i, n in enumerate(k.shape))
    if min(shape) < 1:
        raise UsageError(f"k has shape {k.shape}: no unknown is left between the Dirichlet sides")
    if sides.robin:
        raise UsageError("bc has a robin side: poisson takes it, diffusion does not yet")
    wanted = np.dtype(dtype)
    c = np.zeros(0, wanted) if reaction is None else np.asarray(reaction)
    if c.ndim and reaction is not None and c.shape != shape:
        raise UsageError(f"reaction has shape {c.shape}: one number, or {shape}, is needed")
    flat = laid_out(k.reshape(-1), wanted)
    rate = laid_out(c.reshape(-1), wanted)
    _held = held(flat, rate)
    matrix = core("diffusion", wanted)(_box(shape, spacing, domain, sides), flat, rate)
    return Stencil(matrix, shape, wanted, (_make_diffusion, (k, spacing, domain, bc, reaction), wanted))


def diffusion(k: Any, *, spacing: Any = None, domain: Any = None, bc: Any = None, reaction: Any = None) -> Stencil:
    """-div(k grad u) + reaction u on a box; between two points the harmonic mean of k counts.

    Parameters
    ----------
    k : array of 1, 2 or 3 dimensions
        Above 0 at every grid point, those on Dirichlet sides included: the unknowns are k's shape less its Dirichlet
        sides.
    spacing, domain, bc
        As of `poisson`.
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
    return _make_diffusion(array, spacing, domain, bc, rate, dtype)


def _make_stencil(shape: Any, center: Any, off: Any, bc: Any, dtype: Any) -> Stencil:
    told = _shape_of(shape)
    n = int(np.prod(told))
    wanted = np.dtype(dtype)

    def flat(name: str, value: Any, whole: bool) -> np.ndarray[Any, Any]:
        if value.ndim and value.shape != told and value.shape != (n,):
            raise UsageError(f"{name} has shape {value.shape}: one number, or {told}, is needed")
        array = np.full(n, value) if whole and value.ndim == 0 else value
        return laid_out(array.reshape(-1), wanted)

    whole = any(v.ndim for v in (center, *off))
    sides = _Sides(len(told), bc)
    if sides.robin:
        raise UsageError("bc has a robin side: poisson takes it; a stencil has it in its centre")
    box = _box(told, 1.0, None, sides)
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
    told = _shape_of(shape)
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
