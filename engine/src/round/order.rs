//! [`DecisionOrder`]: which seat has which decision, and in which order.
//!
//! Only this module defines the order of calls, catches and jump-ins. Before every decision of [`RoundState`], the
//! seats decide about each open window, in the order of the holders' seats: first the others in turn order from the seat
//! after the holder, then the holder. After a play, each seat with an identical card decides once about a jump-in, in turn
//! order from the seat after the next player. A seat whose play may leave one card decides about the call before the card is
//! played.

use crate::action::{Action, Call};
use crate::rules::{Features, Rules};
use crate::seat::Seat;
use crate::state::{Phase, RoundState};

/// The kind of a seat's decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DecisionKind {
    /// Play, draw or pass.
    Turn,
    /// Play or keep the card just drawn.
    Drawn,
    /// Name a color apart from a play.
    NameColor,
    /// Challenge or accept a draw four.
    Challenge,
    /// Answer a Cheese Touch.
    Cheese,
    /// Swap hands, or decline.
    Swap,
    /// Keep the hand in front, or pass all hands on.
    Lap,
    /// Choose the target.
    Target,
    /// Discard all of a color, or none.
    Discard,
    /// Play a card as protection.
    Protect,
    /// Answer a draw card, or draw the sum.
    Stack,
    /// Choose an option of a card's effect.
    Choice,
    /// Call UNO with the action just chosen, or not.
    Call {
        /// The action, which is applied after the answer. It is still hidden from other seats.
        with: Action,
    },
    /// Use the open window of a seat with one card: catch it, or call late if the seat itself holds the card.
    Window {
        /// The seat that has not called.
        holder: Seat,
    },
    /// Play an identical card out of turn.
    JumpIn,
}

impl DecisionKind {
    /// The kind of the decision that a round of this phase waits for; `None` if it is over.
    #[must_use]
    pub const fn of(phase: Phase) -> Option<Self> {
        Some(match phase {
            Phase::Turn => Self::Turn,
            Phase::Drawn(_) => Self::Drawn,
            Phase::NameColor(_) => Self::NameColor,
            Phase::Challenge(_) => Self::Challenge,
            Phase::Cheese => Self::Cheese,
            Phase::Swap(_) => Self::Swap,
            Phase::Lap(_) => Self::Lap,
            Phase::Target(_) => Self::Target,
            Phase::Discard(_) => Self::Discard,
            Phase::Protect(_) => Self::Protect,
            Phase::Stack(_) => Self::Stack,
            Phase::Choice(_) => Self::Choice,
            Phase::Over(_) => return None,
        })
    }

    /// Its name in one word: the notation's word for a decision of the seat to act, otherwise `call`, `window`, or `jump-in`.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Turn => "turn",
            Self::Drawn => "drawn",
            Self::NameColor => "color",
            Self::Challenge => "challenge",
            Self::Cheese => "cheese",
            Self::Swap => "swap",
            Self::Lap => "lap",
            Self::Target => "target",
            Self::Discard => "discard",
            Self::Protect => "protect",
            Self::Stack => "stack",
            Self::Choice => "choice",
            Self::Call { .. } => "call",
            Self::Window { .. } => "window",
            Self::JumpIn => "jump-in",
        }
    }

    /// Whether it is about a catch, a late call, or a jump-in.
    #[must_use]
    pub const fn is_interruption(self) -> bool {
        matches!(self, Self::Window { .. } | Self::JumpIn)
    }
}

impl std::fmt::Display for DecisionKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.word())
    }
}

/// A seat and its decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Question {
    /// The seat that is asked.
    pub seat: Seat,
    /// Its kind.
    pub kind: DecisionKind,
}

/// The action to apply after a decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move {
    /// The seat that acts.
    pub seat: Seat,
    /// The action.
    pub action: Action,
    /// Whether it calls UNO with it.
    pub call: Call,
}

