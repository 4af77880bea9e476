"""`self_play`: games in which one policy plays every seat, as one trajectory per seat."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _check
from ._agent import Agent
from ._opponents import answers_of
from ._vec_env import VecEnv

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class Trajectory:
    """The decisions of one seat in one game, in order.

    A seat that never decided has a trajectory of length 0. `obs`, `action_mask` and `actions` have one row per decision;
    `reward` is the seat's reward at the end; `final_obs` is the seat's observation of the ended game. `full_obs` holds the
    observations of all seats at each decision, in order of play from the seat, if they were requested.
    """

    game: int
    seat: int
    obs: Array
    action_mask: Array
    actions: Array
    reward: float
    terminated: bool
    final_obs: Array
    full_obs: Array | None = None

    def __len__(self) -> int:
        return len(self.actions)


def self_play(
    policy: Any,
    num_games: int,
    *,
    variant: Any = "classic",
    seats: int = 2,
    num_envs: int = 64,
    seed: int = 1,
    full: bool = False,
    **options: Any,
) -> Iterator[Trajectory]:
    """Plays games with one policy in all seats. Yields the trajectories of each game as it ends, one per seat in order.

    Args:
        policy: an object with `act(obs, action_mask, info)`, as `unolab.Policy`, or an `Agent`. `info` is as for opponents of
            `VecEnv`.
        num_games: the number of games. Games are returned in the order in which they end. Each environment plays the same number
            of games, or one more, so long games are not underrepresented.
        full: whether trajectories have `full_obs`.
        **options: the arguments of `VecEnv`, except `opponents`, `autoreset` and `outputs`.

    Raises:
        IllegalAction: the policy returned an action that is not legal.
        TypeError: the policy returned something other than one integer per row.
    """
    if isinstance(policy, type):
        raise TypeError(f"policy: {policy!r} is a class; needed: an object of it, such as {policy.__name__}()")
    if not callable(getattr(policy, "act", None)):
        raise TypeError(f"policy: {policy!r}; needed: an object with act(obs, action_mask, info)")
    wanted = _check.natural("num_games", num_games, 1)
    for name in ("opponents", "autoreset", "outputs"):
        if name in options:
            raise ValueError(f"{name}: self-play sets it; allowed: the other options of VecEnv")
    rows = min(_check.natural("num_envs", num_envs, 1, _check.MOST_ENVS), wanted)
    env = VecEnv(variant, seats, rows, seed, autoreset="next_step", outputs="full", **options)
    quota = np.full(rows, wanted // rows)
    quota[: wanted % rows] += 1
    done = np.zeros(rows, np.int64)
    steps: list[list[list[tuple[Array, ...]]]] = [[[] for _ in range(env.seats)] for _ in range(rows)]
    obs, info = env.reset()
    was_over = np.zeros(rows, bool)
    own_seat = next(block for block in env.spec["blocks"] if block["name"] == "own_seat")
    marks = slice(own_seat["offset"], own_seat["offset"] + own_seat["len"])
    while (done < quota).any():
        playing = np.flatnonzero(~was_over)
        if isinstance(policy, Agent):
            chosen = policy.act(env)[playing]
        else:
            chosen = answers_of("policy", policy, obs[playing], info["action_mask"][playing], env._policy_info(info, playing))
        actions = np.zeros(rows, chosen.dtype)
        actions[playing] = chosen
        for row in playing:
            kept = (obs[row].copy(), info["action_mask"][row].copy(), actions[row])
            kept += (info["full_obs"][row].copy(),) if full else ()
            steps[row][info["to_play"][row]].append(kept)
        obs, rewards, terminated, truncated, info = env.step(actions)
        over = terminated | truncated
        for row in np.flatnonzero(over & ~was_over):
            if done[row] < quota[row]:
                game = int(row + done[row] * rows)
                yield from _trajectories(game, steps[row], env, info, rewards[row], bool(terminated[row]), int(row), marks, full)
            done[row] += 1
            steps[row] = [[] for _ in range(env.seats)]
        was_over = over.copy()


def _trajectories(
    game: int,
    steps: list[list[tuple[Array, ...]]],
    env: VecEnv,
    info: dict[str, Array],
    rewards: Array,
    terminated: bool,
    row: int,
    marks: slice,
    full: bool,
) -> Iterator[Trajectory]:
    seen_last = info["full_obs"][row]
    own = {int(seen[marks].argmax()): place for place, seen in enumerate(seen_last) if seen[marks].any()}
    for seat, kept in enumerate(steps):
        final = seen_last[own[seat]].copy() if seat in own else np.zeros(env.obs_size, np.uint8)
        obs = np.array([step[0] for step in kept], np.uint8).reshape(len(kept), env.obs_size)
        mask = np.array([step[1] for step in kept], np.uint8).reshape(len(kept), env.num_actions)
        actions = np.array([step[2] for step in kept], np.int64)
        seen = np.array([step[3] for step in kept], np.uint8).reshape(len(kept), env.seats, env.obs_size) if full else None
        yield Trajectory(game, seat, obs, mask, actions, float(rewards[seat]), terminated, final, seen)

