"""Calculations for the report on other projects' rules."""

import re

from tables import RESULTS, Estimate, csv, fair, step

AGENTS = ["mixbot", "heuristic", "net", "ismcts"]
SEATS = [2, 6]
#: The published win share of UnoAI's best bot, MixBot2, against random players, in percent of ten million games.
PUBLISHED = {2: 68.8, 6: 24.2}
RLCARD_AGENTS = ["dqn", "random", "greedy", "mixbot", "heuristic", "net"]
RLCARD_OPPONENTS = ["random", "uno-rule-v1", "dqn"]


def share(agent, seats):
    """The win share of an agent against random players under UnoAI's rules, in percent."""
    (row,) = [row for row in csv(f"elsewhere/{agent}/summary.csv").all if row.seats == seats and row.entrant.startswith(agent)]
    return row.estimate("win_share") * 100


def deals(agent):
    return int(step("elsewhere", agent)["sets"])


def in_rlcard(agent, opponent):
    """The win share in RLCard's UNO, in percent."""
    row = csv("elsewhere/rlcard.csv").row(agent=agent, opponent=opponent)
    return Estimate(row.win_share, row.ci_low, row.ci_high) * 100


def games():
    return csv("elsewhere/rlcard.csv").row(agent="net", opponent="random").games


def strayed():
    return sum(row.strayed for row in csv("elsewhere/rlcard.csv").all)


def learner(name):
    """A setting of the DQN agent, read from its training script."""
    program = (RESULTS.parent / "benches/peers/in_rlcard.py").read_text()
    return int(re.search(rf"^{name} = ([\d_]+)$", program, re.MULTILINE)[1])
