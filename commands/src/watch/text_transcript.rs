//! A game as lines on a terminal, with the same numbers as the page.

use std::fmt::Write as _;

use anstyle::{AnsiColor, Color, Style};
use unolab_engine::color::Color as CardColor;

use super::frame::{Choice, Frame, ShownValue};
use super::table::Hand;

/// Whether cards are colored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColorMode {
    /// Without colors.
    Plain,
    /// With the color codes of terminals.
    Colored,
}

/// Writes the frames of a game as text.
#[derive(Debug, Clone, Copy)]
pub struct TextTranscript<'a> {
    players: &'a [String],
    frames: &'a [Frame],
    ink: ColorMode,
    /// The longest name.
    width: usize,
}

/// A hand before these cards were drawn; `None` represents an unseen card.
fn without<'c>(hand: &Hand, drawn: impl Iterator<Item = Option<&'c str>>) -> Hand {
    let mut hand = hand.clone();
    for card in drawn {
        match &mut hand {
            Hand::Open(cards) => take(cards, card),
            Hand::Closed(n) => *n = n.saturating_sub(1),
            Hand::Known { n, known } => {
                *n = n.saturating_sub(1);
                take(known, card);
            }
        }
    }
    hand
}

/// Removes one such card from a list of codes, if present.
fn take(codes: &mut String, card: Option<&str>) {
    let mut left: Vec<&str> = codes.split_whitespace().collect();
    if let Some(at) = left.iter().position(|&code| Some(code) == card) {
        left.remove(at);
        *codes = left.join(" ");
    }
}

impl<'a> TextTranscript<'a> {
    /// The transcript of these frames, with the names of the players.
    #[must_use]
    pub fn new(players: &'a [String], frames: &'a [Frame], ink: ColorMode) -> Self {
        let width = players.iter().map(|name| name.chars().count()).max().unwrap_or(0).min(24);
        Self { players, frames, ink, width }
    }

    /// The line before all frames.
    #[must_use]
    pub fn title(&self, variant: &str) -> String {
        let players: Vec<String> =
            self.players.iter().enumerate().map(|(player, name)| format!("{player} {name}")).collect();
        format!("{variant}: {}\n", players.join(", "))
    }

    /// The lines of one frame.
    #[must_use]
    pub fn frame(&self, number: usize) -> String {
        let frame = &self.frames[number];
        let players = self.players(number);
        let mut text = String::new();
        if let Some(deal) = &frame.deal {
            let _ = writeln!(text, "#{number}  round {}: seat {} deals", deal.round, deal.dealer);
            for (seat, hand) in frame.table.hands.iter().enumerate() {
                if let Some(hand) = hand {
                    let drawn = frame.got.iter().filter(|(of, _)| *of == seat).map(|(_, card)| card.as_deref());
                    let dealt = self.hand(&without(hand, drawn));
                    let _ = writeln!(text, "      {}  seat {seat}: {dealt}", self.name(players, seat));
                }
            }
        }
        if let Some(fault) = &frame.fault {
            let by = fault.by.as_ref().map_or_else(String::new, |by| format!("; {by} plays on"));
            let _ = writeln!(text, "      {}  seat {} {}{by}", self.name(players, fault.seat), fault.seat, fault.what);
        }
        if let Some(by) = &frame.by {
            let held = by
                .choice
                .as_ref()
                .map_or_else(String::new, |choice| format!("   [holds {}]", self.cards(&choice.hand)));
            let _ = writeln!(
                text,
                "{:<5} {}  {}{held}",
                format!("#{number}"),
                self.name(players, by.seat),
                self.words(&by.words)
            );
            if let Some(values) = by.choice.as_ref().and_then(values) {
                let _ = writeln!(text, "      {:w$}  values: {values}", "", w = self.width);
            }
            if let Some(note) = &by.note {
                for (index, line) in note.lines().enumerate() {
                    let says = if index == 0 { "says:" } else { "     " };
                    let _ = writeln!(text, "      {:w$}  {says} {line}", "", w = self.width);
                }
            }
        }
        for words in frame.words.iter().chain(frame.over.iter().map(|over| &over.words)) {
            let _ = writeln!(text, "      {:w$}    {}", "", self.words(words), w = self.width);
        }
        let _ = writeln!(text, "      {:w$}  {}", "", self.counts(frame), w = self.width);
        text
    }

