"""`VecEnv`: the contents of its arrays, and the arguments that it rejects."""

from __future__ import annotations

import hashlib
import json
import multiprocessing
import resource

import numpy as np
import pytest
from conftest import EDITIONS, EXPLICIT, most_seats

import unolab

TABLES = [(variant, seats) for variant in EDITIONS for seats in sorted({2, 4, most_seats(variant)})]


def play(env: unolab.VecEnv, steps: int, seed: int = 0):
    """Copies of all arrays of a run of random actions."""
    shown = []
    obs, info = env.reset()
    for step in range(steps):
        shown.append([obs.copy(), *(array.copy() for array in info.values())])
        obs, rewards, terminated, truncated, info = env.step(env.sample(seed * 1_000_003 + step))
        shown[-1] += [rewards.copy(), terminated.copy(), truncated.copy()]
    return shown


def same(a, b) -> bool:
    return all(np.array_equal(x, y) for rows in zip(a, b, strict=True) for x, y in zip(*rows, strict=True))


@pytest.mark.parametrize(("variant", "seats"), TABLES)
def test_arrays_have_documented_shapes_and_types(variant, seats):
    env = unolab.VecEnv(variant, seats, 16, seed=3)
    obs, info = env.reset()
    assert (obs.shape, obs.dtype) == ((16, env.obs_size), np.uint8)
    assert (info["action_mask"].shape, info["action_mask"].dtype) == ((16, env.num_actions), np.uint8)
    assert (info["to_play"].shape, info["to_play"].dtype) == ((16,), np.int8)
    assert (info["legal"].ndim, info["legal"].dtype) == (2, np.int16)
    assert (info["num_legal"].shape, info["num_legal"].dtype) == ((16,), np.int16)
    assert len(env.action_names) == env.num_actions
    obs, rewards, terminated, truncated, info = env.step(env.sample())
    assert (rewards.shape, rewards.dtype) == ((16, seats), np.float32)
    assert terminated.dtype == truncated.dtype == np.bool_
    assert terminated.shape == truncated.shape == (16,)
    assert info["final_obs"].shape == obs.shape
    for array in [obs, rewards, terminated, truncated, *info.values()]:
        assert array.flags.c_contiguous
    assert ((info["to_play"] >= 0) & (info["to_play"] < seats)).all()


@pytest.mark.parametrize(("variant", "seats"), TABLES)
def test_mask_and_packed_ids_agree(variant, seats):
    env = unolab.VecEnv(variant, seats, 32, seed=5, overrides=EXPLICIT)
    _, info = env.reset()
    for _ in range(200):
        for mask, ids, count in zip(info["action_mask"], info["legal"], info["num_legal"], strict=True):
            assert count > 0
            assert sorted(ids[:count]) == list(np.flatnonzero(mask))
            assert (ids[count:] == -1).all()
        *_, info = env.step(env.sample())


def test_arrays_reuse_memory_at_every_step():
    env = unolab.VecEnv("classic", 2, 8)
    obs, info = env.reset()
    first = [obs, *info.values()]
    rewards = None
    for _ in range(50):
        obs, now, terminated, truncated, info = env.step(env.sample())
        assert all(a is b for a, b in zip(first, [obs, *info.values()], strict=True))
        rewards = rewards if rewards is not None else now
        assert now is rewards


def test_arrays_of_caller_are_written():
    own, lent = unolab.VecEnv("disney", 3, 8, seed=9), unolab.VecEnv("disney", 3, 8, seed=9)
    out = {"obs": np.zeros((8, own.obs_size), np.uint8), "rewards": np.zeros((8, 3), np.float32)}
    a, _ = own.reset()
    b, _ = lent.reset(out=out)
    assert b is out["obs"]
    assert np.array_equal(a, b)
    for step in range(300):
        actions = own.sample(step)
        assert np.array_equal(actions, lent.sample(step))
        a, rewards, *_ = own.step(actions)
        b, lent_rewards, *_ = lent.step(actions, out=out)
        assert np.array_equal(a, b)
        assert np.array_equal(rewards, lent_rewards)


