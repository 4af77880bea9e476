//! The page: what was run, an overview that leads to the sections, and the sections.

use maud::{DOCTYPE, Markup, PreEscaped, html};
use unolab_arena::words::counted;

use super::answer;
use super::facts;
use super::input::Input;
use super::numbers::{percent, rounded};
use super::plot;
use super::section::Section;
use super::table::{Cell, Column, Table};

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("sort.js");

/// Nothing from anywhere else is loaded, whatever the names of entrants may contain.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:";

pub(super) fn page(input: &Input, sections: &[Section<'_>]) -> Markup {
    let title = facts::title(input.run.as_ref());
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) " · unolab" }
                link rel="icon" href="data:,";
                style { (PreEscaped(STYLE)) (PreEscaped(plot::STYLE)) }
            }
            body {
                a.skip href="#contents" { "To the results" }
                header {
                    p.program { "unolab" }
                    h1 { (title) }
                    @for sentence in answer::sentences(sections) { p.answer { bdi { (sentence) } } }
                }
                main {
                    (overview(sections))
                    @for section in sections { (in_full(section)) }
                    (words())
                    @if let Some(run) = &input.run {
                        section #run {
                            h2 { "What was run" }
                            (facts::facts(run))
                        }
                    }
                }
                footer {
                    p {
                        "A game is one contest of a seeded deal at one seating; a set is one deal at all its seatings and \
                         tables. Sets are independent, so every error is taken over sets; intervals are of 95 %. \
                         The README beside this page says what each column holds, run.json also where and how \
                         long it ran."
                    }
                }
                script { (PreEscaped(SCRIPT)) }
            }
        }
    }
}

/// The words of the tables and plots that are not everybody's.
fn words() -> Markup {
    const WORDS: [(&str, &str); 8] = [
        (
            "Win share",
            "wins over games; a win that several share counts in parts, and a game without a winner is shared by all",
        ),
        ("Fair share", "what everybody would have who is equally good: one over the number of seats"),
        ("Elo", "the win share as points on a logarithmic scale: 0 is fair, and 400 points are odds of ten to one"),
        ("Superiority", "how likely it is that the first is ahead of the second in truth, as far as chance goes"),
        ("Plackett-Luce, Bradley-Terry", "one strength an entrant, in Elo points, by which who won is likeliest"),
        (
            "Nash average, Nash share",
            "the gain against the maximum-entropy Nash equilibrium of the pairs, and the part that an entrant has in it",
        ),
        (
            "Alpha rank",
            "the share of time that an evolution of strategies, whoever wins the pair spreading, spends with an entrant",
        ),
        ("Instant run-off", "the mean share against those that are left, the last being dropped in turn"),
    ];
    html! {
        details {
            summary { "Words" }
            dl { @for (word, meaning) in WORDS { dt { (word) } dd { (meaning) } } }
        }
    }
}

/// A line for each section, which leads to it.
fn overview(sections: &[Section<'_>]) -> Markup {
    let columns = vec![
        Column::text("variant and seats"),
        Column::text("leader"),
        Column::numbers("win share %"),
        Column::numbers("fair %"),
        Column::numbers("Elo"),
        Column::numbers("turns"),
        Column::numbers("winner's points"),
        Column::numbers("games"),
    ];
    let rows = sections.iter().map(|section| {
        let leader = section.found.by_share().first().copied();
        let median = |what| section.found.quantiles(what).map(|quantiles| f64::from(quantiles.median));
        let games = section.found.num_games();
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
        }
    }
}

fn in_full(section: &Section<'_>) -> Markup {
    html! {
        section #(section.anchor) {
            h2 { bdi { (section.title) } }
            p.note { (section.size()) " " a.back href="#contents" { "Contents" } }
            @if let Some(summary) = &section.summary { (summary.to_html()) }
            @if !section.plots.is_empty() {
                div.plots {
                    @for plot in &section.plots {
                        figure { (plot.in_page()) figcaption { (plot.note) } }
                    }
                }
            }
            @for (title, table) in &section.details {
                details {
                    summary { (title) " " span.bounds { "(" (counted(table.rows.len() as u64, "row")) ")" } }
                    (table.to_html())
                }
            }
        }
    }
}
