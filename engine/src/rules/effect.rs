//! Effects: the vocabulary of built-in and custom cards.
//!
//! A variant file writes custom cards with [`Effect`]s. Built-in cards have effects too, some of which only they have. Both are compiled
//! into a flat list of [`Step`]s. A round runs the steps in order and pauses when a seat has to decide.

use serde::{Deserialize, Serialize};

/// An effect of a custom card, as variant files write it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Effect {
    /// These players draw this number of cards.
    Draw {
        /// The players that draw.
        who: Who,
        /// The number of cards, 1 to 20.
        count: u8,
    },
    /// The next players lose their turn.
    Skip(Skip),
    /// The direction of play turns round.
    Reverse,
    /// The player names the color in force with the play.
    NameColor,
    /// These players discard cards under the top card.
    Discard {
        /// The players that discard.
        who: Who,
        /// Which cards.
        cards: DiscardedCards,
    },
    /// The player may swap hands with another.
    SwapHands,
    /// All hands move one seat in the direction of play.
    RotateHands,
    /// The player looks at the hands of these players.
    Look {
        /// The players whose hands are seen.
        who: Who,
    },
    /// The player takes cards from each of these players, by chance.
    Take {
        /// The players that lose cards.
        who: Who,
        /// The number of cards from each, 1 to 20; a hand with fewer gives all it has.
        count: u8,
    },
    /// The player gives cards to each of these players, by chance.
    Give {
        /// The players that receive cards.
        who: Who,
        /// The number of cards to each, 1 to 20, at most the player's hand.
        count: u8,
    },
    /// A task outside the game; if it is not done, more follows (SW-19).
    Task {
        /// The players that have to do it; only a note for people.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        who: Option<Who>,
        /// The probability that it is done.
        p: f64,
        /// The effects if it is not done.
        fail: Vec<Self>,
    },
}

/// The players that an effect concerns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Who {
    /// The next player.
    Next,
    /// All players except the one who played the card, in order of play.
    Others,
    /// All players, in order of play from the one who played the card.
    All,
    /// A chosen player, once per card.
    Chosen,
    /// Another player by chance.
    RandomOther,
    /// The other player with the fewest cards; of several, the first in turn order.
    SmallestHand,
}

/// Which cards an effect discards.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DiscardedCards {
    /// Every wild card.
    Wilds,
    /// Every card of the color in force.
    NamedColor,
}

/// The number of players that lose a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Skip {
    /// This number, 1 to 10.
    Next(u8),
    /// All: the player goes again.
    All(All),
}

/// The word `all`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum All {
    /// `all`
    All,
}

/// One step of what a card does.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Step {
    /// These draw.
    Draw { who: Who, count: u8 },
    /// This number of next players lose their turn.
    Skip(u8),
    /// All other players lose the turn.
    SkipAll,
    /// The direction turns; with two seats see `two_player.reverse`.
    Reverse,
    /// These discard.
    Discard { who: Who, cards: DiscardedCards },
    /// The player swaps hands, or may.
    SwapHands(SwapRequirement),
    /// All hands move one seat.
    RotateHands,
    /// The player sees these hands.
    Look { who: Who },
    /// Cards go from these to the player.
    Take { who: Who, count: u8 },
    /// Cards go from the player to these.
    Give { who: Who, count: u8 },
    /// If the task is done, this number of steps is skipped.
    Task { success: f64, penalty_steps: u8 },
    /// Draw Two by the button.
    ButtonDrawTwo,
    /// A Draw Two that may be answered (stacking).
    StackDrawTwo,
    /// Wild Draw Four: perhaps a challenge, then four cards and the turn.
    DrawFour,
    /// Villain Draw 4: challenges, button, protections.
    VillainDrawFour,
    /// Two cards, then a yellow one or two more.
    CheeseTouch,
    /// Hands go round until the player keeps one.
    VictoryLap,
    /// The button, then every card of its color may go.
    DiscardAll,
}

