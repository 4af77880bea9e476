//! Errors in the effects of custom cards, and effects without consequence.

use super::effect::{All, Amount, Draw, Effect, EffectOption, Skip, Until, Who, number_of_turn_effects};
use super::parameters::Parameters;
use super::value::DrawCount;

/// The maximum number of effects of one card, including those within tasks and options. With it, the number of skipped turns and an index
/// into the list of steps fit into a byte.
const MOST_EFFECTS: usize = 20;
const _: () = assert!(MOST_EFFECTS * MOST_SKIPS as usize <= u8::MAX as usize);

/// The most cards that one effect makes a player draw, or moves.
const MOST_CARDS: u8 = 20;

/// The most turns that one effect skips.
const MOST_SKIPS: u8 = 10;

/// The most options of a choice.
pub(crate) const MOST_OPTIONS: usize = 4;

/// The number of options of a choice.
const OPTIONS: std::ops::RangeInclusive<usize> = 2..=MOST_OPTIONS;

/// The errors in a custom card's effects.
pub(crate) fn problems(effects: &[Effect]) -> Vec<String> {
    let mut found = problems_within(effects, "effects", None);
    let number: usize = effects.iter().map(number_of).sum();
    if number > MOST_EFFECTS {
        found.push(format!(
            "effects: {number} in all, those within tasks and options counted, are not allowed; allowed: at most \
             {MOST_EFFECTS}"
        ));
    }
    found
}

/// 1, plus the number of effects within its tasks and options.
fn number_of(effect: &Effect) -> usize {
    1 + effect.within().map(number_of).sum::<usize>()
}

/// The errors in individual effects; `within` names the position. `chooser` is the player that chose the option around them.
fn problems_within(effects: &[Effect], within: &str, chooser: Option<Who>) -> Vec<String> {
    let mut found = Vec::new();
    for (i, effect) in effects.iter().enumerate() {
        let place = format!("{within}[{i}]");
        let mut problem = |what: String| found.push(format!("{place}.{what}"));
        if players(effect) == Some(Who::Chooser) && chooser.is_none() {
            problem("who = \"chooser\" is not allowed; allowed: within the options of a choice".into());
            continue;
        }
        match effect {
            Effect::Draw(draw) => match draw.amount {
                Amount::Exactly(count) => check_count("draw.count", count, &mut problem),
                Amount::Turns(turns) => check_count("draw.count.turns", turns, &mut problem),
                Amount::Between(from, to) if from >= to || to > MOST_CARDS => problem(format!(
                    "draw.count = {{ from = {from}, to = {to} }} is not allowed; allowed: from below to, to at most {MOST_CARDS}"
                )),
                Amount::Between(..) | Amount::Until(_) => {}
            },
            Effect::Take { who, count } => {
                check_count("take.count", *count, &mut problem);
                check_who("take", *who, who.chosen_by(chooser) != Who::Player, "other players", &mut problem);
            }
            Effect::Give { who, count } => {
                check_count("give.count", *count, &mut problem);
                check_who("give", *who, who.chosen_by(chooser) != Who::Player, "other players", &mut problem);
            }
            Effect::Look { who } => {
                check_who("look", *who, who.chosen_by(chooser) != Who::Player, "other players", &mut problem);
            }
            Effect::ChooseColor { who } => {
                check_who("choose_color", *who, who.is_one_player(), "one player", &mut problem);
            }
            Effect::TradeHands { who } => {
                let is_another = who.is_one_player() && who.chosen_by(chooser) != Who::Player;
                check_who("trade_hands", *who, is_another, "one other player", &mut problem);
            }
            Effect::Skip(Skip::Next(count)) => {
                if !(1..=MOST_SKIPS).contains(count) {
                    problem(format!("skip = {count} is not allowed; allowed: 1 to {MOST_SKIPS}, or \"all\""));
                }
            }
            Effect::Task { p, fail, .. } => {
                if !(0.0..=1.0).contains(p) {
                    problem(format!("task.p = {p} is not a probability; allowed: 0 to 1"));
                }
                found.extend(problems_within(fail, &format!("{place}.task.fail"), chooser));
            }
            Effect::Choice { .. } if chooser.is_some() => {
                problem("choice is not allowed; allowed: outside the options of another choice".into());
            }
            Effect::Choice { who, options } => {
                check_who("choice", *who, who.is_one_player(), "one player", &mut problem);
                if !OPTIONS.contains(&options.len()) {
                    let [least, most] = [OPTIONS.start(), OPTIONS.end()];
                    problem(format!("choice.options has length {}; allowed: {least} to {most}", options.len()));
                }
                for (number, EffectOption { name, effects }) in options.iter().enumerate() {
                    let place = format!("{place}.choice.options[{number}]");
                    if name.trim().is_empty() {
                        found.push(format!(
                            "{place}.name = \"{name}\" is not allowed; allowed: a text that is not empty"
                        ));
                    }
                    found.extend(problems_within(effects, &format!("{place}.effects"), Some(*who)));
                }
            }
            Effect::Skip(Skip::All(_))
            | Effect::Reverse
            | Effect::NameColor
            | Effect::Discard { .. }
            | Effect::SwapHands
            | Effect::RotateHands
            | Effect::ShuffleHands => {}
        }
    }
    found
}

