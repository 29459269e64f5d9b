"""What type checkers say, where they are installed."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import distributions
from importlib.resources import files

import pyjacobi
import pytest
import typed
from conftest import ROOT


def test_the_programs_that_are_checked_run():
    assert (
        typed.solves() and typed.on_grids() == (7, 9) and typed.watched() and typed.swept() >= 0 and typed.diagnosed()
    )


@pytest.mark.parametrize("what", [["-p", "pyjacobi"], [str(ROOT / "python/tests/typed.py")]])
def test_mypy_is_content_with_the_package_and_its_users(what, tmp_path):
    pytest.importorskip("mypy")
    if not list(distributions(name="scipy-stubs")):
        pytest.skip("scipy-stubs is not installed")
    config = ["--config-file", str(ROOT / "pyproject.toml"), "--cache-dir", str(tmp_path)]
    told = subprocess.run([sys.executable, "-m", "mypy", *config, *what], capture_output=True, text=True, cwd=tmp_path)
    assert told.returncode == 0, told.stdout + told.stderr


def test_the_package_says_that_it_is_typed():
    assert files(pyjacobi).joinpath("py.typed").is_file() and files(pyjacobi).joinpath("_core.pyi").is_file()
