"""`VecEnv`: many games at once, in arrays."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from . import _check, _native
from ._errors import illegal

Array = npt.NDArray[Any]
Info = dict[str, Array]

_OUT = ("obs", "action_mask", "to_play", "legal", "num_legal", "rewards", "learner_reward", "terminated", "truncated", "final_obs")


class VecEnv:
    """Many games of one variant, played in step.

    Every array has one row per environment, is contiguous, and is the same memory at every step: copy the data that you keep.
    `info` has `action_mask`, `to_play`, `legal` (packed ids, followed by -1), `num_legal`; with `autoreset="same_step"`
    also `final_obs`, whose row is filled in the step in which that game ends and zero otherwise; with opponents also
    `learner_reward`, the learner's own share of `rewards`.

    Args:
        variant: the name of an edition (see `variants()`) or the path of a variant file.
        seats: the number of seats.
        num_envs: the number of games at once, at most 2^20.
        seed: the seed of the games. The same seed gives the same arrays for any value of `threads`.
        overrides: changes to the rules, written `"key=value"`.
        unit: the unit of a game: a `"round"`, or a `"match"` to the target score. In a match, observations include the scores,
            points and places are counted for the match, and a player who is out has no more decisions. Partners must not change.
        voluntary_draw: whether drawing, and keeping the drawn card, is offered when a card could be played. The rules do not
            change, but uniform play takes about twenty times as many decisions per round with it.
        reward: `"win"`, the share of the win; `"zero_sum"`, the share of the win minus the fair share; `"points"`, as
            credited by the rules, negative if the fewest win; `"places"`, from 1 for the first to 0 for the last.
        opponents: the agents in the other seats, such as `"heuristic"`; a single one plays all of them. The learner moves
            one seat further in each game, and every row is a decision of the learner.
        autoreset: when the next game begins: in the `"same_step"`, in the `"next_step"`, or, `"disabled"`, when `reset`
            is called with `options={"reset_mask": ...}`.
        max_decisions: the number of decisions of all seats after which a game is cut off and void.
        threads: the number of threads that step the games; 0 for one per processor.
        history: the number of last events in each observation.
        outputs: which arrays are written. `"all"`; `"mask"`, all but observations; `"ids"`, neither observations nor masks,
            for a player that chooses only by `legal` and `num_legal`. Arrays that are not written have zero columns. The games
                are the same.
    """

    def __init__(
        self,
        variant: str | os.PathLike[str] = "classic",
        seats: int = 4,
        num_envs: int = 1024,
        seed: int = 1,
        *,
        overrides: Sequence[str] = (),
        unit: Literal["round", "match"] = "round",
        voluntary_draw: bool = False,
        reward: Literal["win", "zero_sum", "points", "places"] = "win",
        opponents: Sequence[str] | None = None,
        autoreset: Literal["same_step", "next_step", "disabled"] = "same_step",
        max_decisions: int = 10_000,
        threads: int = 1,
        history: int = 0,
        outputs: Literal["all", "mask", "ids"] = "all",
    ) -> None:
        self.variant = _check.path("variant", variant)
        self.seats = _check.natural("seats", seats, 2, _check.MOST_SEATS)
        self.num_envs = _check.natural("num_envs", num_envs, 1, _check.MOST_ENVS)
        self._native = _native.Batch(
            self.variant,
            self.seats,
            self.num_envs,
            _check.natural("seed", seed),
            _check.texts("overrides", overrides),
            _check.text("unit", unit),
            _check.flag("voluntary_draw", voluntary_draw),
            _check.text("reward", reward),
            None if opponents is None else _check.texts("opponents", opponents),
            _check.text("autoreset", autoreset),
            _check.natural("max_decisions", max_decisions, 1, 2**32 - 1),
            _check.natural("threads", threads, 0, _check.MOST_THREADS),
            _check.natural("history", history, 0, 4096),
            _check.text("outputs", outputs),
        )
        self.num_actions: int = self._native.num_actions
        self.action_names: list[str] = self._native.action_names
        self.obs_size: int = self._native.obs_size
        self.autoreset = autoreset
        self._with_opponents = opponents is not None
        self._spec_json: str = self._native.spec
        n, actions = self.num_envs, self.num_actions
        self._own: dict[str, Array] = {
            "obs": np.zeros((n, self.obs_size), np.uint8),
            "action_mask": np.zeros((n, self._native.mask_size), np.uint8),
            "to_play": np.zeros(n, np.int8),
            "legal": np.full((n, actions), -1, np.int16),
            "num_legal": np.zeros(n, np.int16),
            "rewards": np.zeros((n, self.seats), np.float32),
            "learner_reward": np.zeros(n, np.float32),
            "terminated": np.zeros(n, np.bool_),
            "truncated": np.zeros(n, np.bool_),
            "final_obs": np.zeros((n, self.obs_size), np.uint8),
        }
        self._last = self._own
        self._has_begun = False
        self._is_closed = False

    @property
    def spec(self) -> dict[str, Any]:
        """Everything that determines the meaning of the arrays: layout, actions, rules, options, version."""
        spec: dict[str, Any] = json.loads(self._spec_json)
        return spec

    @property
    def spec_hash(self) -> str:
        """The SHA-256 of `spec` as JSON with sorted keys and no spaces. Store it with trained weights."""
        return _native.sha256(self._spec_json)

    def reset(
        self,
        seed: int | None = None,
        *,
        options: Mapping[str, Any] | None = None,
        out: Mapping[str, Array] | None = None,
    ) -> tuple[Array, Info]:
        """Begins a new game in every environment, or in the environments of `options["reset_mask"]`.

        With a seed the games start again from the first game of that seed. Without a seed, the first call starts the first
        games and later calls start the next ones.
        """
        arrays = self._arrays(out)
        chosen = _check.mapping("options", options)
        mask = chosen.get("reset_mask")
        unknown = set(chosen) - {"reset_mask"}
        if unknown:
            raise ValueError(f"options: {', '.join(sorted(map(repr, unknown)))}: not known; allowed: 'reset_mask'")
        if mask is not None and seed is not None:
            raise ValueError("seed: a seed is for all environments; allowed with reset_mask: None")
        if seed is not None:
            self._native.reseed(_check.natural("seed", seed), tuple(arrays.values()))
        elif mask is not None:
            which = np.ascontiguousarray(mask)
            if which.dtype != np.bool_ or which.shape != (self.num_envs,):
                raise ValueError(f"reset_mask: {which.dtype} of shape {which.shape}; needed: bool of ({self.num_envs},)")
            self._native.reset(which, tuple(arrays.values()))
        elif self._has_begun:
            self._native.reset(np.ones(self.num_envs, np.bool_), tuple(arrays.values()))
        else:
            self._native.show(tuple(arrays.values()))
        self._has_begun = True
        self._written(arrays)
        return arrays["obs"], self._info(arrays)

    def step(
        self, actions: npt.ArrayLike, *, out: Mapping[str, Array] | None = None
    ) -> tuple[Array, Array, Array, Array, Info]:
        """Plays one action in every environment.

        Args:
            actions: one id for each environment, integers.
            out: arrays to write to instead of the environment's own, by name; for missing names its own arrays are used.

        Raises:
            IllegalAction: an action is not legal. No environment has changed.
        """
        return self._step(actions, out=out)

    def _step(
        self, actions: npt.ArrayLike, *, loses: bool = False, out: Mapping[str, Array] | None = None
    ) -> tuple[Array, Array, Array, Array, Info]:
        """`step`, in which an illegal action may lose its game."""
        given, ids = _ids(actions)
        if given.shape != (self.num_envs,):
            raise ValueError(f"actions: shape {given.shape}; needed: ({self.num_envs},)")
        arrays = self._arrays(out)
        self._check_begun()
        wrong = self._native.step(ids, loses, tuple(arrays.values()))
        if wrong is not None:
            env, seat, _, legal = wrong
            raise illegal(env, seat, int(given[env]), legal, self.action_names)
        self._written(arrays)
        return arrays["obs"], arrays["rewards"], arrays["terminated"], arrays["truncated"], self._info(arrays)

    def sample(self, seed: int | None = None) -> npt.NDArray[np.int32]:
        """A legal action for every environment, each equally likely; with a seed always the same."""
        self._check_open()
        self._check_begun()
        return self._native.sample(
            self._last["legal"], self._last["num_legal"], None if seed is None else _check.natural("seed", seed)
        )

    def close(self) -> None:
        """Releases the games and the arrays. After that, stepping is an error."""
        if not self._is_closed:
            self._is_closed = True
            del self._native, self._own, self._last

    def __enter__(self) -> VecEnv:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"VecEnv({self.variant!r}, seats={self.seats}, num_envs={self.num_envs})"

    def _check_open(self) -> None:
        if self._is_closed:
            raise RuntimeError("the environment is closed")

    def _check_begun(self) -> None:
        if not self._has_begun:
            raise RuntimeError("reset() has not been called yet")

    def _arrays(self, out: Mapping[str, Array] | None) -> dict[str, Array]:
        """The arrays to write to."""
        self._check_open()
        out = _check.mapping("out", out)
        if not out:
            return self._own
        unknown = set(out) - set(_OUT)
        if unknown:
            raise ValueError(f"out: {', '.join(sorted(map(repr, unknown)))}: not known; allowed: {', '.join(_OUT)}")
        for name, array in out.items():
            own = self._own[name]
            if not isinstance(array, np.ndarray) or array.dtype != own.dtype or array.shape != own.shape:
                raise ValueError(f"out[{name!r}]: needed: an array of {own.dtype} of shape {own.shape}")
            if not (array.flags.c_contiguous and array.flags.writeable):
                raise ValueError(f"out[{name!r}]: needed: a writable C-contiguous array")
        arrays = self._own | dict(out)
        every = list(arrays.values())
        if any(np.shares_memory(a, b) for i, a in enumerate(every) for b in every[:i]):
            raise ValueError("out: two of the arrays share memory")
        return arrays

    def _written(self, arrays: dict[str, Array]) -> None:
        """Makes these the arrays that `sample` reads from now on."""
        own, last = self._own["final_obs"], self._last["final_obs"]
        final, self._last = arrays["final_obs"], arrays
        if final is not own or last is not own:
            # A step clears only the rows that the previous step filled, and that step filled another array.
            final[~(arrays["terminated"] | arrays["truncated"])] = 0

    def _info(self, arrays: dict[str, Array]) -> Info:
        info = {name: arrays[name] for name in ("action_mask", "to_play", "legal", "num_legal")}
        if self.autoreset == "same_step":
            info["final_obs"] = arrays["final_obs"]
        if self._with_opponents:
            info["learner_reward"] = arrays["learner_reward"]
        return info


def _ids(actions: npt.ArrayLike) -> tuple[Array, npt.NDArray[np.int64]]:
    """The actions as given, and as 64-bit ids: a number that does not fit becomes another illegal id."""
    given = np.asarray(actions)
    if given.dtype.kind == "O" and all(isinstance(action, (int, np.integer)) for action in given.flat):
        return given, np.array([action if abs(int(action)) < 2**63 else -1 for action in given.flat], np.int64)
    if given.dtype.kind not in "iu":
        raise TypeError(f"actions: {given.dtype}; needed: integers")
    if given.dtype == np.uint64:
        return given, np.minimum(given, np.uint64(2**63 - 1)).astype(np.int64)
    return given, np.ascontiguousarray(given, np.int64)
