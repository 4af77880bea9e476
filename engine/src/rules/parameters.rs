//! Every rule key, its type and its place in [`Parameters`]: one row each.

use super::value::{
    BoundedInteger, ColorWeights, Copies, DrawCount, HandLimit, KeyProblem, NumberPoints, Points, Value, WordDoc, words,
};
use crate::spelling::{nearest, nearest_within};

words! {
    /// How the dealer of the first round is chosen.
    DealerChoice {
        /// Every seat draws a card and the highest deals; seats that tie draw again.
        Cut = "cut",
        /// A random seat, each equally likely.
        Random = "random",
        /// Seat 0.
        Fixed = "fixed",
    }
}
words! {
    /// What a card is worth in the cut for dealer.
    CutValues {
        /// Its number; other cards count 0.
        Number = "number",
        /// Its scoring points.
        Points = "points",
    }
}
words! {
    /// Who takes the first turn when the start card is a Reverse.
    StartReverse {
        /// The dealer; play goes to the right.
        DealerFirst = "dealer_first",
        /// The seat to the right of the dealer; play goes to the right.
        MirrorFirst = "mirror_first",
    }
}
words! {
    /// What a Draw Two as start card does.
    StartDrawTwo {
        /// The first player draws two and loses the turn.
        DrawAndMiss = "draw_and_miss",
        /// The first player draws two and then plays (HH-04).
        DrawOnly = "draw_only",
        /// The first player presses the button (DI-01).
        Tinker = "tinker",
    }
}
words! {
    /// What a Wild as start card does.
    StartWild {
        /// The first player chooses the color and plays.
        FirstNames = "first_names",
        /// The card is returned to the deck and the next one is turned up.
        Return = "return",
    }
}
words! {
    /// When a player may draw instead of playing.
    DrawPermission {
        /// Always.
        Always = "always",
        /// Only without a card that matches the top card by color, number, or symbol; wild cards do not count (DI-26).
        NoMatch = "no_match",
        /// Only if no card can be played.
        NoPlayable = "no_playable",
    }
}
words! {
    /// Whether a player who has drawn a playable card must play it.
    DrawnCard {
        /// It may be played or kept.
        May = "may",
        /// It must be played.
        Must = "must",
    }
}
words! {
    /// Who draws for a Draw Two.
    DrawTwoTarget {
        /// The next player.
        Next = "next",
        /// The Tinker Bell button decides whether the player may choose who draws.
        Tinker = "tinker",
    }
}
words! {
    /// Where play continues after the button has chosen a victim.
    TinkerResume {
        /// With the seat after the victim (DI-03).
        AfterVictim = "after_victim",
        /// With the seat after the player; the victim loses that seat's next turn.
        AfterPlayer = "after_player",
    }
}
words! {
    /// When a draw four is legitimate.
    DrawFourLegality {
        /// Always.
        Any = "any",
        /// If the player holds no card of the current color.
        NoColor = "no_color",
        /// If the player holds no card that matches by color, number, or symbol; wild cards do not count.
        NoMatch = "no_match",
        /// If the player holds no other playable card, not even a wild.
        NoOtherPlayable = "no_other_playable",
    }
}
words! {
    /// Whether a draw four can be played as a bluff.
    Enforcement {
        /// It can be played as a bluff, and challenged.
        Bluff = "bluff",
        /// It is illegal.
        Engine = "engine",
    }
}
words! {
    /// What a Villain Draw 4 does when it is a player's last card.
    VillainLastCard {
        /// The next player draws four (DI-16).
        NextDraws = "next_draws",
        /// The button is pressed and seats may protect themselves; there is no challenge.
        Full = "full",
    }
}
words! {
    /// Who may challenge a draw four.
    Challengers {
        /// No player.
        None = "none",
        /// The player who would have to draw.
        Victim = "victim",
        /// Every other player, asked in turn order.
        AnyOther = "any_other",
    }
}
words! {
    /// Whether a player keeps the turn after a successful challenge.
    WinnerTurn {
        /// The player takes the turn.
        Plays = "plays",
        /// The player loses the turn anyway.
        Loses = "loses",
    }
}
words! {
    /// What a Cheese Touch does when it is a player's last card.
    CheeseLastCard {
        /// Nothing (WK-11).
        None = "none",
        /// The next player draws two and cannot answer.
        Draw = "draw",
    }
}
words! {
    /// What a player may discard with a Wild Discard All.
    DiscardChoice {
        /// Every card of the color, or none (DI-18).
        AllOrNone = "all_or_none",
        /// Every card of the color; the player cannot refuse.
        All = "all",
    }
}
words! {
    /// What a Reverse does with two seats.
    TwoPlayerReverse {
        /// It works as a Skip.
        Skip = "skip",
        /// It only reverses the direction of play.
        Literal = "literal",
    }
}
words! {
    /// Whether players decide to call UNO.
    UnoCalls {
        /// Every player always calls in time.
        Auto = "auto",
        /// Calls, late calls and catches are decisions.
        Explicit = "explicit",
    }
}
words! {
    /// How long a player who did not call can be caught.
    UnoWindow {
        /// Until the next player begins a turn.
        NextBegins = "next_begins",
        /// Until the next player begins a turn or draws a card for another reason (the other reading of X-20).
        NextDraws = "next_draws",
        /// Until the next player plays a card or that turn ends (CA-12).
        NextPlays = "next_plays",
        /// As long as the player holds that one card (HH-07).
        WhileOneCard = "while_one_card",
    }
}
words! {
    /// What a missing UNO call after a Victory Lap costs.
    MissedLapCall {
        /// The penalty is drawn after a catch while the window is open (CA-10).
        Caught = "caught",
        /// The penalty is drawn at once, without a catch (the other reading of CA-10).
        Penalty = "penalty",
    }
    left_out = Caught
}
words! {
    /// How a match is scored and how it ends.
    Scoring {
        /// The player who goes out scores the points in the other hands; the first to reach the target wins.
        WinnerTakes = "winner_takes",
        /// Each player adds up the points in their own hand; when one reaches the target, the lowest total wins.
        RunningLowest = "running_lowest",
        /// Each player adds up the points in their own hand; a player who reaches the target is out (Challenge UNO).
        Elimination = "elimination",
    }
}
words! {
    /// Who plays as partners.
    Teams {
        /// No partners: each player scores separately.
        None = "none",
        /// Four seats; partners sit across from each other.
        Fixed = "fixed",
        /// Four players; each is every other's partner for some rounds.
        Rotating = "rotating",
        /// Eight players at two tables; each is every other's partner for some rounds.
        RotatingTables = "rotating_tables",
    }
}
words! {
    /// Whether a draw card may be answered with a draw card (house rule).
    Stacking {
        /// Not allowed.
        Off = "off",
        /// A Draw Two can answer a Draw Two, and a draw four a draw four.
        SameKind = "same_kind",
        /// Any draw card can answer any other; custom cards can neither answer nor be answered.
        AnyDraw = "any_draw",
        /// A draw card can answer one that makes a player draw as many cards or fewer; custom draw cards count too.
        EqualOrHigher = "equal_or_higher",
    }
}

