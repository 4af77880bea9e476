//! Compiles cards from data into tables by kind, for fast look-up.

use std::collections::BTreeSet;

use super::card_def::{self, CardDef, CardKind, CustomCard, CustomColor, CustomStart, Special};
use super::effect::{self, Amount, Step, SwapRequirement, Who};
use super::parameters::{
    CheeseLastCard, CutValues, DrawFourLegality, DrawPermission, DrawTwoTarget, DrawnCard, Enforcement, Parameters,
    Stacking, StartWild, TinkerResume, TwoPlayerReverse, UnoCalls, UnoWindow, VillainLastCard,
};
use super::playable_on::{PlayableOn, ROWS};
use super::value::{DrawCount, HandLimit};
use crate::card::{Card, CardSet, Face, MAX_KINDS};
use crate::cards::Cards;
use crate::color::Color;
use crate::seat::{DirectionChange, RingSeats, TurnChange};

/// The features of a variant beyond the plain game. A batch of games is played by code that is compiled without absent
/// features; see [`super::FeatureSet`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Features(u32);

impl Features {
    /// Nothing: numbers, Skips, Reverses, Draw Twos and Wilds.
    pub const NONE: Self = Self(0);
    /// Draw fours can be challenged.
    pub const CHALLENGES: Self = Self(1);
    /// Draw fours can be illegal.
    pub const HONEST_DRAW_FOURS_ONLY: Self = Self(1 << 1);
    /// Drawing is not always allowed.
    pub const LIMITED_DRAWING: Self = Self(1 << 2);
    /// A playable drawn card must be played.
    pub const DRAWN_MUST_BE_PLAYED: Self = Self(1 << 3);
    /// A player draws until a card can be played.
    pub const DRAWS_UNTIL_PLAYABLE: Self = Self(1 << 4);
    /// Cards with effects that do not fit into one row of a table.
    pub const STEPS: Self = Self(1 << 5);
    /// Calling UNO is a decision.
    pub const EXPLICIT_CALLS: Self = Self(1 << 6);
    /// Draw cards can be answered.
    pub const STACKING: Self = Self(1 << 7);
    /// Cards can be played out of turn.
    pub const JUMP_IN: Self = Self(1 << 8);
    /// Victims miss their next turn.
    pub const MISSED_TURNS: Self = Self(1 << 9);
    /// A player who does not play draws a random number of cards.
    pub const RANDOM_DRAWS: Self = Self(1 << 10);
    /// A player with too many cards is out of the round.
    pub const HAND_LIMIT: Self = Self(1 << 11);
    /// Cards that a player draws may close a window or put the player out of the round.
    pub const DRAW_CONSEQUENCES: Self = Self(1 << 12);
    /// All features.
    pub const ALL: Self = Self((1 << 13) - 1);

    /// Whether these contain all of `other`.
    #[must_use]
    #[inline]
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// The union.
    #[must_use]
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// The next player draws `draws` cards, `skips` players lose the turn, and the direction is reversed or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Row {
    pub(crate) draws: u8,
    pub(crate) skips: u8,
    pub(crate) turn: DirectionChange,
}

/// The effect of playing a card.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(align(4))] // looked up every turn: an index is computed with a shift
pub(crate) enum Play {
    /// One row.
    Row(Row),
    /// A Wild Draw Four.
    DrawFour,
    /// A Villain Draw 4.
    VillainDrawFour,
    /// A draw card that may be answered.
    StackDraw(Row),
    /// A list of steps.
    Steps,
}

/// [`Tables::plain_changes`] has a part for each.
const _: () = assert!(RingSeats::Other as usize == 0 && RingSeats::Two as usize == MAX_KINDS);

/// The probabilities of the button's colors, as 32-bit thresholds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ButtonOdds {
    /// Random bits below `upto[i]` and not below `upto[i - 1]` give color `i`.
    upto: [u64; 4],
}

impl ButtonOdds {
    fn of(weights: [f64; 4]) -> Self {
        let mut sum = 0.0;
        let mut upto = weights.map(|weight| {
            sum += weight;
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of 2^32")]
            let threshold = (sum * 4_294_967_296.0).round() as u64;
            threshold.min(1 << 32) // the sum may slightly exceed 1
        });
        // The last possible color gets the remainder from rounding.
        let last = (0..4).rev().find(|&i| weights[i] > 0.0).unwrap_or(3);
        upto[last..].fill(1 << 32);
        Self { upto }
    }

