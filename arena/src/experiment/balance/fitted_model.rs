//! The models fitted on other seeds: the winning probabilities, and the coefficients of luck.

use unolab_engine::seat::MAX_SEATS;
use unolab_stats::logit::{Features, Model, Position};

use super::metric::{BINS, FRACTION, Metric, MetricKind, Parts, REFITS};
use super::observer::{Observer, next_player, num_weights};
use crate::play::record::{GameRecord, WIN};
use crate::spec::Unit;
use crate::spec::luck::{Coefficients, Luck, Regression};

/// A game of the pilot.
pub(super) type PilotGame = (GameRecord, Box<PilotData>);

/// The data that the pilot stores for a game.
pub(super) struct PilotData {
    pub(super) sights: Vec<[Features; MAX_SEATS]>,
    pub(super) luck: Vec<Luck>,
}

/// One in this number of moments of a game is used for the fit, because adjacent moments are similar.
const EVERY: usize = 8;

/// The maximum number of positions for the fit.
const MAX_POSITIONS: usize = 12_000;

/// The fitted models, which are then fixed.
#[derive(Debug, Clone, Default)]
pub(super) struct FittedModel {
    model: Option<Model>,
    /// Fits without each of [`REFITS`] parts of the pilot in turn: the variation of an estimate among them measures the
    /// part of its error that is due to the fit (the jackknife; B. Efron and C. Stein, Annals of Statistics 9, 1981). The
    /// games of a set have the same deal, so they are in the same part.
    refits: Vec<Model>,
    pub(super) coefficients: Coefficients,
}

/// The features of each seat at the moments of a game, in order.
type Sights = [[Features; MAX_SEATS]];

impl FittedModel {
    /// Fits on the games of a pilot, set by set.
    pub(super) fn fit(sets: impl IntoIterator<Item = Vec<PilotGame>>, unit: Unit, seats: usize) -> Self {
        let every = match unit {
            Unit::Round => EVERY,
            Unit::Match => 1,
        };
        let mut regression = Regression::new(WIN as f64 / seats as f64);
        // Each game with its part of the pilot.
        let mut positions: Vec<(usize, Position)> = Vec::new();
        let games =
            sets.into_iter().enumerate().flat_map(|(set, games)| games.into_iter().map(move |game| (set, game)));
        for (number, (set, (record, seen))) in games.enumerate() {
            record.seats().for_each(|seat| regression.add(record.win_of(seat), &seen.luck[seat.index()]));
            let Some(winner) = only_winner(&record) else { continue };
            let moments = before_the_end(&seen.sights, unit).iter().skip(number % every).step_by(every);
            let position =
                |sight: &[Features; MAX_SEATS]| Position { seats: sight[..record.num_seats].to_vec(), winner };
            positions.extend(moments.map(|sight| (set % REFITS, position(sight))));
        }
        positions.truncate(MAX_POSITIONS);
        let fit = |left_out: Option<usize>| {
            let used = positions.iter().filter(|(part, _)| Some(*part) != left_out);
            Model::fit(&used.map(|(_, position)| position.clone()).collect::<Vec<_>>(), num_weights(unit))
        };
        let refits: Vec<Model> = (0..REFITS).filter_map(|part| fit(Some(part))).collect();
        let refits = if refits.len() == REFITS { refits } else { Vec::new() };
        Self { model: fit(None), refits, coefficients: regression.coefficients() }
    }

    /// Counts the decrease of the victim's winning probability by each card.
    pub(super) fn count_sting(&self, seen: &Observer<'_>, num_seats: usize, parts: &mut Parts<'_>) {
        let (Some(model), Some(experience)) = (&self.model, &seen.experience) else { return };
        for &played in &experience.played {
            let Some([before, after]) = seen.sights.get(played.turn..played.turn + 2) else { continue };
            let next = next_player(before, num_seats);
            let Some(victim) = experience.victim_of(played, next, num_seats) else { continue };
            let fall = |model: &Model| {
                let [before, after] = [before, after].map(|sight| chance(&strengths(model, sight, num_seats), victim));
                fraction(before - after)
            };
            let sting = MetricKind::Sting.of(played.card);
            parts.add(sting, fall(model), 1);
            self.count_refits(sting, parts, |model| (fall(model), 1));
        }
    }

