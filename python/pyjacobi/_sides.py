"""What holds on the sides of a grid, and on parts of a side."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from . import _core
from ._errors import UsageError
from ._memory import as_array, real_dtype, refuse_masked
from ._options import shown

_KINDS = ("dirichlet", "neumann", "periodic", "robin")
_FORMS = {"robin": "'robin', alpha, beta"}

#: Makes the coordinates x, y, z of points, each an array of their shape.
Places = Callable[[], "list[np.ndarray[Any, Any]]"]


def at_points(name: str, value: Any, shape: tuple[int, ...], places: Places, whose: str) -> np.ndarray[Any, Any]:
    """A number, an array or a function of x, y, z, as an array of that shape."""
    array = as_array(name, value(*places()) if callable(value) else value)
    refuse_masked(name, array)
    if array.dtype.kind not in "biuf":
        raise TypeError(f"{name} has dtype {array.dtype}: numbers are needed")
    if array.ndim == 1 and array.size == math.prod(shape):
        array = array.reshape(shape)
    if array.ndim and array.shape != shape:
        raise UsageError(f"{name} has shape {array.shape}: {shape}, that of {whose}, is needed")
    if np.isnan(array).any():
        at = tuple(map(int, np.argwhere(np.isnan(array))[0]))
        raise UsageError(f"{name} has NaN at {at}" if at else f"{name} is NaN")
    return np.broadcast_to(array, shape)


class Part(NamedTuple):
    """What holds on a side, or on that part of it where `where` is not 0."""

    kind: str
    values: tuple[Any, ...]
    where: Any = None


def _part_of(what: Any, may_end: bool) -> Part:
    """may_end: with a `where`."""
    told = (what,) if isinstance(what, str) else what
    if not isinstance(told, (tuple, list)):
        raise TypeError(f"bc has {shown(what)} for a side: a kind, or a pair (kind, value), is needed")
    kind, values = (told[0] if told else ""), tuple(told[1:])
    form = _FORMS.get(kind if isinstance(kind, str) else "", "kind, value")
    needed = form.count(",")
    ends = may_end and len(values) == needed + 1
    if len(values) > needed + ends or not told or (kind == "robin" and len(values) < needed):
        words = f"({form}) or ({form}, where)" if may_end else f"({form}), or a list of parts,"
        raise UsageError(f"bc has {shown(what)} for a side: {words} is needed")
    if kind not in _KINDS:
        hint = _core.hint_for(kind, list(_KINDS)) if isinstance(kind, str) else ""
        raise UsageError(f"there is no boundary condition {shown(kind)}: take one of {', '.join(_KINDS)}{hint}")
    if kind == "robin" and any(value is None for value in values[:needed]):
        raise UsageError(f"bc has {shown(what)} for a side: robin needs both numbers")
    given = tuple(value for value in values[:needed] if value is not None)
    return Part(kind, given, values[-1] if ends else None)


class Sides:
    """What holds on each side: of x-, x+, y-, ... kind and values."""

    def __init__(self, dimensions: int, bc: Any) -> None:
        axes = "xyz"[:dimensions]
        self.kinds = ["dirichlet"] * (2 * dimensions)
        self.values: list[Any] = [None] * (2 * dimensions)
        self.parts: dict[int, list[Part]] = {}  # of sides that are Neumann's otherwise
        self.robin: dict[int, tuple[Any, Any]] = {}  # alpha and beta, once laid out
        self.held: dict[int, tuple[Any, Any]] = {}  # where points of a side are held and at what, once laid out
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
        in_parts = isinstance(what, list) and bool(what) and not isinstance(what[0], str)
        parts = [_part_of(one, True) for one in what] if in_parts else [_part_of(what, False)]
        for part in parts:
            if part.kind == "periodic" and (end or part.values or in_parts):
                raise UsageError("periodic is of both sides of an axis, without a value: bc={'x': 'periodic'}")
        for side in (2 * axis, 2 * axis + 1):
            if end not in ("", "-+"[side % 2]):
                continue
            self.said.add(side)
            if in_parts or parts[0].kind == "robin":
                self.kinds[side] = "neumann"
                self.parts[side] = parts
            else:
                self.kinds[side] = parts[0].kind
                self.values[side] = parts[0].values[0] if parts[0].values else None

    def lay_out(self, shape: tuple[int, ...], places: Callable[[int], Places]) -> None:
        """Make arrays of functions and parts. places(side): where the points of that side are."""

        def given(name: str, value: Any, side: int) -> np.ndarray[Any, Any]:
            axis = len(shape) - 1 - side // 2
            face, whose = shape[:axis] + shape[axis + 1 :], f"side {'xyz'[side // 2]}{'-+'[side % 2]}"
            return at_points(f"{name} of {whose}", value, face, places(side), f"the points of {whose}")

        for side, value in enumerate(self.values):
            if callable(value):
                self.values[side] = given(self.kinds[side], value, side)
        for side, parts in self.parts.items():
            self._lay_out_parts(side, parts, partial(given, side=side))
        self.parts = {}

    def _lay_out_parts(self, side: int, parts: list[Part], given: Callable[[str, Any], np.ndarray[Any, Any]]) -> None:
        free = given("where", True).copy()  # of the parts before
        flux, alpha, beta, held = (np.zeros(free.shape) for _ in range(4))
        is_held = np.zeros(free.shape, bool)
        for part in parts:
            here = free & (given("where", True if part.where is None else part.where) != 0)
            free = free & ~here
            values = [given(part.kind, value)[here] for value in part.values or (0.0,)]
            if part.kind == "neumann":
                flux[here] = values[0]
            elif part.kind == "robin":
                alpha[here], beta[here] = values
            else:
                held[here] = values[0]
                is_held |= here
        if np.any(free):
            at = tuple(map(int, np.argwhere(free)[0]))
            name = f"{'xyz'[side // 2]}{'-+'[side % 2]}"
            raise UsageError(f"bc says nothing of point {at} of side {name}: end its parts with one without where")
        if flux.any():
            self.values[side] = flux
        if any(part.kind == "robin" for part in parts):
            self.robin[side] = (alpha, beta)
        if is_held.any():
            self.held[side] = (is_held, held)

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
