"""From keyword arguments to what the library is asked."""

from __future__ import annotations

import math
import operator
import os
import warnings
from collections.abc import Callable
from typing import Any

from . import _core
from ._errors import UsageError

METHODS = (
    "auto",
    "plain",
    "weighted",
    "l1",
    "chebyshev",
    "cyclic-chebyshev",
    "red-black",
    "scheduled",
    "anderson",
    "multigrid",
    "cg",
    "bicgstab",
)
_made_in = os.getpid()


def _after_fork() -> None:
    """The threads of the parent are not here: a child sweeps on its own one."""
    global _made_in
    _made_in = -1


os.register_at_fork(after_in_child=_after_fork)


def number(name: str, value: Any) -> float:
    """A float that is not NaN."""
    try:
        told = float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{name}={value!r}: a number is needed") from None
    if math.isnan(told):
        raise UsageError(f"{name} is NaN")
    return told


def whole(name: str, value: Any, least: int) -> int:
    """An int of at least so much."""
    try:
        told = operator.index(value)
    except TypeError:
        raise TypeError(f"{name}={value!r}: a whole number is needed") from None
    if not least <= told < 2**62:
        raise UsageError(f"{name}={told}: at least {least} is needed")
    return told


def text(name: str, value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{name}={value!r}: a string is needed")
    return value.replace("_", "-")


def make_backend(backend: str | None, threads: int | None) -> Any:
    """The backend of that name, on so many threads."""
    if threads is not None:
        threads = whole("threads", threads, 1)
        if threads > 100_000:
            raise UsageError(f"threads={threads}: too many")
    name = "" if backend is None else backend
    if not isinstance(name, str):
        raise TypeError(f"backend={backend!r}: a string is needed")
    if _made_in == -1 and (threads or 1) > 1:
        warnings.warn("in a forked process pyjacobi sweeps on one thread", RuntimeWarning, stacklevel=4)
    return _core.backend(name, threads)


def make_stop(
    *,
    rtol: float,
    atol: float,
    norm: str,
    reference: str,
    maxiter: int | None,
    max_seconds: float | None,
    check_every: int | None = None,
    project_rhs: bool = False,
) -> Any:
    """When to end."""
    stop = _core.Stop()
    stop.relative = tolerance("rtol", rtol)
    stop.absolute = tolerance("atol", atol)
    if norm != "auto":
        stop.norm = text("norm", norm)
    if reference != "rhs":
        stop.reference = text("reference", reference)
    if maxiter is not None:
        stop.max_sweeps = whole("maxiter", maxiter, 0)
    if max_seconds is not None:
        stop.max_seconds = number("max_seconds", max_seconds)
        if stop.max_seconds < 0:
            raise UsageError(f"max_seconds={max_seconds}: at least 0 is needed")
    if check_every is not None:
        stop.check_every = whole("check_every", check_every, 1)
    if project_rhs:
        stop.project_rhs = True
    relative = stop.relative if reference != "none" else 0.0
    if relative == 0 and stop.absolute == 0 and maxiter is None and max_seconds is None:
        raise UsageError("the tolerance is 0: give rtol or atol, or a limit by maxiter or max_seconds")
    return stop


def tolerance(name: str, value: float) -> float:
    told = number(name, value)
    if not 0 <= told < math.inf:
        raise UsageError(f"{name}={value}: at least 0 and finite")
    return told


def make_request(
    method: str = "auto",
    *,
    omega: float | None = None,
    period: int | None = None,
    depth: int | None = None,
    rung: str | None = None,
    matrix_precision: str | None = None,
    recognise_grids: bool = True,
    M: Any = None,
) -> Any:
    """Which method."""
    request = _core.Request()
    if method != "auto":
        request.method = text("method", method)
        if request.method not in METHODS:
            raise UsageError(f"there is no method '{method}': take one of {', '.join(METHODS)}")
    if omega is not None:
        request.omega = number("omega", omega)
    if period is not None:
        request.period = whole("period", period, 1)
    if depth is not None:
        request.depth = whole("depth", depth, 1)
    if rung is not None:
        request.rung = text("rung", rung)
    if matrix_precision is not None:
        request.matrix_precision = text("matrix_precision", matrix_precision)
    if not recognise_grids:
        request.recognise_grids = False
    if M is not None:
        cycle = getattr(M, "cycle", None)
        if cycle is None:
            raise TypeError("M must be what pyjacobi.multigrid(A) returns; pyjacobi.linalg.cg takes any other")
        pre, post, visits = cycle
        request.set_cycle(pre, post, visits, False)
    return request


class Bar:
    """A progress bar: tqdm's where that is installed, else a line of standard error."""

    def __init__(self) -> None:
        self._bar: Any = None
        self._first = 0.0
        try:
            from tqdm.auto import tqdm

            self._bar = tqdm(total=100, unit="%", leave=False)
        except ImportError:
            pass

    def __call__(self, sweeps: int, norm: float, tolerance: float, seconds: float, left: float | None) -> None:
        digits = math.log10(norm / tolerance) if norm > 0 and tolerance > 0 and math.isfinite(norm) else 0.0
        self._first = max(self._first, digits)
        share = 100 * (1 - max(digits, 0.0) / self._first) if self._first > 0 else 0.0
        told = f"{sweeps} sweeps, norm {norm:.2e} of {tolerance:.2e}"
        if self._bar is not None:
            self._bar.n = round(share)
            self._bar.set_postfix_str(told)
        else:
            import sys

            print(f"\r{told}, {seconds:.1f} s", end="", file=sys.stderr, flush=True)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
        elif self._first > 0:
            import sys

            print(file=sys.stderr)


def make_progress(progress: Any) -> Callable[..., Any] | None:
    """None, a bar, or the caller's own function of a dictionary."""
    if progress is None or progress is False:
        return None
    if progress is True:
        return Bar()
    if not callable(progress):
        raise TypeError("progress must be True, False or a function")

    def tell(sweeps: int, norm: float, tolerance: float, seconds: float, left: float | None) -> None:
        progress({"sweeps": sweeps, "norm": norm, "tolerance": tolerance, "seconds": seconds, "seconds_left": left})

    return tell
