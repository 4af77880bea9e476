//! What somebody may have meant who wrote a word that is not known.

/// Spellings farther apart than this are not meant for each other.
const FAR: usize = 3;

/// The known word whose spelling is nearest, if it is near enough to be meant: capital letters make no difference, and half
/// of a short word must be right.
///
/// ```
/// use unolab_engine::spelling::nearest;
///
/// assert_eq!(nearest("hueristic", ["random", "greedy", "heuristic"]), Some("heuristic"));
/// assert_eq!(nearest("chess", ["random", "greedy", "heuristic"]), None);
/// ```
#[must_use]
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = word.trim().to_lowercase();
    let far = FAR.min(word.chars().count() / 2);
    let alike_in_length = known.into_iter().filter(|known| word.len().abs_diff(known.len()) <= far);
    let nearest = alike_in_length.map(|known| (edit_distance(&word, &known.to_lowercase()), known)).min();
    nearest.filter(|(distance, _)| *distance <= far).map(|(_, known)| known)
}

/// Levenshtein's distance, but two letters that have changed places count once.
fn edit_distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut before: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for i in 0..a.len() {
        let mut next = vec![i + 1];
        for j in 0..b.len() {
            let mut distance = (row[j] + usize::from(a[i] != b[j])).min(row[j + 1] + 1).min(next[j] + 1);
            if i > 0 && j > 0 && (a[i], a[i - 1]) == (b[j - 1], b[j]) {
                distance = distance.min(before[j - 1] + 1);
            }
            next.push(distance);
        }
        before = std::mem::replace(&mut row, next);
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_near_is_meant_and_what_is_far_is_not() {
        let agents = ["random", "greedy", "heuristic", "mixbot", "net"];
        for (word, meant) in [
            ("Heuristic", Some("heuristic")),
            ("heurstic", Some("heuristic")),
            ("mxibot", Some("mixbot")),
            ("gredy", Some("greedy")),
            ("nte", Some("net")),
            ("xyz", None),
            ("", None),
            ("python3 bot.py", None),
        ] {
            assert_eq!(nearest(word, agents), meant, "{word}");
        }
        assert_eq!(
            [edit_distance("gaol", "goal"), edit_distance("ab", ""), edit_distance("stack", "stock")],
            [1, 2, 1]
        );
    }
}
