//! The words of tables and plots that are not everybody's, each with its meaning, told where it stands.

/// Words, and what each means; a column is explained by the first that it begins with.
const WORDS: [(&str, &str); 15] = [
    (
        "win share",
        "wins over games; a win that several share counts in parts, and a game without a winner is shared by all",
    ),
    ("fair", "what everybody would have who is equally good: one over the number of seats"),
    ("Elo", "strength on a logarithmic scale: 400 points are odds of ten to one, and 0 is the mean of all"),
    (
        "independent games",
        "how many games with cards of their own would tell as much: games of one deal depend on each other",
    ),
    ("superiority", "how likely it is that the first is ahead of the second in truth, as far as chance goes"),
    ("comparisons", "games that either of the two has won at the same table"),
    ("plackett luce", "one strength an entrant, in Elo points, by which who came in where is likeliest"),
    ("bradley terry", "one strength an entrant, in Elo points, by which who won is likeliest"),
    ("nash average", "the gain against the maximum-entropy Nash equilibrium of the pairs"),
    ("nash share", "the part that an entrant has in the maximum-entropy Nash equilibrium of the pairs"),
    (
        "alpha rank",
        "the share of time that an evolution of strategies, whoever wins the pair spreading, spends with an entrant",
    ),
    ("instant run", "the mean share against those that are left, the last being dropped in turn"),
    ("choice", "how many decisions have more than one legal action"),
    ("skill", "how far the good player's share of wins goes from the fair share (0) to all (100)"),
    (
        "p holm",
        "how likely so large a difference is without a cause, adjusted for all that is compared (Holm's method)",
    ),
];

/// What a word means, if it needs saying.
pub(super) fn meaning(word: &str) -> Option<&'static str> {
    WORDS.iter().find(|(known, _)| word.starts_with(known)).map(|&(_, meaning)| meaning)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_explained_whatever_their_unit() {
        assert!(meaning("win share %").is_some_and(|meaning| meaning.starts_with("wins over games")));
        assert!(meaning("instant run off").is_some() && meaning("entrant").is_none());
    }
}
