"""Calculations for the report on classic rounds that take 8 to 12 minutes."""

from tables import Estimate, csv, step, toml

GOALS = toml("tune-rounds/goals.toml")
SEATS = GOALS["seats"][0]
SECONDS = GOALS["seconds-per-turn"]
LENGTH, EDGE, SKILL = csv("tune-rounds/tuned/goals.csv").values("metric")
_GOALS = csv("tune-rounds/tuned/goals.csv")
_CANDIDATES = csv("tune-rounds/tuned/candidates.csv")
_CONTRIBUTIONS = csv("tune-rounds/tuned/contributions.csv")
CHECKS = int(step("tune-rounds", "checked")["sets"])
# The strictest limit that is of interest to a designer.
STRICT = 0.01


def goal(metric):
    """A goal of the recommended rules on fresh deals."""
    return _GOALS.row(metric=metric)


def value(metric):
    return goal(metric).estimate("value")


def is_met():
    return all(goal(metric).verdict == "met" for metric in (LENGTH, EDGE))


def tried():
    return len(_CANDIDATES.values("rules"))


def changes():
    """The changed keys with the recommended and the base value."""
    return [(row.key, row.recommended, row.base) for row in _CONTRIBUTIONS.rows(metric=LENGTH)]


def contribution(key, metric):
    """What a change adds."""
    row = _CONTRIBUTIONS.row(key=key, metric=metric)
    return row.estimate("difference")


def checked(metric):
    """The same rules on other deals."""
    table = csv("tune-rounds/checked/metrics.csv")
    name, shift = {LENGTH: ("minutes", 0), EDGE: ("seat_share(0)", 1 / SEATS), SKILL: ("skill_low", 0)}[metric]
    return table.row(metric=name).estimate("value") - shift


def agree(metric):
    """Whether the intervals of both measurements overlap."""
    one, other = value(metric), checked(metric)
    return one.low <= other.high and other.low <= one.high


def lengths():
    """The limits of the length, in minutes."""
    text = next(text for text in GOALS["goal"] if text.startswith("minutes"))
    return [float(limit) for limit in text.split(" in ")[1].split("..")]


def limit():
    """The limit of the first player's edge, as a fraction."""
    return float(next(text for text in GOALS["goal"] if "edge" in text).split("<")[1].removesuffix("pp")) / 100


def is_within(estimate, low, high):
    return isinstance(estimate, Estimate) and low <= estimate.low and estimate.high <= high