    /// The players of the seats in the round of this frame.
    fn players(&self, number: usize) -> &'a [usize] {
        self.frames[..=number].iter().rev().find_map(|frame| frame.deal.as_ref()).map_or(&[], |deal| &deal.players)
    }

    fn name(&self, players: &[usize], seat: usize) -> String {
        let name = players.get(seat).and_then(|&player| self.players.get(player)).map_or("", String::as_str);
        let cut: String = name.chars().take(self.width).collect();
        format!("{cut:w$}", w = self.width)
    }

    fn counts(&self, frame: &Frame) -> String {
        let table = &frame.table;
        let count = |hand: &Option<Hand>| match hand {
            None => "-".to_owned(),
            Some(hand) => hand.len().to_string(),
        };
        let counts: Vec<String> = table.hands.iter().map(count).collect();
        let color = table.color.and_then(CardColor::from_letter).map_or("no color", CardColor::name);
        let mut text = format!(
            "cards {} · draw pile {} · discard pile {} · {} on top, {color} · {}",
            counts.join(" "),
            table.draw,
            table.pile,
            self.card(&table.top),
            if table.dir > 0 { "left" } else { "right" }
        );
        for (odds, what) in [(&frame.odds, "round"), (&frame.match_odds, "match")] {
            if let Some(odds) = odds {
                let seats = table.hands.iter().zip(odds);
                let chances: Vec<String> = seats
                    .map(|(hand, &odds)| match hand {
                        Some(_) => format!("{:.1}%", f64::from(odds) / 10.0),
                        None => "-".to_owned(),
                    })
                    .collect();
                let _ = write!(text, " · chance to win the {what} {}", chances.join(" "));
            }
        }
        if frame.over.is_none() {
            for (seat, hand) in table.hands.iter().enumerate() {
                if hand.as_ref().is_some_and(|hand| hand.len() == 1) {
                    let word = if table.uncalled.contains(&seat) { "has not called UNO" } else { "has one card" };
                    let _ = write!(text, " · seat {seat} {}", self.styled(word, Style::new().bold()));
                }
            }
        }
        text
    }

    fn hand(&self, hand: &Hand) -> String {
        match hand {
            Hand::Open(cards) => self.cards(cards),
            Hand::Closed(count) => format!("{count} cards"),
            Hand::Known { n, known } => format!("{n} cards, {} among them", self.cards(known)),
        }
    }

    fn cards(&self, codes: &str) -> String {
        codes.split(' ').filter(|code| !code.is_empty()).map(|code| self.card(code)).collect::<Vec<_>>().join(" ")
    }

    /// Words with the seats and cards in them written out.
    fn words(&self, words: &str) -> String {
        written(words, |seat| format!("seat {seat}"), |code| self.card(code))
    }

    fn card(&self, code: &str) -> String {
        colored_card(code, self.ink)
    }

    fn styled(&self, text: &str, style: Style) -> String {
        match self.ink {
            ColorMode::Plain => text.to_owned(),
            ColorMode::Colored => format!("{style}{text}{style:#}"),
        }
    }
}

/// The values of the legal actions, the best first, if the decision is evaluated.
fn values(choice: &Choice) -> Option<String> {
    let mut valued: Vec<_> = choice.legal.iter().zip(choice.values.as_ref()?).collect();
    valued.sort_by(|(_, a), (_, b)| b.0.total_cmp(&a.0));
    let shown = valued.into_iter().enumerate().map(|(rank, (action, ShownValue(value, regret, error)))| {
        let option =
            action.strip_prefix("choose ").and_then(|number| choice.options.get(number.parse::<usize>().ok()?));
        let action = option.map_or_else(|| action.clone(), |name| format!("choose \"{name}\""));
        let behind = if rank == 0 { String::new() } else { format!(" (regret {regret:.3} ± {error:.3})") };
        format!("{action} {value:.3}{behind}")
    });
    Some(shown.collect::<Vec<_>>().join(", "))
}

/// Words of a frame with every seat and card in them replaced.
#[must_use]
pub fn written(words: &str, seat: impl Fn(usize) -> String, card: impl Fn(&str) -> String) -> String {
    let mut text = String::new();
    let mut rest = words;
    while let Some((before, token_on)) = rest.split_once('<') {
        let (token, after) = token_on.split_once('>').unwrap_or((token_on, ""));
        text += before;
        text += &match (token, token.strip_prefix('s').and_then(|number| number.parse().ok())) {
            ("lt", _) => "<".into(),
            (_, Some(number)) => seat(number),
            (code, None) => card(code),
        };
        rest = after;
    }
    text + rest
}

/// The code of a card, in its color if requested.
#[must_use]
pub fn colored_card(code: &str, ink: ColorMode) -> String {
    let color = match code.chars().next() {
        Some('r') => AnsiColor::BrightRed,
        Some('y') => AnsiColor::BrightYellow,
        Some('g') => AnsiColor::BrightGreen,
        Some('b') => AnsiColor::BrightBlue,
        _ => AnsiColor::BrightMagenta,
    };
    let style = Style::new().fg_color(Some(Color::Ansi(color))).bold();
    match ink {
        ColorMode::Plain => code.to_owned(),
        ColorMode::Colored => format!("{style}{code}{style:#}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn less_than_sign_is_restored_in_words() {
        let text = written("<s1> chooses \"2 <lt> 3 > 1\", <lt>s1> <r5>", |seat| format!("seat {seat}"), str::to_owned);
        assert_eq!(text, "seat 1 chooses \"2 < 3 > 1\", <s1> r5");
    }

    #[test]
    fn one_card_is_removed_from_list() {
        let taken = |card| {
            let mut codes = "r7 W r7 b2".to_owned();
            take(&mut codes, card);
            codes
        };
        assert_eq!(
            [Some("r7"), Some("b2"), Some("g1"), None].map(taken),
            ["W r7 b2", "r7 W r7", "r7 W r7 b2", "r7 W r7 b2"]
        );
    }
}
