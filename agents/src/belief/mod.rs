//! [`Belief`]: the cards that others are likely to hold, given their actions.
//!
//! A belief stores the history of each hand: when each card arrived and left, what was known about it, and the owner's
//! choices with their top cards. A world is a deal of the unseen cards with a full history of arrivals. Its probability is
//! the probability of the deal times the likelihood of each choice of the others with their hand at that time, under a
//! `model` of players. [`BeliefSampler`] draws worlds with this probability. Certain cards are in every world.

mod hand_history;
mod model;
pub mod published;
mod sampler;

pub use sampler::BeliefSampler;

use unolab_engine::action::Action;
use unolab_engine::card::Card;
use unolab_engine::card::CardSet;
use unolab_engine::event::{Event, Source, VisibleEvent};
use unolab_engine::observation::{Decision, Observation};
use unolab_engine::rng::Rng;
use unolab_engine::seat::{MAX_SEATS, Ring, Seat};

use hand_history::{Arrival, Departure, HandHistory};
use model::{Choice, ChosenAction, Model};

/// A seat has drawn instead of playing, and has not yet decided whether to play the drawn card.
#[derive(Debug, Clone, Copy)]
struct PendingDraw {
    seat: Seat,
    could_follow: CardSet,
    cards: usize,
}

/// A seat's belief about the hands of others, updated by the events of a round. The default is the belief before any event.
#[derive(Debug, Clone, Default)]
pub struct Belief {
    stories: [HandHistory; MAX_SEATS],
    drawing: Option<PendingDraw>,
}

impl Belief {
    /// Starts a round, in which every hand was dealt uniformly at random.
    pub fn begin_round(&mut self, observation: &Observation<'_>) {
        self.drawing = None;
        self.stories = Default::default();
        self.synchronize(observation);
    }

    /// Settles a pending draw: the seat has not played the drawn card.
    pub fn settle(&mut self, observation: &Observation<'_>) {
        self.settle_drawing();
        self.synchronize(observation);
    }

    /// Updates the belief by an event.
    pub fn observe(&mut self, seen: VisibleEvent, observation: &Observation<'_>) {
        match seen {
            VisibleEvent::Open(Event::Acted { seat, action, .. }) => self.note_action(seat, action, observation),
            VisibleEvent::Open(Event::Discarded { seat, card, from }) if seat != observation.seat() => {
                self.take_out(seat, card, from);
            }
            VisibleEvent::HiddenDraw { seat } => {
                let story = &mut self.stories[seat.index()];
                story.arrivals.push(Arrival::before(story.choices.len()));
                if let Some(drawing) = &mut self.drawing
                    && drawing.seat == seat
                {
                    drawing.cards += 1;
                }
            }
            // It is unknown which card a hand has lost, so both histories are reset.
            VisibleEvent::HiddenMove { from, to } | VisibleEvent::Open(Event::Moved { from, to, .. }) => {
                self.settle_drawing();
                for seat in [from, to] {
                    self.stories[seat.index()] = HandHistory::default();
                }
            }
            VisibleEvent::Open(Event::Swapped(a, b)) => {
                self.settle_drawing();
                self.stories.swap(a.index(), b.index());
            }
            VisibleEvent::Open(Event::Rotated { direction, .. }) => {
                self.settle_drawing();
                let mut before = std::mem::take(&mut self.stories);
                let ring = Ring::of(observation.seats());
                for seat in observation.seats().iter() {
                    self.stories[ring.after(seat, direction).index()] = std::mem::take(&mut before[seat.index()]);
                }
            }
            VisibleEvent::HiddenRedeal { .. } | VisibleEvent::Open(Event::Redealt { .. }) => {
                self.settle_drawing();
                self.stories = Default::default();
            }
            VisibleEvent::Open(_) => {}
        }
    }

    /// Samples worlds that agree with the observation, by this belief.
    #[must_use]
    pub fn deals<'a>(&'a self, observation: &'a Observation<'a>, rng: &mut Rng) -> BeliefSampler<'a> {
        BeliefSampler::new(&self.stories, Model { rules: observation.rules() }, observation, rng)
    }

    /// Must be called before the consequences of the action.
    fn note_action(&mut self, seat: Seat, action: Action, observation: &Observation<'_>) {
        let decision = observation.decision();
        let goes_on =
            self.drawing.is_some_and(|drawing| drawing.seat == seat && matches!(decision, Decision::Drawn(_)));
        if !goes_on {
            self.settle_drawing();
        }
        if seat == observation.seat() || observation.current_seat() != Some(seat) {
            return;
        }
        let chosen = match (decision, action) {
            (Decision::Turn, Action::Draw) => {
                self.drawing = Some(PendingDraw { seat, could_follow: observation.playable_if_drawn(), cards: 0 });
                ChosenAction::Draw
            }
            (Decision::Turn, Action::Play(card)) => ChosenAction::Play(card, None),
            (Decision::Turn, Action::PlayNaming(card, color)) => ChosenAction::Play(card, Some(color)),
            (Decision::Drawn(_), Action::Keep) => return self.note_keep(seat, observation),
            (_, Action::PlayNaming(_, color) | Action::NameColor(color)) => ChosenAction::Color(color),
            _ => return,
        };
        self.stories[seat.index()].choices.push(Choice::of(observation, seat, chosen));
    }

    /// Records that the seat kept a drawn card that could have been played.
    fn note_keep(&mut self, seat: Seat, observation: &Observation<'_>) {
        self.drawing = None;
        if let Some(drawn) = self.stories[seat.index()].arrivals.last_mut() {
            drawn.never = observation.rules().every_kind() - observation.can_follow();
            drawn.hardly = observation.can_follow() & observation.rules().colored();
        }
    }

    /// Records that the drawn cards could not be played.
    fn settle_drawing(&mut self) {
        let Some(PendingDraw { seat, could_follow, cards }) = self.drawing.take() else { return };
        let arrivals = &mut self.stories[seat.index()].arrivals;
        let first = arrivals.len().saturating_sub(cards);
        arrivals[first..].iter_mut().for_each(|drawn| drawn.never = could_follow);
    }

    fn take_out(&mut self, seat: Seat, card: Card, from: Source) {
        let story = &mut self.stories[seat.index()];
        match from {
            Source::JustDrawn => {
                story.arrivals.pop();
                // If the rules let a player draw until a card is playable, the cards before it were not playable.
                if let Some(drawing) = &mut self.drawing {
                    drawing.cards = drawing.cards.saturating_sub(1);
                }
                self.settle_drawing();
            }
            Source::Hand => story.departures.push(Departure { card, at: story.choices.len() }),
        }
    }

    /// Begins a new history for each hand whose arrivals or departures are unknown, or whose history is too long.
    fn synchronize(&mut self, observation: &Observation<'_>) {
        for seat in observation.others() {
            let story = &mut self.stories[seat.index()];
            let hand_len = observation.hand_len(seat);
            if story.arrivals.len() != story.departures.len() + hand_len as usize || story.is_too_long() {
                *story = HandHistory::begin(hand_len);
            }
        }
    }
}
