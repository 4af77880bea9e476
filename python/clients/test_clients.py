"""Programs in the style of the tutorials of other libraries. `clients.sh` runs them, because several libraries need PyTorch."""

from __future__ import annotations

import numpy as np
import pytest

import unolab


# --- Stable-Baselines3 --------------------------------------------------------------------------------------------------


def test_sb3_makes_vectors_and_learns_with_masks():
    pytest.importorskip("sb3_contrib")
    from sb3_contrib import MaskablePPO
    from stable_baselines3.common.env_util import make_vec_env

    env = make_vec_env("unolab/Classic-v0", n_envs=4, env_kwargs={"opponents": ["greedy"]})
    assert len({row.tobytes() for row in env.reset()}) == 4
    assert env.render().shape[2] == 3
    model = MaskablePPO("MlpPolicy", env, n_steps=32, batch_size=32).learn(256)
    assert model.num_timesteps >= 256


def test_sb3_vector_environment_learns_and_reports_episodes():
    pytest.importorskip("sb3_contrib")
    from sb3_contrib import MaskablePPO
    from stable_baselines3.common.vec_env import VecMonitor

    env = VecMonitor(unolab.sb3.VecEnv("classic", num_envs=16, opponents=["greedy"], seed=1, max_decisions=60))
    model = MaskablePPO("MlpPolicy", env, n_steps=64, batch_size=256).learn(4096)
    assert len(model.ep_info_buffer) > 20
    rewards = [episode["r"] for episode in model.ep_info_buffer]
    assert set(rewards) <= {0.0, 0.5, 1.0}


def test_sb3_vector_environment_checks_opponents():
    pytest.importorskip("stable_baselines3")
    for wrong, error in ((None, TypeError), ([], ValueError), ("greedy", TypeError)):
        with pytest.raises(error, match="opponents"):
            unolab.sb3.VecEnv("classic", seats=2, opponents=wrong)
    assert unolab.sb3.VecEnv("classic", opponents=iter(["greedy", "random"])).reset().shape == (1, 384)


# --- PettingZoo ---------------------------------------------------------------------------------------------------------


def test_tianshou_collects_from_pettingzoo():
    pytest.importorskip("tianshou")
    from tianshou.algorithm.multiagent.marl import MultiAgentOffPolicyAlgorithm
    from tianshou.algorithm.random import MARLRandomDiscreteMaskedOffPolicyAlgorithm
    from tianshou.data import Collector
    from tianshou.env import DummyVectorEnv
    from tianshou.env.pettingzoo_env import PettingZooEnv

    def make():
        return PettingZooEnv(unolab.pettingzoo.env("classic", 2))

    env = make()
    players = [MARLRandomDiscreteMaskedOffPolicyAlgorithm(action_space=env.action_space) for _ in range(2)]
    algorithm = MultiAgentOffPolicyAlgorithm(algorithms=players, env=env)
    collector = Collector(algorithm, DummyVectorEnv([make] * 4))
    found = collector.collect(n_episode=8, reset_before_collect=True)
    assert found.n_collected_episodes >= 8


def test_supersuit_wraps_pettingzoo():
    supersuit = pytest.importorskip("supersuit")
    env = supersuit.clip_reward_v0(unolab.pettingzoo.env("classic", 2))
    env.reset(seed=1)
    rng = np.random.default_rng(1)
    total = 0.0
    for _ in env.agent_iter():
        obs, reward, terminated, truncated, _ = env.last()
        total += reward
        env.step(None if terminated or truncated else int(rng.choice(np.flatnonzero(obs["action_mask"]))))
    assert total == pytest.approx(1.0)


def test_rllib_plays_pettingzoo():
    wrappers = pytest.importorskip("ray.rllib.env.wrappers.pettingzoo_env")
    env = wrappers.PettingZooEnv(unolab.pettingzoo.env("classic", 2))
    obs, _ = env.reset(seed=1)
    rng = np.random.default_rng(1)
    total, over = 0.0, {"__all__": False}
    while not over["__all__"]:
        (agent, seen), = obs.items()
        assert env.get_observation_space(agent).contains(seen)
        action = int(rng.choice(np.flatnonzero(seen["action_mask"])))
        obs, rewards, over, _, _ = env.step({agent: action})
        total += sum(rewards.values())
    assert total == pytest.approx(1.0)


# --- OpenSpiel ----------------------------------------------------------------------------------------------------------


def load(**parameters):
    pyspiel = pytest.importorskip("pyspiel")
    unolab.openspiel.register()
    text = ",".join(f"{name}={value}" for name, value in parameters.items())
    return pyspiel.load_game(f"python_unolab({text})")


def test_openspiel_ismcts_searches_states_that_its_player_cannot_distinguish():
    game = load(variant="classic", players=2)
    from open_spiel.python.algorithms import ismcts, mcts

    rng = np.random.RandomState(3)
    evaluator = mcts.RandomRolloutEvaluator(n_rollouts=1, random_state=rng)
    bot = ismcts.ISMCTSBot(game, evaluator, uct_c=2.0, max_simulations=20, random_state=rng)
    state = game.new_initial_state()
    state.apply_action(5)
    for _ in range(12):
        if state.is_terminal():
            break
        player = state.current_player()
        sample = state.resample_from_infostate(player, rng.random_sample)
        assert sample.information_state_string(player) == state.information_state_string(player)
        assert sample.legal_actions() == state.legal_actions()
        action = bot.step(state)
        assert action in state.legal_actions()
        state.apply_action(action)


def test_openspiel_deep_cfr_is_rejected_without_tensor():
    game = load(variant="classic", players=2)
    deep_cfr = pytest.importorskip("open_spiel.python.pytorch.deep_cfr")
    with pytest.raises(NotImplementedError, match="observation_tensor"):
        deep_cfr.DeepCFRSolver(game, num_iterations=1, num_traversals=1)


# --- RLCard -------------------------------------------------------------------------------------------------------------


def test_rlcard_dqn_trains():
    pytest.importorskip("torch")
    import rlcard
    from rlcard.agents import DQNAgent, RandomAgent
    from rlcard.utils import reorganize

    assert unolab.rlcard.make  # registers the environment with `rlcard.make`
    env = rlcard.make("unolab", config={"seed": 3})
    learner = DQNAgent(
        num_actions=env.num_actions, state_shape=env.state_shape[0], mlp_layers=[32], replay_memory_init_size=64
    )
    env.set_agents([learner, RandomAgent(num_actions=env.num_actions)])
    for _ in range(6):
        trajectories, payoffs = env.run(is_training=True)
        for transition in reorganize(trajectories, payoffs)[0]:
            learner.feed(transition)
    assert learner.total_t > 0
