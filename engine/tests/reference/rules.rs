//! The rules of one variant as plain fields; the cards and their points.

use toml::{Table, Value};

use super::{Code, code};

/// One effect of a custom card.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    Draw { who: String, count: Count },
    Skip(usize),
    SkipAll,
    Reverse,
    NameColor,
    Discard { who: String, cards: String },
    ChooseColor { who: String },
    SwapHands,
    TradeHands { who: String },
    RotateHands,
    ShuffleHands,
    Look { who: String },
    Take { who: String, count: usize },
    Give { who: String, count: usize },
    Task { p: f64, fail: Vec<Self> },
    Choice { who: String, options: Vec<Vec<Self>> },
}

/// The number of drawn cards.
#[derive(Clone, Debug, PartialEq)]
pub enum Count {
    Fixed(usize),
    /// Any number from the first to the last, each equally likely.
    Random(usize, usize),
    /// Until a card of the color in force (`named_color`) or a playable card (`playable`) is drawn.
    Until(String),
    /// As on this many turns.
    Turns(usize),
}

/// A custom (Blank) card.
#[derive(Clone, Debug, PartialEq)]
pub struct Custom {
    pub name: String,
    pub code: Code,
    pub color: Option<char>,
    pub copies: usize,
    pub points: i64,
    /// `color`, `any` or a face as written in a card code: `7`, `S`, `R`, `D`, `C`.
    pub matches: String,
    /// Cards with the same symbol match.
    pub symbol: Option<String>,
    pub start: String,
    pub effects: Vec<Effect>,
}

/// A variant with every rule resolved.
#[derive(Clone, Debug, PartialEq)]
pub struct Variant {
    pub deck: Vec<Code>,
    pub customs: Vec<Custom>,
    points: Table,
    pub hand_size: usize,
    pub dealer: String,
    pub cut_values: String,
    pub start_reverse: String,
    pub start_draw_two: String,
    pub start_wild: String,
    pub turn_draw: String,
    pub drawn_card: String,
    /// `one`, `until_playable` or `random`.
    pub draw_count: String,
    /// The probabilities of 0, 1, 2, ... cards, if it is random.
    pub draw_odds: Vec<f64>,
    pub draw_two_target: String,
    pub tinker_weights: [f64; 4],
    pub tinker_resume: String,
    pub draw_four_legality: String,
    pub draw_four_enforcement: String,
    pub villain_last_card: String,
    pub challenge_who: String,
    pub guilty_draw: usize,
    pub wrong_draw: usize,
    pub winner_turn: String,
    pub cheese_may_refuse: bool,
    pub cheese_last_card: String,
    pub swap_optional: bool,
    pub discard_all_choice: String,
    pub two_player_reverse: String,
    pub uno_explicit: bool,
    pub uno_penalty: usize,
    pub uno_window: String,
    /// Whether a missing call after a lap is penalized without a catch.
    pub lap_penalty: bool,
    pub self_catch: bool,
    pub scoring: String,
    pub target: i64,
    pub teams: String,
    pub hands_per_partnership: usize,
    pub hands_per_partnership_tables: usize,
    pub stacking: String,
    pub seven_zero: bool,
    pub jump_in: bool,
    /// The number of cards that puts a player out of the round, if there is one, and the points for being out.
    pub hand_limit: Option<(usize, i64)>,
}

pub const COLORS: [char; 4] = ['r', 'y', 'g', 'b'];

/// The color of a card, or None for the wild kinds.
pub fn color_of(card: &str) -> Option<char> {
    let first = char::from(card.as_bytes()[0]);
    if COLORS.contains(&first) { Some(first) } else { None }
}

pub fn is_wild(card: &str) -> bool {
    color_of(card).is_none()
}

/// Wild Draw Four and Villain Draw 4: the two kinds with a condition.
pub fn is_draw_four(card: &str) -> bool {
    card == "W4" || card == "WV"
}

/// Draw Two of any color.
pub fn is_draw_two(card: &str) -> bool {
    !is_wild(card) && &card[1..] == "D"
}

fn is_number(card: &str) -> bool {
    !is_wild(card) && card[1..].parse::<i64>().is_ok()
}

