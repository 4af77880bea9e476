//! Tables for tests with random play: every preset, every value of every rule key, custom cards.

#![allow(dead_code, missing_docs, unreachable_pub)]

use std::str::FromStr;

use unolab_engine::rng::Rng;
use unolab_engine::rules::{Override, Rules, TableSize, VariantFiles, VariantText, load};

/// Every rule key with valid values, all of them if they are words. If a value requires other settings, these follow it after
/// a `+`.
pub const VALUES: &[(&str, &str)] = &[
    ("points.number", "face 0 5"),
    ("points.skip", "0 20 1000"),
    ("points.reverse", "1 20"),
    ("points.draw_two", "2 20"),
    ("points.wild", "0 50 1000"),
    ("points.wild_draw_four", "7 50"),
    ("points.villain_draw_four", "0 75"),
    ("points.cheese_touch", "11 50"),
    ("points.swap_hands", "40 50"),
    ("points.victory_lap", "13 50"),
    ("points.discard_all", "17 50"),
    ("seats.min", "2 3"),
    ("seats.max", "9 10"),
    ("deal.hand_size", "1 2 3 7 9 14 20"),
    ("deal.dealer", "cut random fixed"),
    ("deal.cut_values", "number points"),
    ("start.reverse", "dealer_first mirror_first"),
    ("start.draw_two", "draw_and_miss draw_only tinker"),
    ("start.wild", "first_names return"),
    ("turn.draw", "always no_match no_playable"),
    ("turn.drawn_card", "may must"),
    ("turn.draw_count", "one until_playable [0.5,0.5] [0,0.25,0,0.75]"),
    ("draw_two.target", "next tinker+house.stacking=off"),
    ("tinker.weights", "[0.25,0.25,0.25,0.25] [1,0,0,0] [0,0.5,0,0.5] [0.1,0.2,0.7,0]"),
    ("tinker.resume", "after_victim after_player+draw_two.target=tinker"),
    ("draw_four.legality", "any no_color no_match no_other_playable"),
    ("draw_four.enforcement", "bluff+challenge.who=victim bluff+challenge.who=any_other engine+challenge.who=none"),
    ("villain_draw_four.last_card", "next_draws full"),
    (
        "challenge.who",
        "none+draw_four.enforcement=engine victim+draw_four.enforcement=bluff any_other+draw_four.enforcement=bluff",
    ),
    ("challenge.guilty_draw", "0 4 20"),
    ("challenge.wrong_draw", "0 6 20"),
    ("challenge.winner_turn", "plays loses"),
    ("cheese_touch.may_refuse", "true false"),
    ("cheese_touch.last_card", "none draw"),
    ("swap_hands.optional", "true false"),
    ("discard_all.choice", "all_or_none all"),
    ("two_player.reverse", "skip literal"),
    ("uno.calls", "auto explicit"),
    ("uno.penalty", "0+uno.calls=explicit 2 4 10+uno.calls=explicit"),
    (
        "uno.window",
        "next_begins+uno.calls=explicit next_draws+uno.calls=explicit next_plays+uno.calls=explicit \
         while_one_card+uno.calls=explicit",
    ),
    ("victory_lap.missed_call", "caught penalty penalty+uno.calls=explicit"),
    ("uno.self_catch", "true false+uno.calls=explicit"),
    ("match.scoring", "winner_takes running_lowest elimination"),
    ("match.allowed_scoring", "[\"winner_takes\"] [\"elimination\",\"winner_takes\",\"running_lowest\"]"),
    ("match.target", "1 200 500 1000000"),
    ("match.teams", "none fixed rotating rotating_tables"),
    ("match.allowed_teams", "[\"none\"] [\"rotating_tables\",\"rotating\",\"fixed\",\"none\"]"),
    ("match.hands_per_partnership", "1 4"),
    ("match.hands_per_partnership_tables", "1 4"),
    (
        "house.stacking",
        "off same_kind+draw_two.target=next any_draw+draw_two.target=next equal_or_higher+draw_two.target=next",
    ),
    ("house.seven_zero", "false true"),
    ("house.hand_limit", "none 21 9+match.teams=none {cards=12,points=250}+match.teams=none"),
    ("house.jump_in", "false true true+uno.calls=explicit"),
    // Decks: without a card, with many of it, with the cards of another edition.
    ("deck.skip", "0 2 8"),
    ("deck.reverse", "0 2 6"),
    ("deck.draw_two", "0 2 5"),
    ("deck.wild", "0 4 15"),
    ("deck.wild_draw_four", "0 4 8"),
    ("deck.villain_draw_four", "0 4 8"),
    ("deck.cheese_touch", "0 4 8"),
    ("deck.swap_hands", "0 1 8"),
    ("deck.victory_lap", "0 4 8"),
    ("deck.discard_all", "0 4 8"),
    ("deck.y7", "0 1 8"),
    ("deck.rS", "0 1"),
];

