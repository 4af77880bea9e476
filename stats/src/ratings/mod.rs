//! Ratings by several methods, each with an interval from a bootstrap over sets.

pub mod matches;
pub mod pairwise;
pub mod places;
pub mod plackett_luce;
pub mod run_off;

use crate::interval::{Coverage, FEW_SETS, Interval};
use crate::random::Random;
use matches::{Design, Evidence, Totals};
use pairwise::{PairTable, alpha_rank};
use places::{Places, place_sets, places};
use plackett_luce::{RatingInput, Strengths, elo_of};
use run_off::{run_off, total_scores};

/// The number of bootstrap replicates.
const REPLICATES: usize = 1000;
/// A limit on the fitting steps, so that tables of thousands of lineups take seconds.
const FITTING_BUDGET: usize = 600_000_000;
const FEWEST_REPLICATES: usize = 100;

/// A rating method.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// Maximum likelihood, two sides at a table.
    BradleyTerry(RatingInput),
    /// Maximum likelihood, more than two sides at a table.
    PlackettLuce(RatingInput),
    /// The expected payoff against the maximum-entropy Nash equilibrium.
    NashAverage,
    /// The probability in that equilibrium.
    NashShare,
    /// The share of time that evolution spends with the entrant.
    AlphaRank,
    /// Share of wins.
    TotalScore,
    /// Mean share of games won against each remaining entrant, the last being dropped in turn.
    InstantRunOff,
}

impl Method {
    /// Its name in the tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::BradleyTerry(RatingInput::Games) => "bradley-terry",
            Self::BradleyTerry(RatingInput::WeakPrior) => "bradley-terry (weak prior)",
            Self::PlackettLuce(RatingInput::Games) => "plackett-luce",
            Self::PlackettLuce(RatingInput::WeakPrior) => "plackett-luce (weak prior)",
            Self::NashAverage => "nash-average",
            Self::NashShare => "nash-share",
            Self::AlphaRank => "alpha-rank",
            Self::TotalScore => "total-score",
            Self::InstantRunOff => "instant-run-off",
        }
    }

    /// Whether the method uses the prior if the games leave the rating unbounded.
    const fn has_prior(self) -> bool {
        matches!(self, Self::BradleyTerry(RatingInput::WeakPrior) | Self::PlackettLuce(RatingInput::WeakPrior))
    }

    /// Whether it is in Elo points, and not a share.
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
    /// Its interval; `None` for [few sets](FEW_SETS), for which a bootstrap is unreliable, if only a weak prior bounds the
    /// rating, and for an [`Anchor`].
    pub interval: Option<Interval>,
    /// From 1 for the best; tied ratings share the better place.
    pub place: usize,
    /// The simultaneous confidence set of its true place; `None` for few sets.
    pub places: Option<Places>,
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

/// An entrant with a fixed strength. The strengths of the others, and their intervals, are relative to it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Anchor {
    /// The entrant, by its number.
    pub entrant: usize,
    /// Its strength in Elo points.
    pub elo: f64,
}