/// The state of the decision order between two changes of the round.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct DecisionOrder {
    stage: Stage,
    jump_in: JumpIn,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Stage {
    /// The windows of earlier holders are finished, and this many seats have been asked about the window of this one.
    Windows { holder: Seat, asked: u8 },
    /// This many seats have been skipped or have declined to jump in.
    JumpIns { asked: u8 },
    /// The seat to act decides.
    Ordinary,
    /// A seat has chosen an action that allows a call. `jumps_in` is the number of seats already asked if it acts out of turn.
    Call { seat: Seat, action: Action, jumps_in: Option<u8> },
}

/// Whether the holders of an identical card have been asked since the last play.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum JumpIn {
    Asked,
    NotAsked,
}

/// More seats than any table has.
const EVERYBODY: u8 = u8::MAX;

const BEGINNING: Stage = Stage::Windows { holder: Seat::new(0), asked: 0 };

impl Default for DecisionOrder {
    fn default() -> Self {
        Self { stage: BEGINNING, jump_in: JumpIn::Asked }
    }
}

impl DecisionOrder {
    /// The order after an action that was applied elsewhere.
    #[must_use]
    pub const fn after(action: Action) -> Self {
        let jump_in = if action.card().is_some() { JumpIn::NotAsked } else { JumpIn::Asked };
        Self { stage: BEGINNING, jump_in }
    }

    /// Whether these rules have decisions of other seats than the seat to act. If not, [`DecisionOrder::question`] is always
    /// the decision of the seat to act.
    #[must_use]
    #[inline]
    pub const fn has_interruptions(rules: &Rules) -> bool {
        rules.features().contains(Features::EXPLICIT_CALLS) || rules.features().contains(Features::JUMP_IN)
    }

    /// Whether no seat has been asked since an action of the seat to act, or a jump-in, was applied.
    #[must_use]
    pub fn is_at_beginning(&self) -> bool {
        self.stage == BEGINNING
    }

    /// The next decision; `None` when the round is over. It stays the same until it is answered.
    #[must_use]
    pub fn question(&mut self, rules: &Rules, state: &RoundState) -> Option<Question> {
        let ordinary = Question { seat: state.current_seat()?, kind: DecisionKind::of(state.phase())? };
        if !Self::has_interruptions(rules) {
            return Some(ordinary);
        }
        loop {
            match self.stage {
                Stage::Windows { holder, asked } => match open_window(rules, state, holder, asked) {
                    Some((stage, question)) => {
                        self.stage = stage;
                        return Some(question);
                    }
                    None if self.jump_in == JumpIn::NotAsked && state.phase() == Phase::Turn => {
                        *self = Self { stage: Stage::JumpIns { asked: 0 }, jump_in: JumpIn::Asked };
                    }
                    None => self.stage = Stage::Ordinary,
                },
                Stage::JumpIns { asked } => match jump_in(rules, state, ordinary.seat, asked) {
                    Some((stage, question)) => {
                        self.stage = stage;
                        return Some(question);
                    }
                    None => self.stage = Stage::Ordinary,
                },
                Stage::Ordinary => return Some(ordinary),
                Stage::Call { seat, action, .. } => {
                    return Some(Question { seat, kind: DecisionKind::Call { with: action } });
                }
            }
        }
    }

    /// Writes the options in a fixed order into a list, which is cleared first.
    ///
    /// A call is [`Action::Uno`] or [`Action::Silent`]; out of turn, `Silent` is the last option and does nothing.
    pub fn options_into(rules: &Rules, state: &RoundState, question: Question, options: &mut Vec<Action>) {
        options.clear();
        match question.kind {
            DecisionKind::Call { .. } => options.push(Action::Uno),
            DecisionKind::Window { holder } => options.push(word_for(question.seat, holder)),
            DecisionKind::JumpIn => {
                let interruptions = state.legal_interruptions(rules, question.seat);
                options.extend(interruptions.into_iter().filter(|action| action.card().is_some()));
            }
            _ => return state.legal_actions_into(rules, options),
        }
        options.push(Action::Silent);
    }