@pytest.mark.parametrize("turns", [("a", "b"), ("a", None), (None, "a", "b")])
def test_result_rows_of_unfinished_games_are_zero(turns):
    env = unolab.VecEnv("classic", 2, 64, seed=4)
    env.reset()
    lent = {name: np.full((64, env.obs_size), 7, np.uint8) for name in "ab"}
    endings = 0
    for step in range(200):
        name = turns[step % len(turns)]
        _, _, terminated, truncated, info = env.step(env.sample(step), out=None if name is None else {"final_obs": lent[name]})
        ended = terminated | truncated
        endings += int(ended.sum())
        assert not info["final_obs"][~ended].any()
        assert info["final_obs"][ended].any(axis=1).all()
    assert endings > 64


@pytest.mark.parametrize("variant", ["classic", ["classic", "cars"]])
def test_reset_with_seed_clears_final_observations(variant):
    env = unolab.VecEnv(variant, 2, 64, seed=4)
    env.reset()
    ended = np.zeros(64, bool)
    while not ended.any():
        _, _, terminated, truncated, _ = env.step(env.sample())
        ended = terminated | truncated
    _, info = env.reset(seed=5)
    assert not info["final_obs"].any()
    _, _, terminated, truncated, info = env.step(env.sample(0))
    assert not info["final_obs"][~(terminated | truncated)].any()


@pytest.mark.parametrize(
    "out",
    [
        {"obs": np.zeros((8, 3), np.uint8)},
        {"obs": np.zeros((8, 319), np.int8)},
        {"obs": np.zeros((319, 8), np.uint8).T},
        {"observation": np.zeros((8, 319), np.uint8)},
    ],
)
def test_arrays_of_wrong_shape_are_rejected(out):
    with pytest.raises(ValueError, match="out"):
        unolab.VecEnv("classic", 2, 8).reset(out=out)


def test_arrays_and_options_require_mapping():
    env = unolab.VecEnv("classic", 2, 4)
    env.reset(out={})
    for wrong in (np.zeros(4), [1]):
        with pytest.raises(TypeError, match="out: .*; needed: a mapping"):
            env.step(env.sample(), out=wrong)
        with pytest.raises(TypeError, match="options: .*; needed: a mapping"):
            env.reset(options=wrong)
    with pytest.raises(ValueError, match="out: 1: not known"):
        env.step(env.sample(), out={1: np.zeros(4)})


def test_overlapping_arrays_are_rejected():
    env = unolab.VecEnv("classic", 2, 8)
    both = np.zeros((8, env.obs_size), np.uint8)
    with pytest.raises(ValueError, match="share memory"):
        env.reset(out={"obs": both, "final_obs": both})


@pytest.mark.parametrize("variant", EDITIONS)
@pytest.mark.parametrize("options", [{}, {"overrides": EXPLICIT, "history": 8}, {"opponents": ["heuristic"]}])
def test_arrays_are_independent_of_threads(variant, options):
    runs = [play(unolab.VecEnv(variant, 3, 37, seed=11, threads=threads, **options), 120) for threads in (1, 2, 5)]
    assert same(runs[0], runs[1])
    assert same(runs[0], runs[2])
    other = play(unolab.VecEnv(variant, 3, 37, seed=12, **options), 120)
    assert not same(runs[0], other)


# The smallest search budgets, so that games are fast.
SMALL = {
    "monte-carlo": "monte-carlo:rollouts=2",
    "ismcts": "ismcts:iterations=2",
    "clairvoyant": "clairvoyant:iterations=2",
    "exploiter": "exploiter:iterations=2",
}


# `cmd` needs a program.
@pytest.mark.parametrize("agent", [SMALL.get(name, name) for name in unolab.agents() if name != "cmd"])
def test_seed_determines_games_against_every_agent(agent):
    runs = [play(unolab.VecEnv("disney", 3, 5, seed=11, threads=threads, opponents=[agent]), 25) for threads in (1, 2)]
    assert same(*runs)


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="processes are not forked here")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_threads_work_in_forked_process():
    env = unolab.VecEnv("classic", 2, 64, threads=2)
    env.reset()

    def step(sender):
        sender.send(env.step(env.sample(5))[0].tobytes())

    here = multiprocessing.get_context("fork")
    receiver, sender = here.Pipe(duplex=False)
    child = here.Process(target=step, args=(sender,))
    child.start()
    try:
        assert receiver.poll(60), "the child waits for threads that it does not have"
        assert receiver.recv() == env.step(env.sample(5))[0].tobytes()
    finally:
        child.kill()
        child.join()


