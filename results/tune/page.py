"""Calculations for the report on `unolab tune`: verdicts with a known truth, and a planted optimum."""

import math

from tables import Estimate, csv, toml

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


# The comparison with other search methods: regrets of choices in enumerated spaces.
SPACES = toml("tune/spaces.toml")
CHOICES = csv("tune/tune.csv").all + csv("tune/peers.csv").all
METHODS = {
    "tune": "`unolab tune`",
    "ntbea": "NTBEA",
    "optuna-tpe": "Optuna, TPE",
    "optuna-gp": "Optuna, Gaussian process",
    "smac3": "SMAC",
    "random": "random search",
    "grid": "full grid",
}
ROUNDS = sorted({row.rounds for row in CHOICES})


class _Truth:
    """The enumerated results of a space."""

    def __init__(self, name):
        rows = csv("tune/truth.csv").rows(space=name)
        self.rows = {row.rules: row for row in rows}
        self.low, self.high = SPACES[name]["limits"]
        inside = [row.objective_value for row in rows if self.low <= row.constraint_value <= self.high]
        most = max(rows, key=lambda row: row.objective_value)
        self.excludes_most_points = not self.low <= most.constraint_value <= self.high
        self.number, self.feasible, self.best, self.worst = len(rows), len(inside), max(inside), min(inside)

    def is_feasible(self, rules):
        """Whether the constraint holds; a miss by less than its standard error counts as none."""
        row = self.rows[rules]
        return self.low - row.constraint_se <= row.constraint_value <= self.high + row.constraint_se

    def regret(self, rules):
        """The distance from the best feasible rule set, as a part of the distance between the best and the worst one."""
        row = self.rows[rules]
        if not self.is_feasible(rules):
            return 1.0
        gap = self.best - row.objective_value
        return gap / (self.best - self.worst) if gap > row.objective_se else 0.0


TRUTHS = {name: _Truth(name) for name in SPACES}


def of_best():
    """The number of rule sets whose truth has more deals."""
    deals = [row.deals for row in csv("tune/truth.csv").all]
    fewest = min(deals)
    return sum(number > 2 * fewest for number in deals)


def methods():
    """The methods in the tables, by name."""
    return {name: title for name, title in METHODS.items() if any(row.method == name for row in CHOICES)}


def choices(method, rounds, space=None):
    return [row for row in CHOICES if row.method == method and row.rounds == rounds and space in (None, row.space)]


def feasible(method, rounds):
    """The share of choices that satisfy the constraint."""
    of_method = choices(method, rounds)
    return share(sum(TRUTHS[row.space].is_feasible(row.rules) for row in of_method), len(of_method))


def regret(method, rounds, space=None):
    """The mean regret over the spaces, with equal weights."""
    means, variance = [], 0.0
    for name in SPACES if space is None else [space]:
        regrets = [TRUTHS[name].regret(row.rules) for row in choices(method, rounds, name)]
        middle = sum(regrets) / len(regrets)
        means.append(middle)
        variance += sum((one - middle) ** 2 for one in regrets) / (len(regrets) - 1) / len(regrets)
    value, half = sum(means) / len(means), 1.959964 * math.sqrt(variance) / len(means)
    return Estimate(value, value - half, value + half)


def best_peer(rounds):
    """The lowest mean regret of the other methods."""
    return min((regret(name, rounds) for name in methods() if name != "tune"), key=lambda one: one.value)


def wrongly_met(rounds=None):
    """The choices of `unolab tune` whose constraint is called met and does not hold by the truth."""
    met = [row for row in CHOICES if row.method == "tune" and row.verdict == "met" and rounds in (None, row.rounds)]
    return sum(not TRUTHS[row.space].is_feasible(row.rules) for row in met), len(met)


def has_lowest_regret():
    return all(regret("tune", rounds).value < best_peer(rounds).value for rounds in ROUNDS)
