//! Ratings and comparisons on a terminal.

use unolab_agents::printable::printable;
use unolab_stats::hypothesis::Comparison;
use unolab_stats::interval::Interval;
use unolab_stats::ratings::matches::Evidence;
use unolab_stats::ratings::places::Places;
use unolab_stats::ratings::{Method, Rating, Ratings};

use super::plain::plain_table;
use crate::output::wrapped;

/// The effect of entrants without a rating on the ratings of the others.
pub(crate) const FITTED_WITH_ALL: &str =
    "ratings are fitted with these games too, so their differences need not predict a direct match";

/// The entrants by the first method's place, with all methods; only values in Elo points have intervals.
#[must_use]
pub fn ratings_table(evidence: &Evidence, ratings: &Ratings, width: u16) -> String {
    let mut methods: Vec<Method> = Vec::new();
    for rating in &ratings.ratings {
        if !methods.contains(&rating.method) {
            methods.push(rating.method);
        }
    }
    let mut first: Vec<&Rating> =
        ratings.ratings.iter().filter(|rating| Some(&rating.method) == methods.first()).collect();
    first.sort_by_key(|rating| rating.place);
    let cells = |entrant: usize| -> Vec<String> {
        let of = |method: &Method| {
            let found = ratings.ratings.iter().find(|rating| rating.entrant == entrant && rating.method == *method);
            found.map_or_else(String::new, written)
        };
        std::iter::once(evidence.entrants[entrant].clone()).chain(methods.iter().map(of)).collect()
    };
    // Words instead of hyphens, because a narrow column is broken at spaces.
    let names: Vec<String> = methods.iter().map(|method| method.name().replace('-', " ")).collect();
    let header = std::iter::once("entrant").chain(names.iter().map(String::as_str));
    let rows = first.iter().map(|rating| cells(rating.entrant));
    let table = plain_table(header.collect(), rows, width, 1);
    let places: Vec<String> = ratings.places.iter().map(|elo| format!("{elo:+.1}")).collect();
    let cycles = ratings.intransitive_share.map_or_else(String::new, |(share, interval)| {
        format!("; intransitive share in % {}", with_interval(share, interval, &percent))
    });
    let places = wrapped("", &format!("positions in the turn order: {} Elo{cycles}", places.join(" ")), width);
    let unrated = unrated_entrants(evidence, ratings, width);
    let variant = printable(&evidence.variant);
    format!("{variant}, {} seats: ratings [95%], Elo or %\n{table}\n{places}{unrated}", evidence.seats)
}

/// The entrants without a rating, and their effect on the ratings of the others; empty if all have one.
fn unrated_entrants(evidence: &Evidence, ratings: &Ratings, width: u16) -> String {
    let is_unrated = |entrant: &usize| ratings.ratings.iter().all(|rating| rating.entrant != *entrant);
    let unrated: Vec<String> =
        (0..evidence.entrants.len()).filter(is_unrated).map(|entrant| printable(&evidence.entrants[entrant])).collect();
    match unrated.is_empty() {
        true => String::new(),
        false => wrapped("", &format!("not rated: {}; {FITTED_WITH_ALL}", unrated.join(", ")), width),
    }
}

/// The versions by strength: Elo points, the possible places of each, and a mark on the versions that the command
/// names.
#[must_use]
pub fn ladder_table(evidence: &Evidence, ratings: &Ratings, is_named_now: &dyn Fn(&str) -> bool, width: u16) -> String {
    let strength = ratings.ratings.first().map(|rating| rating.method);
    let mut by_strength: Vec<&Rating> =
        ratings.ratings.iter().filter(|rating| Some(rating.method) == strength).collect();
    by_strength.sort_by_key(|rating| rating.place);
    let rows = by_strength.iter().map(|rating| {
        let name = &evidence.entrants[rating.entrant];
        let mark = if is_named_now(name) { "named now" } else { "" };
        let elo = |value: f64| format!("{:+.0}", if value.abs() < 0.5 { 0.0 } else { value });
        let places = rating.places.map_or_else(String::new, |Places { best, worst }| match best == worst {
            true => best.to_string(),
            false => format!("{best} to {worst}"),
        });
        vec![name.clone(), with_interval(rating.value, rating.interval, &elo), places, mark.to_owned()]
    });
    let table = plain_table(vec!["version", "Elo [95%]", "place", ""], rows, width, 1);
    let title = wrapped(
        "",
        &format!(
            "{}, {} seats: strongest first; `unolab rate` has other ratings",
            printable(&evidence.variant),
            evidence.seats
        ),
        width,
    );
    let unrated = unrated_entrants(evidence, ratings, width);
    format!("{title}{table}\n{unrated}")
}

fn written(rating: &Rating) -> String {
    if rating.method == Method::InstantRunOff {
        return format!("{}. {}", rating.place, percent(rating.value));
    }
    let elo = |value: f64| format!("{:+.1}", if value.abs() < 0.05 { 0.0 } else { value });
    if rating.method.is_in_elo() { with_interval(rating.value, rating.interval, &elo) } else { percent(rating.value) }
}

