"""Calculations for the search report."""

import math

from tables import Estimate, csv, fair, left_by, step, variant

FIELDS = ["mixbot", "heuristic", "net"]
RULE_FIELDS = ["mixbot", "heuristic"]
SEATS = [2, 4]
BUDGETS = [32, 128, 512, 1000, 2048, 8192]
# The budgets that played against `net`.
BUDGETS_AGAINST_NET = [32, 128, 1000]
# The components of a search that are changed, with their names in the report.
PARTS = {
    "whole": "unchanged",
    "no-net": "without the network's values (`net=0`)",
    "no-stop": "always the whole budget (`sure=0`)",
    "uniform": "unseen cards dealt uniformly (`belief=uniform`)",
    "two-policies": "other players play like `mixbot` or `heuristic` (`policy=mixbot+heuristic`)",
}
EDITIONS = ["wimpy-kid", "swap-hands", "custom", "cars", "disney"]
SIZES = [2, 4, 6]
JUDGED = step("search", "matches")["agents"].split(",")
CHOICES = range(2, 9)
ISMCTS_JUDGED = JUDGED[-1]
TARGET = variant("search/matches", "classic")["match"]["target"]
# The win shares that were to be reached, in percent, by field and number of players.
GOALS = {
    ("net", 2): 55,
    ("mixbot", 2): 72,
    ("heuristic", 2): 68,
    ("net", 4): 26.5,
    ("mixbot", 4): 31.5,
    ("heuristic", 4): 29,
}


def _summary(directory):
    return csv(f"search/{directory}/summary.csv")


def agent(directory):
    """The search agent of a step, with its options: the text before the field."""
    return step("search", directory)["agents"].rpartition(",")[0]


def share(directory, seats, edition="classic"):
    """The win share of a step's search agent in its field, in percent."""
    return _summary(directory).row(entrant=agent(directory), variant=edition, seats=seats).estimate("win_share") * 100


def deals(directory):
    return int(step("search", directory)["sets"])


def against(field, seats):
    """The win share of the default search in a field."""
    return share(f"{'two' if seats == 2 else 'four'}-seats-{field}", seats)


def other(player, field, seats):
    """The win share of another agent in the same field, from other studies; None if it was not played."""
    if player == field:
        return None
    copies = csv(f"league/{player}/summary.csv").row(entrant=field, variant="classic", seats=seats)
    return left_by(copies.estimate("win_share") * 100, seats)


def by_field():
    """The panels of the figure: the share of classic rounds that each agent wins in each field, by table size."""

    def rows(seats):
        for field in FIELDS:
            yield f"{agent('two-seats-mixbot')} among {field}", against(field, seats)
            for player in ["net", "heuristic"]:
                if other(player, field, seats):
                    yield f"{player} among {field}", other(player, field, seats)

    return [(f"{seats} players", fair(seats), list(rows(seats))) for seats in SEATS]


def of_budget(budget, field):
    """The step with this budget in a field; None if it was not played."""
    if field == "net" and budget not in BUDGETS_AGAINST_NET:
        return None
    return f"two-seats-{field}" if budget == 1000 else f"ismcts-{budget}-{field}"


def by_budget(budget, field):
    """The win share with this budget in a field; None if it was not played."""
    return of_budget(budget, field) and share(of_budget(budget, field), 2)


def budgets():
    """The panels of the figure of budgets: the share of rounds won in each field, by iterations."""

    def rows(field):
        return [(f"{budget:,}", by_budget(budget, field)) for budget in BUDGETS if by_budget(budget, field)]

    return [(f"among {field}", fair(2), rows(field)) for field in FIELDS]


def gap_closed(seats):
    """The share of ismcts on a scale from the fair share (0) to clairvoyant (1), with an interval by the delta method."""
    near, far = against("mixbot", seats) - fair(seats), share("clairvoyant", seats) - fair(seats)
    value = near.value / far.value
    half = value * math.hypot(near.half / near.value, far.half / far.value)
    return Estimate(value, value - half, value + half)


def gain(more, less, seats=2, edition="classic"):
    """The difference between two steps' players, in percentage points, as if their deals were independent."""
    a, b = share(more, seats, edition), share(less, seats, edition)
    half = math.hypot(a.half, b.half)
    return Estimate(a.value - b.value, a.value - b.value - half, a.value - b.value + half)


def gain_per_fourfold(more, less, factor):
    """The gain of `more` over `less` per fourfold budget, if its budget is this factor larger."""
    return gain(more, less).value / math.log(factor, 4)


def behind():
    """The tables of other editions, among heuristics, at which search is significantly below the fair share."""
    places = [(edition, seats) for edition in EDITIONS for seats in SIZES]
    return [f"{edition} with {seats} players" for edition, seats in places if share("editions", seats, edition).below(fair(seats))]


def ahead():
    """The number of tables at which it is significantly above the fair share."""
    return sum(share("editions", seats, edition).above(fair(seats)) for edition in EDITIONS for seats in SIZES)


def points(directory, entrant):
    """Points per round; the interval is as many standard errors wide as the interval of the share in the same row."""
    row = _summary(directory).row(entrant=entrant)
    half = row.estimate("win_share").half / row.se * row.points_se
    return Estimate(row.points_mean, row.points_mean - half, row.points_mean + half)


def judged(player, choices=""):
    """The quality of a player's decisions with this many legal actions, or of all its decisions."""
    return csv("search/quality/quality.csv").row(agent=player, actions=choices)


def best_judged(column, choices=""):
    """The player with the highest value in a column."""
    return max(JUDGED, key=lambda player: getattr(judged(player, choices), column))


def worst_judged(column, choices=""):
    return min(JUDGED, key=lambda player: getattr(judged(player, choices), column))
