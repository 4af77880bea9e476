"""`Round`: one round, with the interface of an OpenSpiel game."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _check, _native
from ._errors import IllegalAction, illegal
from ._picture import as_html, as_it_is


class Round:
    """One round: the seat that decides, the legal actions, and the information of each seat.

    Calls, catches and jump-ins are ordinary decisions, which occur only if the rules have them. A round can be copied,
    pickled, recorded, and resampled from the observations of a seat.

    Args:
        variant: the name of an edition (see `variants()`) or the path of a variant file.
        seats: the number of seats.
        seed: the seed of the deal and of all other random events.
        overrides: changes to the rules, written `"key=value"`.
        voluntary_draw: whether drawing, and keeping the drawn card, is offered when a card could be played.
    """

    __slots__ = ("_names", "_native")

    _names: list[str]

    def __init__(
        self,
        variant: str | os.PathLike[str] = "classic",
        seats: int = 4,
        seed: int = 1,
        overrides: Sequence[str] = (),
        voluntary_draw: bool = True,
    ) -> None:
        self._native = _native.Round(
            _check.path("variant", variant),
            _check.natural("seats", seats, 2, _check.MOST_SEATS),
            _check.natural("seed", seed),
            _check.texts("overrides", overrides),
            _check.flag("voluntary_draw", voluntary_draw),
        )
        self._names = self._native.action_names

    @classmethod
    def _of(cls, native: _native.Round, names: list[str] | None = None) -> Round:
        round = cls.__new__(cls)
        round._native = native
        round._names = native.action_names if names is None else names
        return round

    @property
    def variant(self) -> str:
        """The name of the variant."""
        return self._native.variant

    @property
    def seats(self) -> int:
        """The number of seats."""
        return self._native.seats

    @property
    def num_actions(self) -> int:
        """The number of actions; their ids are 0 to `num_actions - 1`."""
        return len(self._names)

    @property
    def action_names(self) -> list[str]:
        """Every action in the notation, by its id."""
        return list(self._names)

    @property
    def obs_size(self) -> int:
        """The length of `tensor` in bytes."""
        return self._native.obs_size

    @property
    def spec(self) -> dict[str, Any]:
        """Everything that determines the meaning of `tensor` and of the ids."""
        spec: dict[str, Any] = json.loads(self._native.spec_json)
        return spec

    @property
    def current_seat(self) -> int | None:
        """The seat that decides; None when the round is over."""
        return self._native.current_seat

    @property
    def decision(self) -> str | None:
        """The kind of the decision: a word of the notation, or `call`, `window`, or `jump-in`."""
        return self._native.decision

    @property
    def decisions(self) -> int:
        """The number of decisions so far, including forced ones."""
        return self._native.decisions

    @property
    def turns(self) -> int:
        """The number of turns so far, of all seats together."""
        return self._native.turns

    @property
    def is_terminal(self) -> bool:
        """Whether the round is over. A round of 10,000 decisions is truncated and has no winner."""
        return self._native.is_terminal

    @property
    def is_truncated(self) -> bool:
        """Whether the round was truncated after 10,000 decisions."""
        return self._native.is_truncated

    def legal_actions(self) -> list[int]:
        """The ids that are legal for the seat that decides; none when the round is over."""
        return self._native.legal_actions()

    def action_mask(self) -> npt.NDArray[np.uint8]:
        """1 for each legal action, uint8."""
        return self._native.action_mask()

    def action_name(self, id: int) -> str:
        """The action in the notation, such as `play r7`."""
        return self._native.action_name(_check.natural("action", id, 0, len(self._names) - 1))

    def action_id(self, name: str) -> int:
        """The id of an action in the notation."""
        return self._native.action_id(_check.text("action", name))

    def apply(self, id: int) -> None:
        """Plays the action with this id.

        Raises:
            IllegalAction: it is not legal, or the round is over. Nothing has changed.
        """
        if self._native.advance(id) is None:
            raise refused(self._native, id, self._names)

    def returns(self) -> list[float]:
        """The share of the win of each seat: 0 before the end of the round, and 1/N after a round without a winner. Final shares sum to 1."""
        return self._native.returns()

    def points(self) -> list[int]:
        """The points credited to each seat; zeros before the end of the round."""
        return self._native.points()

    def observation(self, seat: int) -> dict[str, Any]:
        """The observation of a seat, with cards in the notation."""
        return self._native.observation(self._seat(seat))

    def tensor(self, seat: int) -> npt.NDArray[np.uint8]:
        """The observation of a seat, as bytes: a row of `VecEnv` with `history=0`."""
        return self._native.tensor(self._seat(seat))

    def information_state(self, seat: int) -> str:
        """Everything that a seat has observed and chosen, in order."""
        return self._native.information_state(self._seat(seat))

    def sample_state(self, seat: int, seed: int) -> Round:
        """Returns a random round that the seat cannot distinguish from this one, with the unseen cards dealt again.

        The hands satisfy every fact that the rules and `voluntary_draw` imply about earlier actions. The sampled round has no record.
        """
        return self._of(self._native.sample_state(self._seat(seat), _check.natural("seed", seed)), self._names)

    def clone(self) -> Round:
        """Returns a copy of this round with the same future random events. Playing the copy does not change this round."""
        return self._of(self._native.clone(), self._names)

    def _seat(self, seat: int) -> int:
        return _check.natural("seat", seat, 0, self.seats - 1)

    def __copy__(self) -> Round:
        return self.clone()

    def __deepcopy__(self, memo: object) -> Round:
        return self.clone()

    def record(self) -> str:
        """The round so far as JSON Lines, which `unolab replay` reads.

        Raises:
            ValueError: the round was sampled, so it has no record.
        """
        return self._native.record()

    def __str__(self) -> str:
        return str(self._native)

    def _repr_html_(self) -> str:
        """The position with all hands, for notebooks."""
        return as_html(as_it_is([self.observation(seat) for seat in range(self.seats)]))

    def __repr__(self) -> str:
        where = "over" if self.is_terminal else f"seat {self.current_seat}: {self.decision}"
        return f"<Round {self.variant}, {self.seats} seats, {where}>"

    def __reduce__(self) -> tuple[object, ...]:
        return _restore, self._native.state()


def refused(round: _native.Round, id: Any, names: list[str]) -> IllegalAction:
    """The error for an id that `advance` did not play; a `TypeError` if it is not a whole number."""
    return illegal(None, round.current_seat, _check.whole("action", id), round.legal_actions(), names)


def _restore(name: str, rules: str, seats: int, voluntary_draw: bool, recipe: str) -> Round:
    """The round with this state."""
    return Round._of(_native.Round.restore(name, rules, seats, voluntary_draw, recipe))
