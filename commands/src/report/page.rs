//! The page: the run, an overview with links to the sections, and the sections.

use std::collections::BTreeSet;

use maud::{DOCTYPE, Markup, PreEscaped, html};
use unolab_arena::words::counted;

use super::facts;
use super::input::Input;
use super::numbers::{decimal, percent, rounded};
use super::plot::{self, Plot};
use super::section::Section;
use super::table::{Cell, Column, Table};
use super::{GENERATOR, answer};
use crate::terminal::ratings::FITTED_WITH_ALL;

pub(super) const STYLE: &str = include_str!("page.css");
pub(super) const SCRIPT: &str = include_str!("sort.js");

/// Nothing external is loaded, regardless of the names of entrants.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:";

pub(super) fn page(input: &Input, sections: &[Section<'_>], across: &[Plot]) -> Markup {
    let title = facts::title(input.run.as_ref());
    let mut captions = Captions::default();
    html! {
        (DOCTYPE)
        html lang="en" {
            (head(&title, &[STYLE, plot::STYLE]))
            body {
                a.skip href="#contents" { "To the results" }
                header {
                    p.program { "unolab" }
                    h1 { (title) }
                    @for sentence in answer::sentences(sections) { p.answer { bdi { (sentence) } } }
                }
                main {
                    (overview(sections, across, &mut captions))
                    @for section in sections { (in_full(section, &mut captions)) }
                    @if let Some(run) = &input.run {
                        section #run {
                            h2 { "What was run" }
                            (facts::facts(run))
                        }
                    }
                }
                footer {
                    p {
                        "A game is one deal at one seating; a set is one deal at all its seatings and tables. Sets are independent, so every error is computed over sets; intervals are 95% intervals, and ± is one standard error. The README next to this page explains each column, and run.json has the machine and the time."
                    }
                }
                script { (PreEscaped(SCRIPT)) }
            }
        }
    }
}

/// The head of a page with these style sheets.
pub(super) fn head(title: &str, styles: &[&str]) -> Markup {
    html! {
        head {
            meta charset="utf-8";
            meta http-equiv="Content-Security-Policy" content=(POLICY);
            meta name="generator" content=(GENERATOR);
            meta name="viewport" content="width=device-width, initial-scale=1";
            meta name="color-scheme" content="light dark";
            title { (title) " · unolab" }
            link rel="icon" href="data:,";
            style { @for style in styles { (PreEscaped(style)) } }
        }
    }
}

/// A line for each section, with a link to it.
fn overview(sections: &[Section<'_>], across: &[Plot], captions: &mut Captions) -> Markup {
    let columns = vec![
        Column::text("variant and seats"),
        Column::text("leader"),
        Column::numbers("win share %"),
        Column::numbers("fair %"),
        Column::numbers("Elo"),
        Column::numbers("turns"),
        Column::numbers("winner's points"),
        Column::numbers("games"),
        Column::numbers("first player wins %"),
        Column::numbers("turns per round"),
        Column::numbers("choice %"),
        Column::numbers("skill %"),
    ];
    let rows = sections.iter().map(|section| {
        let leader = section.found.field().first().copied();
        let median = |what| section.found.quantiles(what).map(|quantiles| f64::from(quantiles.median));
        let games = section.found.num_games();
        let measured = |metric: &str, show: fn(f64) -> String| {
            let row = section.metrics.iter().find(|row| row.metric == metric);
            let bounds = row.map_or([None; 2], |row| [row.ci_low, row.ci_high]);
            Cell::with_bounds(row.and_then(|row| row.value), bounds, show)
        };
        vec![
            Cell { shown: html! { a href={ "#" (section.anchor) } { (section.title) } }, key: section.title.clone() },
            Cell::name(leader.map_or("", |line| &line.entrant)),
            Cell::with_bounds(
                leader.and_then(|line| line.win_share),
                leader.map_or([None; 2], |line| [line.ci_low, line.ci_high]),
                percent,
            ),
            Cell::number(section.found.fair_share(), percent),
            leader.map_or_else(|| Cell::number(None, |_| String::new()), |line| section.found.elo(&line.entrant)),
            Cell::number(median("turns"), rounded),
            Cell::number(median("winner_points"), rounded),
            games.map_or_else(|| Cell::number(None, |_| String::new()), Cell::count),
            measured("seat_share(0)", percent),
            measured("turns", |turns| decimal(turns, 1)),
            measured("choice_share", percent),
            measured("skill", percent),
        ]
    });
    let table = Table { label: "Contents and leaders".into(), columns, rows: rows.collect() };
    html! {
        section #contents {
            h2 { "Contents" }
            (table.to_html())
            @if sections.iter().any(|section| !section.found.bins.is_empty()) {
                p.note { "Turns and points are medians of games." }
            }
            (captions.plots(across))
        }
    }
}

/// The captions on the page so far; none is repeated.
#[derive(Default)]
struct Captions(BTreeSet<String>);

impl Captions {
    /// Plots, with captions that the page does not have yet.
    fn plots(&mut self, plots: &[Plot]) -> Markup {
        html! {
            @if !plots.is_empty() {
                div.plots {
                    @for plot in plots {
                        figure {
                            (plot.in_page())
                            @if self.0.insert(plot.note.clone()) { figcaption { (plot.note) } }
                        }
                    }
                }
            }
        }
    }
}

fn in_full(section: &Section<'_>, captions: &mut Captions) -> Markup {
    html! {
        section #(section.anchor) {
            h2 { bdi { (section.title) } }
            p.note { (section.size()) " " a.back href="#contents" { "Contents" } }
            @if let Some(summary) = &section.summary { (summary.to_html()) }
            @if !section.found.ratings.is_empty() && section.found.field().len() < section.found.summary.len() {
                p.note { "Some entrants are not rated; " (FITTED_WITH_ALL) "." }
            }
            @if !section.said.is_empty() {
                ul.said { @for sentence in &section.said { li { bdi { (sentence) } } } }
            }
            (captions.plots(&section.plots))
            @for (title, table) in &section.details {
                details {
                    summary { (title) " " span.bounds { "(" (counted(table.rows.len() as u64, "row")) ")" } }
                    (table.to_html())
                }
            }
        }
    }
}
