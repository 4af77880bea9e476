"""Calculations for the report on speed."""

import statistics

from tables import Estimate, bench, csv, markdown, toml

PEERS = markdown("speed/peers.md")
RLCARD, OPENSPIEL = "RLCard rules loop", "OpenSpiel whole games"
# The rows of peers.md in the report.
SHOWN = [
    ("unolab", "whole rounds", 2),
    ("unolab", "whole rounds", 4),
    ("unolab", "rollouts from turn 24", 2),
    ("unolab", "rollouts from turn 24", 4),
    ("RLCard", "environment", 2),
    ("RLCard", "rules loop alone", 2),
    ("RLCard", "rules loop alone", 4),
    ("OpenSpiel", "C++ loop, whole games", 2),
    ("OpenSpiel", "C++ loop, whole games", 4),
]
PATHS = markdown("speed/paths.md")
PYTHON = markdown("speed/python.md")
AGAINST = ["RLCard uno", "OpenSpiel crazy_eights, with observations", "PettingZoo leduc_holdem_v4"]
DECISIONS = markdown("speed/python-instructions.md")
EDITIONS = ["classic", "wimpy-kid", "handheld", "swap-hands", "custom", "cars", "disney"]
COUNTS = toml("../benches/instructions.toml")


def peer(engine, measured, seats):
    return PEERS.row(engine=engine, measured=measured, players=seats)


def times(row, column):
    """The speed relative to the peer of this column; empty if it was not measured."""
    whole, point, rest = row.cells[column].partition(".")
    return f"{int(whole):,}{point}{rest} ×" if whole else ""


def of_rlcard(seats):
    """The number of rounds relative to RLCard's rules loop."""
    return peer("unolab", "whole rounds", seats).cells[RLCARD].rstrip(" ×")


def spread():
    """The largest half range of these rows, in percent."""
    return max(int(peer(*shown).cells["±"]) for shown in SHOWN)


def figure_of_peers():
    """Rounds per second of each engine with two and four players, if measured."""
    named = [
        ("unolab", "unolab", "whole rounds"),
        ("OpenSpiel's crazy eights, C++", "OpenSpiel", "C++ loop, whole games"),
        ("RLCard's UNO, rules loop alone", "RLCard", "rules loop alone"),
        ("RLCard's UNO, its game", "RLCard", "game object"),
        ("RLCard's UNO, its environment", "RLCard", "environment"),
    ]
    panels = []
    for seats in (2, 4):
        rows = []
        for name, engine, measured in named:
            if (engine, measured) == ("RLCard", "environment") and seats != 2:
                continue
            row = peer(engine, measured, seats)
            rate, part = float(str(row["rounds/s"]).replace(",", "")), int(row.cells["±"].rstrip("%")) / 100
            rows.append((name, Estimate(rate, rate * (1 - part), rate * (1 + part))))
        panels.append((f"{seats} players", None, rows))
    return panels


JOBS = {
    "default": "`unolab`, without a command",
    "random and greedy": "`tournament --agents random,greedy --seats 2,4 --sets 400000`",
    "train": "`train --from net --rounds 1 --choices 1000`",
}
THREADS = sorted({int(threads) for threads in csv("speed/cores.csv").values("threads")})
# Numbers of cores for which the speedup is computed.
MORE_CORES = [16, 64, 128]


def seconds(job, threads):
    """The median time of a job."""
    return statistics.median(row.seconds for row in csv("speed/cores.csv").rows(job=job, threads=threads))


def speedup(job, threads):
    return seconds(job, 1) / seconds(job, threads)


def constant():
    """The part of the default job that does not grow with its games, in percent of its time on one thread."""
    return 100 * seconds("sets 4", 1) / seconds("default", 1)


def amdahl(cores):
    """The largest speedup of the default job on this many cores, if that part is serial."""
    serial = constant() / 100
    return 1 / (serial + (1 - serial) / cores)


def python(environment, column):
    """The value of an environment of unolab in a column of the Python table."""
    return PYTHON.row(library="unolab", environment=environment)[column]


def vec_env(column):
    """The value of `VecEnv` with 1,024 environments in a column of the Python table."""
    return python("VecEnv, 1,024 environments", column)


def decision(variant, seats, unit="round", written="all"):
    """Instructions per decision."""
    row = DECISIONS.row(variant=variant, seats=seats, **{"a game": unit, "written": written})
    return row["instructions per decision"]


def speed(edition, agent="random", seats=4):
    """A row of `unolab bench` on one thread."""
    rows = bench("speed/bench.json").rows(variant=edition, agent=agent, seats=seats, threads=1)
    return next(row for row in rows if "ns_per_turn" in row.cells)


def rollouts(edition, seats=4):
    rows = bench("speed/bench.json").rows(variant=edition, agent="random", seats=seats, threads=1)
    return next(row for row in rows if "rollouts_per_s" in row.cells).rollouts_per_s


# The agents of bench.json, and the number of nanoseconds in the unit of each.
SEARCH = "ismcts:iterations=60"
MEASURED = ["random", "first-legal", "greedy", "diversity", "card-ranking", "mixbot", "heuristic", "net", SEARCH]
UNITS = {"net": 1e3, SEARCH: 1e3}


def seats_of(edition):
    return [seats for seats in BENCH_SEATS if edition != "handheld" or seats <= 4]


def median_ns(edition, agent, seats):
    return speed(edition, agent, seats).ns_per_turn


def spans(edition, seats):
    """The time per turn of each agent, from the fastest to the slowest window, as cells."""
    cells = []
    for agent in MEASURED:
        row = speed(edition, agent, seats)
        unit = UNITS.get(agent, 1)
        quickest, slowest = (row.ns_per_turn * row.rounds_per_s / rate / unit for rate in (row.high, row.low))
        digits = 1 if slowest < 100 else 0
        quickest, slowest = f"{quickest:,.{digits}f}", f"{slowest:,.{digits}f}"
        cells.append(quickest if quickest == slowest else f"{quickest}–{slowest}")
    return " | ".join(cells)


def against_classic(edition):
    """The speed per turn, relative to classic."""
    return speed("classic").ns_per_turn / speed(edition).ns_per_turn


def slowest():
    return min(EDITIONS, key=against_classic)


BENCH_SEATS = sorted({int(seats) for seats in bench("speed/bench.json").values("seats")})


def all_measured():
    """Whether every edition was measured with every allowed number of players, on one thread and on two."""
    return all(
        bench("speed/bench.json").rows(variant=edition, seats=seats, threads=threads)
        for edition in EDITIONS
        for seats in BENCH_SEATS
        for threads in (1, 2)
        if edition != "handheld" or seats <= 4
    )


# The agents, and the editions with player counts, whose turns are counted.
COUNTED = ["random", "greedy", "mixbot", "heuristic"]
COUNTED_TABLES = [
    ("classic", 4),
    ("classic", 10),
    *((edition, 4) for edition in EDITIONS[1:-1]),
    ("cars", 10),
    ("disney", 4),
    ("disney", 10),
]


def turn(edition, agent, seats):
    """Instructions per turn with BMI2; None if not counted."""
    figure = COUNTS["figures"]["x86_64"].get(f"{edition}-{agent}-{seats}-bmi2")
    return figure and figure["instructions"] / figure["turns"]


def counted(edition, agents, seats):
    """The same for several agents, as cells; empty if not counted."""
    turns = (turn(edition, agent, seats) for agent in agents)
    return " | ".join(f"{instructions:,.0f}" if instructions else "" for instructions in turns)