    /// The smallest bits of the second, third, and fourth color.
    pub(crate) const fn starts(&self) -> [u64; 3] {
        let [first, second, third, _] = self.upto;
        [first, second, third]
    }

    /// The color for 32 random bits.
    #[must_use]
    pub fn color_at(&self, bits: u32) -> Color {
        Color::from_index(self.upto.iter().take(3).filter(|&&end| u64::from(bits) >= end).count())
    }

    /// Whether this color is possible.
    #[must_use]
    pub fn can_light(&self, color: Color) -> bool {
        self.bits_of(color) > 0
    }

    /// The probability of this color, from 0 to 1.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "at most 2^32")]
    pub fn probability(&self, color: Color) -> f64 {
        self.bits_of(color) as f64 / 4_294_967_296.0
    }

    /// The number of bit patterns, of 2^32, that give this color.
    fn bits_of(&self, color: Color) -> u64 {
        let below = color.index().checked_sub(1).map_or(0, |i| self.upto[i]);
        self.upto[color.index()] - below
    }
}

/// The tables that a round looks up by kind.
#[derive(Debug, Clone)]
pub(crate) struct Tables {
    /// All cards of the variant.
    pub(crate) deck: Cards,
    /// The deck as a list.
    pub(crate) deck_list: Vec<Card>,
    /// By kind of the top card, or [`COLOR_ONLY`](super::COLOR_ONLY): the cards that can be played on it.
    pub(crate) playable_on: Box<[PlayableOn; ROWS]>,
    /// Kinds of each color.
    pub(crate) of_color: [CardSet; 4],
    /// Kinds of any color.
    pub(crate) colored: CardSet,
    /// Ordinary cards by face, in the order of [`Face::ALL`].
    pub(crate) of_face: [CardSet; Face::ALL.len()],
    /// In the order of [`Special::ALL`].
    pub(crate) of_special: [CardSet; Special::ALL.len()],
    /// Custom cards.
    pub(crate) custom: CardSet,
    /// Wild Draw Four and Villain Draw 4.
    pub(crate) draw_fours: CardSet,
    /// Kinds whose player names a color with the play.
    pub(crate) names_color: CardSet,
    /// Kinds whose effect may change their player's own hand.
    pub(crate) changes_own_hand: CardSet,
    /// Kinds that stay when they are turned up as the start card.
    pub(crate) can_start: CardSet,
    /// Start cards without effect.
    pub(crate) starts_plainly: CardSet,
    /// Command cards: everything but numbers.
    pub(crate) commands: CardSet,
    /// By kind: the cards that can answer it, with stacking.
    pub(crate) stack_answers: [CardSet; MAX_KINDS],
    /// The color of each kind.
    pub(crate) color_of: [Option<Color>; MAX_KINDS],
    /// The color in force after each kind; `None` if it depends on the player or on the color before.
    pub(crate) sets_color: [Option<Color>; MAX_KINDS],
    /// The color in force after each kind, by the color that its player names, if any; `None` if the color does not change.
    pub(crate) color_naming: [[Option<Color>; 4]; MAX_KINDS],
    pub(crate) plays: [Play; MAX_KINDS],
    /// See [`Rules::plain_cards`](super::Rules::plain_cards).
    pub(crate) plain: CardSet,
    /// By kind and [`RingSeats`]: which seat has the next turn after a plain card.
    pub(crate) plain_changes: [TurnChange; 2 * MAX_KINDS],
    /// The range of each kind's steps in `steps`.
    pub(crate) steps_of: [(u16, u16); MAX_KINDS],
    pub(crate) steps: Vec<Step>,
    /// The number of cards that the next player draws if it is a last card, if that is its only effect then.
    pub(crate) last_card_draws: [u8; MAX_KINDS],
    pub(crate) points: [u16; MAX_KINDS],
    /// The value of each kind in the cut for the first dealer.
    pub(crate) cut_values: [u16; MAX_KINDS],
    /// For each bit of the points: the kinds whose points have this bit.
    pub(crate) point_bits: Vec<u64>,
    /// Kinds are ranked by their points; kinds with equal points have the same rank. For each bit of a rank, highest first:
    /// the kinds whose rank has this bit.
    pub(crate) rank_bits: [CardSet; USUAL_RANK_BITS],
    /// The higher bits, if there are more ranks.
    pub(crate) high_rank_bits: Vec<CardSet>,
    /// With two seats a Reverse works as a Skip.
    pub(crate) reverse_skips_two: bool,
    pub(crate) button: ButtonOdds,
    pub(crate) features: Features,
}

