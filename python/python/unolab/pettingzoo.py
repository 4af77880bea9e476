"""A PettingZoo AEC environment: `unolab.pettingzoo.env(variant="classic", seats=4)`."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Any

import gymnasium
import numpy as np
from pettingzoo import AECEnv

from . import _check
from ._picture import as_it_is, rgb, text
from ._round import Round, refused
from ._spaces import Actions

__all__ = ["UnoEnv", "env", "raw_env"]


def env(
    variant: str = "classic",
    seats: int = 4,
    *,
    overrides: Sequence[str] = (),
    voluntary_draw: bool = False,
    render_mode: str | None = None,
) -> UnoEnv:
    """One round. Rewards are the shares of the win, given at the end."""
    return UnoEnv(variant, seats, overrides=overrides, voluntary_draw=voluntary_draw, render_mode=render_mode)


raw_env = env


_RENDER_MODES = ["ansi", "human", "rgb_array"]


class UnoEnv(AECEnv):  # type: ignore[misc]
    """One round, in which the agents decide in turn.

    An observation is a dict of `observation`, the bytes of `Round.tensor`, and `action_mask`, 1 for each legal action:
    all zeros for a seat that does not decide. An illegal action raises `IllegalAction` and changes nothing.
    """

    metadata = {"name": "unolab_v0", "render_modes": _RENDER_MODES, "is_parallelizable": False, "render_fps": 1}

    def __init__(
        self,
        variant: str = "classic",
        seats: int = 4,
        *,
        overrides: Sequence[str] = (),
        voluntary_draw: bool = False,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        if render_mode not in (None, *_RENDER_MODES):
            raise ValueError(f"render_mode: {render_mode!r}; allowed: None, 'ansi', 'human', 'rgb_array'")
        self.render_mode = render_mode
        self._first = Round(variant, seats, 0, overrides=overrides, voluntary_draw=voluntary_draw)._native
        self._round = self._first
        self._names: list[str] = self._first.action_names
        self._seeds: int | np.random.Generator = np.random.default_rng()
        self.possible_agents = [f"seat_{seat}" for seat in range(self._first.seats)]
        self.agents: list[str] = []
        self._seat = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        size, actions = self._first.obs_size, self._first.num_actions
        space = gymnasium.spaces.Dict(
            {
                "observation": gymnasium.spaces.Box(0, 255, (size,), np.uint8),
                "action_mask": gymnasium.spaces.Box(0, 1, (actions,), np.int8),
            }
        )
        self.observation_spaces = {agent: space for agent in self.possible_agents}
        self.action_spaces = {agent: Actions(actions) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> gymnasium.Space[Any]:
        """The observation space, which is the same for every seat."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.Space[Any]:
        """The action space, which is the same for every seat; ids as in `action_names`."""
        return self.action_spaces[agent]

    @property
    def action_names(self) -> list[str]:
        """Every action in the notation, by its id."""
        return list(self._names)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deals a round. A seed determines this round, which is `Round(seed=seed)`, and all rounds after it."""
        if seed is not None:
            deal = self._seeds = _check.natural("seed", seed)
        else:
            if isinstance(self._seeds, int):  # made only now, because it takes longer than a deal
                self._seeds = np.random.default_rng(self._seeds)
            deal = int(self._seeds.integers(2**63))
        self._round = self._first.dealt_anew(deal)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self._round.current_seat or 0]

    def observe(self, agent: str) -> dict[str, Any]:
        """The observation and the action mask of a seat."""
        return self._round.observe(self._seat[agent])

    def step(self, action: int | None) -> None:
        """Plays the action of the selected seat."""
        if not self.agents:
            raise _not_begun()
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        seat = self._round.advance(action)
        if seat is None:
            raise refused(self._round, action, self._names)
        # All rewards are zero before the end of the round, and so are their sums.
        if seat < 0:
            seat = 0
            self.rewards = dict(zip(self.agents, self._round.returns(), strict=True))
            ended = self.truncations if self._round.is_truncated else self.terminations
            ended.update(dict.fromkeys(self.agents, True))
            self._accumulate_rewards()
        self.agent_selection = self.possible_agents[seat]
        if self.render_mode == "human":
            self.render()

    def last(self, observe: bool = True) -> Any:
        """The observation, reward, termination, truncation, and info of the selected seat."""
        if not self.agents:
            raise _not_begun()
        agent = self.agent_selection
        observation = self.observe(agent) if observe else None
        return (
            observation, self._cumulative_rewards[agent], self.terminations[agent], self.truncations[agent], self.infos[agent]
        )

    def agent_iter(self, max_iter: int = 2**63 - 1) -> Iterator[str]:
        """The selected seat, until the round is over or this number of seats has been selected."""
        for _ in itertools.repeat(None, max_iter):
            if not self.agents:
                return
            yield self.agent_selection

    def render(self) -> Any:
        """The position with all hands: a text, or an image (height, width, 3)."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() without a render_mode shows nothing")
            return None
        view = as_it_is([self._round.observation(seat) for seat in range(self._round.seats)])
        if self.render_mode == "rgb_array":
            return rgb(view)
        if self.render_mode == "human":
            print(text(view))
            return None
        return text(view)

    def state(self) -> Any:
        """The observations of all seats, concatenated."""
        return np.concatenate([self._round.tensor(seat) for seat in range(len(self.possible_agents))])

    def close(self) -> None:
        """Does nothing: there are no resources to release."""


def _not_begun() -> RuntimeError:
    return RuntimeError("no seat is playing; call reset() to begin a round")
