"""Calculations for the report on Villain Draw 4."""

import math

from tables import Estimate, csv, step, variant

CARD = "points.villain_draw_four"
VALUE = variant("villain-draw-four/game", "disney")["points"]["villain_draw_four"]
WILD_VALUE = variant("villain-draw-four/game", "disney")["points"]["wild"]
_SWEPT = step("villain-draw-four", "game")["sweep"].split("=")[1].split(",")
OTHERS = [int(value) for value in _SWEPT if int(value) != VALUE]
TARGET = variant("villain-draw-four/game", "disney")["match"]["target"]
SEATS = [int(seats) for seats in step("villain-draw-four", "game")["seats"].split(",")]
SHOWN = [2, 4, 6, 10]
STYLES = step("villain-draw-four", "styles")["agents"].split(",")
PLAIN, NO_EFFECT = "deck.villain_draw_four=0 deck.wild_draw_four=4", "void:villain_draw_four"
_FILES = step("villain-draw-four", "worth")["variant"].split(",")
WORTHS = [int(name.removeprefix("villain-").removesuffix(".toml")) for name in _FILES]
LEVEL = 0.05
_GAME = csv("villain-draw-four/game/sweep.csv")
_STYLES = csv("villain-draw-four/styles/sweep.csv")
_METRICS = csv("villain-draw-four/game/metrics.csv")
CONTROL = next(arm for arm in _GAME.values("arm") if arm in ("null", "control"))


NO_POINTS = f"{CARD}=0"
FROM_FOUR = [seats for seats in SEATS if seats >= 4]


def at(value):
    """The arm in which the card has this value."""
    return f"{CARD}={value}"


def change(arm, metric, seats):
    """The change of a metric in an arm, among equal agents."""
    return _GAME.row(arm=arm, metric=metric, seats=seats).estimate("difference")


def base(metric, seats):
    return _METRICS.row(metric=metric, seats=seats).value


def value_in(arm, metric, seats):
    return _GAME.row(arm=arm, metric=metric, seats=seats).value


def style(arm, metric, seats):
    """The change of a metric in an arm, among agents that discard high cards and agents that keep wilds."""
    return _STYLES.row(arm=arm, metric=metric, seats=seats).estimate("difference")


def comparisons():
    return [row for row in _GAME.all if row.arm != CONTROL and row.cells["p_holm"] != ""]


def control_rows(study="game"):
    table = _GAME if study == "game" else _STYLES
    return [row for row in table.rows(arm=CONTROL) if row.cells["p"] != ""]


def control_hits(study="game"):
    return [row for row in control_rows(study) if row.p < LEVEL]


def proven(arm, metric, sign):
    """The table sizes at which a difference with this sign is significant after the correction."""
    changes = {seats: change(arm, metric, seats) for seats in SEATS}
    return [seats for seats, one in changes.items() if one.proven and one.value * sign > 0]


def rounds_untouched():
    """Whether heuristic plays single rounds identically for every value of the card."""
    return all(
        change(at(value), metric, seats).value == 0
        for value in OTHERS
        for metric in ("turns", "good_share", "lead_changes", "seat_share(0)")
        for seats in SEATS
    )


def paid(seats):
    """The card's share of all points at the edition's value."""
    return base("points_from(villain_draw_four)", seats)


def step_part(metric, seats):
    """The relative change of a metric from 50 to 75 points."""
    return abs(change(at(50), metric, seats).value) / (base(metric, seats))


def per_step(metric, seats):
    """The mean change per 25 points, from 25 to 100."""
    return (change(at(100), metric, seats).value - change(at(25), metric, seats).value) / 3


def per_step_range():
    """The range of the strong agent's loss of match wins per 25 points, with two to eight players."""
    costs = [-100 * per_step("match_good_share", seats) for seats in SEATS if seats < 10]
    return min(costs), max(costs)


def ten_not_proven():
    return all(not change(at(value), "match_good_share", 10).proven for value in OTHERS)


def low_paid():
    return min(paid(seats) for seats in SEATS)


def high_paid():
    return max(paid(seats) for seats in SEATS)


def styles_that_stand():
    """The significant changes of match wins, by agent, table size, and value."""
    return [
        (player, int(row.seats), value)
        for player in STYLES
        for value in OTHERS
        for row in _STYLES.rows(arm=at(value), metric=f"match_win_share({player})")
        if row.cells["p_holm"] != "" and row.p_holm < LEVEL
    ]


def largest_style():
    """The largest change of match wins, in percentage points."""
    return max(
        abs(row.difference) * 100
        for player in STYLES
        for value in OTHERS
        for row in _STYLES.rows(arm=at(value), metric=f"match_win_share({player})")
    )


def dealt(card, metric, seats, value=75):
    """The effect of being dealt the card instead of an average card."""
    table = csv("villain-draw-four/worth/sweep.csv")
    return table.row(variant=f"villain-{value}", arm=f"dealt:{card}", metric=metric, seats=seats).estimate("difference")


def villain(value, seats):
    """Net points of the player who is dealt the card, at this value."""
    return dealt("villain_draw_four", "points_net", seats, value)


def even_at(seats):
    """The value at which the net points cross zero, and the zeros of the lines through the interval ends."""
    first, last = villain(WORTHS[0], seats), villain(WORTHS[-1], seats)
    cross = lambda a, b: WORTHS[-1] * a / (a - b)  # noqa: E731
    return cross(first.value, last.value), cross(first.low, last.low), cross(first.high, last.high)


