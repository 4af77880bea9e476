//! Who is how strong, by several methods, each with an interval from a bootstrap over sets.

pub mod matches;
pub mod pairwise;
pub mod plackett_luce;
pub mod run_off;

use crate::interval::Interval;
use crate::random::Random;
use matches::{Design, Evidence, Totals};
use pairwise::{PairTable, alpha_rank};
use plackett_luce::{Basis, Strengths, elo_of};
use run_off::{run_off, total_scores};

/// How often the sets are drawn again.
const REPLICATES: usize = 1000;
/// So many steps of fitting are spent on it at most, so that tables of thousands of lineups take seconds.
const FITTING_BUDGET: usize = 600_000_000;
const FEWEST_REPLICATES: usize = 100;

/// A way to rate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// Maximum likelihood, two sides at a table.
    BradleyTerry(Basis),
    /// Maximum likelihood, more than two sides at a table.
    PlackettLuce(Basis),
    /// What is gained against the maximum-entropy Nash equilibrium.
    NashAverage,
    /// The part in that equilibrium.
    NashShare,
    /// How long evolution stays with the entrant.
    AlphaRank,
    /// Share of wins.
    TotalScore,
    /// Mean share of comparisons against those who are left, the last being dropped in turn.
    InstantRunOff,
}

impl Method {
    /// Its name in the tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::BradleyTerry(Basis::Games) => "bradley-terry",
            Self::BradleyTerry(Basis::WeakPrior) => "bradley-terry (weak prior)",
            Self::PlackettLuce(Basis::Games) => "plackett-luce",
            Self::PlackettLuce(Basis::WeakPrior) => "plackett-luce (weak prior)",
            Self::NashAverage => "nash-average",
            Self::NashShare => "nash-share",
            Self::AlphaRank => "alpha-rank",
            Self::TotalScore => "total-score",
            Self::InstantRunOff => "instant-run-off",
        }
    }

    /// Is it in Elo points, and not a share?
    #[must_use]
    pub const fn is_in_elo(self) -> bool {
        matches!(self, Self::BradleyTerry(_) | Self::PlackettLuce(_) | Self::NashAverage)
    }
}

/// The rating of one entrant by one method.
#[derive(Debug, Clone, PartialEq)]
pub struct Rating {
    /// The entrant, by its number.
    pub entrant: usize,
    /// The method.
    pub method: Method,
    /// The rating: Elo points or a share.
    pub value: f64,
    /// Where it truly lies; none for a single set.
    pub interval: Option<Interval>,
    /// From 1 for the best; equal ratings share the better place.
    pub place: usize,
}

/// Ratings of one variant at one number of seats.
#[derive(Debug, Clone, PartialEq)]
pub struct Ratings {
    /// Method by method, the entrants in their order.
    pub ratings: Vec<Rating>,
    /// The part of the pair table that no strengths explain.
    pub intransitive_share: Option<(f64, Option<Interval>)>,
    /// The strengths of places in the order of play, in Elo points with a mean of 0.
    pub places: Vec<f64>,
}

