"""Conjugate gradients and BiCGStab over products, with any M: textbook iterations in Python."""

from __future__ import annotations

import math
import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._result import Result
from ._told import told_here


def norm_of(v: NDArray[Any]) -> float:
    """The 2-norm in double, of entries whose squares are no doubles too."""
    largest = float(np.max(np.abs(v), initial=0.0))
    if largest == 0 or not math.isfinite(largest):
        return largest
    return largest * float(np.linalg.norm(np.asarray(v, float) / largest))


def residual_of(A: Any, b: NDArray[Any], x: NDArray[Any]) -> float:
    """Of b - A x in double: rounding to float would hide what the test is to see."""
    return norm_of(np.asarray(b, float) - np.asarray(A(np.asarray(x, float)), float))


def inner_product(u: NDArray[Any], v: NDArray[Any]) -> float:
    return float(u @ v)


class Last:
    """The last iterate of a textbook iteration: for a callback, and for Ctrl-C."""

    def __init__(self, method: str, unit: Any, target: float, callback: Any) -> None:
        self._method, self._unit, self._target, self._callback = method, unit, target, callback
        self._made, self._begin = 0, time.perf_counter()

    def __call__(self, x: NDArray[Any], r: NDArray[Any]) -> None:
        self._x, self._r = x, r
        self._made += 1
        if self._callback is not None:
            self._callback(x * self._unit)

    def said(self) -> str:
        return f"interrupted after {self._made} iterations of {self._method} with an M"

    def result(self) -> Result | None:
        if self._made == 0:
            return None
        norm = norm_of(self._r) * float(self._unit)
        report = told_here(
            self.said(),
            status="interrupted",
            method=self._method,
            sweeps=self._made * (2 if self._method == "bicgstab" else 1),
            unknowns=len(self._x),
            norm="residual",
            norm_final=norm,
            tolerance=self._target,
            seconds=time.perf_counter() - self._begin,
            seconds_setup=0.0,
        )
        return Result(self._x * self._unit, report)


def cg_steps(
    A: Any, M: Any, b: Any, x: Any, target: float, most: int, seen: Any, inner: Any
) -> tuple[NDArray[Any], int]:
    """Hestenes and Stiefel, J. Res. NBS 49 (1952) 409; converged is said of b - A x alone."""
    r = b - A(x)
    z = M(r)
    p = z.copy()
    rho = inner(r, z)
    for _ in range(most):
        if norm_of(r) <= target:
            if residual_of(A, b, x) <= target:
                return x, 0
            r = b - A(x)
            z = M(r)
            p, rho = z.copy(), inner(r, z)
        q = A(p)
        curvature = inner(p, q)
        if curvature == 0 or not np.isfinite(curvature):
            return x, -1
        alpha = rho / curvature
        x = x + alpha * p
        r = r - alpha * q
        seen(x, r)
        z = M(r)
        before, rho = rho, inner(r, z)
        p = z + (rho / before) * p if before != 0 else z.copy()
    return x, 0 if residual_of(A, b, x) <= target else max(1, most)


def bicgstab_steps(
    A: Any, M: Any, b: Any, x: Any, target: float, most: int, seen: Any, inner: Any
) -> tuple[NDArray[Any], int]:
    """van der Vorst, SIAM J. Sci. Stat. Comput. 13 (1992) 631; converged is said of b - A x alone."""
    tiny = np.finfo(b.dtype).eps ** 2
    r = b - A(x)
    shadow, p, v = r.copy(), np.zeros_like(b), np.zeros_like(b)
    rho = alpha = omega = 1.0
    for _ in range(most):
        if norm_of(r) <= target:
            if residual_of(A, b, x) <= target:
                return x, 0
            r = b - A(x)
            shadow, p, v = r.copy(), np.zeros_like(b), np.zeros_like(b)
            rho = alpha = omega = 1.0
        before, rho = rho, inner(shadow, r)
        if abs(rho) < tiny * float(np.linalg.norm(shadow)) * float(np.linalg.norm(r)) or omega == 0:
            return x, -1
        p = r + (rho / before) * (alpha / omega) * (p - omega * v)
        direction = M(p)
        v = A(direction)
        slope = inner(shadow, v)
        if slope == 0 or not np.isfinite(slope):
            return x, -1
        alpha = rho / slope
        s = r - alpha * v
        if norm_of(s) <= target:
            x, r, omega = x + alpha * direction, s, 0.0
            seen(x, r)
            if residual_of(A, b, x) <= target:
                return x, 0
            r = b - A(x)
            shadow, p, v = r.copy(), np.zeros_like(b), np.zeros_like(b)
            rho = alpha = omega = 1.0
            continue
        half = M(s)
        t = A(half)
        square = inner(t, t)
        omega = inner(t, s) / square if square > 0 else 0.0
        x = x + alpha * direction + omega * half
        r = s - omega * t
        seen(x, r)
    return x, 0 if residual_of(A, b, x) <= target else max(1, most)
