"""The adapters, checked with the official tests of their libraries."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
import unittest
import warnings
from pathlib import Path

import numpy as np
import pytest
from conftest import EDITIONS, EXPLICIT, most_seats

import unolab
from unolab._gymnasium_ids import IDS

TABLES = [(variant, seats) for variant in EDITIONS for seats in (2, most_seats(variant))]


def test_adapters_are_imported_on_first_use():
    code = """
import sys, unolab
assert not {"gymnasium", "pettingzoo", "pyspiel", "rlcard", "ray", "pandas"} & set(sys.modules), sys.modules.keys()
assert unolab.pettingzoo.env and unolab.gymnasium.VectorEnv and unolab.openspiel.register and unolab.rlcard.make
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_adapter_without_library_is_not_an_attribute():
    code = """
import inspect, sys
sys.modules["gymnasium"] = None  # as if it were not installed
import unolab
assert not hasattr(unolab, "gymnasium") and inspect.getmembers(unolab)
try:
    unolab.gymnasium
except AttributeError as error:
    assert "needs gymnasium" in str(error), error
"""
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("order", ["unolab, gymnasium", "gymnasium, unolab"])
def test_gymnasium_ids_are_registered_in_any_import_order(order):
    code = f"import {order}; gymnasium.make('unolab/Disney-v0')"
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("file", ["", "gymnasium/notes.txt", "gymnasium/__init__.py"])
def test_foreign_gymnasium_module_is_ignored(file, tmp_path):
    if file:
        (tmp_path / file).parent.mkdir()
        (tmp_path / file).touch()
    code = f"""
import sys
sys.path = [{str(tmp_path)!r}, *(path for path in sys.path if "site-packages" not in path), {str(tmp_path / "packages")!r}]
import unolab
try:
    import gymnasium
except ImportError:
    assert not {file!r}
"""
    (tmp_path / "packages").mkdir()
    for package in (unolab, np):
        directory = Path(package.__file__).parent
        for each in directory.parent.glob(f"{directory.name}*"):
            (tmp_path / "packages" / each.name).symlink_to(each)
    subprocess.run([sys.executable, "-c", code], check=True)


# --- PettingZoo ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("variant", "seats"), TABLES)
def test_pettingzoo_api(variant, seats):
    from pettingzoo.test import api_test

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the observation is a dict
        api_test(unolab.pettingzoo.env(variant=variant, seats=seats, render_mode="ansi"), num_cycles=300)


@pytest.mark.parametrize("variant", EDITIONS)
def test_pettingzoo_seeds(variant):
    from pettingzoo.test import seed_test

    seed_test(lambda: unolab.pettingzoo.env(variant=variant, seats=2), num_cycles=150)


def test_pettingzoo_renders_and_pickles():
    env = unolab.pettingzoo.env(variant="disney", seats=3, overrides=EXPLICIT, voluntary_draw=True, render_mode="ansi")
    env.reset(seed=4)
    assert "r" in env.render()
    again = pickle.loads(pickle.dumps(env))
    assert again.render() == env.render()
    mask = env.observe(env.agent_selection)["action_mask"]
    assert mask.dtype == np.int8
    with pytest.raises(unolab.IllegalAction):
        env.step(int(np.flatnonzero(mask == 0)[0]))
    assert again.render() == env.render()
    picture = unolab.pettingzoo.env(seats=3, render_mode="rgb_array")
    picture.reset(seed=1)
    assert picture.render().dtype == np.uint8
    assert picture.render().shape[2] == 3
    with pytest.raises(ValueError, match="ansi"):
        unolab.pettingzoo.env(render_mode="svg")


def test_pettingzoo_text_lists_all_hands():
    env = unolab.pettingzoo.env(variant="disney", seats=3, render_mode="ansi")
    env.reset(seed=4)
    lines = env.render().splitlines()
    assert len(lines) == 4
    for seat, line in enumerate(lines[1:]):
        hand = env.unwrapped._round.observation(seat)["hand"]
        assert f"seat {seat}: {' '.join(hand)}" in line


