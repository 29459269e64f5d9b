"""Linear systems by Jacobi sweeps and methods made of them: diagnosed first, bounded afterwards.

>>> import numpy as np, pyjacobi
>>> A = pyjacobi.poisson((63, 63))
>>> x, info = pyjacobi.solve(A, np.ones((63, 63)))
>>> info
0
"""

from __future__ import annotations

from . import _processor as _processor  # the first import: it may say that no other one can be
from . import linalg, relaxation
from ._boxes import BoxStencil, compact_poisson, tensor_diffusion
from ._core import version as _version
from ._diagnosis import Diagnosis, Prediction, diagnose, predict
from ._errors import (
    BackendError,
    ConvergenceError,
    ConvergenceWarning,
    Error,
    InputError,
    Interrupted,
    UsageError,
)
from ._grids import diffusion, poisson, stencil
from ._heat import Heat
from ._info import algorithms, backends, info
from ._operators import Preconditioner, amg, multigrid, smoother
from ._result import Result
from ._solve import Check, solve
from ._solver import Norms, Solver, Sweeper
from ._stencil import Stencil

__version__ = _version()
__all__ = [
    "BackendError",
    "BoxStencil",
    "Check",
    "ConvergenceError",
    "ConvergenceWarning",
    "Diagnosis",
    "Error",
    "Heat",
    "InputError",
    "Interrupted",
    "Norms",
    "Prediction",
    "Preconditioner",
    "Result",
    "Solver",
    "Stencil",
    "Sweeper",
    "UsageError",
    "algorithms",
    "amg",
    "backends",
    "compact_poisson",
    "diagnose",
    "diffusion",
    "info",
    "linalg",
    "multigrid",
    "poisson",
    "predict",
    "relaxation",
    "smoother",
    "solve",
    "stencil",
    "tensor_diffusion",
]
