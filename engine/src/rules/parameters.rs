//! Every rule key, its type and its place in [`Parameters`]: one row each.

use super::value::{ColorWeights, Copies, KeyProblem, NumberPoints, Points, Value, Whole, words};

words! {
    /// How the dealer of the first round is found.
    DealerChoice {
        /// Everybody draws a card, the highest deals; ties cut again.
        Cut = "cut",
        /// Each seat equally likely.
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
    /// Who begins after a Reverse as start card.
    StartReverse {
        /// The dealer, then to the right.
        DealerFirst = "dealer_first",
        /// The seat right of the dealer, then on to the right.
        MirrorFirst = "mirror_first",
    }
}
words! {
    /// What a Draw Two as start card does.
    StartDrawTwo {
        /// The first player draws two and misses the turn.
        DrawAndMiss = "draw_and_miss",
        /// The first player draws two and plays (HH-04).
        DrawOnly = "draw_only",
        /// The first player presses the button (DI-01).
        Tinker = "tinker",
    }
}
words! {
    /// What a Wild as start card does.
    StartWild {
        /// The first player names the colour and plays.
        FirstNames = "first_names",
        /// It goes back and the next card is turned.
        Return = "return",
    }
}
words! {
    /// When a player may draw instead of playing.
    DrawPermission {
        /// Always.
        Always = "always",
        /// Without a card that matches by colour, number or word; wilds never oblige (DI-26).
        NoMatch = "no_match",
        /// Only if nothing can be played.
        NoPlayable = "no_playable",
    }
}
words! {
    /// Whether a drawn card that can be played has to be.
    DrawnCard {
        /// It may be played or kept.
        May = "may",
        /// It must be played.
        Must = "must",
    }
}
words! {
    /// How many cards a player draws instead of playing.
    DrawCount {
        /// One.
        One = "one",
        /// Until one can be played (house rule).
        UntilPlayable = "until_playable",
    }
}
words! {
    /// Whom a Draw Two hits.
    DrawTwoTarget {
        /// The next player.
        Next = "next",
        /// The button decides whether the player may choose.
        Tinker = "tinker",
    }
}
words! {
    /// Where play goes on after a chosen victim.
    TinkerResume {
        /// With the seat after the victim (DI-03).
        AfterVictim = "after_victim",
        /// With the seat after the player; the victim misses the next turn that comes.
        AfterPlayer = "after_player",
    }
}
words! {
    /// When a draw four is honest.
    DrawFourLegality {
        /// Always.
        Any = "any",
        /// Without another card of the colour in force.
        NoColor = "no_color",
        /// Without any other playable card, wilds included.
        NoOtherPlayable = "no_other_playable",
    }
}
words! {
    /// What becomes of a draw four that is not honest.
    Enforcement {
        /// It may be played, and challenged.
        Bluff = "bluff",
        /// It is not legal.
        Engine = "engine",
    }
}
words! {
    /// What a Villain Draw 4 does as a last card.
    VillainLastCard {
        /// Only the next player draws four (DI-16).
        NextDraws = "next_draws",
        /// The button and the protections, no challenge.
        Full = "full",
    }
}
words! {
    /// Who may challenge a draw four.
    Challengers {
        /// Nobody.
        None = "none",
        /// The player it was played on.
        Victim = "victim",
        /// Every other player, asked in order of play.
        AnyOther = "any_other",
    }
}
words! {
    /// The turn of a victim who challenged and was right.
    WinnerTurn {
        /// He takes it.
        Plays = "plays",
        /// He misses it all the same.
        Loses = "loses",
    }
}
words! {
    /// What a Cheese Touch does as a last card.
    CheeseLastCard {
        /// Nothing (WK-11).
        None = "none",
        /// The next player draws two, without an answer.
        Draw = "draw",
    }
}
words! {
    /// What may be discarded with a Wild Discard All.
    DiscardChoice {
        /// Every card of the colour, or none (DI-18).
        AllOrNone = "all_or_none",
        /// Every card of the colour.
        All = "all",
    }
}
words! {
    /// A Reverse with two seats.
    TwoPlayerReverse {
        /// Works as a Skip.
        Skip = "skip",
        /// Turns the direction, and nothing else.
        Literal = "literal",
    }
}
words! {
    /// Whether calling UNO is a decision.
    UnoCalls {
        /// Everybody always calls in time.
        Auto = "auto",
        /// Call, late call and catch are decisions.
        Explicit = "explicit",
    }
}
words! {
    /// When the right to catch ends.
    UnoWindow {
        /// When the next player begins a turn.
        NextBegins = "next_begins",
        /// When the next player lays a card or his turn ends (CA-12).
        NextPlays = "next_plays",
        /// When the player no longer holds one card (HH-07).
        WhileOneCard = "while_one_card",
    }
}
words! {
    /// Who scores what in a match, and how it ends.
    Scoring {
        /// Who goes out takes the points left in the other hands; the first to the target wins.
        WinnerTakes = "winner_takes",
        /// Everybody adds up his own hand; when one reaches the target the lowest total wins.
        RunningLowest = "running_lowest",
        /// Everybody adds up his own hand; who reaches the target is out (Challenge UNO).
        Elimination = "elimination",
    }
}
words! {
    /// Partners.
    Teams {
        /// Everybody alone.
        None = "none",
        /// Four seats, partners across.
        Fixed = "fixed",
        /// Four players; each partners each other for some hands.
        Rotating = "rotating",
        /// Eight players at two tables; each partners each other for some hands.
        RotatingTables = "rotating_tables",
    }
}
words! {
    /// Answering a draw card with a draw card (house rule).
    Stacking {
        /// Not allowed.
        Off = "off",
        /// Draw Two on Draw Two, draw four on draw four.
        SameKind = "same_kind",
        /// Either on either.
        AnyDraw = "any_draw",
    }
}

/// Makes [`Parameters`], the list of keys and the code that reads and writes them from one table.
macro_rules! parameters {
    ($($(#[$meta:meta])* $field:ident: $type:ty = $key:literal;)+) => {
        /// The value of every rule key but those of `deck`.
        #[derive(Debug, Clone, PartialEq)]
        pub struct Parameters { $($(#[$meta])* pub $field: $type),+ }

        /// The keys of [`Parameters`], in the order they are listed to a user.
        pub const KEYS: &[&str] = &[$($key),+];

        /// Parameters in the making: some keys may still be open.
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
                    _ => return Err(KeyProblem::Unknown { nearest: nearest_key(key) }),
                }
                Ok(())
            }

            /// The whole, or every key that is still open.
            pub(super) fn complete(self) -> Result<Parameters, Vec<(&'static str, KeyProblem)>> {
                let mut missing = Vec::new();
                $(if self.$field.is_none() {
                    missing.push(($key, KeyProblem::Missing { allowed: <$type as Value>::allowed() }));
                })+
                match self {
                    Self { $($field: Some($field)),+ } => Ok(Parameters { $($field),+ }),
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
    /// Fewest seats.
    seats_min: Whole<2, 10> = "seats.min";
    /// Most seats.
    seats_max: Whole<2, 10> = "seats.max";
    /// Cards dealt to each seat.
    hand_size: Whole<1, 20> = "deal.hand_size";
    /// How the first dealer is found.
    dealer: DealerChoice = "deal.dealer";
    /// What cards are worth in the cut.
    cut_values: CutValues = "deal.cut_values";
    /// Reverse as start card.
    start_reverse: StartReverse = "start.reverse";
    /// Draw Two as start card.
    start_draw_two: StartDrawTwo = "start.draw_two";
    /// Wild as start card.
    start_wild: StartWild = "start.wild";
    /// When drawing is allowed.
    draw: DrawPermission = "turn.draw";
    /// Whether a drawn card must be played.
    drawn_card: DrawnCard = "turn.drawn_card";
    /// How many cards are drawn.
    draw_count: DrawCount = "turn.draw_count";
    /// Whom a Draw Two hits.
    draw_two_target: DrawTwoTarget = "draw_two.target";
    /// Odds of the button.
    tinker_weights: ColorWeights = "tinker.weights";
    /// Where play goes on after a chosen victim.
    tinker_resume: TinkerResume = "tinker.resume";
    /// When a draw four is honest.
    draw_four_legality: DrawFourLegality = "draw_four.legality";
    /// What becomes of one that is not.
    draw_four_enforcement: Enforcement = "draw_four.enforcement";
    /// Villain Draw 4 as last card.
    villain_last_card: VillainLastCard = "villain_draw_four.last_card";
    /// Who may challenge.
    challengers: Challengers = "challenge.who";
    /// What a guilty player draws.
    guilty_draw: Whole<0, 20> = "challenge.guilty_draw";
    /// What a wrong challenger draws.
    wrong_draw: Whole<0, 20> = "challenge.wrong_draw";
    /// The turn of a victim who was right.
    winner_turn: WinnerTurn = "challenge.winner_turn";
    /// Whether the answer to a Cheese Touch may be refused.
    cheese_may_refuse: bool = "cheese_touch.may_refuse";
    /// Cheese Touch as last card.
    cheese_last_card: CheeseLastCard = "cheese_touch.last_card";
    /// Whether a swap of hands may be declined.
    swap_optional: bool = "swap_hands.optional";
    /// What Wild Discard All discards.
    discard_choice: DiscardChoice = "discard_all.choice";
    /// A Reverse with two seats.
    two_player_reverse: TwoPlayerReverse = "two_player.reverse";
    /// Whether calling UNO is a decision.
    uno_calls: UnoCalls = "uno.calls";
    /// Cards drawn by who is caught.
    uno_penalty: Whole<0, 10> = "uno.penalty";
    /// When the right to catch ends.
    uno_window: UnoWindow = "uno.window";
    /// Whether a late call before any catch saves.
    uno_self_catch: bool = "uno.self_catch";
    /// Who scores what.
    scoring: Scoring = "match.scoring";
    /// The ways of scoring that the edition has.
    allowed_scoring: Vec<Scoring> = "match.allowed_scoring";
    /// The score that ends a match.
    target: Whole<1, 1_000_000> = "match.target";
    /// Partners.
    teams: Teams = "match.teams";
    /// The partnerships that the edition has.
    allowed_teams: Vec<Teams> = "match.allowed_teams";
    /// Hands with each partner, four players.
    hands_per_partnership: Whole<1, 1000> = "match.hands_per_partnership";
    /// Hands with each partner, eight players.
    hands_per_partnership_tables: Whole<1, 1000> = "match.hands_per_partnership_tables";
    /// Answering a draw card with a draw card.
    stacking: Stacking = "house.stacking";
    /// A 7 swaps hands, a 0 moves all of them.
    seven_zero: bool = "house.seven_zero";
    /// An identical coloured card may be played out of turn.
    jump_in: bool = "house.jump_in";
}

/// Copies of a card, as the value of a `deck` key.
pub(super) fn read_copies(value: &toml::Value) -> Result<u32, KeyProblem> {
    Copies::read(value)
        .map(Copies::get)
        .ok_or_else(|| KeyProblem::Value { found: value.to_string(), allowed: Copies::allowed() })
}

/// The known key whose spelling is nearest, if it is near enough to be meant.
fn nearest_key(key: &str) -> Option<&'static str> {
    KEYS.iter().copied().map(|known| (edit_distance(key, known), known)).min().filter(|(d, _)| *d <= 3).map(|(_, k)| k)
}

/// Levenshtein's distance.
fn edit_distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, ca) in a.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, &cb) in b.iter().enumerate() {
            let substituted = diagonal + usize::from(ca != cb);
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}