def test_pettingzoo_accepts_only_integers_after_reset():
    env = unolab.pettingzoo.env(seats=2)
    for use in (env.last, lambda: env.step(0)):
        with pytest.raises(RuntimeError, match="reset"):
            use()
    env.reset(seed=1)
    legal = np.flatnonzero(env.last()[0]["action_mask"])
    for wrong in (float(legal[0]), "draw"):
        with pytest.raises(TypeError, match="action: "):
            env.step(wrong)
    with pytest.raises(unolab.IllegalAction):
        env.step(2**70)
    env.step(legal[0])


def test_pettingzoo_seed_deals_round_of_that_seed():
    env = unolab.pettingzoo.env("disney", 3)
    env.reset(seed=5)
    round = unolab.Round("disney", 3, 5, voluntary_draw=False)
    assert env.agent_selection == f"seat_{round.current_seat}"
    first = env.observe("seat_0")["observation"]
    assert np.array_equal(first, round.tensor(0))
    env.reset()
    second = env.observe("seat_0")["observation"]
    env.reset(seed=5)
    assert np.array_equal(env.observe("seat_0")["observation"], first)
    env.reset()
    assert np.array_equal(env.observe("seat_0")["observation"], second)
    assert not np.array_equal(first, second)


# --- Gymnasium ----------------------------------------------------------------------------------------------------------


def test_action_space_samples_same_numbers_as_discrete():
    import gymnasium

    own = unolab.gymnasium.Env(opponents=["greedy"]).action_space
    other = gymnasium.spaces.Discrete(own.n)
    assert own == other and other == own
    own.seed(3)
    other.seed(3)
    rng = np.random.default_rng(3)
    masks = [(rng.random(own.n) < share).astype(np.int8) for share in np.linspace(0, 1, 200)]
    for mask in [None, *masks]:
        found, expected = own.sample(mask), other.sample(mask)
        assert found == expected and type(found) is type(expected)
    for wrong in (np.full(own.n, 2, np.int8), np.zeros(own.n + 1, np.int8), np.ones(own.n, bool)):
        with pytest.raises(AssertionError, match="mask"):
            own.sample(wrong)


def test_gymnasium_makes_environment_without_wrappers():
    import gymnasium

    env = gymnasium.make("unolab/Classic-v0", opponents=["greedy"])
    assert type(env) is unolab.gymnasium.Env
    with pytest.raises(RuntimeError, match="reset"):
        env.step(0)


def test_gymnasium_has_id_for_every_edition():
    assert list(IDS.values()) == EDITIONS
    assert IDS["unolab/WimpyKid-v0"] == "wimpy-kid"


@pytest.mark.parametrize("name", IDS)
@pytest.mark.parametrize("opponents", [["random"], ["greedy", "heuristic", "random"]])
def test_gymnasium_check_env(name, opponents):
    import gymnasium
    from gymnasium.utils.env_checker import check_env

    env = gymnasium.make(name, opponents=opponents)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # observations are bytes, not numbers around zero
        check_env(env.unwrapped, skip_render_check=True)
    env.close()


def test_gymnasium_environments_without_seed_deal_different_games():
    import gymnasium

    def make():
        return gymnasium.make("unolab/Classic-v0", opponents=["greedy"])

    vector = gymnasium.vector.SyncVectorEnv([make] * 8)
    rows = {row.tobytes() for row in vector.reset()[0]}
    vectors = [unolab.gymnasium.VectorEnv("classic", 2, opponents=["greedy"]).reset()[0] for _ in range(2)]
    assert len(rows) == 8
    assert not np.array_equal(*vectors)
    seeded = [make().reset(seed=5)[0] for _ in range(2)]
    assert np.array_equal(*seeded)


def test_gymnasium_action_masks_match_legal_actions():
    import gymnasium

    env = gymnasium.make("unolab/Classic-v0", opponents=["greedy"])
    _, info = env.reset(seed=1)
    for _ in range(30):
        masks = env.unwrapped.action_masks()
        assert masks.dtype == np.bool_
        assert np.array_equal(masks, info["action_mask"].astype(bool))
        _, _, terminated, _, info = env.step(int(np.flatnonzero(masks)[-1]))
        if terminated:
            _, info = env.reset()


