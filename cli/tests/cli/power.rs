//! The number of sets that a run would need.

use super::Home;

#[test]
fn power_of_tenth_edge_needs_hundredfold_sets() {
    let home = Home::new();
    let sets = |edge: &str| -> u64 {
        let text = home.output(&format!("match --agents greedy,random --seats 4 --power {edge}"));
        let row = text.lines().find(|line| line.trim_start().starts_with("greedy")).expect("a row");
        row.split_whitespace().nth(2).unwrap().replace(',', "").parse().unwrap()
    };
    let (few, many) = (sets("0.1"), sets("0.01"));
    assert!((99 * few..=101 * few).contains(&many) || few < 50 && many > 90 * (few - 1), "{few} {many}");
    let (raw, adjusted) = (sets("0.01"), sets("0.01 --luck"));
    assert!(adjusted < raw, "luck taken off, fewer sets do: {adjusted} {raw}");
    assert!(home.names().is_empty(), "no directory");
    assert!(home.failure("match --agents greedy,random --power 0.7", 2).0.contains("--power 0.7: must be"));
}
