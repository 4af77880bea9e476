"""Calculations for the report on search with net in its rollouts."""

import math

from tables import Estimate, csv, step

#: The steps with the chosen settings on fresh deals, by budget.
BUDGETS = {"fresh-32": 32, "fresh-128": 128, "fresh-512": 512}
#: The steps by which the settings were chosen: the rollouts per decision (except for trees), and the setting.
TRIED = {
    "two-32": (32, "default belief"),
    "two-128": (128, "default belief"),
    "two-512": (512, "default belief"),
    "uniform": (512, "unseen cards dealt uniformly (`belief=uniform`)"),
    "no-prior": (128, "without the network's values as a prior (`net=0`)"),
    "rules": (128, "rule-based players in the rollouts (default `policy` and `own`)"),
    "to-the-end": (128, "rollouts played to the end (`laps=0`)"),
    "trees": ("", "trees of decisions (`ismcts:iterations=64,playouts=1`)"),
}
#: The target of the share against `net`, by number of players, in percent.
GOALS = {2: 55}


def _row(out):
    (row,) = [row for row in csv(f"search-net/{out}/luck.csv").all if row.entrant != "net"]
    return row


def won(out):
    """The luck-adjusted win share of a step's search agent, in percent."""
    row = _row(out)
    return Estimate(row.win_share_adjusted, row.ci_low_adjusted, row.ci_high_adjusted) * 100


def raw(out):
    """Its win share without the adjustment, in percent."""
    row = _row(out)
    return Estimate(row.win_share, row.ci_low, row.ci_high) * 100


def agent(out):
    """The search agent of a step, with its options."""
    return step("search-net", out)["agents"].removesuffix(",net")


def gain(more, less):
    """The difference between two steps' shares, in percentage points, as if their deals were independent."""
    a, b = won(more), won(less)
    half = math.hypot(a.half, b.half)
    return Estimate(a.value - b.value, a.value - b.value - half, a.value - b.value + half)


def deals(out):
    return int(step("search-net", out)["sets"])


def default(seats):
    """The share of `ismcts` with its default settings against net, from the study of search, in percent."""
    out = f"search/{'two' if seats == 2 else 'four'}-seats-net/summary.csv"
    return csv(out).row(entrant="ismcts:iterations=1000").estimate("win_share") * 100


#: The results with an option that was removed again: players, rollouts, deals, and luck-adjusted win share.
LEAF = [
    ("2", "32", "1,500", "51.1 ± 1.2"),
    ("2", "128", "1,500", "51.4 ± 1.3"),
    ("2", "512", "1,200", "50.9 ± 1.5"),
    ("2", "2,048", "400", "50.0 ± 2.9"),
    ("4", "512", "250", "23.3 ± 2.2"),
]
LEAF_AGENT = "monte-carlo:rollouts=512,policy=net,own=net,leaf=net,laps=8,net=100"
LEAF_COMMAND = f"unolab match --agents {LEAF_AGENT},net --variant classic --seats 2 --sets 1200 --seed 61 --luck"
LEAF_COMMIT = "dfafaed3"
LEAF_SOURCE = f"{LEAF_COMMAND} and the same with other numbers, built from commit {LEAF_COMMIT}"