impl Tables {
    pub(crate) fn compile(parameters: &Parameters, kinds: &[CardDef]) -> Self {
        let set_of = |is_wanted: &dyn Fn(&CardDef) -> bool| card_def::set_of(kinds, is_wanted);
        let of_color = Color::ALL.map(|color| set_of(&|def| def.color == Some(color)));
        let mut rank_bits = rank_bits(kinds);
        rank_bits.reverse();
        let usual_rank_bits = rank_bits.split_off(rank_bits.len() - USUAL_RANK_BITS);

        let mut tables = Self {
            deck: Cards::EMPTY,
            deck_list: Vec::new(),
            playable_on: PlayableOn::compile(parameters, kinds),
            of_color,
            colored: of_color.into_iter().fold(CardSet::EMPTY, |all, color| all | color),
            of_face: Face::ALL
                .map(|face| set_of(&|def| matches!(def.kind, CardKind::Ordinary(_, of_kind) if of_kind == face))),
            of_special: Special::ALL.map(|special| set_of(&|def| def.as_special() == Some(special))),
            custom: set_of(&|def| matches!(def.kind, CardKind::Custom(_))),
            draw_fours: set_of(&CardDef::is_draw_four),
            names_color: set_of(&names_color),
            changes_own_hand: CardSet::EMPTY,
            can_start: set_of(&|def| starts(def, parameters)),
            starts_plainly: set_of(&|def| matches!(def.kind, CardKind::Ordinary(_, Face::Number(_)))),
            commands: set_of(&CardDef::is_command),
            stack_answers: [CardSet::EMPTY; MAX_KINDS],
            color_of: [None; MAX_KINDS],
            sets_color: [None; MAX_KINDS],
            color_naming: [[None; 4]; MAX_KINDS],
            plays: [Play::Row(Row { draws: 0, skips: 0, turn: DirectionChange::Keeps }); MAX_KINDS],
            plain: CardSet::EMPTY,
            plain_changes: [TurnChange::Next; 2 * MAX_KINDS],
            steps_of: [(0, 0); MAX_KINDS],
            steps: Vec::new(),
            last_card_draws: [0; MAX_KINDS],
            points: [0; MAX_KINDS],
            cut_values: [0; MAX_KINDS],
            point_bits: point_bits(kinds),
            rank_bits: usual_rank_bits.try_into().expect("this many were split off"),
            high_rank_bits: rank_bits,
            reverse_skips_two: parameters.two_player_reverse == TwoPlayerReverse::Skip,
            button: ButtonOdds::of(parameters.tinker_weights.0),
            features: features(parameters, kinds),
        };
        for (i, def) in kinds.iter().enumerate() {
            let card = Card::new(i);
            (0..def.copies).for_each(|_| tables.deck.add(card));
            tables.deck_list.extend(std::iter::repeat_n(card, def.copies as usize));
            tables.stack_answers[i] = set_of(&|played| can_answer(played, def, parameters));
            tables.color_of[i] = def.color;
            tables.sets_color[i] = if names_color(def) { None } else { def.color };
            tables.color_naming[i] = if names_color(def) { Color::ALL.map(Some) } else { [def.color; 4] };
            tables.points[i] = points(def);
            tables.cut_values[i] = cut_value(def, parameters);
            tables.compile_play(card, def, parameters);
        }
        tables
    }

