"""What is proved, and what is only not."""

from __future__ import annotations

import numpy as np
import pyjacobi
import pytest
import scipy.sparse as sparse
from scipy.sparse.linalg import aslinearoperator

DEFINITE = np.array([[4.0, 1.0], [1.0, 3.0]])


@pytest.mark.parametrize(
    "A, definite",
    [
        (DEFINITE, True),
        (-DEFINITE, False),
        (np.array([[1.0, 2.0], [2.0, 1.0]]), False),  # an eigenvalue of -1
        (np.array([[1.0, 0.5], [0.25, 1.0]]), False),  # not symmetric
        (np.array([[0.0, 1.0], [1.0, 2.0]]), False),  # e^T A e = 0
        (np.array([[1.0, -1.0], [-1.0, 1.0]]), False),  # singular
        (DEFINITE * 1e-320, None),
    ],
)
def test_definite_is_said_where_it_is_proved(A, definite):
    for matrix in (A, sparse.csr_array(A)):
        d = pyjacobi.diagnose(matrix)
        assert d.positive_definite is definite


def test_nothing_is_said_of_products_and_of_what_was_not_looked_at():
    assert pyjacobi.diagnose(aslinearoperator(DEFINITE)).positive_definite is None
    A = pyjacobi.poisson((40, 40), spacing=1.0).tocsr()
    A.setdiag(3.995)  # the least eigenvalue is about 0.0067
    assert pyjacobi.diagnose(A, cholesky="never", budget=1).positive_definite is None
    assert pyjacobi.diagnose(A, cholesky="always").positive_definite is True


@pytest.mark.parametrize("A", [DEFINITE * 1e-320, (DEFINITE * 1e-40).astype(np.float32)], ids=["f64", "f32"])
def test_a_diagonal_that_nothing_can_be_divided_by_is_not_said_to_converge(A):
    for matrix in (A, sparse.csr_array(A)):
        d = pyjacobi.diagnose(matrix)
        assert d.verdict == "unusable" and d.zero_diagonal_count == 2 and not d.singular
        with pytest.raises(pyjacobi.InputError, match="too small to be divided by"):
            pyjacobi.solve(matrix, A @ np.ones(2, A.dtype), method="plain")
    assert pyjacobi.diagnose(A.astype(float) * 2.0**40).converges
