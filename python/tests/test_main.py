"""python -m pyjacobi."""

from __future__ import annotations

import json

import numpy as np
import pytest
from conftest import random_csr
from pyjacobi.__main__ import main
from scipy.io import mmwrite


def test_a_system_in_files_is_solved(tmp_path, rng, capsys):
    A, x = random_csr(rng, 30), rng.standard_normal(30)
    mmwrite(tmp_path / "A.mtx", A, precision=17)
    np.save(tmp_path / "b.npy", A @ x)
    out = str(tmp_path / "x.npy")
    assert main(["solve", str(tmp_path / "A.mtx"), str(tmp_path / "b.npy"), "-o", out, "--json", "-"]) == 0
    assert np.allclose(np.load(out), x) and json.loads(capsys.readouterr().out)["status"] == "converged"
    assert main(["solve", str(tmp_path / "A.mtx"), "--method", "plain", "--max-sweeps", "1", "--quiet"]) == 1


def test_a_matrix_is_diagnosed(tmp_path, capsys):
    np.save(tmp_path / "A.npy", np.array([[4.0, 1.0], [1.0, 3.0]]))
    assert main(["diagnose", str(tmp_path / "A.npy")]) == 0
    assert "plain Jacobi: converges" in capsys.readouterr().out


def test_a_grid_is_solved_and_the_machine_told(capsys):
    assert main(["poisson", "--interior", "31x21"]) == 0
    assert "converged" in capsys.readouterr().out
    assert main(["info"]) == 0 and json.loads(capsys.readouterr().out)["version"]


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["solve", "none.mtx"], 3),
        (["poisson", "--interior", "axb"], 2),
        (["poisson", "--interior", "9", "--method", "magic"], 2),
        (["poisson", "--interior", "9", "--threads", "0"], 2),
    ],
)
def test_what_is_wrong_has_its_exit_code(arguments, code, capsys):
    assert main(arguments) == code and capsys.readouterr().err.startswith("pyjacobi: ")


def test_no_file_is_written_over_what_is_read(tmp_path, capsys):
    a = str(tmp_path / "A.npy")
    np.save(a, np.array([[4.0, 1.0], [1.0, 3.0]]))
    assert main(["solve", a, "-o", a]) == 2
    assert main(["solve", a, "-o", str(tmp_path / "x.npy"), "--json", str(tmp_path / "x.npy")]) == 2
    assert main(["solve", a, "-o", str(tmp_path / "x.txt")]) == 2
    assert np.load(a).shape == (2, 2)
    assert capsys.readouterr().err.count("\n") == 3
