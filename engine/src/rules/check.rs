//! Checks rules for contradictions, and warns about keys without effect for the cards in play.

use super::card_def::{CardDef, CardKind, Special};
use super::card_keys;
use super::compile;
use super::effect::Who;
use super::parameters::{
    Challengers, DealerChoice, DrawTwoTarget, Enforcement, Parameters, Scoring, Stacking, StartDrawTwo, Teams, UnoCalls,
};
use super::table_size::TableSize;
use super::value::{DrawCount, HandLimit};
use crate::card::{Face, MAX_KINDS};
use crate::cards::MAX_CARDS;
use crate::color::Color;

/// A contradiction between keys.
#[derive(Debug)]
pub(super) struct Problem {
    /// The keys; `deck` for all cards, the path of a card's code for one.
    pub(super) keys: Vec<String>,
    /// The error, and the allowed values.
    pub(super) what: String,
}

/// The path of the code of a custom card.
pub(super) fn path_of_code(code: &str) -> String {
    format!("custom.{code}.code")
}

/// Everything that makes these rules unplayable.
pub(super) fn problems(parameters: &Parameters, kinds: &[CardDef], size: TableSize) -> Vec<Problem> {
    let mut found = Vec::new();
    let mut problem = |keys: &[&str], what: String| {
        found.push(Problem { keys: keys.iter().map(|&key| key.to_owned()).collect(), what });
    };
    let p = parameters;
    let (min, max) = (p.seats_min.get(), p.seats_max.get());
    if min > max {
        problem(&["seats.min", "seats.max"], format!("seats.min = {min} is above seats.max = {max}"));
    }
    if kinds.len() > MAX_KINDS {
        problem(&["deck"], format!("{} kinds of card; at most {MAX_KINDS} are allowed", kinds.len()));
    }
    for (i, def) in kinds.iter().enumerate().take(MAX_KINDS) {
        if kinds[..i].iter().any(|other| other.code == def.code) {
            let color = def.color.map_or('W', Color::letter);
            let mut codes = ('A'..='Z').rev().map(|capital| format!("{color}{capital}"));
            let free = codes.find(|code| kinds.iter().all(|other| other.code != *code));
            problem(
                &[&path_of_code(&def.code)],
                format!(
                    "two cards have the code {}; allowed for a card of your own: a capital that no other card has{}",
                    def.code,
                    free.map_or_else(String::new, |code| format!(", such as {code}")),
                ),
            );
        }
    }
    if !kinds.iter().any(|def| compile::starts(def, p)) {
        problem(&["deck"], "no card of the deck can be turned up as the start card".into());
    }
    let mut cut_values = kinds.iter().map(|def| compile::cut_value(def, p));
    if p.dealer == DealerChoice::Cut
        && let Some(value) = cut_values.next()
        && cut_values.all(|other| other == value)
    {
        problem(
            &["deal.dealer", "deck", "deal.cut_values"],
            format!(
                "no cut for the deal would ever end: every card of the deck counts {value} with deal.cut_values = \"{}\"; allowed: deal.dealer = \"random\" or \"fixed\"",
                p.cut_values.word()
            ),
        );
    }
    let cards: u32 = kinds.iter().map(|def| def.copies).sum();
    let seats = match size {
        TableSize::Any => max,
        TableSize::Seats(seats) => u32::try_from(seats).unwrap_or(u32::MAX).min(10),
    };
    // Each table of a match for eight at two tables seats four.
    let dealt_seats = if p.teams == Teams::RotatingTables { 4 } else { seats };
    if cards < dealt_seats * p.hand_size.get() + 1 {
        problem(
            &["deck", "deal.hand_size", "seats.max"],
            format!(
                "{cards} cards are too few for {dealt_seats} seats with deal.hand_size = {} and a start card; lower deal.hand_size or seats.max",
                p.hand_size.get()
            ),
        );
    }
    if cards > MAX_CARDS {
        problem(&["deck"], format!("{cards} cards are too many; at most {MAX_CARDS} are allowed"));
    }
    for def in kinds {
        if p.teams == Teams::None && compile::steps(def, p).iter().any(|step| step.traits().who == Some(Who::Partner)) {
            let what =
                format!("{}: who = \"partner\" needs partners; allowed with match.teams other than \"none\"", def.code);
            problem(&["match.teams", &path_of_code(&def.code)], what);
        }
    }
    match (p.draw_four_enforcement, p.challengers) {
        (Enforcement::Engine, Challengers::Victim | Challengers::AnyOther) => problem(&["challenge.who", "draw_four.enforcement"], format!(
            "challenge.who = \"{}\" makes no sense with draw_four.enforcement = \"engine\": there is no bluff to challenge; allowed: \"none\"",
            p.challengers.word()
        )),
        (Enforcement::Bluff, Challengers::None) => problem(
            &["draw_four.enforcement", "challenge.who"],
            "draw_four.enforcement = \"bluff\" makes no sense with challenge.who = \"none\": no player could object; allowed: challenge.who = \"victim\", \"any_other\""
                .into(),
        ),
        _ => {}
    }
    if let HandLimit::Cards { cards, .. } = p.hand_limit {
        if cards <= p.hand_size.get() {
            let size = p.hand_size.get();
            let what = format!("house.hand_limit = {cards} is not allowed; allowed: more than deal.hand_size = {size}");
            problem(&["house.hand_limit", "deal.hand_size"], what);
        }
        if p.teams != Teams::None {
            let what = "house.hand_limit is not offered with partners; allowed: \"none\", or match.teams = \"none\"";
            problem(&["house.hand_limit", "match.teams"], what.into());
        }
    }
    if p.draw_two_target == DrawTwoTarget::Tinker && p.stacking != Stacking::Off {
        problem(
            &["house.stacking", "draw_two.target"],
            format!(
                "house.stacking = \"{}\" makes no sense with draw_two.target = \"tinker\": only a Draw Two on the next player can be answered",
                p.stacking.word()
            ),
        );
    }
    if !p.allowed_scoring.contains(&p.scoring) {
        problem(
            &["match.scoring", "match.allowed_scoring"],
            format!(
                "match.scoring = \"{}\" is not in this edition; match.allowed_scoring, which a variant may set, has {}",
                p.scoring.word(),
                p.allowed_scoring.iter().map(|s| s.word()).collect::<Vec<_>>().join(", ")
            ),
        );
    }
    if !p.allowed_teams.contains(&p.teams) {
        problem(
            &["match.teams", "match.allowed_teams"],
            format!(
                "match.teams = \"{}\" is not in this edition; match.allowed_teams, which a variant may set, has {}",
                p.teams.word(),
                p.allowed_teams.iter().map(|t| t.word()).collect::<Vec<_>>().join(", ")
            ),
        );
    }
    if p.teams != Teams::None && p.scoring == Scoring::Elimination {
        problem(
            &["match.scoring", "match.teams"],
            "match.scoring = \"elimination\" is not offered with partners (X-36)".into(),
        );
    }
    if let Some(needed) = p.teams.num_players() {
        let fits = match size {
            TableSize::Any => (min as usize..=max as usize).contains(&needed),
            TableSize::Seats(seats) => seats == needed,
        };
        if !fits {
            problem(
                &["match.teams", "seats.min", "seats.max"],
                format!("match.teams = \"{}\" needs {needed} seats", p.teams.word()),
            );
        }
    }
    if let TableSize::Seats(seats) = size
        && !(min as usize..=max as usize).contains(&seats)
    {
        problem(&["seats.min", "seats.max"], format!("{seats} seats are not allowed; allowed: {min} to {max}"));
    }
    found
}

