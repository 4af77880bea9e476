"""Gymnasium environments: the learner in one seat, and opponents in the others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode
from gymnasium.vector import VectorEnv as GymnasiumVectorEnv

from . import _check
from ._decode import decode
from ._entropy import seed_or_entropy
from ._picture import as_seen, rgb, text
from ._spaces import Actions
from ._vec_env import VecEnv

__all__ = ["Env", "VectorEnv"]

Array = npt.NDArray[Any]
Illegal = Literal["lose", "raise"]

_MODES = {"same_step": AutoresetMode.SAME_STEP, "next_step": AutoresetMode.NEXT_STEP, "disabled": AutoresetMode.DISABLED}


_RENDER_MODES = ["ansi", "rgb_array"]


def checked_illegal(illegal: str) -> bool:
    """Whether an illegal action loses."""
    return _check.one_of("illegal", illegal, ("lose", "raise")) == "lose"


def checked_render_mode(mode: str | None) -> str | None:
    """The render mode; an error if it is not supported."""
    if mode not in (None, *_RENDER_MODES):
        raise ValueError(f"render_mode: {mode!r}; allowed: None, 'ansi', 'rgb_array'")
    return mode


def check_outputs(options: dict[str, Any]) -> None:
    """Raises an error if observations or masks would not be written."""
    if options.get("outputs", "all") not in ("all", "full"):
        raise ValueError(f"outputs: {options['outputs']!r}; allowed: 'all', 'full', because observations and masks are returned")


def _games(variant: Any, num_envs: int, seed: Any, opponents: Sequence[Any], options: dict[str, Any]) -> VecEnv:
    """Games with one seat more than there are opponents."""
    if "seats" in options:
        raise TypeError("seats: the number of seats is one more than the number of opponents; give one opponent per other seat")
    check_outputs(options)
    others = _check.not_empty("opponents", _check.listed("opponents", opponents))
    return VecEnv(variant, 1 + len(others), num_envs, seed_or_entropy(seed), opponents=others, **options)


class VectorEnv(GymnasiumVectorEnv[Array, Array, Array]):
    """Many games at once: the learner in one seat, which rotates, and opponents in the others.

    Args:
        variant: the name of an edition or the path of a variant file.
        num_envs: the number of games at once.
        opponents: the players in the other seats, as in `unolab.VecEnv`; the number of seats is one more than the number of
            opponents.
        illegal: the effect of an illegal action: `"lose"` ends the game with the reward -1, `"raise"` raises
            `IllegalAction`.
        autoreset: `"same_step"`, `"next_step"` or `"disabled"`, as Gymnasium defines them, or its `AutoresetMode`.
        seed: the seed of the games; None for a random one.
        render_mode: None, `"ansi"` or `"rgb_array"`. Only what the learner observes is shown.
        **options: the other arguments of `unolab.VecEnv`.

    `info["action_mask"]` (int8) marks the legal actions. Arrays are copies.
    """

    def __init__(
        self,
        variant: str = "classic",
        num_envs: int = 1,
        *,
        opponents: Sequence[Any] = ("random",),
        illegal: Illegal = "lose",
        autoreset: Literal["same_step", "next_step", "disabled"] | AutoresetMode = "next_step",
        seed: int | None = None,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        self._loses = checked_illegal(illegal)
        self.render_mode = checked_render_mode(render_mode)
        mode = next((name for name, mode in _MODES.items() if mode is autoreset), autoreset)
        self._env = _games(variant, num_envs, seed, opponents, {**options, "autoreset": mode})
        self.num_envs = num_envs = self._env.num_envs
        self.metadata = {"autoreset_mode": _MODES[self._env.autoreset], "render_modes": _RENDER_MODES}
        self.single_observation_space = gymnasium.spaces.Box(0, 255, (self._env.obs_size,), np.uint8)
        self.single_action_space = gymnasium.spaces.Discrete(self._env.num_actions)
        self.observation_space = gymnasium.vector.utils.batch_space(self.single_observation_space, num_envs)
        self.action_space = gymnasium.vector.utils.batch_space(self.single_action_space, num_envs)

    @property
    def action_names(self) -> list[str]:
        """Every action in the notation, by its id."""
        return self._env.action_names

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Array, dict[str, Any]]:
        """Begins new games: all, or the games in `options["reset_mask"]`. One seed determines all games; their deals differ."""
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
            mask[ended] = 1  # in an ended game, every action is ignored
            shown["final_info"] = {"action_mask": mask, "_action_mask": ended.copy()}
            shown["_final_info"] = ended.copy()
        return shown

    def action_masks(self) -> Array:
        """The legal actions of every game, bool (num_envs, num_actions)."""
        self._env._check_open()
        masks: Array = self._env._last["action_mask"].astype(np.bool_)
        return masks

    def render(self) -> Any:
        """Each game as the learner observes it, as texts or images."""
        self._env._check_open()
        spec, obs = self._env.spec, self._env._last["obs"]
        return tuple(_picture(row, spec, self.render_mode) for row in obs)

    def close_extras(self, **kwargs: Any) -> None:
        """Releases the games."""
        self._env.close()


class Env(gymnasium.Env[Array, Any]):
    """One game: the learner in one seat, which rotates, and opponents in the others.

    `info["action_mask"]` (int8) and `action_masks()` (bool) mark the legal actions. Arguments as in `VectorEnv`.
    """

    metadata = {"render_modes": _RENDER_MODES, "render_fps": 1}

    def __init__(
        self,
        variant: str = "classic",
        *,
        opponents: Sequence[Any] = ("random",),
        illegal: Illegal = "lose",
        seed: int | None = None,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        self._loses = checked_illegal(illegal)
        if "autoreset" in options:
            raise TypeError("autoreset: a single environment is reset by its caller; allowed in gymnasium.make_vec")
        self.render_mode = checked_render_mode(render_mode)
        self._env = _games(variant, 1, seed, opponents, {**options, "autoreset": "disabled"})
        self.observation_space = gymnasium.spaces.Box(0, 255, (self._env.obs_size,), np.uint8)
        self.action_space = Actions(self._env.num_actions)

    @property
    def action_names(self) -> list[str]:
        """Every action in the notation, by its id."""
        return self._env.action_names

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Array, dict[str, Any]]:
        """Deals the next game. A seed determines this game and all games after it."""
        super().reset(seed=seed)
        row = self._env._reset_row() if seed is None else None
        if row is not None:
            return row
        obs, info = self._env.reset(seed=seed)
        return obs[0].copy(), self._info(info)

    def step(self, action: Any) -> tuple[Array, float, bool, bool, dict[str, Any]]:
        """Plays an action, then the opponents until it is the learner's turn again."""
        row = self._env._step_row(action, self._loses)
        if row is not None:
            return row
        obs, _, terminations, truncations, info = self._env._step(np.asarray([action]).reshape(1), loses=self._loses)
        reward = info["learner_reward"].item()
        return obs[0].copy(), reward, terminations.item(), truncations.item(), self._info(info)

    def _info(self, info: dict[str, Array]) -> dict[str, Any]:
        return {"action_mask": info["action_mask"][0].astype(np.int8)}

    def action_masks(self) -> Array:
        """The legal actions, bool (num_actions,), in the format of sb3-contrib."""
        mask: Array = self._env._show()["action_mask"][0].astype(np.bool_)
        return mask

    def render(self) -> Any:
        """The game as the learner observes it: a text, or an image (height, width, 3)."""
        return _picture(self._env._show()["obs"][0], self._env.spec, self.render_mode)

    def close(self) -> None:
        """Releases the game."""
        self._env.close()


def _picture(row: Array, spec: dict[str, Any], mode: str | None) -> Any:
    """An observation as text or as an image."""
    if mode is None:
        gymnasium.logger.warn("render() without a render_mode shows nothing; use render_mode='ansi' or 'rgb_array'")
        return None
    seen = as_seen(decode(row, spec))
    return text(seen) if mode == "ansi" else rgb(seen)
