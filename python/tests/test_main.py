"""python -m pyjacobi."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

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


FILES = {
    "A.npy": np.array([[4.0, 1.0], [1.0, 3.0]]),
    "float.npy": np.array([[4.0, 1.0], [1.0, 3.0]], np.float32),
    "whole.npy": np.array([[4, 1], [1, 3]]),
    "diverges.npy": np.array([[1.0, 2.0], [2.0, 1.0]]),
    "rectangle.npy": np.ones((2, 3)),
    "one.npy": np.ones(4),
    "none.npy": np.zeros((0, 0)),
    "complex.npy": np.eye(2) * 1j,
    "half.npy": np.eye(2, dtype=np.float16),
    "text.npy": np.array([["a"]]),
    "nan.npy": np.array([[4.0, np.nan], [1.0, 3.0]]),
    "zero.npy": np.array([[0.0, 1.0], [1.0, 0.0]]),
    "b3.npy": np.ones(3),
    "bnan.npy": np.array([1.0, np.nan]),
}
HEAD = "%%MatrixMarket matrix coordinate"
TEXTS = {
    "outside.mtx": HEAD + " real general\n2 2 1\n9 9 1.0\n",
    "complex.mtx": HEAD + " complex general\n1 1 1\n1 1 1.0 0\n",
    "pattern.mtx": HEAD + " pattern general\n2 2 2\n1 1\n2 2\n",
    "empty.mtx": "",
    "noarray.npy": "no array",
}


@pytest.mark.parametrize(
    "words",
    [
        *[f"{command} {name}" for command in ("solve", "diagnose") for name in (*FILES, *TEXTS, "nowhere.mtx")],
        *["", "magic", "solve", "solve A.npy b3.npy", "solve A.npy bnan.npy", "solve A.npy A.npy A.npy"],
        *["solve A.npy --rtol -1", "solve A.npy --rtol x", "solve A.npy --rtol 0", "solve A.npy --rtol 1e400"],
        *[f"solve A.npy --max-sweeps {n}" for n in (-1, 10**30, "x", 1.5)],
        *[f"solve A.npy --threads {n}" for n in (0, 10**20, 10**6)],
        *["solve A.npy --method magic", "solve A.npy --omega 3 --method weighted", "solve A.npy --precision half"],
        *["solve zero.npy --method plain", "solve A.npy --method plain --max-sweeps 1"],
        *["solve A.npy -o nowhere/x.npy", "solve A.npy --json nowhere/x.json", "solve A.npy -o A.npy"],
        *[f"poisson --interior {n}" for n in ("0", "5x5x5x5", "9999x9999x9999", "9 --precision float")],
        *["solve A.npy --precision float", "info", "--version"],
    ],
)
def test_the_exit_code_is_that_of_the_command_line(words, command_line, tmp_path, monkeypatch, capsys):
    for name, array in FILES.items():
        np.save(tmp_path / name, array)
    for name, text in TEXTS.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    theirs = subprocess.run([command_line, *words.split()], cwd=tmp_path, capture_output=True, timeout=60)
    monkeypatch.chdir(tmp_path)
    try:
        code = main(words.split())
    except SystemExit as ended:
        code = ended.code
    assert (code or 0) == theirs.returncode, theirs.stderr


def test_ctrl_c_ends_the_program_and_leaves_the_iterate(tmp_path):
    words = ["poisson", "--interior", "400x400", "--method", "plain", "--rtol", "1e-14", "-o", "x.npy"]
    program = f"from pyjacobi.__main__ import main; print('begun', flush=True); raise SystemExit(main({words}))"
    running = subprocess.Popen([sys.executable, "-c", program], cwd=tmp_path, stdout=subprocess.PIPE, text=True)
    assert running.stdout.readline() == "begun\n"
    time.sleep(1)
    running.send_signal(signal.SIGINT)
    out, _ = running.communicate(timeout=60)
    assert running.returncode == 130
    assert "interrupted after" in out and np.load(tmp_path / "x.npy").max() > 0


def test_nobody_has_to_read_what_is_printed():
    read, write = os.pipe()
    os.close(read)
    told = subprocess.run(
        [sys.executable, "-m", "pyjacobi", "info"], stdout=write, stderr=subprocess.PIPE, timeout=60, text=True
    )
    os.close(write)
    assert told.returncode == 130 and told.stderr == ""


def test_no_file_is_written_over_what_is_read(tmp_path, capsys):
    a = str(tmp_path / "A.npy")
    np.save(a, np.array([[4.0, 1.0], [1.0, 3.0]]))
    assert main(["solve", a, "-o", a]) == 2
    assert main(["solve", a, "-o", str(tmp_path / "x.npy"), "--json", str(tmp_path / "x.npy")]) == 2
    assert main(["solve", a, "-o", str(tmp_path / "x.txt")]) == 2
    assert np.load(a).shape == (2, 2)
    assert capsys.readouterr().err.count("\n") == 3