/// The reason why a key that the user set has no effect; `None` if it has one.
pub(super) fn without_meaning(key: &str, parameters: &Parameters, kinds: &[CardDef]) -> Option<String> {
    let has = |special: Special| kinds.iter().any(|def| def.as_special() == Some(special));
    let has_face = |face: Face| kinds.iter().any(|def| matches!(def.kind, CardKind::Ordinary(_, f) if f == face));
    let missing = |special: Special| (!has(special)).then(|| format!("no effect: the deck has no {}", special.code()));
    let no_face = |face: Face, name: &str| (!has_face(face)).then(|| format!("no effect: the deck has no {name}"));
    let uses_button = has(Special::VillainDrawFour)
        || has(Special::DiscardAll)
        || (has_face(Face::DrawTwo)
            && (parameters.draw_two_target == DrawTwoTarget::Tinker
                || parameters.start_draw_two == StartDrawTwo::Tinker));
    let no_draw_four = || {
        (!has(Special::WildDrawFour) && !has(Special::VillainDrawFour))
            .then(|| "no effect: the deck has no draw four".to_string())
    };
    let no_calls = || (parameters.uno_calls == UnoCalls::Auto).then(|| "no effect: uno.calls is \"auto\"".to_string());
    let no_button = || (!uses_button).then(|| "no effect: no card in play presses the button".to_string());
    if let Some((code, _)) = card_keys::of_custom_card(key) {
        return kinds.iter().all(|def| def.code != code).then(|| format!("no effect: the deck has no {code}"));
    }
    match key {
        "tinker.weights" => no_button(),
        "tinker.resume" => no_button().or_else(|| {
            let chooses = parameters.draw_two_target == DrawTwoTarget::Tinker
                || parameters.start_draw_two == StartDrawTwo::Tinker;
            (!chooses).then(|| "no effect: no Draw Two is aimed by the button".into())
        }),
        "draw_four.legality" | "draw_four.enforcement" | "challenge.who" => no_draw_four(),
        "challenge.guilty_draw" | "challenge.wrong_draw" | "challenge.winner_turn" => no_draw_four().or_else(|| {
            (parameters.challengers == Challengers::None).then(|| "no effect: no player may challenge".into())
        }),
        "villain_draw_four.last_card" | "points.villain_draw_four" => missing(Special::VillainDrawFour),
        "cheese_touch.may_refuse" | "cheese_touch.last_card" | "points.cheese_touch" => missing(Special::CheeseTouch),
        "swap_hands.optional" => {
            let swaps = kinds.iter().any(compile::offers_swap);
            (!swaps).then(|| "no effect: no card swaps hands".into())
        }
        "discard_all.choice" | "points.discard_all" => missing(Special::DiscardAll),
        "points.number" => {
            let has_any = kinds.iter().any(|def| matches!(def.kind, CardKind::Ordinary(_, Face::Number(_))));
            (!has_any).then(|| "no effect: the deck has no number card".into())
        }
        "points.skip" => no_face(Face::Skip, "Skip"),
        "points.reverse" | "start.reverse" => no_face(Face::Reverse, "Reverse"),
        "points.draw_two" | "start.draw_two" | "draw_two.target" => no_face(Face::DrawTwo, "Draw Two"),
        "two_player.reverse" => {
            (!kinds.iter().any(compile::may_reverse)).then(|| "no effect: no card reverses the direction".into())
        }
        "start.wild" => {
            (!kinds.iter().any(compile::starts_with_color)).then(|| "no effect: no start card names a color".into())
        }
        "house.stacking" => (!kinds.iter().any(|def| compile::stack_value(def, parameters).is_some()))
            .then(|| "no effect: the deck has no draw card that can be answered".into()),
        "house.seven_zero" => (!has_face(Face::Number(7)) && !has_face(Face::Number(0)))
            .then(|| "no effect: the deck has neither a 7 nor a 0".into()),
        "victory_lap.missed_call" => missing(Special::VictoryLap).or_else(no_calls),
        "uno.window" | "uno.self_catch" | "uno.penalty" => no_calls(),
        "turn.drawn_card" => matches!(parameters.draw_count, DrawCount::Random(_))
            .then(|| "no effect: with this turn.draw_count the turn ends with the draw".into()),
        "deal.cut_values" => {
            (parameters.dealer != DealerChoice::Cut).then(|| "no effect: deal.dealer is not \"cut\"".into())
        }
        "match.target" => matches!(parameters.teams, Teams::Rotating | Teams::RotatingTables)
            .then(|| "no effect: with changing partners the number of rounds is fixed".into()),
        "house.hand_limit" => match parameters.hand_limit {
            HandLimit::Cards { cards, .. } => {
                let deck: u32 = kinds.iter().map(|def| def.copies).sum();
                (cards > deck).then(|| format!("no effect: the deck has only {deck} cards"))
            }
            HandLimit::None => None,
        },
        "points.swap_hands" => missing(Special::SwapHands),
        "points.victory_lap" => missing(Special::VictoryLap),
        "points.wild" => missing(Special::Wild),
        "points.wild_draw_four" => missing(Special::WildDrawFour),
        "match.hands_per_partnership" => {
            (parameters.teams != Teams::Rotating).then(|| "no effect: match.teams is not \"rotating\"".into())
        }
        "match.hands_per_partnership_tables" => (parameters.teams != Teams::RotatingTables)
            .then(|| "no effect: match.teams is not \"rotating_tables\"".into()),
        _ => None,
    }
}
