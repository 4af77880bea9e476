//! Effects: the vocabulary of built-in and custom cards.
//!
//! A variant file defines custom cards with [`Effect`]s. Built-in cards also have effects, some of which are not available to
//! custom cards. Both are compiled into a flat list of [`Step`]s. A round executes the steps in order and pauses when a seat
//! has to decide.

use serde::{Deserialize, Serialize};

/// An effect of a custom card, as variant files write it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Effect {
    /// These players draw cards.
    Draw(Draw),
    /// The next players lose their turn.
    Skip(Skip),
    /// The direction of play is reversed.
    Reverse,
    /// The player names the color in force with the play.
    NameColor,
    /// This player chooses the color in force when the effect is executed.
    ChooseColor {
        /// The player that chooses.
        who: Who,
    },
    /// These players discard cards under the top card.
    Discard {
        /// The players that discard.
        who: Who,
        /// Which cards.
        cards: DiscardedCards,
    },
    /// The player may swap hands with another.
    SwapHands,
    /// The player swaps hands with this player.
    TradeHands {
        /// The player whose hand the player gets.
        who: Who,
    },
    /// All hands move one seat in the direction of play.
    RotateHands,
    /// All hands are shuffled together and dealt again evenly; remaining cards go to the first players in turn order.
    ShuffleHands,
    /// The player looks at the hands of these players.
    Look {
        /// The players whose hands are seen.
        who: Who,
    },
    /// The player takes cards from each of these players, by chance.
    Take {
        /// The players that lose cards.
        who: Who,
        /// The number of cards from each, 1 to 20; a hand with fewer gives all it has.
        count: u8,
    },
    /// The player gives cards to each of these players, by chance.
    Give {
        /// The players that receive cards.
        who: Who,
        /// The number of cards to each, 1 to 20, at most the player's hand.
        count: u8,
    },
    /// A task outside the game; if it is not done, further effects follow (SW-19).
    Task {
        /// The players that have to do it; only a note for people.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        who: Option<Who>,
        /// The probability that it is done.
        p: f64,
        /// The effects if it is not done.
        fail: Vec<Self>,
    },
    /// This player chooses one of several lists of effects, which are executed at once.
    Choice {
        /// The player that chooses.
        who: Who,
        /// The options, 2 to 4.
        options: Vec<EffectOption>,
    },
}

/// An option of [`Effect::Choice`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EffectOption {
    /// Its name for people.
    pub name: String,
    /// Its effects; none if the player may decline the other options.
    pub effects: Vec<Effect>,
}

/// Players that draw, and how many cards each of them draws.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "DrawFields", into = "DrawFields")]
pub struct Draw {
    /// The players that draw.
    pub who: Who,
    /// The number of cards for each.
    pub amount: Amount,
}

/// A number of cards to draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Amount {
    /// This number, 1 to 20.
    Exactly(u8),
    /// A random number, each from the first to the last equally likely, at most 20.
    Between(u8, u8),
    /// Cards up to and including the first that fulfills this condition.
    Until(Until),
    /// As many cards as this number of draws instead of a play (`turn.draw_count`), 1 to 20.
    Turns(u8),
}

/// The card that ends a draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Until {
    /// A card of the color in force.
    NamedColor,
    /// A card that can be played on the top card.
    Playable,
    /// Any card: draws instead of a play are repeated until one of them brings a card.
    Any,
}

/// The fields of [`Draw`] as variant files write them: either a count or a condition.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct DrawFields {
    who: Who,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    count: Option<Count>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    until: Option<Until>,
}

