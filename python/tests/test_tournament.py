"""Tournaments, with players written in Rust and in Python."""

from __future__ import annotations

import csv
import math
import random

import numpy as np
import pytest
from conftest import EXPLICIT

import unolab
from unolab import _command


class Uniform(unolab.Policy):
    """Chooses uniformly among the offered actions; the same position always gets the same answer."""

    name = "mine"

    def __init__(self):
        self.sizes = []

    def act(self, obs, action_mask, info):
        self.sizes.append(len(obs))
        assert obs.dtype == action_mask.dtype == np.uint8
        assert len(obs) == len(action_mask) == len(info["legal"]) == len(info["num_legal"]) == len(info["to_play"])
        for mask, ids, count in zip(action_mask, info["legal"], info["num_legal"], strict=True):
            assert sorted(ids[:count]) == list(np.flatnonzero(mask))
        chosen = obs.astype(np.int64).sum(axis=1) % info["num_legal"]
        return info["legal"][np.arange(len(obs)), chosen]


def test_agent_object_is_played_as_its_text():
    greedy = unolab.agent("greedy", seed=7)
    experiments = [
        lambda agent: unolab.tournament([agent, "random"], seats=2, sets=40, seed=5),
        lambda agent: unolab.match("random", agent, sets=40, seed=5),
        lambda agent: unolab.sprt(agent, "random", nelo1=100.0, max_sets=400, seed=5),
        lambda agent: unolab.league([agent, "random"], seats=2, sets=40, seed=5),
        lambda agent: unolab.balance(seats=2, sets=40, agents=[agent], seed=5),
    ]

    def written(result):
        return repr({name: result.table(name) for name in result.tables})  # NaN does not equal itself

    for experiment in experiments:
        assert written(experiment(greedy)) == written(experiment("greedy"))


def test_tournament_of_built_in_agents_has_tables():
    result = unolab.tournament(["heuristic", "greedy", "random"], seats=[2, 3], sets=40, seed=5)
    assert {row["entrant"] for row in result.summary} == {"heuristic", "greedy", "random"}
    assert {row["seats"] for row in result.summary} == {2, 3}
    for rows in (result.summary, result.pairs, result.seats, result.ratings):
        assert rows
        assert all(isinstance(value, (int, float, str)) for row in rows for value in row.values())
    shares = {(row["entrant"], row["seats"]): row["win_share"] for row in result.summary}
    assert shares["heuristic", 2] > shares["random", 2]
    assert result.path is None
    assert result.faults == result.table("faults") == []
    assert "heuristic" in repr(result)
    assert "<table>" in result._repr_html_()


def test_result_is_plotted():
    matplotlib = pytest.importorskip("matplotlib", reason="matplotlib is installed for the long tests")
    matplotlib.use("Agg")
    result = unolab.tournament(["greedy", "random"], seats=[2, 3], sets=20)
    axes = result.plot()
    assert [text.get_text() for text in axes.get_yticklabels()] == ["greedy, classic, 2", "random, classic, 2", "greedy, classic, 3", "random, classic, 3"]
    axes.figure.canvas.draw()