    fn compile_play(&mut self, card: Card, def: &CardDef, parameters: &Parameters) {
        let steps = steps(def, parameters);
        if steps.iter().any(|step| step.changes_own_hand()) {
            self.changes_own_hand |= CardSet::of(card);
        }
        let i = card.index();
        self.plays[i] = match steps.as_slice() {
            [Step::DrawFour] => Play::DrawFour,
            [Step::VillainDrawFour] => Play::VillainDrawFour,
            &[Step::StackDraw(draws)] => Play::StackDraw(Row { draws, skips: 1, turn: DirectionChange::Keeps }),
            &[Step::TurnDirection, Step::StackDraw(draws)] => {
                Play::StackDraw(Row { draws, skips: 1, turn: DirectionChange::Reverses })
            }
            steps => row(steps).unwrap_or(Play::Steps),
        };
        let sets_color = self.color_naming[i].iter().all(Option::is_some);
        let change = match self.plays[i] {
            _ if !sets_color => None,
            Play::Row(Row { draws: 0, skips: 0, turn: DirectionChange::Keeps }) => Some(TurnChange::Next),
            Play::Row(Row { draws: 0, skips: 0, turn: DirectionChange::Reverses }) => Some(TurnChange::Reverse),
            Play::Row(Row { draws: 0, skips: 1, turn: DirectionChange::Keeps }) => Some(TurnChange::Skip),
            _ => None,
        };
        if let Some(change) = change {
            self.plain |= CardSet::of(card);
            self.plain_changes[i + RingSeats::Other as usize] = change;
            self.plain_changes[i + RingSeats::Two as usize] = match change {
                TurnChange::Reverse if self.reverse_skips_two => TurnChange::Skip,
                change => change,
            };
        }
        self.last_card_draws[i] = match &def.kind {
            CardKind::Ordinary(_, Face::DrawTwo) => 2,
            CardKind::Special(Special::WildDrawFour) => 4,
            CardKind::Special(Special::VillainDrawFour)
                if parameters.villain_last_card == VillainLastCard::NextDraws =>
            {
                4
            }
            CardKind::Special(Special::CheeseTouch) if parameters.cheese_last_card == CheeseLastCard::Draw => 2,
            CardKind::Custom(_) => match self.plays[i] {
                Play::Row(Row { draws, .. }) | Play::StackDraw(Row { draws, .. }) => draws,
                _ => 0, // its steps set the color
            },
            _ => 0,
        };
        let index = |len: usize| u16::try_from(len).expect("at most 20 steps of each of 64 kinds");
        let start = index(self.steps.len());
        self.steps.extend(steps);
        self.steps_of[i] = (start, index(self.steps.len()));
    }
}

fn point_bits(kinds: &[CardDef]) -> Vec<u64> {
    let highest = kinds.iter().map(|def| def.points).max().unwrap_or(0);
    let with = |bit: u32| (0..kinds.len()).map(|i| u64::from(kinds[i].points >> bit & 1) << i).sum();
    (0..u32::BITS - highest.leading_zeros()).map(with).collect()
}

/// The number of bits for the ranks of every preset.
const USUAL_RANK_BITS: usize = 4;

/// For each bit of a rank, lowest first: the kinds whose rank has this bit.
fn rank_bits(kinds: &[CardDef]) -> Vec<CardSet> {
    let all_points: BTreeSet<u32> = kinds.iter().map(|def| def.points).collect();
    let rank = |def: &CardDef| all_points.range(..def.points).count();
    let with = |bit: usize| (0..kinds.len()).filter(move |&i| rank(&kinds[i]) >> bit & 1 == 1).map(Card::new).collect();
    let num_bits = (usize::BITS - all_points.len().saturating_sub(1).leading_zeros()) as usize;
    (0..num_bits.max(USUAL_RANK_BITS)).map(with).collect()
}

/// Whether its player names a color with the play.
fn names_color(def: &CardDef) -> bool {
    match &def.kind {
        CardKind::Ordinary(..) => false,
        CardKind::Special(special) => matches!(special, Special::Wild | Special::WildDrawFour | Special::SwapHands),
        CardKind::Custom(card) => effect::names_color(&card.effects),
    }
}

fn points(def: &CardDef) -> u16 {
    u16::try_from(def.points).expect("points are at most 1000")
}

/// The value of the card in the cut for the dealer.
pub(super) fn cut_value(def: &CardDef, parameters: &Parameters) -> u16 {
    match (parameters.cut_values, &def.kind) {
        (CutValues::Points, _) => points(def),
        (CutValues::Number, CardKind::Ordinary(_, Face::Number(number))) => u16::from(*number),
        (CutValues::Number, _) => 0, // WK-16
    }
}

/// Whether this kind can be face up at the start of a round.
pub(super) fn starts(def: &CardDef, parameters: &Parameters) -> bool {
    match &def.kind {
        CardKind::Ordinary(..) => true,
        _ if starts_with_color(def) => parameters.start_wild == StartWild::FirstNames,
        CardKind::Special(special) => matches!(special, Special::CheeseTouch),
        CardKind::Custom(card) => card.start != CustomStart::Return,
    }
}

