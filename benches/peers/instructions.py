"""Counts the instructions per decision of `unolab.VecEnv` from Python, including the choice of the action, and prints a Markdown
table.

    python benches/peers/instructions.py [--steps N] [--check FILE]

Needs unolab (pip install ./python) and valgrind. A loop that samples actions and steps 1,024 environments is run at two lengths under
callgrind, and the difference is divided by the difference in decisions, which excludes loading and dealing the first games.
The load of the machine has no effect. Valgrind does not support AVX-512. Takes a few minutes. `--check` compares with an earlier
table: the exit status is 1 if a decision takes 3% more instructions, or more than 1,200 in classic with two seats and all arrays.
"""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys

ENVS = 1024
# Variant, seats, unit of a game, written arrays.
ROWS = [
    ("classic", 2, "round", "all"),
    ("classic", 4, "round", "all"),
    ("disney", 2, "round", "all"),
    ("disney", 4, "round", "all"),
    ("classic", 2, "round", "ids"),
    ("classic", 4, "round", "ids"),
    ("classic", 2, "match", "all"),
    ("disney", 4, "match", "all"),
]
COLUMNS = ["variant", "seats", "a game", "written", "bytes of an observation", "actions", "instructions per decision"]
TOLERANCE = 0.03
# The most instructions that a decision of the first row may take.
MOST = 1200


def loop(variant, seats, unit, outputs, steps):
    """The process that is measured."""
    import unolab

    env = unolab.VecEnv(variant, seats, ENVS, 1, unit=unit, outputs=outputs)
    env.reset()
    for _ in range(steps):
        env.step(env.sample())


def count(row, steps):
    """The instructions of a process that runs the loop."""
    tool = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
    program = [sys.executable, __file__, "--loop", *map(str, row), str(steps)]
    alone = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}  # the instructions of a waiting thread would be counted
    run = subprocess.run([*tool, *program], capture_output=True, text=True, env=alone)
    found = re.search(r"Collected : (\d+)", run.stderr)
    if run.returncode or not found:
        sys.exit(f"valgrind failed: {run.stderr.strip()[-2000:]}")
    return int(found[1])


def measure(row, steps):
    """A row of the table: the length of an observation, the number of actions, and the instructions per decision."""
    import unolab

    variant, seats, unit, outputs = row
    env = unolab.VecEnv(variant, seats, 1, unit=unit, outputs=outputs)
    spent = count(row, 20 + steps) - count(row, 20)
    return env.obs_size, env.num_actions, round(spent / (steps * ENVS))


def recorded(file):
    """The instructions of each row of an earlier table."""
    cells = [[cell.strip() for cell in line.split("|")[1:-1]] for line in file.read_text(encoding="utf-8").splitlines()]
    if not cells or cells[0] != COLUMNS:
        sys.exit(f"{file}: no table with the columns {', '.join(COLUMNS)}")
    return {tuple(row[:4]): int(row[-1].replace(",", "")) for row in cells[2:]}


def complaints(found, before):
    """The rows with more instructions than before, or more than allowed."""
    for row, (*_, spent) in found.items():
        old = before.get(tuple(map(str, row)))
        if old is None:
            yield f"{row}: not in the table of before"
        elif spent > old * (1 + TOLERANCE):
            yield f"{row}: {spent:,} instructions, {old:,} before"
    *_, first = found[ROWS[0]]
    if first > MOST:
        yield f"{ROWS[0]}: {first:,} instructions, {MOST:,} at most"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=100, help="steps between the two lengths (default 100)")
    parser.add_argument("--check", type=pathlib.Path, metavar="FILE", help="compare with this table")
    parser.add_argument("--loop", nargs=5, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.loop:
        variant, seats, unit, outputs, steps = args.loop
        return loop(variant, int(seats), unit, outputs, int(steps))
    if args.steps < 1:
        parser.error("--steps must be positive")
    if not shutil.which("valgrind"):
        sys.exit("valgrind is not installed")
    before = recorded(args.check) if args.check else {}
    print(f"| {' | '.join(COLUMNS)} |")
    print("|---|--:|---|---|--:|--:|--:|")
    found = {}
    for row in ROWS:
        found[row] = measure(row, args.steps)
        print(f"| {' | '.join(map(str, row))} | {' | '.join(f'{number:,}' for number in found[row])} |", flush=True)
    wrong = list(complaints(found, before)) if args.check else []
    sys.exit("\n".join(wrong) or None)


if __name__ == "__main__":
    main()