def test_seed_as_array_of_no_dimensions_is_one_seed():
    env = unolab.VecEnv("classic", 2, 4, seed=np.array(5, np.uint64))
    first, _ = env.reset()
    assert np.array_equal(first, unolab.VecEnv("classic", 2, 4, seed=5).reset()[0])
    with pytest.raises(TypeError, match="seed: 1.5; needed: a whole number"):
        env.reset(seed=np.array([1.5] * 4))


def test_reset_restarts_with_seed_and_continues_without():
    env = unolab.VecEnv("classic", 2, 4, seed=1)
    first = env.reset()[0].copy()
    assert not np.array_equal(env.reset()[0], first)
    assert np.array_equal(env.reset(seed=1)[0], first)
    assert not np.array_equal(env.reset(seed=2)[0], first)


@pytest.mark.parametrize(("variant", "seats"), TABLES)
@pytest.mark.parametrize("overrides", [[], EXPLICIT])
def test_first_game_equals_round_of_same_seed(variant, seats, overrides):
    for seed in range(17, 22):
        env = unolab.VecEnv(variant, seats, 1, seed=seed, overrides=overrides, autoreset="disabled")
        round = unolab.Round(variant, seats, seed, overrides=overrides, voluntary_draw=False)
        obs, info = env.reset()
        terminated = [False]
        while not round.is_terminal:
            assert info["to_play"][0] == round.current_seat
            assert np.array_equal(obs[0], round.tensor(round.current_seat))
            assert sorted(round.legal_actions()) == list(np.flatnonzero(info["action_mask"][0]))
            action = env.sample()
            round.apply(int(action[0]))
            obs, rewards, terminated, _, info = env.step(action)
        assert terminated[0]
        assert rewards[0].tolist() == pytest.approx(round.returns())


@pytest.mark.parametrize("variant", EDITIONS)
@pytest.mark.parametrize("options", [{}, {"overrides": EXPLICIT}, {"opponents": ["heuristic"], "autoreset": "next_step"}])
def test_games_are_independent_of_outputs(variant, options):
    whole = unolab.VecEnv(variant, 3, 19, seed=7, **options)
    part = {outputs: unolab.VecEnv(variant, 3, 19, seed=7, outputs=outputs, **options) for outputs in ("mask", "ids")}
    _, expected = whole.reset()
    all_ends: list[np.ndarray] = []
    found = {outputs: env.reset() for outputs, env in part.items()}
    for step in range(200):
        for outputs, (obs, *ends, info) in found.items():
            assert obs.shape == (19, 0)
            assert info["action_mask"].shape == (19, whole.num_actions if outputs == "mask" else 0)
            assert np.array_equal(info["action_mask"], expected["action_mask"][:, : info["action_mask"].shape[1]])
            for name in ("to_play", "legal", "num_legal"):
                assert np.array_equal(info[name], expected[name])
            assert all(np.array_equal(ours, theirs) for ours, theirs in zip(ends, all_ends, strict=True))
            if "final_obs" in info:
                assert info["final_obs"].shape == (19, 0)
        actions = whole.sample(step)
        _, *all_ends, expected = whole.step(actions)
        for outputs, env in part.items():
            assert np.array_equal(env.sample(step), actions)
            obs, *ends, info = env.step(actions)
            found[outputs] = (obs, *ends, info)
    wrong = np.full(19, whole.num_actions)
    for env in part.values():
        with pytest.raises(unolab.IllegalAction):
            env.step(wrong)


def test_omitted_outputs_have_no_columns():
    whole, ids = unolab.VecEnv("classic", 2, 1), unolab.VecEnv("classic", 2, 1, outputs="ids")
    assert whole.obs_size == whole.spec["obs_size"] > 0
    assert "outputs" not in whole.spec["options"]
    assert ids.obs_size == ids.spec["obs_size"] == 0
    assert ids.spec["blocks"] == []
    assert ids.spec["options"]["outputs"] == "ids"