/// Rates the entrants. `is_rated` excludes entrants such as oracles that see all cards: the strengths are fitted with them,
/// because they sat at the tables, but they have neither a rating nor a row in the table of pairs. Strengths have a mean of 0
/// unless there is an anchor, which must be rated. The random numbers are for the bootstrap.
#[must_use]
pub fn rate(
    evidence: &Evidence,
    is_rated: &dyn Fn(&str) -> bool,
    anchor: Option<Anchor>,
    rng: &mut impl Random,
) -> Ratings {
    let design = evidence.design();
    let rated: Vec<usize> =
        (0..evidence.entrants.len()).filter(|&entrant| is_rated(&evidence.entrants[entrant])).collect();
    let field = RatedField { entrants: &rated, anchor };
    let totals = evidence.totals();
    let strengths = Strengths::fit(&design, &totals);
    let found = Findings::of(&design, &strengths, &totals, field);
    let drawn: Vec<Findings> = if evidence.num_sets() < FEW_SETS {
        Vec::new()
    } else {
        let draw = |_| {
            let totals = evidence.drawn(rng);
            Findings::of(&design, &strengths.refit(&design, &totals), &totals, field)
        };
        (0..replicates(&design)).map(draw).collect()
    };
    let shifted: Vec<Findings> = shifted(evidence, &totals, &rated)
        .iter()
        .map(|totals| Findings::of(&design, &strengths.refit(&design, totals), totals, field))
        .collect();
    let times_as_wide = evidence.coverage.times_as_wide(evidence.num_sets());
    let interval = |value: f64, pick: &dyn Fn(&Findings) -> Option<f64>| {
        let interval = Interval::of_bootstrap(drawn.iter().filter_map(pick).collect(), evidence.num_groups() as u64);
        // The quantile between two infinite numbers is not a number.
        let interval = interval.filter(|interval| interval.low.is_finite() && interval.high.is_finite());
        let interval = match evidence.coverage {
            Coverage::Pointwise => interval,
            _ => interval.map(|interval| interval.widened(value, times_as_wide)),
        };
        let values = shifted.iter().filter_map(pick).map(|value| Interval { low: value, high: value });
        let interval = interval.map(|interval| values.fold(interval, Interval::including))?;
        // Equal values may differ in their last digits.
        let interval = interval.including(Interval { low: value, high: value });
        (interval.low.is_finite() && interval.high.is_finite()).then_some(interval)
    };
    let reach = evidence.coverage.normal_reach(evidence.num_sets());
    let of_method = |number: usize, index: usize, value: f64| {
        let by_method = &found.by_method[number];
        if !by_method.is_bounded {
            return None;
        }
        // A value that only a prior bounds is somewhere beyond the estimate.
        let pick = |findings: &Findings| {
            let by_method = findings.by_method.get(number)?;
            let found = by_method.values[index];
            Some(if by_method.is_bounded { found } else { f64::INFINITY.copysign(found - value) })
        };
        let interval = interval(value, &pick)?;
        if by_method.method.is_in_elo() {
            return Some(interval);
        }
        // No replicate of only wins has a loss. As in the tables of shares, each set then counts as one game.
        let is_share = matches!(by_method.method, Method::TotalScore | Method::InstantRunOff);
        let is_extreme = is_share && (value <= 0.0 || value >= 1.0);
        let wilson = Interval::wilson_reaching(value, evidence.num_sets() as f64, reach).filter(|_| is_extreme);
        let wilson = wilson.map(|wilson| wilson.with_exact_ends(value));
        Some(wilson.map_or(interval, |wilson| interval.including(wilson)).clamped_to_share())
    };
    let mut ratings = Vec::new();
    for (number, by_method) in found.by_method.iter().enumerate() {
        let place = places(by_method.merits());
        let merits: Vec<&[f64]> =
            drawn.iter().filter_map(|drawn| drawn.by_method.get(number)).map(ByMethod::merits).collect();
        let shifted: Vec<&[f64]> =
            shifted.iter().filter_map(|shifted| shifted.by_method.get(number)).map(ByMethod::merits).collect();
        let sets = place_sets(by_method.merits(), &merits, &shifted, evidence.num_groups() as u64, times_as_wide);
        for (index, (&entrant, &value)) in rated.iter().zip(&by_method.values).enumerate() {
            let is_fixed = by_method.is_anchored() && anchor.is_some_and(|anchor| anchor.entrant == entrant);
            ratings.push(Rating {
                entrant,
                method: by_method.method,
                value,
                interval: if is_fixed { None } else { of_method(number, index, value) },
                place: place[index],
                places: sets.as_ref().map(|sets| sets[index]),
            });
        }
    }
    // Noise looks like cycles, and a replicate has the noise of the results twice. So percentiles alone can lie above the estimate.
    let intransitive_share = found.intransitive_share.map(|share| {
        let interval = interval(share, &|drawn| drawn.intransitive_share);
        (share, interval.map(|found| found.including(found.reflected(share)).clamped_to_share()))
    });
    let places = strengths.places.iter().map(|strength| elo_of(*strength)).collect();
    Ratings { ratings, intransitive_share, places }
}

/// The results at both bounds of each rated entrant with few unequal sets, because a bootstrap cannot sample unobserved sets.
fn shifted(evidence: &Evidence, totals: &Totals, rated: &[usize]) -> Vec<Totals> {
    let at_bounds = |&entrant: &usize| {
        let unequal = evidence.unequal_sets(entrant)?;
        let wins = unequal.reach(evidence.coverage) * unequal.sets() as f64;
        Some([wins, -wins].map(|wins| evidence.shifted(totals, entrant, wins)))
    };
    rated.iter().filter_map(at_bounds).flatten().flatten().collect()
}