/// A count as variant files write it.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(untagged)]
enum Count {
    Exactly(u8),
    Between(Between),
    Turns(Turns),
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Turns {
    turns: u8,
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Between {
    from: u8,
    to: u8,
}

impl TryFrom<DrawFields> for Draw {
    type Error = &'static str;
    fn try_from(fields: DrawFields) -> Result<Self, Self::Error> {
        let amount = match (fields.count, fields.until) {
            (Some(Count::Exactly(count)), None) => Amount::Exactly(count),
            (Some(Count::Between(Between { from, to })), None) => Amount::Between(from, to),
            (Some(Count::Turns(Turns { turns })), None) => Amount::Turns(turns),
            (None, Some(until)) => Amount::Until(until),
            (None, None) => return Err("count is missing"),
            (Some(_), Some(_)) => return Err("count and until exclude each other"),
        };
        Ok(Self { who: fields.who, amount })
    }
}

impl From<Draw> for DrawFields {
    fn from(draw: Draw) -> Self {
        let (count, until) = match draw.amount {
            Amount::Exactly(count) => (Some(Count::Exactly(count)), None),
            Amount::Between(from, to) => (Some(Count::Between(Between { from, to })), None),
            Amount::Until(until) => (None, Some(until)),
            Amount::Turns(turns) => (Some(Count::Turns(Turns { turns })), None),
        };
        Self { who: draw.who, count, until }
    }
}

impl Amount {
    /// The mean number of cards; for a condition, about as many as in the usual deck.
    #[must_use]
    pub fn mean(self) -> f32 {
        match self {
            Self::Exactly(count) => f32::from(count),
            Self::Between(from, to) => f32::midpoint(f32::from(from), f32::from(to)),
            Self::Until(Until::NamedColor) => 4.0,
            Self::Until(Until::Playable | Until::Any) => 2.5,
            Self::Turns(turns) => 1.5 * f32::from(turns),
        }
    }
}

/// The players that an effect concerns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Who {
    /// The player of the card.
    #[serde(rename = "self")]
    Player,
    /// The next player.
    Next,
    /// The player before the player of the card, in the direction of play.
    Previous,
    /// The partner of the player.
    Partner,
    /// All players except the one who played the card, in order of play.
    Others,
    /// All players, in order of play from the one who played the card.
    All,
    /// A chosen player, once per card.
    Chosen,
    /// Another player by chance.
    RandomOther,
    /// The other player with the fewest cards; of several, the first in turn order.
    SmallestHand,
    /// The other player with the most cards; of several, the first in turn order.
    LargestHand,
    /// Within the options of a choice: the player that has chosen.
    Chooser,
}

impl Who {
    /// Every value, in the order of the documentation.
    pub(super) const ALL: [Self; 11] = [
        Self::Player,
        Self::Next,
        Self::Previous,
        Self::Partner,
        Self::Others,
        Self::All,
        Self::Chosen,
        Self::RandomOther,
        Self::SmallestHand,
        Self::LargestHand,
        Self::Chooser,
    ];

    /// Its word in variant files.
    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Player => "self",
            Self::Next => "next",
            Self::Previous => "previous",
            Self::Partner => "partner",
            Self::Others => "others",
            Self::All => "all",
            Self::Chosen => "chosen",
            Self::RandomOther => "random_other",
            Self::SmallestHand => "smallest_hand",
            Self::LargestHand => "largest_hand",
            Self::Chooser => "chooser",
        }
    }

    /// Whether it is always one player.
    pub(super) const fn is_one_player(self) -> bool {
        !matches!(self, Self::Others | Self::All)
    }

    /// The players of an effect within the options of a choice by `chooser`: if it is the player of the card, so is the chooser.
    pub(super) const fn chosen_by(self, chooser: Option<Self>) -> Self {
        match (self, chooser) {
            (Self::Chooser, Some(Self::Player)) => Self::Player,
            _ => self,
        }
    }

    /// Whether the player of the card is among them.
    const fn includes_player(self) -> bool {
        matches!(self, Self::Player | Self::All)
    }
}

/// Which cards an effect discards.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DiscardedCards {
    /// Every wild card.
    Wilds,
    /// Every card of the color in force.
    NamedColor,
}

