"""Exceptions and warnings."""

from __future__ import annotations

from typing import TYPE_CHECKING

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


class ConvergenceError(Error, RuntimeError):
    """Not converged, with ``on_failure="raise"``; `result` is what was reached."""

    def __init__(self, message: str, result: Result | None = None) -> None:
        super().__init__(message)
        self.result = result


class Interrupted(KeyboardInterrupt):
    """Ctrl-C during a call; `result` is what was reached, None where there was no iterate yet."""

    def __init__(self, message: str = "interrupted", result: Result | None = None) -> None:
        super().__init__(message)
        self.result = result


class ConvergenceWarning(UserWarning):
    """Not converged: the result says how far it got, and why it ended."""
