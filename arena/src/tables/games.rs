//! `games.csv`: one line for each game, on request.
//!
//! The lines are not written with `serde`, because there are millions of them, and a game of `random` agents takes only half
//! a microsecond. A line is assembled in one buffer, in steps of fixed size, and then copied.

use unolab_engine::seat::Direction;

use crate::play::record::GameRecord;
use crate::schedule::seating::EntrantId;
use crate::schedule::{GameInSet, Section};
use crate::spec::Spec;
use crate::tables::{Row, row};

row! {
    /// One game, as a row.
    pub struct GameRow in "games.csv", "one game (only with `--games-csv`)" {
        /// its number in the run, from 0
        index: u64,
        /// the number of its table, from 0, within the variant and number of seats
        table: usize,
        /// its deal, from 0
        set: u64,
        /// the number of its seating at the table, from 0
        seating: usize,
        /// the rules
        variant: String,
        /// the number of seats
        seats: usize,
        /// by seat, separated by spaces: the entrant's number from 0, in the order of summary.csv
        entrants: String,
        /// the seat that took the first turn of the (first) round, after the start card's effect, from 0
        first_seat: usize,
        /// the direction of play at that turn: 1 to the next seat, -1 to the previous seat. The position in the turn order,
        /// as in seats.csv, is (seat − first_seat) · direction modulo the number of seats
        direction: i8,
        /// the name of the winning entrant; several winners are separated by `;`; empty if there is no winner
        winner: String,
        /// the winning seat; empty if there is no winner, or if there are several winners, who all have place 1
        winner_seat: Option<usize>,
        /// by seat: points credited
        points: String,
        /// by seat: place in the finishing order from 1; tied seats share the better place
        places: String,
        /// rounds dealt
        rounds: u32,
        /// turns of all seats
        turns: u32,
        /// decisions of all seats
        decisions: u32,
        /// the number of times that the discard pile was shuffled into the draw pile
        reshuffles: u32,
        /// `finished`, `void` (without a winner: blocked, or lost by every player), or `truncated` (stopped at the limit of decisions)
        status: String,
        /// checksum of the final state
        hash: String,
    }
}

/// Writes the rows of one section.
#[derive(Debug, Clone)]
pub struct GamesWriter {
    first_index: u64,
    games_per_set: u64,
    /// `,classic,4,`: the part between the seating and the entrants of every row.
    variant_and_seats: String,
    names: Vec<Text>,
    /// The buffer of a row, large enough for the longest.
    room: Vec<u8>,
}

/// A text as written between the quotes of a cell, and whether it needs them.
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
    /// Rows for the games of this section, the first of which has this index in the run.
    #[must_use]
    pub fn new(spec: &Spec, section: &Section, first_index: u64) -> Self {
        let names: Vec<Text> = spec.entrants.iter().map(|entrant| Text::of(&entrant.name)).collect();
        let variant_and_seats =
            format!(",{},{},", Text::of(&spec.variants[section.variant].name).cell(), section.seats);
        let longest_name = names.iter().map(|name| name.escaped.len()).max().unwrap_or(0);
        let room = vec![0; NUMBERS + variant_and_seats.len() + section.seats * (longest_name + 1)];
        Self { first_index, games_per_set: section.games_per_set(), variant_and_seats, names, room }
    }

    /// Adds the row of a game.
    pub fn write(&mut self, rows: &mut Vec<u8>, game: NumberedGame, seating: &[EntrantId], record: &GameRecord) {
        let NumberedGame { set, number, game: GameInSet { table, seating: at_seating } } = game;
        let mut line = Line { bytes: &mut self.room, len: 0 };
        for number in [self.first_index + set * self.games_per_set + number, table as u64, set] {
            line.write_number(number);
            line.put(b',');
        }
        line.write_number(at_seating as u64);
        line.write_text(&self.variant_and_seats);
        line.write_list(seating.iter().map(|entrant| entrant.index() as u64));
        line.write_number(record.first_seat.index() as u64);
        line.write_text(match record.direction {
            Direction::Left => ",1,",
            Direction::Right => ",-1,",
        });
        line.write_names(record.winners.iter().map(|seat| &self.names[seating[seat.index()].index()]));
        let mut winners = record.winners.iter();
        if let (Some(only), None) = (winners.next(), winners.next()) {
            line.write_number(only.index() as u64);
        }
        line.put(b',');
        line.write_list(record.seats().map(|seat| u64::from(record.result(seat).points)));
        line.write_list(record.seats().map(|seat| u64::from(record.result(seat).place)));
        for number in [record.rounds, record.turns, record.decisions, record.reshuffles] {
            line.write_number(u64::from(number));
            line.put(b',');
        }
        line.write_text(record.status.name());
        line.put(b',');
        line.write_hexadecimal(record.hash);
        line.put(b'\n');
        rows.extend_from_slice(line.written());
    }
}