fn get<'a>(table: &'a Table, key: &str) -> &'a Value {
    let parts: Vec<&str> = key.split('.').collect();
    let mut here = table;
    for part in &parts[..parts.len() - 1] {
        here = here.get(*part).and_then(Value::as_table).unwrap_or_else(|| panic!("the variant lacks {key}"));
    }
    here.get(parts[parts.len() - 1]).unwrap_or_else(|| panic!("the variant lacks {key}"))
}

/// A word, which must be one of the allowed words.
fn word(table: &Table, key: &str, allowed: &[&str]) -> String {
    let text = get(table, key).as_str().unwrap_or_else(|| panic!("{key} is not a word"));
    assert!(allowed.contains(&text), "{key} = {text}: not in {allowed:?}");
    text.to_string()
}

fn integer(value: &Value) -> i64 {
    value.as_integer().unwrap_or_else(|| panic!("{value} is not an integer"))
}

fn count(value: &Value) -> usize {
    usize::try_from(integer(value)).unwrap_or_else(|_| panic!("{value} is negative"))
}

fn flag(table: &Table, key: &str) -> bool {
    get(table, key).as_bool().unwrap_or_else(|| panic!("{key} is neither true nor false"))
}

fn real(value: &Value) -> f64 {
    if let Some(number) = value.as_float() {
        return number;
    }
    if value.as_integer() == Some(1) {
        return 1.0;
    }
    assert_eq!(value.as_integer(), Some(0), "{value} is not a probability");
    0.0
}

impl Variant {
    /// Reads a fully resolved variant: every key of parameters.md. Panics on nonsense.
    pub fn from_toml(text: &str) -> Self {
        let table: Table = text.parse().expect("the variant is TOML");
        Self::from_table(&table)
    }

    pub fn from_table(t: &Table) -> Self {
        let mut customs = Vec::new();
        if let Some(list) = t.get("custom") {
            for entry in list.as_array().expect("custom is a list") {
                for card in in_each_color(entry.as_table().expect("a custom card is a table")) {
                    customs.push(read_custom(&card));
                }
            }
        }
        let deck = read_deck(get(t, "deck").as_table().expect("deck is a table"), &customs);
        let points = get(t, "points").as_table().expect("points is a table").clone();
        let mut weights = [0.0; 4];
        let list = get(t, "tinker.weights").as_array().expect("tinker.weights is a list");
        assert_eq!(list.len(), 4, "tinker.weights needs four numbers");
        for i in 0..4 {
            weights[i] = real(&list[i]);
        }
        Self {
            deck,
            customs,
            points,
            hand_size: count(get(t, "deal.hand_size")),
            dealer: word(t, "deal.dealer", &["cut", "random", "fixed"]),
            cut_values: word(t, "deal.cut_values", &["number", "points"]),
            start_reverse: word(t, "start.reverse", &["dealer_first", "mirror_first"]),
            start_draw_two: word(t, "start.draw_two", &["draw_and_miss", "draw_only", "tinker"]),
            start_wild: word(t, "start.wild", &["first_names", "return"]),
            turn_draw: word(t, "turn.draw", &["always", "no_match", "no_playable"]),
            drawn_card: word(t, "turn.drawn_card", &["may", "must"]),
            draw_count: match get(t, "turn.draw_count") {
                Value::Array(_) => "random".to_string(),
                _ => word(t, "turn.draw_count", &["one", "until_playable"]),
            },
            draw_odds: get(t, "turn.draw_count")
                .as_array()
                .map_or_else(Vec::new, |list| list.iter().map(real).collect()),
            draw_two_target: word(t, "draw_two.target", &["next", "tinker"]),
            tinker_weights: weights,
            tinker_resume: word(t, "tinker.resume", &["after_victim", "after_player"]),
            draw_four_legality: word(t, "draw_four.legality", &["any", "no_color", "no_match", "no_other_playable"]),
            draw_four_enforcement: word(t, "draw_four.enforcement", &["bluff", "engine"]),
            villain_last_card: word(t, "villain_draw_four.last_card", &["next_draws", "full"]),
            challenge_who: word(t, "challenge.who", &["none", "victim", "any_other"]),
            guilty_draw: count(get(t, "challenge.guilty_draw")),
            wrong_draw: count(get(t, "challenge.wrong_draw")),
            winner_turn: word(t, "challenge.winner_turn", &["plays", "loses"]),
            cheese_may_refuse: flag(t, "cheese_touch.may_refuse"),
            cheese_last_card: word(t, "cheese_touch.last_card", &["none", "draw"]),
            swap_optional: flag(t, "swap_hands.optional"),
            discard_all_choice: word(t, "discard_all.choice", &["all_or_none", "all"]),
            two_player_reverse: word(t, "two_player.reverse", &["skip", "literal"]),
            uno_explicit: word(t, "uno.calls", &["auto", "explicit"]) == "explicit",
            uno_penalty: count(get(t, "uno.penalty")),
            uno_window: word(t, "uno.window", &["next_begins", "next_draws", "next_plays", "while_one_card"]),
            lap_penalty: t
                .get("victory_lap")
                .is_some_and(|lap| lap.get("missed_call").and_then(Value::as_str) == Some("penalty")),
            self_catch: flag(t, "uno.self_catch"),
            scoring: word(t, "match.scoring", &["winner_takes", "running_lowest", "elimination"]),
            target: integer(get(t, "match.target")),
            teams: word(t, "match.teams", &["none", "fixed", "rotating", "rotating_tables"]),
            hands_per_partnership: count(get(t, "match.hands_per_partnership")),
            hands_per_partnership_tables: count(get(t, "match.hands_per_partnership_tables")),
            stacking: word(t, "house.stacking", &["off", "same_kind", "any_draw", "equal_or_higher"]),
            seven_zero: flag(t, "house.seven_zero"),
            jump_in: flag(t, "house.jump_in"),
            hand_limit: t.get("house").and_then(|house| house.get("hand_limit")).and_then(hand_limit),
        }
    }

