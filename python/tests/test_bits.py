"""The module gives the bits of the command line."""

from __future__ import annotations

import json
import os
import subprocess

import numpy as np
import pyjacobi
import pytest
from conftest import random_csr, random_dense
from scipy.io import mmwrite

SYSTEMS = int(os.environ.get("PYJACOBI_SYSTEMS", "40"))


def by_command_line(command, folder, A, b, *options):
    np.save(folder / "b.npy", b)
    if isinstance(A, np.ndarray):
        np.save(folder / "A.npy", A)
    else:
        mmwrite(folder / "A.mtx", A, precision=17)
    name = "A.npy" if isinstance(A, np.ndarray) else "A.mtx"
    told = subprocess.run(
        [command, "solve", name, "b.npy", "-o", "x.npy", "--json", "-", *options],
        cwd=folder, capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert told.returncode in (0, 1), told.stderr
    return np.load(folder / "x.npy"), json.loads(told.stdout)


@pytest.mark.parametrize("seed", range(SYSTEMS))
def test_a_random_system_has_the_bits_and_the_report_of_the_command_line(seed, tmp_path, command_line):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 200))
    make = random_dense if seed % 3 == 0 else random_csr
    A = make(rng, n)
    if seed % 3 == 2:  # symmetric
        A = (A + A.T).tocsr()
        A.sort_indices()
    b = rng.standard_normal(n)
    method = ["auto", "plain", "weighted", "chebyshev", "bicgstab", "anderson", "l1"][seed % 7]
    if method == "chebyshev" and seed % 3 != 2:
        method = "auto"
    x, told = by_command_line(command_line, tmp_path, A, b, "--method", method)
    ours = pyjacobi.solve(A, b, method=method, on_failure="ignore")
    assert np.array_equal(x.view(np.int64), ours.x.view(np.int64))
    mine = ours.to_dict()
    assert set(mine) <= set(told)
    for key in ("status", "method", "sweeps", "checks", "norm", "norm_final", "tolerance", "history", "error_bound"):
        assert mine[key] == told[key], key


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_several_right_hand_sides_have_the_bits_of_the_command_line(rng, tmp_path, command_line, dtype):
    A, b = random_dense(rng, 60, dtype), rng.standard_normal((60, 5)).astype(dtype)
    precision = "float" if dtype == np.float32 else "double"
    x, _ = by_command_line(command_line, tmp_path, A, b, "--precision", precision, "--rtol", "1e-5")
    assert np.array_equal(x.astype(dtype), pyjacobi.solve(A, b, rtol=1e-5).x)


@pytest.mark.parametrize(
    ("shape", "bc", "options"),
    [
        ((40, 30), None, []),
        ((33,), None, ["--method", "plain"]),
        ((12, 11, 10), None, []),
        ((21, 32), {"x": "periodic"}, ["--bc", "x=periodic"]),
        ((25, 24), None, ["--method", "red-black"]),
        ((25, 24), None, ["--method", "scheduled"]),
    ],
)
def test_a_grid_has_the_bits_of_the_command_line(shape, bc, options, tmp_path, command_line):
    points = [n if bc and i == len(shape) - 1 else n + 2 for i, n in enumerate(shape)]
    size = "x".join(str(n) for n in reversed(points))
    subprocess.run(
        [command_line, "poisson", "--dim", str(len(shape)), "--points", size, "-o", "u.npy", "--quiet", *options],
        cwd=tmp_path,
        check=True,
    )
    inside = tuple(slice(None) if bc and i == len(shape) - 1 else slice(1, -1) for i in range(len(shape)))
    u = np.load(tmp_path / "u.npy")[inside]
    method = options[1] if options[:1] == ["--method"] else "auto"
    assert np.array_equal(u, pyjacobi.solve(pyjacobi.poisson(shape, bc=bc), np.ones(shape), method=method).x)


@pytest.mark.parametrize("kind", ["sparse", "full, symmetric, factored by LAPACK"])
def test_a_diagnosis_is_that_of_the_command_line(rng, tmp_path, command_line, kind):
    if kind == "sparse":
        A, name = random_csr(rng, 80), "A.mtx"
        mmwrite(tmp_path / name, A, precision=17)
    else:
        root, name = rng.standard_normal((900, 900)), "A.npy"
        A = root @ root.T / 900 + np.eye(900)
        A = (A + A.T) / 2
        np.save(tmp_path / name, A)
    b = np.ones(A.shape[0])
    np.save(tmp_path / "b.npy", b)
    told = subprocess.run(
        [command_line, "diagnose", name, "b.npy", "--json", "-"], cwd=tmp_path, capture_output=True, text=True
    )
    theirs = json.loads(told.stdout)
    ours = pyjacobi.diagnose(A, b).to_dict()
    differs = {key for key in ours if "seconds" not in key and ours[key] != theirs.get(key)}
    assert not differs
