"""The arithmetic of the page on searching."""

import math

from tables import Estimate, csv, fair, left_by, step, variant

FIELDS = ["mixbot", "heuristic", "net"]
RULE_FIELDS = ["mixbot", "heuristic"]
SEATS = [2, 4]
BUDGETS = [32, 128, 512, 2048, 8192]
# What is left out of a search, or put in, and what the page calls it.
PARTS = {
        "whole": "unchanged",
    "no-net": "without the net's values (`net=0`)",
    "no-stop": "always the whole budget (`sure=0`)",
    "uniform": "unseen cards dealt uniformly (`belief=uniform`)",
        "two-policies": "others play like `mixbot` or `heuristic` (`policy=mixbot+heuristic`)",
}
EDITIONS = ["wimpy-kid", "swap-hands", "custom", "cars", "disney"]
SIZES = [2, 4, 6]
JUDGED = step("search", "matches")["agents"].split(",")
CHOICES = range(2, 9)
ISMCTS_JUDGED = JUDGED[-1]
TARGET = variant("search/matches", "classic")["match"]["target"]


def _summary(folder):
    return csv(f"search/{folder}/summary.csv")


def agent(folder):
    """The searching player of a step, with its options: what comes before the field."""
    return step("search", folder)["agents"].rpartition(",")[0]


def share(folder, seats, edition="classic"):
    """The share of a step's searching player in its field, in per cent."""
    return _summary(folder).row(entrant=agent(folder), variant=edition, seats=seats).estimate("win_share") * 100


def deals(folder):
    return int(step("search", folder)["sets"])


def against(field, seats):
    """What the usual search wins in a field."""
    return share(f"{'two' if seats == 2 else 'four'}-seats-{field}", seats)


def other(player, field, seats):
    """What another player wins in the same place, from other studies; nothing where it was not played."""
    if player == field:
        return None
    copies = csv(f"league/{player}/summary.csv").row(entrant=field, variant="classic", seats=seats)
    return left_by(copies.estimate("win_share") * 100, seats)


def by_field():
    """What the figure shows: the share of classic rounds that each player wins in each field, by the number of seats."""

    def rows(seats):
        for field in FIELDS:
            yield f"{agent('two-seats-mixbot')} among {field}", against(field, seats)
            for player in ["net", "heuristic"]:
                if other(player, field, seats):
                    yield f"{player} among {field}", other(player, field, seats)

    return [(f"{seats} seats", fair(seats), list(rows(seats))) for seats in SEATS]


def way(seats):
    """The part of the way from a fair share to clairvoyant's that ismcts has come, with an interval by the delta method."""
    near, far = against("mixbot", seats) - fair(seats), share("clairvoyant", seats) - fair(seats)
    value = near.value / far.value
    half = value * math.hypot(near.half / near.value, far.half / far.value)
    return Estimate(value, value - half, value + half)


def gain(more, less, seats=2, edition="classic"):
    """The difference between two steps' players, in percentage points, as if their deals were independent."""
    a, b = share(more, seats, edition), share(less, seats, edition)
    half = math.hypot(a.half, b.half)
    return Estimate(a.value - b.value, a.value - b.value - half, a.value - b.value + half)


def behind():
    """The places among heuristics, apart from the classic game, where search is shown to be behind."""
    places = [(edition, seats) for edition in EDITIONS for seats in SIZES]
    return [f"{edition} at {seats} seats" for edition, seats in places if share("editions", seats, edition).below(fair(seats))]


def ahead():
    """The number of places where it is shown to be ahead."""
    return sum(share("editions", seats, edition).above(fair(seats)) for edition in EDITIONS for seats in SIZES)


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