    pub fn custom(&self, card: &str) -> Option<&Custom> {
        self.customs.iter().find(|custom| custom.code == card)
    }

    /// The number of cards that a draw card is worth where an answer must be worth as many or more.
    pub fn stack_value(&self, card: Code) -> Option<usize> {
        let Some(custom) = self.custom(card) else {
            return if is_draw_two(card) { Some(2) } else { (card == "W4").then_some(4) };
        };
        let mut effects: Vec<&Effect> = custom.effects.iter().filter(|effect| **effect != Effect::NameColor).collect();
        if effects.first() == Some(&&Effect::Reverse) {
            effects.remove(0);
        }
        match effects[..] {
            [Effect::Draw { who, count: Count::Fixed(many) }, Effect::Skip(1)] if who == "next" => Some(*many),
            _ => None,
        }
    }

    /// Whether a color is named with the play of this card.
    pub fn names_color(&self, card: &str) -> bool {
        match self.custom(card) {
            Some(custom) => contains(&custom.effects, &|effect| *effect == Effect::NameColor),
            None => card == "W" || card == "W4" || card == "WS",
        }
    }

    /// The ways to match a card other than by color: its number or its symbol; for a custom card, its code (two copies always
    /// match), the face that it shares, and its symbol.
    pub fn faces(&self, card: Code) -> impl Iterator<Item = &str> {
        let faces = match self.custom(card) {
            Some(custom) if custom.matches != "color" && custom.matches != "any" => {
                [Some(custom.code), Some(custom.matches.as_str()), custom.symbol.as_deref()]
            }
            Some(custom) => [Some(custom.code), None, custom.symbol.as_deref()],
            None if is_wild(card) => [None, None, None],
            None => [Some(&card[1..]), None, None],
        };
        faces.into_iter().flatten()
    }

    /// Whether this card, turned up to begin a round, stays (section 1.3 of editions.md).
    pub fn startable(&self, card: &str) -> bool {
        if let Some(custom) = self.custom(card) {
            // parameters.md, finer points: `return` concerns every start card that would name a color
            let names = is_wild(card) || self.names_color(card);
            return custom.start == "plain" && !(names && self.start_wild == "return");
        }
        match card {
            "W" | "WS" => self.start_wild == "first_names", // SW-01, SW-06
            "W4" | "WV" | "WA" | "WL" => false,             // CA-02
            _ => true,                                      // WK-01: a Cheese Touch is a plain yellow card
        }
    }

    /// Point value of a card (section 1.11).
    pub fn points_of(&self, card: &str) -> i64 {
        if let Some(custom) = self.custom(card) {
            return custom.points;
        }
        if is_number(card) {
            let number = get(&self.points, "number");
            return match number.as_integer() {
                Some(fixed) => fixed,
                None => card[1..].parse().expect("a digit"),
            };
        }
        integer(get(&self.points, name_of(card)))
    }