@pytest.mark.parametrize("mode", [None, "ansi", "rgb_array"])
def test_gymnasium_renders_view_of_learner(mode):
    import gymnasium

    env = gymnasium.make("unolab/Disney-v0", opponents=["greedy", "greedy"], render_mode=mode)
    obs, _ = env.reset(seed=3)
    seen = unolab.decode(obs, env.unwrapped._env.spec)
    shown = env.unwrapped.render()
    if mode is None:
        assert shown is None
    elif mode == "ansi":
        assert " ".join(seen["hand"]) in shown
        assert f"{seen['hand_sizes'][(seen['seat'] + 1) % 3]} cards" in shown
    else:
        assert shown.shape[2] == 3
        assert shown.dtype == np.uint8
        assert len(np.unique(shown.reshape(-1, 3), axis=0)) > 4


@pytest.mark.parametrize("name", ["Env", "VectorEnv"])
def test_gymnasium_environments_pickle_mid_game(name):
    options = {"num_envs": 3} if name == "VectorEnv" else {}
    env = getattr(unolab.gymnasium, name)(opponents=["greedy"], seed=4, **options)
    _, info = env.reset(seed=9)

    def act(mask):
        return np.atleast_2d(mask).argmax(axis=1) if name == "VectorEnv" else int(mask.argmax())

    for _ in range(5):
        _, _, _, _, info = env.step(act(info["action_mask"]))
    copies = [pickle.loads(pickle.dumps(env)), copy.deepcopy(env)]
    for _ in range(5):
        action = act(env.action_masks())
        expected = env.step(action)
        for other in copies:
            found = other.step(action)
            assert all(np.array_equal(x, y) for x, y in zip(expected[:4], found[:4], strict=True))


def test_gymnasium_requires_opponents_if_seats_are_given():
    import gymnasium

    with pytest.raises(TypeError, match="one opponent per other seat"):
        gymnasium.make("unolab/Classic-v0", seats=3)


@pytest.mark.parametrize("variant", EDITIONS)
def test_gymnasium_single_game_has_rows_of_vec_env(variant):
    env = unolab.gymnasium.Env(variant, opponents=["greedy"], seed=4)
    rows = unolab.VecEnv(variant, 2, 1, 4, opponents=["greedy"], autoreset="disabled")
    rng = np.random.default_rng(1)
    (seen, info), (obs, rows_info) = env.reset(), rows.reset()
    for _ in range(200):
        assert np.array_equal(seen, obs[0]) and np.array_equal(info["action_mask"], rows_info["action_mask"][0])
        assert np.array_equal(env.action_masks(), info["action_mask"].astype(bool))
        action = rng.choice(np.flatnonzero(info["action_mask"]))
        seen[:] = info["action_mask"][:] = 0  # the arrays belong to the caller
        seen, reward, terminated, truncated, info = env.step(action)
        obs, _, ended, _, rows_info = rows.step([action])
        assert (reward, terminated, truncated) == (rows_info["learner_reward"][0], ended[0], False)
        if terminated:
            (seen, info), (obs, rows_info) = env.reset(), rows.reset()


@pytest.mark.parametrize("action", [-1, 10**6, 2**70])
def test_gymnasium_action_that_does_not_exist_is_illegal(action):
    losing, raising = (unolab.gymnasium.Env(opponents=["greedy"], seed=1, illegal=illegal) for illegal in ("lose", "raise"))
    losing.reset()
    raising.reset()
    _, reward, terminated, _, info = losing.step(action)
    assert reward == -1 and terminated and losing.action_masks().all() and info["action_mask"].all()
    with pytest.raises(unolab.IllegalAction, match=str(action)):
        raising.step(action)
    with pytest.raises(TypeError, match="integers"):
        raising.step(0.5)
    legal = np.flatnonzero(raising.action_masks())[:1]
    assert raising.step(legal)[1] >= 0, "an array of one action is an action"
    raising.close()
    with pytest.raises(RuntimeError, match="closed"):
        raising.step(0)


@pytest.mark.parametrize("use", ["action_masks", "render"])
def test_gymnasium_vector_rejects_use_after_close(use):
    env = unolab.gymnasium.VectorEnv("classic", 2, opponents=["greedy"], render_mode="ansi")
    env.reset()
    env.close()
    with pytest.raises(RuntimeError, match="the environment is closed"):
        getattr(env, use)()


def test_pettingzoo_iteration_ends_after_max_iter():
    env = unolab.pettingzoo.env("classic", 2)
    env.reset(seed=1)
    assert len(list(env.agent_iter(3))) == 3


