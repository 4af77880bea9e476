//! Legal actions as a mask and as packed ids.

use super::actions::ActionTable;
use super::encoder::Encoding;
use crate::action::{Action, ActionId};
use crate::card::CardSet;
use crate::observation::{Decision, Observation};

/// Whether a seat that can play is also offered to draw, or to keep the card it drew. Hidden actions remain legal. With them,
/// a classic round with uniformly random choices takes about a thousand decisions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum VoluntaryDraw {
    /// Every legal action is offered.
    Offered,
    /// Drawing and keeping are offered only if no card can be played.
    Hidden,
}

/// The ids that a seat is offered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LegalActionIds {
    words: [u64; ActionId::COUNT.div_ceil(64)],
    len: usize,
}

impl LegalActionIds {
    /// How many there are.
    #[must_use]
    #[inline]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether nothing is offered, because another seat decides.
    #[must_use]
    #[inline]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Whether this is one of them.
    #[must_use]
    #[inline]
    pub fn contains(&self, id: usize) -> bool {
        self.words.get(id / 64).is_some_and(|word| word >> (id % 64) & 1 == 1)
    }
}

/// The output slices for the legal actions. Both have the length of the table of actions; the mask may be empty instead.
struct LegalActionRows<'a> {
    mask: &'a mut [u8],
    ids: &'a mut [i16],
    offered: LegalActionIds,
}

impl LegalActionRows<'_> {
    #[inline(always)]
    fn push(&mut self, id: i16) {
        let (at, LegalActionIds { words, len }) = (usize::from(id.cast_unsigned()), &mut self.offered);
        if let (Some(word), Some(place)) = (words.get_mut(at / 64), self.ids.get_mut(*len)) {
            *word |= 1 << (at % 64);
            *place = id;
            *len += 1;
        }
        if let Some(mask) = self.mask.get_mut(at) {
            *mask = 1;
        }
    }
}

impl Encoding {
    /// Writes which actions the seat is offered in its ordinary decision: 1 in the mask for each, and their ids packed to the
    /// front, with -1 behind them. Returns the ids as a set, which is empty if another seat decides.
    ///
    /// # Panics
    /// If a slice is not as long as [`Encoding::num_actions`]. An empty mask is not written.
    pub fn write_legal(
        &self,
        observation: &Observation<'_>,
        draw: VoluntaryDraw,
        mask: &mut [u8],
        ids: &mut [i16],
    ) -> LegalActionIds {
        mask.fill(0);
        ids.fill(-1);
        self.write_cleared_legal(observation, draw, mask, ids)
    }

    /// [`Encoding::write_legal`] for a mask of zeros and ids that are all -1.
    ///
    /// # Panics
    /// As [`Encoding::write_legal`]; in debug builds also if the slices have other contents.
    #[inline(always)]
    pub fn write_cleared_legal(
        &self,
        observation: &Observation<'_>,
        draw: VoluntaryDraw,
        mask: &mut [u8],
        ids: &mut [i16],
    ) -> LegalActionIds {
        let plays = match observation.decision() {
            _ if observation.current_seat() != Some(observation.seat()) => return self.write_offered(&[], mask, ids),
            Decision::Turn => Some(observation.playable()),
            Decision::Drawn(Some(card)) if draw == VoluntaryDraw::Hidden => Some(CardSet::of(card)),
            _ => None,
        };
        let table = &self.actions;
        match plays {
            Some(CardSet::EMPTY) if observation.may_draw() => {
                let mut offers = self.empty_rows(mask, ids);
                offers.push(table.draw);
                offers.offered
            }
            // If no card is left to draw, passing may be legal.
            Some(cards) if cards.any() && (draw == VoluntaryDraw::Hidden || observation.can_draw()) => {
                let mut offers = self.empty_rows(mask, ids);
                let names_color = if observation.hand().is_single() { CardSet::EMPTY } else { table.names_color };
                table.push_plays(cards, names_color, &mut offers);
                if draw == VoluntaryDraw::Offered && observation.may_draw() {
                    offers.push(table.draw);
                }
                offers.offered
            }
            _ => self.write_offered(&observation.legal_actions(), mask, ids),
        }
    }

    /// Whether [`Encoding::write_legal`] offers this to the seat.
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

    /// [`Encoding::write_legal`] with given actions, as for a call or an interruption.
    ///
    /// # Panics
    /// As [`Encoding::write_legal`].
    #[cold]
    pub fn write_offered(&self, actions: &[Action], mask: &mut [u8], ids: &mut [i16]) -> LegalActionIds {
        mask.fill(0);
        ids.fill(-1);
        let mut offers = self.empty_rows(mask, ids);
        self.actions.push_all(actions, &mut offers);
        offers.offered
    }

    #[inline(always)]
    fn empty_rows<'o>(&self, mask: &'o mut [u8], ids: &'o mut [i16]) -> LegalActionRows<'o> {
        let is_whole = ids.len() == self.num_actions() && (mask.is_empty() || mask.len() == ids.len());
        assert!(is_whole, "one place an action");
        debug_assert!(mask.iter().all(|&byte| byte == 0) && ids.iter().all(|&id| id == -1), "nothing is written yet");
        LegalActionRows { mask, ids, offered: LegalActionIds::default() }
    }
}

impl ActionTable {
    #[inline(always)]
    fn push_plays(&self, cards: CardSet, names_color: CardSet, offers: &mut LegalActionRows<'_>) {
        for card in cards {
            let play = self.plays[card.index()];
            if names_color.contains(card) {
                (1..=4).for_each(|color| offers.push(play + color));
            } else {
                offers.push(play);
            }
        }
    }

    fn push_all(&self, actions: &[Action], offers: &mut LegalActionRows<'_>) {
        for id in actions.iter().filter_map(|&action| self.id(action)) {
            offers.push(i16::try_from(id).expect("498 actions at most"));
        }
    }
}
