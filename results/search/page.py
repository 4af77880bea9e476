"""The arithmetic of the page on searching."""

import math

from tables import Estimate, csv, fair, step, variant

ISMCTS = [16, 32, 64, 128, 256, 512]
MONTE_CARLO = [64, 128, 256, 512, 1024, 2048]
COLUMNS = [("classic", 2), ("classic", 4), ("disney", 2), ("disney", 4)]
JUDGED = step("search", "matches")["agents"].split(",")
SEATS = [2, 4]
CHOICES = range(2, 9)
ISMCTS_JUDGED = JUDGED[-1]
TARGET = variant("search/matches", "classic")["match"]["target"]
# Where the times of a decision are from: a run of the command that the page names.
CHECKED = "unolab check, once"


def _summary(folder):
    return csv(f"search/{folder}/summary.csv")


def agent(folder):
    """The searching player of a step, with its options: what comes before mixbot."""
    return step("search", folder)["agents"].removesuffix(",mixbot")


def share(folder, seats, edition="classic"):
    """The share of a step's searching player among mixbots, in per cent."""
    return _summary(folder).row(entrant=agent(folder), variant=edition, seats=seats).estimate("win_share") * 100


def deals(folder):
    return int(step("search", folder)["sets"])


def heuristic(seats):
    """What heuristic wins in the same place, from the league."""
    table = csv("league/heuristic-mixbot/summary.csv")
    return table.row(entrant="heuristic", variant="classic", seats=seats).estimate("win_share") * 100


def best_folder(seats):
    return "two-seats" if seats == 2 else "four-seats"


def way(seats):
    """The part of the way from a fair share to clairvoyant's that ismcts has come, with an interval by the delta method."""
    near, far = share(best_folder(seats), seats) - fair(seats), share("clairvoyant", seats) - fair(seats)
    value = near.value / far.value
    half = value * math.hypot(near.half / near.value, far.half / far.value)
    return Estimate(value, value - half, value + half)


def gain(more, less, seats, edition="classic"):
    """The difference between two steps' players, in percentage points, as if their deals were independent."""
    a, b = share(more, seats, edition), share(less, seats, edition)
    half = math.hypot(a.half, b.half)
    return Estimate(a.value - b.value, a.value - b.value - half, a.value - b.value + half)


def points(folder, entrant):
    """Points a round; their interval is as many standard errors wide as that of the share in the same row."""
    row = _summary(folder).row(entrant=entrant)
    half = row.estimate("win_share").half / row.se * row.points_se
    return Estimate(row.points_mean, row.points_mean - half, row.points_mean + half)


def judged(player, choices=""):
    """How good a player's decisions are, among those with this many legal actions, or all."""
    return csv("search/quality/quality.csv").row(agent=player, actions=choices)


def best_judged(column, choices=""):
    """The player that is highest in a column."""
    return max(JUDGED, key=lambda player: getattr(judged(player, choices), column))


def worst_judged(column, choices=""):
    return min(JUDGED, key=lambda player: getattr(judged(player, choices), column))


def steps_up():
    """What each row of few deals gains on the row before, in each column."""
    ladders = {"ismcts": ISMCTS, "monte-carlo": MONTE_CARLO}
    return [
        gain(f"{player}-{more}", f"{player}-{less}", seats, edition)
        for player, budgets in ladders.items()
        for less, more in zip(budgets, budgets[1:])
        if deals(f"{player}-{more}") == deals("ismcts-512")
        for edition, seats in COLUMNS
    ]


def told_apart():
    return [one for one in steps_up() if not one.contains(0)]


def best_budget():
    """The budget at which monte-carlo wins most of the classic game at two seats."""
    return max(MONTE_CARLO, key=lambda budget: share(f"monte-carlo-{budget}", 2).value)
