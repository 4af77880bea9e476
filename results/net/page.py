"""The arithmetic of the page on the net."""

from tables import csv, fair, step

SEATS = [2, 4, 6]
EDITIONS = ["wimpy-kid", "swap-hands", "custom", "cars", "disney"]
NETS = ["plain-2", "plain-3-10", "special-2", "special-3-10"]


def choices(net):
    """The choices that a net has learnt from."""
    return weights(net).choices


def share(folder, seats, variant="classic"):
    """The share of rounds that the net wins as one among copies of another, in per cent."""
    return csv(f"net/{folder}/summary.csv").row(entrant="net", variant=variant, seats=seats).estimate("win_share") * 100


def weights(net):
    return csv(f"net/{net}/weights.csv").all[0]


def sets(folder):
    return int(step("net", folder)["sets"])


def behind_nowhere():
    """Nowhere is it shown to be behind."""
    return all(not share("editions", seats, variant).below(fair(seats)) for variant in EDITIONS for seats in SEATS)


FIELDS = [("mixbot", "against-mixbot"), ("heuristic", "against-heuristic"), ("random", "against-random")]


def figure_of_fields():
    """By how many percentage points the net wins more than its fair share, in each field."""
    return [
        (f"among copies of {name}", 0, [(f"{seats} seats", share(folder, seats) - fair(seats)) for seats in SEATS])
        for name, folder in FIELDS
    ]
