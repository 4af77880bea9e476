//! The clauses of RULES.md that applied: a table from decisions and events to clauses.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use unolab_engine::action::{Action, Call};
use unolab_engine::card::{Card, Face};
use unolab_engine::event::Event;
use unolab_engine::rules::{
    CardKind, Challengers, DrawCount, DrawFourLegality, DrawPermission, DrawTwoTarget, DrawnCard, Enforcement, Rules,
    Special, Stacking, StartDrawTwo, StartReverse, TwoPlayerReverse,
};
use unolab_engine::seat::Seat;
use unolab_engine::state::{AfterColor, Outcome, Phase, RoundState, SwapFor, TargetFor};

/// The text of every clause, by its number.
pub static TEXTS: LazyLock<BTreeMap<&'static str, String>> = LazyLock::new(|| {
    let rows = include_str!("../../RULES.md").lines().filter_map(|line| {
        let mut cells = line.strip_prefix("| ")?.split(" | ");
        let (number, text) = (cells.next()?, cells.next()?);
        let is_number = number.contains('.') && number.chars().all(|char| char.is_ascii_digit() || char == '.');
        is_number.then(|| (number, text.replace('`', "")))
    });
    rows.collect()
});

/// The clauses of a deal: the effect of the start card.
#[must_use]
pub fn of_start(rules: &Rules, start: Card) -> Vec<&'static str> {
    let parameters = rules.parameters();
    let def = rules.card_def(start);
    let of_card = match &def.kind {
        CardKind::Ordinary(_, Face::Skip) => Some("2.8"),
        CardKind::Ordinary(_, Face::Reverse) => Some(match parameters.start_reverse {
            StartReverse::DealerFirst => "2.9",
            StartReverse::MirrorFirst => "2.10",
        }),
        CardKind::Ordinary(_, Face::DrawTwo) => Some(match parameters.start_draw_two {
            StartDrawTwo::DrawAndMiss => "2.11",
            StartDrawTwo::DrawOnly => "2.12",
            StartDrawTwo::Tinker => "2.13",
        }),
        CardKind::Special(Special::Wild) => Some("2.14"),
        CardKind::Special(Special::CheeseTouch) => Some("2.18"),
        CardKind::Special(Special::SwapHands) => Some("2.19"),
        CardKind::Special(_) | CardKind::Ordinary(_, Face::Number(_)) => None,
        CardKind::Custom(_) => Some("20.3"),
    };
    std::iter::once("2.1").chain(of_card).collect()
}

/// The clauses of an action: `before` is the state before it, `after` the state after it and all its consequences.
#[must_use]
pub fn of_action(
    rules: &Rules,
    before: &RoundState,
    (seat, action, call): (Seat, Action, Call),
    events: &[Event],
    after: &RoundState,
) -> Vec<&'static str> {
    let mut found = Vec::new();
    of_decision(rules, before, seat, action, after, &mut found);
    if call == Call::Uno {
        found.push("7.3");
    }
    for event in events {
        match event {
            Event::Reshuffled => found.push("9.1"),
            Event::Moved { .. } => found.push("20.15"),
            Event::Redealt { .. } => found.push("20.23"),
            Event::Showed { .. } if !matches!(before.phase(), Phase::Challenge(_)) => found.push("20.14"),
            Event::Showed { .. } => {
                let guilty = events.iter().any(|event| matches!(event, Event::Drew { seat: by, .. } if *by != seat));
                let villain = rules.card_def(before.top()).as_special() == Some(Special::VillainDrawFour);
                found.push(match (villain, guilty) {
                    (false, true) => "6.8",
                    (false, false) => "6.9",
                    (true, true) => "19.6",
                    (true, false) => "19.7",
                });
            }
            _ => {}
        }
    }
    if before.out() != after.out() {
        found.push("21.15");
    }
    match after.outcome() {
        Some(Outcome::WentOut(winner)) if !after.hand(winner).is_empty() => found.push("21.16"),
        Some(Outcome::WentOut(_)) => {
            found.push("8.1");
            let drew = events.iter().any(|event| matches!(event, Event::Drew { .. }));
            match rules.card_def(after.top()).as_special() {
                Some(Special::WildDrawFour) if drew => found.push("8.3"),
                Some(Special::VillainDrawFour) if drew => found.push("8.4"),
                None if drew && rules.face_of(after.top()) == Some(Face::DrawTwo) => found.push("8.2"),
                _ => {}
            }
        }
        Some(Outcome::Void) => found.push("9.6"),
        None => {}
    }
    let mut unique = Vec::new();
    found.into_iter().for_each(|clause| {
        if !unique.contains(&clause) {
            unique.push(clause);
        }
    });
    unique
}

