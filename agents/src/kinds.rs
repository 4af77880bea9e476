//! [`KindTable`]: data that agents look up by kind of card.

use unolab_engine::card::{Card, CardSet, Face};
use unolab_engine::observation::Observation;
use unolab_engine::rules::{CardKind, CustomCard, Effect, Rules, Skip, Special, TwoPlayerReverse};
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

/// Sets of kinds of one variant.
#[derive(Debug, Clone)]
pub struct KindTable {
    groups: [CardSet; 6],
    /// Draw Twos and draw fours.
    makes_draw: CardSet,
    /// Skip, Draw Two and Wild Draw Four: the next player loses the turn.
    skip_next: CardSet,
    custom: CardSet,
    changes_hands: CardSet,
    moves_turn: CardSet,
    /// Coloured cards without any effect.
    plain: CardSet,
}

impl KindTable {
    /// The table of these rules. It takes no longer than to copy one.
    #[must_use]
    #[inline(always)]
    pub fn of(rules: &Rules) -> Self {
        let custom = rules.custom();
        let [skips, reverses, draw_twos] = [Face::Skip, Face::Reverse, Face::DrawTwo].map(|face| rules.of_face(face));
        let cheese_touch = rules.of_special(Special::CheeseTouch);
        let colored = rules.colored();
        let numbers = colored - skips - reverses - draw_twos - cheese_touch;
        // In the order of `Group`.
        let groups = [
            numbers,
            skips,
            reverses,
            draw_twos | cheese_touch,
            rules.draw_fours(),
            rules.every_kind() - colored - rules.draw_fours(),
        ];
        let [sevens, zeros] = [7, 0].map(|number| rules.of_face(Face::Number(number)));
        let by_house_rule = if rules.parameters().seven_zero { sevens | zeros } else { CardSet::EMPTY };
        let beyond_the_plain_game =
            [Special::CheeseTouch, Special::SwapHands, Special::VictoryLap, Special::DiscardAll]
                .into_iter()
                .fold(custom | by_house_rule, |cards, special| cards | rules.of_special(special));
        let skip_next = skips | draw_twos | rules.of_special(Special::WildDrawFour);
        Self {
            makes_draw: draw_twos | cheese_touch | rules.draw_fours(),
            groups,
            skip_next,
            moves_turn: skip_next | reverses | custom,
            custom,
            changes_hands: beyond_the_plain_game,
            plain: numbers - beyond_the_plain_game - rules.names_color() - rules.draw_fours(),
        }
    }

    /// The kinds of a group.
    #[must_use]
    #[inline]
    pub const fn group(&self, group: Group) -> CardSet {
        self.groups[group as usize]
    }

    /// The kinds that make somebody draw: Draw Twos and draw fours.
    #[must_use]
    #[inline]
    pub const fn makes_draw(&self) -> CardSet {
        self.makes_draw
    }

    /// The kinds that do more to the hands of players than Draw Twos and draw fours do.
    #[must_use]
    #[inline]
    pub const fn changes_hands(&self) -> CardSet {
        self.changes_hands
    }

    /// The kinds after which the turn may go to another seat than the next.
    #[must_use]
    #[inline]
    pub const fn moves_turn(&self) -> CardSet {
        self.moves_turn
    }

    /// Coloured cards that do nothing but lie on top: the turn goes to the next seat.
    #[must_use]
    #[inline]
    pub const fn plain(&self) -> CardSet {
        self.plain
    }

    /// The next seat after a play of this card in the ordinary case: nobody answers or challenges a draw card, and the
    /// button does not match.
    #[must_use]
    #[inline(always)]
    pub fn next_to_act(&self, observation: &Observation<'_>, card: Card) -> Seat {
        let next = observation.next_seat(observation.seat());
        if !self.moves_turn.contains(card) {
            next
        } else if self.skip_next.contains(card) {
            observation.next_seat(next)
        } else if self.custom.contains(card) {
            after_custom_card(observation, card)
        } else {
            after_reverse(observation)
        }
    }
}

#[inline]
fn after_reverse(observation: &Observation<'_>) -> Seat {
    let works_as_skip = observation.rules().parameters().two_player_reverse == TwoPlayerReverse::Skip;
    if observation.is_two_seats() && works_as_skip {
        observation.seat()
    } else {
        observation.previous_seat(observation.seat())
    }
}

fn after_custom_card(observation: &Observation<'_>, card: Card) -> Seat {
    let next = observation.next_seat(observation.seat());
    let CardKind::Custom(CustomCard { effects, .. }) = &observation.rules().card_def(card).kind else { return next };
    if effects.contains(&Effect::Reverse) {
        return after_reverse(observation);
    }
    effects.iter().fold(next, |seat, effect| match effect {
        Effect::Skip(Skip::Next(count)) => (0..*count).fold(seat, |seat, _| observation.next_seat(seat)),
        Effect::Skip(Skip::All(_)) => observation.seat(),
        Effect::Draw { .. }
        | Effect::Reverse
        | Effect::NameColor
        | Effect::Discard { .. }
        | Effect::SwapHands
        | Effect::RotateHands
        | Effect::Look { .. }
        | Effect::Take { .. }
        | Effect::Give { .. }
        | Effect::Task { .. } => seat,
    })
}