    /// Counts the course of a game: the leader at each moment and, with a model, the changes of the winning probabilities and
    /// the accuracy of the model.
    pub(super) fn count_course(&self, record: &GameRecord, sights: &Sights, unit: Unit, parts: &mut Parts<'_>) {
        let Some(winner) = only_winner(record) else { return };
        let sights = before_the_end(sights, unit);
        let (mut leader, mut changes, mut last_change) = (None, 0, 0);
        for (moment, sight) in sights.iter().enumerate() {
            if changes_hands(&leads(sight, record.num_seats, unit), &mut leader) {
                changes += 1;
                last_change = moment;
            }
        }
        parts.add(MetricKind::LeadChanges, changes, 1);
        if !sights.is_empty() {
            parts.add(MetricKind::LastLeadChange, fraction(last_change as f64 / sights.len() as f64), 1);
        }
        let Some(model) = &self.model else { return };
        for sight in sights {
            count_predictions(&strengths(model, sight, record.num_seats), winner, parts);
        }
        let course = |model: &Model| {
            let chances = sights.iter().map(|sight| chance(&strengths(model, sight, record.num_seats), winner));
            let (moved, steps) = movement(chances, record.num_seats, unit);
            (fraction(moved), steps)
        };
        let (moved, steps) = course(model);
        parts.add(MetricKind::Excitement, moved, steps);
        self.count_refits(MetricKind::Excitement.into(), parts, course);
    }

    /// Counts a metric, measured by each refit of the model.
    fn count_refits(&self, metric: Metric, parts: &mut Parts<'_>, measure: impl Fn(&Model) -> (i64, i64)) {
        for (part, model) in self.refits.iter().enumerate() {
            if let Some(refit) = metric.without_part(part) {
                let (above, below) = measure(model);
                parts.add(refit, above, below);
            }
        }
    }
}

/// The total variation of the later winner's probability until the win, and the number of steps. A match begins with equal
/// probabilities.
fn movement(chances: impl Iterator<Item = f64>, num_seats: usize, unit: Unit) -> (f64, i64) {
    let first = match unit {
        Unit::Round => None,
        Unit::Match => Some(1.0 / num_seats as f64),
    };
    let (mut moved, mut steps, mut before) = (0.0, 0, None);
    for chance in first.into_iter().chain(chances).chain([1.0]) {
        if let Some(before) = before {
            moved += f64::abs(chance - before);
            steps += 1;
        }
        before = Some(chance);
    }
    (moved, steps)
}

fn strengths(model: &Model, sight: &[Features; MAX_SEATS], num_seats: usize) -> Vec<f64> {
    sight[..num_seats].iter().map(|features| model.strength(features)).collect()
}

fn chance(strengths: &[f64], seat: usize) -> f64 {
    strengths[seat] / strengths.iter().sum::<f64>()
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

/// The progress of each seat: by cards in a round, by scores in a match.
fn leads(sight: &[Features; MAX_SEATS], num_seats: usize, unit: Unit) -> Vec<f64> {
    let lead = |seat: &Features| match unit {
        Unit::Round => -(seat[0].0 as f64),
        Unit::Match => seat[0].1,
    };
    sight[..num_seats].iter().map(lead).collect()
}

/// Updates the leader, and returns whether it has changed.
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
        parts.add(MetricKind::Calibration.of(bin), fraction(predicted - came), 1);
    }
    parts.add(MetricKind::Brier, fraction(squares), 1);
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
    fn lead_changes_to_player_further_ahead() {
        let mut leader = None;
        let steps = [[1.0, 2.0], [2.0, 2.0], [3.0, 2.0], [3.0, 3.5], [3.5, 3.5], [4.0, 3.5]];
        let changes = steps.map(|leads| changes_hands(&leads, &mut leader));
        assert_eq!(changes, [false, false, true, true, false, true]);
    }

    /// Probabilities 1/2, 3/4, 1/4 of the later winner, then 1: changes of 1/4, 1/2, and 3/4; a match of four begins at 1/4.
    #[test]
    fn chances_move_until_the_end() {
        let chances = [0.5, 0.75, 0.25];
        assert_eq!(movement(chances.into_iter(), 4, Unit::Round), (1.5, 3));
        assert_eq!(movement(chances.into_iter(), 4, Unit::Match), (1.75, 4));
        assert_eq!(movement([].into_iter(), 4, Unit::Round), (0.0, 0));
        assert_eq!(movement([].into_iter(), 4, Unit::Match), (0.75, 1));
    }
}
