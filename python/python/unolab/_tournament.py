"""Tournaments, matches, and the analysis of records."""

from __future__ import annotations

import os
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from . import _check, _command, _native
from ._agent import Agent
from ._result import Bar, Result


class Policy:
    """A player written in Python, which decides in many positions at once.

    A subclass sets `name` and defines `act`; any other object with both also works. The mask excludes drawing when a card can
    be played, unless `voluntary_draw` is true. If `act` raises an exception or returns an illegal action for a position, the
    policy loses that game; the other games continue.
    """

    name: str = "policy"
    voluntary_draw: bool = False

    def act(self, obs: npt.NDArray[np.uint8], action_mask: npt.NDArray[np.uint8], info: dict[str, Any]) -> npt.ArrayLike:
        """Returns one action id for each row.

        Args:
            obs: the observation of each seat, as in `VecEnv`.
            action_mask: 1 where an action is legal.
            info: `legal`, `num_legal`, `to_play` as in `VecEnv`; `seed` (uint64), a random number for each row, for policies
                that play at random: it is the same in every run of the same spec, regardless of the other rows in the call.
                For the table, `variant`, `seats` and `rules_hash`, as in `VecEnv.spec`: rules may differ even if the
                variant's name and all shapes are the same.
        """
        raise NotImplementedError(f"{type(self).__name__} does not define act")


class _Asker:
    """Calls policies, and determines which position causes an exception."""

    def __init__(self, policies: Sequence[Any]) -> None:
        self.policies = list(policies)
        self.tracebacks: list[str] = []

    def __call__(
        self,
        number: int,
        obs: npt.NDArray[np.uint8],
        mask: npt.NDArray[np.uint8],
        legal: npt.NDArray[np.int16],
        num_legal: npt.NDArray[np.int16],
        to_play: npt.NDArray[np.int8],
        seeds: npt.NDArray[np.uint64],
        table: tuple[str, int, str],
    ) -> list[tuple[int | None, str]]:
        def ask(rows: slice) -> list[int]:
            info = {
                "legal": legal[rows],
                "num_legal": num_legal[rows],
                "to_play": to_play[rows],
                "seed": seeds[rows],
                "variant": table[0],
                "seats": table[1],
                "rules_hash": table[2],
            }
            said = np.asarray(self.policies[number].act(obs[rows], mask[rows], info))
            if said.dtype.kind not in "iu" or said.shape != (len(obs[rows]),):
                raise TypeError(
                    f"act gave {said.dtype} of shape {said.shape}; needed: integers of shape ({len(obs[rows])},)"
                )
            return [int(action) for action in said]

        def bounded(action: int) -> int:
            return action if -(2**63) <= action < 2**63 else -1

        try:
            return [(bounded(action), "") for action in ask(slice(None))]
        except Exception:
            pass  # the loop below calls the policy for each position separately, to find the cause
        answers: list[tuple[int | None, str]] = []
        for row in range(len(obs)):
            try:
                answers.append((bounded(ask(slice(row, row + 1))[0]), ""))
            except Exception as error:
                text = traceback.format_exc()
                if text not in self.tracebacks and len(self.tracebacks) < 100:
                    self.tracebacks.append(text)
                answers.append((None, f"{type(error).__name__}: {error}"))
        return answers


def _play(
    command: str,
    agents: Sequence[Any],
    variant: _command.Variants,
    seats: int | Sequence[int],
    sets: int,
    seed: int,
    threads: int,
    out: str | os.PathLike[str] | None,
    overrides: Sequence[str],
    unit: str,
    seating: str,
    progress: bool | None,
) -> Result:
    names: list[str] = []
    policies: list[tuple[str, bool]] = []
    players: list[Any] = []
    for agent in _check.not_empty("agents", _check.listed("agents", agents)):
        if isinstance(agent, str | Agent):
            names.append(agent if isinstance(agent, str) else agent.text)
            continue
        if isinstance(agent, type):
            raise TypeError(f"agents: {agent!r} is a class; needed: an object of it, such as {agent.__name__}()")
        name = getattr(agent, "name", None)
        if not isinstance(name, str) or not callable(getattr(agent, "act", None)):
            raise TypeError(f"agents: {agent!r} is neither a text nor a policy with a name and an act")
        if not name or any(letter in name for letter in ":,=()\"' \n") or name in _native.agents():
            raise ValueError(
                f"agents: {name!r} cannot be a policy's name; allowed: a word without :,=() or quotes that is not an agent's name"
            )
        known = [player for player, (other, _) in zip(players, policies, strict=True) if other == name]
        if known and known[0] is not agent:
            raise ValueError(f"agents: two policies are called {name!r}")
        if not known:
            policies.append((name, _check.flag("voluntary_draw", getattr(agent, "voluntary_draw", False))))
            players.append(agent)
        names.append(name)
    path = None if out is None else Path(_check.path("out", out))
    sets = _check.natural("sets", sets, 1, _check.MOST_SETS)
    threads = _check.natural("threads", threads, 0, _check.MOST_THREADS)
    spec: dict[str, Any] = {
        "seats": _check.naturals("seats", seats, 2, _check.MOST_SEATS),
        "sets": sets,
        "seed": _check.natural("seed", seed),
        "unit": _check.one_of("unit", unit, _command.UNITS),
        "seating": _check.one_of("seating", seating, _command.SEATINGS),
    }
    variants, changes = _check.paths("variant", variant), _check.texts("overrides", overrides)
    if _command.is_elsewhere():
        if players:
            raise TypeError(f"agents: {players[0].name!r}: a Python policy plays on one machine only")
        words = {"agents": names, "variant": variants, "set": changes, **spec}
        if command == "gauntlet":
            words["format"] = command
        name = "match" if command == "match" else "tournament"
        return _command.run(name, words, path, threads, progress)
    asker = _Asker(players)
    request = {
        "command": command,
        "agents": names,
        "variants": variants,
        "overrides": changes,
        "threads": threads,
        "out": None if path is None else str(path),
        **spec,
    }
    with Bar(progress, sets) as bar:
        tables = _native.play(request, policies, asker, bar.show)
    return Result(tables, path, asker.tracebacks)