/// Rates the entrants. `is_rated` leaves out those, such as oracles that see all cards, who are no part of the field:
/// the strengths are fitted with them, for they sat at the tables, but they have no rating, and no part in the table of
/// pairs. Sets are drawn again with these random numbers.
#[must_use]
pub fn rate(evidence: &Evidence, is_rated: &dyn Fn(&str) -> bool, rng: &mut impl Random) -> Ratings {
    let design = evidence.design();
    let rated: Vec<usize> =
        (0..evidence.entrants.len()).filter(|&entrant| is_rated(&evidence.entrants[entrant])).collect();
    let totals = evidence.totals();
    let strengths = Strengths::fit(&design, &totals);
    let found = Findings::of(&design, &strengths, &totals, &rated);
    let drawn: Vec<Findings> = if evidence.num_groups() < 2 {
        Vec::new()
    } else {
        let draw = |_| {
            let totals = evidence.drawn(rng);
            Findings::of(&design, &strengths.refit(&design, &totals), &totals, &rated)
        };
        (0..replicates(&design)).map(draw).collect()
    };
    let interval = |pick: &dyn Fn(&Findings) -> Option<f64>| {
        Interval::of_bootstrap(drawn.iter().filter_map(pick).collect(), evidence.num_groups() as u64)
    };
    let mut ratings = Vec::new();
    for (number, (method, values)) in found.by_method.iter().enumerate() {
        let places = places_of(*method, values, &totals, &rated);
        for (index, (&entrant, &value)) in rated.iter().zip(values).enumerate() {
            let interval = interval(&|drawn| drawn.by_method.get(number).map(|(_, values)| values[index]));
            ratings.push(Rating { entrant, method: *method, value, interval, place: places[index] });
        }
    }
    let intransitive_share = found.intransitive_share.map(|share| (share, interval(&|drawn| drawn.intransitive_share)));
    let places = strengths.places.iter().map(|strength| elo_of(*strength)).collect();
    Ratings { ratings, intransitive_share, places }
}

/// Fewer where each takes long.
fn replicates(design: &Design) -> usize {
    const ITERATIONS_OF_A_FIT: usize = 50;
    const ELIMINATIONS_OF_AN_EQUILIBRIUM: usize = 50;
    let seats: usize = design.lineups.iter().flatten().map(Vec::len).sum();
    let steps = ITERATIONS_OF_A_FIT * seats + ELIMINATIONS_OF_AN_EQUILIBRIUM * design.num_entrants.pow(3);
    (FITTING_BUDGET / steps.max(1)).clamp(FEWEST_REPLICATES, REPLICATES)
}

/// All ratings of one drawing of sets.
struct Findings {
    /// Each method's values, of the rated entrants in their order.
    by_method: Vec<(Method, Vec<f64>)>,
    intransitive_share: Option<f64>,
}

impl Findings {
    fn of(design: &Design, strengths: &Strengths, totals: &Totals, rated: &[usize]) -> Self {
        let of_rated = |values: Vec<f64>| -> Vec<f64> { rated.iter().map(|&entrant| values[entrant]).collect() };
        let likelihood =
            if strengths.places.len() == 2 { Method::BradleyTerry } else { Method::PlackettLuce }(strengths.basis);
        let mut by_method = vec![
            (likelihood, centered(of_rated(strengths.elo()))),
            (Method::TotalScore, of_rated(total_scores(design, totals))),
        ];
        let field = totals.of_entrants(rated);
        let mut intransitive_share = None;
        if let (Some(table), Some(alpha), Some(run_off)) =
            (PairTable::log_odds(&field), alpha_rank(&field), run_off(&field))
        {
            let nash = table.maxent_nash();
            let in_elo = |log_odds: f64| 400.0 * log_odds / std::f64::consts::LN_10;
            intransitive_share = table.intransitive_share();
            by_method.extend([
                (Method::NashAverage, table.nash_average(&nash).into_iter().map(in_elo).collect()),
                (Method::NashShare, nash),
                (Method::AlphaRank, alpha),
                (Method::InstantRunOff, run_off.iter().map(|result| result.share).collect()),
            ]);
        }
        Self { by_method, intransitive_share }
    }
}

fn centered(values: Vec<f64>) -> Vec<f64> {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    values.into_iter().map(|value| value - mean).collect()
}

/// Places by value; in the run-off by who was left last.
fn places_of(method: Method, values: &[f64], totals: &Totals, rated: &[usize]) -> Vec<usize> {
    if method == Method::InstantRunOff
        && let Some(results) = run_off(&totals.of_entrants(rated))
    {
        return results.iter().map(|result| result.place).collect();
    }
    // Equal entrants may differ in the last digits of a fit.
    const EQUAL: f64 = 1e-9;
    values.iter().map(|value| 1 + values.iter().filter(|&other| *other > value + EQUAL).count()).collect()
}

#[cfg(test)]
mod tests;
