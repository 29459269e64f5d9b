"""What type checkers say, where they are installed."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.metadata import distributions
from importlib.resources import files

import pyjacobi
import pytest
import typed
from conftest import ROOT

thorough = pytest.mark.skipif("PYJACOBI_ALL" not in os.environ, reason="takes half a minute: make check-all")


def test_the_programs_that_are_checked_run():
    assert (
        typed.solves() and typed.on_grids() == (7, 9) and typed.watched() and typed.swept() >= 0 and typed.diagnosed()
        and typed.by_products()
    )


def test_mypy_is_content_with_the_package_and_its_users(tmp_path):
    pytest.importorskip("mypy")
    if not list(distributions(name="scipy-stubs")):
        pytest.skip("scipy-stubs is not installed")
    config = ["--config-file", str(ROOT / "pyproject.toml"), "--cache-dir", str(tmp_path)]
    told = subprocess.run(
        [sys.executable, "-m", "mypy", *config, "-p", "pyjacobi", "-m", "typed"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "MYPYPATH": str(ROOT / "python/tests")},
    )
    assert told.returncode == 0, told.stdout + told.stderr


@thorough
def test_the_stub_of_the_module_has_what_the_module_has(tmp_path):
    """But for what nanobind's functions and classes are not, seen from Python: functions, and classes of type."""
    pytest.importorskip("mypy")
    (tmp_path / "allowed").write_text(r"pyjacobi\._core\.\w+(\.__init__)?" + "\n", encoding="utf-8")
    options = ["--allowlist", "allowed", "--ignore-unused-allowlist", "--concise"]
    stubtest = [sys.executable, "-m", "mypy.stubtest", "pyjacobi._core", *options]
    told = subprocess.run(stubtest, capture_output=True, text=True, cwd=tmp_path)
    assert told.returncode == 0, told.stdout + told.stderr


@thorough
def test_every_public_type_is_known(tmp_path):
    pytest.importorskip("basedpyright")
    beside = os.path.dirname(sys.executable)
    environment = {**os.environ, "PATH": beside + os.pathsep + os.environ["PATH"]}
    told = subprocess.run(
        [sys.executable, "-m", "basedpyright", "--verifytypes", "pyjacobi", "--ignoreexternal"],
        capture_output=True, text=True, cwd=tmp_path, env=environment,
    )  # fmt: skip
    assert "Type completeness score: 100%" in told.stdout, told.stdout + told.stderr


def test_the_package_says_that_it_is_typed():
    assert files(pyjacobi).joinpath("py.typed").is_file() and files(pyjacobi).joinpath("_core.pyi").is_file()
