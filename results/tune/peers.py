#!/usr/bin/env python3
"""Searches the spaces of compare.py with other methods.

usage: peers.py [--method NAME]... [--quick]

Every method gets the same number of rounds as `unolab tune`, divided equally among its evaluations. An evaluation draws both
means of a rule set from the normal distribution of the enumerated results, so no game is played. `grid`, `random`, and `ntbea`
need no package; `--quick` runs them on a tiny space and prints the chosen rule sets. The others need PACKAGES. Without
`--quick`, the script replaces the rows of its methods in peers.csv.
"""

import argparse
import contextlib
import csv
import functools
import itertools
import math
import random
import sys
import tempfile
import tomllib
from pathlib import Path

HERE = Path(__file__).resolve().parent
PACKAGES = ["optuna==5.0.0", "torch==2.15.0", "smac==2.4.1", "ConfigSpace==1.2.2", "scikit-learn==1.9.1", "numpy==2.4.6"]
BUDGETS = [50_000, 200_000, 1_000_000, 5_000_000]
SEEDS = 30
# The methods that take seconds for each search have fewer seeds.
SLOW, SLOW_SEEDS = ["optuna-gp", "smac3"], 10
# The evaluations of a method; a grid evaluates every rule set once.
EVALUATIONS = 100


class Space:
    """The enumerated results of a space, and the limits of its constraint."""

    def __init__(self, vary, limits, results):
        """`results` has, by rule set, the means and the standard deviations per deal of the constraint and of the objective."""
        self.vary, (self.low, self.high) = vary, limits
        # Rule sets that cannot be played have no result.
        self.points = [point for point in itertools.product(*vary.values()) if self.in_words(point) in results]
        self.places = {point: place for place, point in enumerate(self.points)}
        self.results = [results[self.in_words(point)] for point in self.points]
        means = list(zip(*(means for means, _ in self.results)))
        self.spreads = [max(of_metric) - min(of_metric) for of_metric in means]

    def in_words(self, point):
        return " ".join(f"{key}={value}" for key, value in zip(self.vary, point))


def spaces():
    """The spaces of spaces.toml by name."""
    found = {}
    with open(HERE / "truth.csv", newline="") as file:
        for row in csv.DictReader(file):
            root = math.sqrt(int(row["deals"]))
            means = float(row["constraint_value"]), float(row["objective_value"])
            deviations = float(row["constraint_se"]) * root, float(row["objective_se"]) * root
            found.setdefault(row["space"], {})[row["rules"]] = means, deviations
    listed = tomllib.loads((HERE / "spaces.toml").read_text())
    return {name: Space(space["vary"], space["limits"], found[name]) for name, space in listed.items()}


def tiny_space():
    """A space of nine rule sets: `a=2 b=0` is the best one within the limits."""
    results = {f"a={a} b={b}": ((10.0 + a + 4 * b, 5.0 + a + b), (1.0, 1.0)) for a in range(3) for b in range(3)}
    return Space({"a": ["0", "1", "2"], "b": ["0", "1", "2"]}, [9.5, 12.5], results)


class Evaluations:
    """The evaluations of a search, each with the same number of deals."""

    def __init__(self, space, rounds, number, seed):
        self.space, self.left, self.scores = space, number, {}
        self.random = random.Random(f"{seed} {rounds} {number}")
        self.deals = rounds / number

    def evaluate(self, place):
        """The score of a rule set: the objective, less a penalty outside of the limits, on the scales of the space."""
        means, deviations = self.space.results[place]
        errors = (self.random.gauss(0, deviation / math.sqrt(self.deals)) for deviation in deviations)
        constraint, objective = (mean + error for mean, error in zip(means, errors))
        outside = max(self.space.low - constraint, constraint - self.space.high, 0) / self.space.spreads[0]
        score = objective / self.space.spreads[1] - (0.5 + 5 * outside if outside else 0)
        self.left -= 1
        self.scores.setdefault(place, []).append(score)
        return score

    def best(self):
        """The rule set with the best mean score."""
        return max(self.scores, key=lambda place: sum(self.scores[place]) / len(self.scores[place]))


def grid(space, rounds, seed):
    evaluations = Evaluations(space, rounds, len(space.points), seed)
    for place in range(len(space.points)):
        evaluations.evaluate(place)
    return evaluations.best()


def random_search(space, rounds, seed):
    evaluations = Evaluations(space, rounds, min(EVALUATIONS, len(space.points)), seed)
    for place in evaluations.random.sample(range(len(space.points)), evaluations.left):
        evaluations.evaluate(place)
    return evaluations.best()


