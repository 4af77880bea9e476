//! The rules of a round: kinds of cards, values of keys, and the tables compiled from them.

use super::card_def::{COLORED_ACTIONS, CardDef, CardKind, CustomCard, Special, ordinary_code};
use super::card_keys;
use super::compile::{ButtonOdds, Features, Tables};
use super::effect::Step;
use super::kind_table::KindTable;
use super::parameters::Parameters;
use super::table_size::TableSize;
use crate::card::{Card, CardSet, Face};
use crate::cards::Cards;
use crate::color::Color;
use crate::cpu::simd::weighted_sum;
use crate::hash::digest;

/// The compiled rules of a variant.
#[derive(Debug, Clone)]
pub struct Rules {
    name: String,
    parameters: Parameters,
    kinds: Vec<CardDef>,
    /// The definitions of all custom cards, including those without copies.
    custom_cards: Vec<CustomCard>,
    size: TableSize,
    kind_table: KindTable,
    pub(crate) tables: Tables,
}

impl Rules {
    pub(super) fn compile(
        name: &str,
        parameters: Parameters,
        kinds: Vec<CardDef>,
        custom_cards: Vec<CustomCard>,
        size: TableSize,
    ) -> Self {
        let tables = Tables::compile(&parameters, &kinds);
        let kind_table = KindTable::compile(&tables, &parameters);
        Self { name: name.into(), parameters, kinds, custom_cards, size, kind_table, tables }
    }

    /// The same rules with the first dealer that `base` would have chosen: a card in both decks has the cut value of `base`.
    /// So two rule sets that differ in points can be compared on the same deals.
    #[must_use]
    pub fn with_cut_values_of(mut self, base: &Self) -> Self {
        for (index, kind) in self.kinds.iter().enumerate() {
            if let Some(other) = base.kinds.iter().position(|other| other.code == kind.code) {
                self.tables.cut_values[index] = base.tables.cut_values[other];
            }
        }
        self
    }

    /// The name of the variant: a preset's name, or the file's name without its extension.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The number of players of the rules; if it was not given, the number that teams require, or the smallest allowed
    /// number.
    #[must_use]
    pub fn num_players(&self) -> usize {
        match self.size {
            TableSize::Seats(players) => players,
            TableSize::Any => {
                self.parameters.teams.num_players().unwrap_or_else(|| self.parameters.seats_min.get() as usize)
            }
        }
    }

    /// Whether some card makes players discard. Its effect then depends on cards that only these players see.
    #[must_use]
    pub fn makes_players_discard(&self) -> bool {
        self.tables.steps.iter().any(|step| matches!(step, Step::Discard { .. }))
    }

    /// The value of every rule key.
    #[must_use]
    #[inline]
    pub const fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// The kinds of card, by their number.
    #[must_use]
    pub fn kinds(&self) -> &[CardDef] {
        &self.kinds
    }

    /// The kinds by effect.
    #[must_use]
    #[inline]
    pub const fn kind_table(&self) -> &KindTable {
        &self.kind_table
    }

    /// The definition of a kind.
    ///
    /// # Panics
    /// If the card is of another variant.
    #[must_use]
    #[track_caller]
    pub fn card_def(&self, card: Card) -> &CardDef {
        &self.kinds[card.index()]
    }

    /// Every kind, lowest number first.
    pub fn cards(&self) -> impl ExactSizeIterator<Item = Card> + Clone + use<> {
        (0..self.kinds.len()).map(Card::new)
    }

    /// The kind with this code, such as `r7` or `W4`.
    #[must_use]
    pub fn card(&self, code: &str) -> Option<Card> {
        self.kinds.iter().position(|def| def.code == code).map(Card::new)
    }

    /// All cards of the deck.
    #[must_use]
    #[inline]
    pub const fn deck(&self) -> Cards {
        self.tables.deck
    }

    /// The points of a card in a hand at the end of a round.
    #[must_use]
    #[inline]
    pub const fn points(&self, card: Card) -> u32 {
        self.tables.points[card.index()] as u32
    }

    /// The points of a hand.
    #[must_use]
    #[inline(always)]
    pub fn points_of(&self, cards: Cards) -> u32 {
        weighted_sum(&self.tables.point_bits, cards.planes())
    }

    /// The color of a card, unless it is wild.
    #[must_use]
    #[inline]
    pub const fn color_of(&self, card: Card) -> Option<Color> {
        self.tables.color_of[card.index()]
    }

    /// The face by which other cards match it, if it has one.
    #[must_use]
    pub fn face_of(&self, card: Card) -> Option<Face> {
        self.card_def(card).face()
    }

    /// The kinds of a color.
    #[must_use]
    #[inline]
    pub const fn of_color(&self, color: Color) -> CardSet {
        self.tables.of_color[color.index()]
    }

    /// The kinds that have a color.
    #[must_use]
    #[inline]
    pub const fn colored(&self) -> CardSet {
        self.tables.colored
    }

    /// The ordinary cards, each in its color, that show this face.
    #[must_use]
    #[inline]
    pub const fn of_face(&self, face: Face) -> CardSet {
        self.tables.of_face[face.index()]
    }

    /// A special card as a set, which is empty if the variant does not have it.
    #[must_use]
    #[inline]
    pub const fn of_special(&self, special: Special) -> CardSet {
        self.tables.of_special[special as usize]
    }

    /// Every kind.
    #[must_use]
    #[inline]
    pub const fn every_kind(&self) -> CardSet {
        self.tables.deck.distinct()
    }

