"""From keyword arguments to what the library is asked."""

from __future__ import annotations

import math
import operator
import os
import threading
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np

from . import _core
from ._errors import UsageError, warn

METHODS = tuple(_core.method_names())
_made_in = os.getpid()


class Exclusive:
    """A lock that the thread which holds it cannot wait for: that would be for ever.

    In a child of a fork no thread holds it that is not there. ``with lock as left``: whether one did, in the midst of a
    call, so that what the lock guards has to be made anew.
    """

    _all: weakref.WeakSet[Exclusive] = weakref.WeakSet()

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._owner: int | None = None
        self._left = False
        Exclusive._all.add(self)

    def __enter__(self) -> bool:
        if self._owner == threading.get_ident():
            raise UsageError("this object is in use by the call that asks: take another one inside a callback")
        self._lock.acquire()
        self._owner = threading.get_ident()
        left, self._left = self._left, False
        return left

    def __exit__(self, *_: object) -> None:
        self._owner = None
        self._lock.release()

    @classmethod
    def free_all(cls) -> None:
        """Those of threads that stayed with the parent."""
        for one in list(cls._all):
            if one._lock.locked() and one._owner != threading.get_ident():
                one._lock, one._owner, one._left = threading.Lock(), None, True


def _after_fork() -> None:
    """The threads of the parent are not here: a child sweeps on its own one."""
    global _made_in
    _made_in = -1
    Exclusive.free_all()


os.register_at_fork(after_in_child=_after_fork)


def shown(value: Any) -> str:
    """A value in a message: short, whatever it is."""
    try:
        told = repr(value)
    except Exception:  # a repr of the caller's, or an int of thousands of digits
        return f"<{type(value).__name__}>"
    return told if len(told) <= 60 else told[:57] + "..."


def number(name: str, value: Any) -> float:
    """A float that is not NaN."""
    try:
        told = float(value)
    except OverflowError:
        raise UsageError(f"{name}={shown(value)}: too large") from None
    except (TypeError, ValueError):
        raise TypeError(f"{name}={shown(value)}: a number is needed") from None
    if math.isnan(told):
        raise UsageError(f"{name} is NaN")
    return told


def whole(name: str, value: Any, least: int, most: int = 2**62) -> int:
    """An int of at least, and at most, so much."""
    try:
        told = operator.index(value)
    except TypeError:
        raise TypeError(f"{name}={shown(value)}: a whole number is needed") from None
    if told < least:
        raise UsageError(f"{name}={shown(told)}: at least {least} is needed")
    if told > most:
        raise UsageError(f"{name}={shown(told)}: too large, at most {most}")
    return told


def text(name: str, value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{name}={shown(value)}: a string is needed")
    return value.replace("_", "-")


def make_backend(backend: str | None, threads: int | None) -> Any:
    """The backend of that name, on so many threads."""
    if threads is not None:
        threads = whole("threads", threads, 1, 100_000)
    name = "" if backend is None else backend
    if not isinstance(name, str):
        raise TypeError(f"backend={shown(backend)}: a string is needed")
    if _made_in == -1 and (threads or 1) > 1:
        warn(RuntimeWarning("in a forked process pyjacobi sweeps on one thread"))
    return _core.backend(name, threads)


def make_stop(
    dtype: np.dtype[Any],
    *,
    rtol: float | None,
    atol: float,
    norm: str,
    reference: str,
    maxiter: int | None,
    max_seconds: float | None,
    check_every: int | None = None,
    project_rhs: bool = False,
) -> Any:
    """When to end a solve in this precision. rtol is by default about the root of its rounding."""
    stop = _core.Stop()
    stop.relative = tolerance("rtol", rtol) if rtol is not None else 1e-8 if dtype.itemsize == 8 else 1e-4
    stop.absolute = tolerance("atol", atol)
    norm, reference = text("norm", norm), text("reference", reference)
    if norm != "auto":
        stop.norm = norm
    if reference != "rhs":
        stop.reference = reference
    if maxiter is not None:
        stop.max_sweeps = whole("maxiter", maxiter, 0)
    if max_seconds is not None:
        stop.max_seconds = number("max_seconds", max_seconds)
        if stop.max_seconds < 0:
            raise UsageError(f"max_seconds={shown(max_seconds)}: at least 0 is needed")
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
        raise UsageError(f"{name}={shown(value)}: at least 0 and finite")
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
    system: Any = None,
) -> Any:
    """Which method, for this system where an M has to fit it."""
    request = _core.Request()
    method = text("method", method)
    if method != "auto":
        if method not in METHODS:
            hint = _core.hint_for(method, list(METHODS))
            raise UsageError(f"there is no method {shown(method)}: take one of {', '.join(METHODS)}{hint}")
        request.method = method
    if omega is not None:
        request.omega = number("omega", omega)
    if period is not None:
        request.period = whole("period", period, 1)
    if depth is not None:
        request.depth = whole("depth", depth, 1)
    if rung is not None:
        request.rung = text("rung", rung)
    if matrix_precision is not None:
        request.set_matrix_precision(text("matrix_precision", matrix_precision))
    if not recognise_grids:
        request.recognise_grids = False
    if M is not None:
        cycle, algebraic = getattr(M, "cycle", None), getattr(M, "algebraic", None)
        if cycle is None and algebraic is None:
            raise TypeError(
                "M must be what pyjacobi.multigrid(A) or amg(A) returns; pyjacobi.linalg.cg takes any other"
            )
        made_for = M._system
        if made_for.rows != system.rows:
            raise UsageError(f"M was made for {made_for.rows} unknowns, A has {system.rows}: make it of this A")
        if made_for.shape != system.shape and None not in (made_for.shape, system.shape):
            raise UsageError(f"M was made for a grid of {made_for.shape}, A has {system.shape}: make it of this A")
        if algebraic is not None:
            request.set_amg(*algebraic)
        elif cycle is not None:
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
