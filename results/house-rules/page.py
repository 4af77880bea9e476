"""Calculations for the report on house rules."""

from tables import csv, signed, step, variant

SEATS = [int(seats) for seats in step("house-rules", "classic")["seats"].split(",")]
SAME_KIND, ANY_DRAW = "house.stacking=same_kind", "house.stacking=any_draw"
SEVEN_ZERO, JUMP_IN, UNTIL = "house.seven_zero=true", "house.jump_in=true", "turn.draw_count=until_playable"
FORCED, NO_BLUFF = "turn.draw=no_playable turn.drawn_card=must", "draw_four.enforcement=engine challenge.who=none"
RULES = {
    SAME_KIND: "stacking, same kind",
    ANY_DRAW: "stacking, any draw card",
    SEVEN_ZERO: "seven-zero",
    JUMP_IN: "jump-in",
    UNTIL: "draw until playable",
    FORCED: "forced play",
    NO_BLUFF: "no bluff",
}
# The level of a single test.
LEVEL = 0.05
TARGET = variant("house-rules/classic", "classic")["match"]["target"]
_SWEEP = csv("house-rules/classic/sweep.csv")
CONTROL = next(arm for arm in _SWEEP.values("arm") if arm in ("null", "control"))


def change(rule, metric, seats):
    """The change of a metric under a house rule."""
    return _SWEEP.row(arm=rule, metric=metric, seats=seats).estimate("difference")


def base(metric, seats):
    """The metric in the classic game, on the same deals as the arms."""
    return _SWEEP.row(arm=ANY_DRAW, metric=metric, seats=seats).base


def with_rule(rule, metric, seats):
    return _SWEEP.row(arm=rule, metric=metric, seats=seats).value


# The weak agents against each of which skill is measured.
PANEL = [metric[len("good_share(") : -1] for metric in _SWEEP.values("metric") if metric.startswith("good_share(")]


def panel(rule, seats):
    """The changes of the strong agent's share of rounds against each weak agent of the panel."""
    return [change(rule, f"good_share({agent})", seats) for agent in PANEL]


def holds_for_panel(rule, sign):
    """The table sizes at which the share changes significantly with this sign against every weak agent of the panel."""
    return [seats for seats in SEATS if all(one.proven and one.value * sign > 0 for one in panel(rule, seats))]


def panel_range(rule, seats):
    """The lowest and the highest change against the panel in percentage points, with an asterisk if their sign is the same for all."""
    changes = sorted(100 * one.value for one in panel(rule, seats))
    mark = " *" if seats in holds_for_panel(rule, 1) + holds_for_panel(rule, -1) else ""
    return f"{signed(changes[0])} to {signed(changes[-1])}{mark}"


def more(rule, metric, seats):
    """The relative increase of a metric under a house rule."""
    return with_rule(rule, metric, seats) / base(metric, seats) - 1


def skill(seats):
    """The win share on a scale from the fair share (0) to certainty (1)."""
    return (base("good_share", seats) - 1 / seats) / (1 - 1 / seats)


def edge(share, seats):
    """A share minus the fair share, in percentage points."""
    return 100 * (share - 1 / seats)


def proven(rule, metric, sign=0):
    """The table sizes at which a difference (with this sign) is significant after the correction."""
    changes = {seats: change(rule, metric, seats) for seats in SEATS}
    return [seats for seats, one in changes.items() if one.proven and one.value * sign >= 0]


def comparisons():
    """The differences of all arms, which are corrected together."""
    return [row for row in _SWEEP.all if row.arm != CONTROL and row.cells["p_holm"] != ""]


def control_rows():
    return [row for row in _SWEEP.rows(arm=CONTROL) if row.cells["p"] != ""]


def control_hits():
    return [row for row in control_rows() if row.p < 0.05]


def first_seat_moved():
    """The rules and table sizes that change the first player's share of rounds significantly."""
    return [(rule, seats) for rule in RULES for seats in proven(rule, "seat_share(0)")]


def largest_unproven_first_seat():
    """The largest of the other differences in the first player's share, in percentage points."""
    return max(
        abs(change(rule, "seat_share(0)", seats).value) * 100
        for rule in RULES
        for seats in SEATS
        if not change(rule, "seat_share(0)", seats).proven
    )


def largest(metric, seats):
    """The rule with the largest increase of a metric."""
    return max(RULES, key=lambda rule: change(rule, metric, seats).value)


def smallest(metric, seats):
    return min(RULES, key=lambda rule: change(rule, metric, seats).value)


def _cut(metric):
    """The games that reached the limit of decisions, by house rule and table size."""
    rows = [row for row in _SWEEP.rows(metric=metric) if row.arm in RULES]
    return {(row.arm, row.seats): round(row.value * row.sets) for row in rows if row.value > 0}


def games_cut(metric):
    return sum(_cut(metric).values())


def all_cut_under(rule, seats):
    return {*_cut("truncated_share"), *_cut("match_truncated_share")} == {(rule, seats)}


def none_void():
    metrics = ("void_share", "match_void_share")
    return all(with_rule(rule, metric, seats) == 0 for rule in RULES for metric in metrics for seats in SEATS)


def always(extreme, metric, rule, but=()):
    """Whether this rule has the largest or smallest change of a metric at every table size except these."""
    return all(extreme(metric, seats) == rule for seats in SEATS if seats not in but)


def falling(rule, metric):
    """Whether the relative change of a metric under a rule decreases from each table size to the next."""
    parts = [more(rule, metric, seats) for seats in SEATS]
    return parts == sorted(parts, reverse=True)