def test_gymnasium_illegal_action_loses_or_raises():
    import gymnasium

    for illegal in ("lose", "raise"):
        env = gymnasium.make("unolab/Classic-v0", opponents=["random"], illegal=illegal)
        _, info = env.reset(seed=1)
        assert info["action_mask"].dtype == np.int8
        wrong = int(np.flatnonzero(info["action_mask"] == 0)[0])
        if illegal == "raise":
            with pytest.raises(unolab.IllegalAction):
                env.step(wrong)
        else:
            _, reward, terminated, truncated, _ = env.step(wrong)
            assert (reward, terminated, truncated) == (-1.0, True, False)


@pytest.mark.parametrize("name", ["Env", "VectorEnv"])
def test_gymnasium_invalid_options_are_rejected(name):
    make = getattr(unolab.gymnasium, name)
    for wrong in ({"opponents": []}, {"outputs": "ids"}, {"illegal": "win"}, {"render_mode": "human"}):
        with pytest.raises(ValueError, match=f"{next(iter(wrong))}: .*"):
            make(**wrong)
    for wrong in ("heuristic", None):
        with pytest.raises(TypeError, match="opponents"):
            make(opponents=wrong)
    if name == "Env":
        with pytest.raises(TypeError, match="autoreset: a single environment"):
            make(autoreset="next_step")


def test_gymnasium_single_seed_covers_all_games():
    env = unolab.gymnasium.VectorEnv("classic", 2)
    with pytest.raises(TypeError, match="seed"):
        env.reset(seed=[7, 8])
    obs, _ = env.reset(seed=7)
    assert not np.array_equal(obs[0], obs[1])


@pytest.mark.parametrize("mode", ["same_step", "next_step", "disabled"])
def test_gymnasium_vector_autoreset(mode):
    env = unolab.gymnasium.VectorEnv("classic", 12, opponents=["greedy"], autoreset=mode)
    assert env.metadata["autoreset_mode"].name.lower() == mode
    obs, info = env.reset(seed=5)
    assert env.observation_space.contains(obs)
    rng = np.random.default_rng(5)
    ended_before = np.zeros(12, bool)
    endings, returns = 0, 0.0
    for _ in range(300):
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in info["action_mask"]])
        obs, rewards, terminated, truncated, info = env.step(actions)
        ended = terminated | truncated
        if mode == "same_step":
            assert ("final_obs" in info) == bool(ended.any())
            if ended.any():
                assert (info["_final_obs"] == ended).all()
                assert all(info["final_obs"][i].shape == (obs.shape[1],) for i in np.flatnonzero(ended))
                # The way in which gymnasium.vector.SyncVectorEnv combines single games.
                assert (info["final_info"]["_action_mask"] == ended).all()
                assert (info["final_info"]["action_mask"].all(axis=1) == ended).all()
        if mode == "next_step":
            assert not (ended & ended_before).any()
        if mode == "disabled" and ended.any():
            obs, info = env.reset(options={"reset_mask": ended})
        endings, returns = endings + int(ended.sum()), returns + float(rewards.sum())
        ended_before = ended
    assert endings > 30
    assert 0 < returns < endings
    env.close()


def test_gymnasium_makes_vectors():
    import gymnasium

    env = gymnasium.make_vec("unolab/Disney-v0", 3, vectorization_mode="vector_entry_point", opponents=["random"])
    obs, info = env.reset(seed=1)
    assert obs.shape[0] == 3
    assert info["action_mask"].shape == (3, env.single_action_space.n)


# --- OpenSpiel ----------------------------------------------------------------------------------------------------------


def load(variant, seats, **parameters):
    import pyspiel

    unolab.openspiel.register()
    extra = "".join(f",{name}={value}" for name, value in parameters.items())
    return pyspiel.load_game(f"python_unolab(variant={variant},players={seats}{extra})")


@pytest.mark.parametrize(("variant", "seats"), TABLES)
def test_openspiel_random_simulations(variant, seats):
    import pyspiel

    pyspiel.random_sim_test(load(variant, seats), 1, serialize=True, verbose=False, mask_test=True)