/// The players that an effect concerns, if it names them for the engine.
const fn players(effect: &Effect) -> Option<Who> {
    match effect {
        Effect::Draw(Draw { who, .. })
        | Effect::ChooseColor { who }
        | Effect::Discard { who, .. }
        | Effect::TradeHands { who }
        | Effect::Look { who }
        | Effect::Take { who, .. }
        | Effect::Give { who, .. }
        | Effect::Choice { who, .. } => Some(*who),
        Effect::Task { who, .. } => *who,
        Effect::Skip(_)
        | Effect::Reverse
        | Effect::NameColor
        | Effect::SwapHands
        | Effect::RotateHands
        | Effect::ShuffleHands => None,
    }
}

fn check_count(key: &str, count: u8, problem: &mut impl FnMut(String)) {
    if !(1..=MOST_CARDS).contains(&count) {
        problem(format!("{key} = {count} is not allowed; allowed: 1 to {MOST_CARDS}"));
    }
}

fn check_who(effect: &str, who: Who, is_allowed: bool, players: &str, problem: &mut impl FnMut(String)) {
    if !is_allowed {
        problem(format!("{effect}.who = \"{}\" is not allowed; allowed: {players}", who.word()));
    }
}

/// The effects of a card that do nothing under these rules, at the largest table.
pub(super) fn idle_effects(effects: &[Effect], parameters: &Parameters) -> Vec<String> {
    let seats = parameters.seats_max.get();
    let mut found = Vec::new();
    let count = |is_it: fn(&Effect) -> bool| effects.iter().filter(|effect| is_it(effect)).count();
    let reverses = count(|effect| *effect == Effect::Reverse);
    let colors = count(|effect| matches!(effect, Effect::NameColor | Effect::ChooseColor { .. }));
    let skips: u32 =
        effects.iter().map(|effect| if let Effect::Skip(Skip::Next(n)) = effect { u32::from(*n) } else { 0 }).sum();
    let skips_all = effects.contains(&Effect::Skip(Skip::All(All::All)));
    let mut reverses_before = 0;
    for effect in effects {
        match effect {
            Effect::Reverse => reverses_before += 1,
            effect if depends_on_direction(effect) => reverses_before = 0,
            _ => {}
        }
        if reverses_before == 2 {
            found.push("`reverse` twice has no effect: the second cancels the first".into());
            reverses_before = 0;
        }
    }
    if reverses > 0 && seats == 2 && number_of_turn_effects(effects) > 1 {
        found.push("`reverse` has no effect with two players: the card has another `reverse` or `skip`".into());
    }
    if skips_all && skips > 0 {
        found.push("`skip` has no effect with skip = \"all\"".into());
    }
    if skips > seats - 1 {
        found.push(format!(
            "skip = {skips} in all: with at most {seats} players, no more than {} lose a turn",
            seats - 1
        ));
    }
    if colors > 1 {
        found.push("the color is chosen more than once; the last choice counts for the next player".into());
    }
    let until_any = |effect: &Effect| matches!(effect, Effect::Draw(draw) if draw.amount == Amount::Until(Until::Any));
    if parameters.draw_count == DrawCount::One && effects.iter().any(until_any) {
        found.push("draw.until = \"any\" works as draw.count = 1: turn.draw_count is \"one\"".into());
    }
    for pair in effects.windows(2) {
        let [first, second] = pair else { continue };
        if *second == Effect::ShuffleHands && first.moves_whole_hands() {
            found.push("an effect that moves hands has no effect directly before `shuffle_hands`".into());
        }
        if first == second
            && matches!(first, Effect::TradeHands { who: Who::Next | Who::Previous | Who::Partner | Who::Chosen })
        {
            found.push("`trade_hands` twice has no effect: the hands return".into());
        }
    }
    if seats == 2 && count(|effect| *effect == Effect::RotateHands) == 2 {
        found.push("`rotate_hands` twice has no effect with two players: the hands return".into());
    }
    for effect in effects {
        if let Effect::Task { p, fail, .. } = effect {
            if *p >= 1.0 || fail.is_empty() {
                found.push("`task` has no effect: nothing ever follows from it".into());
            }
            found.extend(idle_effects(fail, parameters));
        }
        if let Effect::Choice { options, .. } = effect {
            if options.windows(2).all(|pair| pair[0].effects == pair[1].effects) {
                found.push("`choice` has no effect: its options have the same effects".into());
            }
            options.iter().for_each(|option| found.extend(idle_effects(&option.effects, parameters)));
        }
    }
    found
}

/// Whether what the effect does when it is executed depends on the direction of play. Turns are skipped after all effects.
const fn depends_on_direction(effect: &Effect) -> bool {
    match effect {
        Effect::RotateHands | Effect::ShuffleHands | Effect::Task { .. } | Effect::Choice { .. } => true,
        _ => match players(effect) {
            None => false,
            Some(who) => !matches!(who, Who::Player | Who::Partner | Who::Chosen | Who::RandomOther | Who::Chooser),
        },
    }
}