def tournament(
    agents: Sequence[Any],
    variant: _command.Variants = "classic",
    seats: int | Sequence[int] = (4,),
    sets: int = 1000,
    seed: int = 1,
    threads: int = 0,
    out: str | os.PathLike[str] | None = None,
    *,
    overrides: Sequence[str] = (),
    unit: Literal["round", "match"] = "round",
    seating: Literal["rotate", "all", "neighbor"] = "rotate",
    format: Literal["roundrobin", "gauntlet"] = "roundrobin",
    progress: bool | None = None,
) -> Result:
    """Plays agents against each other in all combinations. Every combination plays the same deals in all its seatings.

    Args:
        agents: built-in agents such as `"heuristic"` or `"ismcts:iterations=200"`, and policies (see `Policy`). An `Agent` is
            played as its text.
        variant: an edition, a variant file, or several.
        seats: the number of seats, or several numbers.
        sets: the number of deals; every combination of agents plays each of them.
        seed: the seed of the deals.
        threads: the number of threads; 0 for one per processor. It does not change the results.
        out: a directory for the tables. It must be empty or contain a run of the same spec, which is replaced by equal tables. A
            run with a Python policy does not replace a finished run, because the spec does not describe the policy's play.
        overrides: changes to the rules, written `"key=value"`.
        unit: the unit of a game: a round, or a match to the target score.
        seating: the seatings in which each deal is played.
        format: `"gauntlet"` plays the first agent against each of the others.
        progress: whether a progress bar is shown, if tqdm is installed; by default only if there are many sets.
    """
    command = _check.one_of("format", format, ("roundrobin", "gauntlet"))
    return _play(command, agents, variant, seats, sets, seed, threads, out, overrides, unit, seating, progress)


def match(
    a: Any,
    b: Any,
    variant: _command.Variants = "classic",
    seats: int | Sequence[int] = 2,
    sets: int = 1000,
    seed: int = 1,
    threads: int = 0,
    out: str | os.PathLike[str] | None = None,
    *,
    overrides: Sequence[str] = (),
    unit: Literal["round", "match"] = "round",
    seating: Literal["rotate", "all", "neighbor"] = "rotate",
    progress: bool | None = None,
) -> Result:
    """Plays one agent against copies of another. Arguments as in `tournament`."""
    return _play("match", [a, b], variant, seats, sets, seed, threads, out, overrides, unit, seating, progress)


def analyze(
    record: str | os.PathLike[str],
    worlds: int | None = None,
    *,
    evaluator: str | os.PathLike[str] = "rollouts",
    policy: str | None = None,
    goal: Literal["win", "points", "match"] = "win",
    seed: int | None = None,
) -> Result:
    """Evaluates every decision of a game record.

    Args:
        record: the text of a record, as returned by `Round.record`, or the path of a record.
        worlds: the number of sampled deals of the unseen cards in which each action is played out; 400 by default.
        evaluator: "rollouts"; "net", which is much faster but reflects the errors of the net; or the path of a file of weights.
        policy: the agent that plays the rollouts; mixbot by default.
        goal: the value of a finished round. A net supports "win" and "points".
        seed: the seed of the deals; 1 by default.

    Returns:
        The tables `decisions`, `quality`, and `weaknesses`.
    """
    name = _check.path("record", record)
    if not name.strip():
        raise ValueError("record: an empty text; allowed: the text of a record, or the path of one")
    if name.lstrip().startswith("{"):
        name, text = "record", name.lstrip()
    else:
        text = Path(name).read_text(encoding="utf-8")
    tables = _native.analyze_record(
        name,
        text,
        _check.path("evaluator", evaluator),
        None if worlds is None else _check.natural("worlds", worlds, 2, 1_000_000),
        None if policy is None else _check.text("policy", policy),
        _check.text("goal", goal),
        None if seed is None else _check.natural("seed", seed),
    )
    return Result(tables, None)
