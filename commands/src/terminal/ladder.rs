//! The pairs of a ladder: each version against the version before, and a cross table.

use unolab_stats::ratings::Ratings;
use unolab_stats::ratings::matches::Evidence;

use super::ratings::{Claim, TableRows, Verdict};

/// The entrants by strength, the strongest first; those without a rating last, by name.
#[must_use]
pub fn names_by_strength(evidence: &Evidence, ratings: &Ratings) -> Vec<String> {
    let strength = ratings.ratings.first().map(|rating| rating.method);
    let place = |entrant: usize| {
        let rating = ratings.ratings.iter().find(|rating| rating.entrant == entrant && Some(rating.method) == strength);
        rating.map_or(usize::MAX, |rating| rating.place)
    };
    let mut entrants: Vec<usize> = (0..evidence.entrants.len()).collect();
    entrants.sort_by_key(|&entrant| (place(entrant), &evidence.entrants[entrant]));
    entrants.into_iter().map(|entrant| evidence.entrants[entrant].clone()).collect()
}

/// The share of the games won by either that the entrant of the row won against the entrant of the column, in percent. The
/// order of both is the order of strength. `None` for a single pair.
#[must_use]
pub fn cross_rows(evidence: &Evidence, ratings: &Ratings, claims: &[Claim]) -> Option<TableRows> {
    let names = names_by_strength(evidence, ratings);
    if claims.is_empty() || names.len() < 3 {
        return None;
    }
    let share = |row: &str, column: &str| {
        let of = |a: &str, b: &str| claims.iter().find(|claim| claim.a == a && claim.b == b);
        let lead = of(row, column).map(|claim| claim.lead.difference);
        let lead = lead.or_else(|| of(column, row).map(|claim| -claim.lead.difference));
        lead.map_or_else(String::new, |lead| format!("{:.1}", 100.0 * (0.5 + lead)))
    };
    let numbers = (1..=names.len()).map(|number| number.to_string());
    let rows = names.iter().zip(numbers.clone()).map(|(row, number)| {
        let cells = names.iter().map(|column| if row == column { "–".to_owned() } else { share(row, column) });
        [number, row.clone()].into_iter().chain(cells).collect()
    });
    let header = ["#", "row wins % against"].map(str::to_owned).into_iter().chain(numbers).collect();
    Some(TableRows { header, rows: rows.collect(), names: 2 })
}

/// The verdict on a version against the version before.
#[must_use]
pub fn update_sentence(claim: &Claim, margin: f64) -> String {
    let Claim { a, b, .. } = claim;
    let verdict = match claim.verdict() {
        Verdict::EquallyStrong => format!("equally strong, to within {:.2} percentage points", 100.0 * margin),
        Verdict::Undecided => "undecided, it needs more --sets or `unolab sprt`".to_owned(),
        decided => decided.word().to_owned(),
    };
    let p = match claim.p_in_words() {
        p if p.is_empty() => String::new(),
        p if p.starts_with('<') => format!(", p {p}"),
        p => format!(", p = {p}"),
    };
    format!(
        "{a} against the version before, {b}: {verdict}; it won {}% of the games that either won (95%{p})",
        claim.share()
    )
}

#[cfg(test)]
mod tests {
    use unolab_stats::hypothesis::Comparison;

    use super::*;

    fn claim(a: &str, b: &str, difference: f64) -> Claim {
        let lead = Comparison { difference, standard_error: 0.01, sets: 400, unequal: None };
        let p = |p: Option<f64>| p.unwrap_or(1.0);
        Claim {
            a: a.into(),
            b: b.into(),
            lead,
            p_different: p(lead.p_different()),
            p_equivalence: p(lead.p_not_equivalent(0.03)),
        }
    }

    #[test]
    fn verdicts_have_plain_words() {
        let words = |difference| update_sentence(&claim("mine@2", "mine@1", difference), 0.03);
        assert!(
            words(0.05).starts_with("mine@2 against the version before, mine@1: better; it won 55.00 ["),
            "{}",
            words(0.05)
        );
        assert!(words(-0.05).contains(": worse; it won 45.00 "), "{}", words(-0.05));
        assert!(words(0.001).contains(": equally strong, to within 3.00 percentage points; "), "{}", words(0.001));
        assert!(words(0.018).contains(": undecided, it needs more --sets or `unolab sprt`; "), "{}", words(0.018));
    }
}
