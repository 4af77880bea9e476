#!/usr/bin/env python3
"""Tests `unolab` with hostile bots, with mutated input, and with kills at random moments.

    cargo build --release --locked && fuzz/hostile_inputs.py

- **Bots**: every kind of `cli/tests/cli/bots/hostile.py` plays with and without the sandbox. The results of the other players must not
  change, its faults must be in the right column, no attack may succeed in the full sandbox, and no process may be left.
- **Inputs**: small changes and long texts in 13 kinds of input, half of them with a correct digest. A command may succeed, fail a check
  (exit status 1), or reject its input (2) with a short message. A panic, a signal, high memory use, or a long running time is a failure.
- **Kills**: runs of every command end by SIGKILL, SIGTERM, or SIGINT at a random moment. The files of the resumed run must equal the
  files of an uninterrupted one.

It prints a table and every failure, and keeps the input of a failure. Exit status 1 if there is a failure. Linux only.
"""
import argparse
import csv
import hashlib
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MOST_SECONDS = 120
MOST_MEMORY = 600  # MiB
LONGEST_MESSAGE = 20_000  # bytes


class Outcome:
    def __init__(self, status, message, memory, is_over_time):
        self.status, self.message, self.memory, self.is_over_time = status, message, memory, is_over_time

    def failure(self, allowed):
        """A description of the failure; None if there is none."""
        if self.is_over_time:
            return f"longer than {MOST_SECONDS} s"
        if self.status < 0 or self.status > 128:
            return f"exit status {self.status}"
        if "panicked" in self.message:
            return "panic"
        if self.status not in allowed:
            return f"exit status {self.status}"
        if self.status == 2 and "error: " not in self.message:
            return "exit status 2 without a message"
        if len(self.message) > LONGEST_MESSAGE:
            return f"message of {len(self.message)} bytes"
        if self.memory > MOST_MEMORY:
            return f"{self.memory} MiB of memory"
        return None