fn of_decision(
    rules: &Rules,
    before: &RoundState,
    seat: Seat,
    action: Action,
    after: &RoundState,
    found: &mut Vec<&'static str>,
) {
    let parameters = rules.parameters();
    match action {
        Action::Uno => return found.push("7.4"),
        Action::Catch(_) => return found.extend(["7.1", "7.2"]),
        _ if before.current_seat() != Some(seat) => found.push("21.9"),
        _ => {}
    }
    match (before.phase(), action) {
        (Phase::Drawn(_), Action::Play(_) | Action::PlayNaming(..)) => found.push(match parameters.drawn_card {
            DrawnCard::May => "4.3",
            DrawnCard::Must => "4.4",
        }),
        (Phase::Drawn(_), _) => found.push("4.3"),
        (Phase::NameColor(AfterColor::OwnTurn), _) => found.push("2.14"),
        (Phase::NameColor(AfterColor::OwnSwap) | Phase::Swap(SwapFor::StartCard), _) => found.push("2.19"),
        (Phase::NameColor(AfterColor::NextTurn), _) => found.push("16.1"),
        (Phase::NameColor(AfterColor::Effect(_)), _) => found.push("20.19"),
        (Phase::Challenge(_), Action::Accept) => found.push(match parameters.challengers {
            Challengers::AnyOther => "19.2",
            _ => "6.7",
        }),
        (Phase::Cheese, Action::Take) => found.push("14.5"),
        (Phase::Cheese, _) => found.extend(["14.3", "14.4"]),
        (Phase::Swap(SwapFor::Effect(cursor)), _) => found.push(swap_clause(rules, cursor.card)),
        (Phase::Lap(_), Action::KeepHand) => found.push("16.2"),
        (Phase::Lap(_), _) => found.extend(["16.2", "16.3"]),
        (Phase::Target(TargetFor::ButtonDrawTwo), _) => found.extend(["17.2", "17.3"]),
        (Phase::Target(TargetFor::Effect(_)), _) => found.push("20.7"),
        (Phase::Choice(_), _) => found.push("20.24"),
        (Phase::Discard(_), Action::DiscardNone) => found.push("18.4"),
        (Phase::Discard(_), _) => found.extend(["18.1", "18.2"]),
        (Phase::Protect(_), _) => found.extend(["19.3", "19.5"]),
        (Phase::Stack(_), Action::Draw) => found.push("21.4"),
        (Phase::Stack(_), _) => found.push("21.1"),
        (Phase::Turn, Action::Draw) => {
            found.push(match (parameters.draw_count, parameters.draw) {
                (DrawCount::Random(_), _) => "21.14",
                (DrawCount::UntilPlayable, _) => "21.10",
                (_, DrawPermission::Always) => "4.1",
                (_, DrawPermission::NoMatch) => "4.2",
                (_, DrawPermission::NoPlayable) => "21.11",
            });
            if !matches!(after.phase(), Phase::Drawn(_)) {
                found.push("4.5");
            }
        }
        (Phase::Turn, Action::Pass) => found.push("9.5"),
        _ => {}
    }
    if let Action::Play(card) | Action::PlayNaming(card, _) = action
        && !matches!(before.phase(), Phase::Cheese)
    {
        found.extend(of_card(rules, card, before.ring().is_two_seats()));
    }
}

/// A swap that a card asks for: one printed for it, a Blank, or a seven.
fn swap_clause(rules: &Rules, card: Card) -> &'static str {
    match &rules.card_def(card).kind {
        CardKind::Special(_) => "15.2",
        CardKind::Custom(_) => "20.10",
        CardKind::Ordinary(..) => "21.6",
    }
}

