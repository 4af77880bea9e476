"""Calculations for the report on network ablations."""

from tables import csv, fair, mean, step

FIELDS = ["mixbot", "heuristic"]
#: The steps, with the change made in each.
TRIED = {
    "longer": "continued training, unchanged",
    "unexplored": "without random actions of the network",
    "curious": "with many random actions",
    "search": "against a search agent (`ismcts:iterations=16`)",
    "afresh": "from random weights, only the classic game, only outcomes",
    "lambda-80": "the same, also with its own estimates (TD(λ), λ = 0.8)",
    "lambda-70": "with λ = 0.7, more training data, and no override margin",
    "discount": "the same, with a discount of 0.995",
    "hidden-64-seed-32": "the same, with another seed",
    "hidden-128": "with a discount of 0.995, and hidden layers of 128 and 32 units",
    "hidden-128-seed-32": "the same, with another seed",
    "hidden-256": "with a discount of 0.995, and hidden layers of 256 and 32 units",
    "hidden-256-seed-32": "the same, with another seed",
    "plain-2-large": "as many decisions as `net`, at the same tables, with λ = 0.7, and hidden layers of 128 and 32 units",
    "careful": "the weights of `net`, with a small override margin",
    "cautious": "the weights of `net`, with a larger override margin",
}
#: For each width of the first hidden layer, two training runs that differ only in their seed.
WIDTHS = {64: ["discount", "hidden-64-seed-32"]} | {n: [f"hidden-{n}", f"hidden-{n}-seed-32"] for n in (128, 256)}
#: The targets of wider networks with two players.
GOALS_OF_WIDE = {"mixbot": 68, "heuristic": 64.5}
#: The same with six players.
TRIED_AT_SIX = {
    "six-longer": "continued training, only the classic game with six players",
    "six-mixbot": "the same, only against `mixbot`",
    "six-afresh": "from random weights, only the classic game with six players",
    "six-fewer": "from random weights, at all tables used to train `net`, with a quarter of the data",
}
#: The same with four players.
TRIED_AT_FOUR = {
    "four-longer": "continued training, only the classic game with four players",
    "four-mixbot": "the same, only against `mixbot`",
    "four-heuristic": "the same, only against `heuristic`",
}
#: The targets with four players.
GOALS_AT_FOUR = {"mixbot": 28.5, "heuristic": 28}
#: The targets with two players, and against `mixbot` with six.
GOALS = {"mixbot": 66, "heuristic": 60}
GOAL_AT_SIX = 18.5


def share(path, name="tried", seats=2):
    """The win share of the entrant with this prefix, in percent."""
    (row,) = [row for row in csv(f"{path}/summary.csv").all if row.seats == seats and row.entrant.startswith(name)]
    return row.estimate("win_share") * 100


def won(tried, field):
    return share(f"net-tried/{tried}-{field}")


def won_at_six(tried, field):
    return share(f"net-tried/{tried}-{field}", seats=6)


def won_at_four(tried, field):
    return share(f"net-tried/{tried}-{field}", seats=4)


def large(field):
    """The published large network, with two players and on other deals."""
    return share(f"net/large-against-{field}", "large")


def won_by_wide(name, field, seats):
    """The win share of one of the wider networks for three to ten players, or of `net`, with four or six players."""
    prefix = {4: "four", 6: "six"}[seats]
    return share(f"net-tried/{prefix}-{name}-{field}", "net" if name == "net" else "tried", seats)


def net_at_six(field):
    return share(f"net-tried/six-net-{field}", "net", seats=6)


def search_at_six(name):
    """The win share of a search agent among `mixbot`s."""
    return share(f"net-tried/six-{name}", "clairvoyant" if name == "clairvoyant" else "ismcts", seats=6)


def won_by_width(width, field):
    """The mean win share of the networks with this width."""
    return mean([won(tried, field) for tried in WIDTHS[width]])


def wide():
    """All networks with two players and a first hidden layer of any width but the smallest."""
    return [*WIDTHS[128], *WIDTHS[256], "plain-2-large"]


def gain(field):
    """What the wider layers gain on average, in percentage points."""
    return won_by_width(128, field).value - won_by_width(64, field).value


def seed_difference():
    """The largest difference between two training runs of the same width."""
    return max(abs(won(a, field).value - won(b, field).value) for a, b in WIDTHS.values() for field in FIELDS)


def kilobytes(width):
    """The size of the weights file, in thousands of bytes."""
    return csv(f"net-tried/{WIDTHS[width][0]}/weights.csv").all[0].bytes / 1000


def turns(tried, field):
    """The mean number of turns of a round against this field."""
    (row,) = [row for row in csv(f"net-tried/{tried}-{field}/summary.csv").all if row.entrant.startswith("tried")]
    return float(row.turns_mean)


def net(field):
    """The published net on the same deals."""
    return share(f"exploiters/untrained-{field}", "net")


def exploiter(field):
    """The best network that was trained only against this opponent, from the study of exploiters."""
    return max((share(f"exploiters/net-{field}-{seed}", "exploiter") for seed in (1, 2, 3)), key=lambda one: one.value)


def search(field, seats=2):
    """The search with 1,000 iterations, from the study of search."""
    return share(f"search/{'two' if seats == 2 else 'four'}-seats-{field}", "ismcts", seats)


def clairvoyant(seats=2):
    return share("search/clairvoyant", "clairvoyant", seats)


def choices(tried):
    """The number of training decisions, in millions."""
    flags = step("net-tried", tried)
    return (int(flags["pretrain"]) + int(flags["rounds"]) * int(flags.get("choices", 0))) / 1000


def tests(tried):
    return [row for row in csv(f"net-tried/{tried}/curve.csv").all if row.verdict and row.stage > 0]


def passed(tried):
    return [row for row in tests(tried) if row.verdict == "champion"]


def from_net():
    """The methods that start from the weights of `net`."""
    return [tried for tried in TRIED if "from" in step("net-tried", tried)]
