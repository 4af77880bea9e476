"""Calculations for the report on coverage."""

from tables import Estimate, csv, step

PROMISE = 95
#: The required coverage in percent where the number of runs or of sets is small.
LEAST = 93
MATCH_TARGET = step("coverage", "equal-metrics")["set"].split("=")[1]
SEATS = (2, 4, 8)
SIDES = ("equal", "unequal")
#: The step with more deals and longer matches.
LONGER = ("heuristic",)
RATINGS = ("bradley-terry", "plackett-luce", "total-score", "instant-run-off", "nash-average")
#: the quantity, the kind of interval, the directory, and the name on the page
SHOWN = [
    ("win_share", "ci", "", "win share"),
    ("points_mean", "ci", "", "points"),
    ("share", "ci", "", "pair"),
    *((method, "ci", "", f"rating, {method}") for method in RATINGS),
    ("win_share", "simultaneous", "", "win share, simultaneous"),
    ("win_share", "anytime", "", "win share, anytime"),
    ("win_share_adjusted", "ci", "-luck", "luck-adjusted win share"),
    ("win_share_adjusted", "anytime", "-luck", "luck-adjusted win share, anytime"),
    ("mean_regret", "ci", "-regret", "regret, 20 deals"),
    ("mean_regret", "ci", "-regret-60", "regret, 60 deals"),
]


def table(side, directory=""):
    """The rows of a step whose intervals are wider than zero. An entrant that ties in every set has an exact result."""
    return [row for row in csv(f"coverage/{side}{directory}/coverage.csv").all if row.half_width > 1e-9]


def cell(quantity, kind, directory, side, seats):
    """The lowest coverage among the rows of a quantity, in percent; None if there are no rows."""
    rows = [row for row in table(side, directory) if (row.quantity, row.interval, row.seats) == (quantity, kind, seats)]
    return min((row.estimate("coverage") * 100 for row in rows), key=lambda one: one.value, default=None)


def text(one):
    return "" if one is None else f"{one.value:.1f}"


def cells(shown, side):
    return [cell(*shown[:3], side, seats) for seats in SEATS]


def cheap():
    """Pointwise intervals of tables of matches."""
    found = [one for shown in SHOWN if shown[1:3] == ("ci", "") for side in SIDES for one in cells(shown, side)]
    return [one.value for one in found if one]


def runs(directory="", side="unequal"):
    return table(side, directory)[0].runs


def sets(directory="", side="unequal"):
    return table(side, directory)[0].sets


def conservative(kind):
    """The intervals of a kind that is designed for a coverage above 95%."""
    found = [one for shown in SHOWN if shown[1] == kind for side in SIDES for one in cells(shown, side)]
    return [one.value for one in found if one]


def of(directory):
    found = [one for shown in SHOWN if shown[1:3] == ("ci", directory) for side in SIDES for one in cells(shown, side)]
    return [one.value for one in found if one]


def never_significantly_below(directory, least):
    """Whether no interval of this directory covers the true value significantly less often than `least` percent of runs."""
    return all(row.ci_high >= least / 100 for side in SIDES for row in table(side, directory))


#: The metrics that depend on a fitted model or on fitted coefficients.
FITTED = ("excitement", "sting", "adjusted")


def metrics(sides=SIDES):
    """All rows of the balance metrics."""
    return [(side, row) for side in sides for row in table(side, "-metrics")]


def fitted_metrics():
    """The coverage of the metrics that depend on a fit, in longer runs, in percent."""
    found = [row for _, row in metrics(LONGER) if any(name in row.quantity for name in FITTED)]
    return [row.coverage * 100 for row in found]


def below(least, sides=SIDES):
    """The number of metrics whose interval covers the true value significantly less often than `least` percent of runs."""
    return sum(row.ci_high < least / 100 for _, row in metrics(sides))


def below_by_chance(sides=SIDES):
    """The number of them expected below the nominal coverage by chance alone."""
    return len(metrics(sides)) * (100 - PROMISE) / 200


def lowest(number):
    """The rows of the metrics with the lowest coverage, each with its side."""
    return sorted(metrics(), key=lambda one: one[1].coverage)[:number]


def figure_rows():
    """The intervals of unequal agents, by quantity."""
    rows = []
    for shown in SHOWN:
        for seats, one in zip(SEATS, cells(shown, "unequal")):
            if one and shown[0] in ("win_share", "points_mean", "share", "plackett-luce", "win_share_adjusted", "mean_regret"):
                rows.append((f"{shown[3]}, {seats} players", Estimate(one.value, one.low, one.high)))
    return [("interval, players", 95, rows)]


#: The measurements of the gain from luck adjustment, with two and four seats: directory, seats, entrant.
SEARCH_GAIN = [("gain-search", seats, "ismcts:iterations=100") for seats in (2, 4)]
GAINS = {
    "`heuristic` against `greedy`": [("gain", seats, "heuristic") for seats in (2, 4)],
    "`heuristic` against `mixbot`": [("gain-mixbot", seats, "heuristic") for seats in (2, 4)],
    "`ismcts:iterations=100` against `heuristic`": SEARCH_GAIN,
}


def gain(directory, seats, entrant):
    row = csv(f"coverage/{directory}/luck.csv").row(seats=seats, entrant=entrant)
    return Estimate(row.relative_efficiency, row.relative_efficiency_low, row.relative_efficiency_high)


def gains():
    """All gains, without their intervals."""
    return [gain(*one).value for by_seats in GAINS.values() for one in by_seats]


#: Versions of `heuristic` that differ from it in few deals; the directory names end with these texts.
VERSIONS = ("follow-last", "hit-one", "drawing")
VERSION_SHOWN = [
    ("win_share", "ci"),
    ("win_share", "simultaneous"),
    ("win_share", "anytime"),
    ("share", "ci"),
    ("bradley-terry", "ci"),
    ("total-score", "ci"),
]


def version_option(version):
    """The option of a version that differs from the default."""
    return step("coverage", f"versions-{version}")["agents"].split("heuristic:")[1]


def unequal_sets(version):
    """The percentage of sets that do not tie. With two seats, such a set differs by one game, which is half of its share."""
    row = csv(f"coverage/rate-{version}/summary.csv").all[0]
    squares = row.se**2 * (row.sets - 1) + (row.win_share - 0.5) ** 2
    return 100 * squares / 0.5**2


def version_cells(version):
    """The coverage of each kind of interval in percent, for the worse of two entrants."""
    rows = csv(f"coverage/versions-{version}/coverage.csv").all
    found = [[row.coverage for row in rows if (row.quantity, row.interval) == shown] for shown in VERSION_SHOWN]
    return [100 * min(of_kind) for of_kind in found]


def version_coverage():
    """The coverage of all intervals of all versions."""
    return [cell for version in VERSIONS for cell in version_cells(version)]


def versions(column):
    """The value in a column that is the same for all versions."""
    return csv(f"coverage/versions-{VERSIONS[0]}/coverage.csv").all[0][column]


def stopped():
    """The share of the simulated sequential tests whose interval at the stop contains the true value."""
    directories = ["two-seats", "four-seats", "ten-seats", "unequal-errors"]
    pairs = ["random-heuristic", "greedy-heuristic", "heuristic-mixbot", "heuristic-greedy", "heuristic-random"]
    directories += [f"{pair}-{seats}-seats" for pair in pairs for seats in ("two", "four", "eight")]
    rows = [row for directory in directories for row in csv(f"sprt/{directory}/sprt_errors.csv").all]
    return [share for row in rows for share in (row.share_held, row.nelo_held)]
