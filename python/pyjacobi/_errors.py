"""Exceptions and warnings, and who is told of them."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from scipy.sparse.linalg import LinearOperator

if TYPE_CHECKING:
    from ._result import Result


class Error(Exception):
    """Base of what pyjacobi raises, but for `Interrupted`, `TypeError` and `MemoryError`."""


class UsageError(Error, ValueError):
    """A call that cannot be meant: sizes that do not fit, an unknown name."""


class InputError(Error, ValueError):
    """Data that cannot be used: NaN, a right-hand side without a solution, a zero diagonal that sweeps meet."""


class BackendError(Error, RuntimeError):
    """A backend that is not in this build, not usable here, or short of memory."""


class _WithResult(BaseException):
    """Tells how far a call got."""

    def __init__(self, message: str = "", result: Result | None = None) -> None:
        super().__init__(message)
        self.result = result


class ConvergenceError(_WithResult, Error, RuntimeError):
    """Not converged, with ``on_failure="raise"``; `result` is what was reached."""


class Interrupted(_WithResult, KeyboardInterrupt):
    """Ctrl-C during a call; `result` is what was reached, None where there was no iterate yet."""


class ConvergenceWarning(_WithResult, UserWarning):
    """Not converged; `result` says how far it got, and why it ended."""


class Interruptible:
    """Makes of Ctrl-C within it Interrupted, which says what was reached by then.

    said: the sentence, asked for when it is over. result: what was reached, likewise.
    """

    __slots__ = ("_result", "_said")

    def __init__(self, said: Callable[[], str], result: Callable[[], Result | None] = lambda: None) -> None:
        self._said, self._result = said, result

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: Any, error: BaseException | None, _: Any) -> None:
        if not isinstance(error, KeyboardInterrupt) or getattr(error, "result", None) is not None:
            return
        cause = error.__cause__ if isinstance(error, Interrupted) else error
        raise Interrupted(self._said(), self._result()) from cause


_NOT_THE_CALLERS = tuple(
    os.path.dirname(sys.modules[name].__file__ or "") + os.sep for name in (__name__, LinearOperator.__module__)
)


def warn(warning: Warning) -> None:
    """Names the line outside this package, and outside SciPy's operators and solvers, that led here."""
    frame, level = sys._getframe(1), 2
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_NOT_THE_CALLERS):
        frame, level = frame.f_back, level + 1
    warnings.warn(warning, stacklevel=level)
