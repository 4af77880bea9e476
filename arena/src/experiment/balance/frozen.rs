//! What is fitted on other seeds and then frozen: the model of who will win, and the worth of luck.

use unolab_engine::seat::MAX_SEATS;
use unolab_stats::logit::{Features, Model, Position, Standing};

use super::observer::num_weights;
use super::quantities::{BINS, FRACTION, Parts, Quantity};
use crate::play::record::{GameRecord, WIN};
use crate::spec::Unit;
use crate::spec::luck::{Coefficients, Luck, Regression};

/// A game of the pilot.
pub(super) type PilotGame = (GameRecord, Box<Observed>);

/// What the pilot keeps of a game.
pub(super) struct Observed {
    pub(super) sights: Vec<[Features; MAX_SEATS]>,
    pub(super) luck: Vec<Luck>,
}

/// Of the moments of a game, every so many-th is a position to fit on: neighbours tell the same.
const EVERY: usize = 8;

/// Most positions to fit on.
const MAX_POSITIONS: usize = 12_000;

/// Fitted, and not changed any more.
#[derive(Debug, Clone, Default)]
pub(super) struct Frozen {
    model: Option<Model>,
    pub(super) coefficients: Coefficients,
}

/// What was to be seen of each seat at the moments of a game, in order.
type Sights = [[Features; MAX_SEATS]];

impl Frozen {
    /// Fits on the games of a pilot.
    pub(super) fn fit(games: impl IntoIterator<Item = PilotGame>, unit: Unit, seats: usize) -> Self {
        let every = match unit {
            Unit::Round => EVERY,
            Unit::Match => 1,
        };
        let mut regression = Regression::new(WIN as f64 / seats as f64);
        let mut positions = Vec::new();
        for (number, (record, seen)) in games.into_iter().enumerate() {
            record.seats().for_each(|seat| regression.add(record.win_of(seat), &seen.luck[seat.index()]));
            let Some(winner) = only_winner(&record) else { continue };
            let moments = before_the_end(&seen.sights, unit).iter().skip(number % every).step_by(every);
            positions.extend(moments.map(|sight| Position { seats: sight[..record.num_seats].to_vec(), winner }));
        }
        positions.truncate(MAX_POSITIONS);
        Self { model: Model::fit(&positions, num_weights(unit)), coefficients: regression.coefficients() }
    }

    /// Counts how a game went: who was ahead when, and how right the model was.
    pub(super) fn count_course(&self, record: &GameRecord, sights: &Sights, unit: Unit, parts: &mut Parts<'_>) {
        let (Some(model), Some(winner)) = (&self.model, only_winner(record)) else { return };
        let (mut leader, mut changes) = (None, 0);
        for sight in before_the_end(sights, unit) {
            let strengths: [f64; MAX_SEATS] = std::array::from_fn(|seat| model.strength(&sight[seat]));
            let strengths = &strengths[..record.num_seats];
            let drama = Standing::of(strengths, winner).drama();
            parts.add(Quantity::Security, i64::from(drama.is_none()), 1);
            if let Some(drama) = drama {
                parts.add(Quantity::Drama, fraction(drama), 1);
            }
            changes += i64::from(changes_hands(&leads(sight, strengths, unit), &mut leader));
            count_predictions(strengths, winner, parts);
        }
        parts.add(Quantity::LeadChanges, changes, 1);
    }
}

/// The moments at which the game was still open: after the last round of a match it is over.
fn before_the_end(sights: &Sights, unit: Unit) -> &Sights {
    match unit {
        Unit::Round => sights,
        Unit::Match => &sights[..sights.len().saturating_sub(1)],
    }
}

fn only_winner(record: &GameRecord) -> Option<usize> {
    let mut winners = record.winners.iter();
    let winner = winners.next()?;
    winners.next().is_none().then_some(winner.index())
}

/// How far each seat has come: by cards within a round, where the chances would turn with the turn; by chances within a
/// match, where they follow the scores.
fn leads(sight: &[Features; MAX_SEATS], strengths: &[f64], unit: Unit) -> Vec<f64> {
    match unit {
        Unit::Round => sight[..strengths.len()].iter().map(|seat| -(seat[0].0 as f64)).collect(),
        Unit::Match => strengths.to_vec(),
    }
}

/// Follows the lead, and says whether it has changed hands: somebody has come further than the leader.
fn changes_hands(leads: &[f64], leader: &mut Option<usize>) -> bool {
    let Some(furthest) = (0..leads.len()).rev().max_by(|&a, &b| leads[a].total_cmp(&leads[b])) else {
        return false;
    };
    match *leader {
        Some(leading) if leads[furthest] <= leads[leading] => false,
        before => {
            *leader = Some(furthest);
            before.is_some()
        }
    }
}

fn count_predictions(strengths: &[f64], winner: usize, parts: &mut Parts<'_>) {
    let all: f64 = strengths.iter().sum();
    let mut squares = 0.0;
    for (seat, strength) in strengths.iter().enumerate() {
        let predicted = strength / all;
        let came = f64::from(u8::from(seat == winner));
        squares += (predicted - came).powi(2);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a probability")]
        let bin = ((predicted * BINS as f64) as usize).min(BINS - 1);
        parts.add(Quantity::Calibration(bin), fraction(predicted - came), 1);
    }
    parts.add(Quantity::Brier, fraction(squares), 1);
}

fn fraction(number: f64) -> i64 {
    #[expect(clippy::cast_possible_truncation, reason = "numbers near one")]
    let whole = (number * FRACTION as f64).round() as i64;
    whole
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lead_changes_hands_when_somebody_has_come_further() {
        let mut leader = None;
        let steps = [[1.0, 2.0], [2.0, 2.0], [3.0, 2.0], [3.0, 3.5], [3.5, 3.5], [4.0, 3.5]];
        let changes = steps.map(|leads| changes_hands(&leads, &mut leader));
        assert_eq!(changes, [false, false, true, true, false, true]);
    }
}
