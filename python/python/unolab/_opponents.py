"""The players in the seats other than the learner's: built-in agents, Python policies, or lists of both."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _check

Array = npt.NDArray[Any]
Candidate = str | tuple[int, str]


def answers_of(argument: str, policy: Any, obs: Array, mask: Array, info: dict[str, Any]) -> Array:
    """The actions that a policy chooses, one id per row, not yet checked against the rules."""
    answers = np.asarray(policy.act(obs, mask, info))
    if answers.dtype.kind not in "iu" or answers.shape != (len(obs),):
        name = getattr(policy, "name", type(policy).__name__)
        raise TypeError(
            f"{argument}: {name!r} returned {answers.dtype} of shape {answers.shape}; needed: integers of shape ({len(obs)},)"
        )
    return answers


class Opponents:
    """The opponents of an environment.

    `candidates` lists the possible players of each seat after the learner's; every game draws one of them. A player is the text
    of a built-in agent, or the number and the name of a policy.
    """

    def __init__(self, given: Any) -> None:
        self.policies: list[Any] = []
        seats = _check.listed("opponents", given)
        self.candidates = [self._seat(players) for players in seats]

    def players(self) -> list[list[Any]]:
        """The players of each seat, in a form that can be pickled if the policies can."""
        return [[each if isinstance(each, str) else self.policies[each[0]] for each in seat] for seat in self.candidates]

    def _seat(self, players: Any) -> list[Candidate]:
        several = list(players) if isinstance(players, Sequence) and not isinstance(players, str) else [players]
        return [self._candidate(player) for player in several]

    def _candidate(self, player: Any) -> Candidate:
        from ._agent import Agent

        if isinstance(player, str):
            return player
        if isinstance(player, Agent):
            return player.text
        if isinstance(player, type):
            raise TypeError(f"opponents: {player!r} is a class; needed: an object of it, such as {player.__name__}()")
        name = getattr(player, "name", None)
        if not isinstance(name, str) or not callable(getattr(player, "act", None)):
            raise TypeError(f"opponents: {player!r}; needed: the text of an agent, or a policy with a name and an act")
        numbers = [number for number, known in enumerate(self.policies) if known is player]
        if not numbers:
            self.policies.append(player)
            numbers = [len(self.policies) - 1]
        return numbers[0], name

    def ask(self, number: int, obs: Array, mask: Array, info: dict[str, Any]) -> Array:
        """The actions that a policy chooses, one id per row, after a check that they are legal."""
        policy = self.policies[number]
        answers = answers_of("opponents", policy, obs, mask, info)
        is_legal = (info["legal"] == answers[:, None]).any(axis=1) & (answers >= 0)
        if not is_legal.all():
            row = int(np.flatnonzero(~is_legal)[0])
            legal = info["legal"][row][: info["num_legal"][row]].tolist()
            raise ValueError(f"opponents: {policy.name!r} returned the action {answers[row]}; legal: {legal}")
        return answers.astype(np.int64)
