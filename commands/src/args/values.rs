//! The named values of a spec on the command line.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use unolab_arena::experiment::balance::spec::MetricSet;
use unolab_arena::spec::{Format, SeatingPlan, Unit};
use unolab_arena::tables::table::TableFormat;

pub(crate) fn format() -> impl TypedValueParser<Value = Format> {
    choice([
        (Format::RoundRobin, "roundrobin", "Every combination of entrants plays at a table"),
        (Format::Gauntlet, "gauntlet", "The first entrant plays against copies of each other entrant in turn"),
        (
            Format::League,
            "league",
            "Each tier plays a round robin; after each season the best by rating move up a tier and the last move down",
        ),
    ])
}

pub(crate) fn seating() -> impl TypedValueParser<Value = SeatingPlan> {
    choice([
        (SeatingPlan::Rotate, "rotate", "All rotations of one random order, so that every entrant sits in every seat"),
        (SeatingPlan::All, "all", "Every arrangement of the entrants"),
        (
            SeatingPlan::Neighbor,
            "neighbor",
            "A few arrangements in which every entrant follows every other equally often, because draw cards hit the next \
             player",
        ),
    ])
}

pub(crate) fn table_format() -> impl TypedValueParser<Value = TableFormat> {
    choice([(TableFormat::Csv, "csv", "CSV only"), (TableFormat::Parquet, "parquet", "CSV and Parquet")])
}

pub(crate) fn unit() -> impl TypedValueParser<Value = Unit> {
    choice([(Unit::Round, "round", "A single round"), (Unit::Match, "match", "Rounds to the target score")])
}

pub(crate) fn metrics() -> impl TypedValueParser<Value = MetricSet> {
    choice([(MetricSet::All, "all", "All metrics"), (MetricSet::Core, "core", "Only the metrics of earlier versions")])
}

/// One of these values, each with its name and its meaning.
fn choice<T: Copy + Send + Sync + 'static, const N: usize>(
    values: [(T, &'static str, &'static str); N],
) -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(values.map(|(_, name, help)| PossibleValue::new(name).help(help))).map(move |text| {
        let named = values.iter().find(|(_, name, _)| *name == text);
        named.expect("the parser lets no other name pass").0
    })
}