class TupleModel:
    """The bandits of NTBEA, for single keys, for pairs of keys, and for the whole rule set."""

    def __init__(self, keys):
        self.tuples = list(dict.fromkeys([*((key,) for key in keys), *itertools.combinations(keys, 2), tuple(keys)]))
        self.seen, self.total, self.bounds = {}, 0, {}

    def parts(self, point):
        return [(keys, *(point[key] for key in keys)) for keys in self.tuples]

    def add(self, point, score):
        self.total += 1
        self.bounds.clear()
        for part in self.parts(point):
            number, total = self.seen.get(part, (0, 0.0))
            self.seen[part] = number + 1, total + score

    def bound(self, point, exploration):
        """The mean over the tuples of the upper confidence bounds."""
        if (point, exploration) not in self.bounds:
            bound = 0.0
            for part in self.parts(point):
                number, total = self.seen.get(part, (0, 0.0))
                bound += total / number if number else 0.0
                bound += exploration * math.sqrt(math.log(1 + self.total) / (number + 0.5))
            self.bounds[point, exploration] = bound / len(self.tuples)
        return self.bounds[point, exploration]


def ntbea(space, rounds, seed, exploration=2.0, neighbors=50):
    """The N-tuple bandit evolutionary algorithm (Lucas, Liu, and Perez-Liebana 2018)."""
    evaluations = Evaluations(space, rounds, EVALUATIONS, seed)
    chance, values = evaluations.random, list(space.vary.values())
    model = TupleModel(range(len(values)))
    current = chance.choice(space.points)
    while evaluations.left > 0:
        model.add(current, evaluations.evaluate(space.places[current]))
        mutants = []
        while len(mutants) < neighbors:
            mutant, forced = list(current), chance.randrange(len(values))
            for key, of_key in enumerate(values):
                if key == forced or chance.random() < 1 / len(values):
                    mutant[key] = chance.choice(of_key)
            if tuple(mutant) in space.places:
                mutants.append(tuple(mutant))
        current = max(mutants, key=lambda point: model.bound(point, exploration))
    return max(evaluations.scores, key=lambda place: model.bound(space.points[place], 0.0))


# The score of a rule set that cannot be played.
REJECTED = -10.0


def optuna_search(space, rounds, seed, sampler):
    """A search by one of the samplers of Optuna, by name."""
    import optuna

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    evaluations = Evaluations(space, rounds, EVALUATIONS, seed)

    def score(trial):
        point = tuple(trial.suggest_categorical(key, values) for key, values in space.vary.items())
        return evaluations.evaluate(space.places[point]) if point in space.places else REJECTED

    study = optuna.create_study(direction="maximize", sampler=getattr(optuna.samplers, sampler)(seed=seed))
    study.optimize(score, n_trials=EVALUATIONS)
    return evaluations.best()


optuna_tpe = functools.partial(optuna_search, sampler="TPESampler")
optuna_gp = functools.partial(optuna_search, sampler="GPSampler")


def smac3(space, rounds, seed):
    import logging

    import ConfigSpace
    import joblib
    from smac import HyperparameterOptimizationFacade, Scenario
    from smac.main.exceptions import ConfigurationSpaceExhaustedException

    logging.disable(logging.CRITICAL)
    evaluations = Evaluations(space, rounds, EVALUATIONS, seed)
    keys = ConfigSpace.ConfigurationSpace(seed=seed)
    keys.add([ConfigSpace.CategoricalHyperparameter(key, values) for key, values in space.vary.items()])

    def cost(configuration, seed=0):
        point = tuple(configuration[key] for key in space.vary)
        return -(evaluations.evaluate(space.places[point]) if point in space.places else REJECTED)

    with tempfile.TemporaryDirectory() as out, joblib.parallel_config("sequential"):
        scenario = Scenario(keys, output_directory=Path(out), deterministic=True, n_trials=EVALUATIONS, seed=seed)
        # It may find no rule set that it has not tried.
        with contextlib.suppress(ConfigurationSpaceExhaustedException):
            HyperparameterOptimizationFacade(scenario, cost, logging_level=False, overwrite=True).optimize()
    return evaluations.best()


OWN = {"grid": grid, "random": random_search, "ntbea": ntbea}
METHODS = {**OWN, "optuna-tpe": optuna_tpe, "optuna-gp": optuna_gp, "smac3": smac3}


def rows_of(methods):
    """The rule set that each method chooses, for every budget, space, and seed."""
    for name, rounds, (space_name, space) in itertools.product(methods, BUDGETS, spaces().items()):
        for seed in range(SLOW_SEEDS if name in SLOW else SEEDS):
            rules = space.in_words(space.points[METHODS[name](space, rounds, seed)])
            yield {"space": space_name, "method": name, "rounds": rounds, "seed": seed, "rules": rules}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--method", action="append", choices=METHODS)
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    if options.quick:
        space = tiny_space()
        for name in OWN:
            print(name, space.in_words(space.points[OWN[name](space, 20_000, 1)]), sep=",")
        return
    methods = options.method or list(METHODS)
    path = HERE / "peers.csv"
    try:
        played = list(rows_of(methods))
    except ImportError as error:
        sys.exit(f"{error}; install {' '.join(PACKAGES)}, or select methods with --method; allowed: {', '.join(METHODS)}")
    if path.exists():
        with open(path, newline="") as file:
            played += [row for row in csv.DictReader(file) if row["method"] not in methods]
    played.sort(key=lambda row: list(METHODS).index(row["method"]))
    with open(path, "w", newline="") as file:
        table = csv.DictWriter(file, list(played[0]), lineterminator="\n")
        table.writeheader()
        table.writerows(played)


if __name__ == "__main__":
    main()
