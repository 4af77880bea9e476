"""`Adviser`: the action of an agent in a game that another program plays."""

from __future__ import annotations

import os
from collections.abc import Sequence

from . import _check, _native

__all__ = ["Adviser"]


class Adviser:
    """An agent that chooses actions for single turns of games that another program plays.

    The agent receives only the description of the turn, and does not remember earlier turns. Cards, colors, and actions are
    written in the notation.

    Args:
        agent: the agent's name and options, such as `"net"` or `"ismcts:iterations=200"`.
        variant: the name of an edition (see `variants()`) or the path of a variant file.
        seats: the number of seats.
        overrides: changes to the rules, written `"key=value"`, to match the rules of the other program.
        seed: the seed of the agent's random numbers.
    """

    __slots__ = ("_native", "_seats")

    def __init__(
        self,
        agent: str = "net",
        variant: str | os.PathLike[str] = "classic",
        seats: int = 2,
        *,
        overrides: Sequence[str] = (),
        seed: int = 1,
    ) -> None:
        self._seats = _check.natural("seats", seats, 2, _check.MOST_SEATS)
        self._native = _native.Adviser(
            _check.text("agent", agent),
            _check.path("variant", variant),
            self._seats,
            _check.texts("overrides", overrides),
            _check.natural("seed", seed),
        )

    @property
    def agent(self) -> str:
        """The agent's name and options."""
        return self._native.agent

    def choose(
        self,
        hand: Sequence[str],
        discard: Sequence[str],
        hand_sizes: Sequence[int],
        *,
        seat: int = 0,
        color: str | None = None,
        direction: str = "left",
    ) -> str:
        """The action that the agent chooses in this turn, such as `play r7`.

        Args:
            hand: the cards of the seat whose turn it is, such as `["r7", "W"]`.
            discard: the discard pile, the top card last.
            hand_sizes: the number of cards in each seat's hand, including the hand of `seat`.
            seat: the seat whose turn it is.
            color: the current color, `r`, `y`, `g` or `b`; required if the top card is wild.
            direction: the direction of play: `left` (0, 1, 2) or `right`.

        Raises:
            ValueError: the turn is not possible under these rules.
        """
        return self._native.choose(
            _check.natural("seat", seat, 0, self._seats - 1),
            " ".join(_check.texts("hand", hand)),
            [_check.natural("hand_sizes", size, 0, 2**32 - 1) for size in _check.listed("hand_sizes", hand_sizes)],
            " ".join(_check.texts("discard", discard)),
            None if color is None else _check.text("color", color),
            _check.text("direction", direction),
        )

    def __repr__(self) -> str:
        return f"Adviser({self.agent!r})"