    /// Records the answer to the last decision. Returns the action to apply to the state now, if any: silence returns none,
    /// and an action that allows a call waits for the decision about the call.
    pub fn answer(&mut self, rules: &Rules, state: &RoundState, question: Question, action: Action) -> Option<Move> {
        let Question { seat, kind } = question;
        match (self.stage, kind) {
            (Stage::Call { action: with, .. }, DecisionKind::Call { .. }) => {
                let call = if action == Action::Uno { Call::Uno } else { Call::Silent };
                Some(self.act(Move { seat, action: with, call }))
            }
            (Stage::Windows { holder, asked }, DecisionKind::Window { .. }) => {
                if action == Action::Silent {
                    self.stage = Stage::Windows { holder, asked: asked + 1 };
                    return None;
                }
                // This window is closed. The seats are asked about the next holder's window first.
                self.stage = Stage::Windows { holder, asked: EVERYBODY };
                Some(Move { seat, action, call: Call::Silent })
            }
            (Stage::JumpIns { asked }, DecisionKind::JumpIn) if action == Action::Silent => {
                self.stage = Stage::JumpIns { asked: asked + 1 };
                None
            }
            (stage, _) => {
                let jumps_in = if let Stage::JumpIns { asked } = stage { Some(asked) } else { None };
                if rules.features().contains(Features::EXPLICIT_CALLS) && state.is_legal(rules, seat, action, Call::Uno)
                {
                    self.stage = Stage::Call { seat, action, jumps_in };
                    return None;
                }
                Some(self.act(Move { seat, action, call: Call::Silent }))
            }
        }
    }

    /// Asks all seats about the open windows again, from the first one, and then about jump-ins. It has no effect while a
    /// chosen action waits for its call.
    pub fn ask_windows_again(&mut self) {
        match self.stage {
            Stage::Windows { .. } | Stage::Ordinary => self.stage = BEGINNING,
            Stage::JumpIns { .. } => *self = Self { stage: BEGINNING, jump_in: JumpIn::NotAsked },
            Stage::Call { .. } => {}
        }
    }

    /// Restarts the order after this action.
    fn act(&mut self, acted: Move) -> Move {
        self.stage = BEGINNING;
        if acted.action.card().is_some() {
            self.jump_in = JumpIn::NotAsked;
        }
        acted
    }

    /// Whether the current decision is about a jump-in.
    #[must_use]
    pub(super) const fn asks_for_jump_in(&self) -> bool {
        matches!(self.stage, Stage::JumpIns { .. })
    }

    /// The order before a seat chose the action that now waits for its call, which is the view of the other seats.
    #[must_use]
    pub(super) const fn before_choice(self) -> Self {
        match self.stage {
            Stage::Call { jumps_in: Some(asked), .. } => Self { stage: Stage::JumpIns { asked }, ..self },
            Stage::Call { jumps_in: None, .. } => Self { stage: Stage::Ordinary, ..self },
            _ => self,
        }
    }
}

/// The next seat that can use a window, starting with the window of `first` after this many seats.
fn open_window(rules: &Rules, state: &RoundState, first: Seat, asked: u8) -> Option<(Stage, Question)> {
    for holder in state.uncalled().iter().filter(|&holder| holder >= first) {
        let passed_over = if holder == first { asked } else { 0 };
        // First the others, in order of play from the seat after the holder; then the holder.
        let seats = state.others(holder).chain([holder]);
        for (place, seat) in (0..).zip(seats).skip(usize::from(passed_over)) {
            if state.is_legal(rules, seat, word_for(seat, holder), Call::Silent) {
                let question = Question { seat, kind: DecisionKind::Window { holder } };
                return Some((Stage::Windows { holder, asked: place }, question));
            }
        }
    }
    None
}

/// The next seat that can jump in, after this many of them.
fn jump_in(rules: &Rules, state: &RoundState, next: Seat, asked: u8) -> Option<(Stage, Question)> {
    (0..)
        .zip(state.others(next))
        .skip(usize::from(asked))
        .find(|&(_, seat)| {
            let interruptions = state.legal_interruptions(rules, seat);
            interruptions.iter().any(|action| action.card().is_some())
        })
        .map(|(place, seat)| (Stage::JumpIns { asked: place }, Question { seat, kind: DecisionKind::JumpIn }))
}

/// The action of a seat in the window of a holder.
fn word_for(seat: Seat, holder: Seat) -> Action {
    if seat == holder { Action::Uno } else { Action::Catch(holder) }
}
