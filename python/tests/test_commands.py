"""Commands that run in a separate process: sequential tests, leagues, balance, training."""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import unolab
from unolab import _result


def test_command_line_prints_version():
    run = subprocess.run([sys.executable, "-m", "unolab", "--version"], capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["unolab", unolab.__version__]


def test_sequential_test_reaches_verdict(tmp_path):
    result = unolab.sprt("greedy", "random", nelo1=80, out=tmp_path / "test", progress=False)
    assert result.table("sprt")[-1]["verdict"] == "accept_h1"
    assert result.path == tmp_path / "test"
    spec = json.loads((tmp_path / "test" / "run.json").read_text())["spec"]
    assert [entrant["agent"] for entrant in spec["entrants"]] == ["greedy", "random"]
    # Accepting the null hypothesis is also a result, and so is an undecided test.
    assert unolab.sprt("random", "greedy", nelo1=80, progress=False).table("sprt")[-1]["verdict"] == "accept_h0"
    open_end = unolab.sprt("greedy", "greedy", nelo1=1, max_sets=100, progress=False)
    assert open_end.path is None
    assert open_end.table("sprt")[-1]["verdict"] == "open"
    assert "sprt" in repr(open_end)


def test_league_has_seasons():
    result = unolab.league(["greedy", "random", "heuristic"], seats=2, sets=40, progress=False)
    assert {row["season"] for row in result.table("league")} == {1, 2, 3, 4}
    assert {row["entrant"] for row in result.summary} == {"greedy", "random", "heuristic"}


@pytest.mark.parametrize("command", [unolab.league, lambda agents: unolab.balance(agents=agents)])
def test_empty_list_of_agents_is_rejected(command):
    with pytest.raises(ValueError, match="agents: an empty list; allowed: one or more"):
        command([])


def test_balance_measures_variant():
    result = unolab.balance("classic", seats=2, sets=40, sweep=["house.stacking=off,any_draw"], progress=False)
    assert any(row["metric"] == "turns" for row in result.table("metrics"))
    assert result.table("sweep")


def test_run_records_build(tmp_path):
    native = Path(unolab._native.__file__).read_bytes()
    # The note in which GNU linkers store the build ID; other linkers store none, and then the file is hashed.
    note = re.search(rb"\x04\0{3}\x14\0{3}\x03\0{3}GNU\0(.{20})", native, re.DOTALL)
    build = (note[1].hex() if note else hashlib.sha256(native).hexdigest())[:16]
    unolab.match("greedy", "random", sets=10, out=tmp_path / "here", progress=False)
    unolab.sprt("greedy", "random", nelo1=80, out=tmp_path / "command", progress=False)
    for directory in ("here", "command"):
        run = json.loads((tmp_path / directory / "run.json").read_text())
        assert run["build"] == build


@pytest.mark.parametrize("play", [unolab.sprt, unolab.match])
def test_progress_is_printed_without_terminal(play, monkeypatch):
    pytest.importorskip("tqdm")
    told: list[int] = []
    monkeypatch.setattr(_result.Bar, "show", lambda _bar, done: told.append(done))
    limit = {"max_sets": 3000} if play is unolab.sprt else {"sets": 3000}
    play("greedy", "greedy", progress=True, **limit)
    assert told == sorted(told)
    assert 0 < told[-1] <= 3000


def test_error_is_printed_while_progress_is_shown():
    pytest.importorskip("tqdm")
    with pytest.raises(ValueError, match="heuristic"):
        unolab.sprt("unknown", "greedy", progress=True)


def test_trained_weights_play(tmp_path):
    result = unolab.train(tmp_path / "net", pretrain=20, rounds=1, choices=15, test_games=100, progress=False)
    assert [row["file"] for row in result.table("weights")] == ["weights.net"]
    assert unolab.match(f"net:weights={tmp_path}/net/weights.net", "random", sets=20).summary


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: unolab.sprt("unknown", "greedy"), "heuristic"),
        (lambda: unolab.sprt("greedy", "random", max_sets=-5), "max_sets"),
        (lambda: unolab.sprt("greedy", "random", seats=1), "seats: 1; allowed: 2 to 10"),
        (lambda: unolab.sprt("greedy", "random", overrides=["foo=1"]), "^overrides: foo: "),
        (lambda: unolab.league(["greedy", "random"], seats=[]), "seats: an empty list"),
        (lambda: unolab.league(["greedy"], variant="uno"), "classic"),
        (lambda: unolab.balance(sweep=["nothing"]), "sweep"),
    ],
)
def test_invalid_request_is_rejected(call, words):
    with pytest.raises(ValueError, match=words) as error:
        call()
    assert "--" not in str(error.value)


def test_numbers_of_any_type_are_accepted():
    result = unolab.sprt("greedy", "greedy", nelo1=np.float32(1), seats=np.int64(2), max_sets=np.int64(100), progress=False)
    assert result.table("sprt")[-1]["verdict"] == "open"
    assert unolab.league(["greedy", "random"], seats=range(2, 3), sets=np.int64(40), progress=False).summary
    for call in (lambda: unolab.sprt("greedy", "random", max_sets=1.5), lambda: unolab.balance(sets="a")):
        with pytest.raises(TypeError, match="sets: .*; needed: a whole number"):
            call()


def test_other_commands_reject_python_policies():
    with pytest.raises(TypeError, match="only `tournament` and `match` accept Python policies"):
        unolab.sprt(unolab.Policy(), "greedy")
    with pytest.raises(TypeError, match="list"):
        unolab.league("greedy")