/// Whether these are rows of exactly these games, each given by its number in the run and its set.
#[must_use]
pub fn are_rows_of(rows: &[u8], mut games: impl Iterator<Item = (u64, u64)>) -> bool {
    const INDEX: usize = 0;
    const SET: usize = 2;
    let is_text = std::str::from_utf8(rows).is_ok_and(|text| !text.contains(|c: char| c.is_control() && c != '\n'));
    let mut num_rows = 0;
    let mut has_next = |cells: &csv::ByteRecord| {
        num_rows += 1;
        let is_in = |column: usize, number: u64| cells[column] == *number.to_string().as_bytes();
        cells.len() == GameRow::COLUMNS.len()
            && games.next().is_some_and(|(index, set)| is_in(INDEX, index) && is_in(SET, set))
    };
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(rows);
    let are_rows = is_text && reader.byte_records().all(|cells| cells.is_ok_and(|cells| has_next(&cells)));
    // A cell can hold a line break.
    let num_lines = rows.iter().filter(|&&byte| byte == b'\n').count();
    are_rows && games.next().is_none() && num_rows == num_lines
}

/// Room for everything in a row except names: 39 numbers of at most twenty digits with their separators, and the rest.
const NUMBERS: usize = 40 * 21 + 64;

/// A line in progress. All methods are inlined, so that its length stays in a register.
struct Line<'a> {
    bytes: &'a mut [u8],
    len: usize,
}

impl Line<'_> {
    fn written(&self) -> &[u8] {
        &self.bytes[..self.len]
    }

    #[inline(always)]
    fn put(&mut self, byte: u8) {
        self.write_first([byte], 1);
    }

    #[inline(always)]
    fn write_text(&mut self, text: &str) {
        self.bytes[self.len..][..text.len()].copy_from_slice(text.as_bytes());
        self.len += text.len();
    }

    /// Writes all bytes and advances by `count`, in one step for any count.
    #[inline(always)]
    fn write_first<const N: usize>(&mut self, bytes: [u8; N], count: usize) {
        self.bytes[self.len..][..N].copy_from_slice(&bytes);
        self.len += count;
    }

    #[inline(always)]
    fn write_number(&mut self, number: u64) {
        if number < 10 {
            return self.put(b'0' + (number % 10) as u8);
        }
        if number < 100 {
            let [_, tens, ones] = three_digits(number);
            return self.write_first([tens, ones], 2);
        }
        self.len = write_large_number(self.bytes, self.len, number);
    }

    /// Numbers with spaces between them, and the comma after the cell.
    #[inline(always)]
    fn write_list(&mut self, numbers: impl Iterator<Item = u64>) {
        for number in numbers {
            self.write_number(number);
            self.put(b' ');
        }
        self.bytes[self.len - 1] = b',';
    }

    /// The names of the winners, and the comma after the cell.
    #[inline(always)]
    fn write_names<'a>(&mut self, names: impl Iterator<Item = &'a Text> + Clone) {
        let quotes = if names.clone().any(|name| name.needs_quotes) { "\"" } else { "" };
        self.write_text(quotes);
        for (place, name) in names.enumerate() {
            self.write_text(if place > 0 { ";" } else { "" });
            self.write_text(&name.escaped);
        }
        self.write_text(quotes);
        self.put(b',');
    }

    /// Sixteen digits.
    #[inline(always)]
    fn write_hexadecimal(&mut self, number: u64) {
        let digit = |place| b"0123456789abcdef"[(number >> (60 - 4 * place) & 15) as usize];
        self.write_first(std::array::from_fn::<u8, 16, _>(digit), 16);
    }
}

