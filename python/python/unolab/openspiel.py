"""The game `python_unolab` for OpenSpiel.

    import pyspiel
    import unolab

    unolab.openspiel.register()
    game = pyspiel.load_game("python_unolab(variant=classic,players=2)")
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import pyspiel

from . import _check
from ._round import Round

__all__ = ["UnoGame", "UnoState", "register"]

_PARAMETERS: dict[str, Any] = {
    "variant": "classic",
    "players": 2,
    "deals": 4096,
    "voluntary_draw": False,
    "overrides": "",
}

_TYPE = pyspiel.GameType(
    short_name="python_unolab",
    long_name="UNO-like card games",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.CONSTANT_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=10,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    provides_factored_observation_string=False,
    parameter_specification=_PARAMETERS,
)

_NO_TENSOR = "information states have no tensor, because they have no largest size; use information_state_string or observation_tensor"

# The largest number of decisions of a round, and the chance node before them.
_MOST_MOVES = 10_001


@functools.cache
def register() -> None:
    """Registers the game, so that `pyspiel.load_game("python_unolab(...)")` finds it."""
    pyspiel.register_game(_TYPE, UnoGame)


def _begin(parameters: dict[str, Any]) -> tuple[int, Round]:
    """The number of deals, and the round of the first deal."""
    deals = int(parameters["deals"])
    if not 1 <= deals <= 2**20:
        raise ValueError(f"deals: {deals}; allowed: 1 to {2**20}")
    overrides = [text.replace(":", "=", 1) for text in str(parameters["overrides"]).split(";") if text]
    variant, players, draw = parameters["variant"], int(parameters["players"]), bool(parameters["voluntary_draw"])
    return deals, Round(variant, players, 0, overrides=overrides, voluntary_draw=draw)


class UnoGame(pyspiel.Game):  # type: ignore[misc]
    """One round of a variant.

    Parameters: `variant`, `players`; `deals`, the number of deals from which the chance node at the root chooses, each
    with all later random events; `voluntary_draw`; `overrides`, changes to the rules, written `key:value` and
    separated by `;`, because OpenSpiel reserves `=` and `,`.
    Utilities are the shares of the win, so they sum to 1.
    """

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = {**_PARAMETERS, **(params or {})}
        deals, first = _begin(given)
        info = pyspiel.GameInfo(
            num_distinct_actions=first.num_actions,
            max_chance_outcomes=deals,
            num_players=first.seats,
            min_utility=0.0,
            max_utility=1.0,
            utility_sum=1.0,
            max_game_length=_MOST_MOVES,
        )
        super().__init__(_TYPE, info, given)
        self.deals, self.first = deals, first

    def __getattr__(self, name: str) -> Any:
        # OpenSpiel copies and unpickles games without calling `__init__`.
        if name not in ("deals", "first"):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        self.deals, self.first = _begin({**_PARAMETERS, **self.get_parameters()})
        return getattr(self, name)

    def __deepcopy__(self, _memo: dict[int, Any]) -> UnoGame:
        return self  # a game is immutable

    def new_initial_state(self) -> UnoState:
        """The state before the deal."""
        return UnoState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: dict[str, Any] | None = None) -> UnoObserver:
        """An observer that returns the bytes of `Round.tensor`; with perfect recall, only text."""
        return UnoObserver(self, iig_obs_type, params)

    def information_state_tensor_size(self) -> int:
        """Raises `NotImplementedError`. If it returned 0, learners would train networks without inputs."""
        raise NotImplementedError(_NO_TENSOR)

    def information_state_tensor_shape(self) -> list[int]:
        """Raises `NotImplementedError`, like `information_state_tensor_size`."""
        raise NotImplementedError(_NO_TENSOR)

    def observation_tensor_shape(self) -> list[int]:
        """One number per byte."""
        return [self.first.obs_size]

    def observation_tensor_size(self) -> int:
        """One number per byte."""
        return self.first.obs_size


class UnoState(pyspiel.State):  # type: ignore[misc]
    """A position, or the chance node before the deal."""

    def __init__(self, game: UnoGame) -> None:
        super().__init__(game)
        self._game = game
        self.round: Round | None = None

    def current_player(self) -> int:
        """The seat that decides."""
        if self.round is None:
            return int(pyspiel.PlayerId.CHANCE)
        seat = self.round.current_seat
        return int(pyspiel.PlayerId.TERMINAL) if seat is None else seat

    def _legal_actions(self, player: int) -> list[int]:
        if self.round is None or player != self.round.current_seat:
            return []
        return sorted(self.round.legal_actions())

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Every deal is equally likely."""
        return _deals(self._game.deals)

    def _apply_action(self, action: int) -> None:
        if self.round is None:
            deal = _check.natural("deal", action, 0, self._game.deals - 1)
            self.round = Round._of(self._game.first._native.dealt_anew(deal), self._game.first._names)
        else:
            self.round.apply(action)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"deal {action}"
        return self._game.first.action_name(action)

    def is_terminal(self) -> bool:
        """Whether the round is over."""
        return self.round is not None and self.round.is_terminal

    def returns(self) -> list[float]:
        """The share of the win of each seat."""
        return [0.0] * self._game.num_players() if self.round is None else self.round.returns()

    def _seat(self, player: int | None) -> int:
        """The player whose observation is requested; by default the player who decides."""
        seat = self.current_player() if player is None else player
        if seat < 0:
            raise RuntimeError(f"player {seat}; needed: player >= 0")
        if seat >= self._game.num_players():
            raise RuntimeError(f"player {seat}; needed: player < {self._game.num_players()}")
        return seat

    def information_state_string(self, player: int | None = None) -> str:
        """Everything that a seat has observed and chosen, in order."""
        seat = self._seat(player)
        return "" if self.round is None else self.round.information_state(seat)

    def information_state_tensor(self, player: int | None = None) -> list[float]:
        """Raises `NotImplementedError`: an information state has no largest size."""
        raise NotImplementedError(_NO_TENSOR)

    def observation_string(self, player: int | None = None) -> str:
        """The observation of a seat, as text."""
        seat = self._seat(player)
        return "" if self.round is None else str(self.round.observation(seat))

    def observation_tensor(self, player: int | None = None) -> list[float]:
        """The observation of a seat, as numbers."""
        seat = self._seat(player)
        if self.round is None:
            return [0.0] * self._game.first.obs_size
        tensor: list[float] = self.round.tensor(seat).astype(np.float32).tolist()
        return tensor

    def resample_from_infostate(self, player: int, probability_sampler: Callable[[], float]) -> UnoState:
        """A state that the player cannot distinguish from this one.

        It has the history of this state but a different deal, which serialization preserves.
        """
        sampled: UnoState = self.clone()
        if sampled.round is not None:
            sampled.round = sampled.round.sample_state(player, int(probability_sampler() * 2**53))
        return sampled

    def __str__(self) -> str:
        return "before the deal" if self.round is None else str(self.round)


@functools.lru_cache(maxsize=8)
def _deals(count: int) -> list[tuple[int, float]]:
    return [(deal, 1.0 / count) for deal in range(count)]


class UnoObserver:
    """The observer interface of OpenSpiel."""

    def __init__(self, game: UnoGame, iig_obs_type: Any, params: dict[str, Any] | None) -> None:
        if params:
            raise ValueError(f"observer parameters: {', '.join(params)}; there are none")
        self._perfect_recall = bool(iig_obs_type is not None and iig_obs_type.perfect_recall)
        self.tensor = None if self._perfect_recall else np.zeros(game.first.obs_size, np.float32)
        self.dict = {} if self.tensor is None else {"observation": self.tensor}

    def set_from(self, state: UnoState, player: int) -> None:
        """Fills the tensor with the player's observation."""
        if self.tensor is None:
            return
        if state.round is None:
            self.tensor.fill(0)
        else:
            self.tensor[:] = state.round.tensor(player)

    def string_from(self, state: UnoState, player: int) -> str:
        """The player's observation, as text."""
        return state.information_state_string(player) if self._perfect_recall else state.observation_string(player)