    /// The value of a card in the cut for dealer.
    pub fn cut_value(&self, card: &str) -> i64 {
        if self.cut_values == "points" {
            return self.points_of(card); // SW-03, DI-27
        }
        if is_number(card) {
            card[1..].parse().expect("a digit")
        } else {
            0 // WK-16
        }
    }
}

/// `"none"`, a number of cards, or that number with points.
fn hand_limit(value: &Value) -> Option<(usize, i64)> {
    if let Some(table) = value.as_table() {
        return Some((count(get(table, "cards")), integer(get(table, "points"))));
    }
    if value.as_str() == Some("none") { None } else { Some((count(value), 0)) }
}

/// Whether some effect of the list, or of a failed task or an option in it, fulfils the test.
pub fn contains(effects: &[Effect], test: &dyn Fn(&Effect) -> bool) -> bool {
    for effect in effects {
        if test(effect) {
            return true;
        }
        let lists: &[Vec<Effect>] = match effect {
            Effect::Task { fail, .. } => std::slice::from_ref(fail),
            Effect::Choice { options, .. } => options,
            _ => &[],
        };
        if lists.iter().any(|list| contains(list, test)) {
            return true;
        }
    }
    false
}

fn name_of(card: &str) -> &'static str {
    match card {
        "W" => "wild",
        "W4" => "wild_draw_four",
        "WV" => "villain_draw_four",
        "WS" => "swap_hands",
        "WL" => "victory_lap",
        "WA" => "discard_all",
        _ => match &card[1..] {
            "S" => "skip",
            "R" => "reverse",
            "D" => "draw_two",
            "C" => "cheese_touch",
            _ => panic!("unknown card {card}"),
        },
    }
}

fn read_deck(table: &Table, customs: &[Custom]) -> Vec<Code> {
    let mut copies: Vec<(Code, usize)> = Vec::new();
    for color in COLORS {
        for number in 0..10 {
            let many = if number == 0 { 1 } else { 2 };
            copies.push((code(&format!("{color}{number}")), many));
        }
        copies.push((code(&format!("{color}S")), count(get(table, "skip"))));
        copies.push((code(&format!("{color}R")), count(get(table, "reverse"))));
        copies.push((code(&format!("{color}D")), count(get(table, "draw_two"))));
    }
    for card in ["W", "W4", "WV", "WS", "WL", "WA", "yC"] {
        copies.push((card, count(get(table, name_of(card)))));
    }
    let names = [
        "skip",
        "reverse",
        "draw_two",
        "wild",
        "wild_draw_four",
        "villain_draw_four",
        "cheese_touch",
        "swap_hands",
        "victory_lap",
        "discard_all",
    ];
    // Any other key is the code of a single card: `y7 = 1`.
    for (key, value) in table {
        if names.contains(&key.as_str()) {
            continue;
        }
        let place = copies.iter().position(|(card, _)| card == key);
        let place = place.unwrap_or_else(|| panic!("unknown card deck.{key}"));
        copies[place].1 = count(value);
    }
    for custom in customs {
        assert!(!copies.iter().any(|(card, _)| *card == custom.code), "the code {} is taken", custom.code);
        copies.push((custom.code, custom.copies));
    }
    let mut deck = Vec::new();
    for (card, many) in copies {
        for _ in 0..many {
            deck.push(card);
        }
    }
    deck
}

/// A definition with `colors` is a card in each of them, all with one symbol.
fn in_each_color(table: &Table) -> Vec<Table> {
    let Some(colors) = table.get("colors") else {
        return vec![table.clone()];
    };
    let letter = get(table, "code").as_str().expect("a code").to_string();
    let mut cards = Vec::new();
    for color in colors.as_array().expect("a list of colors") {
        let mut card = table.clone();
        let name = color.as_str().expect("a color");
        card.insert("code".to_string(), Value::from(format!("{}{letter}", &name[..1])));
        card.insert("color".to_string(), color.clone());
        if !card.contains_key("symbol") {
            card.insert("symbol".to_string(), Value::from(letter.clone()));
        }
        cards.push(card);
    }
    cards
}

