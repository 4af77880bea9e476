"""Calculations for the report on search ablations."""

from tables import csv, step

#: The steps among mixbots with four players, with the change made in each.
TRIED = {
    "budget": "four times the budget (`iterations=4000`)",
    "no-net": "without the network's values (`net=0`)",
    "light-net": "a third of the weight for the network's values (`net=100`)",
    "uniform": "unseen cards dealt uniformly (`belief=uniform`)",
    "own-mixbot": "`mixbot` in its own seat in rollouts (`own=mixbot`)",
    "curious": "five times the exploration (`explore=0.5`)",
    "cut": "rollouts end after three turns of every seat and are evaluated by the hands (`laps=3`)",
}
#: The targets of `ismcts:iterations=1000` with four players.
GOALS = {"mixbot": 32, "heuristic": 29}


def share(path, seats):
    """The win share of a step's search agent, in percent."""
    (row,) = [row for row in csv(f"{path}/summary.csv").all if row.seats == seats and row.entrant.startswith("ismcts")]
    return row.estimate("win_share") * 100


def won(tried, seats=4):
    return share(f"search-tried/{tried}", seats)


def usual(field, seats=4):
    """The default search, on the same deals."""
    return share(f"search/{'two' if seats == 2 else 'four'}-seats-{field}", seats)


def deals(tried):
    return int(step("search-tried", tried)["sets"])


def clairvoyant():
    (row,) = [row for row in csv("search/clairvoyant/summary.csv").all if row.seats == 4 and row.entrant.startswith("clairvoyant")]
    return row.estimate("win_share") * 100
