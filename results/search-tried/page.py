"""The arithmetic of the page on what was tried with the search."""

from tables import csv, step

#: The steps among mixbots at four seats, and what is different in each.
TRIED = {
    "budget": "four times the budget (`iterations=4000`)",
    "no-net": "without the net's values (`net=0`)",
    "light-net": "the net's values weigh a third (`net=100`)",
    "uniform": "unseen cards dealt uniformly (`belief=uniform`)",
    "own-mixbot": "it plays like `mixbot` itself in its rollouts (`own=mixbot`)",
    "curious": "its trees explore five times as much (`explore=0.5`)",
    "cut": "rollouts end after three laps, and the hands are judged (`laps=3`)",
}
#: What we had hoped that `ismcts:iterations=1000` would reach at four seats.
GOALS = {"mixbot": 32, "heuristic": 29}


def share(path, seats):
    """What the searching player of a step wins, in per cent."""
    (row,) = [row for row in csv(f"{path}/summary.csv").all if row.seats == seats and row.entrant.startswith("ismcts")]
    return row.estimate("win_share") * 100


def won(tried, seats=4):
    return share(f"search-tried/{tried}", seats)


def usual(field, seats=4):
    """The search as it is, on the same deals."""
    return share(f"search/{'two' if seats == 2 else 'four'}-seats-{field}", seats)


def deals(tried):
    return int(step("search-tried", tried)["sets"])


def clairvoyant():
    (row,) = [row for row in csv("search/clairvoyant/summary.csv").all if row.seats == 4 and row.entrant.startswith("clairvoyant")]
    return row.estimate("win_share") * 100
