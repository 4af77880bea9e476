"""Calculations for the report on the first player."""

from tables import csv, step

EDITIONS = step("first-player", "editions")["variant"].split(",") + ["handheld"]
SEATS = [int(seats) for seats in step("first-player", "editions")["seats"].split(",")]

# The level of a single test; a 95% interval misses the true value as often.
LEVEL = 0.05


def _table(edition):
    return csv(f"first-player/{'handheld' if edition == 'handheld' else 'editions'}/metrics.csv")


def plays(edition, seats):
    """Whether the edition is played with this number of players."""
    return str(seats) in {row.cells["seats"] for row in _table(edition).rows(variant=edition)}


def metric(name, edition, seats):
    return _table(edition).row(variant=edition, seats=seats, metric=name).estimate("value")


def number_of(name, edition, seats):
    """A metric that has no interval."""
    return _table(edition).row(variant=edition, seats=seats, metric=name).value


def ratio(edition, seats):
    """Rounds won by the first player, divided by the fair share."""
    return metric("first_player_ratio", edition, seats)


def share(edition, seats):
    """Rounds won by the first player, in percent."""
    return metric("seat_share(0)", edition, seats) * 100


def match_ratio(edition, seats):
    """Matches won by the first player of the first round, divided by the fair share."""
    return metric("match_first_player_ratio", edition, seats)


def cases():
    return [(edition, seats) for edition in EDITIONS for seats in SEATS if plays(edition, seats)]


def places(edition, seats):
    """The share of each position in the turn order, divided by the fair share."""
    return [metric(f"seat_share({seat})", edition, seats).value * seats for seat in range(seats)]


def equal_at():
    """The table sizes at which all seats of an edition are equivalent to the fair share, within the margin."""
    shown = {edition: [] for edition in EDITIONS}
    for edition, seats in cases():
        if number_of("seat_equivalence_p", edition, seats) < LEVEL:
            shown[edition].append(seats)
    return shown


def refused(edition):
    """The table sizes at which a chi-squared test rejects the equality of all seats, with the p-values."""
    p = {seats: number_of("seat_chi_squared_p", edition, seats) for seats in SEATS}
    return {seats: value for seats, value in p.items() if value < LEVEL}


def furthest():
    """The largest difference between a first player's share and the fair share, in percentage points."""
    return max(abs(share(edition, seats).value - 100 / seats) for edition, seats in cases())


def adjusted(edition, seats):
    """Luck-adjusted share of rounds won by the first player, in percent."""
    return metric("seat_share_adjusted(0)", edition, seats) * 100


def raw_and_adjusted_agree():
    return all(
        abs(share(edition, seats).value - adjusted(edition, seats).value) < share(edition, seats).half
        for edition, seats in cases()
    )


def unfair_matches():
    """The cases in which the interval of matches does not contain the fair share."""
    return [(edition, seats) for edition, seats in cases() if not match_ratio(edition, seats).contains(1)]


def widest_of_matches():
    """Half the width of the widest of these intervals."""
    return max(match_ratio(edition, seats).half for edition, seats in cases())


def could_be_over_a_tenth():
    """The editions in which, with two players, an advantage of a tenth of the fair share in matches is not excluded."""
    return [edition for edition in EDITIONS if match_ratio(edition, 2).high > 1.1]


def most_at_two_seats():
    """The largest relative advantage in two-player matches that is not excluded in every edition."""
    return max(match_ratio(edition, 2).high for edition in EDITIONS) - 1


def rounds_a_match(seats):
    return [metric("match_rounds", edition, seats).value for edition in EDITIONS if plays(edition, seats)]


def falls_off(edition, seats):
    """Whether the first third of the table wins more than its fair share, and the last third less."""
    shares = places(edition, seats)
    third = seats // 3
    return min(shares[:third]) > 1 > max(shares[-third:])


def shares(seats):
    """The percentage of rounds that the first player wins, in each edition."""
    return [share(edition, seats).value for edition in EDITIONS if plays(edition, seats)]


def none_shown(edition, seats):
    """Whether the first player has no significant advantage in a round with this many or more players."""
    return all(ratio(edition, more).contains(1) for more in SEATS if more >= seats)
