"""Calculations for the report on the sequential test."""

from tables import Estimate, csv

DIRS = {2: "two-seats", 4: "four-seats", 10: "ten-seats"}
EFFECTS = csv("sprt/two-seats/sprt_errors.csv").values("nelo")


def errors(seats, effect):
    """The simulated tests of hypotheses 0 and 20 with this number of players and this true effect."""
    return csv(f"sprt/{DIRS[seats]}/sprt_errors.csv").row(nelo=effect)


def unequal(effect):
    """The simulated tests with different alpha and beta."""
    return csv("sprt/unequal-errors/sprt_errors.csv").row(nelo=effect)


def first(seats=2):
    return csv(f"sprt/{DIRS[seats]}/sprt_errors.csv").all[0]


def h1(row):
    return row.accept_h1 / row.tests


def h0(row):
    return row.accept_h0 / row.tests


def wrong(row):
    """The share of the tests that accepted a hypothesis while the other one is true; None between the two."""
    return h1(row) if row.nelo <= row.nelo0 else h0(row) if row.nelo >= row.nelo1 else None


def promise(row):
    """The allowed share of wrong decisions for this true effect; None between the hypotheses."""
    return row.alpha if row.nelo <= row.nelo0 else row.beta if row.nelo >= row.nelo1 else None


def every():
    """All rows of the study."""
    return [row for directory in [*DIRS.values(), "unequal-errors"] for row in csv(f"sprt/{directory}/sprt_errors.csv").all]


def all_below_promise():
    return all(wrong(row) < promise(row) for row in every() if promise(row) is not None)


def worst(promised):
    """The largest share of wrong decisions among the rows with this allowed share."""
    return max(wrong(row) for row in every() if promise(row) == promised)


def role(row):
    return " (h0)" if row.nelo == row.nelo0 else " (h1)" if row.nelo == row.nelo1 else ""


def middle(seats):
    row = first(seats)
    return errors(seats, str((row.nelo0 + row.nelo1) / 2))


def safer_with_seats(hypothesis):
    """Whether wrong decisions with this true effect become fewer with more players."""
    shares = [wrong(errors(seats, hypothesis)) for seats in DIRS]
    return shares == sorted(shares, reverse=True)


def longest_in_the_middle():
    return all(
        middle(seats).games_mean == max(row.games_mean for row in csv(f"sprt/{directory}/sprt_errors.csv").all)
        for seats, directory in DIRS.items()
    )


def even_in_the_middle():
    """Whether halfway between the hypotheses each is accepted in 48 to 52% of the tests."""
    return all(abs(h1(middle(seats)) - 0.5) < 0.02 for seats in DIRS)


def furthest():
    """The largest hypothesis or true effect that was simulated, in normalized Elo."""
    return max(abs(row.nelo) for row in every())


PAIRS = [("random", "heuristic"), ("greedy", "heuristic"), ("heuristic", "mixbot"), ("heuristic", "greedy"), ("heuristic", "random")]
SEATS_IN_WORDS = {2: "two", 4: "four", 8: "eight"}


def real(a, b, seats):
    """The tests with sets of these agents: the row whose null hypothesis is true, and the row whose alternative is true."""
    rows = csv(f"sprt/{a}-{b}-{SEATS_IN_WORDS[seats]}-seats/sprt_errors.csv").all
    return rows[1], rows[3]


def every_real():
    """The shares of wrong decisions of all real agents."""
    pairs = [real(a, b, seats) for a, b in PAIRS for seats in SEATS_IN_WORDS]
    return [h1(null) for null, _ in pairs] + [h0(alternative) for _, alternative in pairs]


def wrong_where_the_null_holds():
    """The panels of the figure: the share of tests that accept the alternative wrongly, by agents."""
    rows = []
    for a, b in PAIRS:
        for seats in SEATS_IN_WORDS:
            null, _ = real(a, b, seats)
            of = f"{a} v {b}, {seats} ({null.nelo:+.0f})"
            rows.append((of, Estimate(100 * h1(null), 100 * null.ci_low, 100 * null.ci_high)))
    return [("agents, seats (true normalized Elo)", 100 * real(*PAIRS[0], 2)[0].alpha, rows)]


def worst_real():
    return max(every_real())


def none_is_shown_above(promised=0.05):
    """Whether no share of wrong decisions exceeds the allowed share by more than two standard errors."""
    tests = real(*PAIRS[0], 2)[0].tests
    return worst_real() <= promised + 2 * (promised * (1 - promised) / tests) ** 0.5


def furthest_real():
    return max(abs(real(a, b, seats)[0].nelo) for a, b in PAIRS for seats in SEATS_IN_WORDS)