    /// The custom cards.
    #[must_use]
    #[inline]
    pub const fn custom(&self) -> CardSet {
        self.tables.custom
    }

    /// The cards that can be played on this card with this color in force, including draw fours; without a color, those
    /// that can be played with any color.
    #[must_use]
    #[inline]
    pub fn can_follow(&self, top: Card, color: Option<Color>) -> CardSet {
        let playable_on = &self.tables.playable_on[top.index()];
        match color {
            Some(_) => playable_on.cards(color),
            None => playable_on.of_each_color().into_iter().fold(self.every_kind(), |all, cards| all & cards),
        }
    }

    /// The steps of this card.
    #[inline]
    pub(crate) fn steps_of(&self, card: Card) -> &[Step] {
        let (first, end) = self.tables.steps_of[card.index()];
        &self.tables.steps[usize::from(first)..usize::from(end)]
    }

    /// The most options that a card of these rules offers in a choice; 0 if no card does.
    #[must_use]
    pub fn most_options(&self) -> usize {
        let options = self.tables.steps.iter().map(|step| match step {
            Step::Choice { options, .. } => usize::from(*options),
            _ => 0,
        });
        options.max().unwrap_or(0)
    }

    /// Wild Draw Four and Villain Draw 4.
    #[must_use]
    #[inline]
    pub const fn draw_fours(&self) -> CardSet {
        self.tables.draw_fours
    }

    /// The kinds with the most points among these.
    #[must_use]
    #[inline]
    pub fn highest_of(&self, cards: CardSet) -> CardSet {
        // From the highest bit of the ranks on, keeps the kinds with this bit, if there are any; without a branch.
        let narrow = |highest: CardSet, &with_bit: &CardSet| {
            let with_it = highest & with_bit;
            if with_it.any() { with_it } else { highest }
        };
        let high_bits = &self.tables.high_rank_bits;
        let cards = if high_bits.is_empty() { cards } else { high_bits.iter().fold(cards, narrow) };
        self.tables.rank_bits.iter().fold(cards, narrow)
    }

    /// The kinds that set the color and have no effect, except to reverse the direction or to skip the next player.
    #[must_use]
    #[inline]
    pub const fn plain_cards(&self) -> CardSet {
        self.tables.plain
    }

    /// The kinds whose player names a color with the play.
    #[must_use]
    #[inline]
    pub const fn names_color(&self) -> CardSet {
        self.tables.names_color
    }

    /// The features of the variant.
    #[must_use]
    #[inline]
    pub const fn features(&self) -> Features {
        self.tables.features
    }

    /// The probabilities of the button.
    #[must_use]
    pub const fn button(&self) -> &ButtonOdds {
        &self.tables.button
    }

    /// The numbers of players that this variant allows.
    #[must_use]
    pub const fn seats(&self) -> std::ops::RangeInclusive<usize> {
        self.parameters.seats_min.get() as usize..=self.parameters.seats_max.get() as usize
    }

    /// The keys of the custom cards: the copies and points of each, and every number in its effects, with their values.
    #[must_use]
    pub fn custom_card_keys(&self) -> Vec<(String, toml::Value)> {
        self.custom_cards.iter().flat_map(card_keys::number_keys).collect()
    }

    /// The whole rules as a variant file that loads again to the same rules.
    ///
    /// # Panics
    /// Never: everything in it can be written as TOML.
    #[must_use]
    pub fn to_toml(&self) -> String {
        let mut table = toml::Table::new();
        let mut put = |key: &str, value: toml::Value| {
            let (group, name) = key.split_once('.').expect("every key has a group");
            let group = table.entry(group).or_insert_with(|| toml::Table::new().into());
            group.as_table_mut().expect("a group is a table").insert(name.into(), value);
        };
        for (key, copies) in self.deck_entries() {
            put(&format!("deck.{key}"), toml::Value::Integer(i64::from(copies)));
        }
        for (key, value) in self.parameters.entries_to_write() {
            put(key, value);
        }
        let custom: Vec<toml::Value> = self
            .custom_cards
            .iter()
            .map(|card| toml::Value::try_from(card).expect("a custom card can be written"))
            .collect();
        if !custom.is_empty() {
            table.insert("custom".into(), toml::Value::Array(custom));
        }
        toml::to_string(&table).expect("rules can be written")
    }

    /// The hash of these rules: 16 hexadecimal digits.
    #[must_use]
    pub fn hash(&self) -> String {
        format!("{:016x}", digest(&self.to_toml()))
    }

    /// `deck.*`: the groups, and single cards that differ from their group.
    fn deck_entries(&self) -> Vec<(String, u32)> {
        let copies = |code: &str| {
            self.kinds
                .iter()
                .find(|def| def.code == code && !matches!(def.kind, CardKind::Custom(_)))
                .map_or(0, |k| k.copies)
        };
        let mut entries = Vec::new();
        for face in Face::ALL {
            let group = COLORED_ACTIONS.iter().find(|(_, action)| *action == face).map(|(key, _)| *key);
            let of_colors = Color::ALL.map(|color| (ordinary_code(color, face), color));
            let usual = match (group, face) {
                (Some(_), _) => copies(&of_colors[0].0),
                (None, Face::Number(0)) => 1,
                (None, _) => 2,
            };
            entries.extend(group.map(|key| (key.to_string(), usual)));
            entries.extend(
                of_colors.iter().map(|(code, _)| (code.clone(), copies(code))).filter(|(_, count)| *count != usual),
            );
        }
        entries.extend(Special::ALL.map(|special| (special.key().to_string(), copies(special.code()))));
        entries
    }
}
