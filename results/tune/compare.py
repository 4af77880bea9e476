#!/usr/bin/env python3
"""Compares `unolab tune` with other search methods at equal numbers of rounds.

usage: compare.py STEP [--unolab PROGRAM] [--jobs N] [--quick]

`truth` plays every rule set of the spaces in spaces.toml. `tune` searches these spaces with the command. peers.py searches them
with other methods, which draw their results from the truth. Every step writes the table of its name. `--quick` writes
nothing: it runs a few cases, in seconds, and prints their rows.
"""

import math
import tomllib
from concurrent.futures import ThreadPoolExecutor

from verdicts import HERE, Rejected, each, in_words, main, points, rows_of, tuned, vary, write

SPACES = tomllib.loads((HERE / "spaces.toml").read_text())
# The number of seeds for each number of rounds.
SEEDS = {50_000: 30, 200_000: 30, 1_000_000: 30, 5_000_000: 3}
# The deals of a truth, at least; the deals of a rule set that may be the best one; and the share of its rounds that a tuning run
# plays in the search.
DEALS, DEALS_OF_BEST, SEARCH = 20_000, 500_000, 0.65


def truth(options):
    """The values of every rule set that can be played."""

    def measure(case):
        name, point, deals, seed = case
        space = SPACES[name]
        metrics = space["constraint"], space["objective"]
        single = [word for key, value in zip(space["vary"], point) for word in ("--vary", f"{key}={value}")]
        budget = math.ceil(deals / SEARCH * 1.01) + 1000
        words = ["--variant", space["variant"], *single, "--budget", budget, "--seed", seed]
        try:
            _, candidates, _ = tuned(options, words, [f"maximize {metric}" for metric in metrics])
        except Rejected:
            return []
        found = {row["metric"]: row for row in candidates if row["phase"] == "search"}
        constraint, objective = (found[metric] for metric in metrics)
        return [
            {
                "space": name, "rules": in_words(space, point), "deals": constraint["deals"],
                **{f"constraint_{key}": round(float(constraint[key]), 5) for key in ("value", "se")},
                **{f"objective_{key}": round(float(objective[key]), 5) for key in ("value", "se")},
            }
        ]  # fmt: skip

    def play(cases):
        return [row for rows in each(options, measure, cases) for row in rows]

    all_points = [(name, point) for name, space in SPACES.items() for point in points(space)]
    if options.quick:
        return play([(name, point, 100, 1) for name, point in all_points[::200]])
    rows = play([(name, point, DEALS, 1) for name, point in all_points])
    of_rules = {(name, in_words(SPACES[name], point)): (name, point) for name, point in all_points}
    again = [(*of_rules[row["space"], row["rules"]], DEALS_OF_BEST, 2) for name in SPACES for row in contenders(rows, name)]
    exact = {(row["space"], row["rules"]): row for row in play(again)}
    return [exact.get((row["space"], row["rules"]), row) for row in rows]


def contenders(rows, name):
    """The rule sets of a space that may be the best one within the limits."""
    low, high = SPACES[name]["limits"]
    inside = [
        row
        for row in rows
        if row["space"] == name
        and low - 3 * row["constraint_se"] <= row["constraint_value"] <= high + 3 * row["constraint_se"]
    ]
    best = max(row["objective_value"] - row["objective_se"] for row in inside)
    return [row for row in inside if row["objective_value"] + 4 * row["objective_se"] >= best]


def tune(options):
    """The rule set that each tuning run recommends."""

    def search(case):
        rounds, name, seed = case
        space = SPACES[name]
        low, high = space["limits"]
        words = ["--variant", space["variant"], *vary(space), "--budget", rounds, "--seed", 1000 + seed]
        goals = [f"{space['constraint']} in {low}..{high}", f"maximize {space['objective']}"]
        tables, candidates, _ = tuned(options, words, goals)
        chosen = next(row["rules"] for row in candidates if row["status"] == "recommended")
        verdict = next(row["verdict"] for row in tables["goals"] if row["verdict"])
        return {"space": name, "method": "tune", "rounds": rounds, "seed": seed, "rules": chosen, "verdict": verdict}

    if options.quick:
        return each(options, search, [(10_000, name, 0) for name in SPACES])
    # Runs that are in the table are not repeated.
    path = HERE / "tune.csv"
    rows = rows_of(path) if path.exists() else []
    done = {(int(row["rounds"]), row["space"], int(row["seed"])) for row in rows}
    cases = [(rounds, name, seed) for rounds, seeds in SEEDS.items() for name in SPACES for seed in range(seeds)]
    cases = [case for case in cases if case not in done]
    with ThreadPoolExecutor(options.jobs) as pool:
        for row in pool.map(search, sorted(cases, key=lambda case: case[2])):
            rows.append(row)
            write(options, rows)
    order = {name: place for place, name in enumerate(SPACES)}
    return sorted(rows, key=lambda row: (int(row["rounds"]), order[row["space"]], int(row["seed"])))


STEPS = {"truth": truth, "tune": tune}

if __name__ == "__main__":
    main(STEPS)
