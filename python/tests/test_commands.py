"""Long work that the command line does: sequential tests, leagues, balance, training."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

import unolab


def test_the_command_line_is_there():
    run = subprocess.run([sys.executable, "-m", "unolab", "--version"], capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["unolab", unolab.__version__]


def test_a_sequential_test_comes_to_a_verdict(tmp_path):
    result = unolab.sprt("greedy", "random", nelo1=80, out=tmp_path / "test", progress=False)
    assert result.table("sprt")[-1]["verdict"] == "accept_h1"
    assert result.path == tmp_path / "test"
    spec = json.loads((tmp_path / "test" / "run.json").read_text())["spec"]
    assert [entrant["agent"] for entrant in spec["entrants"]] == ["greedy", "random"]
    # The null hypothesis is a result too, and so is no decision.
    assert unolab.sprt("random", "greedy", nelo1=80, progress=False).table("sprt")[-1]["verdict"] == "accept_h0"
    open_end = unolab.sprt("greedy", "greedy", nelo1=1, max_sets=100, progress=False)
    assert open_end.path is None
    assert open_end.table("sprt")[-1]["verdict"] == "open"
    assert "sprt" in repr(open_end)


def test_a_league_has_seasons():
    result = unolab.league(["greedy", "random", "heuristic"], seats=2, sets=40, progress=False)
    assert {row["season"] for row in result.table("league")} == {1, 2, 3, 4}
    assert {row["entrant"] for row in result.summary} == {"greedy", "random", "heuristic"}


def test_a_variant_is_measured():
    result = unolab.balance("classic", seats=2, sets=40, sweep=["house.stacking=off,any_draw"], progress=False)
    assert any(row["metric"] == "turns" for row in result.table("metrics"))
    assert result.table("sweep")


def test_weights_are_trained_and_play(tmp_path):
    result = unolab.train(tmp_path / "net", imitate=20, rounds=1, choices=15, test_games=100, progress=False)
    assert [row["file"] for row in result.table("weights")] == ["weights.net"]
    assert unolab.match(f"net:weights={tmp_path}/net/weights.net", "random", sets=20).summary


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: unolab.sprt("nobody", "greedy"), "heuristic"),
        (lambda: unolab.sprt("greedy", "random", max_sets=-5), "max-sets"),
        (lambda: unolab.league(["greedy"], variant="uno"), "classic"),
        (lambda: unolab.balance(sweep=["nothing"]), "sweep"),
    ],
)
def test_what_cannot_be_is_refused(call, words):
    with pytest.raises(ValueError, match=words):
        call()


def test_policies_of_python_play_elsewhere():
    with pytest.raises(TypeError, match="tournament and match"):
        unolab.sprt(unolab.Policy(), "greedy")
    with pytest.raises(TypeError, match="list"):
        unolab.league("greedy")