/// Whether the first player names a color for it, if it stays as the start card.
pub(super) fn starts_with_color(def: &CardDef) -> bool {
    match &def.kind {
        CardKind::Ordinary(..) => false,
        CardKind::Special(special) => matches!(special, Special::Wild | Special::SwapHands),
        // A start card that names a color is treated as a Wild.
        CardKind::Custom(card) => card.start != CustomStart::Return && names_color_at_start(card),
    }
}

/// Whether a color must be named after this custom card is turned up as the start card.
pub(crate) fn names_color_at_start(card: &CustomCard) -> bool {
    card.color == CustomColor::Wild || effect::names_color(&card.effects)
}

/// Whether playing it can lead to a swap of hands.
pub(super) fn offers_swap(def: &CardDef) -> bool {
    match &def.kind {
        CardKind::Ordinary(..) => false,
        CardKind::Special(special) => *special == Special::SwapHands,
        CardKind::Custom(card) => effect::offers_swap(&card.effects),
    }
}

/// Whether playing it can reverse the direction.
pub(super) fn may_reverse(def: &CardDef) -> bool {
    match &def.kind {
        CardKind::Ordinary(_, face) => *face == Face::Reverse,
        CardKind::Special(_) => false,
        CardKind::Custom(card) => effect::reverses(&card.effects),
    }
}

/// The steps of a kind.
pub(super) fn steps(def: &CardDef, parameters: &Parameters) -> Vec<Step> {
    let swap = if parameters.swap_optional { SwapRequirement::Optional } else { SwapRequirement::Compulsory };
    match &def.kind {
        CardKind::Ordinary(_, face) => match face {
            Face::Skip => vec![Step::Skip(1)],
            Face::Reverse => vec![Step::Reverse],
            Face::DrawTwo if parameters.draw_two_target == DrawTwoTarget::Tinker => vec![Step::ButtonDrawTwo],
            Face::DrawTwo if parameters.stacking != Stacking::Off => vec![Step::StackDraw(2)],
            Face::DrawTwo => vec![Step::Draw { who: Who::Next, amount: Amount::Exactly(2) }, Step::Skip(1)],
            Face::Number(7) if parameters.seven_zero => vec![Step::SwapHands(SwapRequirement::Compulsory)],
            Face::Number(0) if parameters.seven_zero => vec![Step::RotateHands],
            Face::Number(_) => vec![],
        },
        CardKind::Special(special) => match special {
            Special::Wild => vec![],
            Special::WildDrawFour => vec![Step::DrawFour],
            Special::VillainDrawFour => vec![Step::VillainDrawFour],
            Special::CheeseTouch => vec![Step::CheeseTouch],
            Special::SwapHands => vec![Step::SwapHands(swap)],
            Special::VictoryLap => vec![Step::VictoryLap],
            Special::DiscardAll => vec![Step::DiscardAll],
        },
        CardKind::Custom(card) if parameters.stacking == Stacking::EqualOrHigher => {
            effect::as_stackable(effect::compile(&card.effects, swap))
        }
        CardKind::Custom(card) => effect::compile(&card.effects, swap),
    }
}

/// The number of cards that a draw card adds with stacking; `None` for other cards.
pub(super) fn stack_value(def: &CardDef, parameters: &Parameters) -> Option<u8> {
    steps(def, parameters).into_iter().find_map(|step| match step {
        Step::StackDraw(draws) => Some(draws),
        Step::DrawFour => Some(4),
        _ => None,
    })
}

/// Whether a draw card can answer another.
fn can_answer(played: &CardDef, top: &CardDef, parameters: &Parameters) -> bool {
    let values = stack_value(played, parameters).zip(stack_value(top, parameters));
    values.is_some_and(|(answer, asked)| match parameters.stacking {
        Stacking::Off => false,
        Stacking::SameKind => answer == asked,
        Stacking::AnyDraw => true,
        Stacking::EqualOrHigher => answer >= asked,
    })
}

