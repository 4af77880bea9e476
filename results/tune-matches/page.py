"""Calculations for the report on the Villain Draw 4 and the length of a match."""

from tables import csv, step, toml

GOALS = toml("tune-matches/goals.toml")
SECONDS = GOALS["seconds-per-turn"]
GOAL = csv("tune-matches/tuned/goals.csv").row(metric="match_minutes")
CHECKS = int(step("tune-matches", "checked")["matches"])


def limits():
    """The limits of the length, in minutes."""
    return [float(limit) for limit in GOALS["goal"][0].split(" in ")[1].split("..")]


def best():
    """The recommended points and copies."""
    rules = toml("tune-matches/tuned/best.toml")
    return rules["points"]["villain_draw_four"], rules["deck"]["villain_draw_four"]


def is_unchanged():
    return csv("tune-matches/tuned/contributions.csv").all == []


def found():
    return GOAL.estimate("value")


def checked():
    """The length on other deals."""
    return csv("tune-matches/checked/metrics.csv").row(metric="match_minutes").estimate("value")


def is_within(estimate):
    low, high = limits()
    return low <= estimate.low and estimate.high <= high


def agree():
    """Whether both measurements overlap."""
    return found().low <= checked().high and checked().low <= found().high
