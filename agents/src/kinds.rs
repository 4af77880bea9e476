//! [`KindTable`]: what agents look up by kind of card.

use unolab_engine::card::{Card, CardSet, Face, MAX_KINDS};
use unolab_engine::color::Color;
use unolab_engine::observation::Observation;
use unolab_engine::rules::{CustomCard, CustomMatch, Design, Effect, Kind, Rules, Skip, Special, TwoPlayerReverse};
use unolab_engine::seat::Seat;

/// The groups in which the published bots rank cards. Kinds that they do not name are sorted in: a Villain Draw 4 is a
/// draw four, a Cheese Touch a draw two, every other wild a wild, and a coloured custom card a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Group {
    /// Number cards.
    Number,
    /// Skips.
    Skip,
    /// Reverses.
    Reverse,
    /// Draw Twos.
    DrawTwo,
    /// Draw fours of both sorts.
    DrawFour,
    /// Wilds that make nobody draw.
    Wild,
}

impl Group {
    /// The group of a kind.
    #[must_use]
    pub const fn of(kind: &Kind) -> Self {
        match &kind.design {
            Design::Ordinary(_, Face::Number(_)) => Self::Number,
            Design::Ordinary(_, Face::Skip) => Self::Skip,
            Design::Ordinary(_, Face::Reverse) => Self::Reverse,
            Design::Ordinary(_, Face::DrawTwo) | Design::Special(Special::CheeseTouch) => Self::DrawTwo,
            Design::Special(Special::WildDrawFour | Special::VillainDrawFour) => Self::DrawFour,
            Design::Custom(card) if card.color.color().is_some() => Self::Number,
            Design::Special(_) | Design::Custom(_) => Self::Wild,
        }
    }
}

/// Sets of kinds of one variant, made once a game.
#[derive(Debug, Clone)]
pub struct KindTable {
    groups: [CardSet; 6],
    /// Which entry of `same_face` is that of the kind.
    face_of: [u8; MAX_KINDS],
    /// The kinds that show each face; none for kinds without one.
    same_face: [CardSet; Face::ALL.len() + 1],
    follow_anything: CardSet,
    /// Skip, Draw Two and Wild Draw Four: the next player loses the turn.
    skip_next: CardSet,
    custom: CardSet,
}

impl KindTable {
    /// The table of these rules.
    #[must_use]
    pub fn of(rules: &Rules) -> Self {
        let mut table = Self {
            groups: [CardSet::EMPTY; 6],
            face_of: [0; MAX_KINDS],
            same_face: [CardSet::EMPTY; Face::ALL.len() + 1],
            follow_anything: CardSet::EMPTY,
            skip_next: CardSet::EMPTY,
            custom: CardSet::EMPTY,
        };
        for (card, kind) in rules.cards().zip(rules.kinds()) {
            let just_this = CardSet::of(card);
            table.groups[Group::of(kind) as usize] |= just_this;
            let face = face_index(kind);
            table.face_of[card.index()] = face;
            if face != NO_FACE {
                table.same_face[usize::from(face)] |= just_this;
            }
            if follows_anything(kind) {
                table.follow_anything |= just_this;
            }
            match kind.design {
                Design::Ordinary(_, Face::Skip | Face::DrawTwo) | Design::Special(Special::WildDrawFour) => {
                    table.skip_next |= just_this;
                }
                Design::Custom(_) => table.custom |= just_this,
                _ => {}
            }
        }
        table
    }

    /// The kinds of a group.
    #[must_use]
    #[inline]
    pub const fn group(&self, group: Group) -> CardSet {
        self.groups[group as usize]
    }

    /// What can be played on this card with this colour in force, draw fours among it.
    #[must_use]
    #[inline]
    pub fn followers(&self, rules: &Rules, card: Card, color: Option<Color>) -> CardSet {
        let of_color = color.map_or(CardSet::EMPTY, |color| rules.of_color(color));
        let same_face = self.same_face[usize::from(self.face_of[card.index()])];
        self.follow_anything | of_color | same_face | CardSet::of(card)
    }

    /// Whose turn comes after one's own play of this card in the ordinary course: nobody answers or challenges a draw
    /// card, and the button does not match.
    #[must_use]
    pub fn next_to_act(&self, observation: &Observation<'_>, card: Card) -> Seat {
        let next = observation.next_seat(observation.seat());
        if self.skip_next.contains(card) {
            observation.next_seat(next)
        } else if self.group(Group::Reverse).contains(card) {
            after_reverse(observation)
        } else if self.custom.contains(card) {
            after_custom_card(observation, card)
        } else {
            next
        }
    }
}

fn after_reverse(observation: &Observation<'_>) -> Seat {
    let works_as_skip = observation.rules().parameters().two_player_reverse == TwoPlayerReverse::Skip;
    if observation.is_two_seats() && works_as_skip {
        observation.seat()
    } else {
        observation.others().last().expect("another seat")
    }
}

fn after_custom_card(observation: &Observation<'_>, card: Card) -> Seat {
    let next = observation.next_seat(observation.seat());
    let Design::Custom(CustomCard { effects, .. }) = &observation.rules().kind(card).design else { return next };
    if effects.contains(&Effect::Reverse) {
        return after_reverse(observation);
    }
    effects.iter().fold(next, |seat, effect| match effect {
        Effect::Skip(Skip::Next(count)) => (0..*count).fold(seat, |seat, _| observation.next_seat(seat)),
        Effect::Skip(Skip::All(_)) => observation.seat(),
        _ => seat,
    })
}

const NO_FACE: u8 = 13;

const fn face_index(kind: &Kind) -> u8 {
    match kind.face() {
        Some(Face::Number(number)) => number,
        Some(Face::Skip) => 10,
        Some(Face::Reverse) => 11,
        Some(Face::DrawTwo) => 12,
        None => NO_FACE,
    }
}

/// Wilds can be played on any card, but for a wild custom card that needs a face to match; some custom cards can too.
const fn follows_anything(kind: &Kind) -> bool {
    match &kind.design {
        Design::Custom(CustomCard { matches: CustomMatch::Any, .. }) => true,
        Design::Custom(CustomCard { matches: CustomMatch::Face(_), .. }) => false,
        _ => kind.color.is_none(),
    }
}
