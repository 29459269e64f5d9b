"""The box of a grid: shape, distances, sides, and which of its points are no unknowns."""

from __future__ import annotations

import math
import operator
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from . import _core
from ._errors import UsageError
from ._memory import as_array, floats, real_dtype, refuse_masked
from ._options import number, shown

_KINDS = ("dirichlet", "neumann", "periodic", "robin")


def shape_of(shape: Any) -> tuple[int, ...]:
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


class Sides:
    """What holds on each side: of x-, x+, y-, ... kind and values."""

    def __init__(self, dimensions: int, bc: Any) -> None:
        axes = "xyz"[:dimensions]
        self.kinds = ["dirichlet"] * (2 * dimensions)
        self.values: list[Any] = [None] * (2 * dimensions)
        self.robin: dict[int, tuple[Any, Any]] = {}  # alpha and beta of sides that are Neumann's otherwise
        self.said: set[int] = set()
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
        self.said.update(2 * axis + side for side in (0, 1) if end in ("", "-+"[side]))
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


def per_axis(name: str, value: Any, dimensions: int) -> list[float]:
    """In the order x, y, z."""
    values = [value] * dimensions if np.ndim(value) == 0 else list(value)
    if len(values) != dimensions:
        raise UsageError(f"{name} has {len(values)} entries: one, or {dimensions}, are needed")
    return [number(name, v) for v in reversed(values)]


class Where(NamedTuple):
    """Where the points of a grid are, as it was asked for."""

    spacing: Any = None
    domain: Any = None
    axes: dict[str, np.ndarray[Any, Any]] | None = None
    coordinates: str = "cartesian"

    def begins_at_axis(self) -> bool:
        """Whether x is a radius that begins at 0."""
        if self.coordinates == "cartesian":
            return False
        if self.axes and "x" in self.axes:
            return bool(self.axes["x"][0] == 0)
        try:
            return self.domain is None or bool(floats("domain", self.domain).reshape(-1, 2)[-1, 0] == 0)
        except (TypeError, ValueError, IndexError):
            return False  # box_of says what is wrong with it


def axes_of(axes: Any) -> dict[str, np.ndarray[Any, Any]] | None:
    """Coordinates by the names of axes."""
    if axes is None:
        return None
    if isinstance(axes, str) or not isinstance(axes, (Mapping, Sequence, np.ndarray)):
        raise TypeError(f"axes={shown(axes)}: arrays of coordinates, by name or in the order x, y, z, are needed")
    given = axes if isinstance(axes, Mapping) else dict(zip("xyz", axes, strict=False))
    if not isinstance(axes, Mapping) and not 1 <= len(axes) <= 3:
        raise UsageError(f"axes has {len(axes)} entries: one for each of x, y, z, as many as there are dimensions")
    arrays = {}
    for name, value in given.items():
        if name not in ("x", "y", "z"):
            raise UsageError(f"axes has the key {shown(name)}: take 'x', 'y' or 'z'")
        if value is None:
            continue
        array = as_array("axes", value)
        real_dtype("axes", array.dtype)
        refuse_masked("axes", array)
        if array.ndim != 1 or array.size < 3:
            raise UsageError(f"axes has an array of shape {array.shape} for {name}: the coordinates of 3 points or more")
        arrays[name] = array.astype(float)
    return arrays


def sides_of(dimensions: int, bc: Any, where: Where) -> Sides:
    """Nothing is given where a radius is 0."""
    sides = Sides(dimensions, bc)
    if where.begins_at_axis() and 0 not in sides.said:
        sides.kinds[0] = "neumann"
    return sides


def shape_on_axes(where: Where, bc: Any) -> tuple[int, ...]:
    """The unknowns, where axes say all points."""
    names = "xyz"[: len(where.axes or {})]
    if not where.axes or set(where.axes) != set(names):
        raise UsageError("give shape, or axes for all directions")
    sides = sides_of(len(names), bc, where)
    taken = [1 if sides.kinds[2 * i] == "periodic" else sides.dirichlet(i) for i in range(len(names))]
    return tuple(len(where.axes[name]) - n for name, n in zip(names, taken, strict=True))[::-1]


def box_of(shape: tuple[int, ...], where: Where, sides: Sides) -> Any:
    dimensions = len(shape)
    spacing, domain = where.spacing, where.domain
    if spacing is not None and domain is not None:
        raise UsageError("give spacing or domain, not both")
    if where.axes and set(where.axes) - set("xyz"[:dimensions]):
        raise UsageError(f"axes has {max(where.axes)}: this grid has {', '.join('xyz'[:dimensions])}")
    axes = [(where.axes or {}).get(name, np.zeros(0)).tolist() for name in "xyz"[:dimensions]]
    distances: list[float] = []
    lower, upper = [0.0] * dimensions, [1.0] * dimensions
    if spacing is not None:
        distances = per_axis("spacing", spacing, dimensions)
        if not all(0 < h < np.inf for h in distances):
            raise UsageError(f"spacing={shown(spacing)}: above 0 and finite")
    elif domain is not None:
        refuse_masked("domain", domain)
        ends = floats("domain", domain)
        if ends.shape == (2,):
            ends = np.tile(ends, (dimensions, 1))
        if ends.shape != (dimensions, 2):
            raise UsageError(f"domain has shape {ends.shape}: a pair of numbers for every axis is needed")
        lower, upper = ends[::-1, 0].tolist(), ends[::-1, 1].tolist()
    unknowns = list(reversed(shape))
    return _core.Box(unknowns, lower, upper, distances, sides.kinds, sides.listed(), axes, where.coordinates)


class Points:
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


def places_of(shape: tuple[int, ...], where: Where, sides: Sides) -> Any:
    """Coordinates x, y, z of the unknowns, each an array of the grid's shape, when called."""

    def made() -> list[np.ndarray[Any, Any]]:
        dimensions = len(shape)
        spacing, domain = where.spacing, where.domain
        ends = np.broadcast_to(floats("domain", (0.0, 1.0) if domain is None else domain), (dimensions, 2))
        axes = []
        for axis in range(dimensions):  # x first
            n, (low, high) = shape[-1 - axis], ends[-1 - axis]
            first = int(sides.kinds[2 * axis] == "dirichlet")
            if where.axes and "xyz"[axis] in where.axes:
                axes.append(where.axes["xyz"[axis]][first : first + n])
                continue
            intervals = n if sides.kinds[2 * axis] == "periodic" else n + sides.dirichlet(axis) - 1
            h = (high - low) / intervals if spacing is None else per_axis("spacing", spacing, dimensions)[axis]
            axes.append(low + h * (np.arange(n) + first))
        return list(np.meshgrid(*axes[::-1], indexing="ij"))[::-1]

    return made
