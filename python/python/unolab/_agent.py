"""`agent`: the built-in agents for positions of `Round` and `VecEnv`."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Sequence
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from . import _check, _native
from ._mixture import Mixture
from ._round import Round
from ._vec_env import VecEnv


class Agent:
    """A built-in agent that chooses actions in any round or environment.

    It receives what the seat to act has observed since the deal, so it chooses as if it had played from the beginning.
    If the position masks the chosen action (`voluntary_draw=False`), it plays the choice of `greedy` instead.
    An agent can be pickled and copied; the random numbers of the copy start again from the seed.

    Args:
        text: the agent, such as `"net"` or `"ismcts:iterations=200"`; see `agents()`.
        seed: the seed of the random numbers of an agent that uses them.
    """

    def __init__(self, text: str, *, seed: int = 1) -> None:
        #: The text of the agent.
        self.text = _check.text("agent", text)
        self._seed = _check.natural("seed", seed)
        self._native = _native.BuiltIn(self.text, self._seed)

    @overload
    def act(self, position: Round) -> int: ...
    @overload
    def act(self, position: VecEnv) -> npt.NDArray[np.int32]: ...
    def act(self, position: Round | VecEnv) -> int | npt.NDArray[np.int32]:
        """The id of the agent's action in a round, or one id for each row of an environment; 0 for rows whose game has ended.

        Raises:
            ValueError: the round is over.
        """
        if isinstance(position, Round):
            id = self._native.act(position._native)
            if id is None:
                raise ValueError("act: the round is over")
            return id
        with _games(position) as native:
            if not isinstance(native, Mixture):
                return self._native.act_all(native)
            ids = np.zeros(position.num_envs, np.int32)
            for batch, rows, names in native.parts():
                ids[rows] = names[self._native.act_all(batch)]
            return ids

    @overload
    def values(self, position: Round) -> dict[int, float]: ...
    @overload
    def values(self, position: VecEnv) -> npt.NDArray[np.float32]: ...
    def values(self, position: Round | VecEnv) -> dict[int, float] | npt.NDArray[np.float32]:
        """The value of each legal action: the probability of winning the round, or with `goal=points` the expected points.

        For an environment, an array with one row per environment and one column per action, NaN for actions that are not legal
        and in rows without values. UNO calls, catches, and jump-ins have no values.

        Raises:
            ValueError: the agent does not compute values; only `net` does. Or the decision of the round has none.
        """
        if isinstance(position, Round):
            return dict(self._native.values(position._native))
        with _games(position) as native:
            if not isinstance(native, Mixture):
                return self._native.values_all(native)
            values = np.full((position.num_envs, position.num_actions), np.nan, np.float32)
            for batch, rows, names in native.parts():
                values[rows[:, None], names] = self._native.values_all(batch)
            return values

    def weights(
        self, variant: str | os.PathLike[str] = "classic", seats: int = 2, *, overrides: Sequence[str] = ()
    ) -> dict[str, npt.NDArray[Any]]:
        """The weights of the network that the agent uses at a table.

        `first` (inputs, a), `second` (b, a) and `third` (2, b) are int16; the biases are int32. The hidden layers have a and b
        units: 64 and 32 in the published networks, 256 and 64 in the large one. A value of 1 is `weight_one` in weights and
        biases, and `activation_one` between the layers. The outputs are the log-odds of winning the round, and the points in
        hundreds.

        Raises:
            ValueError: the agent is not `net`, or it has no network for the table.
        """
        table = _check.path("variant", variant), _check.natural("seats", seats, 2, _check.MOST_SEATS)
        return self._native.weights(*table, _check.texts("overrides", overrides))

    def __reduce__(self) -> tuple[object, ...]:
        return _make, (self.text, self._seed)

    def __repr__(self) -> str:
        return f"Agent({self.text!r})"


def agent(text: str, *, seed: int = 1) -> Agent:
    """The built-in agent with this text; see `Agent`."""
    return Agent(text, seed=seed)


def _make(text: str, seed: int) -> Agent:
    """The agent with this text and seed, for pickles."""
    return Agent(text, seed=seed)


@contextlib.contextmanager
def _games(env: Any) -> Iterator[_native.Batch | Mixture]:
    """The games of an environment, which is a `VecEnv` or contains one. Meanwhile no other thread can use it."""
    while not isinstance(env, VecEnv):
        inner = getattr(env, "unwrapped", None)
        if not hasattr(inner if inner is not None else env, "_env"):
            raise TypeError(f"position: {env!r}; needed: a Round, a VecEnv, or a Gymnasium environment of unolab")
        env = (inner if inner is not None else env)._env
    env._take()
    try:
        env._check_open()
        env._check_begun()
        yield env._native
    finally:
        env._lock.release()
