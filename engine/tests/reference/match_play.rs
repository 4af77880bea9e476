//! Match play: scores, dealers, elimination, partners, tournaments.

use super::Code;
use super::round::Model;
use super::rules::Variant;

/// Four players who change partners: the players in the seats, one line per partnership. Partners sit across from each other;
/// the first line has the initial seats.
const FOUR: [[usize; 4]; 3] = [[0, 1, 2, 3], [0, 2, 1, 3], [0, 2, 3, 1]];

/// Eight players at two tables (section 1.13): seven lines of two tables, each `ab v cd`.
const EIGHT: [[[usize; 4]; 2]; 7] = [
    [[7, 0, 1, 3], [2, 6, 4, 5]],
    [[7, 1, 2, 4], [3, 0, 5, 6]],
    [[7, 2, 3, 5], [4, 1, 6, 0]],
    [[7, 3, 4, 6], [5, 2, 0, 1]],
    [[7, 4, 5, 0], [6, 3, 1, 2]],
    [[7, 5, 6, 1], [0, 4, 2, 3]],
    [[7, 6, 0, 2], [1, 5, 3, 4]],
];

/// One match.
#[derive(Clone, Debug)]
pub struct MatchModel {
    variant: Variant,
    players: usize,
    dealer: usize,
    scores: Vec<i64>,
    out: Vec<bool>,
    /// Hands that counted; at two tables, hands both tables have finished.
    hands_played: usize,
    /// The tables that have finished the current hand.
    tables_done: [bool; 2],
    over: bool,
    winners: Vec<usize>,
}

impl MatchModel {
    /// A match with these scores; in an elimination match the players who have reached the target are already out.
    pub fn new(variant: &Variant, players: usize, dealer: usize, scores: Vec<i64>) -> Self {
        let mut out = vec![false; players];
        if variant.scoring == "elimination" {
            for player in 0..players {
                out[player] = scores[player] >= variant.target;
            }
        }
        Self {
            variant: variant.clone(),
            players,
            dealer,
            scores,
            out,
            hands_played: 0,
            tables_done: [false, false],
            over: false,
            winners: Vec::new(),
        }
    }

    pub fn dealer(&self) -> usize {
        self.dealer
    }

    pub fn scores(&self) -> &[i64] {
        &self.scores
    }

    pub fn is_over(&self) -> bool {
        self.over
    }

    /// The winners, by seat; both partners of a winning team.
    pub fn winners(&self) -> &[usize] {
        &self.winners
    }

    /// The seats that still take part.
    pub fn seats_in(&self) -> Vec<usize> {
        (0..self.players).filter(|player| !self.out[*player]).collect()
    }

    /// The players in the next hand (one table), in order of seats.
    pub fn seating(&self) -> Vec<usize> {
        if self.variant.teams == "rotating" {
            // SW-26: the same partnership for this many hands, then the next
            let line = (self.hands_played / self.variant.hands_per_partnership) % 3;
            return FOUR[line].to_vec();
        }
        (0..self.players).collect()
    }

    /// The seat that deals the next hand.
    pub fn dealer_seat(&self) -> usize {
        if self.variant.teams == "rotating_tables" {
            return self.dealer;
        }
        self.seating().iter().position(|player| *player == self.dealer).expect("the dealer sits somewhere")
    }

    /// The players at a table, in order of seats: partners sit across from each other (SW-28).
    pub fn table(&self, table: usize) -> Vec<usize> {
        let line = (self.hands_played / self.variant.hands_per_partnership_tables) % 7;
        let [a, b, c, d] = EIGHT[line][table];
        vec![a, c, b, d]
    }

    /// Records a finished round of one table (in all modes except two tables).
    pub fn finish_round(&mut self, round: &Model) {
        assert!(round.is_over() && !self.over);
        if round.void() {
            return; // no score, the same dealer deals again
        }
        let points = round.points();
        for (seat, player) in self.seating().into_iter().enumerate() {
            self.scores[player] += points[seat];
        }
        self.hands_played += 1;
        match self.variant.teams.as_str() {
            "rotating" => {
                // a fixed schedule and individual scores, without a target
                if self.hands_played == 3 * self.variant.hands_per_partnership {
                    self.end_by_tally();
                }
            }
            _ => self.end_by_target(),
        }
        self.pass_the_deal();
    }

    /// Records a finished round at one of the two tables, with the seats of `table`.
    pub fn finish_table(&mut self, table: usize, round: &Model) {
        assert!(round.is_over() && !self.over && !self.tables_done[table]);
        if round.void() {
            return;
        }
        let points = round.points();
        for (seat, player) in self.table(table).iter().enumerate() {
            self.scores[*player] += points[seat];
        }
        self.tables_done[table] = true;
        if self.tables_done == [true, true] {
            self.tables_done = [false, false];
            self.hands_played += 1;
            self.dealer = (self.dealer + 1) % 4; // the seat that deals, at both tables
            if self.hands_played == 7 * self.variant.hands_per_partnership_tables {
                self.end_by_tally();
            }
        }
    }

    /// X-03, SW-33: to the next seat on the left that is still in.
    fn pass_the_deal(&mut self) {
        if self.over {
            return;
        }
        loop {
            self.dealer = (self.dealer + 1) % self.players;
            if !self.out[self.dealer] {
                return;
            }
        }
    }

    fn end_by_target(&mut self) {
        let target = self.variant.target;
        let played = self.seats_in();
        let reached = played.iter().any(|player| self.scores[*player] >= target);
        if !reached {
            return;
        }
        if self.variant.scoring == "winner_takes" {
            self.over = true;
            for player in played {
                if self.scores[player] >= target {
                    self.winners.push(player);
                }
            }
            return;
        }
        if self.variant.scoring == "running_lowest" {
            self.over = true;
            self.winners = self.lowest(&played);
            return;
        }
        for player in &played {
            if self.scores[*player] >= target {
                self.out[*player] = true; // SW-30
            }
        }
        let left = self.seats_in();
        if left.len() == 1 {
            self.over = true;
            self.winners = left;
        } else if left.is_empty() {
            self.over = true;
            self.winners = self.lowest(&played);
        }
    }

    fn end_by_tally(&mut self) {
        self.over = true;
        let players: Vec<usize> = (0..self.players).collect();
        if self.variant.scoring == "running_lowest" {
            self.winners = self.lowest(&players);
            return;
        }
        let best = players.iter().map(|player| self.scores[*player]).max();
        for player in players {
            if Some(self.scores[player]) == best {
                self.winners.push(player);
            }
        }
    }

    fn lowest(&self, players: &[usize]) -> Vec<usize> {
        let least = players.iter().map(|player| self.scores[*player]).min();
        let mut winners = Vec::new();
        for player in players {
            if Some(self.scores[*player]) == least {
                winners.push(*player);
            }
        }
        winners
    }
}

/// The cut for dealer: the seats with the highest card; if more than one, only they cut again.
/// `cards` are (seat, card).
pub fn cut_winners(variant: &Variant, cards: &[(usize, Code)]) -> Vec<usize> {
    let best = cards.iter().map(|(_, card)| variant.cut_value(card)).max();
    let mut winners = Vec::new();
    for (seat, card) in cards {
        if Some(variant.cut_value(card)) == best {
            winners.push(*seat);
        }
    }
    winners
}