/// The clauses of a played card: when it may be played, and its effect.
#[must_use]
pub fn of_card(rules: &Rules, card: Card, is_two_seats: bool) -> Vec<&'static str> {
    let parameters = rules.parameters();
    let is_stacking = parameters.stacking != Stacking::Off;
    let mut found = Vec::new();
    match &rules.card_def(card).kind {
        CardKind::Ordinary(_, Face::Number(7)) if parameters.seven_zero => found.extend(["3.1", "21.6"]),
        CardKind::Ordinary(_, Face::Number(0)) if parameters.seven_zero => found.extend(["3.1", "21.7"]),
        CardKind::Ordinary(_, Face::Number(_)) => found.push("3.1"),
        CardKind::Ordinary(_, Face::Skip) => found.extend(["3.2", if is_two_seats { "11.2" } else { "5.1" }]),
        CardKind::Ordinary(_, Face::Reverse) => found.extend([
            "3.2",
            match (is_two_seats, parameters.two_player_reverse) {
                (false, _) => "5.2",
                (true, TwoPlayerReverse::Skip) => "11.1",
                (true, TwoPlayerReverse::Literal) => "11.5",
            },
        ]),
        CardKind::Ordinary(_, Face::DrawTwo) => found.extend([
            "3.2",
            match parameters.draw_two_target {
                DrawTwoTarget::Tinker => "17.1",
                DrawTwoTarget::Next if is_stacking => "21.1",
                DrawTwoTarget::Next if is_two_seats => "11.3",
                DrawTwoTarget::Next => "5.3",
            },
        ]),
        CardKind::Special(Special::Wild) => found.extend(["3.3", "5.5"]),
        CardKind::Special(Special::WildDrawFour) => {
            found.push(match (parameters.draw_four_legality, parameters.draw_four_enforcement) {
                (DrawFourLegality::Any, _) => "6.4",
                (DrawFourLegality::NoMatch | DrawFourLegality::NoOtherPlayable, _) => "6.6",
                (DrawFourLegality::NoColor, Enforcement::Engine) => "6.3",
                (DrawFourLegality::NoColor, Enforcement::Bluff) => "6.1",
            });
            found.push(if is_two_seats { "11.4" } else { "6.5" });
        }
        CardKind::Special(Special::CheeseTouch) => found.extend(["14.1", "14.2"]),
        CardKind::Special(Special::SwapHands) => found.extend(["15.1", "15.2"]),
        CardKind::Special(Special::VictoryLap) => found.extend(["16.1", "16.2"]),
        CardKind::Special(Special::DiscardAll) => found.push("18.1"),
        CardKind::Special(Special::VillainDrawFour) => found.extend(["19.1", "19.2"]),
        CardKind::Custom(custom) => {
            found.push(if custom.color.color().is_some() { "20.1" } else { "20.2" });
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use unolab_engine::rules::{PresetsOnly, TableSize, load, presets};

    use super::*;

    /// The clauses of the cards of every edition, played at two seats and at more. Record the snapshot again after an
    /// intended change.
    #[test]
    fn card_clauses_match_snapshot() {
        let mut told = String::new();
        let house = ["house.seven_zero=true".parse().expect("good"), "house.stacking=any_draw".parse().expect("good")];
        let with_house = load("classic", &house, TableSize::Any, &PresetsOnly).expect("good rules").rules;
        let all = presets::NAMES.map(|name| (name, Rules::preset(name))).into_iter();
        for (name, rules) in all.chain([("classic with house rules", with_house)]) {
            let mut lines = Vec::new();
            for card in rules.deck().distinct() {
                let of = |is_two_seats| of_card(&rules, card, is_two_seats).join(" ");
                let start = of_start(&rules, card).join(" ");
                let line = format!("{}, or at two seats {}; turned up {start}", of(false), of(true));
                // Cards with the same clauses share a line.
                if !lines.contains(&line) {
                    told += &format!("{name}, {}: {line}\n", rules.code(card));
                    lines.push(line);
                }
            }
        }
        insta::assert_snapshot!(told);
    }
}