/// Whether a swap may be declined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SwapRequirement {
    /// It may (SW-07).
    Optional,
    /// It may not.
    Compulsory,
}

impl Effect {
    /// The effects that may follow from it.
    #[must_use]
    pub fn within(&self) -> &[Self] {
        match self {
            Self::Task { fail, .. } => fail,
            Self::Draw { .. }
            | Self::Skip(_)
            | Self::Reverse
            | Self::NameColor
            | Self::Discard { .. }
            | Self::SwapHands
            | Self::RotateHands
            | Self::Look { .. }
            | Self::Take { .. }
            | Self::Give { .. } => &[],
        }
    }

    /// Whether it is this, or this may follow from it.
    fn is_or_leads_to(&self, is_it: fn(&Self) -> bool) -> bool {
        is_it(self) || self.within().iter().any(|effect| effect.is_or_leads_to(is_it))
    }
}

impl Step {
    /// Whether it changes the hand of its player beyond the play itself.
    pub(crate) const fn changes_own_hand(self) -> bool {
        match self {
            Self::Draw { who, .. } | Self::Discard { who, .. } => matches!(who, Who::All),
            Self::SwapHands(_)
            | Self::RotateHands
            | Self::Take { .. }
            | Self::Give { .. }
            | Self::VictoryLap
            | Self::DiscardAll => true,
            Self::Look { .. }
            | Self::Skip(_)
            | Self::SkipAll
            | Self::Reverse
            | Self::Task { .. }
            | Self::ButtonDrawTwo
            | Self::StackDrawTwo
            | Self::DrawFour
            | Self::VillainDrawFour
            | Self::CheeseTouch => false,
        }
    }

    /// The players that it concerns, if the card names them.
    pub(crate) const fn who(self) -> Option<Who> {
        match self {
            Self::Draw { who, .. }
            | Self::Discard { who, .. }
            | Self::Look { who }
            | Self::Take { who, .. }
            | Self::Give { who, .. } => Some(who),
            Self::Skip(_)
            | Self::SkipAll
            | Self::Reverse
            | Self::SwapHands(_)
            | Self::RotateHands
            | Self::Task { .. }
            | Self::ButtonDrawTwo
            | Self::StackDrawTwo
            | Self::DrawFour
            | Self::VillainDrawFour
            | Self::CheeseTouch
            | Self::VictoryLap
            | Self::DiscardAll => None,
        }
    }

    /// Whether its player chooses a target first, unless one is already chosen.
    pub(crate) const fn needs_target(self) -> bool {
        matches!(self.who(), Some(Who::Chosen))
    }

    /// Whether it makes a player draw. As a last card, a custom card does that and nothing else.
    pub(crate) const fn draws(self) -> bool {
        match self {
            Self::Draw { .. } => true,
            // Built-in cards say by themselves what they do as a last card.
            Self::ButtonDrawTwo
            | Self::StackDrawTwo
            | Self::DrawFour
            | Self::VillainDrawFour
            | Self::CheeseTouch
            | Self::VictoryLap
            | Self::DiscardAll
            | Self::Skip(_)
            | Self::SkipAll
            | Self::Reverse
            | Self::Discard { .. }
            | Self::SwapHands(_)
            | Self::RotateHands
            | Self::Look { .. }
            | Self::Take { .. }
            | Self::Give { .. }
            | Self::Task { .. } => false,
        }
    }
}

