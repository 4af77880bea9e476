"""The examples that users copy."""

from __future__ import annotations

import csv
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from conftest import EDITIONS

import unolab

EXAMPLES = Path(__file__).parent.parent / "examples"


@pytest.fixture
def ppo(monkeypatch):
    pytest.importorskip("jax", reason="jax is installed for the long tests")
    monkeypatch.syspath_prepend(EXAMPLES)
    import ppo

    return ppo


@pytest.mark.long
def test_network_is_trained_seated_and_reloaded(ppo, tmp_path):
    # A fixed number of decisions instead of minutes, so that the load of the machine does not matter.
    size = ["--minutes", "600", "--decisions", "400000"]
    subprocess.run([sys.executable, EXAMPLES / "ppo.py", *size, "--out", tmp_path], check=True)
    with open(tmp_path / "curve.csv", newline="") as file:
        curve = list(csv.DictReader(file))
    first, last = (float(curve[at]["win_share"]) for at in (0, -1))
    assert first < 0.45
    assert last > first + 0.05, "the win share rises: the network learns"
    assert (tmp_path / "curve.svg").exists()
    net = ppo.Net.load(tmp_path / "policy.npz")
    result = unolab.tournament([net, "greedy", "random"], seats=[2], sets=50)
    assert result.faults == []
    assert "ppo" in {row["entrant"] for row in result.summary}
    elsewhere = unolab.match(net, "greedy", sets=5, overrides=["deal.hand_size=5"])
    assert "trained for" in elsewhere.tracebacks[0]
    with np.load(tmp_path / "policy.npz") as kept:
        np.savez(tmp_path / "other.npz", **{**kept, "spec_hash": "another"})
    with pytest.raises(ValueError, match="trained for other rules"):
        ppo.Net.load(tmp_path / "other.npz")


@pytest.mark.long
def test_handbook_examples_run(tmp_path, monkeypatch):
    text = (EXAMPLES.parents[1] / "docs" / "python.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert len(blocks) >= 6
    monkeypatch.chdir(tmp_path)
    names = {}
    for block in blocks:
        exec(block, names)


@pytest.mark.long
@pytest.mark.parametrize("variant", EDITIONS)
def test_colors_are_renamed_without_loss(ppo, variant):
    env = ppo.table(variant, 3, 64, "greedy", 1)
    colors = ppo.Colors(env)
    for table in (*colors.columns, *colors.actions):
        assert sorted(table) == list(range(len(table)))
    obs, info = env.reset()
    for _ in range(30):
        seen, mask, old = colors.rename(obs, info["action_mask"])
        hand = seen[:, colors.part["hand"]] @ colors.has_color
        if len(set(colors.has_color.sum(axis=0))) == 1:  # every card comes in all colors
            assert (hand[:, 1:-1] >= hand[:, 2:]).all()
        chosen = mask.argmax(1)
        obs, _, _, _, info = env.step(old[np.arange(64), chosen])


@pytest.mark.long
def test_notebook_runs_completely():
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    notebook = nbformat.read(EXAMPLES / "first_steps.ipynb", as_version=4)
    nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", ())]
    assert any("image/png" in output.get("data", {}) for output in outputs), "there is a plot"
    assert any("<table" in output.get("data", {}).get("text/html", "") for output in outputs)
