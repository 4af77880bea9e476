//! `games.csv`: one line for each game, on request.
//!
//! The lines are written by hand and not by `serde`: there are millions of them, and each takes no longer than a tenth
//! of a game.

use super::Row;
use crate::record::GameRecord;
use crate::schedule::{GameInSet, Section};
use crate::seating::EntrantId;
use crate::spec::Spec;

/// One game, as a row.
#[derive(Debug, Clone, Copy)]
pub struct Game;

impl Row for Game {
    const FILE: &'static str = "games.csv";
    const ROW: &'static str = "one game (only with `--games-csv`)";
    const COLUMNS: &'static [(&'static str, &'static str)] = &[
        ("index", "its number in the run, from 0"),
        ("table", "its table among those of the variant and number of seats, from 0"),
        ("set", "its deal, from 0"),
        ("seating", "its seating among those of the table, from 0"),
        ("variant", "the rules played"),
        ("seats", "the number of seats"),
        ("entrants", "by seat, separated by spaces: the entrant's number from 0, in the order of summary.csv"),
        ("winner", "the winning entrant's name; `;` between several seats, empty for none"),
        ("winner_seat", "the winning seat; empty for none, and for several, who all have place 1"),
        ("points", "by seat: points credited"),
        ("places", "by seat: place in the finishing order from 1, equal seats share the better place"),
        ("rounds", "rounds dealt"),
        ("turns", "turns of all seats"),
        ("decisions", "decisions of all seats"),
        ("reshuffles", "how often the discard pile became the draw pile"),
        ("status", "`finished`, `void` (blocked) or `truncated` (cut by the limit of decisions)"),
        ("hash", "checksum of the final state"),
    ];
}

/// Writes the rows of one section.
#[derive(Debug, Clone)]
pub struct GamesWriter {
    first_index: u64,
    games_per_set: u64,
    /// `,classic,4,`: what stands between the seating and the entrants of every row.
    variant_and_seats: String,
    names: Vec<Text>,
}

/// A text as it stands between the quotes of a cell, and whether it needs them.
#[derive(Debug, Clone)]
struct Text {
    escaped: String,
    needs_quotes: bool,
}

impl Text {
    fn of(text: &str) -> Self {
        Self { escaped: text.replace('"', "\"\""), needs_quotes: text.contains([',', '"', '\r', '\n']) }
    }

    fn cell(&self) -> String {
        if self.needs_quotes { format!("\"{}\"", self.escaped) } else { self.escaped.clone() }
    }
}

/// A game of the section, by its number within the set.
#[derive(Debug, Clone, Copy)]
pub struct NumberedGame {
    /// The set: which deal.
    pub set: u64,
    /// Its number within the set, from 0.
    pub number: u64,
    /// Its table and seating.
    pub game: GameInSet,
}

impl GamesWriter {
    /// For the games of this section, the first of which has this index in the run.
    #[must_use]
    pub fn new(spec: &Spec, section: &Section, first_index: u64) -> Self {
        Self {
            first_index,
            games_per_set: section.games_per_set(),
            variant_and_seats: format!(",{},{},", Text::of(&spec.variants[section.variant].name).cell(), section.seats),
            names: spec.entrants.iter().map(|entrant| Text::of(&entrant.name)).collect(),
        }
    }

    /// Adds the row of a game.
    pub fn write(&self, line: &mut Vec<u8>, game: NumberedGame, seating: &[EntrantId], record: &GameRecord) {
        let NumberedGame { set, number, game: GameInSet { table, seating: at_seating } } = game;
        let index = self.first_index + set * self.games_per_set + number;
        for number in [index, table as u64, set] {
            push_number(line, number);
            line.push(b',');
        }
        push_number(line, at_seating as u64);
        line.extend_from_slice(self.variant_and_seats.as_bytes());
        push_list(line, seating.iter().map(|entrant| entrant.index() as u64));
        self.push_names_of_winners(line, seating, record);
        let mut winners = record.winners.iter();
        if let (Some(only), None) = (winners.next(), winners.next()) {
            push_number(line, only.index() as u64);
        }
        line.push(b',');
        push_list(line, record.seats().map(|seat| u64::from(record.result(seat).points)));
        push_list(line, record.seats().map(|seat| u64::from(record.result(seat).place)));
        for number in [record.rounds, record.turns, record.decisions, record.reshuffles] {
            push_number(line, u64::from(number));
            line.push(b',');
        }
        line.extend_from_slice(record.status.name().as_bytes());
        line.push(b',');
        push_hexadecimal(line, record.hash);
        line.push(b'\n');
    }

