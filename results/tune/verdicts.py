#!/usr/bin/env python3
"""Compares the verdicts of `unolab tune` with the truth.

usage: verdicts.py STEP [--unolab PROGRAM] [--jobs N] [--quick]

`small-truth` plays every rule set of a small space, and `verdicts` reads its table. `planted` searches a space whose best rule
set is known. Every step writes the table of its name. `--quick` writes nothing: it runs a few cases, in seconds, and prints
their rows.
"""

import argparse
import csv
import itertools
import json
import random
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
AGENTS = "--seats 2 --agents greedy --strong greedy --weak random --panel none".split()


class Rejected(Exception):
    """A rule set that cannot be played."""


def run(options, *words):
    """Runs unolab; returns its output."""
    done = subprocess.run([options.unolab, *map(str, words)], cwd=HERE, capture_output=True, text=True)
    if "gives rules that can be played" in done.stderr:
        raise Rejected
    if done.returncode not in (0, 1):
        sys.exit(f"unolab {' '.join(map(str, words))}\n{done.stderr}")
    return done.stdout


def rows_of(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def tuned(options, words, goals, also=lambda out: None):
    """The tables of a tuning run, and what `also` returns for its directory."""
    out = Path(tempfile.mkdtemp(prefix="unolab-study-"))
    goals = [word for goal in goals for word in ("--goal", goal)]
    text = run(options, "tune", *words, *AGENTS, *goals, "--threads", 1, "--quiet", "--json", "--out", out / "run")
    found = json.loads(text)["tables"], rows_of(out / "run/candidates.csv"), also(out / "run")
    shutil.rmtree(out)
    return found


def points(space):
    """Every rule set of a space, as a tuple of values."""
    return list(itertools.product(*space["vary"].values()))


def in_words(space, point):
    return " ".join(f"{key}={value}" for key, value in zip(space["vary"], point))


def vary(space):
    return [word for key, values in space["vary"].items() for word in ("--vary", f"{key}={','.join(values)}")]


def each(options, function, cases):
    """The results of the cases, in order, by several processes at once."""
    with ThreadPoolExecutor(options.jobs) as pool:
        return list(pool.map(function, cases))


# A small space for verdicts, whose truth has more deals.
SMALL = {
    "variant": "classic",
    "vary": {"deal.hand_size": ["3", "4", "5", "6", "7", "8"], "deck.draw_two": ["0", "1", "2", "3"]},
}
TUNINGS = 400


def small_truth(options):
    """The value of every rule set of the small space, over many deals."""

    def measure(point):
        single = [word for key, value in zip(SMALL["vary"], point) for word in ("--vary", f"{key}={value}")]
        words = ["--variant", SMALL["variant"], *single, "--budget", 3000 if options.quick else 310_000, "--seed", 2]
        _, candidates, _ = tuned(options, words, ["maximize turns", "maximize first_player_edge"])
        found = [row for row in candidates if row["phase"] == "search"]
        return [{"rules": in_words(SMALL, point), **{key: row[key] for key in ("metric", "deals", "value", "se")}} for row in found]

    cases = points(SMALL)[:2] if options.quick else points(SMALL)
    return [row for rows in each(options, measure, cases) for row in rows]


def verdicts(options):
    """Tunings with random goals: each verdict, with the truth of the recommended rule set and of the space."""
    found = {(row["rules"], row["metric"]): float(row["value"]) for row in rows_of(HERE / "small-truth.csv")}
    rules = [in_words(SMALL, point) for point in points(SMALL)]
    turns = sorted(found[one, "turns"] for one in rules)

    def search(seed):
        chance = random.Random(f"goals {seed}")
        # A range of turns somewhere in the space; in a quarter of the runs above all rule sets: a planted infeasible goal.
        planted = seed % 4 == 3
        low = chance.uniform(1.05, 1.3) * turns[-1] if planted else chance.uniform(turns[0] - 2, turns[-1])
        low, high = round(low, 1), round(low + chance.uniform(0.5, 8), 1)
        edge = chance.choice([1, 2, 3, 4])
        goals = [f"turns in {low}..{high}", f"abs(first_player_edge) < {edge}pp", chance.choice(["maximize", "minimize"]) + " turns"]
        budget = chance.choice([4_000, 15_000, 50_000])
        words = ["--variant", SMALL["variant"], *vary(SMALL), "--budget", budget, "--seed", 5000 + seed]
        allow = {"turns": lambda value: low <= value <= high, "first_player_edge": lambda value: abs(value) < edge / 100}

        def check(out):
            """The point estimates of balance on other deals."""
            if seed % 8:
                return {}
            words = f"--seats 2 --agents greedy --sets 10000 --matches 0 --metrics core --panel none --seed {9000 + seed}"
            run(options, "balance", "--variant", out / "best.toml", *words.split(), "--quiet", "--out", out / "check")
            values = {row["metric"]: row for row in rows_of(out / "check/metrics.csv") if row["seats"] == "2"}
            edge_row = {key: float(values["seat_share(0)"][key]) - 0.5 for key in ("value", "ci_low", "ci_high")}
            length = {key: float(values["turns"][key]) for key in ("value", "ci_low", "ci_high")}
            return {"turns": length, "first_player_edge": edge_row}

        tables, candidates, checked = tuned(options, words, goals, check)
        chosen = next(row["rules"] for row in candidates if row["status"] == "recommended")
        is_feasible = any(all(allow[metric](found[one, metric]) for metric in allow) for one in rules)
        return [
            {
                "seed": seed, "rounds": budget, "goal": row["goal"], "metric": row["metric"], "rules": chosen,
                "verdict": row["verdict"], "outcome": tables["outcome"][0]["outcome"],
                "truth": found[chosen, row["metric"]], "holds": str(allow[row["metric"]](found[chosen, row["metric"]])).lower(),
                "feasible": str(is_feasible).lower(), "planted": str(planted).lower(),
                **{f"balance_{key}": checked.get(row["metric"], {}).get(key, "") for key in ("value", "ci_low", "ci_high")},
            }
            for row in tables["goals"] if row["verdict"]
        ]  # fmt: skip

    return [row for rows in each(options, search, range(0, 8 if options.quick else TUNINGS)) for row in rows]


def planted(options):
    """A deck without action cards: the size of the hands sets the length of a round."""

    def search(seed):
        words = "--variant plain.toml --vary deal.hand_size=3..9 --vary uno.penalty=2,4 --budget 12000 --seed".split()
        chosen = []
        for goal in ("minimize turns", "maximize turns"):
            _, candidates, _ = tuned(options, [*words, seed], [goal])
            chosen.append(next(row["rules"] for row in candidates if row["status"] == "recommended"))
        shortest, longest = ("deal.hand_size=3 ", "deal.hand_size=9 ")
        is_found = chosen[0].startswith(shortest) and chosen[1].startswith(longest)
        return {"seed": seed, "shortest": chosen[0], "longest": chosen[1], "found": str(is_found).lower()}

    # The ranking of finalists was chosen with seeds 1 to 100; these are others.
    return each(options, search, range(101, 104 if options.quick else 201))


STEPS = {"small-truth": small_truth, "verdicts": verdicts, "planted": planted}


def write(options, rows):
    with sys.stdout if options.quick else open(HERE / f"{options.step}.csv", "w", newline="") as file:
        table = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        table.writeheader()
        table.writerows(rows)


def main(steps):
    parser = argparse.ArgumentParser(formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("step", choices=steps)
    parser.add_argument("--unolab", default=HERE.parents[1] / "target/release/unolab", type=Path)
    parser.add_argument("--jobs", default=2, type=int)
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    write(options, steps[options.step](options))


if __name__ == "__main__":
    main(STEPS)