/// Writes a number that has three digits or more left; then its end.
fn write_large_number(bytes: &mut [u8], begin: usize, number: u64) -> usize {
    let thousands = number / 1000;
    let begin = if thousands < 1000 {
        let unused = 3 - usize::from(thousands > 0) - usize::from(thousands > 9) - usize::from(thousands > 99);
        let digits = &three_digits(thousands)[unused..];
        bytes[begin..][..digits.len()].copy_from_slice(digits);
        begin + digits.len()
    } else {
        write_large_number(bytes, begin, thousands)
    };
    bytes[begin..][..3].copy_from_slice(&three_digits(number));
    begin + 3
}

/// The last three digits of a number.
#[inline(always)]
fn three_digits(number: u64) -> [u8; 3] {
    THREE_DIGITS[(number % 1000) as usize]
}

/// `000` to `999`.
static THREE_DIGITS: [[u8; 3]; 1000] = {
    let mut all = [[b'0'; 3]; 1000];
    let mut number = 1;
    while number < 1000 {
        let [hundreds, tens, ones] = all[number - 1];
        all[number] = match (tens, ones) {
            (b'9', b'9') => [hundreds + 1, b'0', b'0'],
            (_, b'9') => [hundreds, tens + 1, b'0'],
            _ => [hundreds, tens, ones + 1],
        };
        number += 1;
    }
    all
};

#[cfg(test)]
mod tests {
    use unolab_engine::seat::Seat;

    use super::super::header;
    use super::super::tests::Played;
    use super::*;
    use crate::play::record::tests::finished;

    fn written(agents: &[&str], game: NumberedGame, record: &GameRecord) -> Vec<String> {
        let played = Played::new(agents, &[4]);
        let section = &played.schedule.sections[0];
        let mut csv = header::<GameRow>();
        let GameInSet { table, seating } = game.game;
        let seating = section.lineups().nth(4 * table + seating).expect("each table has four seatings");
        GamesWriter::new(&played.spec, section, 0).write(&mut csv, game, seating, record);
        let mut reader = csv::Reader::from_reader(&*csv);
        reader.records().next().unwrap().unwrap().iter().map(str::to_owned).collect()
    }

    const GAME: NumberedGame = NumberedGame { set: 2, number: 5, game: GameInSet { table: 1, seating: 1 } };

    /// Table 1 is random, greedy, greedy, first-legal; its seating 1 has moved on one seat.
    #[test]
    fn shared_win_matches_expected_row() {
        let row = written(&["random", "greedy", "first-legal"], GAME, &finished(&[5, 0, 5, 0], &[1, 3, 1, 4]));
        let expected =
            "29,1,2,1,classic,4,2 0 1 1,0,1,first-legal;greedy,,5 0 5 0,1 3 1 4,1,50,60,0,finished,0000000000000abc";
        assert_eq!(row.join(","), expected);
    }

    #[test]
    fn name_with_comma_round_trips() {
        let agents = ["a:x=1,y=\"2\"", "b", "c"];
        let row = written(&agents, GAME, &finished(&[0, 5, 5, 0], &[3, 1, 1, 4]));
        assert_eq!(row[9], "a:x=1,y=\"2\";b");
        let no_winner = GameRecord::without_winner(4, 1, crate::play::record::Status::Void);
        assert_eq!(written(&agents, GAME, &no_winner)[9..11], ["", ""]);
    }

