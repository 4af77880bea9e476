"""The arithmetic of the page on the first player."""

from tables import csv, step

EDITIONS = step("first-player", "editions")["variant"].split(",") + ["handheld"]
SEATS = [int(seats) for seats in step("first-player", "editions")["seats"].split(",")]

# The level of a single test; an interval of 95 % misses the truth as often.
LEVEL = 0.05


def _table(edition):
    return csv(f"first-player/{'handheld' if edition == 'handheld' else 'editions'}/metrics.csv")


def plays(edition, seats):
    """The edition is played at this number of seats."""
    return str(seats) in {row.cells["seats"] for row in _table(edition).rows(variant=edition)}


def metric(name, edition, seats):
    return _table(edition).row(variant=edition, seats=seats, metric=name).estimate("value")


def number_of(name, edition, seats):
    """A metric that has no interval."""
    return _table(edition).row(variant=edition, seats=seats, metric=name).value


def ratio(edition, seats):
    """Rounds won by the first player over the fair share."""
    return metric("first_player_ratio", edition, seats)


def share(edition, seats):
    """Rounds won by the first player, in per cent."""
    return metric("seat_share(0)", edition, seats) * 100


def match_ratio(edition, seats):
    """Matches won by who went first in the first round, over the fair share."""
    return metric("match_first_player_ratio", edition, seats)


def cases():
    return [(edition, seats) for edition in EDITIONS for seats in SEATS if plays(edition, seats)]


def places(edition, seats):
    """The share of each place in the order of play, over the fair share."""
    return [metric(f"seat_share({seat})", edition, seats).value * seats for seat in range(seats)]


def equal_at():
    """The numbers of seats at which every seat of an edition is shown to be within the margin of its fair share."""
    shown = {edition: [] for edition in EDITIONS}
    for edition, seats in cases():
        if number_of("seat_equivalence_p", edition, seats) < LEVEL:
            shown[edition].append(seats)
    return shown


def refused(edition):
    """The numbers of seats at which chi squared refuses that all seats are equal, and its p there."""
    p = {seats: number_of("seat_chi_squared_p", edition, seats) for seats in SEATS}
    return {seats: value for seats, value in p.items() if value < LEVEL}


def furthest():
    """The largest distance of a first player's share from the fair one, in percentage points."""
    return max(abs(share(edition, seats).value - 100 / seats) for edition, seats in cases())


def adjusted(edition, seats):
    """Rounds won by the first player with the luck of the cards taken off, in per cent."""
    return metric("seat_share_adjusted(0)", edition, seats) * 100


def raw_and_adjusted_agree():
    return all(
        abs(share(edition, seats).value - adjusted(edition, seats).value) < share(edition, seats).half
        for edition, seats in cases()
    )


def unfair_matches():
    """The cases in which the interval of matches does not hold the fair share."""
    return [(edition, seats) for edition, seats in cases() if not match_ratio(edition, seats).contains(1)]


def widest_of_matches():
    """Half the width of the widest of these intervals."""
    return max(match_ratio(edition, seats).half for edition, seats in cases())


def could_be_over_a_tenth():
    """The editions in which, at two seats, an advantage of a tenth of a fair share in matches is not excluded."""
    return [edition for edition in EDITIONS if match_ratio(edition, 2).high > 1.1]


def most_at_two_seats():
    """The largest advantage over the fair share in matches of two that no edition's interval excludes."""
    return max(match_ratio(edition, 2).high for edition in EDITIONS) - 1


def rounds_a_match(seats):
    return [metric("match_rounds", edition, seats).value for edition in EDITIONS if plays(edition, seats)]


def falls_off(edition, seats):
    """The first third of the table wins more than its fair share, the last third less."""
    shares = places(edition, seats)
    third = seats // 3
    return min(shares[:third]) > 1 > max(shares[-third:])


def shares(seats):
    """What the first player wins of the rounds, in per cent, in each edition."""
    return [share(edition, seats).value for edition in EDITIONS if plays(edition, seats)]


def none_shown(edition, seats):
    """From this number of seats up, no advantage of the first player is shown in a round."""
    return all(ratio(edition, more).contains(1) for more in SEATS if more >= seats)
