"""Calculations for the report on mutants."""

from tables import RESULTS, csv

# Each table, its command, and the code that it samples.
COMMANDS = {
    "engine": ("fuzz/mutants/run.sh engine 13 200", "engine/src/state, engine/src/rules"),
    "agents": ("fuzz/mutants/run.sh agents 13 150", "agents/src/search, agents/src/belief"),
    "stats": ("fuzz/mutants/run.sh stats 13 150", "stats/src"),
    "engine-files": ("fuzz/mutants/run.sh engine 14 2/file engine", "two locations in each file of engine/src"),
    "agents-files": ("fuzz/mutants/run.sh agents 14 2/file agents", "two locations in each file of agents/src"),
    "command": ("fuzz/mutants/run.sh command 13 2/file", "two locations in each file of arena/src and cli/src (now commands/src)"),
    "play": ("fuzz/mutants/run.sh play 14 2/file", "two locations in each file of play/src"),
}
# The crates that are modified.
ALTERED = ["engine", "agents", "stats", "arena", "cli", "play"]
# The tables that exist.
CRATES = [crate for crate in COMMANDS if (RESULTS / f"mutants/{crate}.csv").is_file()]
MISSING = [crate for crate in COMMANDS if crate not in CRATES]


def mutants(crate):
    """All mutants of a table."""
    return csv(f"mutants/{crate}.csv").all


def survivors(crate):
    """The mutants that no test detected."""
    return [one for one in mutants(crate) if str(one.noticed_by).startswith("nothing")]


def reason(crate, mutant):
    """The reason why no test detects it; empty if unknown."""
    found = [one for one in csv("mutants/reasons.csv").all if (one.crate, one.number) == (crate, mutant.number)]
    if found and (found[0].place, found[0].what) != (mutant.place, mutant.what):
        raise ValueError(f"reasons.csv takes mutant {mutant.number} of {crate} for another one")
    return found[0].reason if found else ""


def unexplained(crate):
    """The mutants that no test detected, without a reason."""
    return [one for one in survivors(crate) if not reason(crate, one)]


def by_record_alone(crate):
    """The mutants that only the record of seeded moves detected."""
    return [one for one in mutants(crate) if str(one.noticed_by).startswith("moves: ")]


def total(of):
    """Their number over all tables."""
    return sum(len(of(crate)) for crate in CRATES)
