"""Every notebook runs, and what it asserts holds."""

from __future__ import annotations

import runpy

import pytest
from conftest import ROOT

NOTEBOOKS = sorted((ROOT / "examples/notebooks").glob("*.py"))


def test_there_are_notebooks():
    assert len(NOTEBOOKS) == 12


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(notebook, monkeypatch, capsys):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    if "pyamg" in notebook.stem:
        pytest.importorskip("pyamg")
    import matplotlib.pyplot as plt

    try:
        runpy.run_path(str(notebook))
    finally:
        plt.close("all")
    assert "# %% [markdown]" in notebook.read_text(encoding="utf-8")
