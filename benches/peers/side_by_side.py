"""Measures unolab, RLCard, and OpenSpiel in turn, several times, and prints the medians as a Markdown table.

Everything runs on the same core, one measurement after the other; the whole series is repeated. Rates are per second of that
core's processor time, which excludes other work on the machine.
"""

import argparse
import importlib.metadata
import json
import os
import pathlib
import platform
import resource
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass, field

HERE = pathlib.Path(__file__).parent
PLAYERS = (2, 4)


@dataclass
class Row:
    """One line of the table: the workload, and the result of each measurement."""

    engine: str
    what: str
    players: int
    rates: list = field(default_factory=list)
    steps: list = field(default_factory=list)

    def add(self, rate, steps=None):
        self.rates.append(rate)
        if steps is not None:
            self.steps.append(steps)

    @property
    def rate(self):
        return statistics.median(self.rates)

    @property
    def spread(self):
        """Half the range, as a share of the median."""
        return (max(self.rates) - min(self.rates)) / 2 / self.rate


@dataclass
class Peer:
    """A measurement made by one of the Python files in this directory."""

    row: Row
    script: str
    mode: str

    def measure(self, seconds):
        command = [sys.executable, HERE / self.script, self.mode, str(self.row.players), str(seconds)]
        output, core_share = run(command)
        found = json.loads(output.splitlines()[-1])
        self.row.add(found["rounds"] / found["core_seconds"], found["steps"] / found["rounds"])
        return core_share


@dataclass
class Unolab:
    """All rows of unolab: one run of `unolab bench`."""

    program: str
    rounds: dict
    rollouts: dict

    def measure(self, _seconds):
        output, core_share = run([self.program, "bench", "--variant", "classic", "--json"])
        for result in json.loads(output)["tables"]["bench"]:
            if result["agent"] != "random" or result["threads"] != 1 or result["seats"] not in PLAYERS:
                continue
            if "rollouts_per_s" in result:
                self.rollouts[result["seats"]].add(result["rollouts_per_s"] / core_share)
            else:
                turns = result["turns_per_s"] / result["rounds_per_s"]
                self.rounds[result["seats"]].add(result["rounds_per_s"] / core_share, turns)
        return core_share


def run(command):
    """The output of the command, and the share of the core that it used."""
    used, begin = core_seconds_of_children(), time.monotonic()
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    core_share = (core_seconds_of_children() - used) / (time.monotonic() - begin)
    if done.returncode != 0:
        raise OSError(f"{' '.join(map(str, command))}: exit status {done.returncode}")
    return done.stdout, core_share


def core_seconds_of_children():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


GAMES, AFTER_DEAL = "C++ loop, whole games", "C++ loop after the deal"
RULES = "rules loop alone"


def measurements(program):
    """The measurements, in the order of the table."""
    rounds = {players: Row("unolab", "whole rounds", players) for players in PLAYERS}
    rollouts = {players: Row("unolab", "rollouts from turn 24", players) for players in PLAYERS}
    rlcard, openspiel = "rlcard_uno.py", "openspiel_crazy_eights.py"
    peers = [
        Peer(Row("RLCard", "environment", 2), rlcard, "environment"),
        *(Peer(Row("RLCard", "game object", players), rlcard, "game") for players in PLAYERS),
        *(Peer(Row("RLCard", RULES, players), rlcard, "rules") for players in PLAYERS),
        *(Peer(Row("OpenSpiel", GAMES, players), openspiel, "bots") for players in PLAYERS),
        *(Peer(Row("OpenSpiel", AFTER_DEAL, players), openspiel, "rollouts") for players in PLAYERS),
    ]
    rows = [*rounds.values(), *rollouts.values(), *(peer.row for peer in peers)]
    return rows, [Unolab(program, rounds, rollouts), *peers]


NOTES = """\
All players choose actions at random. One game is played at a time.

- **unolab**: `unolab bench`, the classic game with bluffs and challenges, in the loop of the arena, which includes the schedule, \
the records, and the tables. A step is a turn. A rollout copies a position after 24 turns, deals the unseen cards again, and \
plays the round to its end.
- **RLCard**, UNO: *environment* is `rlcard.make("uno")`, which encodes an observation in every step and has only two \
players; *game object* is `UnoGame.step`, which writes the state as a dictionary; *rules loop alone* is only \
`UnoRound.proceed_round` and `get_legal_actions`. A step is a decision.
- **OpenSpiel**, crazy_eights, its closest game to UNO: *whole games* is `evaluate_bots` with uniform random bots; *after the deal* \
is `RandomRolloutEvaluator` with 200 playouts per call. In both, the loop over a game is in C++ and Python only starts it. A step \
is a player's decision; the mean number of decisions is counted in Python, in games of the same kind.
"""


def report(rows, core_share, repeats):
    rate_of = {(row.engine, row.what, row.players): row.rate for row in rows}

    def times(row, engine, what):
        """The speed relative to that peer with the same number of players."""
        return f"{row.rate / rate_of[engine, what, row.players]:,.0f} ×" if row.engine == "unolab" else ""

    lines = [
        "| engine | measured | players | rounds/s | ± | steps per round "
        "| RLCard rules loop | OpenSpiel whole games | OpenSpiel after the deal |",
        "|---|---|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for row in rows:
        steps = f"{statistics.mean(row.steps):.0f}" if row.steps else ""
        cells = [row.engine, row.what, row.players, f"{row.rate:,.0f}", f"{row.spread:.0%}", steps]
        ratios = [times(row, "RLCard", RULES), times(row, "OpenSpiel", GAMES), times(row, "OpenSpiel", AFTER_DEAL)]
        lines.append("| " + " | ".join(map(str, cells + ratios)) + " |")
    peers = {"RLCard": "rlcard", "OpenSpiel": "open_spiel"}
    versions = ", ".join(f"{name} {importlib.metadata.version(package)}" for name, package in peers.items())
    lines += [
        "",
        f"{cpu_model()}, one core, of which the measurements had {core_share:.0%}; {versions}, "
        f"Python {platform.python_version()}. Medians of {repeats}, and half the range.",
        "",
    ]
    if core_share < 0.9:
        lines += ["**The machine was busy**: measure again when it is not.", ""]
    return "\n".join(lines) + NOTES


def cpu_model():
    try:
        info = pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8")
        return next(line.split(":", 1)[1].strip() for line in info.splitlines() if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.machine()


def use_one_core():
    """Pins this process and its children to the first core that it may use."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--unolab", required=True, help="the program to measure")
    parser.add_argument("--repeats", type=int, default=5, help="measurements of each row (default 5)")
    parser.add_argument("--seconds", type=float, default=2.0, help="length of each (default 2)")
    parser.add_argument("--out", type=pathlib.Path, help="write the table to this file as well")
    args = parser.parse_args()
    if args.repeats < 1 or not args.seconds > 0:
        parser.error("--repeats and --seconds must be positive")
    if args.out:
        args.out.touch()  # to fail immediately instead of after minutes

    use_one_core()
    rows, tasks = measurements(args.unolab)
    begin, core_shares = time.monotonic(), []
    for repeat in range(args.repeats):
        core_shares += [task.measure(args.seconds) for task in tasks]
        print(f"repeat {repeat + 1} of {args.repeats}, {time.monotonic() - begin:.0f} s", file=sys.stderr)

    text = report(rows, statistics.median(core_shares), args.repeats)
    print(text, end="")
    if args.out:
        args.out.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    try:
        main()
    except OSError as error:
        print(f"side_by_side.py: {error}", file=sys.stderr)
        sys.exit(2)
