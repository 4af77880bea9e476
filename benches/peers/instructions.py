"""Instructions of a decision of `unolab.VecEnv`, from Python, with everything it gives: a Markdown table on standard output.

    python benches/peers/instructions.py [--steps N]

Needs unolab (pip install ./python) and valgrind. A loop of sampling and stepping 1,024 environments is run at two lengths under
callgrind, and the difference is divided by the decisions between: what loading and dealing the first games takes is left out.
A busy machine changes nothing. Valgrind plays no AVX-512. Some minutes.
"""

import argparse
import re
import shutil
import subprocess
import sys

ENVS = 1024
TABLES = [("classic", 2), ("classic", 4), ("disney", 2), ("disney", 4)]


def loop(variant, seats, steps):
    """What is counted."""
    import unolab

    env = unolab.VecEnv(variant, seats, ENVS, 1)
    env.reset()
    for _ in range(steps):
        env.step(env.sample())


def count(variant, seats, steps):
    """Instructions of a process that runs the loop."""
    tool = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
    program = [sys.executable, __file__, "--loop", variant, str(seats), str(steps)]
    run = subprocess.run([*tool, *program], capture_output=True, text=True)
    found = re.search(r"Collected : (\d+)", run.stderr)
    if run.returncode or not found:
        sys.exit(f"valgrind failed: {run.stderr.strip()[-2000:]}")
    return int(found[1])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=100, help="steps between the two lengths (default 100)")
    parser.add_argument("--loop", nargs=3, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.loop:
        variant, seats, steps = args.loop
        return loop(variant, int(seats), int(steps))
    if args.steps < 1:
        parser.error("--steps must be positive")
    if not shutil.which("valgrind"):
        sys.exit("valgrind is not installed")
    print("| variant | seats | bytes of an observation | actions | instructions a decision |")
    print("|---|--:|--:|--:|--:|")
    import unolab

    for variant, seats in TABLES:
        env = unolab.VecEnv(variant, seats, 1)
        spent = count(variant, seats, 20 + args.steps) - count(variant, seats, 20)
        print(f"| {variant} | {seats} | {env.obs_size} | {env.num_actions} | {spent / (args.steps * ENVS):,.0f} |", flush=True)


if __name__ == "__main__":
    main()
