//! [`Phase`]: each decision of the rules with its data.

use crate::card::Card;
use crate::color::Color;
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Cursor {
    /// The seat that played the card.
    pub player: Seat,
    /// The card.
    pub card: Card,
    /// The next step, as an index into the card's list of steps.
    pub(crate) next: u8,
    /// The chosen target, once there is one.
    pub(crate) target: Option<Seat>,
    /// The number of players that lose a turn at the end.
    pub(crate) skips: SkipCount,
    /// Whether it was the last card.
    pub(crate) ending: Ending,
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
