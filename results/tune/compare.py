#!/usr/bin/env python3
"""Compares `unolab tune` with other search methods at equal numbers of rounds.

usage: compare.py STEP [--unolab PROGRAM] [--jobs N] [--quick]

`truth` plays every rule set of the spaces in spaces.toml. `tune` searches these spaces with the command. peers.py searches them
with other methods, which draw their results from the truth. Every step writes the table of its name. `--quick` writes
nothing: it runs a few cases, in seconds, and prints their rows.
"""

import itertools
import math
import tomllib
from concurrent.futures import ThreadPoolExecutor

from verdicts import HERE, Rejected, each, in_words, main, points, rows_of, tuned, vary, write

SPACES = tomllib.loads((HERE / "spaces.toml").read_text())
BUDGETS = [50_000, 200_000, 1_000_000]
SEEDS = 30
# The deals of a truth, at least, and the share of its rounds that a tuning run plays in the search.
DEALS, SEARCH = 20_000, 0.65


def truth(options):
    """The values of every rule set that can be played."""

    def measure(case):
        name, point = case
        space = SPACES[name]
        metrics = space["constraint"], space["objective"]
        single = [word for key, value in zip(space["vary"], point) for word in ("--vary", f"{key}={value}")]
        budget = math.ceil((100 if options.quick else DEALS) / SEARCH * 1.01) + 1000
        words = ["--variant", space["variant"], *single, "--budget", budget, "--seed", 1]
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

    cases = [(name, point) for name, space in SPACES.items() for point in points(space)]
    return [row for rows in each(options, measure, cases[::200] if options.quick else cases) for row in rows]


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
    cases = [case for case in itertools.product(BUDGETS, SPACES, range(SEEDS)) if case not in done]
    with ThreadPoolExecutor(options.jobs) as pool:
        for row in pool.map(search, sorted(cases, key=lambda case: case[2])):
            rows.append(row)
            write(options, rows)
    order = {name: place for place, name in enumerate(SPACES)}
    return sorted(rows, key=lambda row: (int(row["rounds"]), order[row["space"]], int(row["seed"])))


STEPS = {"truth": truth, "tune": tune}

if __name__ == "__main__":
    main(STEPS)