impl Teams {
    /// The number of players that they need; `None` without partners.
    #[must_use]
    pub const fn num_players(self) -> Option<usize> {
        match self {
            Self::None => None,
            Self::Fixed | Self::Rotating => Some(4),
            Self::RotatingTables => Some(8),
        }
    }
}

/// A rule key as its documentation lists it: the text comes from the one table that also reads and writes the key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyDoc {
    /// The key, such as `uno.penalty`.
    pub key: &'static str,
    /// The meaning of the key in one sentence.
    pub meaning: &'static str,
    /// The values it allows, as error messages name them.
    pub allowed: String,
    /// If the values are words: each word with its meaning.
    pub words: Vec<WordDoc>,
}

/// The key that an unknown key may mean: one that differs in one letter, or one with the same words in another table, or the
/// nearest spelling.
fn intended_key(key: &str) -> Option<&'static str> {
    let name = key.rsplit('.').next().unwrap_or(key);
    let has_its_words = |known: &&str| {
        let mut words = name.split('_');
        words.all(|word| known.split(['.', '_']).any(|other| other == word))
    };
    let keys = || KEYS.iter().copied();
    nearest_within(1, key, keys()).or_else(|| keys().find(has_its_words)).or_else(|| nearest(key, keys()))
}

/// Generates [`Parameters`], the list of keys, and the code that reads and writes them from one table.
macro_rules! parameters {
    ($(#[doc = $meaning:literal] $field:ident: $type:ty = $key:literal;)+) => {
        /// The value of every rule key except the keys of `deck`.
        #[derive(Debug, Clone, PartialEq)]
        pub struct Parameters { $(#[doc = $meaning] pub $field: $type),+ }

        /// The keys of [`Parameters`], in the order they are listed to a user.
        pub const KEYS: &[&str] = &[$($key),+];

        /// Parameters that are being read: some keys may not be set yet.
        #[derive(Debug, Clone, Default)]
        pub(super) struct PartialParameters { $($field: Option<$type>),+ }

        impl PartialParameters {
            /// Sets one key.
            pub(super) fn set(&mut self, key: &str, value: &toml::Value) -> Result<(), KeyProblem> {
                match key {
                    $($key => self.$field = Some(<$type as Value>::read(value).ok_or_else(|| KeyProblem::Value {
                        found: value.to_string(),
                        allowed: <$type as Value>::allowed(),
                    })?),)+
                    _ => return Err(KeyProblem::Unknown { nearest: intended_key(key).map(Into::into) }),
                }
                Ok(())
            }

            /// The complete parameters, or every key that is not set.
            pub(super) fn complete(self) -> Result<Parameters, Vec<(&'static str, KeyProblem)>> {
                let mut missing = Vec::new();
                $(let $field = self.$field.or_else(<$type as Value>::if_left_out);
                if $field.is_none() {
                    missing.push(($key, KeyProblem::Missing { allowed: <$type as Value>::allowed() }));
                })+
                match ($($field),+) {
                    ($(Some($field)),+) => Ok(Parameters { $($field),+ }),
                    _ => Err(missing),
                }
            }
        }

        impl Parameters {
            /// Every key with its value, in the order of [`KEYS`].
            #[must_use]
            pub fn entries(&self) -> Vec<(&'static str, toml::Value)> {
                vec![$(($key, Value::write(&self.$field))),+]
            }

            /// The keys that a file without a base must give, and those with another value than one that is left out. A key that
            /// is added later is left out at its default, so that files, hashes, and seeds remain as they are.
            #[must_use]
            pub fn entries_to_write(&self) -> Vec<(&'static str, toml::Value)> {
                let is_left_out = [$(<$type as Value>::if_left_out().as_ref() == Some(&self.$field)),+];
                self.entries().into_iter().zip(is_left_out).filter(|(_, left_out)| !left_out).map(|(entry, _)| entry).collect()
            }

            /// The meaning and the allowed values of each key, in the order of [`KEYS`].
            #[must_use]
            pub fn key_docs() -> Vec<KeyDoc> {
                vec![$(KeyDoc {
                    key: $key,
                    meaning: $meaning.trim(),
                    allowed: <$type as Value>::allowed(),
                    words: <$type as Value>::words(),
                }),+]
            }
        }
    };
}

parameters! {
    /// Points of a number card.
    points_number: NumberPoints = "points.number";
    /// Points of a Skip.
    points_skip: Points = "points.skip";
    /// Points of a Reverse.
    points_reverse: Points = "points.reverse";
    /// Points of a Draw Two.
    points_draw_two: Points = "points.draw_two";
    /// Points of a Wild.
    points_wild: Points = "points.wild";
    /// Points of a Wild Draw Four.
    points_wild_draw_four: Points = "points.wild_draw_four";
    /// Points of a Villain Draw 4.
    points_villain_draw_four: Points = "points.villain_draw_four";
    /// Points of a Cheese Touch.
    points_cheese_touch: Points = "points.cheese_touch";
    /// Points of a Wild Swap Hands.
    points_swap_hands: Points = "points.swap_hands";
    /// Points of a Victory Lap.
    points_victory_lap: Points = "points.victory_lap";
    /// Points of a Wild Discard All.
    points_discard_all: Points = "points.discard_all";
    /// The smallest number of seats.
    seats_min: BoundedInteger<2, 10> = "seats.min";
    /// The largest number of seats.
    seats_max: BoundedInteger<2, 10> = "seats.max";
    /// Cards dealt to each seat.
    hand_size: BoundedInteger<1, 20> = "deal.hand_size";
    /// How the dealer of the first round is chosen.
    dealer: DealerChoice = "deal.dealer";
    /// What a card is worth when seats cut for the deal.
    cut_values: CutValues = "deal.cut_values";
    /// Who takes the first turn when the start card is a Reverse.
    start_reverse: StartReverse = "start.reverse";
    /// What a Draw Two does as the start card.
    start_draw_two: StartDrawTwo = "start.draw_two";
    /// What a Wild does as the start card.
    start_wild: StartWild = "start.wild";
    /// When a player may draw instead of playing.
    draw: DrawPermission = "turn.draw";
    /// Whether a drawn card that can be played must be played.
    drawn_card: DrawnCard = "turn.drawn_card";
    /// The number of cards that a player draws instead of playing, or a list of the probabilities of 0, 1, 2, ... cards (up to 20).
    draw_count: DrawCount = "turn.draw_count";
    /// Who draws for a Draw Two.
    draw_two_target: DrawTwoTarget = "draw_two.target";
    /// The probabilities of the Tinker Bell button's colors.
    tinker_weights: ColorWeights = "tinker.weights";
    /// Where play continues after the button has chosen a victim.
    tinker_resume: TinkerResume = "tinker.resume";
    /// When a draw four, of either kind, is legitimate.
    draw_four_legality: DrawFourLegality = "draw_four.legality";
    /// Whether a draw four can be played as a bluff.
    draw_four_enforcement: Enforcement = "draw_four.enforcement";
    /// What a Villain Draw 4 does when it is a player's last card.
    villain_last_card: VillainLastCard = "villain_draw_four.last_card";
    /// Who may challenge a draw four.
    challengers: Challengers = "challenge.who";
    /// The number of cards that a player draws after a challenged bluff.
    guilty_draw: BoundedInteger<0, 20> = "challenge.guilty_draw";
    /// The number of cards that a player draws after a failed challenge.
    wrong_draw: BoundedInteger<0, 20> = "challenge.wrong_draw";
    /// Whether a player keeps the turn after a successful challenge.
    winner_turn: WinnerTurn = "challenge.winner_turn";
    /// Whether a player who could answer a Cheese Touch may take the cards instead.
    cheese_may_refuse: bool = "cheese_touch.may_refuse";
    /// What a Cheese Touch does when it is a player's last card.
    cheese_last_card: CheeseLastCard = "cheese_touch.last_card";
    /// Whether the player of a Wild Swap Hands may keep their own hand.
    swap_optional: bool = "swap_hands.optional";
    /// What a player may discard with a Wild Discard All.
    discard_choice: DiscardChoice = "discard_all.choice";
    /// What a missing UNO call after a Victory Lap costs.
    missed_lap_call: MissedLapCall = "victory_lap.missed_call";
    /// What a Reverse does with two seats.
    two_player_reverse: TwoPlayerReverse = "two_player.reverse";
    /// Whether players decide to call UNO.
    uno_calls: UnoCalls = "uno.calls";
    /// The number of cards that a player draws when caught without a call.
    uno_penalty: BoundedInteger<0, 10> = "uno.penalty";
    /// How long a player who did not call can be caught.
    uno_window: UnoWindow = "uno.window";
    /// Whether a late call, made before a catch, avoids the penalty.
    uno_self_catch: bool = "uno.self_catch";
    /// How a match is scored and how it ends.
    scoring: Scoring = "match.scoring";
    /// The scoring methods that the edition allows.
    allowed_scoring: Vec<Scoring> = "match.allowed_scoring";
    /// The score that ends a match.
    target: BoundedInteger<1, 1_000_000> = "match.target";
    /// Who plays as partners.
    teams: Teams = "match.teams";
    /// The partnerships that the edition allows.
    allowed_teams: Vec<Teams> = "match.allowed_teams";
    /// The number of rounds with each partner, with four players.
    hands_per_partnership: BoundedInteger<1, 1000> = "match.hands_per_partnership";
    /// The number of rounds with each partner, with eight players at two tables.
    hands_per_partnership_tables: BoundedInteger<1, 1000> = "match.hands_per_partnership_tables";
    /// Whether a draw card may be answered with a draw card.
    stacking: Stacking = "house.stacking";
    /// Whether a 7 swaps hands with a chosen player and a 0 moves every hand one seat on.
    seven_zero: bool = "house.seven_zero";
    /// Whether an identical colored card may be played out of turn.
    jump_in: bool = "house.jump_in";
    /// The number of cards that puts a player out of the round, and the points that such a player counts.
    hand_limit: HandLimit = "house.hand_limit";
}

/// Copies of a card, as the value of a `deck` key.
pub(super) fn read_copies(value: &toml::Value) -> Result<u32, KeyProblem> {
    Copies::read(value)
        .map(Copies::get)
        .ok_or_else(|| KeyProblem::Value { found: value.to_string(), allowed: Copies::allowed() })
}