    fn push_names_of_winners(&self, line: &mut Vec<u8>, seating: &[EntrantId], record: &GameRecord) {
        let names = record.winners.iter().map(|seat| &self.names[seating[seat.index()].index()]);
        let quotes: &[u8] = if names.clone().any(|name| name.needs_quotes) { b"\"" } else { b"" };
        line.extend_from_slice(quotes);
        for (place, name) in names.enumerate() {
            if place > 0 {
                line.push(b';');
            }
            line.extend_from_slice(name.escaped.as_bytes());
        }
        line.extend_from_slice(quotes);
        line.push(b',');
    }
}

/// Numbers with spaces between them, and the comma after the cell.
fn push_list(line: &mut Vec<u8>, numbers: impl Iterator<Item = u64>) {
    for (place, number) in numbers.enumerate() {
        if place > 0 {
            line.push(b' ');
        }
        push_number(line, number);
    }
    line.push(b',');
}

fn push_number(line: &mut Vec<u8>, mut number: u64) {
    let mut digits = [0; 20];
    let mut begin = digits.len();
    loop {
        begin -= 1;
        digits[begin] = b'0' + (number % 10) as u8;
        number /= 10;
        if number == 0 {
            break;
        }
    }
    line.extend_from_slice(&digits[begin..]);
}

/// Sixteen digits.
fn push_hexadecimal(line: &mut Vec<u8>, number: u64) {
    line.extend((0..16).rev().map(|digit| b"0123456789abcdef"[(number >> (4 * digit) & 15) as usize]));
}

#[cfg(test)]
mod tests {
    use super::super::header;
    use super::super::tests::Played;
    use super::*;
    use crate::record::tests::finished;

    fn written(agents: &[&str], game: NumberedGame, record: &GameRecord) -> Vec<String> {
        let played = Played::new(agents, &[4]);
        let section = &played.schedule.sections[0];
        let mut csv = header::<Game>();
        let GameInSet { table, seating } = game.game;
        let seating = &section.tables[table].seatings[seating];
        GamesWriter::new(&played.spec, section, 0).write(&mut csv, game, seating, record);
        let mut reader = csv::Reader::from_reader(&*csv);
        reader.records().next().unwrap().unwrap().iter().map(str::to_owned).collect()
    }

    const GAME: NumberedGame = NumberedGame { set: 2, number: 5, game: GameInSet { table: 1, seating: 1 } };

    /// Table 1 is random, greedy, greedy, first-legal; its seating 1 has moved on one seat.
    #[test]
    fn a_shared_win_written_out() {
        let row = written(&["random", "greedy", "first-legal"], GAME, &finished(&[5, 0, 5, 0], &[1, 3, 1, 4]));
        let expected =
            "29,1,2,1,classic,4,2 0 1 1,first-legal;greedy,,5 0 5 0,1 3 1 4,1,50,60,0,finished,0000000000000abc";
        assert_eq!(row.join(","), expected);
    }

    #[test]
    fn names_with_commas_read_back() {
        let agents = ["a:x=1,y=\"2\"", "b", "c"];
        let row = written(&agents, GAME, &finished(&[0, 5, 5, 0], &[3, 1, 1, 4]));
        assert_eq!(row[7], "a:x=1,y=\"2\";b");
        let nobody = GameRecord::without_winner(4, 1, crate::record::Status::Void);
        assert_eq!(written(&agents, GAME, &nobody)[7..9], ["", ""]);
    }

    #[test]
    fn numbers_of_every_length() {
        let mut line = Vec::new();
        push_list(&mut line, [0, 9, 10, 1_234_567_890, u64::MAX].into_iter());
        push_hexadecimal(&mut line, 0xfedc_ba98_7654_3210);
        assert_eq!(line, b"0 9 10 1234567890 18446744073709551615,fedcba9876543210");
    }
}
