//! The metrics of a balance run in words, with their units.

/// The metrics of an arm that are always printed, with their words and units; other significant ones follow.
const TOLD: [(&str, &str, Unit); 14] = [
    ("turns", "turns per round", Unit::Number),
    ("waiting_turns", "turns of others between two turns", Unit::Number),
    ("turns_lost", "turns lost per player and round", Unit::Number),
    ("idle_turn_share", "turns without a card played", Unit::Percent),
    ("card_choice_share", "turns with two cards to play", Unit::Percent),
    ("choice_share", "decisions with a choice", Unit::Percent),
    ("lead_changes", "changes of the lead", Unit::Number),
    ("excitement", "change of the winner's chance", Unit::Percent),
    ("points_a_round", "points per round", Unit::Number),
    ("seat_share(0)", "wins of the first player", Unit::Percent),
    ("good_share", "rounds won by the strong agent", Unit::Percent),
    ("match_rounds", "rounds per match", Unit::Number),
    ("match_seat_share(0)", "matches of the first player", Unit::Percent),
    ("match_good_share", "matches won by the strong agent", Unit::Percent),
];

/// The words and the unit of other metrics.
const OTHERS: [(&str, &str, Unit); 6] = [
    ("cards_drawn", "cards drawn per player and round", Unit::Number),
    ("largest_hand", "cards in the largest hand", Unit::Number),
    ("longer_share", "rounds with more turns than", Unit::Percent),
    ("decisive_choice_share", "turns with a choice worth over", Unit::Percent),
    ("good_share", "rounds won by the strong agent against", Unit::Percent),
    ("sting", "fall of the victim's chance by", Unit::Percent),
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unit {
    Number,
    /// Shares in percent, their differences in percentage points.
    Percent,
}

/// Whether a metric of an arm is always printed, different or not.
pub(crate) fn is_headline(metric: &str) -> bool {
    TOLD.iter().any(|(told, ..)| *told == metric)
}

/// Whether a metric is of secondary interest and only in the files.
pub(crate) fn is_detail(metric: &str) -> bool {
    ["points_squared", "_adjusted", "decisions", "model_", "control_", "_refit", "sting(", "good_share("]
        .iter()
        .any(|part| metric.contains(part))
}

/// A metric in words, and its unit.
pub(crate) fn metric_text(metric: &str) -> (String, Unit) {
    if let Some((_, words, unit)) = TOLD.iter().find(|(name, ..)| *name == metric) {
        return ((*words).to_owned(), *unit);
    }
    // Metrics of a card dealt on purpose; the arm has its name.
    match metric {
        "win_share" => ("share of wins".to_owned(), Unit::Percent),
        "match_win_share" => ("share of matches won".to_owned(), Unit::Percent),
        "points_mean" => ("points credited".to_owned(), Unit::Number),
        "match_points_mean" => ("points credited in the match".to_owned(), Unit::Number),
        "points_left" => ("points left in the player's hand".to_owned(), Unit::Number),
        "points_net" => ("points credited less points left".to_owned(), Unit::Number),
        _ => of_a_group(metric),
    }
}

/// A metric with an argument, such as `points_from(wild)` or `match_win_share(greedy)`.
fn of_a_group(metric: &str) -> (String, Unit) {
    let (metric, of) = match metric.strip_suffix(')').and_then(|rest| rest.split_once('(')) {
        Some((name, of)) => (name, Some(of)),
        None => (metric, None),
    };
    let (name, in_match) = match metric.strip_prefix("match_") {
        Some(name) => (name, ", matches"),
        None => (metric, ""),
    };
    if let (None, Some((_, words, unit))) = (of, TOLD.iter().find(|(told, ..)| *told == name)) {
        return ((*words).to_owned() + in_match, *unit);
    }
    if let Some((_, words, unit)) = OTHERS.iter().find(|(other, ..)| *other == name) {
        let of = of.map_or_else(String::new, |of| format!(" {}", cards_in_words(of)));
        return (format!("{words}{of}{in_match}"), *unit);
    }
    let words = match (name, of) {
        ("points_from", Some(group)) => format!("points in {}", cards_in_words(group)),
        (name, Some(of)) => format!("{} of {of}", name.replace('_', " ")),
        (name, None) => name.replace('_', " "),
    };
    let is_share = name.contains("share") || name == "points_from";
    (words + in_match, if is_share { Unit::Percent } else { Unit::Number })
}

/// A readable name of a group of cards.
pub(super) fn cards_in_words(group: &str) -> String {
    match group {
        "number" => "number cards".into(),
        "custom" => "custom cards".into(),
        other => other.replace('_', " "),
    }
}
