"""Systems that several tests solve."""

from __future__ import annotations

import os
import shutil
import signal
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sparse

ROOT = Path(__file__).resolve().parents[2]

# A shell starts what it puts into the background with Ctrl-C ignored, and processes of tests would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)


def random_csr(rng: np.random.Generator, n: int, index: type = np.int32, dtype: type = np.float64) -> sparse.csr_array:
    """Strictly dominant, not symmetric."""
    a = sparse.random_array((n, n), density=min(1.0, 5 / n), format="csr", rng=rng, dtype=np.float64)
    a = a - a.multiply(sparse.eye_array(n)).tocsr()
    a = (a + sparse.diags_array(np.asarray(abs(a).sum(axis=1)).ravel() + 1.0)).tocsr().astype(dtype)
    a.sort_indices()
    return sparse.csr_array((a.data, a.indices.astype(index), a.indptr.astype(index)), shape=a.shape)


def random_dense(rng: np.random.Generator, n: int, dtype: type = np.float64) -> np.ndarray:
    a = rng.standard_normal((n, n))
    return (a + np.diag(np.abs(a).sum(axis=1) + 1.0)).astype(dtype)


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(20)


@pytest.fixture(scope="session")
def command_line() -> str:
    """The binary whose answers are compared."""
    for place in (os.environ.get("JACOBI_CLI"), ROOT / "build/release/bin/jacobi", shutil.which("jacobi")):
        if place and Path(place).exists():
            return str(place)
    pytest.skip("no command line: 'make build' makes build/release/bin/jacobi")
