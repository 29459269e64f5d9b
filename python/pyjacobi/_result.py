"""What a solve reached."""

from __future__ import annotations

import html
import json
import math
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from . import _told as _told  # which lets reports be copied and pickled

if TYPE_CHECKING:
    from typing import Self

    from ._core import Report

HISTORY = np.dtype([("sweeps", np.int64), ("norm", np.float64)])
COLUMNS = np.dtype(
    [
        ("status", "U16"),
        ("sweeps", np.int64),
        ("tolerance", np.float64),
        ("norm_initial", np.float64),
        ("norm_final", np.float64),
    ]
)
_BELOW_ZERO = {"breakdown": -1, "diverged": -2, "not_finite": -3}


class Result(tuple[NDArray[Any], int]):
    """What a solve reached: the pair ``x, info``, as SciPy's solvers return it, which tells more.

    Attributes
    ----------
    x : ndarray
        The solution, or the last iterate, in the shape of b.
    info : int
        0 converged; above 0: sweeps made; -1 breakdown, -2 diverged, -3 not finite.
    report : object
        Everything that the library tells; its attributes are those of this class too.

    Examples
    --------
    >>> import numpy as np, pyjacobi
    >>> result = pyjacobi.solve(np.array([[4.0, 1.0], [1.0, 3.0]]), np.array([1.0, 2.0]))
    >>> result.success, result.info
    (True, 0)
    >>> x, info = result
    """

    report: Report

    def __new__(cls, x: Any, report: Any) -> Self:
        info = 0
        if report.status != "converged":
            info = _BELOW_ZERO.get(report.status) or max(1, int(report.sweeps))
        self = super().__new__(cls, (x, info))
        self.report = report
        return self

    @property
    def x(self) -> NDArray[Any]:
        return self[0]

    @property
    def info(self) -> int:
        return self[1]

    @property
    def status(self) -> str:
        """converged, sweep_limit, time_limit, diverged, stagnated, not_finite, interrupted or breakdown."""
        return str(self.report.status)

    @property
    def success(self) -> bool:
        """Whether the tolerance was met, by a residual computed anew from A, b and x.

        Where a mean was removed from b of a singular problem, which a note says, of the b that is left.
        """
        return self.status == "converged"

    @property
    def nit(self) -> int:
        """Sweeps made; of cg one for each product with A, of bicgstab two per iteration."""
        return int(self.report.sweeps)

    @property
    def cycles(self) -> int | None:
        """Multigrid cycles made; None of other methods."""
        return self.report.cycles

    @property
    def method(self) -> str:
        """The method that solved."""
        return str(self.report.method)

    @property
    def residual_norm(self) -> float | None:
        """2-norm of b - A x, computed anew; None where it is beyond the range of float64.

        Where a mean was removed from b, which a note says, of the b that is left.
        """
        return self.report.residual_norm

    @property
    def backward_error(self) -> float | None:
        """Least relative change of entries of A and b that x solves exactly."""
        return self.report.backward_error

    @property
    def error_bound(self) -> float | None:
        """A proved bound of the largest error of any unknown; None where there is no proof."""
        return self.report.error_bound

    @property
    def notes(self) -> list[str]:
        """What a careful user should know, in sentences."""
        return list(self.report.notes)

    @property
    def history(self) -> NDArray[Any]:
        """The norm tested after so many sweeps: a structured array with fields sweeps and norm."""
        sweeps, norms = self.report.history
        told = np.empty(len(sweeps), HISTORY)
        told["sweeps"], told["norm"] = sweeps, norms
        return told

    @property
    def columns(self) -> NDArray[Any]:
        """How each of several right-hand sides ended: a structured array, empty of one."""
        return np.array([tuple(c) for c in self.report.columns], COLUMNS)

    def to_dict(self) -> dict[str, Any]:
        """The report with the keys of the command line's ``--json``."""
        return json.loads(self.report.to_json())  # type: ignore[no-any-return]

    def __str__(self) -> str:
        return str(self.report.to_text())

    def __repr__(self) -> str:
        return f"<pyjacobi.Result: {self.summary()}>"

    def summary(self) -> str:
        """One line: how it ended, where, and what it was to meet."""
        r = self.report
        return (
            f"{r.status.replace('_', ' ')} after {r.sweeps} sweeps of {r.method}, "
            f"{r.norm} norm {r.norm_final:.3g}, tolerance {r.tolerance:.3g}"
        )

    def __eq__(self, other: object) -> bool:
        return self is other

    def __ne__(self, other: object) -> bool:
        return self is not other

    def __hash__(self) -> int:
        return object.__hash__(self)

    def __reduce__(self) -> Any:
        return Result, (self.x, self.report)

    def plot(self, ax: Any = None) -> Any:
        """Draw the norm over the sweeps by matplotlib, which must be installed; returns the axes."""
        if ax is None:
            import matplotlib.pyplot as plt

            ax = plt.gca()
        told = self.history
        ax.semilogy(told["sweeps"], told["norm"], label=self.method)
        ax.axhline(self.report.tolerance, linestyle="--", linewidth=1, color="gray")
        ax.set_xlabel("sweeps")
        ax.set_ylabel(f"{self.report.norm} norm")
        return ax

    def _svg(self, width: int = 360, height: int = 140) -> str:
        points = [(int(s), float(v)) for s, v in self.history if math.isfinite(v) and v > 0]
        if len(points) < 2:
            return ""
        most = max(s for s, _ in points) or 1
        logs = [math.log10(v) for _, v in points]
        low, high = min(logs), max(logs)
        span = (high - low) or 1.0
        line = " ".join(
            f"{s / most * (width - 4) + 2:.1f},{(high - v) / span * (height - 4) + 2:.1f}"
            for (s, _), v in zip(points, logs)
        )
        return (
            f'<svg width="{width}" height="{height}" role="img" aria-label="norm over sweeps">'
            f'<polyline points="{line}" fill="none" stroke="currentColor" stroke-width="1.5"/></svg>'
        )

    def _repr_html_(self) -> str:
        r = self.report
        rows = [
            ("status", r.status),
            ("method", r.method),
            ("sweeps", r.sweeps),
            (f"{r.norm} norm", f"{r.norm_final:.4g} (tolerance {r.tolerance:.4g})"),
            ("residual", r.residual_norm),
            ("error bound", r.error_bound),
            ("seconds", f"{r.seconds + r.seconds_setup:.4g}"),
        ]
        cells = "".join(
            f"<tr><th style='text-align:left'>{html.escape(str(k))}</th><td>{html.escape(str(v))}</td></tr>"
            for k, v in rows
            if v is not None
        )
        notes = "".join(f"<li>{html.escape(note)}</li>" for note in self.notes)
        return f"<table>{cells}</table>{self._svg()}" + (f"<ul>{notes}</ul>" if notes else "")