/// The steps as one row, if they fit into one.
fn row(steps: &[Step]) -> Option<Play> {
    match steps {
        [] => Some((0, 0, DirectionChange::Keeps)),
        [Step::Skip(1)] => Some((0, 1, DirectionChange::Keeps)),
        [Step::Reverse] => Some((0, 0, DirectionChange::Reverses)),
        [Step::Draw { who: Who::Next, amount: Amount::Exactly(count) }, Step::Skip(1)] => {
            Some((*count, 1, DirectionChange::Keeps))
        }
        _ => None,
    }
    .map(|(draws, skips, turn)| Play::Row(Row { draws, skips, turn }))
}

fn features(p: &Parameters, kinds: &[CardDef]) -> Features {
    let has_draw_four = kinds.iter().any(CardDef::is_draw_four);
    let enforced = p.draw_four_enforcement == Enforcement::Engine && p.draw_four_legality != DrawFourLegality::Any;
    let is_row = |def: &CardDef| {
        let steps = steps(def, p);
        row(&steps).is_some() || steps == [Step::DrawFour]
    };
    [
        (has_draw_four && p.draw_four_enforcement == Enforcement::Bluff, Features::CHALLENGES),
        (has_draw_four && enforced, Features::HONEST_DRAW_FOURS_ONLY),
        (p.draw != DrawPermission::Always, Features::LIMITED_DRAWING),
        (p.drawn_card == DrawnCard::Must, Features::DRAWN_MUST_BE_PLAYED),
        (p.draw_count == DrawCount::UntilPlayable, Features::DRAWS_UNTIL_PLAYABLE),
        (!kinds.iter().all(is_row), Features::STEPS),
        (p.uno_calls == UnoCalls::Explicit, Features::EXPLICIT_CALLS),
        (p.stacking != Stacking::Off, Features::STACKING),
        (p.jump_in, Features::JUMP_IN),
        (p.tinker_resume == TinkerResume::AfterPlayer, Features::MISSED_TURNS),
        (matches!(p.draw_count, DrawCount::Random(_)), Features::RANDOM_DRAWS),
        (p.hand_limit != HandLimit::None, Features::HAND_LIMIT),
        (p.hand_limit != HandLimit::None || p.uno_window == UnoWindow::NextDraws, Features::DRAW_CONSEQUENCES),
    ]
    .into_iter()
    .filter(|(present, _)| *present)
    .fold(Features::NONE, |all, (_, feature)| all.with(feature))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Rules;

    /// Shares of 2^32; the last possible color gets the remainder from rounding.
    #[test]
    fn button_color_frequency_matches_weight() {
        for (weights, bits) in [
            ([0.25, 0.25, 0.25, 0.25], [1 << 30; 4]),
            ([0.5, 0.0, 0.25, 0.25], [1 << 31, 0, 1 << 30, 1 << 30]),
            ([0.1, 0.2, 0.3, 0.4], [429_496_730, 858_993_459, 1_288_490_189, 1_717_986_918]),
            ([0.999_999_999_5, 0.0, 0.0, 0.0], [1 << 32, 0, 0, 0]),
            ([0.0, 0.999_999_999_5, 0.0, 0.0], [0, 1 << 32, 0, 0]),
            ([0.5, 0.500_000_000_9, 0.0, 0.0], [1 << 31, 1 << 31, 0, 0]), // a sum slightly above 1
        ] {
            let odds = ButtonOdds::of(weights);
            assert_eq!(Color::ALL.map(|color| odds.bits_of(color)), bits, "{weights:?}");
            for color in Color::ALL {
                assert!((odds.probability(color) - weights[color.index()]).abs() < 1e-9, "{weights:?}");
                assert_eq!(odds.can_light(color), weights[color.index()] > 0.0, "{weights:?}");
            }
        }
    }

    /// As many bits as the ranks need, but at least as many as the presets need.
    #[test]
    fn rank_bits_are_distinct() {
        for many in [1, 15, 16, 17, 20, 32] {
            let card = CardDef::special(Special::Wild, 4, Rules::preset("classic").parameters());
            let kinds: Vec<CardDef> = (0..many).map(|points| CardDef { points, ..card.clone() }).collect();
            let bits = rank_bits(&kinds);
            let rank_of = |kind: usize| {
                (0..bits.len()).filter(|&bit| bits[bit].contains(Card::new(kind))).map(|bit| 1 << bit).sum::<usize>()
            };
            assert!((0..kinds.len()).all(|kind| rank_of(kind) == kind), "{many}");
            assert_eq!(bits.len(), if many <= 16 { 4 } else { 5 }, "{many}");
        }
    }
}