def as_a_price(seats):
    """The value of the card if points were proportional to the help in winning, relative to a Wild."""
    helps = dealt("villain_draw_four", "win_share", seats).value / dealt("wild", "win_share", seats).value
    return WILD_VALUE * helps


def lost_part(arm, seats):
    """The part of the points per round that an arm loses."""
    return -change(arm, "points_a_round", seats).value / base("points_a_round", seats)


def alike(metric, seats):
    """Whether the intervals of the changes without points and without the effect overlap."""
    points, effect = change(NO_POINTS, metric, seats), change(NO_EFFECT, metric, seats)
    return points.low <= effect.high and effect.low <= points.high


def effect_outweighs():
    """The table sizes at which removing the effect lowers the points per round more than removing the points."""
    return [
        seats
        for seats in SEATS
        if change(NO_EFFECT, "points_a_round", seats).high < change(NO_POINTS, "points_a_round", seats).low
    ]


#: The agents in the matches in which the card is dealt in the first round, by directory.
PLAYERS = {
    "match": "heuristic:goal=match",
    "match-points": "heuristic:goal=points",
    "match-blind": "heuristic:goal=win",
    "match-net": "net",
}


def numbers(list_of_files):
    return [int(name.removeprefix("villain-").removesuffix(".toml")) for name in list_of_files.split(",")]


def values_of(directory):
    return numbers(step("villain-draw-four", directory)["variant"])


def seats_of(directory):
    return [int(seats) for seats in step("villain-draw-four", directory)["seats"].split(",")]


def in_match(directory, value, seats):
    """The effect on match wins of being dealt the card in the first round, in percentage points."""
    table = csv(f"villain-draw-four/{directory}/sweep.csv")
    row = table.row(variant=f"villain-{value}", arm="dealt:villain_draw_four", metric="match_win_share", seats=seats)
    return row.estimate("difference") * 100


def gifts(directory, value):
    """The table sizes at which the card is a significant advantage in a match."""
    return [seats for seats in seats_of(directory) if in_match(directory, value, seats).above(0)]


def burdens(directory, value):
    return [seats for seats in seats_of(directory) if in_match(directory, value, seats).below(0)]


LEARNED = step("villain-draw-four", "adapted-75-2")
#: The values at which agents were trained from scratch, and the table sizes.
LEARNED_VALUES, LEARNED_SEATS = [0, 75, 150, 300], [2, 4]


def adapted(value, seats):
    """The effect on match wins of being dealt the card, among agents trained at this value, in percentage points."""
    table = csv(f"villain-draw-four/adapted-{value}-{seats}/sweep.csv")
    return table.row(arm="dealt:villain_draw_four", metric="match_win_share").estimate("difference") * 100


def against(value, seats):
    """The percentage of matches that such an agent wins against copies of heuristic:goal=match."""
    table = csv(f"villain-draw-four/against-{value}-{seats}/summary.csv")
    return table.row(entrant="adapted").estimate("win_share") * 100


def trained_burdens():
    """The values and table sizes at which the card is a significant disadvantage for these agents."""
    everywhere = [(value, seats) for value in LEARNED_VALUES for seats in LEARNED_SEATS]
    return [place for place in everywhere if adapted(*place).below(0)]


def lost_by_value(seats):
    """The difference between the card's effects at the lowest and the highest value; errors as for independent deals."""
    ends = [adapted(end, seats) for end in (LEARNED_VALUES[0], LEARNED_VALUES[-1])]
    value, half = ends[0].value - ends[1].value, math.hypot(ends[0].half, ends[1].half)
    return Estimate(value, value - half, value + half)


def near(value, metric, seats):
    """The change at a value among nearly equal agents."""
    table = csv("villain-draw-four/near-equals/sweep.csv")
    return table.row(arm=at(value), metric=metric, seats=seats).estimate("difference") * 100


def near_base(metric, seats):
    return csv("villain-draw-four/near-equals/metrics.csv").row(metric=metric, seats=seats).estimate("value") * 100


def scaled(arm, metric):
    return csv("villain-draw-four/scaled/sweep.csv").row(arm=arm, metric=metric, seats=4).estimate("difference")


MATCH = step("villain-draw-four", "match")
MATCH_VALUES, MATCH_SEATS = values_of("match"), seats_of("match")
LOW, HIGH = 25, 150
SCALED_LOW, SCALED_HIGH = (
    next(arm for arm in csv("villain-draw-four/scaled/sweep.csv").values("arm") if arm.startswith(f"{at(value)} "))
    for value in (LOW, HIGH)
)


def never_a_burden(directory):
    return all(burdens(directory, value) == [] for value in values_of(directory))


def flat(directory, seats):
    """Whether the effects at the lowest and the highest value do not differ significantly."""
    values = values_of(directory)
    return in_match(directory, values[0], seats).contains(in_match(directory, values[-1], seats).value)


def match_figure():
    """The panels of the figure: the card's effect in a match for agents trained at its value, and for net at other table sizes."""
    panels = []
    for value in LEARNED_VALUES:
        trained = [(f"{seats} players, trained at this value", adapted(value, seats)) for seats in LEARNED_SEATS]
        more = [seats for seats in seats_of("match-net") if seats not in LEARNED_SEATS]
        others = [(f"{seats} players, net", in_match("match-net", value, seats)) for seats in more]
        panels.append((f"worth {value} points", 0, trained + others))
    return panels
