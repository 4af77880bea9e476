"""The arithmetic of the page on speed."""

from tables import Estimate, bench, markdown, toml

PEERS = markdown("speed/peers.md")
RLCARD, OPENSPIEL = "RLCard rules loop", "OpenSpiel whole games"
# The rows of peers.md that the page shows, and what it calls them.
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
PYTHON = markdown("speed/python.md")
AGAINST = ["RLCard uno", "OpenSpiel crazy_eights, with observations", "PettingZoo leduc_holdem_v4"]
DECISIONS = markdown("speed/python-instructions.md")
EDITIONS = ["classic", "wimpy-kid", "handheld", "swap-hands", "custom", "cars", "disney"]
COUNTS = toml("../benches/instructions.toml")


def peer(engine, measured, seats):
    return PEERS.row(engine=engine, measured=measured, players=seats)


def times(row, column):
    """How many times as fast as the peer of this column; nothing where that is not measured."""
    return f"{row.cells[column]} ×" if row.cells[column] else ""


def of_rlcard(seats):
    """How many times as many rounds as RLCard's rules loop."""
    return peer("unolab", "whole rounds", seats).cells[RLCARD].rstrip(" ×")


def spread():
    """The largest half range of the shown rows, in per cent."""
    return max(int(peer(*shown).cells["±"]) for shown in SHOWN)


def figure_of_peers():
    """Rounds a second of each engine at two and four seats, where it was measured."""
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


def vec_env(column):
    """What `VecEnv` with its usual 1,024 environments has in a column of the table from Python."""
    return PYTHON.row(library="unolab", environment="VecEnv, 1,024 environments")[column]


def decision(variant, seats, unit="round", written="all"):
    """Instructions of a decision."""
    row = DECISIONS.row(variant=variant, seats=seats, **{"a game": unit, "written": written})
    return row["instructions a decision"]


def speed(edition, agent="random", seats=4):
    """A row of `unolab bench` on one thread."""
    rows = bench("speed/bench.json").rows(variant=edition, agent=agent, seats=seats, threads=1)
    return next(row for row in rows if "ns_per_turn" in row.cells)


def rollouts(edition, seats=4):
    rows = bench("speed/bench.json").rows(variant=edition, agent="random", seats=seats, threads=1)
    return next(row for row in rows if "rollouts_per_s" in row.cells).rollouts_per_s


# The agents of bench.json, and the nanoseconds in the unit of each.
SEARCH = "ismcts:iterations=60"
MEASURED = ["random", "first-legal", "greedy", "diversity", "card-ranking", "mixbot", "heuristic", "net", SEARCH]
UNITS = {"net": 1e3, SEARCH: 1e3}


def seats_of(edition):
    return [seats for seats in BENCH_SEATS if edition != "handheld" or seats <= 4]


def median_ns(edition, agent, seats):
    return speed(edition, agent, seats).ns_per_turn


def spans(edition, seats):
    """The times of a turn of each agent, from the quickest to the slowest window, as cells."""
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
    """The speed a turn, as a part of classic's."""
    return speed("classic").ns_per_turn / speed(edition).ns_per_turn


def slowest():
    return min(EDITIONS, key=against_classic)


BENCH_SEATS = sorted({int(seats) for seats in bench("speed/bench.json").values("seats")})


def all_measured():
    """Every edition at every number of seats that it allows, on one thread and on two."""
    return all(
        bench("speed/bench.json").rows(variant=edition, seats=seats, threads=threads)
        for edition in EDITIONS
        for seats in BENCH_SEATS
        for threads in (1, 2)
        if edition != "handheld" or seats <= 4
    )


# Agents, and editions with seats, whose turns are counted.
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
    """Instructions a turn with BMI2, none if they are not counted."""
    figure = COUNTS["figures"]["x86_64"].get(f"{edition}-{agent}-{seats}-bmi2")
    return figure and figure["instructions"] / figure["turns"]


def counted(edition, agents, seats):
    """The same of some agents, as cells; empty ones where they are not counted."""
    turns = (turn(edition, agent, seats) for agent in agents)
    return " | ".join(f"{instructions:,.0f}" if instructions else "" for instructions in turns)
