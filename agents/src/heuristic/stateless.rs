//! Answers without memory for many seats in turn: for [`greedy`](crate::greedy), compiled for an instruction set.

use unolab_engine::action::Action;
use unolab_engine::card::CardSet;
use unolab_engine::color::Color;
use unolab_engine::cpu::{Isa, Kernel};
use unolab_engine::observation::{Decision, Observation, UndiscardedCards};
use unolab_engine::rules::{Challengers, Features, Teams};
use unolab_engine::seat::Seat;
use unolab_engine::state::DrawFour;

use super::{Choice, View};

/// The answer of [`choose`](super::choose) to a draw four that cannot be answered by a card; `None` if it can. Inlined into
/// code for an instruction set, like the following ones.
///
/// The counts are reused for the seats that answer the same draw four.
#[inline(always)]
pub(crate) fn answer_draw_four_on<M: Isa>(
    observation: &Observation<'_>,
    &DrawFour { by, color_before, sum, .. }: &DrawFour,
    counted: &mut Option<DrawFourCounts>,
) -> Option<Action> {
    if observation.rules().features().contains(Features::STACKING) {
        return None;
    }
    let view = View::<M>::of(Choice::stateless(observation));
    let counted = match counted {
        Some(counted) => counted,
        None => counted.insert(DrawFourCounts::count(&view, by, color_before)),
    };
    Some(view.answer_by_counts(by, sum, counted))
}

/// The answer of [`choose`](super::choose) to the Villain's call for protection.
#[inline(always)]
pub(crate) fn protect_on<M: Isa>(observation: &Observation<'_>, color: Color) -> Action {
    View::<M>::of(Choice::stateless(observation)).choose_protection(color)
}

/// The answer of [`choose`](super::choose) on a lap.
#[inline(always)]
pub(crate) fn choose_lap_on<M: Isa>(observation: &Observation<'_>, passes: u8) -> Action {
    View::<M>::of(Choice::stateless(observation)).choose_lap(passes)
}

/// The answer of [`choose`](super::choose) to the button, if it names the player who draws or the discarded card; `None` at
/// other decisions.
pub(crate) struct AnswerToButton<'a>(pub(crate) &'a Observation<'a>);

impl Kernel for AnswerToButton<'_> {
    type Output = Option<Action>;
    #[inline(always)]
    fn run<M: Isa>(self) -> Option<Action> {
        let view = View::<M>::of(Choice::stateless(self.0));
        match self.0.decision() {
            Decision::Target => Some(view.choose_target()),
            Decision::Discard(color) => Some(view.choose_discard(color)),
            _ => None,
        }
    }
}

/// The cards outside the discard pile that all possible challengers of a draw four can count.
#[derive(Debug, Clone, Copy)]
pub struct DrawFourCounts {
    pub(super) of_color: CardSet,
    pub(super) cards: u32,
    pub(super) cards_of_color: u32,
    /// A number of cards that every player prefers to draw rather than challenge: see [`View::all_accept`].
    pub(super) all_accept: f32,
    /// Whether every player is certain to accept, which is decided without reading any hand.
    pub(crate) is_unchallenged: bool,
}

impl DrawFourCounts {
    #[inline(always)]
    fn count<M: Isa>(view: &View<'_, M>, by: Seat, color: Color) -> Self {
        let of_color = view.rules.of_color(color);
        let parameters = view.rules.parameters();
        // With partners, seats differ in their number of opponents.
        if parameters.challengers != Challengers::AnyOther || parameters.teams != Teams::None {
            let cards = view.observation.not_discarded();
            return Self::of(of_color, cards.len(), cards.len_of(of_color));
        }
        let UndiscardedCards { cards, cards_of_kinds, most_of_a_seat } = view.observation.count_not_discarded(of_color);
        let counted = Self::of(of_color, cards, cards_of_kinds);
        let all_accept = view.all_accept(by, &counted, most_of_a_seat);
        let is_unchallenged = view.is_accepted_by_all(all_accept);
        Self { all_accept, is_unchallenged, ..counted }
    }

    /// The counts, with a bound at which no challenge is excluded.
    #[inline(always)]
    const fn of(of_color: CardSet, cards: u32, cards_of_color: u32) -> Self {
        Self { of_color, cards, cards_of_color, all_accept: f32::NEG_INFINITY, is_unchallenged: false }
    }
}
