"""Calculations for the report on the league."""

import functools
import itertools
import math
from dataclasses import dataclass

from tables import Estimate, csv, fair, left_by, mean, names, step, toml, words

FIELD = step("league", "editions")["agents"].split(",")
SEARCHING = ["monte-carlo:rollouts=300", "ismcts:iterations=100", "clairvoyant:iterations=100"]
AGENTS = FIELD + ["net"] + SEARCHING
MONTE_CARLO, ISMCTS, CLAIRVOYANT = SEARCHING
#: The search with ten times the budget, and the suffixes of its steps by table size.
LONG = "ismcts:iterations=1000"
LONG_STEPS = {2: ["-two-seats-weak"], 4: ["-four-seats", "-four-seats-weak", "-four-seats-random"], 6: ["-six-seats"]}
#: The fields in which every agent plays, and all fields.
FIELDS = ["mixbot", "heuristic", "net"]
EVERY_FIELD = FIELD + ["net", MONTE_CARLO, ISMCTS]
EDITIONS = step("league", "editions")["variant"].split(",") + ["handheld"]
SIZES = [int(seats) for seats in step("league", "editions")["seats"].split(",")]
#: Editions whose deck has only the cards of the classic game.
PLAIN = {"classic", "custom", "handheld"}
HANDHELD_SIZES = [int(seats) for seats in step("league", "handheld")["seats"].split(",")]


def editions(seats):
    """The editions that are played with this number of players."""
    return [edition for edition in EDITIONS if edition != "handheld" or seats in HANDHELD_SIZES]


def directory(agent, field, seats=None):
    """The step in which one such agent plays among copies of the other; None if the study does not have it.

    Some steps are for one table size only.
    """
    name, _, options = agent.partition(":")
    name += "-points" if options == "goal=points" else ""
    steps = {step["out"]: step["command"] for step in toml("league/study.toml")["step"] if step["out"].startswith(name)}
    for ending in ("", "-among-searches", "-among-others", *LONG_STEPS.get(seats, [])):
        out = name + ending
        hero, *fields = steps[out].split("--agents ")[1].split()[0].split(",") if out in steps else [None]
        if hero == agent and field in fields:
            return out
    return None


def is_played(agent, field):
    return agent == field or directory(agent, field) is not None


def among(agent, field, edition, seats=None):
    """The table in which one such agent plays among copies of the other."""
    return csv(f"league/{directory(agent, field, seats)}{'-handheld' if edition == 'handheld' else ''}/summary.csv")


def one(agent, edition, seats, field="mixbot"):
    """The share of one such agent among copies of the other, in percent: one hundred minus the shares of the copies."""
    if agent == field:
        return Estimate(fair(seats), fair(seats), fair(seats))
    copies = among(agent, field, edition, seats).row(entrant=field, variant=edition, seats=seats)
    return left_by(copies.estimate("win_share") * 100, seats)


@dataclass(frozen=True)
class Unfinished:
    """Rounds without a winner, and all rounds: of one agent among copies of another at one table, or of all tables."""

    rounds: int
    games: int
    agent: str = ""
    field: str = ""
    edition: str = ""
    seats: int = 0


