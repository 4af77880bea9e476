"""States of environments: copies, saved games, rounds of rows, seeds per row, and several tables."""

from __future__ import annotations

import copy
import pickle

import gymnasium
import numpy as np
import pytest
from conftest import EDITIONS, EXPLICIT

import unolab


class Last(unolab.Policy):
    """Plays the last legal action, or one at random."""

    name = "last"

    def __init__(self, random=False):
        self.random = random

    def act(self, obs, action_mask, info):
        number = info["num_legal"].astype(np.int64)
        chosen = (info["seed"] % number.astype(np.uint64)).astype(np.int64) if self.random else number - 1
        return info["legal"][np.arange(len(obs)), chosen]


OPTIONS = [
    {},
    {"voluntary_draw": True, "history": 3, "overrides": EXPLICIT},
    {"opponents": ["heuristic"], "autoreset": "next_step"},
    {"opponents": [["greedy", "net"]], "unit": "match"},
    {"opponents": [Last(random=True)], "outputs": "full"},
    {"variant": ["classic", "disney"], "seats": [2, 3], "opponents": [["random", Last()]], "autoreset": "disabled"},
]


def same(a, b):
    """Whether two results of `step` are equal."""
    arrays = zip([*a[:-1], *a[-1].values()], [*b[:-1], *b[-1].values()], strict=True)
    return all(np.array_equal(x, y) for x, y in arrays)


def advance(env, steps):
    """Plays random actions, and resets games that have ended if that is not automatic."""
    for _ in range(steps):
        result = env.step(env.sample())
        ended = result[2] | result[3]
        if env.autoreset == "disabled" and ended.any():
            env.reset(options={"reset_mask": ended.copy()})


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("how", ["pickle", "deepcopy", "copy", "restore"])
def test_copy_continues_with_same_games(options, how):
    env = unolab.VecEnv(**{"variant": "classic", "seats": 2, "num_envs": 12, "seed": 8, **options})
    env.reset()
    advance(env, 70)
    match how:
        case "pickle":
            other = pickle.loads(pickle.dumps(env))
        case "restore":
            other = unolab.VecEnv(**{"variant": "classic", "seats": 2, "num_envs": 12, "seed": 99, **options})
            other.reset()
            advance(other, 3)
            other.restore(pickle.loads(pickle.dumps(env.state())))
        case _:
            other = getattr(copy, how)(env)
    assert np.array_equal(other._last["obs"], env._last["obs"])
    for _ in range(60):
        actions = env.sample()
        assert np.array_equal(actions, other.sample())
        result = env.step(actions)
        assert same(result, other.step(actions))
        ended = result[2] | result[3]
        if env.autoreset == "disabled" and ended.any():
            for each in (env, other):
                each.reset(options={"reset_mask": ended.copy()})


@pytest.mark.parametrize(
    ("name", "items", "later", "given"),
    [
        ("variant", ["classic", "cars"], "disney", list),
        ("variant", ["classic", "cars"], "disney", iter),
        ("seats", [2, 3], 4, list),
        ("seats", [2, 3], 4, iter),
        ("seed", [5, 6, 7], 8, list),
        ("overrides", ["deal.hand_size=5"], "uno.calls=explicit", list),
        ("overrides", ["deal.hand_size=5"], "uno.calls=explicit", iter),
        ("opponents", ["greedy"], "random", list),
        ("opponents", ["greedy"], "random", iter),
    ],
)
def test_copy_is_independent_of_argument_lists(name, items, later, given):
    argument = given(items)
    env = unolab.VecEnv(**{"seats": 2, "num_envs": 3, name: argument})
    env.reset()
    if given is list:
        argument.append(later)
    other = pickle.loads(pickle.dumps(env))
    assert other.spec_hash == env.spec_hash
    assert same(env.step(env.sample(1)), other.step(other.sample(1)))


