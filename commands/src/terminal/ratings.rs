//! Ratings and comparisons on a terminal.

use unolab_agents::printable::printable;
use unolab_stats::hypothesis::Comparison;
use unolab_stats::interval::Interval;
use unolab_stats::ratings::matches::Evidence;
use unolab_stats::ratings::places::Places;
use unolab_stats::ratings::{Anchor, Method, Rating, Ratings};

use super::plain::plain_table;
use crate::output::wrapped;

/// The effect of entrants without a rating on the ratings of the others.
pub(crate) const FITTED_WITH_ALL: &str =
    "ratings are fitted with these games too, so their differences need not predict a direct match";

/// The entrants by the first method's place, with all methods; only values in Elo points have intervals.
#[must_use]
pub fn ratings_table(evidence: &Evidence, ratings: &Ratings, anchor: Option<Anchor>, width: u16) -> String {
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
    let anchor = anchor_in_words(evidence, anchor);
    format!("{variant}, {} seats: ratings [95%], Elo or %{anchor}\n{table}\n{places}{unrated}", evidence.seats)
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

/// The zero of the strengths, if it is not their mean.
#[must_use]
pub fn anchor_in_words(evidence: &Evidence, anchor: Option<Anchor>) -> String {
    anchor.map_or_else(String::new, |Anchor { entrant, elo }| {
        format!("; Elo relative to {} = {elo}", printable(&evidence.entrants[entrant]))
    })
}

/// The rows of a table, for the terminal or for a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableRows {
    /// The heads of the columns.
    pub header: Vec<String>,
    /// The cells.
    pub rows: Vec<Vec<String>>,
    /// The number of leading columns that are names.
    pub names: usize,
}

impl TableRows {
    /// The table on a terminal of this width.
    #[must_use]
    pub fn to_text(&self, width: u16) -> String {
        let header = self.header.iter().map(String::as_str).collect();
        plain_table(header, self.rows.iter().cloned(), width, self.names)
    }
}

/// The versions by strength: Elo points, the possible places of each, and a mark on the versions that the command
/// names.
#[must_use]
pub fn ladder_rows(evidence: &Evidence, ratings: &Ratings, is_named_now: &dyn Fn(&str) -> bool) -> TableRows {
    let strength = ratings.ratings.first().map(|rating| rating.method);
    let mut by_strength: Vec<&Rating> =
        ratings.ratings.iter().filter(|rating| Some(rating.method) == strength).collect();
    by_strength.sort_by_key(|rating| rating.place);
    let rows = by_strength.iter().map(|rating| {
        let name = &evidence.entrants[rating.entrant];
        let mark = if is_named_now(name) { "yes" } else { "" };
        let elo = |value: f64| format!("{:+.0}", if value.abs() < 0.5 { 0.0 } else { value });
        let places = rating.places.map_or_else(String::new, |Places { best, worst }| match best == worst {
            true => best.to_string(),
            false => format!("{best} to {worst}"),
        });
        vec![name.clone(), with_interval(rating.value, rating.interval, &elo), places, mark.to_owned()]
    });
    let header = ["version", "Elo [95%]", "place", "named now"].map(str::to_owned).to_vec();
    TableRows { header, rows: rows.collect(), names: 1 }
}

/// The versions by strength, below their table's title.
#[must_use]
pub fn ladder_table(
    evidence: &Evidence,
    ratings: &Ratings,
    anchor: Option<Anchor>,
    is_named_now: &dyn Fn(&str) -> bool,
    width: u16,
) -> String {
    let table = ladder_rows(evidence, ratings, is_named_now).to_text(width);
    let title = wrapped(
        "",
        &format!(
            "{}, {} seats: strongest first{}; `unolab rate` has other ratings",
            printable(&evidence.variant),
            evidence.seats,
            anchor_in_words(evidence, anchor)
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

    /// The adjusted p-value of the test that they are equal, in four decimal places; empty if it is undefined, as for few sets
    /// that all agree.
    #[must_use]
    pub fn p_in_words(&self) -> String {
        match self.lead.p_different() {
            None => String::new(),
            Some(_) if self.p_different < 1e-4 => "< 0.0001".to_owned(),
            Some(_) => format!("{:.4}", self.p_different),
        }
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

/// The pairs with the claims about them.
#[must_use]
pub fn claims_rows(claims: &[Claim]) -> TableRows {
    let rows = claims.iter().map(|claim| {
        let verdict = claim.verdict().word().to_owned();
        vec![claim.a.clone(), claim.b.clone(), claim.share(), claim.p_in_words(), verdict]
    });
    let header = ["a", "b", "a wins % [95%]", "p", "a is"].map(str::to_owned).to_vec();
    TableRows { header, rows: rows.collect(), names: 2 }
}

/// The meaning of a table of claims, whose p-values are corrected over `family`.
#[must_use]
pub fn claims_title(margin: f64, family: &str) -> String {
    let margin = percent(margin);
    format!(
        "pairs, by the games that either entrant won; p: test of a 50% share, Holm-corrected over {family}; intervals are not \
         corrected; equally strong: significantly within {margin} points of 50%"
    )
}

/// The pairs with the claims about them; empty if no pair has an error. The p-values are corrected over `family`.
#[must_use]
pub fn claims_table(claims: &[Claim], margin: f64, family: &str, width: u16) -> String {
    if claims.is_empty() {
        return String::new();
    }
    let table = claims_rows(claims).to_text(width);
    let is_open = claims.iter().any(|claim| claim.verdict() == Verdict::Undecided);
    let advice = "an undecided pair needs more sets; `unolab sprt --agents A,B` plays until it is decided";
    let advice = if is_open { wrapped("", advice, width) } else { String::new() };
    format!("{}{table}\n{advice}", wrapped("", &claims_title(margin, family), width))
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

    /// Few sets that all agree: the interval is Wilson's, and there is no error to compare with.
    #[test]
    fn undefined_p_value_is_empty() {
        let lead = Comparison { difference: -0.5, standard_error: 0.0, sets: 4, unequal: None };
        let claim = Claim { a: "x".into(), b: "y".into(), lead, p_different: 1.0, p_equivalence: 1.0 };
        assert_eq!((claim.p_in_words(), claim.verdict()), (String::new(), Verdict::Undecided));
        let many =
            Claim { lead: Comparison { standard_error: 0.01, sets: 400, ..lead }, p_different: 0.00001, ..claim };
        assert_eq!(many.p_in_words(), "< 0.0001");
    }
}
