"""Calculations for the report on the network."""

from tables import csv, fair, step

SEATS = [2, 4, 6]
EDITIONS = ["wimpy-kid", "swap-hands", "custom", "cars", "disney"]
NETS = ["plain-2", "plain-3-10", "special-2", "special-3-10"]


def choices(net):
    """The number of decisions in a network's training data."""
    return weights(net).choices


def share(directory, seats, variant="classic"):
    """The share of rounds that one net wins among copies of another agent, in percent."""
    return csv(f"net/{directory}/summary.csv").row(entrant="net", variant=variant, seats=seats).estimate("win_share") * 100


def large(directory, variant="classic"):
    """The share of rounds that the large net wins against another agent with two players, in percent."""
    row = csv(f"net/{directory}/summary.csv").row(entrant="large", variant=variant, seats=2)
    return row.estimate("win_share") * 100


def part(opponent):
    """The same for one of the two networks whose mean the large net is, on other deals."""
    row = csv(f"net-tried/plain-2-large-{opponent}/summary.csv").row(entrant="tried", variant="classic", seats=2)
    return row.estimate("win_share") * 100


# The networks whose mean is the large one.
PARTS = ["plain-2-large-1", "plain-2-large-2"]

# The targets of the large network with two players, in percent.
GOALS = {"mixbot": 68, "heuristic": 64.5}

# Its opponents and variants, with its directory and the directory in which `net` plays the same deals.
LARGE = [
    ("mixbot", "classic", "large-against-mixbot", "against-mixbot"),
    ("heuristic", "classic", "large-against-heuristic", "against-heuristic"),
    ("heuristic", "handheld", "large-handheld", "handheld"),
    ("heuristic", "custom", "large-custom", "editions"),
]


def weights(net):
    return csv(f"net/{net}/weights.csv").all[0]


def sets(directory):
    return int(step("net", directory)["sets"])


def behind_nowhere():
    """Whether it is never significantly below the fair share."""
    return all(not share("editions", seats, variant).below(fair(seats)) for variant in EDITIONS for seats in SEATS)


FIELDS = [("mixbot", "against-mixbot"), ("heuristic", "against-heuristic"), ("random", "against-random")]


def figure_of_fields():
    """The panels of the figure: the net's win share above the fair share, in percentage points, in each field."""
    return [
        (f"among copies of {name}", 0, [(f"{seats} players", share(directory, seats) - fair(seats)) for seats in SEATS])
        for name, directory in FIELDS
    ]
