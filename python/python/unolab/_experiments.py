"""Sequential tests, leagues, the balance of a variant, and training, with the options of the command line."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Literal

from . import _check
from ._agent import Agent
from ._command import SEATINGS, UNITS, Variants, run
from ._result import Result

Path = str | os.PathLike[str]


def sprt(
    a: str | Agent,
    b: str | Agent,
    variant: Path = "classic",
    seats: int = 2,
    *,
    nelo0: float = 0.0,
    nelo1: float = 5.0,
    alpha: float = 0.05,
    beta: float = 0.05,
    max_sets: int | None = None,
    seed: int = 1,
    threads: int = 0,
    out: Path | None = None,
    overrides: Sequence[str] = (),
    unit: Literal["round", "match"] = "round",
    luck: bool = False,
    resume: bool = False,
    progress: bool | None = None,
) -> Result:
    """Plays one agent against copies of another until a sequential test decides whether it is better.

    Args:
        a: the agent that is tested.
        b: the agent in all other seats.
        variant: an edition or a variant file.
        seats: the number of seats.
        nelo0: normalized Elo of `a` under the null hypothesis.
        nelo1: normalized Elo of `a` under the alternative.
        alpha: the probability of wrongly accepting the alternative.
        beta: the probability of wrongly accepting the null hypothesis.
        max_sets: the number of deals after which the test ends undecided.
        seed: the seed of the deals.
        threads: the number of threads; 0 for one per processor. It does not change the results.
        out: a directory for the tables.
        overrides: changes to the rules, written `"key=value"`.
        unit: the unit of a game.
        luck: whether to add a table with luck-adjusted results.
        resume: whether to continue the run in the directory.
        progress: whether a bar is shown.

    Returns:
        The table `sprt`, with one row per interim analysis; `verdict` in the last row is the decision.
    """
    options = {
        "agents": [a, b],
        "variant": _check.path("variant", variant),
        "set": _check.texts("overrides", overrides),
        "seats": _check.natural("seats", seats, 2, _check.MOST_SEATS),
        "nelo0": _check.real("nelo0", nelo0),
        "nelo1": _check.real("nelo1", nelo1),
        "alpha": _check.real("alpha", alpha),
        "beta": _check.real("beta", beta),
        "max_sets": None if max_sets is None else _check.whole("max_sets", max_sets),
        "seed": _check.natural("seed", seed),
        "unit": _check.one_of("unit", unit, UNITS),
        "luck": _check.flag("luck", luck),
        "resume": _check.flag("resume", resume),
    }
    return run("sprt", options, out, threads, progress)


def league(
    agents: Sequence[str | Agent],
    variant: Variants = "classic",
    seats: int | Sequence[int] = (4,),
    sets: int = 1000,
    *,
    seed: int = 1,
    threads: int = 0,
    out: Path | None = None,
    overrides: Sequence[str] = (),
    unit: Literal["round", "match"] = "round",
    seating: Literal["rotate", "all", "neighbor"] = "rotate",
    luck: bool = False,
    resume: bool = False,
    progress: bool | None = None,
) -> Result:
    """Plays seasons of a league: tiers of agents, with promotion and relegation. Arguments as in `tournament` and `sprt`."""
    options = {
        "format": "league",
        "agents": _check.not_empty("agents", _check.listed("agents", agents)),
        "variant": _check.paths("variant", variant),
        "set": _check.texts("overrides", overrides),
        "seats": _check.naturals("seats", seats, 2, _check.MOST_SEATS),
        "sets": _check.natural("sets", sets, 1, _check.MOST_SETS),
        "seed": _check.natural("seed", seed),
        "unit": _check.one_of("unit", unit, UNITS),
        "seating": _check.one_of("seating", seating, SEATINGS),
        "luck": _check.flag("luck", luck),
        "resume": _check.flag("resume", resume),
    }
    return run("tournament", options, out, threads, progress)


def balance(
    variant: Variants = "classic",
    seats: int | Sequence[int] = (2, 4),
    sets: int = 2000,
    *,
    agents: Sequence[str | Agent] = ("heuristic",),
    matches: int | None = None,
    sweep: Sequence[str] = (),
    arm: Sequence[str] = (),
    card_effect: Sequence[str] = (),
    strong: str | Agent = "heuristic",
    weak: str | Agent = "random",
    budget_scaling: str | None = None,
    doublings: int | None = None,
    margin: float | None = None,
    seed: int = 1,
    threads: int = 0,
    out: Path | None = None,
    overrides: Sequence[str] = (),
    seating: Literal["rotate", "all", "neighbor"] = "rotate",
    resume: bool = False,
    progress: bool | None = None,
) -> Result:
    """Measures the balance of a variant: fairness, length, excitement, the share of luck, and the effects of its cards and rules.

    Args:
        variant: an edition, a variant file, or several.
        seats: the number of seats, or several numbers.
        sets: the number of deals of single rounds.
        agents: the agents, which fill the seats in order, repeated until the table is full.
        matches: the number of deals of whole matches; by default a twentieth of `sets`.
        sweep: a rule key and the values to try, such as `"house.stacking=off,any_draw"`.
        arm: rule changes made together, such as `"house.jump_in=true; deal.hand_size=5"`.
        card_effect: cards whose effect is measured, such as `"wild_draw_four"`.
        strong: the strong agent, whose win share among weak agents measures skill.
        weak: the weak agent.
        budget_scaling: a search agent whose last option is its budget, which is doubled `doublings` times.
        doublings: the number of doublings.
        margin: the largest deviation of a seat from its fair share that still counts as fair; by default 0.02.
        seed, threads, out, overrides, seating, resume, progress: as in `tournament` and `sprt`.

    Returns:
        The tables `metrics`, `sweep` and `points`.
    """
    options = {
        "agents": _check.not_empty("agents", _check.listed("agents", agents)),
        "variant": _check.paths("variant", variant),
        "set": _check.texts("overrides", overrides),
        "seats": _check.naturals("seats", seats, 2, _check.MOST_SEATS),
        "sets": _check.natural("sets", sets, 1, _check.MOST_SETS),
        "matches": None if matches is None else _check.whole("matches", matches),
        "sweep": _check.texts("sweep", sweep),
        "arm": _check.texts("arm", arm),
        "card_effect": _check.texts("card_effect", card_effect),
        "strong": strong,
        "weak": weak,
        "budget_scaling": budget_scaling,
        "doublings": None if doublings is None else _check.whole("doublings", doublings),
        "margin": None if margin is None else _check.real("margin", margin),
        "seed": _check.natural("seed", seed),
        "seating": _check.one_of("seating", seating, SEATINGS),
        "resume": _check.flag("resume", resume),
    }
    return run("balance", options, out, threads, progress)


def train(
    out: Path,
    variant: Variants = "classic",
    seats: int | Sequence[int] = 2,
    *,
    opponents: Sequence[str] = ("heuristic", "mixbot"),
    start: Path | Sequence[Path] | None = None,
    pretrain: int = 5000,
    rounds: int = 5,
    choices: int = 4000,
    td_lambda: float = 0.8,
    discount: float = 0.995,
    pretrain_epsilon: float = 0.1,
    selfplay_epsilon: float = 0.05,
    override_margin: float = 0.0,
    test_games: int = 4000,
    seed: int = 1,
    threads: int = 0,
    overrides: Sequence[str] = (),
    resume: bool = False,
    progress: bool | None = None,
) -> Result:
    """Trains weights for the agent `net`: `"net:weights=OUT/weights.net"` plays with them.

    Args:
        out: the directory for the weights and the learning curve.
        variant: an edition, a variant file, or several.
        seats: the number of seats, or several numbers.
        opponents: the opponents of the net, in addition to its last champion.
        start: a file with initial weights (`--from`), or several, whose mean is the initial net.
        pretrain: thousands of decisions of `heuristic` to imitate first.
        rounds: the number of training iterations of self-play after that.
        choices: thousands of decisions of the net in each iteration.
        td_lambda: λ of TD(λ), from 0 to 1: the weight of the outcome of the round in a training target; the rest is the net's
            own estimate at its next decision.
        discount: the factor per decision by which a win is discounted, from 0 to 1.
        pretrain_epsilon: the share of random actions while the net imitates `heuristic`.
        selfplay_epsilon: the share of random actions in self-play.
        override_margin: by how much the log-odds of an action must be higher to replace the action of `heuristic`.
        test_games: the number of rounds in a test.
        seed, threads, overrides, resume, progress: as in `sprt`.

    Returns:
        The tables `curve` and `weights`.
    """
    options = {
        "variant": _check.paths("variant", variant),
        "set": _check.texts("overrides", overrides),
        "seats": _check.naturals("seats", seats, 2, _check.MOST_SEATS),
        "opponents": _check.listed("opponents", opponents),
        "from": None if start is None else _check.paths("start", start),
        "pretrain": _check.whole("pretrain", pretrain),
        "rounds": _check.whole("rounds", rounds),
        "choices": _check.whole("choices", choices),
        "td_lambda": _check.real("td_lambda", td_lambda),
        "discount": _check.real("discount", discount),
        "pretrain_epsilon": _check.real("pretrain_epsilon", pretrain_epsilon),
        "selfplay_epsilon": _check.real("selfplay_epsilon", selfplay_epsilon),
        "override_margin": _check.real("override_margin", override_margin),
        "test_games": _check.whole("test_games", test_games),
        "seed": _check.natural("seed", seed),
        "resume": _check.flag("resume", resume),
    }
    return run("train", options, out, threads, progress)