@pytest.mark.parametrize("variant", EDITIONS)
def test_openspiel_states(variant):
    import pyspiel

    game = load(variant, 3, deals=64, overrides="uno.calls:explicit;house.jump_in:true")
    assert game.utility_sum() == 1.0
    assert game.max_game_length() >= 10_000
    rng = np.random.default_rng(1)
    state = game.new_initial_state()
    assert state.is_chance_node()
    outcomes = state.chance_outcomes()
    assert len(outcomes) == 64
    assert sum(probability for _, probability in outcomes) == pytest.approx(1.0)
    for wrong in (64, 99_999):
        with pytest.raises(ValueError, match="deal: .*allowed: 0 to 63"):
            state.apply_action(wrong)
    state.apply_action(int(rng.integers(64)))
    for step in range(10_000):
        if state.is_terminal():
            break
        player = state.current_player()
        if step < 60:
            sampled = state.resample_from_infostate(player, rng.random)
            assert sampled.information_state_string(player) == state.information_state_string(player)
            assert sampled.observation_tensor(player) == state.observation_tensor(player)
            assert sampled.legal_actions() == state.legal_actions()
            copy = state.clone()
            assert str(copy) == str(state)
            _, restored = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))
            assert str(restored) == str(state)
        state.apply_action(int(rng.choice(state.legal_actions())))
    assert state.is_terminal()
    assert sum(state.returns()) == pytest.approx(1.0)


@pytest.mark.parametrize("variant", EDITIONS)
def test_openspiel_integration(variant):
    """Runs OpenSpiel's own tests of the interface on positions of this game."""
    from open_spiel.integration_tests import api_test

    attributes = {"game": load(variant, 3, deals=64), "game_name": "python_unolab"}
    case = type("Unolab", (api_test.EnforceAPIOnPartialTreeBase,), attributes)
    result = unittest.TestResult()
    unittest.defaultTestLoader.loadTestsFromTestCase(case).run(result)
    assert not result.errors + result.failures, "\n".join(text for _, text in result.errors + result.failures)
    assert result.testsRun >= 5


@pytest.mark.parametrize("variant", EDITIONS)
def test_openspiel_simulations_of_games(variant):
    from open_spiel.python.tests.games_sim_test import GamesSimTest

    GamesSimTest("sim_game").sim_game(load(variant, 2, deals=64))


def test_openspiel_rl_environment():
    from open_spiel.python import rl_environment

    env = rl_environment.Environment(load("classic", 2))
    step = env.reset()
    rng = np.random.default_rng(2)
    while not step.last():
        player = step.observations["current_player"]
        step = env.step([int(rng.choice(step.observations["legal_actions"][player]))])
    assert sum(step.rewards) == pytest.approx(1.0)


def test_openspiel_information_states_have_no_tensor():
    """Deep CFR reads the number of inputs from the game: with a size of 0, it would train a network without inputs."""
    game = load("classic", 2)
    state = game.new_initial_state()
    state.apply_action(1)
    for use in (game.information_state_tensor_size, game.information_state_tensor_shape, state.information_state_tensor):
        with pytest.raises(NotImplementedError, match="observation_tensor"):
            use()


# --- RLCard -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("variant", "seats"), TABLES)
def test_rlcard_agents_play(variant, seats):
    from rlcard.agents import RandomAgent
    from rlcard.models.uno_rule_models import UNORuleAgentV1
    from rlcard.utils import reorganize

    np.random.seed(3)
    env = unolab.rlcard.make(variant, seats=seats, seed=3)
    env.set_agents([UNORuleAgentV1(), *(RandomAgent(num_actions=env.num_actions) for _ in range(seats - 1))])
    for training in (True, False):
        for _ in range(5):
            trajectories, payoffs = env.run(is_training=training)
            assert len(trajectories) == seats
            assert sorted(payoffs)[-1] in (0.0, 1.0)
            transitions = reorganize(trajectories, payoffs)
            assert transitions[0][-1][4]
    assert set(env.get_perfect_information()) >= {"hand_cards", "current_player", "legal_actions"}


def test_rlcard_makes_environment_by_name():
    import rlcard

    assert unolab.rlcard.make
    env = rlcard.make("unolab", config={"variant": "disney", "seats": 3, "seed": 5})
    again = unolab.rlcard.make("disney", seats=3, seed=5)
    assert env.num_players == 3
    assert np.array_equal(env.reset()[0]["obs"], again.reset()[0]["obs"])


