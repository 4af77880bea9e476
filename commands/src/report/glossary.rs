//! Explanations of technical terms in tables and plots.

/// Terms and their meanings; a column is explained by the first term that is a prefix of its name.
const WORDS: [(&str, &str); 16] = [
    ("win share adjusted", "the win share after removing the luck of the cards; it can be below 0 or above 100%"),
    ("win share", "wins divided by games; a shared win counts in parts, and a game without a winner is shared by all"),
    ("fair", "the share of equally good players: one divided by the number of seats"),
    ("Elo", "strength on a logarithmic scale: 400 points are odds of ten to one, and 0 is the mean of all"),
    ("independent games", "the number of independent games with the same error; games of one deal are not independent"),
    ("los", "likelihood of superiority: the confidence that the first is truly ahead of the second"),
    ("comparisons", "pairs of seats, one of each entrant, in the same game, regardless of the winner"),
    ("plackett luce", "one strength per entrant, in Elo points, that makes the wins most likely"),
    ("bradley terry", "one strength per entrant, in Elo points, that makes the wins most likely"),
    ("nash average", "the gain against the maximum-entropy Nash equilibrium of the pairs"),
    ("nash share", "the share of an entrant in the maximum-entropy Nash equilibrium of the pairs"),
    (
        "alpha rank",
        "the share of time that an evolution of strategies spends with an entrant, where the winner of a pair spreads",
    ),
    ("instant run", "the mean share against the remaining entrants, where the last is dropped in turn"),
    ("choice", "share of decisions with more than one legal action"),
    ("skill", "the strong agent's share of wins on a scale from the fair share (0) to all wins (100)"),
    (
        "p holm",
        "the probability of so large a difference by chance alone, adjusted for all comparisons (Holm's method)",
    ),
];

/// The meaning of a term, if it needs an explanation.
pub(super) fn meaning(word: &str) -> Option<&'static str> {
    WORDS.iter().find(|(known, _)| word.starts_with(known)).map(|&(_, meaning)| meaning)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_of_any_unit_are_explained() {
        assert!(meaning("win share %").is_some_and(|meaning| meaning.starts_with("wins divided by games")));
        assert!(meaning("win share adjusted").is_some_and(|meaning| meaning.contains("luck of the cards")));
        assert!(meaning("comparisons").is_some_and(|meaning| meaning.ends_with("regardless of the winner")));
        assert!(meaning("plackett luce").is_some_and(|meaning| meaning.contains("makes the wins most likely")));
        assert!(meaning("instant run off").is_some() && meaning("entrant").is_none());
    }
}