def run(unolab, words, directory, standard_input=b"", environment=()):
    """Runs a command until it ends."""
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as message:
        given.write(standard_input)
        given.seek(0)
        process = subprocess.Popen([unolab, *words], cwd=directory, stdin=given, stdout=subprocess.DEVNULL, stderr=message,
                                   env={**os.environ, "UNOLAB_PROGRESS_INTERVAL": "1000000", **dict(environment)})
        is_over_time = threading.Event()
        timer = threading.Timer(MOST_SECONDS, lambda: (is_over_time.set(), process.kill()))
        timer.start()
        _, status, usage = os.wait4(process.pid, 0)
        timer.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        message.seek(0)
        words = message.read().decode(errors="replace")
        return Outcome(process.returncode, words, usage.ru_maxrss // 1024, is_over_time.is_set())


def must(unolab, words, directory, **more):
    outcome = run(unolab, words.split(), directory, **more)
    if outcome.status != 0:
        sys.exit(f"{words}: exit status {outcome.status}: {outcome.message}")


# --- Bots ---------------------------------------------------------------------------------------------------------------------------

def kinds():
    """The kinds of hostile bots with the column of their faults, and the attacks."""
    text = (ROOT / "cli/tests/cli/hostile.rs").read_text()
    body = re.search(r"const KINDS: .*?\];\n", text, re.S)[0]
    attacks = re.findall(r'"([a-z-]+)"', re.search(r"const SPIES: .*?\];\n", text, re.S)[0])
    column = dict(re.findall(r'\("([a-z-]+)", "([a-z]*)"\)', body))
    return {kind: column.get(kind) for kind in [*column, *attacks]}, set(attacks)


# In its process namespace a bot is process 1, which cannot end itself by a signal. It then does not answer.
UNKILLABLE = {"kills-its-group": "timeouts"}


def rows(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def left_over(directory):
    def words(process):
        try:
            return (process / "cmdline").read_text()
        except OSError:
            return ""

    processes = [process for process in Path("/proc").iterdir() if process.name.isdigit()]
    return [process.name for process in processes if str(directory) in words(process)]


def play_bot(unolab, kind, column, is_attack, sandbox, home):
    """A description of the failure after a tournament with this bot; None if there is none."""
    (home / "bot").mkdir(parents=True)
    shutil.copy(ROOT / "cli/tests/cli/bots/hostile.py", home / "bot")
    (home / "victim.py").write_text("")
    limit = 300 if column == "timeouts" or kind in UNKILLABLE else 20_000
    bot = f'bot=cmd:"{sys.executable} -SE {home}/bot/hostile.py {kind} {home}",decision_ms={limit}'
    words = "tournament --format gauntlet --seats 2 --sets 2 --quiet --agents greedy --agents random --agents mixbot"
    must(unolab, f"{words} --out without", home)
    command = [*words.split(), "--agents", bot, "--sealed", "--key-file", "seal", "--sandbox", sandbox, "--out", "run"]
    open_words = [*words.split(), "--agents", bot, "--sandbox", sandbox, "--out", "run-open"]
    for words, out in [(open_words, "run-open"), (command, "run")]:
        outcome = run(unolab, words, home)
        if wrong := outcome.failure({0}):
            return f"{wrong}: {outcome.message[-300:]}"
        if out == "run-open" and rows(home / out / "pairs.csv")[:2] != rows(home / "without/pairs.csv")[:2]:
            return "other players have other results"
        if kind in UNKILLABLE and sandbox == "require":
            column = UNKILLABLE[kind]
        row = next(row for row in rows(home / out / "summary.csv") if row["entrant"] == "bot")
        faults = {name for name in ("crashes", "timeouts", "illegal") if row[name] != "0"}
        if column is not None and not (is_attack and sandbox != "off") and faults != ({column} if column else set()):
            return f"faults: {faults}"
        if is_attack and sandbox == "require" and faults:
            return f"an attack succeeded, or was stopped: {faults}"
    until = time.monotonic() + 20
    while left_over(home) and time.monotonic() < until:
        time.sleep(0.01)
    return f"processes are left: {left_over(home)}" if left_over(home) else None


def bots(unolab, jobs, home):
    columns, attacks = kinds()
    probe = run(unolab, ["match", "--agents", 'cmd:"true"', "--agents", "greedy", "--sets", "1", "--sandbox", "require"], home)
    full = "auto" if "sandbox is required" in probe.message else "require"
    cases = [(kind, sandbox) for kind in columns for sandbox in ("off", full)]

    def play(case):
        kind, sandbox = case
        directory = home / f"{kind}-{sandbox}"
        return play_bot(unolab, kind, columns[kind], kind in attacks, sandbox, directory)

    with ThreadPoolExecutor(jobs) as pool:
        for (kind, sandbox), wrong in zip(cases, pool.map(play, cases)):
            yield f"bots, sandbox {sandbox}", "wrong" if wrong else "right", wrong and f"{kind}, sandbox {sandbox}: {wrong}"


# --- Inputs -------------------------------------------------------------------------------------------------------------------------

PIECES = [b"", b"\0", b"\xff\xfe", b"nan", b"-1", b"1e999", b"9" * 26, b"18446744073709551615", b"4294967296", b'"', b"{", b"]]]]", b",,,,",
          b"\n", b"null", "\u202e\U0001f0cf".encode(), b"=1+1", b"'''", b"\\u0000", b"true", b"../../x", b"cmd:./x", b"inf", b"0", b"1" * 400]
LONG = [b"=" * 100_000, b"[" * 100_000, b'{"a":' * 20_000, b"9" * 100_000, b"a." * 50_000, b"(" * 100_000, b"x=1,\n" * 20_000,
        b"a:b=" * 25_000, b"'" * 100_000, b"\xf0\x9f\x83\x8f" * 25_000, b"[[step]]\n" * 10_000, b"- " * 50_000]


def mutated(data, chance):
    """The bytes with some random changes."""
    for _ in range(chance.choice([1, 1, 1, 2, 4])):
        at = chance.randrange(len(data)) if data else 0
        end = min(at + 1 + chance.randrange(40), len(data))
        kind = chance.randrange(16)
        if kind == 0 and data:
            data = data[:at] + bytes([data[at] ^ 1 << chance.randrange(8)]) + data[at + 1:]
        elif kind == 1:
            data = data[:at]
        elif kind == 2:
            data = data[:at] + data[end:]
        elif kind == 3:
            data = data[:end] + data[at:]
        elif kind == 4:
            lines = data.splitlines(keepends=True)
            chance.shuffle(lines)
            data = b"".join(lines)
        elif kind >= 8:
            numbers = list(re.finditer(rb"\d+", data))
            if numbers:
                number = chance.choice(numbers)
                other = chance.choice([str(int(number[0][:4000]) + chance.choice([-1, 1])).encode(), b"0", b"18446744073709551615", b"-3", b"7.5",
                                       bytes(chance.choice(b"123456789") for _ in number[0])])
                data = data[:number.start()] + other + data[number.end():]
        elif kind == 5 and chance.random() < 0.3:
            data = data[:at] + chance.choice(LONG) + data[at:]
        elif kind == 6 and data:
            lines = data.splitlines(keepends=True)
            data = b"".join(lines) + chance.choice(lines) * chance.choice([1, 1, 300])
        else:
            data = data[:at] + chance.choice(PIECES) + data[end:]
    return data


def sealed(data):
    """The file with its digest corrected."""
    if data.startswith(b"UNOLABN1"):
        return data[:-32] + hashlib.sha256(data[:-32]).digest()
    for key, end in ((b',"digest":"', b'"}\n'), (b',\n  "digest": "', b'"\n}\n')):
        content, found, _ = data.partition(key)
        if found:
            return content + key + hashlib.sha256(content).hexdigest().encode() + end
    return data


def prepare(unolab, base):
    """Makes the files that are then mutated."""
    for words in (f"{RUN} --out run", f"{RUN} --out other --set uno.penalty=4", f"{RUN} --shard 1/2 --out part-1", f"{RUN} --shard 2/2 --out part-2",
                  "match --agents greedy,random --seats 2 --sets 1 --quiet --record games --out recorded",
                  "train --seats 2 --pretrain 5 --rounds 1 --choices 5 --test-games 4 --quiet --out trained"):
        must(unolab, words, base)
    run(unolab, f"{LONG_RUN} --out unfinished".split(), base, environment=[("UNOLAB_STOP_AFTER_CHECKPOINTS", "2")])
    shutil.copy(ROOT / "fuzz/seeds/scenario/000", base / "scenario.toml")
    (base / "record.jsonl").write_bytes(next((base / "games").iterdir()).read_bytes())
    (base / "weights.net").write_bytes((base / "trained/weights.net").read_bytes())
    (base / "variant.toml").write_text(VARIANT)
    make_bot(base)
    (base / "study").mkdir()
    (base / "study/study.toml").write_text(STUDY)
    talk = subprocess.Popen([unolab, *"match --agents greedy,random --seats 2 --sets 4 --remote=1 --threads 1 --out remote".split()], cwd=base,
                            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    (base / "job").write_bytes(b"".join(talk.stdout.readline() for _ in range(3)))
    talk.kill()
    talk.wait()
    shutil.rmtree(base / "remote", ignore_errors=True)


VARIANT = """base = "classic"

[deck]
wild = 6

[house]
stacking = "any_draw"

[[custom]]
code = "WX"
name = "Wild Shower"
color = "wild"
copies = 2
points = 50
effects = ["name_color", { draw = { who = "next", count = 3 } }]

[[custom]]
code = "rZ"
name = "Gamble"
color = "red"
copies = 1
points = 30
effects = [{ task = { p = 0.5, fail = [{ draw = { who = "all", count = 1 } }] } }, "reverse"]
"""

STUDY = """[[step]]
out = "duel"
command = "match --agents greedy,random --seats 2 --sets 4"
quick = "--sets 2"
exclude = ["distributions.csv"]

[[step]]
out = "balance"
command = "balance --variant classic --seats 2 --sets 4 --matches 0 --sweep house.stacking=off,any_draw"
"""

AGENTS = ["greedy", 'mine=heuristic:goal=points', "net:weights=weights.net", "ismcts:iterations=20,policy=greedy", "exploiter:of=greedy,iterations=8",
          "greedy:seed=1", 'cmd:"python3 my bot.py",fresh=true', "a=greedy,b=random"]
OPTIONS = ["--seats 2,3", "--seed 5", "--set uno.penalty=4", "--set house.stacking=any_draw", "--variant classic,disney", "--unit match",
           "--seating all", "--set start.wild=first_names", "--tables csv", "--luck", "--shard 1/2", "--power 5%", "--record-only every:2",
           "--set deck.red=2", "--games-csv=3", "--sweep deck.wild=2,4", "--agents greedy,random", "--nelo1 30"]

# A command for each file, with the exit statuses that it may have.
READERS = {
    "variant": ("variant.toml", ["variants check variant.toml", "match --variant variant.toml --agents random,greedy --seats 2 --sets 1 --quiet",
                                 "variants show variant.toml", "perft --variant variant.toml --seats 2 --depth 1"]),
    "scenario": ("scenario.toml", ["scenario scenario.toml"]),
    "record": ("record.jsonl", ["replay record.jsonl", "replay --show record.jsonl", "analyze record.jsonl --worlds 2", "replay record.jsonl --html -",
                                "debug record.jsonl --seat greedy -- ./bot"]),
    "study": ("study/study.toml", ["verify study --quick", "verify study"]),
    "run.json": ("run/run.json", ["report run --out -", "rate run", "compare run other", "verify run", "status run", "RUN --out run --resume"]),
    "summary.csv": ("run/summary.csv", ["report run --out -", "rate run", "compare run other", "verify run", "status run"]),
    "games.csv": ("run/games.csv", ["compare run other", "rate run", "verify run", "report run --out -"]),
    "shard": ("part-1/shard.json", ["merge part-1 part-2 --quiet --out joined"]),
    "weights": ("weights.net", ["match --agents net:weights=weights.net,greedy --seats 2 --sets 1 --quiet", "agents check net:weights=weights.net",
                                "train --seats 2 --from weights.net --pretrain 0 --rounds 1 --choices 1 --test-games 2 --quiet --out again"]),
    "checkpoint": ("unfinished/checkpoint.json", ["LONG_RUN --out unfinished --resume"]),
}
RUN = "tournament --agents random,greedy,mixbot --seats 2 --sets 6 --games-csv --quiet"
LONG_RUN = RUN.replace("--sets 6", "--sets 4000")
SORTS = [*READERS, "worker job", "agent text", "options"]


def attack(unolab, sort, chance, base, home):
    """Runs a command with a mutated input; returns its arguments, its outcome, and the failure, if any."""
    shutil.copytree(base, home)
    standard_input = b""
    if sort in READERS:
        name, commands = READERS[sort]
        words = chance.choice(commands).replace("LONG_RUN", LONG_RUN).replace("RUN", RUN).split()
        data = mutated((home / name).read_bytes(), chance)
        (home / name).write_bytes(sealed(data) if chance.random() < 0.7 else data)
        if sort.endswith(".csv") and chance.random() < 0.7:
            manifest = json.loads((home / "run/run.json").read_text())
            manifest["digests"][sort] = hashlib.sha256(data).hexdigest()
            (home / "run/run.json").write_bytes(sealed(json.dumps(manifest, indent=2).encode() + b"\n"))
    elif sort == "worker job":
        words, lines = ["worker"], (home / "job").read_bytes().splitlines(keepends=True)
        changed = chance.randrange(3)
        lines[changed] = mutated(lines[changed].rstrip(b"\n"), chance) + b"\n"
        standard_input = b"".join(lines)
    elif sort == "agent text":
        words = ["agents", "check", argument(mutated(chance.choice(AGENTS).encode(), chance))]
    else:
        name, _, value = chance.choice(OPTIONS).partition(" ")
        option = [name, argument(mutated(value.encode(), chance))] if value else [argument(mutated(name.encode(), chance))]
        command = {"--sweep": "balance --matches 0 --sets 2", "--nelo1": "sprt --agents greedy,random --max-sets 20"}.get(name, "match --sets 2")
        given = [] if name == "--agents" or "sprt" in command or "balance" in command else ["--agents", "greedy,random"]
        words = [*command.split(), *given, "--quiet", *option]
    outcome = run(unolab, words, home, standard_input)
    wrong = outcome.failure({0, 1, 2} if words[0] in ("verify", "scenario", "replay", "debug", "agents", "compare") else
                            {0, 1, 2, 3} if words[0] == "sprt" else {0, 2})
    # A mutated study may take long.
    if outcome.is_over_time and sort == "study":
        wrong = None
    return words, outcome, wrong


def argument(data):
    return data.replace(b"\0", b"")[:120_000]


def inputs(unolab, number, seed, jobs, home):
    base = home / "base"
    base.mkdir(parents=True)
    prepare(unolab, base)

    def one(index):
        sort, directory = SORTS[index % len(SORTS)], home / f"{index:05}"
        words, outcome, wrong = attack(unolab, sort, random.Random(f"{seed} {index}"), base, directory)
        if not wrong:
            shutil.rmtree(directory)
        return sort, words, outcome, wrong

    with ThreadPoolExecutor(jobs) as pool:
        for index, (sort, words, outcome, wrong) in enumerate(pool.map(one, range(number))):
            shown = " ".join(word[:200].decode(errors="replace") if isinstance(word, bytes) else word for word in words)
            result = "wrong" if wrong else "at work" if outcome.is_over_time else {0: "accepted", 2: "rejected"}.get(outcome.status, "checked")
            yield sort, result, wrong and f"{home / f'{index:05}'}: unolab {shown[:300]}: {wrong}: {outcome.message[-300:]}"


# --- Kills --------------------------------------------------------------------------------------------------------------------------

# Commands that take about a second. `OUT` is the directory of the results. The first ones can be resumed.
RESUMED = {
    "tournament": "tournament --agents random,greedy,mixbot --seats 2,3 --sets 6000 --out OUT",
    "records": "match --agents greedy,random --seats 2 --sets 4000 --games-csv --record OUT/games --record-sets 60 --out OUT",
    "parquet": "match --agents greedy,mixbot --seats 2 --sets 12000 --games-csv --tables parquet --out OUT",
    "luck": "match --agents greedy,mixbot --seats 2 --sets 2000 --luck --out OUT",
    "sprt": "sprt --agents heuristic,mixbot --nelo0 -0.2 --nelo1 0.2 --max-sets 12000 --out OUT",
    "league": "tournament --format league --agents first-legal,random,diversity,greedy,mixbot,heuristic --seats 2 --sets 1500 --out OUT",
    "adaptive": "tournament --agents greedy,mixbot,random --seats 2,3 --sets 4000 --adaptive --out OUT",
    "gauntlet": "tournament --format gauntlet --agents ismcts:iterations=20,greedy,random --seats 2 --sets 20 --out OUT",
    "balance": "balance --variant disney --agents heuristic --seats 2,3 --sets 1000 --matches 60 --sweep points.villain_draw_four=25,50 --out OUT",
    "sealed": "tournament --agents random,greedy,mixbot --seats 2 --sets 8000 --sealed --key-file key --out OUT",
    "train": "train --seats 2 --pretrain 200 --rounds 2 --choices 60 --test-games 400 --out OUT",
    "shard": "tournament --agents random,greedy,mixbot --seats 2,3 --sets 12000 --shard 1/2 --out OUT",
    "program": "match --agents mine=cmd:./bot,greedy --seats 2 --sets 150 --out OUT",
}
REPEATED = {
    "coverage": "coverage --agents greedy,random --seats 2 --runs 100 --sets 40 --out OUT",
    "exploit": f"exploit --agents greedy --variant {ROOT}/results/exploitability/mini.toml --out OUT",
    "ladder": "ladder --agents greedy,mixbot,random --sets 3000 --directory OUT",
    "merge": "merge part-1 part-2 --out OUT",
    "verify": "verify whole",
    "analyze": "analyze games --worlds 30 --out OUT",
}
BOT = """#!/bin/sh
while read -r line; do
    case $line in
        *'"type":"hello"'*) echo '{"protocol":1}';;
        *'"type":"decide"'*) n=${line#*'"decision":'}; echo "{\\"decision\\":${n%%[,\\}]*},\\"action\\":0}";;
    esac
done
"""


def make_bot(directory):
    (directory / "bot").write_text(BOT)
    (directory / "bot").chmod(0o755)


NOT_COMPARED = {"time.json", ".lock"}
CHANGING_KEYS = {"seconds", "machine", "digest"}


def contents(directory):
    """The files of a directory without the values that may differ: times and the machine."""
    found = {}
    for path in sorted(path for path in directory.rglob("*") if path.is_file() and path.name not in NOT_COMPARED):
        data = path.read_bytes()
        if path.name == "run.json":
            data = {key: value for key, value in json.loads(data).items() if key not in CHANGING_KEYS}
        found[str(path.relative_to(directory))] = data
    return found


def kill_once(unolab, words, home, chance, most):
    """Whether the command was killed before its end."""
    process = subprocess.Popen([unolab, *words], cwd=home, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        process.wait(chance.uniform(0.01, most))
        return False
    except subprocess.TimeoutExpired:
        process.send_signal(chance.choice([signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGINT]))
    try:
        return process.wait(MOST_SECONDS) in (-signal.SIGKILL, 130)
    except subprocess.TimeoutExpired:
        process.kill()
        return None


def kills(unolab, number, seed, home):
    home.mkdir(parents=True)
    make_bot(home)
    parts = "tournament --agents random,greedy,mixbot --seats 2,3 --sets 400 --games-csv --quiet"
    for words in (f"{parts} --shard 1/2 --out part-1", f"{parts} --shard 2/2 --out part-2", f"{parts.replace('400', '3000')} --out whole",
                  "match --agents greedy,random --seats 2 --sets 20 --quiet --record games --out recorded"):
        must(unolab, words, home)
    commands = {**RESUMED, **REPEATED}
    chance, times = random.Random(seed), {}
    for name, words in commands.items():
        begin = time.monotonic()
        must(unolab, words.replace("OUT", f"{name}-reference"), home)
        times[name] = time.monotonic() - begin
    for index in range(number):
        name = [*commands][index % len(commands)]
        out = home / f"{name}-{index}"
        words = commands[name].replace("OUT", out.name).split()
        again = [*words, "--resume"] if name in RESUMED else words
        killed, wrong = 0, None
        for attempt in range(6):
            # The command may have finished before it was killed.
            if not killed or name in REPEATED and name != "ladder":
                shutil.rmtree(out, ignore_errors=True)
            was_killed = kill_once(unolab, again if out.exists() else words, home, chance, times[name] / (1 + attempt))
            killed += was_killed is True
            wrong = wrong or (was_killed is None and "does not end after a signal") or None
            if killed == 1 + index % 2 or killed and was_killed is False:
                break
        # A stopped command may have written partial tables. Only a ladder continues from them.
        if name in REPEATED and name != "ladder":
            shutil.rmtree(out, ignore_errors=True)
        outcome = run(unolab, again if out.exists() else words, home)
        reference = home / f"{name}-reference"
        wrong = wrong or outcome.failure({0})
        if not wrong and reference.exists() and contents(out) != contents(reference):
            found, expected = contents(out), contents(reference)
            differing = [file for file in {*found, *expected} if found.get(file) != expected.get(file)]
            wrong = f"other files: {differing}"
        if not wrong and left_over(home):
            wrong = f"processes are left: {left_over(home)}"
        yield f"kill of {name}", "wrong" if wrong else f"{killed} kills", wrong and f"{' '.join(words)}: {wrong}: {outcome.message[-300:]}"
        if not wrong:
            shutil.rmtree(out, ignore_errors=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--binary", default=ROOT / "target/release/unolab", type=Path, help="the program [default: target/release/unolab]")
    parser.add_argument("--inputs", default=6_000, type=int, metavar="N", help="mutated inputs [default: 6000]")
    parser.add_argument("--kills", default=96, type=int, metavar="N", help="killed runs [default: 96]")
    parser.add_argument("--no-bots", action="store_true", help="play no hostile bots")
    parser.add_argument("--seed", default=1, type=int, metavar="N", help="the seed of all random choices [default: 1]")
    parser.add_argument("--jobs", default=os.cpu_count(), type=int, metavar="N", help="commands at the same time [default: all cores]")
    parser.add_argument("--directory", type=Path, help="a new directory for all files [default: a temporary one]")
    options = parser.parse_args()
    unolab = options.binary.resolve()
    home = (options.directory or Path(tempfile.mkdtemp(prefix="unolab-hostile-"))).resolve()
    home.mkdir(parents=True, exist_ok=True)
    parts = [] if options.no_bots else [bots(unolab, options.jobs, home)]
    parts += [inputs(unolab, options.inputs, options.seed, options.jobs, home / "inputs")] if options.inputs else []
    parts += [kills(unolab, options.kills, options.seed, home / "kills")] if options.kills else []
    table, failures = {}, 0
    for part in parts:
        for row, result, wrong in part:
            table.setdefault(row, Counter())[result] += 1
            if wrong:
                failures += 1
                print(f"WRONG {wrong}", flush=True)
    for row, results in table.items():
        print(f"{row:<28}", ", ".join(f"{number} {result}" for result, number in sorted(results.items())))
    print(f"{failures} failures" + (f"; see {home}" if failures else ""))
    if not failures and not options.directory:
        shutil.rmtree(home)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