/// Writes custom effects as steps.
pub(crate) fn compile(effects: &[Effect], swap: SwapRequirement, steps: &mut Vec<Step>) {
    for effect in effects {
        steps.push(match effect {
            &Effect::Draw { who, count } => Step::Draw { who, count },
            Effect::Skip(Skip::Next(count)) => Step::Skip(*count),
            Effect::Skip(Skip::All(All::All)) => Step::SkipAll,
            Effect::Reverse => Step::Reverse,
            Effect::NameColor => continue, // named with the play
            &Effect::Discard { who, cards } => Step::Discard { who, cards },
            Effect::SwapHands => Step::SwapHands(swap),
            Effect::RotateHands => Step::RotateHands,
            &Effect::Look { who } => Step::Look { who },
            &Effect::Take { who, count } => Step::Take { who, count },
            &Effect::Give { who, count } => Step::Give { who, count },
            Effect::Task { p, fail, .. } => {
                let mut penalty = Vec::new();
                compile(fail, swap, &mut penalty);
                let penalty_steps = u8::try_from(penalty.len()).expect("a card has at most 20 effects");
                steps.push(Step::Task { success: *p, penalty_steps });
                steps.extend(penalty);
                continue;
            }
        });
    }
}

/// The most effects of one card, those within its tasks counted. So the turns that a card can skip fit in a byte, and so
/// does a place in the list of its steps.
const MOST_EFFECTS: usize = 20;
const _: () = assert!(MOST_EFFECTS * MOST_SKIPS as usize <= u8::MAX as usize);

/// The most turns that one effect skips.
pub(crate) const MOST_SKIPS: u8 = 10;

/// The mistakes in a custom card's effects.
pub(crate) fn problems(effects: &[Effect]) -> Vec<String> {
    let mut found = problems_within(effects, "effects");
    let number = number_of(effects);
    if number > MOST_EFFECTS {
        found.push(format!(
            "effects: {number} in all, those within tasks counted, are not allowed; allowed: at most {MOST_EFFECTS}"
        ));
    }
    found
}

/// The number of effects, including those within tasks.
fn number_of(effects: &[Effect]) -> usize {
    effects.iter().map(|effect| 1 + number_of(effect.within())).sum()
}

/// The mistakes in single effects; `within` names the place.
fn problems_within(effects: &[Effect], within: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (i, effect) in effects.iter().enumerate() {
        let place = format!("{within}[{i}]");
        let mut check_count = |name: &str, count: u8| {
            if !(1..=20).contains(&count) {
                found.push(format!("{place}.{name}.count = {count} is not allowed; allowed: 1 to 20"));
            }
        };
        match effect {
            Effect::Draw { count, .. } => check_count("draw", *count),
            Effect::Take { count, .. } => check_count("take", *count),
            Effect::Give { count, .. } => check_count("give", *count),
            Effect::Skip(Skip::Next(count)) => {
                if !(1..=MOST_SKIPS).contains(count) {
                    found
                        .push(format!("{place}.skip = {count} is not allowed; allowed: 1 to {MOST_SKIPS}, or \"all\""));
                }
            }
            Effect::Task { p, fail, .. } => {
                if !(0.0..=1.0).contains(p) {
                    found.push(format!("{place}.task.p = {p} is not a probability; allowed: 0 to 1"));
                }
                found.extend(problems_within(fail, &format!("{place}.task.fail")));
            }
            Effect::Skip(Skip::All(_))
            | Effect::Reverse
            | Effect::NameColor
            | Effect::Discard { .. }
            | Effect::SwapHands
            | Effect::RotateHands
            | Effect::Look { .. } => {}
        }
    }
    found
}

/// Whether these effects, at any depth, name a color.
pub(crate) fn names_color(effects: &[Effect]) -> bool {
    effects.iter().any(|effect| effect.is_or_leads_to(|effect| *effect == Effect::NameColor))
}

/// Whether these effects, at any depth, reverse the direction.
pub(crate) fn reverses(effects: &[Effect]) -> bool {
    effects.iter().any(|effect| effect.is_or_leads_to(|effect| *effect == Effect::Reverse))
}

/// Whether these effects, at any depth, offer a swap of hands.
pub(crate) fn offers_swap(effects: &[Effect]) -> bool {
    effects.iter().any(|effect| effect.is_or_leads_to(|effect| *effect == Effect::SwapHands))
}