fn read_custom(table: &Table) -> Custom {
    let text = |key: &str| get(table, key).as_str().expect("a word").to_string();
    let code = code(&text("code"));
    let color = match text("color").as_str() {
        "red" => Some('r'),
        "yellow" => Some('y'),
        "green" => Some('g'),
        "blue" => Some('b'),
        "wild" => None,
        other => panic!("unknown color {other}"),
    };
    assert_eq!(color_of(code), color, "the code {code} begins with the color");
    let matches = match table.get("match").and_then(Value::as_str).unwrap_or("color") {
        "skip" => "S",
        "reverse" => "R",
        "draw_two" => "D",
        "cheese_touch" => "C",
        other => other,
    };
    // SW-05: a definition without a start key returns the card
    let start = table.get("start").and_then(Value::as_str).unwrap_or("return");
    Custom {
        name: text("name"),
        color,
        copies: table.get("copies").map_or(1, count),
        points: table.get("points").map_or(0, integer),
        matches: matches.to_string(),
        symbol: table.get("symbol").map(|symbol| format!("symbol {}", symbol.as_str().expect("a text"))),
        start: start.to_string(),
        effects: table.get("effects").map_or_else(Vec::new, read_effects),
        code,
    }
}

fn read_effects(value: &Value) -> Vec<Effect> {
    let mut effects = Vec::new();
    for entry in value.as_array().expect("effects is a list") {
        if let Some(name) = entry.as_str() {
            effects.push(match name {
                "reverse" => Effect::Reverse,
                "name_color" => Effect::NameColor,
                "swap_hands" => Effect::SwapHands,
                "rotate_hands" => Effect::RotateHands,
                "shuffle_hands" => Effect::ShuffleHands,
                _ => panic!("unknown effect {name}"),
            });
            continue;
        }
        let table = entry.as_table().expect("an effect is a word or a table");
        assert_eq!(table.len(), 1, "one effect a table");
        for (name, value) in table {
            effects.push(read_effect(name, value));
        }
    }
    effects
}

fn table_of(value: &Value) -> &Table {
    value.as_table().expect("a table")
}

fn read_effect(name: &str, value: &Value) -> Effect {
    let part = |key: &str| get(value.as_table().expect("a table"), key);
    let who = || part("who").as_str().expect("a word").to_string();
    match name {
        "draw" => {
            let many = match (table_of(value).get("until"), table_of(value).get("count")) {
                (Some(until), _) => Count::Until(until.as_str().expect("a word").to_string()),
                (_, Some(Value::Table(turns))) if turns.contains_key("turns") => {
                    Count::Turns(count(get(turns, "turns")))
                }
                (_, Some(Value::Table(range))) => Count::Random(count(get(range, "from")), count(get(range, "to"))),
                (_, fixed) => Count::Fixed(count(fixed.expect("a count"))),
            };
            Effect::Draw { who: who(), count: many }
        }
        "choose_color" => Effect::ChooseColor { who: who() },
        "trade_hands" => Effect::TradeHands { who: who() },
        "skip" if value.as_str() == Some("all") => Effect::SkipAll,
        "skip" => Effect::Skip(count(value)),
        "discard" => Effect::Discard { who: who(), cards: part("cards").as_str().expect("a word").to_string() },
        "look" => Effect::Look { who: who() },
        "take" => Effect::Take { who: who(), count: count(part("count")) },
        "give" => Effect::Give { who: who(), count: count(part("count")) },
        "choice" => {
            let chooser = who();
            let options = part("options").as_array().expect("a list of options");
            let read = |option: &Value| read_effects(get(table_of(option), "effects"));
            let mut options: Vec<Vec<Effect>> = options.iter().map(read).collect();
            if chooser == "self" {
                options.iter_mut().for_each(|option| chooser_is_player(option));
            }
            Effect::Choice { who: chooser, options }
        }
        "task" => Effect::Task { p: real(part("p")), fail: read_effects(part("fail")) },
        _ => panic!("unknown effect {name}"),
    }
}

/// If the player of a card chooses, that player is the chooser.
fn chooser_is_player(effects: &mut [Effect]) {
    for effect in effects {
        match effect {
            Effect::Draw { who, .. }
            | Effect::Discard { who, .. }
            | Effect::ChooseColor { who }
            | Effect::TradeHands { who }
            | Effect::Look { who }
            | Effect::Take { who, .. }
            | Effect::Give { who, .. }
                if who == "chooser" =>
            {
                *who = "self".to_string();
            }
            Effect::Task { fail, .. } => chooser_is_player(fail),
            _ => {}
        }
    }
}
