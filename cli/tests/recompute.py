#!/usr/bin/env python3
"""Recomputes the tables of a run from its games.csv and compares them: counts exactly, floats to 1e-9.

    python3 recompute.py RUN_DIR...

It shares no code with unolab and needs only the standard library. Faults of agents are not checked, because games.csv does not
contain them.
"""

import csv
import json
import math
import sys
from fractions import Fraction
from pathlib import Path

TOLERANCE = 1e-9
NORMAL = 1.959963984540054
# If there are fewer sets than this and all have the same result, there is no standard error and no anytime interval.
FEW_SETS = 10
# If there are fewer unequal sets than this, and they are at most a tenth of all sets, a bound for rare events is used.
FEW_UNEQUAL_SETS = 25


# Student's t distribution, by the continued fraction of the incomplete beta function (Numerical Recipes, 6.4).


def incomplete_beta(a, b, x):
    if x <= 0.0 or x >= 1.0:
        return min(max(x, 0.0), 1.0)
    if x > (a + 1.0) / (a + b + 2.0):
        return 1.0 - incomplete_beta(b, a, 1.0 - x)
    log_front = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    tiny, c = 1e-300, 1.0
    d = 1.0 / (1.0 - (a + b) * x / (a + 1.0))
    fraction = d
    for m in range(1, 10_000):
        for term in (
            m * (b - m) * x / ((a + 2 * m - 1.0) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1.0)),
        ):
            d = 1.0 / ((1.0 + term * d) or tiny)
            c = (1.0 + term / c) or tiny
            fraction *= c * d
        if abs(c * d - 1.0) < 1e-16:
            break
    return math.exp(log_front) * fraction / a


def student_cdf(t, freedom):
    tail = 0.5 * incomplete_beta(freedom / 2.0, 0.5, freedom / (freedom + t * t))
    return 1.0 - tail if t > 0 else tail


def quantile(upper_tail, of_reach):
    """The point at which the upper tail has this probability."""
    low, high = 0.0, 1e6
    for _ in range(200):
        middle = (low + high) / 2.0
        if upper_tail(middle) > of_reach:
            low = middle
        else:
            high = middle
    return (low + high) / 2.0


def normal_tail(z):
    return math.erfc(z / math.sqrt(2)) / 2


def student_tail(t, freedom):
    return 0.5 * incomplete_beta(freedom / 2.0, 0.5, freedom / (freedom + t * t))


def normal_reach(kind, sets):
    """The half-width of an interval in standard errors; `kind` as in `Sample.interval`."""
    if kind == "anytime":
        best = -2 * math.log(0.05) + math.log(-2 * math.log(0.05)) + 1
        scaled = sets * best / 1000
        return math.sqrt(2 * (scaled + 1) / scaled * math.log(math.sqrt(scaled + 1) / 0.05))
    return NORMAL if kind == 1 else quantile(normal_tail, 0.025 / kind)


def most_expected(unequal, sets, error):
    """The Clopper-Pearson upper bound of the expected number of unequal sets."""
    low, high = unequal / sets, 1.0
    for _ in range(100):
        rate = (low + high) / 2
        tail = sum(math.comb(sets, k) * rate**k * (1 - rate) ** (sets - k) for k in range(unequal + 1))
        low, high = (rate, high) if tail > error else (low, rate)
    return high * sets


