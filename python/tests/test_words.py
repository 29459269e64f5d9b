"""Messages speak of arguments of Python, not of options of the command line."""

from __future__ import annotations

import numpy as np
import pyjacobi
import pytest
import scipy.sparse as sparse

SKEW = np.array([[1.0, 2.0], [-2.0, 1.0]])
SWAPPED = np.array([[0.0, 1.0], [1.0, 0.0]])


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda: pyjacobi.solve(SKEW, np.ones(2), method="chebyshev"), 'take method="auto"'),
        (lambda: pyjacobi.solve(pyjacobi.poisson(9, bc="neumann"), np.ones(9)), "project_rhs=True"),
        (lambda: pyjacobi.solve(SWAPPED, np.ones(2), method="plain"), r"see diagnose\(\)"),
        (lambda: pyjacobi.poisson((8192, 8192, 8192)).tocsr(), "take fewer points or float32"),
        (
            lambda: pyjacobi.poisson(20, bc="neumann", reaction=1e-9, spacing=1e-3, dtype=np.float32),
            "take float64",
        ),
    ],
)
def test_errors_name_arguments(call, words):
    with pytest.raises(pyjacobi.Error, match=words) as caught:
        call()
    assert "--" not in str(caught.value) and "'jacobi " not in str(caught.value)


def test_diagnoses_name_arguments():
    d = pyjacobi.diagnose(SWAPPED)
    for text in (d.advice, str(d), *d.warnings):
        assert "--" not in text
    assert "row_order" in d.advice and list(d.row_order) == [1, 0]


def test_notes_and_reports_name_arguments():
    A = sparse.csr_array(np.array([[2.0, -1.0], [-1.0, 2.0]]) * 1e-30)
    r = pyjacobi.solve(A.astype(np.float32), np.ones(2, np.float32), rtol=1e-12, on_failure="ignore")
    for text in (str(r), *r.notes):
        assert "--" not in text
