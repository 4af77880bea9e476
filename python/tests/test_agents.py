"""Built-in agents in Python, policies as opponents, and self-play."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from conftest import EDITIONS, EXPLICIT

import unolab


class First(unolab.Policy):
    """Plays the first legal action."""

    name = "first"
    calls = 0

    def act(self, obs, action_mask, info):
        self.calls += 1
        assert (action_mask[np.arange(len(obs)), info["legal"][:, 0]] == 1).all()
        return info["legal"][:, 0]


@pytest.mark.parametrize("variant", EDITIONS)
def test_agent_answers_alike_in_sampled_round(variant):
    agents = [unolab.agent("net"), unolab.agent("heuristic")]  # without random numbers
    for seed in range(6):
        round = unolab.Round(variant, 2 + seed % 3, seed)
        for _ in range(4 * seed):
            if not round.is_terminal:
                round.apply(round.legal_actions()[seed % 2 - 1])
        if round.is_terminal:
            continue
        sample = round.sample_state(round.current_seat, seed)
        for _ in range(2):
            assert [agent.act(sample) for agent in agents] == [agent.act(round) for agent in agents]
            assert agents[0].values(sample) == agents[0].values(round)
            # A sample of the sample.
            sample = sample.sample_state(sample.current_seat, seed + 1)


@pytest.mark.parametrize("variant", EDITIONS)
@pytest.mark.parametrize(
    "name", ["random", "greedy", "heuristic", "mixbot", "net", "monte-carlo:rollouts=20", "clairvoyant:iterations=20"]
)
def test_agents_choose_legal_actions(variant, name):
    agent = unolab.agent(name)
    for seed, overrides in ((1, []), (2, EXPLICIT)):
        round = unolab.Round(variant, 3, seed, overrides, voluntary_draw=seed == 1)
        for _ in range(30):
            if round.is_terminal:
                break
            action = agent.act(round)
            assert action in round.legal_actions()
            round.apply(action)


@pytest.mark.parametrize("name", ["heuristic", "net"])
def test_agent_in_python_plays_as_in_rust(name):
    """Two copies of a deterministic agent: one is asked for each row, and one is the opponent."""
    agent = unolab.agent(name)
    env = unolab.VecEnv("disney", 2, 16, seed=2, opponents=[name], voluntary_draw=True)
    alone = unolab.VecEnv("disney", 2, 16, seed=2, voluntary_draw=True)
    _, info = env.reset()
    alone.reset()
    first = info["to_play"].copy()
    done = np.zeros(16, bool)
    rewards = [np.full((16, 2), -1.0), np.full((16, 2), -1.0)]
    for index, each in enumerate((env, alone)):
        done[:] = False
        for _ in range(400):
            _, won, terminated, _, _ = each.step(agent.act(each))
            new = terminated & ~done
            rewards[index][new] = won[new]
            done |= terminated
            if done.all():
                break
        assert done.all()
    assert np.array_equal(*rewards)
    assert set(first.tolist()) == {0, 1}


def test_batches_and_rounds_get_same_answers():
    agent = unolab.agent("net")
    env = unolab.VecEnv(["classic", "disney"], 2, 20, seed=3)
    env.reset()
    for _ in range(10):
        ids, values = agent.act(env), agent.values(env)
        mask = env._last["action_mask"].astype(bool)
        assert np.array_equal(~np.isnan(values), mask)
        for row in range(20):
            round = env.round(row)
            assert env.action_names[ids[row]] == round.action_name(agent.act(round))
            expected = {round.action_name(id): value for id, value in agent.values(round).items()}
            found = {env.action_names[id]: values[row, id] for id in np.flatnonzero(mask[row])}
            assert found == pytest.approx(expected, abs=1e-6)
        env.step(ids)


@pytest.mark.parametrize("variant", ["classic", ["classic", "cars"]])
def test_rows_of_calls_and_catches_have_no_values(variant):
    env, net = unolab.VecEnv(variant, 2, 32, seed=3, overrides=EXPLICIT), unolab.agent("net")
    env.reset()
    kinds = set()
    for _ in range(60):
        values = net.values(env)
        for row in range(env.num_envs):
            round = env.round(row)
            kinds.add(round.decision)
            if round.decision in ("call", "window", "jump-in"):
                assert np.isnan(values[row]).all()
                with pytest.raises(ValueError, match="a net has none for the decision"):
                    net.values(round)
            else:
                assert np.count_nonzero(~np.isnan(values[row])) == len(round.legal_actions())
        env.step(env.sample())
    assert {"turn", "call", "window", "jump-in"} <= kinds


def test_values_are_probabilities_and_net_plays_highest():
    net, points = unolab.agent("net"), unolab.agent("net:goal=points")
    round = unolab.Round("classic", 2, 7)
    for _ in range(25):
        if round.is_terminal:
            break
        values = net.values(round)
        assert set(values) == set(round.legal_actions())
        assert all(0 < value < 1 for value in values.values())
        if len(values) > 1:
            assert net.act(round) == max(values, key=values.get)
        assert max(abs(value) for value in points.values(round).values()) > 1 or len(values) == 1
        round.apply(net.act(round))
    with pytest.raises(ValueError, match="greedy has none; allowed: net"):
        unolab.agent("greedy").values(round)


def test_weights_match_documented_shape():
    weights = unolab.agent("net").weights("classic", 2)
    assert weights["first"].shape[1] == 64
    assert weights["second"].shape == (32, 64)
    assert weights["third"].shape == (2, 32)
    assert {weights[name].dtype for name in ("first", "second", "third")} == {np.dtype(np.int16)}
    other = unolab.agent("net").weights("disney", 4)
    assert not np.array_equal(weights["first"], other["first"])
    with pytest.raises(ValueError, match="mixbot has none; allowed: net"):
        unolab.agent("mixbot").weights()


@pytest.mark.parametrize(
    ("use", "names"),
    [
        (lambda: unolab.agent("gredy"), "did you mean `greedy`"),
        (lambda: unolab.agent(3), "agent: 3; needed: a text"),
        (lambda: unolab.agent("cmd:true"), "allowed: built-in agents"),
        (lambda: unolab.agent("net").act(3), "position: 3; needed: a Round, a VecEnv, or a Gymnasium environment"),
    ],
)
def test_invalid_agent_or_position_is_rejected(use, names):
    with pytest.raises((ValueError, TypeError), match=names):
        use()


def test_threads_share_an_agent():
    agent, positions = unolab.agent("random"), [unolab.Round(seed=seed) for seed in range(2)]
    with ThreadPoolExecutor(2) as pool:
        chosen = list(pool.map(agent.act, positions * 200))
    assert all(id in positions[number % 2].legal_actions() for number, id in enumerate(chosen))


# --- policies as opponents ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("autoreset", ["same_step", "next_step"])
@pytest.mark.parametrize("options", [{}, {"unit": "match"}, {"max_decisions": 9}, {"overrides": EXPLICIT}])
def test_policy_plays_like_copied_agent(autoreset, options):
    options = {"seed": 5, "autoreset": autoreset, "voluntary_draw": True, **options}
    policy = First()
    ours = unolab.VecEnv("classic", 3, 24, opponents=[policy], **options)
    both = unolab.VecEnv("classic", 3, 24, opponents=[policy, "first-legal"], **options)
    rust = unolab.VecEnv("classic", 3, 24, opponents=["first-legal"], **options)
    envs = (ours, both, rust)
    for env in envs:
        env.reset()
    for step in range(120):
        actions = rust.sample(step)
        obs, rewards, terminated, truncated, info = rust.step(actions)
        for env in (ours, both):
            found = env.step(actions)
            for expected, array in zip((obs, rewards, terminated, truncated), found[:4], strict=True):
                assert np.array_equal(expected, array)
            for name, array in info.items():
                assert np.array_equal(array, found[4][name]), name
    assert policy.calls > 100


def test_each_game_draws_listed_opponent():
    first, second = First(), First()
    second.name = "second"
    env = unolab.VecEnv("classic", 2, 64, seed=1, opponents=[[first, second, "greedy", unolab.agent("net")]])
    again = unolab.VecEnv("classic", 2, 64, seed=1, opponents=[[First(), First(), "greedy", "net"]])
    for each in (env, again):
        each.reset()
    for step in range(80):
        actions = env.sample(step)
        a, b = env.step(actions), again.step(actions)
        assert np.array_equal(a[0], b[0])
    assert first.calls > 10
    assert second.calls > 10
    assert env.spec["options"]["opponents"] == [[{"policy": "first"}, {"policy": "second"}, "greedy", "net"]]


class Wrong(unolab.Policy):
    """Returns legal actions for some calls, and then fails."""

    name = "wrong"

    def __init__(self, answer):
        self.answer, self.calls = answer, 0

    def act(self, obs, action_mask, info):
        self.calls += 1
        return info["legal"][:, 0] if self.calls < 4 else self.answer(len(obs))


@pytest.mark.parametrize(
    ("answer", "names"),
    [
        (lambda rows: np.full(rows, -1), "'wrong' returned the action -1; legal: "),
        (lambda rows: np.zeros(rows), "'wrong' returned float64"),
        (lambda rows: np.zeros(rows + 1, int), "needed: integers of shape"),
    ],
)
def test_wrong_opponent_answer_is_named_and_reset_continues(answer, names):
    env = unolab.VecEnv("classic", 2, 8, opponents=[Wrong(answer)])
    with pytest.raises((ValueError, TypeError), match=names):
        env.reset()
        for _ in range(20):
            env.step(env.sample())
    for use in (lambda: env.step(np.zeros(8, int)), env.sample):
        with pytest.raises(RuntimeError, match=r"a policy raised an exception.*needed: reset"):
            use()


class Inner(unolab.Policy):
    """Uses the environment that waits for its answer."""

    name = "inner"

    def act(self, obs, action_mask, info):
        assert len(self.env.sample()) == self.env.num_envs
        for use in (self.env.reset, self.env.close, lambda: self.env.step(self.env.sample()), lambda: self.env.restore({})):
            with pytest.raises(RuntimeError, match="a policy is choosing"):
                use()
        assert unolab.agent("greedy").act(self.env).shape == (self.env.num_envs,)
        return info["legal"][:, 0]


def test_policy_reads_environment_without_changing_it():
    policy = Inner()
    policy.env = unolab.VecEnv("classic", 2, 4, opponents=[policy])
    policy.env.reset()
    for _ in range(5):
        policy.env.step(policy.env.sample())


@pytest.mark.parametrize("opponents", [[First], [3], [[]], [object()]])
def test_invalid_opponent_is_rejected(opponents):
    with pytest.raises((TypeError, ValueError), match="opponents: "):
        unolab.VecEnv("classic", 2, 1, opponents=opponents)


def test_too_many_opponents_are_rejected():
    with pytest.raises(ValueError, match="2 players for 1 other seat; allowed: 1$"):
        unolab.VecEnv("classic", 2, 1, opponents=["greedy", "greedy"])


def test_two_threads_in_one_environment_are_rejected():
    env = unolab.VecEnv("classic", 2, 1)
    env.reset()
    actions, state = env.sample(), env.state()
    taken, done = threading.Event(), threading.Event()

    def take():
        with env._lock:
            taken.set()
            done.wait()

    thread = threading.Thread(target=take)
    thread.start()
    taken.wait()
    try:
        for use in (lambda: env.step(actions), env.reset, env.sample, env.state, lambda: env.restore(state), lambda: env.round(0)):
            with pytest.raises(RuntimeError, match="another thread"):
                use()
    finally:
        done.set()
        thread.join()
    env.step(actions)


# --- self-play ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", EDITIONS)
def test_self_play_gives_each_seat_decisions_and_reward(variant):
    found = list(unolab.self_play(First(), 11, variant=variant, seats=3, num_envs=4, seed=2, full=True, reward="zero_sum"))
    assert len(found) == 33
    assert sorted({each.game for each in found}) == list(range(11))
    spec = unolab.VecEnv(variant, 3, 1).spec
    for game in range(11):
        seats = [each for each in found if each.game == game]
        assert [each.seat for each in seats] == [0, 1, 2]
        assert sum(each.reward for each in seats) == pytest.approx(0, abs=1e-6)
        assert sum(len(each) for each in seats) > 3
        for each in seats:
            assert each.terminated
            assert (each.action_mask[np.arange(len(each)), each.actions] == 1).all()
            assert all(unolab.decode(row, spec)["seat"] == each.seat for row in each.obs)
            assert np.array_equal(each.full_obs[:, 0], each.obs)
            last = unolab.decode(each.final_obs, spec)
            assert (last["seat"], last["decision"]) == (each.seat, None)


class Drawn(unolab.Policy):
    """A random policy, as the documentation describes it."""

    name = "drawn"

    def act(self, obs, action_mask, info):
        assert (info["variant"], info["seats"]) == ("classic", 2)
        assert info["rules_hash"]
        place = info["seed"] % info["num_legal"].astype(np.uint64)
        return info["legal"][np.arange(len(obs)), place.astype(int)]


def test_self_play_of_agent_has_its_trajectories():
    found = list(unolab.self_play(unolab.agent("greedy"), 6, num_envs=4, seed=2))
    assert len(found) == 12 and sum(map(len, found)) > 60
    for each in found:
        assert each.action_mask[np.arange(len(each)), each.actions].all()
    again = list(unolab.self_play(unolab.agent("greedy"), 6, num_envs=4, seed=2))
    assert [each.actions.tolist() for each in again] == [each.actions.tolist() for each in found]
    other = list(unolab.self_play(unolab.agent("random"), 6, num_envs=4, seed=2))
    assert [each.actions.tolist() for each in other] != [each.actions.tolist() for each in found]


def test_self_play_gives_policies_the_documented_info():
    first, again = ([each.actions.tolist() for each in unolab.self_play(Drawn(), 3, seed=4)] for _ in range(2))
    assert first == again


@pytest.mark.parametrize(
    ("play", "names"),
    [
        (lambda: unolab.self_play(3, 1), "policy: 3; needed: an object with act"),
        (lambda: unolab.self_play(First, 1), "policy: .* is a class; needed: an object of it, such as First"),
        (lambda: unolab.self_play(First(), 1, num_envs="a"), "num_envs: 'a'; needed: a whole number"),
        (lambda: unolab.self_play(Wrong(lambda rows: np.zeros(rows)), 9), "policy: 'wrong' returned float64"),
        (lambda: unolab.self_play(Wrong(lambda rows: ["41"] * rows), 9), "policy: 'wrong' returned <U2"),
        (lambda: unolab.self_play(Wrong(lambda rows: None), 9), "policy: 'wrong' returned object"),
        (lambda: unolab.self_play(Wrong(lambda rows: np.zeros(rows + 1, int)), 9), "needed: integers of shape"),
    ],
)
def test_invalid_self_play_is_rejected(play, names):
    with pytest.raises((TypeError, ValueError), match=names):
        list(play())


def test_illegal_action_in_self_play_is_named():
    with pytest.raises(unolab.IllegalAction):
        list(unolab.self_play(Wrong(lambda rows: np.full(rows, -1)), 9))
