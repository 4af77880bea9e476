"""`VecEnv` for Stable-Baselines3 and sb3-contrib: many games at once in Rust.

    from sb3_contrib import MaskablePPO
    import unolab

    env = unolab.sb3.VecEnv("classic", num_envs=64, opponents=["greedy"])
    MaskablePPO("MlpPolicy", env).learn(100_000)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from stable_baselines3.common.vec_env import VecEnv as Sb3VecEnv

from . import _check, _vec_env
from ._decode import decode
from ._entropy import seed_or_entropy
from ._picture import as_seen, rgb, text

__all__ = ["VecEnv"]

Array = npt.NDArray[Any]


class VecEnv(Sb3VecEnv):  # type: ignore[misc]
    """The learner against opponents in many games at once, as a vectorized environment of Stable-Baselines3.

    A game that ends is followed by the next one in the same step. Its last observation is `infos[i]["terminal_observation"]`, and
    `infos[i]["TimeLimit.truncated"]` is true if the game was truncated at `max_decisions`. sb3-contrib reads the masks
    with `env_method("action_masks")`. Illegal actions raise `unolab.IllegalAction`.

    Args:
        variant: as in `unolab.VecEnv`.
        seats: the number of seats; by default one more than there are opponents.
        num_envs: the number of games at once.
        opponents: the players in the other seats, as in `unolab.VecEnv`.
        seed: the seed of the games; None for a random one.
        illegal: the effect of an illegal action: `"lose"` ends the game with the reward -1, `"raise"` raises `IllegalAction`.
        render_mode: None, `"ansi"` or `"rgb_array"`.
        **options: the other arguments of `unolab.VecEnv`, except `autoreset`.
    """

    def __init__(
        self,
        variant: Any = "classic",
        seats: Any = None,
        num_envs: int = 1,
        *,
        opponents: Sequence[Any] = ("random",),
        seed: int | Sequence[int] | None = None,
        illegal: str = "raise",
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        from .gymnasium import check_outputs, checked_illegal, checked_render_mode

        self._loses = checked_illegal(illegal)
        if "autoreset" in options:
            raise ValueError("autoreset: Stable-Baselines3 needs 'same_step', which is always used")
        check_outputs(options)
        self.render_mode = checked_render_mode(render_mode)
        others = _check.not_empty("opponents", _check.listed("opponents", opponents))
        places = 1 + len(others) if seats is None else seats
        self._env = _vec_env.VecEnv(variant, places, num_envs, seed_or_entropy(seed), opponents=others, **options)
        self._actions = np.zeros(self._env.num_envs, np.int64)
        self._spec = self._env.spec
        self.metadata = {"render_modes": ["ansi", "rgb_array"]}
        space = gymnasium.spaces.Box(0, 255, (self._env.obs_size,), np.uint8)
        super().__init__(self._env.num_envs, space, gymnasium.spaces.Discrete(self._env.num_actions))

    @property
    def action_names(self) -> list[str]:
        """Every action in the notation, by its id."""
        return self._env.action_names

    def reset(self) -> Array:
        """Begins new games; after a call of `seed`, the first games of that seed."""
        seeds: list[int | None] = self._seeds
        obs, self._info = self._env.reset(seed=seeds[0])
        self._reset_seeds()
        self.reset_infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        self._reset_options()
        return obs.copy()

    def step_async(self, actions: Array) -> None:
        """Stores the actions of the next step."""
        self._actions = np.asarray(actions)

    def step_wait(self) -> tuple[Array, Array, Array, list[dict[str, Any]]]:
        """Plays one action of the learner in every game, then the opponents."""
        obs, _, terminated, truncated, self._info = self._env._step(self._actions, loses=self._loses)
        dones = terminated | truncated
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for row in np.flatnonzero(dones):
            infos[row]["terminal_observation"] = self._info["final_obs"][row].copy()
            infos[row]["TimeLimit.truncated"] = bool(truncated[row] and not terminated[row])
        return obs.copy(), self._info["learner_reward"].copy(), dones, infos

    def action_masks(self) -> Array:
        """The legal actions of every game, bool (num_envs, num_actions)."""
        masks: Array = self._env._show()["action_mask"].astype(np.bool_)
        return masks

    def env_method(self, method_name: str, *method_args: Any, indices: Any = None, **method_kwargs: Any) -> list[Any]:
        """The results of a method for these games. The games share this object, so only `action_masks`, `round`, and
        `render` are available."""
        rows = self._rows(indices)
        known: dict[str, Callable[[int], Any]] = {
            "action_masks": lambda row: self.action_masks()[row],
            "round": self._env.round,
            "render": self._image,
        }
        if method_name not in known or method_args or method_kwargs:
            raise AttributeError(f"env_method: {method_name!r} is not known; allowed: {', '.join(known)}, without arguments")
        return [known[method_name](row) for row in rows]

    def has_attr(self, attr_name: str) -> bool:
        """Whether `env_method` or `get_attr` accepts this name."""
        return attr_name in ("action_masks", "round", "render") or hasattr(self, attr_name)

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """The attribute of this object, once for each game."""
        if attr_name == "action_masks":
            return [lambda row=row: self.env_method("action_masks", indices=row)[0] for row in self._rows(indices)]
        return [getattr(self, attr_name) for _ in self._rows(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Sets an attribute of this object, for all games at once."""
        if len(self._rows(indices)) != self.num_envs:
            raise ValueError("set_attr: the games share their attributes; needed: indices=None")
        setattr(self, attr_name, value)

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        """False for every game: the games have no wrappers."""
        return [False for _ in self._rows(indices)]

    def get_images(self) -> list[Any]:
        """An image of every game as the learner observes it."""
        return [self._image(row, "rgb_array") for row in range(self.num_envs)]

    def _image(self, row: int, mode: str | None = None) -> Any:
        self._env._check_open()
        seen = as_seen(decode(self._env._last["obs"][row], self._spec))
        mode = mode or self.render_mode
        return text(seen) if mode == "ansi" else rgb(seen)

    def _rows(self, indices: Any) -> list[int]:
        return [int(row) for row in self._get_indices(indices)]

    def close(self) -> None:
        """Releases the games."""
        self._env.close()
