//! The words of a spec on the command line.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use unolab_arena::spec::{Format, SeatingPlan, Unit};

pub(super) fn format() -> impl TypedValueParser<Value = Format> {
    choice([
        (Format::RoundRobin, "roundrobin", "Every choice of entrants sits at a table together"),
        (
            Format::Gauntlet,
            "gauntlet",
            "The first entrant meets each of the others in turn: one of it, and copies of the other",
        ),
        (
            Format::League,
            "league",
            "Tiers that play round robins of their own; by their ratings the best rise and the last fall, season after season",
        ),
    ])
}

pub(super) fn seating() -> impl TypedValueParser<Value = SeatingPlan> {
    choice([
        (
            SeatingPlan::Rotate,
            "rotate",
            "The order at the table stays and moves on one seat at a time, until everyone has sat everywhere",
        ),
        (SeatingPlan::All, "all", "Every arrangement there is"),
        (
            SeatingPlan::Neighbor,
            "neighbor",
            "Few arrangements in which every entrant follows every other equally often, because the left neighbour takes \
             one's draw cards",
        ),
    ])
}

pub(super) fn unit() -> impl TypedValueParser<Value = Unit> {
    choice([(Unit::Round, "round", "A single round"), (Unit::Match, "match", "Rounds to the target score")])
}

/// One of these values, each with its name and what it means.
fn choice<T: Copy + Send + Sync + 'static, const N: usize>(
    values: [(T, &'static str, &'static str); N],
) -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(values.map(|(_, name, help)| PossibleValue::new(name).help(help))).map(move |text| {
        let named = values.iter().find(|(_, name, _)| *name == text);
        named.expect("the parser lets no other name pass").0
    })
}