class Sample:
    """The values of each set, one per seat and game."""

    #: The number of wins by which one game changes the total of a set; 0 if all sets tie by construction.
    stake = 0

    def __init__(self):
        self.by_set, self.unfinished = {}, 0

    def add(self, deal, value):
        self.by_set.setdefault(deal, []).append(Fraction(value))

    def finish(self):
        values = [value for deal in self.by_set.values() for value in deal]
        self.sets, self.games, self.total = len(self.by_set), len(values), sum(values, Fraction(0))
        self.mean = self.total / self.games if values else None
        self.variance = self.iid_variance = None
        if self.sets > 1:
            # The error of a ratio; for sets of one size it is the sum of (x_s - x)^2 over S (S - 1).
            squares = sum((sum(deal) - self.mean * len(deal)) ** 2 for deal in self.by_set.values())
            self.variance = squares * self.sets / (self.sets - 1) / self.games**2
        if self.games > 1:
            squares = sum((value - self.mean) ** 2 for value in values)
            self.iid_variance = squares / (self.games - 1) / self.games
        return self

    @property
    def se(self):
        return None if self.variance is None else math.sqrt(self.variance)

    @property
    def design_effect(self):
        return self.variance / self.iid_variance if self.variance is not None and self.iid_variance else None

    @property
    def n_eff(self):
        return self.games / self.design_effect if self.design_effect else None

    @property
    def change(self):
        """The amount by which one game changes the mean of a set."""
        return self.stake * self.sets / self.games

    @property
    def unequal(self):
        """The number of unequal sets, if they are few."""
        if not self.change:
            return None
        squares = float(self.variance) * self.sets * (self.sets - 1) / float(self.change) ** 2
        number = max(0, math.ceil(squares - 1e-6))
        return number if number < FEW_UNEQUAL_SETS and 10 * number <= self.sets else None

    def rare_reach(self, kind):
        if self.unequal is None:
            return 0.0
        error = 0.05 / (FEW_UNEQUAL_SETS if kind == "anytime" else kind)
        return (most_expected(self.unequal, self.sets, error) - self.unequal) / self.sets * float(self.change)

    def rare_p(self, difference):
        """The one-sided p-value of a difference between few unequal sets."""
        if self.unequal is None:
            return 0.0
        rate = min(1.0, (self.unequal + abs(float(difference)) / float(self.change) * self.sets) / self.sets)
        terms = range(self.unequal + 1)
        return sum(math.comb(self.sets, k) * rate**k * (1 - rate) ** (self.sets - k) for k in terms) / 2

    def interval(self, kind=1):
        """The interval. `kind` is 1 for a pointwise interval, the number of simultaneous intervals, or "anytime"."""
        if self.variance is None or self.mean is None:
            return None, None
        share, z = float(self.mean), normal_reach(kind, self.sets)
        if kind == "anytime" and self.sets < FEW_SETS:
            return 0.0, 1.0
        if 0.05 <= share <= 0.95:
            reach = quantile(lambda t: student_tail(t, self.sets - 1), normal_tail(z)) * self.se
            reach = max(reach, self.rare_reach(kind))
            low, high = share - reach, share + reach
        else:
            n, z2 = float(self.n_eff or self.sets), z * z
            center = (share + z2 / (2 * n)) / (1 + z2 / n)
            reach = z / (1 + z2 / n) * math.sqrt(share * (1 - share) / n + z2 / (4 * n * n))
            low, high = center - reach, center + reach
        return min(max(low, 0.0), 1.0), min(max(high, 0.0), 1.0)


class Ratio(Sample):
    """The wins of one entrant divided by the wins of both, by set."""

    def add(self, deal, mine, theirs):
        won = self.by_set.setdefault(deal, [Fraction(0), Fraction(0)])
        won[0] += mine
        won[1] += theirs

    def finish(self):
        won = list(self.by_set.values())
        self.sets, self.wins = len(won), [sum((of[side] for of in won), Fraction(0)) for side in (0, 1)]
        self.decided = sum(self.wins)
        self.games = math.floor(self.decided)
        self.mean = self.wins[0] / self.decided if self.decided else None
        self.variance = None
        if self.sets > 1 and self.decided:
            squares = sum((mine - self.mean * (mine + theirs)) ** 2 for mine, theirs in won)
            self.variance = squares * self.sets / (self.sets - 1) / self.decided**2
        return self

    @property
    def n_eff(self):
        return self.mean * (1 - self.mean) / self.variance if self.variance and 0 < self.mean < 1 else None


def elo(share, sides):
    if share is None or not 0 < share < 1:
        return None
    return 400 * math.log10(float(share) * (sides - 1) / (1 - float(share)))