    #[test]
    fn row_of_other_game_is_detected() {
        let played = Played::new(&["random", "a,\"b"], &[2]);
        let section = &played.schedule.sections[0];
        let record = finished(&[5, 0], &[1, 2]);
        let (mut rows, mut ends) = (Vec::new(), Vec::new());
        for (number, (game, seating)) in section.games(played.spec.streams().of_set(3)).enumerate() {
            let numbered = NumberedGame { set: 3, number: number as u64, game };
            GamesWriter::new(&played.spec, section, 10).write(&mut rows, numbered, &seating, &record);
            ends.push(rows.len());
        }
        let first = 10 + 3 * section.games_per_set();
        let games = |number: u64| (0..number).map(move |game| (first + game, 3));
        let number = section.games_per_set();
        let are_rows = |rows: &[u8]| are_rows_of(rows, games(number));
        assert!(number > 1 && are_rows(&rows) && are_rows_of(b"", games(0)));
        assert!(!are_rows_of(&rows, games(number + 1)) && !are_rows_of(&rows, games(number - 1)));
        assert!(!are_rows_of(&rows, games(number).map(|(index, set)| (index, set + 1))));
        assert!(!are_rows_of(&rows, games(number).map(|(index, set)| (index + 1, set))));
        assert!(!are_rows(&rows[..ends[0]]) && !are_rows(&rows[..rows.len() - 1]));
        let text = String::from_utf8(rows).expect("text");
        for (old, new) in [
            ("finished", "fin\rished"),
            ("finished", "fin\u{1b}ished"),
            (",finished", ""),
            ("finished", "\"fin\nished\""),
        ] {
            assert!(!are_rows(text.replacen(old, new, 1).as_bytes()), "{new:?}");
        }
        assert!(!are_rows(&[text.as_bytes(), b"\n"].concat()) && !are_rows(&[text.as_bytes(), &[0xff]].concat()));
    }

    #[test]
    fn starting_seat_and_direction_are_written() {
        let record = GameRecord {
            first_seat: Seat::new(3),
            direction: Direction::Right,
            ..finished(&[5, 0, 0, 0], &[1, 2, 3, 4])
        };
        assert_eq!(written(&["random", "greedy", "first-legal"], GAME, &record)[7..9], ["3", "-1"]);
    }

    #[test]
    fn number_of_any_length_is_written() {
        let mut line = Line { bytes: &mut [0; 100], len: 0 };
        let numbers = [0, 9, 10, 99, 100, 999, 1000, 20_007, 1_234_567_890, u64::MAX];
        line.write_list(numbers.into_iter());
        line.write_hexadecimal(0xfedc_ba98_7654_3210);
        let expected = numbers.map(|number| number.to_string()).join(" ") + ",fedcba9876543210";
        assert_eq!(line.written(), expected.as_bytes());
    }

    /// Ten seats, the longest numbers, and a win that all share.
    #[test]
    fn longest_row_fits_buffer() {
        let names: Vec<String> = (0..10).map(|n| format!("agent:with=\"a long name, number {n}\"")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let played = Played::new(&names, &[10]);
        let section = &played.schedule.sections[0];
        let most = u32::MAX;
        let record = GameRecord {
            rounds: most,
            turns: most,
            decisions: most,
            reshuffles: most,
            ..finished(&[most; 10], &[1; 10])
        };
        let game = GameInSet { table: usize::MAX, seating: usize::MAX };
        let mut rows = Vec::new();
        let seating = section.lineups().next().unwrap();
        let numbered = NumberedGame { set: 0, number: u64::MAX, game };
        GamesWriter::new(&played.spec, section, 0).write(&mut rows, numbered, seating, &record);
        let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(&*rows);
        let row = reader.records().next().unwrap().unwrap();
        assert_eq!((row.len(), row[9].split(';').count(), &row[14]), (19, 10, "4294967295"));
    }
}
