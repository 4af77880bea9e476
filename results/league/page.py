"""The arithmetic of the page on the league."""

import math

from tables import Estimate, csv, fair, mean, names, step

FIELD = step("league", "editions")["agents"].split(",")
SEARCHING = ["monte-carlo:rollouts=300", "ismcts:iterations=100", "clairvoyant:iterations=100"]
AGENTS = FIELD + ["net"] + SEARCHING
MONTE_CARLO, ISMCTS, CLAIRVOYANT = SEARCHING
EDITIONS = step("league", "editions")["variant"].split(",") + ["handheld"]
SIZES = [int(seats) for seats in step("league", "editions")["seats"].split(",")]
#: Editions whose deck has no cards but the classic ones.
PLAIN = {"classic", "custom", "handheld"}
HANDHELD_SIZES = [int(seats) for seats in step("league", "handheld")["seats"].split(",")]


def editions(seats):
    """The editions that are played at this number of seats."""
    return [edition for edition in EDITIONS if edition != "handheld" or seats in HANDHELD_SIZES]


def folder(agent):
    """The step in which this agent plays among mixbots."""
    name, _, options = agent.partition(":")
    return f"{name}{'-points' if options == 'goal=points' else ''}-mixbot"


def one(agent, edition, seats):
    """The share of one such player among mixbots, in per cent."""
    if agent == "mixbot":
        return Estimate(fair(seats), fair(seats), fair(seats))
    table = csv(f"league/{folder(agent)}{'-handheld' if edition == 'handheld' else ''}/summary.csv")
    return table.row(entrant=agent, variant=edition, seats=seats).estimate("win_share") * 100


def unfinished():
    """The players among mixbots, table by table, some of whose rounds nobody won."""
    folders = [folder(agent) + suffix for agent in AGENTS if agent != "mixbot" for suffix in ("", "-handheld")]
    rows = [row for path in folders for row in csv(f"league/{path}/summary.csv").all]
    return [row for row in rows if row.unfinished and row.entrant != "mixbot"]


def average(agent, seats):
    """The mean of `one` over the editions.

    Editions of the plain deck are dealt the same cards and may go up and down together: their errors are added. The others are
    taken as independent.
    """
    found = {edition: one(agent, edition, seats) for edition in editions(seats)}
    value = mean(list(found.values())).value
    together = sum(found[edition].half for edition in found if edition in PLAIN)
    apart = math.hypot(*(found[edition].half for edition in found if edition not in PLAIN))
    half = math.hypot(together, apart) / len(found)
    return Estimate(value, value - half, value + half)


def way(agent, seats):
    """The part of the way from random to clairvoyant that the mean has come."""
    low, high = average("random", seats).value, average(CLAIRVOYANT, seats).value
    return (average(agent, seats).value - low) / (high - low)


def strengths():
    """What the figure shows: every agent's mean over the editions, strongest first, by the number of seats."""
    return [
        (f"{seats} seats", fair(seats), sorted(((a, average(a, seats)) for a in AGENTS), key=lambda row: -row[1].value))
        for seats in SIZES
    ]


def best_way(seats):
    """How far the best player has come who sees only its own hand."""
    return max(way(agent, seats) for agent in AGENTS if agent != CLAIRVOYANT)


def minus(a, b):
    """The difference of two independent estimates."""
    half = math.hypot(a.half, b.half)
    return Estimate(a.value - b.value, a.value - b.value - half, a.value - b.value + half)


def edge(edition, seats):
    """What ismcts wins more than heuristic, each among mixbots, in percentage points."""
    return minus(one(ISMCTS, edition, seats), one("heuristic", edition, seats))


def ahead(seats):
    """The editions in which ismcts is shown to be ahead of heuristic."""
    return [edition for edition in editions(seats) if edge(edition, seats).above(0)]


def behind(seats):
    """The editions in which ismcts is shown to be behind heuristic."""
    return [edition for edition in editions(seats) if edge(edition, seats).below(0)]


def largest_edge(seats):
    return max(editions(seats), key=lambda edition: edge(edition, seats).value)


def best_rule_player(seats):
    return max(FIELD, key=lambda agent: average(agent, seats).value)


def where(editions):
    return f"in {names(editions)}" if editions else "nowhere"


def without(edition, seats):
    """The mean edge of ismcts over the other editions."""
    return mean([edge(other, seats) for other in editions(seats) if other != edition])


def field(agent, edition, seats):
    """The share of a rule player at every table of different ones, in per cent."""
    table = csv(f"league/{'handheld' if edition == 'handheld' else 'editions'}/summary.csv")
    return table.row(entrant=agent, variant=edition, seats=seats).estimate("win_share") * 100


def columns():
    return [(edition, seats) for seats in SIZES for edition in editions(seats)]


def ranking(edition, seats):
    """The rule players of a column, the highest share first."""
    return sorted(FIELD, key=lambda agent: -field(agent, edition, seats).value)


def place_is(place, agent):
    """The columns in which this agent has this place."""
    return [column for column in columns() if ranking(*column)[place - 1] == agent]


def others_lead():
    """The columns that heuristic does not lead, with their leaders, in words."""
    return [
        f"`{edition}` at {seats} seats (`{ranking(edition, seats)[0]}`)"
        for edition, seats in columns()
        if ranking(edition, seats)[0] != "heuristic"
    ]


def close_columns():
    """The columns whose first two intervals overlap, in words."""
    close = []
    for edition, seats in columns():
        first, second = (field(agent, edition, seats) for agent in ranking(edition, seats)[:2])
        if not first.above(second):
            close.append(f"`{edition}` at {seats}")
    return close


def head_to_head(edition, seats):
    return one("heuristic", edition, seats)


def all_above_fair():
    return all(head_to_head(edition, seats).above(fair(seats)) for edition, seats in columns())


def nearest(seats):
    """The edition in which heuristic among mixbots is nearest to its fair share."""
    return min(editions(seats), key=lambda edition: head_to_head(edition, seats).value)


def furthest(seats):
    return max(editions(seats), key=lambda edition: head_to_head(edition, seats).value)


def shown_least(agent, edition, seats):
    """This agent is shown to win less in this edition than in each other one."""
    others = [other for other in editions(seats) if other != edition]
    return all(minus(one(agent, other, seats), one(agent, edition, seats)).above(0) for other in others)


def searches_level(seats):
    """Neither search is shown to win more than the other, by the mean."""
    return minus(average(MONTE_CARLO, seats), average(ISMCTS, seats)).contains(0)


def unbeaten_by_published(seats):
    """By the mean, no published rule player is shown to win more than its fair share among mixbots."""
    return not any(average(agent, seats).above(fair(seats)) for agent in FIELD if agent not in ("heuristic", "mixbot"))