/// The number of players that lose a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Skip {
    /// This number, 1 to 10.
    Next(u8),
    /// All: the player goes again.
    All(All),
}

/// The word `all`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum All {
    /// `all`
    All,
}

/// One step of a card's effect.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Step {
    /// These players draw.
    Draw { who: Who, amount: Amount },
    /// This number of next players lose their turn.
    Skip(u8),
    /// All other players lose the turn.
    SkipAll,
    /// The direction is reversed; for two seats, see `two_player.reverse`.
    Reverse,
    /// The direction is reversed, without any other effect.
    TurnDirection,
    /// This player chooses the color in force.
    ChooseColor { who: Who },
    /// These players discard.
    Discard { who: Who, cards: DiscardedCards },
    /// The player swaps hands, or may do so.
    SwapHands(SwapRequirement),
    /// The player swaps hands with this player.
    TradeHands { who: Who },
    /// All hands move one seat.
    RotateHands,
    /// All hands are shuffled together and dealt again.
    ShuffleHands,
    /// The player sees these hands.
    Look { who: Who },
    /// Cards move from these players to the player of the card.
    Take { who: Who, count: u8 },
    /// Cards move from the player of the card to these players.
    Give { who: Who, count: u8 },
    /// If the task is done, this number of steps is skipped.
    Task { success: f64, penalty_steps: u8 },
    /// This player chooses one of this number of options. Each follows as an [`Step::Option`].
    Choice { who: Who, options: u8 },
    /// The next steps, of this number, are executed only if this option was chosen.
    Option { steps: u8 },
    /// A Draw Two with the button.
    ButtonDrawTwo,
    /// A draw card that may be answered (stacking), for this number of cards.
    StackDraw(u8),
    /// Wild Draw Four: possibly a challenge; then the next player draws four cards and loses the turn.
    DrawFour,
    /// Villain Draw 4: challenges, the button, and protections.
    VillainDrawFour,
    /// Cheese Touch: two cards, then a yellow card or two more cards.
    CheeseTouch,
    /// Victory Lap: hands are passed on until the player keeps one.
    VictoryLap,
    /// Wild Discard All: the button, then every card of its color may be discarded.
    DiscardAll,
}

/// Whether a swap may be declined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SwapRequirement {
    /// The player may decline (SW-07).
    Optional,
    /// The player may not decline.
    Compulsory,
}

impl Effect {
    /// The effects that may follow from it.
    pub fn within(&self) -> impl Iterator<Item = &Self> {
        let (fail, options): (&[Self], &[EffectOption]) = match self {
            Self::Task { fail, .. } => (fail, &[]),
            Self::Choice { options, .. } => (&[], options),
            Self::Draw(_)
            | Self::Skip(_)
            | Self::Reverse
            | Self::NameColor
            | Self::ChooseColor { .. }
            | Self::Discard { .. }
            | Self::SwapHands
            | Self::TradeHands { .. }
            | Self::RotateHands
            | Self::ShuffleHands
            | Self::Look { .. }
            | Self::Take { .. }
            | Self::Give { .. } => (&[], &[]),
        };
        fail.iter().chain(options.iter().flat_map(|option| &option.effects))
    }

    /// Whether it moves whole hands between seats.
    #[must_use]
    pub const fn moves_whole_hands(&self) -> bool {
        matches!(self, Self::SwapHands | Self::TradeHands { .. } | Self::RotateHands | Self::ShuffleHands)
    }

    /// Whether `is_it` holds for the effect or for an effect that may follow from it.
    fn is_or_leads_to(&self, is_it: fn(&Self) -> bool) -> bool {
        is_it(self) || self.within().any(|effect| effect.is_or_leads_to(is_it))
    }
}

/// How a step changes the hand of its player in addition to the play, so that a UNO call must wait for it (SW-10).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OwnHand {
    Stays,
    /// It only gains cards.
    Gains,
    /// It may lose cards.
    Loses,
    /// It may be replaced by another hand.
    Moves,
}

