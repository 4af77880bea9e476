//! [`Phase`]: each decision of the rules with its data.

use crate::action::OptionNumber;
use crate::card::Card;
use crate::color::Color;
use crate::rules::{CardKind, EffectOption, Rules, Step, options_of_choice};
use crate::seat::Seat;

/// The decision that the round waits for. The seat to decide is
/// [`RoundState::current_seat`](crate::state::RoundState::current_seat).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Phase {
    /// Play, draw or pass.
    Turn,
    /// Play or keep the card just drawn.
    Drawn(Card),
    /// Name a color separately from a play, and the step after it.
    NameColor(AfterColor),
    /// Challenge or accept a draw four.
    Challenge(DrawFour),
    /// Answer a Cheese Touch with a yellow card, or take two more.
    Cheese,
    /// Swap hands, or decline.
    Swap(SwapFor),
    /// Keep this hand, or pass all hands on; the number of passes so far.
    Lap(u8),
    /// Choose the target.
    Target(TargetFor),
    /// Discard every card of this color, or none.
    Discard(Color),
    /// Play a card of this color as protection.
    Protect(Protection),
    /// Answer a draw card, or draw the sum.
    Stack(Stack),
    /// Choose an option of a card's effect.
    Choice(Cursor),
    /// The round is over.
    Over(Outcome),
}

impl Phase {
    /// The word of the notation for the decision; `None` when the round is over.
    #[must_use]
    pub const fn decision(self) -> Option<&'static str> {
        Some(match self {
            Self::Turn => "turn",
            Self::Drawn(_) => "drawn",
            Self::NameColor(_) => "color",
            Self::Challenge(_) => "challenge",
            Self::Cheese => "cheese",
            Self::Swap(_) => "swap",
            Self::Lap(_) => "lap",
            Self::Target(_) => "target",
            Self::Discard(_) => "discard",
            Self::Protect(_) => "protect",
            Self::Stack(_) => "stack",
            Self::Choice(_) => "choice",
            Self::Over(_) => return None,
        })
    }
}

/// The step after a color is named separately from a play.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AfterColor {
    /// The same player's turn: the start card was a Wild.
    OwnTurn,
    /// The same player may swap hands first: the start card was a Wild Swap Hands.
    OwnSwap,
    /// The next player's turn: a Victory Lap has ended.
    NextTurn,
    /// The next effect of the card that lets this player choose.
    Effect(Cursor),
}

/// A draw four that is being challenged or accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct DrawFour {
    /// The seat that played it.
    pub by: Seat,
    /// The top card before, as a row of the table of playable cards.
    pub(crate) match_row: u8,
    /// The color in force before.
    pub color_before: Color,
    /// Whether it was a bluff, judged by the hand at that moment (SW-14). It is hidden from all other seats.
    pub(crate) bluff_status: BluffStatus,
    /// Penalty cards that its player has drawn since.
    pub(crate) drawn_since: u8,
    /// Cards that the victim would draw: four, or the whole sum under stacking.
    pub sum: u8,
}

/// Whether a draw four was honest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum BluffStatus {
    Honest,
    Bluff,
}

/// The reason for the offer of a swap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SwapFor {
    /// The start card was a Wild Swap Hands: the player's own turn follows.
    StartCard,
    /// A card that was played.
    Effect(Cursor),
}

/// The reason for choosing a target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TargetFor {
    /// The button matched the Draw Two.
    ButtonDrawTwo,
    /// A custom card.
    Effect(Cursor),
}

/// The position in a card's list of steps after a decision.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Cursor {
    /// The seat that played the card.
    pub player: Seat,
    /// The card.
    pub card: Card,
    /// The next step, as an index into the card's list of steps.
    pub(crate) next: u8,
    /// The chosen target, once there is one.
    pub(crate) target: Option<Seat>,
    /// The seat that chose the option to which the step belongs; without meaning outside options.
    pub(crate) chooser: Option<Seat>,
    /// The number of players that lose a turn at the end.
    pub(crate) skips: SkipCount,
    /// Whether it was the last card.
    pub(crate) ending: Ending,
}

/// Without a chooser if there is none: the seeds of bots depend on the text of an observation.
impl std::fmt::Debug for Cursor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut text = f.debug_struct("Cursor");
        text.field("player", &self.player).field("card", &self.card).field("next", &self.next);
        text.field("target", &self.target).field("skips", &self.skips).field("ending", &self.ending);
        if let Some(chooser) = &self.chooser {
            text.field("chooser", chooser);
        }
        text.finish()
    }
}

impl Cursor {
    /// The options to choose from, if the decision is [`Phase::Choice`]; otherwise none.
    #[must_use]
    pub fn options(self, rules: &Rules) -> &[EffectOption] {
        match (&rules.card_def(self.card).kind, self.steps_before(rules)) {
            (CardKind::Custom(card), [.., Step::Choice { .. }]) => {
                options_of_choice(&card.effects, self.choice_number(rules)).unwrap_or_default()
            }
            _ => &[],
        }
    }

    /// The number of earlier choices among the effects of the card, if the decision is [`Phase::Choice`].
    #[must_use]
    pub fn choice_number(self, rules: &Rules) -> usize {
        let choices = self.steps_before(rules).iter().filter(|step| matches!(step, Step::Choice { .. }));
        choices.count().saturating_sub(1)
    }

    fn steps_before(self, rules: &Rules) -> &[Step] {
        &rules.steps_of(self.card)[..usize::from(self.next)]
    }

    /// The chosen target, once there is one.
    #[must_use]
    pub const fn target(self) -> Option<Seat> {
        self.target
    }

    /// The first step of this option; the cursor is at the first option of a choice.
    pub(crate) fn entering(self, rules: &Rules, option: OptionNumber) -> Self {
        let steps = rules.steps_of(self.card);
        let mut next = self.next;
        for _ in 0..option.index() {
            if let Some(Step::Option { steps }) = steps.get(usize::from(next)) {
                next += 1 + steps;
            }
        }
        Self { next: next + 1, ..self }
    }
}

impl Phase {
    /// The options to choose from, if the decision is about options; otherwise none.
    #[must_use]
    pub fn options(self, rules: &Rules) -> &[EffectOption] {
        match self {
            Self::Choice(cursor) => cursor.options(rules),
            _ => &[],
        }
    }
}

/// The number of players that lose a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum SkipCount {
    Next(u8),
    All,
}

/// Whether the round ends with the card being played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Ending {
    GoesOn,
    GoesOut,
}

/// A Villain Draw 4 while protections are played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Protection {
    /// The seat that played it.
    pub by: Seat,
    /// The color of the button.
    pub color: Color,
    /// The seat of a failed challenger, who has already drawn (DI-14).
    pub(crate) exempt: Option<Seat>,
}

/// Draw cards that have been played on each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Stack {
    /// Cards to draw.
    pub sum: u8,
}

/// How a round ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// This seat went out, or is the last that is not out of the round (`house.hand_limit`).
    WentOut(Seat),
    /// Every player had to pass in turn and no card could be drawn: no player scores.
    Void,
}
