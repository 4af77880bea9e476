"""The arithmetic of the page on mutants."""

from tables import RESULTS, csv

# Each table, its command, and what that samples.
COMMANDS = {
    "engine": ("fuzz/mutants/run.sh engine 13 200", "engine/src/state, engine/src/rules"),
    "agents": ("fuzz/mutants/run.sh agents 13 150", "agents/src/search, agents/src/belief"),
    "stats": ("fuzz/mutants/run.sh stats 13 150", "stats/src"),
    "engine-files": ("fuzz/mutants/run.sh engine 14 2/file engine", "two locations in each file of engine/src"),
    "agents-files": ("fuzz/mutants/run.sh agents 14 2/file agents", "two locations in each file of agents/src"),
    "command": ("fuzz/mutants/run.sh command 13 2/file", "two locations in each file of arena/src and cli/src (now commands/src)"),
    "play": ("fuzz/mutants/run.sh play 14 2/file", "two locations in each file of play/src"),
}
# The crates that are altered.
ALTERED = ["engine", "agents", "stats", "arena", "cli", "play"]
# Those that have been run.
CRATES = [crate for crate in COMMANDS if (RESULTS / f"mutants/{crate}.csv").is_file()]
MISSING = [crate for crate in COMMANDS if crate not in CRATES]


def mutants(crate):
    """All of a crate."""
    return csv(f"mutants/{crate}.csv").all


def survivors(crate):
    """Those that no test has noticed."""
    return [one for one in mutants(crate) if str(one.noticed_by).startswith("nothing")]


def reason(crate, mutant):
    """Why no test can notice it; nothing, where that is not known."""
    found = [one for one in csv("mutants/reasons.csv").all if (one.crate, one.number) == (crate, mutant.number)]
    if found and (found[0].place, found[0].what) != (mutant.place, mutant.what):
        raise ValueError(f"reasons.csv takes mutant {mutant.number} of {crate} for another one")
    return found[0].reason if found else ""


def unexplained(crate):
    """Those that no test has noticed, without a reason."""
    return [one for one in survivors(crate) if not reason(crate, one)]


def by_record_alone(crate):
    """Those that only the record of seeded moves has noticed, if the tests before it have not."""
    return [one for one in mutants(crate) if str(one.noticed_by).startswith("moves: ")]


def total(of):
    """The number of these, over all crates."""
    return sum(len(of(crate)) for crate in CRATES)