/// Whether a step of a custom card is still executed if the card was its player's last card.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LastCard {
    Runs,
    Ignored,
}

/// The properties of a step on which the rules depend.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct StepTraits {
    /// The affected players, if the card names them.
    pub(crate) who: Option<Who>,
    pub(crate) own_hand: OwnHand,
    pub(crate) last_card: LastCard,
}

impl Step {
    /// The properties of the step: one row for each type.
    pub(crate) const fn traits(self) -> StepTraits {
        use LastCard::{Ignored, Runs};
        use OwnHand::{Gains, Loses, Moves, Stays};
        const fn row(who: Option<Who>, own_hand: OwnHand, last_card: LastCard) -> StepTraits {
            StepTraits { who, own_hand, last_card }
        }
        match self {
            Self::Draw { who, .. } => row(Some(who), if who.includes_player() { Gains } else { Stays }, Runs),
            Self::Discard { who, .. } => row(Some(who), if who.includes_player() { Loses } else { Stays }, Ignored),
            Self::Look { who } | Self::ChooseColor { who } | Self::Choice { who, .. } => row(Some(who), Stays, Ignored),
            Self::Take { who, .. } => row(Some(who), Gains, Ignored),
            Self::Give { who, .. } => row(Some(who), Loses, Ignored),
            Self::TradeHands { who } => row(Some(who), Moves, Ignored),
            Self::SwapHands(_) | Self::RotateHands | Self::VictoryLap => row(None, Moves, Ignored),
            Self::ShuffleHands | Self::DiscardAll => row(None, Loses, Ignored),
            // Built-in cards define their own effect as a last card.
            Self::Skip(_)
            | Self::SkipAll
            | Self::Reverse
            | Self::TurnDirection
            | Self::Task { .. }
            | Self::Option { .. }
            | Self::ButtonDrawTwo
            | Self::StackDraw(_)
            | Self::DrawFour
            | Self::VillainDrawFour
            | Self::CheeseTouch => row(None, Stays, Ignored),
        }
    }

    /// Whether its player first chooses a target, unless one is already chosen.
    pub(crate) const fn needs_target(self) -> bool {
        matches!(self.traits().who, Some(Who::Chosen))
    }

    /// The most turns that it skips, if it does not skip all others.
    pub(crate) fn most_skips(self) -> i64 {
        match self {
            Self::Skip(count) => count.into(),
            Self::Reverse => 1,
            _ => 0,
        }
    }

    /// Whether it changes the hand of its player in addition to the play.
    pub(crate) const fn changes_own_hand(self) -> bool {
        !matches!(self.traits().own_hand, OwnHand::Stays)
    }
}

/// The same steps; a single draw becomes a draw card that may be answered.
pub(super) fn as_stackable(steps: Vec<Step>) -> Vec<Step> {
    match steps[..] {
        [Step::Draw { who: Who::Next, amount: Amount::Exactly(count) }, Step::Skip(1)] => vec![Step::StackDraw(count)],
        [Step::TurnDirection, Step::Draw { who: Who::Next, amount: Amount::Exactly(count) }, Step::Skip(1)] => {
            vec![Step::TurnDirection, Step::StackDraw(count)]
        }
        _ => steps,
    }
}

/// Compiles the effects of a custom card.
pub(super) fn compile(effects: &[Effect], swap: SwapRequirement) -> Vec<Step> {
    // With several turn effects, a Reverse does not work as a Skip with two players, because another effect already skips.
    let reverse = if number_of_turn_effects(effects) == 1 { Step::Reverse } else { Step::TurnDirection };
    Compiler { swap, reverse, chooser: None }.compile(effects)
}

/// What the steps of a card depend on, in addition to its effects.
#[derive(Clone, Copy)]
struct Compiler {
    swap: SwapRequirement,
    reverse: Step,
    /// Within the options of a choice: the player that has chosen.
    chooser: Option<Who>,
}

