#!/usr/bin/env python3
"""Checks the time limits of bots on a busy machine: eight busy loops share two processors with punctual and late bots.

    cargo build --release --locked && fuzz/busy_machine.py

It takes one to three minutes and prints a row for each bot and time limit. The exit status is 1 if a punctual bot loses on time, or
a late bot does not. Linux only.
"""
import argparse
import csv
import json
import os
import shlex
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

LOOPS = 8
LIMITS = (80, 400)
# Every game must be lost, or none.
BOTS = {"uses-85%": "none", "uses-130%": "all", "sleeps-200%": "all", "hides-200%-in-children": "all"}
# A bot that is too slow in ten games in a row is not asked again, so every bot plays fewer games.
SETS = 2


def burn(seconds):
    until = time.process_time() + seconds
    while time.process_time() < until:
        pass


def hide(seconds):
    """Uses processor time in child processes that are not waited for, while this process waits for the same processor."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    part, together = 0.008, 20
    while seconds > 0:
        is_open, inherited = os.pipe()
        os.set_blocking(is_open, False)
        for _ in range(together):
            if os.fork() == 0:
                burn(part)
                os._exit(0)
        os.close(inherited)
        while True:
            try:
                if os.read(is_open, 1) == b"":
                    break
            except BlockingIOError:
                pass
        os.close(is_open)
        seconds -= part * together


def play(kind, limit):
    """A bot that is slow in the first decision of each game."""
    begin = time.process_time()
    is_first = False
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            print(json.dumps({"protocol": 1}), flush=True)
        elif message["type"] == "new_game":
            is_first = True
        elif message["type"] == "decide":
            if is_first:
                if kind.startswith("uses-"):
                    part = int(kind.removeprefix("uses-").removesuffix("%")) / 100
                    burn(part * limit - (time.process_time() - begin))
                elif kind.startswith("sleeps-"):
                    time.sleep(2 * limit)
                else:
                    hide(2 * limit)
            is_first = False
            print(json.dumps({"decision": message["decision"], "action": 0}), flush=True)
            begin = time.process_time()


def lost_on_time(unolab, kind, limit, directory):
    """The number of games, of those that the bot lost on time, and the last lines of its logs."""
    program = shlex.join([sys.executable, str(Path(__file__).resolve()), "--bot", kind, "--limit", str(limit)])
    out, log = directory / f"{kind}-{limit}", directory / f"{kind}-{limit}-log"
    agents = f'{kind.split("-")[0]}=cmd:"{program}",decision_ms={limit}'
    command = [unolab, "match", "--agents", agents, "--agents", "greedy", "--seats", "2", "--sets", str(SETS), "--threads", "1"]
    subprocess.run([*command, "--out", str(out), "--bot-log", str(log), "--quiet"], check=True, stdout=subprocess.DEVNULL)
    with open(out / "summary.csv", newline="") as table:
        games = int(next(csv.DictReader(table))["games"])
    ends = [path.read_text().splitlines()[-1] for path in sorted(log.iterdir())]
    faults = out / "faults.csv"
    if not faults.exists():
        return games, 0, ends
    with open(faults, newline="") as table:
        rows = list(csv.DictReader(table))
    assert all(row["kind"] == "decision-time" for row in rows), rows
    return games, len(rows), ends


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--unolab", default="target/release/unolab", help="the program to check [default: %(default)s]")
    parser.add_argument("--bot", help=argparse.SUPPRESS)
    parser.add_argument("--limit", type=int, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.bot:
        return play(arguments.bot, arguments.limit / 1000)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:2])
    loops = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(LOOPS)]
    is_right = True
    try:
        with tempfile.TemporaryDirectory() as directory:
            print(f"{'bot':<24}{'limit':>8}{'games':>7}{'lost on time':>14}{'must be':>9}{'time':>8}")
            for kind, expected in BOTS.items():
                for limit in LIMITS:
                    begin = time.monotonic()
                    games, lost, ends = lost_on_time(arguments.unolab, kind, limit, Path(directory))
                    must_be = games if expected == "all" else 0
                    taken = time.monotonic() - begin
                    mark = "" if lost == must_be else "  wrong"
                    is_right &= lost == must_be
                    print(f"{kind:<24}{limit:>5} ms{games:>7}{lost:>14}{must_be:>9}{taken:>6.0f} s{mark}", flush=True)
                    if lost != must_be:
                        print("\n".join(ends))
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()
    return 0 if is_right else 1


if __name__ == "__main__":
    sys.exit(main())