/// The settings of one value of [`VALUES`], such as `["draw_two.target=tinker", "house.stacking=off"]`.
pub fn settings(key: &str, value: &str) -> Vec<String> {
    let mut parts = value.split('+');
    let own = parts.next().expect("split gives something");
    std::iter::once(format!("{key}={own}")).chain(parts.map(str::to_string)).collect()
}

/// Each setting of [`VALUES`].
pub fn all_settings() -> Vec<Vec<String>> {
    VALUES.iter().flat_map(|(key, values)| values.split(' ').map(|value| settings(key, value))).collect()
}

/// A variant before it is loaded: a base, custom cards, and settings, of which later ones override earlier ones.
#[derive(Debug, Clone)]
pub struct Sheet {
    pub base: String,
    /// `[[custom]]` tables.
    pub custom: String,
    pub set: Vec<String>,
}

impl Sheet {
    pub fn plain(base: &str) -> Self {
        Self { base: base.into(), custom: String::new(), set: Vec::new() }
    }

    /// The variant file, without the settings.
    pub fn text(&self) -> String {
        format!("base = \"{}\"\n{}", self.base, self.custom)
    }

    /// The rules for this number of seats, or the reason why they are invalid.
    pub fn rules(&self, seats: usize) -> Result<Rules, String> {
        let overrides: Vec<Override> =
            self.set.iter().map(|text| Override::from_str(text).expect("key=value")).collect();
        // A preset keeps its name.
        let variant = if self.custom.is_empty() { self.base.as_str() } else { "a sheet" };
        let loaded = load(variant, &overrides, TableSize::Seats(seats), self).map_err(|error| error.to_string())?;
        Ok(loaded.rules)
    }
}

impl VariantFiles for Sheet {
    fn read(&self, _base: &str, _from: &str) -> Result<VariantText, String> {
        Ok(VariantText { name: "a sheet".into(), text: self.text() })
    }
}

/// A number below `bound`.
pub fn below(rng: &mut Rng, bound: usize) -> usize {
    rng.below(u32::try_from(bound).expect("small")) as usize
}

/// One of these.
pub fn one_of<T: Copy>(rng: &mut Rng, items: &[T]) -> T {
    items[below(rng, items.len())]
}

/// A few settings at random.
pub fn random_settings(rng: &mut Rng) -> Vec<String> {
    let mut set = Vec::new();
    for _ in 0..below(rng, 7) {
        let (key, values) = one_of(rng, VALUES);
        let values: Vec<&str> = values.split(' ').collect();
        set.extend(settings(key, one_of(rng, &values)));
    }
    set
}

/// One to four custom cards at random, of every color, kind of match and effect.
pub fn random_custom_cards(rng: &mut Rng) -> String {
    let mut cards = String::new();
    for place in 0..=below(rng, 4) {
        let (color, letter) =
            one_of(rng, &[("red", 'r'), ("yellow", 'y'), ("green", 'g'), ("blue", 'b'), ("wild", 'W')]);
        let face = one_of(rng, &["7", "0", "3", "skip", "reverse", "draw_two"]);
        let matches = one_of(rng, &["color", "any", face]);
        let start = one_of(rng, &["plain", "return"]);
        let count = below(rng, 4);
        let effects: Vec<String> = (0..count).map(|_| random_effect(rng, 2, None)).collect();
        cards += &format!(
            "[[custom]]\nname = \"number {place}\"\ncode = \"{letter}{}\"\ncolor = \"{color}\"\ncopies = {}\npoints = {}\n\
             match = \"{matches}\"\nstart = \"{start}\"\neffects = [{}]\n",
            ['X', 'Y', 'Z', 'Q'][place],
            1 + below(rng, 15),
            10 * below(rng, 6),
            effects.join(", "),
        );
    }
    cards
}

