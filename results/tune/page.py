"""Calculations for the report on `unolab tune`: verdicts with a known truth, and a planted optimum."""

import math

from tables import Estimate, csv

_ROWS = csv("tune/verdicts.csv").all
PLANTED = csv("tune/planted.csv").all
TRUTH = csv("tune/small-truth.csv")
BUDGETS = sorted({row.rounds for row in _ROWS})
VERDICTS = ["met", "not_met", "not_shown"]
# The most wrong verdicts that are allowed.
ALLOWED = 0.05


def tunings(rounds=None):
    return len({row.seed for row in _ROWS if rounds in (None, row.rounds)})


def rows(verdict, rounds=None):
    return [row for row in _ROWS if row.verdict == verdict and rounds in (None, row.rounds)]


def share(wrong, number):
    """A share with its score interval (Wilson)."""
    z = 1.959964
    value = wrong / number
    middle = (value + z * z / (2 * number)) / (1 + z * z / number)
    half = z * math.sqrt(value * (1 - value) / number + z * z / (4 * number * number)) / (1 + z * z / number)
    return Estimate(value, max(middle - half, 0.0), min(middle + half, 1.0))


def wrong(verdict, rounds=None):
    """The share of wrong verdicts: a constraint that is met and does not hold by the truth, or the reverse."""
    expected = "false" if verdict == "met" else "true"
    of_verdict = rows(verdict, rounds)
    return share(sum(row.holds == expected for row in of_verdict), len(of_verdict))


def wrong_runs(verdict):
    """The share of tuning runs with any wrong verdict of this kind, among all runs."""
    expected = "false" if verdict == "met" else "true"
    return share(len({row.seed for row in rows(verdict) if row.holds == expected}), tunings())


def outcomes(outcome, feasible):
    """The tuning runs with this outcome, by whether some rule set satisfies all goals."""
    return len({row.seed for row in _ROWS if row.outcome == outcome and row.feasible == feasible})


def planted_infeasible():
    """The outcomes of runs with a goal that no rule set can meet."""
    found = {row.seed: row.outcome for row in _ROWS if row.planted == "true"}
    return list(found.values())


def checked():
    """The met constraints that were measured again on other deals."""
    return [row for row in rows("met") if row.cells["balance_value"] != ""]


def limits(row):
    if row.metric == "turns":
        low, high = row.goal.split(" in ")[1].split("..")
        return float(low), float(high)
    limit = float(row.goal.split("<")[1].removesuffix("pp")) / 100
    return -limit, limit


def contradicted():
    """The met constraints that balance contradicts: its whole interval is outside of the limits."""
    return [row for row in checked() if row.balance_ci_high < limits(row)[0] or row.balance_ci_low > limits(row)[1]]


def held():
    """The met constraints whose value on other deals is within the limits."""
    return [row for row in checked() if limits(row)[0] <= row.balance_value <= limits(row)[1]]


def solved():
    return sum(row.found == "true" for row in PLANTED)
