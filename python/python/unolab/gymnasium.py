"""Gymnasium environments: the learner in one seat, built-in agents in the others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode
from gymnasium.vector import VectorEnv as GymnasiumVectorEnv

from . import _check
from ._vec_env import VecEnv

__all__ = ["Env", "VectorEnv"]

Array = npt.NDArray[Any]
Illegal = Literal["lose", "raise"]

_MODES = {"same_step": AutoresetMode.SAME_STEP, "next_step": AutoresetMode.NEXT_STEP, "disabled": AutoresetMode.DISABLED}


def _loses(illegal: str) -> bool:
    """Whether an illegal action loses."""
    return _check.one_of("illegal", illegal, ("lose", "raise")) == "lose"


def _games(
    variant: str, num_envs: int, seed: int, opponents: Sequence[str], render_mode: str | None, options: dict[str, Any]
) -> VecEnv:
    """The games, with one seat more than there are opponents."""
    if render_mode is not None:
        raise ValueError(f"render_mode: {render_mode!r}; allowed: None")
    if options.get("outputs", "all") != "all":
        raise ValueError(f"outputs: {options['outputs']!r}; allowed: 'all', because observations and masks are returned")
    others = _check.not_empty("opponents", _check.texts("opponents", opponents))
    return VecEnv(variant, 1 + len(others), num_envs, seed, opponents=others, **options)


class VectorEnv(GymnasiumVectorEnv[Array, Array, Array]):
    """Many games at once: the learner in one seat, which rotates, built-in agents in the others.

    Args:
        variant: the name of an edition or the path of a variant file.
        num_envs: the number of games at once.
        opponents: the agents in the other seats; the number of seats is one more than the number of opponents.
        illegal: the effect of an illegal action: `"lose"` ends the game with the reward -1, `"raise"` raises
            `IllegalAction`.
        autoreset: `"same_step"`, `"next_step"` or `"disabled"`, as Gymnasium defines them.
        **options: those of `unolab.VecEnv`.

    `info["action_mask"]` (int8) marks the legal actions. Arrays are copies.
    """

    def __init__(
        self,
        variant: str = "classic",
        num_envs: int = 1,
        *,
        opponents: Sequence[str] = ("random",),
        illegal: Illegal = "lose",
        autoreset: Literal["same_step", "next_step", "disabled"] = "next_step",
        seed: int = 1,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        self._loses = _loses(illegal)
        self._env = _games(variant, num_envs, seed, opponents, render_mode, {**options, "autoreset": autoreset})
        self.num_envs = num_envs = self._env.num_envs
        self.metadata = {"autoreset_mode": _MODES[autoreset], "render_modes": []}
        self.render_mode = None
        self.single_observation_space = gymnasium.spaces.Box(0, 255, (self._env.obs_size,), np.uint8)
        self.single_action_space = gymnasium.spaces.Discrete(self._env.num_actions)
        self.observation_space = gymnasium.vector.utils.batch_space(self.single_observation_space, num_envs)
        self.action_space = gymnasium.vector.utils.batch_space(self.single_action_space, num_envs)

    @property
    def action_names(self) -> list[str]:
        """Every action in the notation, by its id."""
        return self._env.action_names

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Array, dict[str, Any]]:
        """Begins new games: all, or those in `options["reset_mask"]`. One seed covers all of them; the deals differ."""
        if seed is not None:
            seed = _check.natural("seed", seed)
            self._np_random, self._np_random_seed = gymnasium.utils.seeding.np_random(seed)
        obs, info = self._env.reset(seed=seed, options=options)
        return obs.copy(), self._info(info, None)

    def step(self, actions: npt.ArrayLike) -> tuple[Array, Array, Array, Array, dict[str, Any]]:
        """Plays one action of the learner in every game, then the opponents until it is the learner's turn again."""
        obs, _, terminated, truncated, info = self._env._step(actions, loses=self._loses)
        rewards = info["learner_reward"].astype(np.float64)
        return obs.copy(), rewards, terminated.copy(), truncated.copy(), self._info(info, terminated | truncated)

    def _info(self, info: dict[str, Array], ended: Array | None) -> dict[str, Any]:
        shown: dict[str, Any] = {
            "action_mask": info["action_mask"].astype(np.int8),
            "_action_mask": np.ones(self.num_envs, np.bool_),
        }
        if "final_obs" in info and ended is not None and ended.any():
            final = np.empty(self.num_envs, object)
            for env in np.flatnonzero(ended):
                final[env] = info["final_obs"][env].copy()
            shown["final_obs"], shown["_final_obs"] = final, ended.copy()
            mask = np.zeros_like(shown["action_mask"])
            mask[ended] = 1  # in ended games every action is ignored
            shown["final_info"] = {"action_mask": mask, "_action_mask": ended.copy()}
            shown["_final_info"] = ended.copy()
        return shown

    def close_extras(self, **kwargs: Any) -> None:
        """Releases the games."""
        self._env.close()


class Env(gymnasium.Env[Array, Any]):
    """One game: the learner in one seat, which rotates, built-in agents in the others.

    `info["action_mask"]` (int8) marks the legal actions. Arguments as in `VectorEnv`.
    """

    metadata = {"render_modes": []}

    def __init__(
        self,
        variant: str = "classic",
        *,
        opponents: Sequence[str] = ("random",),
        illegal: Illegal = "lose",
        seed: int = 1,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        self._loses = _loses(illegal)
        self.render_mode = None
        self._env = _games(variant, 1, seed, opponents, render_mode, {**options, "autoreset": "disabled"})
        self.observation_space = gymnasium.spaces.Box(0, 255, (self._env.obs_size,), np.uint8)
        self.action_space = gymnasium.spaces.Discrete(self._env.num_actions)

    @property
    def action_names(self) -> list[str]:
        """Every action in the notation, by its id."""
        return self._env.action_names

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Array, dict[str, Any]]:
        """Deals the next game; with a seed always the same one, and the same ones after it."""
        super().reset(seed=seed)
        obs, info = self._env.reset(seed=seed)
        return obs[0].copy(), self._info(info)

    def step(self, action: Any) -> tuple[Array, float, bool, bool, dict[str, Any]]:
        """Plays an action, then the opponents until it is the learner's turn again."""
        given = np.asarray([action]).reshape(1)
        obs, _, terminated, truncated, info = self._env._step(given, loses=self._loses)
        reward = float(info["learner_reward"][0])
        return obs[0].copy(), reward, bool(terminated[0]), bool(truncated[0]), self._info(info)

    def _info(self, info: dict[str, Array]) -> dict[str, Any]:
        return {"action_mask": info["action_mask"][0].astype(np.int8)}

    def close(self) -> None:
        """Releases the game."""
        self._env.close()
