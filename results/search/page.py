"""Calculations for the search report."""

import math

from tables import Estimate, csv, fair, left_by, step, variant

FIELDS = ["mixbot", "heuristic", "net"]
RULE_FIELDS = ["mixbot", "heuristic"]
SEATS = [2, 4]
BUDGETS = [32, 128, 512, 1000, 2048, 8192]
# The fields for each budget with the values of the large network.
LARGE_BUDGETS = {32: FIELDS, 128: FIELDS, 512: ["net"], 1000: FIELDS, 2048: ["net"], 8192: ["net"]}
# The largest budgets, whose win shares against `net` are luck-adjusted.
LUCK_ADJUSTED = [2048, 8192]
# The budgets at which the page compares both networks, and the largest one.
SHORT, USUAL, LONG = 128, 1000, 8192
# The target for the gain against `net` with four times the iterations, in percentage points.
GOAL_PER_FOURFOLD = 0.5
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
# The target win shares, in percent, by field and number of players.
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


def won(directory):
    """The win share of a step's search agent with two players, in percent; luck-adjusted if the step is."""
    _, budget, field = directory.split("-")
    if field != "net" or int(budget) not in LUCK_ADJUSTED:
        return share(directory, 2)
    row = csv(f"search/{directory}/luck.csv").row(entrant=agent(directory))
    return Estimate(row.win_share_adjusted, row.ci_low_adjusted, row.ci_high_adjusted) * 100


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


def large(field, budget=USUAL):
    """The win share of the search with the large network's values in a field, with two players; None if it was not played."""
    if field not in LARGE_BUDGETS[budget]:
        return None
    return won(f"large-{budget}-{field}")


def best_large(field):
    """The largest of these win shares in a field."""
    return max((large(field, budget) for budget in LARGE_BUDGETS if large(field, budget)), key=lambda one: one.value)


def large_gain(budget):
    """The gain of a budget over the smallest one against `net`, with the large network."""
    return _difference(large("net", budget), large("net", BUDGETS[0]))


def large_advantage(field, budget):
    """The difference between the search with the large and with the default network."""
    return _difference(large(field, budget), by_budget(budget, field))


def by_field():
    """The panels of the figure: the share of classic rounds that each agent wins in each field, by table size."""

    def rows(seats):
        for field in FIELDS:
            if seats == 2:
                yield f"{agent('large-1000-mixbot')} among {field}", large(field)
            yield f"{agent('two-seats-mixbot')} among {field}", against(field, seats)
            for player in ["net", "heuristic"]:
                if other(player, field, seats):
                    yield f"{player} among {field}", other(player, field, seats)

    return [(f"{seats} players", fair(seats), list(rows(seats))) for seats in SEATS]


def of_budget(budget, field):
    """The step with this budget in a field."""
    return f"two-seats-{field}" if budget == USUAL else f"ismcts-{budget}-{field}"


def by_budget(budget, field):
    """The win share with this budget in a field."""
    return share(of_budget(budget, field), 2) if budget == USUAL else won(of_budget(budget, field))


def gain_of_budget(budget, field):
    """The gain of a budget over the smallest one in a field."""
    return _difference(by_budget(budget, field), by_budget(BUDGETS[0], field))


def budgets():
    """The panels of the figure of budgets: the share of rounds won in each field, by iterations."""

    def rows(field):
        return [(f"{budget:,}", by_budget(budget, field)) for budget in BUDGETS]

    def large_rows(field):
        return [(f"{budget:,}, large", large(field, budget)) for budget in LARGE_BUDGETS if large(field, budget)]

    return [(f"among {field}", fair(2), rows(field) + large_rows(field)) for field in FIELDS]


def gap_closed(seats):
    """The share of ismcts on a scale from the fair share (0) to clairvoyant (1), with an interval by the delta method."""
    near, far = against("mixbot", seats) - fair(seats), share("clairvoyant", seats) - fair(seats)
    value = near.value / far.value
    half = value * math.hypot(near.half / near.value, far.half / far.value)
    return Estimate(value, value - half, value + half)


def _difference(more, less):
    """The difference of two shares, as if their deals were independent."""
    half = math.hypot(more.half, less.half)
    return Estimate(more.value - less.value, more.value - less.value - half, more.value - less.value + half)


def gain(more, less, seats=2, edition="classic"):
    """The difference between two steps' players, in percentage points."""
    return _difference(share(more, seats, edition), share(less, seats, edition))


def per_fourfold(total, budget):
    """The gain for four times the iterations, if this is the total from the smallest budget to this one."""
    return total.value / math.log(budget / BUDGETS[0], 4)


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