def test_copy_finds_variant_file_from_other_directory(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.toml").write_text('base = "classic"\n[deal]\nhand_size = 5\n')
    env = unolab.VecEnv("mine.toml", 2, 4)
    env.reset()
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    other = copy.deepcopy(env)
    assert other.spec_hash == env.spec_hash
    assert same(env.step(env.sample(1)), other.step(other.sample(1)))


def test_copy_keeps_candidates_of_changed_opponent_pool():
    pool = [Last()]
    env = unolab.VecEnv("classic", 2, 4, opponents=[pool])
    env.reset()
    pool.append("greedy")
    other = copy.deepcopy(env)
    assert other.spec["options"]["opponents"] == env.spec["options"]["opponents"]
    assert same(env.step(env.sample(1)), other.step(other.sample(1)))


def test_agents_and_environments_with_agents_can_be_pickled():
    agent = unolab.agent("random", seed=7)
    copied = pickle.loads(pickle.dumps(agent))
    round = unolab.Round("classic", 2, 3)
    assert [agent.act(round) for _ in range(20)] == [copied.act(round) for _ in range(20)]
    assert copy.deepcopy(agent).text == "random"
    env = unolab.VecEnv("classic", 2, 4, opponents=[agent])
    env.reset()
    other = pickle.loads(pickle.dumps(env))
    assert same(env.step(env.sample(1)), other.step(other.sample(1)))
    single = gymnasium.make("unolab/Classic-v0", opponents=[agent])
    single.reset(seed=1)
    assert np.array_equal(pickle.loads(pickle.dumps(single)).reset(seed=1)[0], single.reset(seed=1)[0])


def test_saved_state_is_independent_of_environment():
    env = unolab.VecEnv("classic", 2, 4)
    env.reset()
    state = env.state()
    before = env._last["obs"].copy()
    advance(env, 30)
    obs, _ = env.restore(state)
    assert np.array_equal(obs, before)


def test_state_of_other_environment_is_rejected_without_change():
    env = unolab.VecEnv("classic", 2, 4)
    env.reset()
    before, start = env._last["obs"].copy(), env.state()
    others = [unolab.VecEnv("classic", 3, 4), unolab.VecEnv("classic", 2, 4, reward="points"), unolab.VecEnv("classic", 2, 5)]
    for other in others:
        other.reset()
        with pytest.raises(ValueError, match="state: "):
            env.restore(other.state())
    broken = env.state()
    games, samples = broken["games"]
    broken["games"] = ([(*game[:4], [10_000]) for game in games], samples)
    with pytest.raises(ValueError, match="state: "):
        env.restore(broken)
    for incomplete in ({"spec_hash": env.spec_hash}, {**env.state(), "games": ([(*game[:4], [-1]) for game in games], samples)}):
        with pytest.raises(ValueError, match="state: .*needed: what `state"):
            env.restore(incomplete)
    advance(env, 5)
    now = [str(env.round(row)) for row in range(4)]
    for name in ("policy_seeds", "begun"):
        with pytest.raises(ValueError, match="state: .*needed: what `state"):
            env.restore({**start, name: None})
    assert [str(env.round(row)) for row in range(4)] == now
    env.restore(start)
    assert np.array_equal(before, env._last["obs"])
    env.step(env.sample())


def test_state_saved_after_lost_game_is_over():
    env = unolab.gymnasium.VectorEnv("classic", 2, opponents=["greedy"], seed=1, autoreset="disabled")
    _, info = env.reset()
    env.step(np.array([int((mask == 0).argmax()) for mask in info["action_mask"]]))
    other = pickle.loads(pickle.dumps(env))
    assert (other._env._last["action_mask"] == 1).all()


@pytest.mark.parametrize("variant", EDITIONS)
@pytest.mark.parametrize("options", [{}, {"opponents": ["greedy"]}, {"unit": "match"}, {"overrides": EXPLICIT}])
def test_round_of_row_has_its_position(variant, options):
    if options.get("unit") == "match" and variant == "cars":
        options = {}
    env = unolab.VecEnv(variant, 2, 8, seed=6, **options)
    obs, info = env.reset()
    for _ in range(8):
        advance(env, 15)
        obs, info = env._last["obs"], env._info(env._last)
        for row in range(8):
            round = env.round(row)
            seat = int(info["to_play"][row])
            assert round.current_seat == seat
            assert sorted(round.legal_actions()) == sorted(info["legal"][row, : info["num_legal"][row]].tolist())
            assert np.array_equal(round.tensor(seat), obs[row])
            again = pickle.loads(pickle.dumps(round))
            assert str(again) == str(round)
            round.apply(round.legal_actions()[0])
        assert np.array_equal(obs, env._last["obs"])


def test_rows_with_seeds_play_games_of_seeds():
    seeds = [5, 77, 5, 12]
    env = unolab.VecEnv("classic", 3, 4, seed=seeds, opponents=["greedy"])
    singles = [unolab.VecEnv("classic", 3, 1, seed=seed, opponents=["greedy"]) for seed in seeds]
    obs, info = env.reset()
    assert np.array_equal(obs, np.concatenate([single.reset()[0] for single in singles]))
    for _ in range(80):
        actions = info["legal"][:, 0].copy()
        obs, *_, info = env.step(actions)
        rows = [single.step(actions[row : row + 1])[0] for row, single in enumerate(singles)]
        assert np.array_equal(obs, np.concatenate(rows))
    first, _ = env.reset(seed=seeds)
    assert np.array_equal(first[0], first[2])
    with pytest.raises(ValueError, match="seed: 3 seeds; needed: one, or 4"):
        env.reset(seed=[1, 2, 3])


# --- several tables -----------------------------------------------------------------------------------------------------


def mixture(**options):
    return unolab.VecEnv(["classic", "disney", "custom"], [2, 4], 60, **{"seed": 3, "history": 3, **options})


def test_rows_of_several_tables_match_single_tables():
    env = mixture()
    obs, info = env.reset()
    assert set(info["table"].tolist()) == set(range(6))
    spec = env.spec
    for _ in range(60):
        for row in range(0, 60, 7):
            round, seat = env.round(row), int(info["to_play"][row])
            table = env.tables[info["table"][row]]
            assert (round.variant, round.seats) == (table.variant, table.seats)
            legal = [env.action_names[id] for id in info["legal"][row, : info["num_legal"][row]]]
            assert sorted(legal) == sorted(round.action_name(id) for id in round.legal_actions())
            assert np.array_equal(np.flatnonzero(info["action_mask"][row]), np.sort([env.action_names.index(n) for n in legal]))
            seen = round.observation(seat)
            found = unolab.decode(obs[row], spec)
            for name in ("seat", "top", "color", "hand_sizes", "dealer", "decision", "direction"):
                assert found[name] == seen[name]
            for name in ("hand", "discard_pile"):
                assert sorted(found[name]) == sorted(seen[name])
        obs, rewards, terminated, _, info = env.step(env.sample())
        assert np.allclose(rewards[terminated].sum(axis=1), 1)


def test_ended_rows_of_several_tables_accept_every_action():
    env = mixture(autoreset="next_step")
    env.reset()
    ended = 0
    for _ in range(200):
        _, _, terminated, _, info = env.step(env.sample())
        for row in np.flatnonzero(terminated):
            assert info["num_legal"][row] == info["action_mask"][row].sum() == env.num_actions
            assert sorted(info["legal"][row].tolist()) == list(range(env.num_actions))
            ended += 1
    assert ended > 20


def test_seed_determines_table_of_row():
    a, b, c = mixture(), mixture(), mixture(seed=4)
    drawn = [env.reset()[1]["table"].tolist() for env in (a, b, c)]
    assert drawn[0] == drawn[1]
    assert drawn[0] != drawn[2]
    assert a.reset(seed=4)[1]["table"].tolist() == drawn[2]


def test_illegal_action_at_several_tables_changes_nothing():
    env = mixture()
    _, info = env.reset()
    before = env._last["obs"].copy()
    actions = info["legal"][:, 0].astype(np.int64)
    actions[17] = int((info["action_mask"][17] == 0).argmax())
    with pytest.raises(unolab.IllegalAction, match="environment 17"):
        env.step(actions)
    assert np.array_equal(before, env._last["obs"])
    env.step(info["legal"][:, 0])


def test_list_of_one_table_equals_table():
    one, plain = unolab.VecEnv(["classic"], [2], 4), unolab.VecEnv("classic", 2, 4)
    assert one.spec_hash == plain.spec_hash
    with pytest.raises(ValueError, match="variant: an empty list"):
        unolab.VecEnv([], 2)


# --- all observations ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", EDITIONS)
def test_full_observations_contain_all_seats_in_order_of_play(variant):
    env = unolab.VecEnv(variant, 3, 6, outputs="full")
    obs, info = env.reset()
    for _ in range(60):
        assert info["full_obs"].shape == (6, 3, env.obs_size)
        assert np.array_equal(info["full_obs"][:, 0], obs)
        for row in range(6):
            round = env.round(row)
            step = -1 if round.observation(0)["direction"] == "right" else 1
            for place in range(3):
                seat = (int(info["to_play"][row]) + step * place) % 3
                assert np.array_equal(info["full_obs"][row, place], round.tensor(seat))
        obs, *_, info = env.step(env.sample())