/// The number of replicates, smaller if each takes long.
fn replicates(design: &Design) -> usize {
    const ITERATIONS_OF_A_FIT: usize = 50;
    const ELIMINATIONS_OF_AN_EQUILIBRIUM: usize = 50;
    let seats: usize = design.lineups.iter().flatten().map(Vec::len).sum();
    let steps = ITERATIONS_OF_A_FIT * seats + ELIMINATIONS_OF_AN_EQUILIBRIUM * design.num_entrants.pow(3);
    (FITTING_BUDGET / steps.max(1)).clamp(FEWEST_REPLICATES, REPLICATES)
}

/// All ratings of one bootstrap sample.
struct Findings {
    by_method: Vec<ByMethod>,
    intransitive_share: Option<f64>,
}

/// One method's values, by rated entrant.
struct ByMethod {
    method: Method,
    values: Vec<f64>,
    /// Whether the games bound the values, and not only a prior.
    is_bounded: bool,
    /// The ranking criterion, if it is not the value: in the run-off, the round in which an entrant was dropped.
    lateness: Option<Vec<f64>>,
}

impl ByMethod {
    const fn of(method: Method, values: Vec<f64>) -> Self {
        Self { method, values, is_bounded: !method.has_prior(), lateness: None }
    }

    /// Whether the values are strengths, which an anchor shifts.
    const fn is_anchored(&self) -> bool {
        matches!(self.method, Method::BradleyTerry(_) | Method::PlackettLuce(_))
    }

    /// The values by which the entrants are ranked; larger is better.
    fn merits(&self) -> &[f64] {
        self.lateness.as_ref().unwrap_or(&self.values)
    }
}

impl Findings {
    fn of(design: &Design, strengths: &Strengths, totals: &Totals, field: RatedField<'_>) -> Self {
        let rated = field.entrants;
        let of_rated = |values: Vec<f64>| -> Vec<f64> { rated.iter().map(|&entrant| values[entrant]).collect() };
        let likelihood =
            if strengths.places.len() == 2 { Method::BradleyTerry } else { Method::PlackettLuce }(strengths.basis);
        let mut by_method = vec![
            ByMethod::of(likelihood, field.relative(of_rated(strengths.elo()))),
            ByMethod::of(Method::TotalScore, of_rated(total_scores(design, totals))),
        ];
        let totals_of_rated = totals.of_entrants(rated);
        let mut intransitive_share = None;
        if let (Some(table), Some(alpha), Some(run_off)) =
            (PairTable::log_odds(&totals_of_rated), alpha_rank(&totals_of_rated), run_off(&totals_of_rated))
        {
            let nash = table.maxent_nash();
            let in_elo = |log_odds: f64| 400.0 * log_odds / std::f64::consts::LN_10;
            intransitive_share = table.intransitive_share();
            by_method.extend([
                ByMethod {
                    is_bounded: !totals_of_rated.have_certain_winner_or_loser(),
                    ..ByMethod::of(Method::NashAverage, table.nash_average(&nash).into_iter().map(in_elo).collect())
                },
                ByMethod::of(Method::NashShare, nash),
                ByMethod::of(Method::AlphaRank, alpha),
                ByMethod {
                    lateness: Some(run_off.iter().map(|result| -(result.place as f64)).collect()),
                    ..ByMethod::of(Method::InstantRunOff, run_off.iter().map(|result| result.share).collect())
                },
            ]);
        }
        Self { by_method, intransitive_share }
    }
}

/// The rated entrants, and the zero of their strengths.
#[derive(Clone, Copy)]
struct RatedField<'a> {
    entrants: &'a [usize],
    anchor: Option<Anchor>,
}

impl RatedField<'_> {
    /// The strengths relative to the anchor, or to their mean.
    fn relative(self, strengths: Vec<f64>) -> Vec<f64> {
        let place = |anchor: Anchor| self.entrants.iter().position(|&entrant| entrant == anchor.entrant);
        let zero = match self.anchor.and_then(|anchor| Some((anchor, place(anchor)?))) {
            Some((anchor, place)) => strengths[place] - anchor.elo,
            None => strengths.iter().sum::<f64>() / strengths.len() as f64,
        };
        strengths.into_iter().map(|strength| strength - zero).collect()
    }
}

#[cfg(test)]
mod tests;
