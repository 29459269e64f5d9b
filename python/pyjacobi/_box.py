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
from ._sides import Places, Sides, at_points


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
        self, shape: tuple[int, ...], where: Where, sides: Sides, mask: Any, mask_side: Any, fix: Any, fix_value: Any
    ) -> None:
        def given(name: str, value: Any) -> np.ndarray[Any, Any]:
            return at_points(name, value, shape, places_of(shape, where, sides), "the unknowns of the box")

        side, value = (mask_side, 0.0) if isinstance(mask_side, str) else mask_side
        if side not in ("dirichlet", "neumann") or (side == "neumann" and np.any(value)):
            raise UsageError(f"mask_side={shown(mask_side)}: take 'dirichlet', ('dirichlet', values) or 'neumann'")
        self.insulated = side == "neumann"
        self.kinds = np.zeros(shape, np.uint8)
        self.values = np.zeros(shape)
        if mask is not None:
            outside = given("mask", mask) == 0
            self.kinds[outside] = 2
            self.values[outside] = given("mask_side", value)[outside]
        elif mask_side != "dirichlet":
            raise UsageError("mask_side goes with a mask")
        if fix is not None:
            fixed = given("fix", fix) != 0
            self.kinds[fixed] = 1
            self.values[fixed] = given("fix_value", fix_value)[fixed]
        elif np.any(fix_value):
            raise UsageError("fix_value goes with fix")
        for number_of_side, (is_held, held) in sides.held.items():
            axis = len(shape) - 1 - number_of_side // 2
            kinds, values = (np.moveaxis(a, axis, 0)[-(number_of_side % 2), ...] for a in (self.kinds, self.values))
            here = is_held & (kinds == 0)
            kinds[here] = 1
            values[here] = held[here]


def places_of(shape: tuple[int, ...], where: Where, sides: Sides, side: int | None = None) -> Places:
    """Coordinates x, y, z of the unknowns, or of a side's points, each an array of their shape, when called."""

    def line(axis: int) -> Any:
        """Along one axis; one point where the side lies across it."""
        n, first = shape[-1 - axis], int(sides.kinds[2 * axis] == "dirichlet")
        across = None if side is None or side // 2 != axis else side % 2
        if where.axes and "xyz"[axis] in where.axes:
            at = where.axes["xyz"[axis]]
            return at[first : first + n] if across is None else at[[-across]]
        dimensions = len(shape)
        spacing, domain = where.spacing, where.domain
        ends = np.broadcast_to(floats("domain", (0.0, 1.0) if domain is None else domain), (dimensions, 2))
        low, high = ends[-1 - axis]
        intervals = n if sides.kinds[2 * axis] == "periodic" else n + sides.dirichlet(axis) - 1
        h = (high - low) / intervals if spacing is None else per_axis("spacing", spacing, dimensions)[axis]
        return low + h * (np.arange(n) + first if across is None else np.array([across * intervals]))

    def made() -> list[np.ndarray[Any, Any]]:
        lines = [line(axis) for axis in range(len(shape))]  # x first
        places = np.meshgrid(*lines[::-1], indexing="ij")[::-1]
        return list(places) if side is None else [p.squeeze(len(shape) - 1 - side // 2) for p in places]

    return made