@pytest.mark.parametrize("autoreset", ["same_step", "next_step", "disabled"])
@pytest.mark.parametrize("options", [{}, {"opponents": ["greedy"]}])
def test_autoreset_modes(autoreset, options):
    env = unolab.VecEnv("classic", 2, 16, seed=21, autoreset=autoreset, **options)
    obs, info = env.reset()
    assert ("final_obs" in info) == (autoreset == "same_step")
    ended_before = np.zeros(16, bool)
    endings = 0
    for _ in range(400):
        actions = env.sample()
        if autoreset == "next_step":
            actions[ended_before] = -5  # ignored
        before = obs.copy()
        obs, rewards, terminated, truncated, info = env.step(actions)
        ended = terminated | truncated
        if autoreset == "disabled":
            assert (obs[ended_before] == before[ended_before]).all()
            assert ended[ended_before].all()
            assert (rewards[ended_before] == 0).all()
            if ended.any():
                fresh = ended.copy()
                endings += int(fresh.sum())
                obs, info = env.reset(options={"reset_mask": fresh})
                assert (info["num_legal"] < env.num_actions).all()
            ended = np.zeros(16, bool)
        else:
            endings += int(ended.sum())
            np.testing.assert_allclose(rewards[ended].sum(axis=1), 1.0)
            assert (rewards[~ended] == 0).all()
        if autoreset == "next_step":
            assert not (ended & ended_before).any()
            assert (info["action_mask"][ended] == 1).all()
            assert (info["num_legal"][ended] == env.num_actions).all()
            assert (info["num_legal"][~ended] < env.num_actions).all()
        if autoreset == "same_step":
            assert info["final_obs"][ended].any(axis=1).all()
            assert not info["final_obs"][~ended].any()
        ended_before = ended
    assert endings > 20


def test_game_at_limit_is_truncated_and_void():
    for reward, expected in [("win", 0.25), ("zero_sum", 0.0), ("points", 0.0), ("places", 0.5)]:
        env = unolab.VecEnv("classic", 4, 8, max_decisions=3, reward=reward)
        env.reset()
        for _ in range(2):
            *_, truncated, info = env.step(env.sample())
            assert not truncated.any()
        _, rewards, terminated, truncated, info = env.step(env.sample())
        assert truncated.all()
        assert not terminated.any()
        np.testing.assert_allclose(rewards, expected)
        assert info["final_obs"].any(axis=1).all()


@pytest.mark.parametrize("variant", EDITIONS)
@pytest.mark.parametrize("reward", ["win", "zero_sum", "points", "places"])
def test_rewards_match_round(variant, reward):
    env = unolab.VecEnv(variant, 4, 1, seed=33, reward=reward, autoreset="disabled")
    round = unolab.Round(variant, 4, 33, voluntary_draw=False)
    env.reset()
    while not round.is_terminal:
        action = env.sample()
        round.apply(int(action[0]))
        _, rewards, *_ = env.step(action)
    got = rewards[0].astype(float)
    returns = np.array(round.returns())
    match reward:
        case "win":
            np.testing.assert_allclose(got, returns)
        case "zero_sum":
            np.testing.assert_allclose(got, returns - 0.25)
        case "points":
            np.testing.assert_allclose(got, round.points())
        case "places":
            assert got.sum() == pytest.approx(2.0, abs=1e-5)
            assert got[returns.argmax()] == got.max()