fn with_interval(value: f64, interval: Option<Interval>, write: &dyn Fn(f64) -> String) -> String {
    let bounds = interval.map(|Interval { low, high }| format!(" [{}, {}]", write(low), write(high)));
    write(value) + &bounds.unwrap_or_default()
}

fn percent(share: f64) -> String {
    format!("{:.2}", 100.0 * share)
}

/// A significant comparison of two entrants.
#[derive(Debug, Clone, PartialEq)]
pub struct Claim {
    /// The first entrant.
    pub a: String,
    /// The second entrant.
    pub b: String,
    /// The share of `a` minus one half.
    pub lead: Comparison,
    /// The adjusted p-value of the test that they are equal.
    pub p_different: f64,
    /// The adjusted p-value of the equivalence test: small if they differ by less than the margin.
    pub p_equivalence: f64,
}

/// The significance level of verdicts.
const LEVEL: f64 = 0.05;

/// The strength of the first entrant of a pair compared with the second.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Significantly stronger.
    Better,
    /// Significantly weaker.
    Worse,
    /// Significantly within the margin.
    EquallyStrong,
    /// None of these is significant.
    Undecided,
}

impl Verdict {
    /// The word in tables.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Better => "better",
            Self::Worse => "worse",
            Self::EquallyStrong => "equally strong",
            Self::Undecided => "undecided",
        }
    }
}

impl Claim {
    /// The claim about the other entrant.
    pub fn swap(&mut self) {
        std::mem::swap(&mut self.a, &mut self.b);
        self.lead.difference = -self.lead.difference;
    }

    /// The verdict by the adjusted p-values.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        match (self.p_different < LEVEL, self.p_equivalence < LEVEL) {
            (_, true) => Verdict::EquallyStrong,
            (true, false) if self.lead.difference > 0.0 => Verdict::Better,
            (true, false) => Verdict::Worse,
            (false, false) => Verdict::Undecided,
        }
    }

    /// The share of `a` in percent, with its interval: `58.08 [52.49, 63.67]`.
    #[must_use]
    pub fn share(&self) -> String {
        let interval = self.lead.interval().map(|interval| interval.scaled(1.0, 0.5).clamped_to_share());
        with_interval(0.5 + self.lead.difference, interval, &percent)
    }
}

/// A p-value with four decimal places.
#[must_use]
pub fn p_value(p: f64) -> String {
    if p < 1e-4 { "< 0.0001".to_owned() } else { format!("{p:.4}") }
}

/// The pairs with the claims about them; empty if no pair has an error. The p-values are corrected over `family`.
#[must_use]
pub fn claims_table(claims: &[Claim], margin: f64, family: &str, width: u16) -> String {
    if claims.is_empty() {
        return String::new();
    }
    let rows = claims.iter().map(|claim| {
        let verdict = claim.verdict().word().to_owned();
        vec![claim.a.clone(), claim.b.clone(), claim.share(), p_value(claim.p_different), verdict]
    });
    let table = plain_table(vec!["a", "b", "a wins % [95%]", "p", "a is"], rows, width, 2);
    let margin = percent(margin);
    let title = format!(
        "pairs, by the games that either entrant won; p: test of a 50% share, Holm-corrected over {family}; intervals are not \
         corrected; equally strong: significantly within {margin} points of 50%"
    );
    let is_open = claims.iter().any(|claim| claim.verdict() == Verdict::Undecided);
    let advice = "an undecided pair needs more sets; `unolab sprt --agents A,B` plays until it is decided";
    let advice = if is_open { wrapped("", advice, width) } else { String::new() };
    format!("{}{table}\n{advice}", wrapped("", &title, width))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn claim_requires_small_error() {
        let claim = |difference: f64, p_different, p_equivalence| Claim {
            a: "greedy".into(),
            b: "random".into(),
            lead: Comparison { difference, standard_error: 0.01, sets: 400, unequal: None },
            p_different,
            p_equivalence,
        };
        let claims =
            [claim(0.1, 0.001, 1.0), claim(-0.1, 0.00001, 1.0), claim(0.001, 0.9, 0.01), claim(0.01, 0.2, 0.4)];
        let text = claims_table(&claims, 0.02, "all pairs", 120);
        let rows = text.lines().filter(|line| line.starts_with(" greedy"));
        let verdicts: Vec<&str> = rows.filter_map(|line| line.split_whitespace().last()).collect();
        assert_eq!(verdicts, ["better", "worse", "strong", "undecided"], "{text}");
        assert!(text.contains("60.00 [58.03, 61.97]") && text.contains("< 0.0001"), "{text}");
        assert!(text.contains("needs more sets"), "{text}");
        assert!(!claims_table(&claims[..3], 0.02, "all pairs", 120).contains("needs more sets"), "all are decided");
    }
}