/// The players that an effect may concern; `partner` only with partners.
const WHO: [&str; 9] =
    ["self", "next", "previous", "others", "all", "chosen", "random_other", "smallest_hand", "largest_hand"];

/// A random effect with at most this depth of tasks; `chooser` is the player that chose the option around it.
fn random_effect(rng: &mut Rng, depth: usize, chooser: Option<&str>) -> String {
    let mut who = one_of(rng, &WHO);
    let mut another = one_of(rng, &["next", "previous", "chosen", "random_other", "smallest_hand", "largest_hand"]);
    if let Some(chooser) = chooser
        && below(rng, 3) > 0
    {
        who = "chooser";
        another = if chooser == "self" { another } else { "chooser" };
    }
    let others = one_of(rng, &[another, "others", "all"]);
    let kinds = match (depth, chooser) {
        (0, _) => 15,
        (_, Some(_)) => 16,
        (_, None) => 18,
    };
    match below(rng, kinds) {
        0 | 1 => format!("{{ draw = {{ who = \"{who}\", {} }} }}", random_amount(rng)),
        2 => format!("{{ skip = {} }}", one_of(rng, &["1", "2", "10", "\"all\""])),
        3 => "\"reverse\"".into(),
        4 => "\"name_color\"".into(),
        5 => format!("{{ discard = {{ who = \"{who}\", cards = \"{}\" }} }}", one_of(rng, &["wilds", "named_color"])),
        6 => "\"swap_hands\"".into(),
        7 => "\"rotate_hands\"".into(),
        8 => format!("{{ look = {{ who = \"{others}\" }} }}"),
        9 => format!("{{ take = {{ who = \"{others}\", count = {} }} }}", 1 + below(rng, 3)),
        10 => format!("{{ give = {{ who = \"{others}\", count = {} }} }}", 1 + below(rng, 3)),
        11 => format!("{{ choose_color = {{ who = \"{}\" }} }}", one_of(rng, &[another, "self"])),
        12 => format!("{{ trade_hands = {{ who = \"{another}\" }} }}"),
        13 => one_of(
            rng,
            &[
                "\"reverse\", { skip = 1 }",
                "\"reverse\", \"reverse\"",
                "{ draw = { who = \"next\", count = 3 } }, { skip = 1 }",
                "\"reverse\", { draw = { who = \"next\", count = 4 } }, { skip = 1 }",
            ],
        )
        .into(),
        14 => "\"shuffle_hands\"".into(),
        16.. => {
            let chooser = one_of(rng, &[another, "self"]);
            let options: Vec<String> = (0..2 + below(rng, 3))
                .map(|number| {
                    let effects: Vec<String> =
                        (0..below(rng, 3)).map(|_| random_effect(rng, depth - 1, Some(chooser))).collect();
                    format!("{{ name = \"option {number}\", effects = [{}] }}", effects.join(", "))
                })
                .collect();
            format!("{{ choice = {{ who = \"{chooser}\", options = [{}] }} }}", options.join(", "))
        }
        _ => {
            let fail: Vec<String> = (0..=below(rng, 2)).map(|_| random_effect(rng, depth - 1, chooser)).collect();
            format!("{{ task = {{ p = {}, fail = [{}] }} }}", one_of(rng, &["0.0", "0.5", "1.0"]), fail.join(", "))
        }
    }
}

fn random_amount(rng: &mut Rng) -> String {
    match below(rng, 6) {
        5 => format!("count = {{ turns = {} }}", 1 + below(rng, 2)),
        0 => format!("count = {{ from = {}, to = {} }}", below(rng, 2), 2 + below(rng, 3)),
        1 => format!("until = \"{}\"", one_of(rng, &["named_color", "playable", "any"])),
        _ => format!("count = {}", 1 + below(rng, 3)),
    }
}

/// The custom cards of the project's variant files, with their base presets.
pub fn custom_variants() -> Vec<Sheet> {
    let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/scenarios/variants");
    let mut paths: Vec<_> =
        std::fs::read_dir(directory).expect("the directory is there").map(|e| e.expect("readable").path()).collect();
    paths.sort();
    let sheet_of = |path| {
        let text = std::fs::read_to_string(path).expect("readable");
        let mut table: toml::Table = text.parse().expect("TOML");
        let base = table.remove("base").and_then(|base| base.as_str().map(str::to_string)).expect("a base");
        Sheet { base, custom: table.to_string(), set: Vec::new() }
    };
    paths.iter().map(sheet_of).collect()
}