@functools.cache
def unfinished_by_table():
    """The number of rounds without a winner, by table."""
    found = []
    for agent, field in itertools.permutations(AGENTS, 2):
        for edition in EDITIONS if is_played(agent, field) else []:
            for row in among(agent, field, edition).rows(entrant=field, variant=edition):
                copies = row.seats - 1
                found.append(Unfinished(row.unfinished // copies, row.games // copies, agent, field, edition, row.seats))
    return found


def without_winner():
    tables = unfinished_by_table()
    return Unfinished(sum(one.rounds for one in tables), sum(one.games for one in tables))


def worst_unfinished():
    return max(unfinished_by_table(), key=lambda one: one.rounds)


def average(agent, seats, field="mixbot"):
    """The mean of `one` over the editions.

    Editions of the plain deck are dealt the same cards and may go up and down together: their errors are added. The others are
    taken as independent.
    """
    found = {edition: one(agent, edition, seats, field) for edition in editions(seats)}
    value = mean(list(found.values())).value
    together = sum(found[edition].half for edition in found if edition in PLAIN)
    apart = math.hypot(*(found[edition].half for edition in found if edition not in PLAIN))
    half = math.hypot(together, apart) / len(found)
    return Estimate(value, value - half, value + half)


def gap_closed(agent, seats, field="mixbot"):
    """The mean on a scale from random (0) to clairvoyant (1)."""
    low, high = average("random", seats, field).value, average(CLAIRVOYANT, seats, field).value
    return (average(agent, seats, field).value - low) / (high - low)


def lead(agent, other, seats, field):
    """The difference between two agents, each among copies of the third, mean over the editions."""
    return minus(average(agent, seats, field), average(other, seats, field))


def search_leads(field, seats):
    """Whether both search agents win significantly more than every rule-based agent, among copies of this agent."""
    rivals = [average(agent, seats, field) for agent in FIELD]
    return all(average(search, seats, field).above(rival) for search in (MONTE_CARLO, ISMCTS) for rival in rivals)


def places_where(holds):
    """The fields and table sizes where a condition holds, in words."""
    return [f"among `{field}`s with {seats} players" for seats in SIZES for field in FIELD if holds(seats, field)]


def net_is_not_best():
    def best(seats, field):
        return max(FIELD + ["net"], key=lambda agent: average(agent, seats, field).value)

    return places_where(lambda seats, field: best(seats, field) != "net")


def net_is_not_ahead():
    return places_where(lambda seats, field: field != "heuristic" and not lead("net", "heuristic", seats, field).above(0))


def search_ahead(seats):
    """The fields in which ismcts is significantly ahead of net."""
    return [field for field in EVERY_FIELD if field != ISMCTS and lead(ISMCTS, "net", seats, field).above(0)]


def search_behind(seats):
    return [field for field in EVERY_FIELD if field != ISMCTS and lead(ISMCTS, "net", seats, field).below(0)]


def long_fields(seats):
    """The fields in which ismcts plays with ten times the budget."""
    return [field for field in EVERY_FIELD if directory(LONG, field, seats)]


def long_ahead(seats):
    """Those of them in which it is significantly ahead of net."""
    return [field for field in long_fields(seats) if lead(LONG, "net", seats, field).above(0)]


def long_not_ahead(seats):
    """Those of them in which it is not."""
    return [field for field in long_fields(seats) if field not in long_ahead(seats)]


def long_behind(seats):
    """Those of them in which it is significantly behind."""
    return [field for field in long_fields(seats) if lead(LONG, "net", seats, field).below(0)]


def every_player_except(fields):
    """Every agent without search, except these, in words."""
    return "every agent without search" + (f" except {names(fields)}" if fields else "")


def long_lead(seats):
    """The fields in which it is significantly ahead of net, in words."""
    ahead, missing = long_ahead(seats), long_not_ahead(seats)
    if not ahead:
        return f"not significantly ahead of `net` with {words(seats)} players"
    if long_fields(seats) == FIELD + ["net"]:
        return f"significantly ahead of `net` with {words(seats)} players among copies of {every_player_except(missing)}"
    left_out = f", but not among {names(missing)}" if missing else ""
    return f"significantly ahead of `net` with {words(seats)} players among copies of {names(ahead)}{left_out}"


def strengths():
    """The panels of the figure: every agent's mean over the editions, strongest first, by table size."""
    return [
        (f"{seats} players", fair(seats), sorted(((a, average(a, seats)) for a in AGENTS), key=lambda row: -row[1].value))
        for seats in SIZES
    ]


def largest_gap_closed(seats):
    """The highest position on this scale of an agent that sees only its own hand."""
    return max(gap_closed(agent, seats) for agent in AGENTS if agent != CLAIRVOYANT)


def minus(a, b):
    """The difference of two independent estimates."""
    half = math.hypot(a.half, b.half)
    return Estimate(a.value - b.value, a.value - b.value - half, a.value - b.value + half)


def edge(edition, seats):
    """The lead of ismcts over heuristic, each among mixbots, in percentage points."""
    return minus(one(ISMCTS, edition, seats), one("heuristic", edition, seats))


def ahead(seats):
    """The editions in which ismcts is significantly ahead of heuristic."""
    return [edition for edition in editions(seats) if edge(edition, seats).above(0)]


def behind(seats):
    """The editions in which ismcts is significantly behind heuristic."""
    return [edition for edition in editions(seats) if edge(edition, seats).below(0)]


def largest_edge(seats):
    return max(editions(seats), key=lambda edition: edge(edition, seats).value)


def best_rule_player(seats):
    return max(FIELD, key=lambda agent: average(agent, seats).value)


def where(editions):
    return f"in {names(editions)}" if editions else "in no edition"


def without(edition, seats):
    """The mean edge of ismcts over the other editions."""
    return mean([edge(other, seats) for other in editions(seats) if other != edition])


def field(agent, edition, seats):
    """The share of a rule-based agent at tables of different rule-based agents, in percent."""
    table = csv(f"league/{'handheld' if edition == 'handheld' else 'editions'}/summary.csv")
    return table.row(entrant=agent, variant=edition, seats=seats).estimate("win_share") * 100


def columns():
    return [(edition, seats) for seats in SIZES for edition in editions(seats)]


def ranking(edition, seats):
    """The rule-based agents of a column, the highest share first."""
    return sorted(FIELD, key=lambda agent: -field(agent, edition, seats).value)


def place_is(place, agent):
    """The columns in which this agent has this place."""
    return [column for column in columns() if ranking(*column)[place - 1] == agent]


def others_lead():
    """The columns that heuristic does not lead, with their leaders, in words."""
    return [
        f"`{edition}` with {seats} players (`{ranking(edition, seats)[0]}`)"
        for edition, seats in columns()
        if ranking(edition, seats)[0] != "heuristic"
    ]


def close_columns():
    """The columns whose first two intervals overlap, in words."""
    close = []
    for edition, seats in columns():
        first, second = (field(agent, edition, seats) for agent in ranking(edition, seats)[:2])
        if not first.above(second):
            close.append(f"`{edition}` with {seats}")
    return close


def all_above_fair(agent, field):
    """Whether this agent wins significantly more than its fair share in this field, in every edition and at every table size."""
    return all(one(agent, edition, seats, field).above(fair(seats)) for edition, seats in columns())


def nearest(seats):
    """The edition in which heuristic among mixbots has the lowest share."""
    return min(editions(seats), key=lambda edition: one("heuristic", edition, seats).value)


def furthest(seats):
    return max(editions(seats), key=lambda edition: one("heuristic", edition, seats).value)


def shown_least(agent, edition, seats):
    """Whether this agent wins significantly less in this edition than in every other one."""
    others = [other for other in editions(seats) if other != edition]
    return all(minus(one(agent, other, seats), one(agent, edition, seats)).above(0) for other in others)


def searches_level(seats):
    """Whether the two search agents do not differ significantly, by the mean."""
    return minus(average(MONTE_CARLO, seats), average(ISMCTS, seats)).contains(0)


def published_ahead(seats):
    """The published bots that win significantly more than their fair share among mixbots, by the mean."""
    return [agent for agent in FIELD if agent not in ("heuristic", "mixbot") and average(agent, seats).above(fair(seats))]
