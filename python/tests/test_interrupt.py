"""Ctrl-C: long work ends soon after a signal in the middle of a run, with `KeyboardInterrupt`."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

import unolab

BEGIN = """
import itertools, signal, sys, threading, time
import unolab
from unolab import _result

signal.signal(signal.SIGINT, signal.default_int_handler)  # in a shell's background it would be ignored from the start

def begun(*_):
    print("begun", flush=True)

_result.Bar.show = begun  # a progress update means that the run is in progress

class Told(unolab.Policy):
    name = "told"

    def act(self, obs, action_mask, info):
        begun()
        return info["legal"][:, 0]

def steps(**options):
    env = unolab.VecEnv(num_envs=4096, **options)
    env.reset()
    for step in itertools.count():
        env.step(env.sample())
        if step == 3:
            begun()

def analysis():
    game = unolab.Round(seats=2, seed=3)
    while not game.is_terminal:
        game.apply(game.legal_actions()[0])
    begun()
    unolab.analyze(game.record(), worlds=1_000_000)

def agent_in_rows():
    env = unolab.VecEnv(num_envs=4096, seats=2)
    env.reset()
    begun()
    unolab.agent("ismcts:iterations=2000").act(env)

def adviser():
    begun()
    unolab.Adviser("ismcts:iterations=100_000_000,sure=0").choose(["r7", "b2", "W", "r3", "g9"], ["g5", "r1"], [5, 5])

def agent_in_a_round():
    rounds = (unolab.Round(seats=2, seed=seed) for seed in itertools.count())
    begun()
    unolab.agent("ismcts:iterations=100_000_000,sure=0").act(next(game for game in rounds if len(game.legal_actions()) > 3))

try:
    CALL
except KeyboardInterrupt:
    print("interrupted", flush=True)
print("alive after it:", unolab.match("greedy", "random", sets=2, progress=False).summary[0]["games"] > 0, flush=True)
"""

CALLS = {
    "a tournament": "unolab.tournament(['heuristic', 'greedy', 'random'], seats=[4], sets=10_000_000, progress=True)",
    "a tournament on one thread": "unolab.tournament(['heuristic', 'greedy'], seats=[2], sets=10_000_000, threads=1, progress=True)",
    "a match with a policy": "unolab.match(Told(), 'greedy', sets=10_000_000, progress=False)",
    "a sequential test": "unolab.sprt('greedy', 'greedy', nelo1=0.01, max_sets=100_000_000, progress=True)",
    "a league": "unolab.league(['greedy', 'random', 'heuristic'], seats=2, sets=10_000_000, progress=True)",
    "an analysis": "analysis()",
    "an agent in many rows": "agent_in_rows()",
    "an agent in a round": "agent_in_a_round()",
    "an adviser": "adviser()",
    "steps": "steps(seats=2)",
    "steps on two threads against opponents": "steps(seats=4, opponents=['heuristic'], threads=2)",
}


@pytest.mark.skipif(os.name == "nt", reason="signals are another thing there")
@pytest.mark.parametrize("what", CALLS)
def test_signal_ends_call(what, tmp_path):
    if "progress=True" in CALLS[what]:
        pytest.importorskip("tqdm", reason="the bar that is told")
    program = [sys.executable, "-c", BEGIN.replace("CALL", CALLS[what])]
    process = subprocess.Popen(program, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        assert process.stdout.readline() == "begun\n"
        process.send_signal(signal.SIGINT)
        out, complaints = process.communicate(timeout=300)  # otherwise it would run for days
    finally:
        process.kill()
    said = [line for line in out.splitlines() if line != "begun"]
    assert said == ["interrupted", "alive after it: True"], complaints
    assert process.returncode == 0, complaints


def test_games_before_signal_are_stored(tmp_path):
    """An interrupted command can be resumed."""
    pytest.importorskip("tqdm", reason="the bar that is told")
    call = "unolab.league(['greedy', 'random'], seats=2, sets=1_000_000, out='league', progress=True)"
    program = [sys.executable, "-c", BEGIN.replace("CALL", call)]
    process = subprocess.Popen(program, cwd=tmp_path, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "begun\n"
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=300)
    assert (tmp_path / "league" / "checkpoint.json").exists()
    assert unolab.__version__