impl Compiler {
    fn compile_into(self, effects: &[Effect], steps: &mut Vec<Step>) {
        let who = |who: Who| who.chosen_by(self.chooser);
        for effect in effects {
            steps.push(match effect {
                &Effect::Draw(Draw { who: drawers, amount }) => Step::Draw { who: who(drawers), amount },
                Effect::Skip(Skip::Next(count)) => Step::Skip(*count),
                Effect::Skip(Skip::All(All::All)) => Step::SkipAll,
                Effect::Reverse => self.reverse,
                Effect::NameColor => continue, // the color is named with the play
                &Effect::ChooseColor { who: chooser } => Step::ChooseColor { who: who(chooser) },
                &Effect::Discard { who: players, cards } => Step::Discard { who: who(players), cards },
                Effect::SwapHands => Step::SwapHands(self.swap),
                &Effect::TradeHands { who: player } => Step::TradeHands { who: who(player) },
                Effect::RotateHands => Step::RotateHands,
                Effect::ShuffleHands => Step::ShuffleHands,
                &Effect::Look { who: players } => Step::Look { who: who(players) },
                &Effect::Take { who: players, count } => Step::Take { who: who(players), count },
                &Effect::Give { who: players, count } => Step::Give { who: who(players), count },
                Effect::Task { p, fail, .. } => {
                    let penalty = self.compile(fail);
                    steps.push(Step::Task { success: *p, penalty_steps: number(&penalty) });
                    steps.extend(penalty);
                    continue;
                }
                &Effect::Choice { who, ref options } => {
                    steps.push(Step::Choice { who, options: number(options) });
                    for option in options {
                        let option = Self { chooser: Some(who), ..self }.compile(&option.effects);
                        steps.push(Step::Option { steps: number(&option) });
                        steps.extend(option);
                    }
                    continue;
                }
            });
        }
    }

    fn compile(self, effects: &[Effect]) -> Vec<Step> {
        let mut steps = Vec::new();
        self.compile_into(effects, &mut steps);
        steps
    }
}

fn number<T>(of: &[T]) -> u8 {
    u8::try_from(of.len()).expect("a card has at most 20 effects")
}

/// The number of effects, at any depth, that change the direction or skip players.
pub(super) fn number_of_turn_effects<'e>(effects: impl IntoIterator<Item = &'e Effect>) -> usize {
    fn number(effect: &Effect) -> usize {
        let is_one = matches!(effect, Effect::Reverse | Effect::Skip(_));
        usize::from(is_one) + effect.within().map(number).sum::<usize>()
    }
    effects.into_iter().map(number).sum()
}

/// Whether these effects, at any depth, name a color.
pub(crate) fn names_color(effects: &[Effect]) -> bool {
    effects.iter().any(|effect| effect.is_or_leads_to(|effect| *effect == Effect::NameColor))
}

/// Whether these effects, at any depth, reverse the direction.
pub(crate) fn reverses(effects: &[Effect]) -> bool {
    effects.iter().any(|effect| effect.is_or_leads_to(|effect| *effect == Effect::Reverse))
}

/// Whether these effects, at any depth, offer a swap of hands.
pub(crate) fn offers_swap(effects: &[Effect]) -> bool {
    effects.iter().any(|effect| effect.is_or_leads_to(|effect| *effect == Effect::SwapHands))
}

/// The options of the choice with this number, in the order of the steps.
pub(crate) fn options_of_choice(effects: &[Effect], number: usize) -> Option<&[EffectOption]> {
    fn find<'e>(effect: &'e Effect, before: &mut usize) -> Option<&'e [EffectOption]> {
        match effect {
            Effect::Choice { options, .. } if *before == 0 => return Some(options),
            Effect::Choice { .. } => *before -= 1,
            _ => {}
        }
        effect.within().find_map(|effect| find(effect, before))
    }
    let mut before = number;
    effects.iter().find_map(|effect| find(effect, &mut before))
}