class Checker:
    def __init__(self, directory):
        self.directory, self.checked, self.wrong = directory, 0, 0

    def check(self, where, cell, expected):
        """An empty cell is None; whole numbers are compared exactly."""
        self.checked += 1
        if expected is None:
            good = cell == ""
        elif cell == "":
            good = False
        elif isinstance(expected, int):
            good = cell == str(expected)
        else:
            good = abs(float(cell) - float(expected)) <= TOLERANCE * max(1.0, abs(float(expected)))
        if not good:
            self.complain(where, cell, expected)

    def same(self, where, cell, expected):
        self.checked += 1
        if cell != expected:
            self.complain(where, cell, expected)

    def complain(self, where, cell, expected):
        self.wrong += 1
        print(f"{self.directory}: {where}: found {cell or 'nothing'}, expected {expected}", file=sys.stderr)


def read(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def winning_seats(game):
    places = [int(place) for place in game["places"].split()]
    return [seat for seat, place in enumerate(places) if place == 1] if game["winner"] else []


def win_shares(game, seats, team):
    winners = winning_seats(game)
    sharing = winners or range(seats)
    return [Fraction(team, len(sharing)) if seat in sharing else Fraction(0) for seat in range(seats)]


def check_section(checker, spec, variant, seats, games, tables):
    team = 2 if 'teams = "fixed"' in variant["rules"] else 1
    names = [entrant["name"] for entrant in spec["entrants"]]
    wins, points = [Sample() for _ in names], [Sample() for _ in names]
    totals = [dict.fromkeys(("rounds", "turns", "decisions"), 0) for _ in names]
    pairs, by_order_of_play = {}, {}
    for game in games:
        deal = int(game["set"])
        entrants = [int(entrant) for entrant in game["entrants"].split()]
        places = [int(place) for place in game["places"].split()]
        shares = win_shares(game, seats, team)
        seats_of_winners = winning_seats(game)
        winners = [names[entrants[seat]] for seat in seats_of_winners]
        checker.same(f"games.csv {game['index']} winner", game["winner"], ";".join(winners))
        only = str(seats_of_winners[0]) if len(seats_of_winners) == 1 else ""
        checker.same(f"games.csv {game['index']} winner_seat", game["winner_seat"], only)
        for seat, entrant in enumerate(entrants):
            wins[entrant].add(deal, shares[seat])
            wins[entrant].unfinished += not winners
            place = (seat - int(game["first_seat"])) * int(game["direction"]) % seats
            at_place = by_order_of_play.setdefault((entrant, place), [0, Fraction(0), 0])
            at_place[0] += 1
            at_place[1] += shares[seat]
            at_place[2] += int(game["points"].split()[seat])
            points[entrant].add(deal, int(game["points"].split()[seat]))
            for column in totals[entrant]:
                totals[entrant][column] += int(game[column])
            for other_seat, other in enumerate(entrants):
                if entrant < other:
                    mine, theirs = places[seat], places[other_seat]
                    pair = pairs.setdefault((entrant, other), [0, 0, 0, Ratio()])
                    pair[0] += mine < theirs
                    pair[1] += theirs < mine
                    pair[2] += 1
                    decided = 1 if winners else 0
                    pair[3].add(deal, decided * shares[seat], decided * shares[other_seat])

    agents = [(entrant["agent"], json.dumps(entrant.get("stream"))) for entrant in spec["entrants"]]
    are_twins = lambda a, b: agents[a] == agents[b] and "cmd:" not in agents[a][0] and "time=" not in agents[a][0]  # noqa: E731
    for won in wins:
        won.stake = 0 if all(are_twins(0, other) for other in range(len(names))) else team
    for (a, b), pair in pairs.items():
        if not (are_twins(a, b) and (seats // team == 2 or len(names) == 2)):
            tables_played = {tuple(sorted(map(int, game["entrants"].split()))) for game in games}
            both = [table.count(a) + table.count(b) for table in tables_played if a in table and b in table]
            pair[3].stake = Fraction(max(both), 2) * team

    here = lambda row: row["variant"] == variant["name"] and row["seats"] == str(seats)
    summary = [row for row in tables["summary"] if here(row)]
    checker.check("summary.csv entrants", str(len(summary)), len(names))
    for entrant, (row, name, won, got, counts) in enumerate(zip(summary, names, wins, points, totals)):
        won.finish(), got.finish()
        low, high = won.interval()
        together, anytime = won.interval(len(names)), won.interval("anytime")
        sides = seats // team
        # One entrant against copies of one other, at the only table.
        tables_played = {tuple(sorted(game["entrants"].split())) for game in games}
        alone = len(tables_played) == 1 and len(names) == 2 and won.games == len(games) * team
        expected = {
            "sets": won.sets, "games": won.games, "wins": won.total, "win_share": won.mean, "se": won.se,
            "ci_low": low, "ci_high": high, "n_eff": won.n_eff, "design_effect": won.design_effect,
            "unfinished": won.unfinished, "simultaneous_low": together[0], "simultaneous_high": together[1],
            "anytime_low": anytime[0], "anytime_high": anytime[1],
            "share_elo": elo(won.mean, sides) if alone else None,
            "share_elo_low": elo(low, sides) if alone else None, "share_elo_high": elo(high, sides) if alone else None,
            "points_mean": got.mean, "points_se": got.se, "rounds": counts["rounds"],
            "turns_mean": Fraction(counts["turns"], won.games), "decisions": counts["decisions"],
        }
        checker.same("summary.csv entrant", row["entrant"], name)
        for column, value in expected.items():
            checker.check(f"summary.csv {variant['name']} {seats} {name} {column}", row[column], value)
        by_place = [other for other in tables["seats"] if here(other) and other["entrant"] == name]
        checker.check("seats.csv rows", str(len(by_place)), seats)
        for other in by_place:
            played, total, credited = by_order_of_play.get((entrant, int(other["seat"])), (0, Fraction(0), 0))
            for column, value in {
                "games": played, "wins": total, "win_share": total / played if played else None,
                "points_mean": Fraction(credited, played) if played else None,
            }.items():
                checker.check(f"seats.csv {name} {other['seat']} {column}", other[column], value)

    found = {(row["a"], row["b"]): row for row in tables["pairs"] if here(row)}
    checker.check("pairs.csv rows", str(len(found)), len(pairs))
    for (a, b), (a_ahead, b_ahead, met, share) in pairs.items():
        share.finish()
        row = found[names[a], names[b]]
        low, high = share.interval()
        together, anytime = share.interval(len(pairs)), share.interval("anytime")
        los = None
        if share.se:
            los = student_cdf(float(share.mean - Fraction(1, 2)) / share.se, share.sets - 1)
        elif share.se == 0 and share.mean != Fraction(1, 2) and share.sets >= FEW_SETS:
            los = float(share.mean > Fraction(1, 2))
        if los is not None:
            rare = share.rare_p(share.mean - Fraction(1, 2))
            los = min(los, 1 - rare) if share.mean > Fraction(1, 2) else max(los, rare)
        expected = {
            "sets": share.sets, "games": met, "a_wins": share.wins[0], "b_wins": share.wins[1], "share": share.mean,
            "se": share.se, "ci_low": low, "ci_high": high, "simultaneous_low": together[0],
            "simultaneous_high": together[1], "anytime_low": anytime[0], "anytime_high": anytime[1],
            "los": los, "a_ahead": a_ahead, "b_ahead": b_ahead,
            "share_ahead": Fraction(2 * a_ahead + met - a_ahead - b_ahead, 2 * met),
        }
        for column, value in expected.items():
            checker.check(f"pairs.csv {variant['name']} {seats} {names[a]} {names[b]} {column}", row[column], value)


def recompute(directory):
    spec = json.loads((directory / "run.json").read_text(encoding="utf-8"))["spec"]
    tables = {name: read(directory / f"{name}.csv") for name in ("summary", "seats", "pairs")}
    games, checker = read(directory / "games.csv"), Checker(directory)
    for variant in spec["variants"]:
        for seats in spec["seats"]:
            here = [game for game in games if game["variant"] == variant["name"] and game["seats"] == str(seats)]
            check_section(checker, spec, variant, seats, here, tables)
    verdict = "all agree" if checker.wrong == 0 else f"{checker.wrong} differ"
    print(f"{directory}: {len(games)} games, {checker.checked} numbers: {verdict}")
    return checker.wrong == 0


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sys.exit(0 if all([recompute(Path(directory)) for directory in sys.argv[1:]]) else 1)