def test_illegal_action_is_named_without_change():
    env, twin = (unolab.VecEnv("classic", 3, 8, seed=41) for _ in range(2))
    obs, info = env.reset()
    twin.reset()
    before = [obs.copy(), *(array.copy() for array in info.values())]
    for wrong in (int(np.flatnonzero(info["action_mask"][5] == 0)[0]), env.num_actions, -1, 2**40, 2**64 - 1, 2**70):
        actions = env.sample(1).astype(np.int64 if wrong < 2**63 else np.uint64 if wrong < 2**64 else object)
        actions[5] = wrong
        with pytest.raises(unolab.IllegalAction) as caught:
            env.step(actions)
        error = caught.value
        assert isinstance(error, ValueError)
        assert (error.env, error.seat, error.action) == (5, int(info["to_play"][5]), wrong)
        assert sorted(error.legal) == list(np.flatnonzero(info["action_mask"][5]))
        assert "environment 5" in str(error)
        assert f"seat {error.seat}" in str(error)
        assert all(env.action_names[id] in str(error) for id in error.legal)
        assert all(np.array_equal(a, b) for a, b in zip(before, [obs, *info.values()], strict=True))
    for step in range(50):
        actions = env.sample(step)
        assert np.array_equal(env.step(actions)[0], twin.step(actions)[0])


def test_sample_uses_last_written_legal_actions():
    env, twin = (unolab.VecEnv("classic", 2, 8, seed=3) for _ in range(2))
    with pytest.raises(RuntimeError, match="reset"):
        env.sample()
    env.reset()
    twin.reset()
    lent = {"legal": np.zeros((8, env.num_actions), np.int16), "num_legal": np.ones(8, np.int16)}
    with pytest.raises(unolab.IllegalAction):
        env.step(np.full(8, env.num_actions), out=lent)
    assert np.array_equal(env.sample(5), twin.sample(5))
    env.step(env.sample(5), out=lent)
    twin.step(twin.sample(5))
    assert np.array_equal(env.sample(6), twin.sample(6))


def test_masked_action_is_rejected():
    env = unolab.VecEnv("classic", 2, 64, seed=3)
    _, info = env.reset()
    draw = env.action_names.index("draw")
    can_play = np.flatnonzero(info["action_mask"][:, draw] == 0)
    assert len(can_play) > 32
    actions = env.sample()
    actions[can_play[0]] = draw
    with pytest.raises(unolab.IllegalAction):
        env.step(actions)
    whole = unolab.VecEnv("classic", 2, 64, seed=3, voluntary_draw=True)
    _, info = whole.reset()
    assert (info["action_mask"][can_play, draw] == 1).mean() > 0.8  # not where a color is named first


@pytest.mark.parametrize("actions", [[0.0] * 4, [True] * 4, ["a"] * 4])
def test_actions_must_be_integers(actions):
    env = unolab.VecEnv("classic", 2, 4)
    env.reset()
    with pytest.raises(TypeError, match="integers"):
        env.step(actions)


def test_action_count_must_match_environments():
    env = unolab.VecEnv("classic", 2, 4)
    env.reset()
    with pytest.raises(ValueError, match="shape"):
        env.step(np.zeros(5, np.int32))


@pytest.mark.parametrize(
    ("options", "names"),
    [
        ({"variant": "uno"}, "classic"),
        ({"seats": 1}, "seats"),
        ({"seats": 11}, "seats"),
        ({"num_envs": 0}, "num_envs"),
        ({"reward": "gold"}, "zero_sum"),
        ({"autoreset": "later"}, "next_step"),
        ({"opponents": ["unknown"]}, "heuristic"),
        ({"opponents": ["random", "random"]}, "opponents"),
        ({"opponents": []}, "opponents"),
        ({"opponents": ["forgetful:agent=(cmd:x)"]}, "opponents: .* built-in agents"),
        ({"overrides": ["turn.drew=always"]}, "turn.drew"),
        ({"overrides": ["turn.draw"]}, "key=value"),
        ({"unit": "day"}, "round"),
        ({"unit": "match", "overrides": ["match.teams=rotating"]}, "round"),
        ({"max_decisions": 0}, "max_decisions"),
        ({"outputs": "none"}, "ids"),
        ({"outputs": "ids", "history": 4}, "history"),
        ({"seats": -1}, "seats: -1; allowed: 2 to 10"),
        ({"num_envs": -1}, "num_envs: -1; allowed: 1 to"),
        ({"num_envs": 2**40}, "num_envs"),
        ({"num_envs": 2**63}, "num_envs"),
        ({"seed": 2**64}, "seed: .* allowed"),
        ({"max_decisions": 2**32}, "max_decisions"),
        ({"threads": 2**40}, "threads: .* allowed"),
        ({"history": 5000}, "history"),
        ({"overrides": ["foo=1"]}, "^overrides: foo: "),
    ],
)
def test_invalid_options_are_rejected_with_allowed_values(options, names):
    with pytest.raises(ValueError, match=names):
        unolab.VecEnv(**{"variant": "classic", "seats": 4, "num_envs": 2, **options})


