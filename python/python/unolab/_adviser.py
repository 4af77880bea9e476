"""`Adviser`: what an agent would play in a game that is played elsewhere."""

from __future__ import annotations

import operator
from collections.abc import Sequence

from . import _native

__all__ = ["Adviser"]


class Adviser:
    """An agent that is asked about single turns: for games that another program plays.

    It is told what the seat sees in this turn, and remembers nothing of the turns before. Cards, colours and actions are
    those of the notation.

    Args:
        agent: its name and options, such as `"net"` or `"ismcts:iterations=200"`.
        variant: the name of an edition (see `variants()`) or the path of a variant file.
        seats: how many seats.
        overrides: changes to the rules, written `"key=value"`: what the other program plays by.
        seed: of the agent's random numbers.
    """

    __slots__ = ("_native",)

    def __init__(
        self,
        agent: str = "net",
        variant: str = "classic",
        seats: int = 2,
        *,
        overrides: Sequence[str] = (),
        seed: int = 1,
    ) -> None:
        if isinstance(overrides, str):
            raise TypeError("overrides is a list of texts, not one text")
        self._native = _native.Adviser(agent, variant, operator.index(seats), list(overrides), operator.index(seed))

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
            hand_sizes: the number of cards in each hand, its own too.
            seat: whose turn it is.
            color: the colour in force, `r`, `y`, `g` or `b`; needed where the top card is wild.
            direction: which way play goes: `left` (0, 1, 2) or `right`.

        Raises:
            ValueError: this cannot be a turn of these rules.
        """
        cards, pile = " ".join(hand), " ".join(discard)
        sizes = [operator.index(size) for size in hand_sizes]
        return self._native.choose(operator.index(seat), cards, sizes, pile, color, direction)

    def __repr__(self) -> str:
        return f"Adviser({self.agent!r})"