def test_rlcard_rejects_overrides_as_one_text():
    with pytest.raises(TypeError, match="overrides is a list of texts"):
        unolab.rlcard.make("classic", overrides="deal.hand_size=5")
    env = unolab.rlcard.make("classic", overrides=("deal.hand_size=5",), seed=1)
    assert env.reset()[0]["raw_obs"]["num_cards"] == [5, 5]


def test_rlcard_tournament_and_step_back():
    from rlcard.agents import RandomAgent
    from rlcard.utils import tournament

    env = unolab.rlcard.make("classic", seats=2, seed=4, allow_step_back=True)
    env.set_agents([RandomAgent(num_actions=env.num_actions) for _ in range(2)])
    payoffs = tournament(env, 200)
    assert sum(payoffs) == pytest.approx(0.0, abs=1e-9)
    state, player = env.reset()
    before = str(env.game.round)
    env.step(next(iter(state["legal_actions"])))
    assert str(env.game.round) != before
    env.step_back()
    assert str(env.game.round) == before
    assert env.get_player_id() == player


class Dqn:
    """A learner with the interface of RLCard's DQN agent, without its dependencies."""

    use_raw = False

    def __init__(self, num_actions: int, size: int):
        import jax
        import jax.numpy as jnp

        def values(params, obs):
            hidden = jnp.maximum(jnp.log1p(obs) @ params[0] + params[1], 0)
            return hidden @ params[2] + params[3]

        def loss(params, obs, action, target):
            return ((jnp.take_along_axis(values(params, obs), action[:, None], 1)[:, 0] - target) ** 2).mean()

        def train(params, aim, obs, action, reward, after, mask, done):
            best = jnp.where(mask, values(aim, after), -9.0).max(1)
            slopes = jax.grad(loss)(params, obs, action, jnp.where(done, reward, best))
            return [p - 0.05 * g for p, g in zip(params, slopes, strict=True)]

        self.rng = np.random.default_rng(1)
        scales = ((size, 64, 0.05), (64,), (64, num_actions, 0.05), (num_actions,))
        self.params = [self.rng.normal(0, s[2], s[:2]) if len(s) == 3 else np.zeros(s) for s in scales]
        self.params = self.aim = [jnp.asarray(p, jnp.float32) for p in self.params]
        self.values, self.train = jax.jit(values), jax.jit(train)
        self.memory, self.num_actions, self.fed = [], num_actions, 0

    def step(self, state):
        legal = list(state["legal_actions"])
        return int(self.rng.choice(legal)) if self.rng.random() < 0.2 else self.eval_step(state)[0]

    def eval_step(self, state):
        legal = list(state["legal_actions"])
        found = np.asarray(self.values(self.params, state["obs"][None].astype(np.float32)))[0]
        return legal[int(found[legal].argmax())], {}

    def feed(self, transition):
        state, action, reward, after, done = transition
        mask = np.zeros(self.num_actions, bool)
        mask[list(after["legal_actions"])] = True
        mask |= not mask.any()
        self.memory.append((state["obs"].astype(np.float32), action, reward, after["obs"].astype(np.float32), mask, done))
        self.fed += 1
        if self.fed % 4 == 0 and self.fed > 500:
            rows = [self.memory[i] for i in self.rng.integers(0, len(self.memory), 64)]
            self.params = self.train(self.params, self.aim, *map(np.array, zip(*rows, strict=True)))
        if self.fed % 1000 == 0:
            self.aim = self.params


@pytest.mark.long
def test_rlcard_learner_improves():
    pytest.importorskip("jax", reason="jax is installed for the long tests")
    from rlcard.agents import RandomAgent
    from rlcard.utils import reorganize, tournament

    np.random.seed(7)
    env = unolab.rlcard.make("classic", seats=2, seed=7)
    learner = Dqn(env.num_actions, env.state_shape[0][0])
    env.set_agents([learner, RandomAgent(num_actions=env.num_actions)])
    before = tournament(env, 500)[0]
    for _ in range(2000):
        trajectories, payoffs = env.run(is_training=True)
        for transition in reorganize(trajectories, payoffs)[0]:
            learner.feed(transition)
    after = tournament(env, 1000)[0]
    assert after > max(before, 0.0) + 0.08, (before, after)