def test_tables_are_independent_of_threads(tmp_path):
    runs = [unolab.tournament(["greedy", "random"], seats=[2], sets=60, seed=9, threads=n) for n in (1, 2)]
    assert runs[0]._tables == runs[1]._tables
    result = unolab.tournament(["greedy", "random"], seats=[2], sets=60, seed=9, out=tmp_path / "run")
    assert result.path == tmp_path / "run"
    with open(result.path / "summary.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["entrant"] for row in rows] == [row["entrant"] for row in result.summary]
    assert (result.path / "run.json").exists()
    with pytest.raises(ValueError, match="out"):
        unolab.tournament(["greedy", "random"], seats=[2], sets=60, seed=10, out=tmp_path / "run")


@pytest.mark.parametrize("variant", unolab.variants())
@pytest.mark.parametrize("overrides", [[], EXPLICIT])
def test_policy_plays_in_every_edition(variant, overrides):
    policy = Uniform()
    result = unolab.tournament([policy, "greedy", "random"], variant, seats=[3], sets=20, overrides=overrides)
    assert result.faults == []
    assert result.tracebacks == []
    mine = next(row for row in result.summary if row["entrant"] == "mine")
    assert 0 < mine["win_share"] < 1
    assert max(policy.sizes) > 4


def test_variants_of_same_name_are_distinguished(tmp_path):
    files = []
    for directory, rules in (("a", ""), ("b", 'uno.calls = "explicit"\n')):
        file = tmp_path / directory / "mine.toml"
        file.parent.mkdir()
        file.write_text(f'base = "classic"\n{rules}')
        files.append(file)
    seen = {}

    class Mine(Uniform):
        def act(self, obs, action_mask, info):
            seen.setdefault((info["variant"], info["rules_hash"]), set()).add(action_mask.shape[1])
            return super().act(obs, action_mask, info)

    result = unolab.match(Mine(), "greedy", variant=files, sets=30)
    assert result.faults == []
    expected = {}
    for file in files:
        env = unolab.VecEnv(file, 2, 1)
        expected["mine", env.spec["rules_hash"]] = {env.num_actions}
    assert seen == expected
    assert len(seen) == 2


def test_policy_receives_rules():
    told = []

    class Mine(Uniform):
        def act(self, obs, action_mask, info):
            told.append((info["variant"], info["rules_hash"], info["seats"]))
            return super().act(obs, action_mask, info)

    hashes = set()
    for overrides in ([], ["deal.hand_size=5"]):
        told.clear()
        unolab.match(Mine(), "greedy", sets=5, overrides=overrides)
        env = unolab.VecEnv("classic", 2, 1, overrides=overrides)
        assert set(told) == {("classic", env.spec["rules_hash"], 2)}
        hashes.add(env.spec["rules_hash"])
    assert len(hashes) == 2


def test_finished_run_is_not_replaced_by_other_policy(tmp_path):
    class Last(Uniform):
        def act(self, obs, action_mask, info):
            return info["legal"][np.arange(len(obs)), info["num_legal"] - 1]

    unolab.match(Uniform(), "greedy", sets=5, out=tmp_path / "run")
    before = (tmp_path / "run" / "summary.csv").read_bytes()
    with pytest.raises(ValueError, match="out: .* finished run"):
        unolab.match(Last(), "greedy", sets=5, out=tmp_path / "run")
    assert (tmp_path / "run" / "summary.csv").read_bytes() == before
    # The spec determines the play of built-in agents: the bytes are the same.
    for _ in range(2):
        unolab.match("random", "greedy", sets=5, out=tmp_path / "other")


def test_games_of_policy_are_independent_of_batches():
    first, second = (unolab.match(Uniform(), "greedy", sets=100, seed=3) for _ in range(2))
    assert first._tables == second._tables


def test_random_policy_is_reproducible():
    class Random(unolab.Policy):
        name = "007"

        def act(self, obs, action_mask, info):
            assert info["seed"].dtype == np.uint64
            chosen = info["seed"] % info["num_legal"].astype(np.uint64)
            return info["legal"][np.arange(len(obs)), chosen.astype(np.intp)]

    first, second = (unolab.match(Random(), "random", sets=150, seed=3, threads=threads) for threads in (1, 2))
    assert first._tables == second._tables
    assert first.summary[0]["entrant"] == "007"
    assert first.summary[0]["ci_low"] < first.summary[0]["ci_high"]


def test_wrong_answer_and_exception_are_faults_of_their_games():
    class Wrong(Uniform):
        name = "wrong"

        def act(self, obs, action_mask, info):
            actions = super().act(obs, action_mask, info)
            actions = np.array(actions)
            late = obs[:, : 54].sum(axis=1) > 14
            actions[late] = 10_000
            return actions

    class Raising(Uniform):
        name = "raising"

        def act(self, obs, action_mask, info):
            if (obs[:, : 54].sum(axis=1) > 14).any():
                raise RuntimeError("fifteen cards are too many")
            return super().act(obs, action_mask, info)

    result = unolab.tournament([Wrong(), Raising(), "greedy"], seats=[3], sets=60, seed=2)
    rows = {row["entrant"]: row for row in result.summary}
    assert rows["wrong"]["illegal"] > 0
    assert rows["wrong"]["crashes"] == 0
    assert rows["raising"]["crashes"] > 0
    assert rows["raising"]["illegal"] == 0
    assert rows["greedy"]["crashes"] == rows["greedy"]["illegal"] == 0
    assert any("fifteen cards are too many" in row["what"] for row in result.faults)
    for shown in (repr(result), result._repr_html_()):
        assert "games lost by faults: raising, wrong" in shown
    assert len(result.tracebacks) == 1
    assert "fifteen cards are too many" in result.tracebacks[0]
    assert result.tracebacks[0].count("Traceback") == 1
    assert rows["raising"]["crashes"] < rows["raising"]["games"]


def test_interrupt_stops_games():
    class Stops(Uniform):
        def act(self, obs, action_mask, info):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        unolab.match(Stops(), "greedy", sets=1_000_000)


@pytest.mark.parametrize(
    ("arguments", "names"),
    [
        ({"agents": ["unknown", "greedy"]}, "heuristic"),
        ({"agents": ["greedy", "random"], "variant": "uno"}, "classic"),
        ({"agents": ["greedy", "random"], "seats": [11]}, "seats"),
        ({"agents": ["greedy", "random"], "format": "swiss"}, "allowed: roundrobin, gauntlet"),
        ({"agents": ["greedy", "random"], "format": "match"}, "allowed: roundrobin, gauntlet"),
        ({"agents": []}, "agents: an empty list"),
        ({"agents": ["greedy", "random"], "seats": []}, "seats: an empty list"),
        ({"agents": ["greedy", "random"], "variant": []}, "variant: an empty list"),
        ({"agents": ["greedy", "random"], "sets": 0}, "sets: 0; allowed: 1 to"),
        ({"agents": ["greedy", "random"], "sets": 2**64}, "sets: "),
        ({"agents": ["greedy", "random"], "seed": -1}, r"seed: -1; allowed: 0 to 2\^64 - 1"),
        ({"agents": ["greedy", "random"], "threads": -1}, "threads: -1"),
        ({"agents": ["greedy", "random"], "threads": 2**40}, "threads: "),
        ({"agents": ["greedy", "random"], "unit": "day"}, "match"),
        ({"agents": ["greedy", "random"], "overrides": ["a=b"]}, "^overrides: a: "),
    ],
)
def test_invalid_request_is_rejected(arguments, names):
    given = {"sets": 2, **arguments}
    with pytest.raises(ValueError, match=names) as here:
        unolab.tournament(**given)
    assert "--" not in str(here.value)


@pytest.mark.parametrize(
    ("arguments", "names"),
    [
        ({"sets": "a"}, "sets: 'a'; needed: a whole number"),
        ({"sets": 2.5}, "sets: 2.5"),
        ({"sets": None}, "sets: None"),
        ({"seats": "2"}, "seats: '2'"),
        ({"seats": [2.0]}, "seats: 2.0"),
        ({"seed": None}, "seed: None"),
        ({"threads": "2"}, "threads: '2'"),
        ({"variant": 7}, "variant: 7"),
        ({"variant": [7]}, "variant: 7"),
        ({"overrides": None}, "overrides: None"),
        ({"overrides": [3]}, "overrides: 3"),
        ({"overrides": "a=b"}, "overrides is a list"),
        ({"unit": 3}, "unit: 3"),
        ({"out": 3}, "out: 3"),
        ({"agents": None}, "agents: None"),
        ({"agents": [Uniform, "greedy"]}, r"is a class; needed: an object of it, such as Uniform\(\)"),
        ({"agents": "greedy"}, "agents is a list"),
    ],
)
def test_wrong_type_is_named(arguments, names):
    with pytest.raises(TypeError, match=names):
        unolab.tournament(**{"agents": ["greedy", "random"], "sets": 2, **arguments})


@pytest.mark.parametrize("seats", [2, np.int64(2), range(2, 3), np.array([2]), (2,)])
def test_numbers_of_any_type_are_accepted(seats):
    expected = unolab.match("greedy", "random", sets=5)
    assert unolab.match("greedy", "random", seats=seats, sets=np.int64(5))._tables == expected._tables


def test_opponents_are_configured_like_agents():
    asked = []

    def runner(words, threads, show):
        asked.append(words)
        return 2, "error: nothing is played here"

    def play(**arguments):
        with _command.played_by(runner):
            unolab.tournament(["greedy", "random"], **{"sets": 2, **arguments})

    for wrong in ({"format": "swiss"}, {"seats": []}, {"variant": []}, {"sets": 0}):
        with pytest.raises(ValueError, match=next(iter(wrong))):
            play(**wrong)
    assert asked == []
    with pytest.raises(ValueError, match="nothing is played here"):
        play(seats=range(2, 4), sets=np.int64(5), format="gauntlet")
    assert {"--seats=2", "--seats=3", "--sets=5", "--format=gauntlet"} <= set(asked[0])


def test_policies_require_distinct_names():
    with pytest.raises(TypeError, match="policy"):
        unolab.match(object(), "greedy")
    bad = Uniform()
    bad.name = "greedy"
    with pytest.raises(ValueError, match="name"):
        unolab.match(bad, "random")
    with pytest.raises(ValueError, match="two policies"):
        unolab.match(Uniform(), Uniform())


def test_match_is_one_against_copies():
    result = unolab.match("heuristic", "random", seats=4, sets=50)
    assert len(result.summary) == 2
    share = next(row["win_share"] for row in result.summary if row["entrant"] == "heuristic")
    assert share > 0.25


def test_tables_convert_to_pandas_and_arrow():
    result = unolab.match("greedy", "random", sets=20)
    assert list(result.to_pandas("summary")["entrant"]) == [row["entrant"] for row in result.summary]
    assert result.to_arrow("seats").num_rows == len(result.seats)
    with pytest.raises(KeyError, match="summary"):
        result.to_pandas("nothing")


def test_record_is_analyzed(tmp_path):
    round = unolab.Round("classic", 2, 3, voluntary_draw=False)
    rng = random.Random(3)
    while not round.is_terminal:
        round.apply(rng.choice(round.legal_actions()))
    result = unolab.analyze(round.record(), worlds=4)
    assert result.table("decisions")
    path = tmp_path / "game.jsonl"
    path.write_text(round.record())
    again = unolab.analyze(path, worlds=4)
    assert len(again.table("decisions")) == len(result.table("decisions"))
    assert all(not math.isnan(row["rank"]) for row in result.table("decisions"))
    assert unolab.analyze("\n" + round.record(), worlds=4)._tables == result._tables
    for empty in ("", " \n"):
        with pytest.raises(ValueError, match="record: an empty text"):
            unolab.analyze(empty)
    for wrong in ({"worlds": -1}, {"worlds": 1}, {"seed": -1}):
        with pytest.raises(ValueError, match=f"{next(iter(wrong))}: .*allowed"):
            unolab.analyze(round.record(), **wrong)
    with pytest.raises(TypeError, match="worlds: 'a'"):
        unolab.analyze(round.record(), worlds="a")
    with pytest.raises(ValueError, match="line"):
        unolab.analyze("{}\n")
    by_net = unolab.analyze(round.record(), evaluator="net").table("decisions")
    assert len(by_net) == len(result.table("decisions"))
    assert all(0 <= row["value"] <= row["best_value"] <= 1 and row["unbiased_regret_se"] == 0 for row in by_net)
    for wrong in [{"evaluator": "net", "worlds": 9}, {"evaluator": "unknown"}, {"evaluator": "net", "goal": "match"}]:
        with pytest.raises(ValueError, match="allowed"):
            unolab.analyze(round.record(), **wrong)
