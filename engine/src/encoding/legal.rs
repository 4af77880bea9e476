//! Legal actions as a mask and as packed ids.

use super::{ActionTable, Encoding};
use crate::action::Action;
use crate::card::CardSet;
use crate::observation::{Decision, Observation};

/// Whether a seat is offered to draw, and to keep the card it drew, where it could play. What is not offered is legal
/// all the same: a uniform choice that draws whenever it may takes a thousand decisions to end a classic round.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum VoluntaryDraw {
    /// Whatever is legal is offered.
    Offered,
    /// Drawing and keeping are offered only where nothing can be played.
    Hidden,
}

/// The outputs for the legal actions: both must be as long as the table of actions.
struct Offers<'a> {
    mask: &'a mut [u8],
    ids: &'a mut [i16],
    len: usize,
}

impl Offers<'_> {
    #[inline(always)]
    fn push(&mut self, id: i16) {
        if let (Ok(index), Some(place)) = (usize::try_from(id), self.ids.get_mut(self.len)) {
            if let Some(mask) = self.mask.get_mut(index) {
                *mask = 1;
            }
            *place = id;
            self.len += 1;
        }
    }
}

impl Encoding {
    /// Writes which actions the seat is offered in its ordinary decision: 1 in the mask for each, and their ids packed to
    /// the front, with -1 behind them. Gives how many there are; none if the decision is another seat's.
    ///
    /// # Panics
    /// If a slice is not as long as [`Encoding::num_actions`].
    #[inline(always)]
    pub fn write_legal(
        &self,
        observation: &Observation<'_>,
        draw: VoluntaryDraw,
        mask: &mut [u8],
        ids: &mut [i16],
    ) -> usize {
        let mut offers = self.no_offers(mask, ids);
        let plays = match observation.decision() {
            _ if observation.current_seat() != Some(observation.seat()) => return 0,
            Decision::Turn => Some(observation.playable()),
            Decision::Drawn(Some(card)) if draw == VoluntaryDraw::Hidden => Some(CardSet::of(card)),
            _ => None,
        };
        let table = &self.actions;
        match plays {
            Some(CardSet::EMPTY) if observation.may_draw() => offers.push(table.draw),
            Some(cards) if cards.any() => {
                let names_color = if observation.hand().is_single() { CardSet::EMPTY } else { table.names_color };
                table.push_plays(cards, names_color, &mut offers);
                if draw == VoluntaryDraw::Offered && observation.may_draw() {
                    offers.push(table.draw);
                } else if draw == VoluntaryDraw::Offered && !observation.can_draw() {
                    table.push_pass(observation, &mut offers);
                }
            }
            _ => table.push_all(&observation.legal_actions(), &mut offers),
        }
        offers.len
    }

    /// Is this among what [`Encoding::write_legal`] offers the seat?
    #[must_use]
    #[inline(always)]
    pub fn offers(&self, observation: &Observation<'_>, draw: VoluntaryDraw, action: Action) -> bool {
        let is_voluntary = matches!(action, Action::Draw | Action::Keep | Action::Pass);
        observation.may(action)
            && !(is_voluntary
                && draw == VoluntaryDraw::Hidden
                && match observation.decision() {
                    Decision::Turn => observation.playable().any(),
                    Decision::Drawn(_) => true,
                    _ => false,
                })
    }

    /// [`Encoding::write_legal`] where the offers are known: those of a call or an interruption.
    ///
    /// # Panics
    /// As it does.
    pub fn write_offered(&self, actions: &[Action], mask: &mut [u8], ids: &mut [i16]) -> usize {
        let mut offers = self.no_offers(mask, ids);
        self.actions.push_all(actions, &mut offers);
        offers.len
    }

    #[inline(always)]
    fn no_offers<'o>(&self, mask: &'o mut [u8], ids: &'o mut [i16]) -> Offers<'o> {
        assert!(mask.len() == self.num_actions() && ids.len() == self.num_actions(), "one place an action");
        mask.fill(0);
        ids.fill(-1);
        Offers { mask, ids, len: 0 }
    }
}

impl ActionTable {
    #[inline(always)]
    fn push_plays(&self, cards: CardSet, names_color: CardSet, offers: &mut Offers<'_>) {
        for card in cards {
            let play = self.plays[card.index()];
            if names_color.contains(card) {
                (1..=4).for_each(|color| offers.push(play + color));
            } else {
                offers.push(play);
            }
        }
    }

    /// With nothing left to draw one may pass rather than bluff.
    #[cold]
    fn push_pass(&self, observation: &Observation<'_>, offers: &mut Offers<'_>) {
        if observation.honestly_playable().is_empty() {
            self.push_all(&[Action::Pass], offers);
        }
    }

    #[cold]
    fn push_all(&self, actions: &[Action], offers: &mut Offers<'_>) {
        for id in actions.iter().filter_map(|&action| self.id(action)) {
            offers.push(i16::try_from(id).expect("494 actions at most"));
        }
    }
}