@pytest.mark.parametrize(
    ("options", "names"),
    [
        ({"variant": 3}, "variant: 3"),
        ({"seats": "2"}, "seats: '2'"),
        ({"seats": 2.0}, "seats: 2.0"),
        ({"seed": None}, "seed: None"),
        ({"overrides": None}, "overrides: None"),
        ({"overrides": [3]}, "overrides: 3"),
        ({"overrides": "a=b"}, "overrides is a list"),
        ({"opponents": "greedy"}, "opponents is a list"),
        ({"opponents": [3]}, "opponents: 3"),
        ({"reward": 3}, "reward: 3"),
        ({"unit": None}, "unit: None"),
        ({"autoreset": 3}, "autoreset: 3"),
        ({"voluntary_draw": "no"}, "voluntary_draw: 'no'"),
    ],
)
def test_wrong_type_is_named(options, names):
    with pytest.raises(TypeError, match=names):
        unolab.VecEnv(**{"variant": "classic", "seats": 4, "num_envs": 2, **options})


def test_spec_hash_covers_every_relevant_field():
    base = {"variant": "classic", "seats": 2, "num_envs": 1}
    env = unolab.VecEnv(**base)
    text = json.dumps(env.spec, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert env.spec_hash == hashlib.sha256(text.encode()).hexdigest()
    assert env.spec["actions"] == env.action_names
    assert env.spec["version"] == unolab.__version__
    assert env.spec["blocks"][-1]["offset"] + env.spec["blocks"][-1]["len"] == env.obs_size
    assert unolab.VecEnv(**base, seed=99, threads=2).spec_hash == env.spec_hash
    changes = [
        {"seats": 3},
        {"variant": "disney"},
        {"overrides": ["points.wild=40"]},
        {"history": 1},
        {"voluntary_draw": True},
        {"reward": "points"},
        {"unit": "match"},
        {"outputs": "mask"},
        {"outputs": "ids"},
    ]
    hashes = {env.spec_hash} | {unolab.VecEnv(**{**base, **change}).spec_hash for change in changes}
    assert len(hashes) == 1 + len(changes)


def test_learner_sits_in_every_seat_and_only_learner_is_asked():
    env = unolab.VecEnv("classic", 4, 8, seed=2, opponents=["random", "greedy", "heuristic"])
    obs, info = env.reset()
    seats = [set() for _ in range(8)]
    learner = info["to_play"].copy()
    total, games = 0.0, 0
    for _ in range(800):
        for env_seats, seat in zip(seats, learner, strict=True):
            env_seats.add(int(seat))
        _, rewards, terminated, truncated, info = env.step(env.sample())
        ended = terminated | truncated
        assert (info["to_play"][~ended] == learner[~ended]).all()
        rows = np.flatnonzero(ended)
        assert np.array_equal(info["learner_reward"][rows], rewards[rows, learner[rows]])
        assert (info["learner_reward"][~ended] == 0).all()
        total, games = total + float(info["learner_reward"].sum()), games + len(rows)
        learner = info["to_play"].copy()
    assert all(len(env_seats) == 4 for env_seats in seats)
    assert games > 100
    assert 0.05 < total / games < 0.4


@pytest.mark.parametrize(("variant", "seats"), TABLES)
@pytest.mark.parametrize("options", [{}, {"opponents": ["heuristic"]}, {"overrides": EXPLICIT}])
def test_game_of_matches_is_accepted(variant, seats, options):
    env = unolab.VecEnv(variant, seats, 8, seed=6, unit="match", max_decisions=50_000, **options)
    part = next(block for block in env.spec["blocks"] if block["name"] == "score")
    own = slice(part["offset"], part["offset"] + part["len"])
    obs, info = env.reset()
    assert not obs[:, own].any()
    seen, length, endings, with_scores = np.zeros(8, bool), np.zeros(8, int), [], 0
    for _ in range(30_000):
        obs, rewards, terminated, truncated, info = env.step(env.sample())
        assert not truncated.any()
        seen |= obs[:, own].any(axis=1) & ~terminated
        length += 1
        assert (rewards[~terminated] == 0).all()
        np.testing.assert_allclose(rewards[terminated].sum(axis=1), 1.0, atol=1e-6)
        assert (info["final_obs"][terminated].any(axis=1)).all()
        endings += length[terminated].tolist()
        with_scores += int(seen[terminated].sum())
        seen[terminated], length[terminated] = False, 0
        if len(endings) >= 6:
            break
    assert len(endings) >= 6
    if seats > 4:
        return  # the points of many hands may reach the target in one round
    assert with_scores == len(endings), "there are scores before the end"
    rounds = unolab.VecEnv(variant, seats, 64, seed=6, **options)
    rounds.reset()
    ended = sum(int(rounds.step(rounds.sample())[2].sum()) for _ in range(300))
    assert np.mean(endings) > 1.2 * 64 * 300 / ended, "a match is longer than a round"


def test_match_has_points_and_places():
    for reward in ("points", "places"):
        env = unolab.VecEnv("classic", 4, 16, seed=9, unit="match", reward=reward)
        env.reset()
        found = []
        while len(found) < 20:
            _, rewards, terminated, *_ = env.step(env.sample())
            found += rewards[terminated].tolist()
        best = np.array(found).max(axis=1)
        if reward == "points":
            assert (best >= 500).all()
            assert (np.sort(found, axis=1)[:, :-1] < 500).all()
        else:
            assert (best == 1.0).all()
            np.testing.assert_allclose(np.sum(found, axis=1), 2.0, atol=1e-6)


def test_matches_are_independent_of_threads():
    options = {"unit": "match", "opponents": ["heuristic", "random"]}
    runs = [play(unolab.VecEnv("swap-hands", 3, 7, seed=11, threads=threads, **options), 900) for threads in (1, 2)]
    assert same(*runs)


def test_history_contains_last_events():
    env = unolab.VecEnv("classic", 2, 1, seed=8, history=5)
    short = unolab.VecEnv("classic", 2, 1, seed=8)
    assert env.obs_size == short.obs_size + 5 * 6
    obs, _ = env.reset()
    assert obs[0, short.obs_size] == 23  # a card is turned up
    for _ in range(20):
        action = env.sample()
        before = obs.copy()
        obs, _, terminated, _, _ = env.step(action)
        if terminated[0]:
            break
        assert not np.array_equal(before[0, short.obs_size :], obs[0, short.obs_size :])


def test_closed_environment_raises():
    with unolab.VecEnv("classic", 2, 1) as env:
        env.reset()
    for use in (env.reset, env.sample, lambda: env.step([0])):
        with pytest.raises(RuntimeError, match="closed"):
            use()
    env.close()
    assert not any(isinstance(part, (dict, unolab._native.Batch)) for part in vars(env).values()), "games and arrays are gone"
    assert env.spec["seats"] == 2


def test_sampled_actions_are_uniform():
    env = unolab.VecEnv("classic", 2, 1, seed=1)
    _, info = env.reset()
    legal = info["legal"][0, : info["num_legal"][0]]
    counts = np.bincount([int(env.sample()[0]) for _ in range(20_000)], minlength=env.num_actions)
    assert counts.sum() == counts[legal].sum()
    share, n = counts[legal] / 20_000, len(legal)
    assert (np.abs(share - 1 / n) < 5 * np.sqrt(1 / n / 20_000)).all()


@pytest.mark.long
def test_ten_million_steps_in_constant_memory():
    env = unolab.VecEnv("disney", 4, 1024, seed=1)
    env.reset()

    def steps(count: int) -> int:
        for _ in range(count):
            env.step(env.sample())
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    before = steps(1_000)
    assert steps(10_000) - before < 4_096  # KiB
