//! The findings of a balance run in sentences, for the terminal and the page: fairness, length, choice, luck against skill, and
//! points by card. The tables have every number.

use unolab_arena::experiment::balance::spec::CONTROL;
use unolab_arena::tables::balance::{MetricsRow, SweepRow};
use unolab_arena::words::{capital, grouped};
use unolab_engine::round::MAX_DECISIONS;
use unolab_stats::interval::{Coverage, Interval};

/// One kind of game: the rows of a variant at one number of seats, of single rounds or of matches.
struct GameRows<'a> {
    rows: &'a [MetricsRow],
    prefix: &'static str,
}

/// The two players that measure skill.
#[derive(Debug, Clone)]
pub(crate) struct GoodAndWeak {
    pub(crate) good: String,
    pub(crate) weak: String,
}

/// The sentences about a variant at one number of seats.
pub(crate) fn sentences(rows: &[MetricsRow], players: &GoodAndWeak) -> Vec<String> {
    let rounds = GameRows { rows, prefix: "" };
    let matches = GameRows { rows, prefix: "match_" };
    let mut said = vec![];
    said.extend(rounds.cut_off("rounds"));
    said.extend(matches.cut_off("matches"));
    said.extend(rounds.fairness("rounds"));
    said.extend(rounds.length_of_round());
    said.extend(rounds.choice());
    said.extend(rounds.experience());
    said.extend(rounds.course());
    said.extend(rounds.sting());
    said.extend(rounds.skill("rounds", players));
    said.extend(rounds.panel());
    said.extend(rounds.cards());
    said.extend(rounds.field());
    said.extend(rounds.ladder());
    said.extend(matches.length_of_match());
    said.extend(matches.fairness("matches"));
    said.extend(matches.skill("matches", players));
    said
}

/// The first sentences about rounds: fairness, length, luck against skill.
pub(crate) fn summary_sentences(rows: &[MetricsRow], players: &GoodAndWeak) -> Vec<String> {
    let rounds = GameRows { rows, prefix: "" };
    let answers = [
        rounds.cut_off("rounds"),
        rounds.fairness("rounds"),
        rounds.length_of_round(),
        rounds.skill("rounds", players),
    ];
    answers.into_iter().flatten().collect()
}

/// A sentence for each arm with its significant differences from the base.
pub(crate) fn arms(rows: &[SweepRow]) -> Vec<String> {
    let mut names: Vec<&str> = Vec::new();
    for row in rows.iter().filter(|row| row.arm != CONTROL) {
        if !names.contains(&&*row.arm) {
            names.push(&row.arm);
        }
    }
    let said = |name: &&str| {
        let of_arm: Vec<&SweepRow> = rows.iter().filter(|row| row.arm == **name).collect();
        let shown: Vec<String> = arm_lines(&of_arm)
            .into_iter()
            .filter(|line| line.finding == Finding::Different)
            .map(|ArmLine { cells: [what, _, _, difference], unit, .. }| match unit {
                Unit::Number => format!("{what} {difference}"),
                Unit::Percent => format!("{what} {difference} percentage points"),
            })
            .collect();
        if shown.is_empty() {
            format!("{}: no metric differs from the base significantly.", describe_arm(name))
        } else {
            format!("{} compared with the base: {}.", describe_arm(name), shown.join("; "))
        }
    };
    names.iter().map(said).collect()
}

impl<'a> GameRows<'a> {
    fn row(&self, metric: &str) -> Option<&'a MetricsRow> {
        let name = format!("{}{metric}", self.prefix);
        self.rows.iter().find(|row| row.metric == name)
    }

    fn value(&self, metric: &str) -> Option<f64> {
        self.row(metric)?.value
    }

    /// The rows of a metric with something in parentheses, and the parenthesized text.
    fn each(&self, metric: &str) -> impl Iterator<Item = (&'a str, &'a MetricsRow)> {
        let begin = format!("{}{metric}(", self.prefix);
        self.rows.iter().filter_map(move |row| Some((row.metric.strip_prefix(&begin)?.strip_suffix(')')?, row)))
    }

    /// Games that do not end reveal a problem of the rules and distort every other number.
    fn cut_off(&self, games: &str) -> Option<String> {
        let share = self.row("truncated_share").filter(|row| row.value > Some(0.0))?;
        Some(format!(
            "{} of the {games} do not end: they are truncated after {} decisions, and every number here includes them.",
            in_percent(share),
            grouped(MAX_DECISIONS.into())
        ))
    }

    fn fair(&self) -> Option<f64> {
        Some(1.0 / self.rows.first()?.seats as f64)
    }

    fn fairness(&self, games: &str) -> Option<String> {
        let fair = self.fair()?;
        let shares: Vec<(&'a str, &'a MetricsRow)> = self.each("seat_share").collect();
        let distance = |row: &MetricsRow| row.value.map_or(0.0, |value| (value - fair).abs());
        // Among seats that are as far from fair the first.
        let farther = |a: (&'a str, &'a MetricsRow), b: (&'a str, &'a MetricsRow)| {
            if distance(b.1) > distance(a.1) + 1e-9 { b } else { a }
        };
        let number = shares.len();
        let (_, first) = *shares.first()?;
        let (place, row) = shares.into_iter().reduce(farther)?;
        let place: u32 = place.parse().ok()?;
        let who = acting_position_text(place);
        let verb = if row.value? >= fair { "is favored" } else { "is at a disadvantage" };
        let is_shown = self.value("seat_chi_squared_p").is_some_and(|p| p < 0.05);
        let of_games = format!("of the {games}, where {} is fair", percent(fair));
        let mut text = match (place, is_shown) {
            (0, true) => format!("{} {verb}, with {} {of_games}.", capital(&who), in_percent(row)),
            (0, false) => format!("No seat is significantly favored: {who} has {} {of_games}.", in_percent(row)),
            (_, true) => format!(
                "The first player wins {} {of_games}; {who} {verb}, with {}.",
                in_percent(first),
                simultaneous_percent(row, number)
            ),
            (_, false) => format!(
                "No seat is significantly favored: the first player has {} {of_games}, and {who}, the seat farthest from it, has {}.",
                in_percent(first),
                simultaneous_percent(row, number)
            ),
        };
        if let (Some(margin), Some(p)) = (self.value("seat_equivalence_margin"), self.value("seat_equivalence_p")) {
            let margin = format!("{:.1} percentage points", 100.0 * margin);
            text += &if p < 0.05 {
                format!(" Every seat wins its fair share to within {margin}.")
            } else {
                format!(" The data do not establish that every seat wins its fair share to within {margin}.")
            };
        } else {
            text += " There are too few to determine whether every seat wins its fair share.";
        }
        Some(text)
    }

    fn length_of_round(&self) -> Option<String> {
        let mut text = format!("A round takes {} turns", in_numbers(self.row("turns")?));
        if let Some(decisions) = self.row("decisions") {
            text += &format!(" and {} decisions of all seats", in_numbers(decisions));
        }
        text += ".";
        text += &self.spread_of_length("rounds");
        let longer: Vec<String> = self
            .each("longer_share")
            .map(|(turns, row)| format!("{} last more than {turns} turns", in_percent(row)))
            .collect();
        if !longer.is_empty() {
            text += &format!(" Of all rounds, {}.", longer.join(", "));
        }
        if let Some(void) = self.row("void_share").filter(|row| row.value > Some(0.0)) {
            text += &format!(" {} of rounds have no winner.", in_percent(void));
        }
        Some(text)
    }

    fn length_of_match(&self) -> Option<String> {
        let rounds = in_numbers(self.row("rounds")?);
        let text = format!("A match takes {rounds} rounds, {} turns.", in_numbers(self.row("turns")?));
        Some(text + &self.spread_of_length("matches"))
    }

    /// The quantiles of a length, and minutes if they are known.
    fn spread_of_length(&self, games: &str) -> String {
        let quantiles = |what: &str| -> Option<[String; 3]> {
            let value = |percent: u32| self.value(&format!("{what}_q{percent}"));
            Some(
                [value(10)?, value(50)?, value(90)?]
                    .map(|value| if value.fract() == 0.0 { format!("{value:.0}") } else { format!("{value:.1}") }),
            )
        };
        let mut text = String::new();
        if let Some([short, middle, long]) = quantiles("turns") {
            text += &format!(
                " Half of the {games} take at most {middle} turns, 10% at most {short}, and 90% at most {long}."
            );
        }
        if let (Some(mean), Some([short, middle, long])) = (self.row("minutes"), quantiles("minutes")) {
            text += &format!(" In minutes: {} on average; {short}, {middle}, and {long}.", in_numbers(mean));
        }
        text
    }

    fn experience(&self) -> Option<String> {
        Some(format!(
            "A player waits {} turns of others between two turns, loses {} turns per round, plays no card in {} of turns, and draws {} \
             cards per round; the largest hand has {} cards.",
            in_numbers(self.row("waiting_turns")?),
            in_hundredths(self.row("turns_lost")?),
            in_percent(self.row("idle_turn_share")?),
            in_numbers(self.row("cards_drawn")?),
            in_numbers(self.row("largest_hand")?)
        ))
    }

    fn sting(&self) -> Option<String> {
        let mut cards: Vec<(&str, &MetricsRow)> = self.each("sting").filter(|(_, row)| row.value.is_some()).collect();
        cards.sort_by(|a, b| b.1.value.unwrap_or_default().total_cmp(&a.1.value.unwrap_or_default()));
        let most: Vec<String> =
            cards.iter().take(3).map(|(card, row)| format!("{} by {}", cards_in_words(card), in_points(row))).collect();
        (!most.is_empty()).then(|| {
            format!(
                "By the estimate of a model, these cards lower their victim's chance to win most, in percentage points: {}.",
                most.join(", ")
            )
        })
    }

    fn panel(&self) -> Option<String> {
        let members: Vec<String> =
            self.each("skill").map(|(agent, row)| format!("{agent} {}", in_percent(row))).collect();
        (!members.is_empty()).then(|| format!("On the same scale, against each weak agent: {}.", members.join(", ")))
    }

    fn choice(&self) -> Option<String> {
        let (share, actions) = (self.row("choice_share")?, in_numbers(self.row("legal_actions")?));
        let cards = self.row("card_choice_share").map_or_else(String::new, |row| {
            format!("In {} of turns at least two different cards can be played. ", in_percent(row))
        });
        Some(format!(
            "{cards}{} of decisions have more than one legal action; {actions} actions are legal on average.",
            in_percent(share)
        ))
    }

    fn course(&self) -> Option<String> {
        let changes =
            format!("The lead, the fewest cards, changes {} times per round", in_numbers(self.row("lead_changes")?));
        Some(match self.row("excitement") {
            Some(row) => {
                format!(
                    "{changes}; by the estimate of a model, the eventual winner's chance to win moves by {} percentage points per turn: \
                     the more, the more exciting.",
                    in_points(row)
                )
            }
            None => changes + ".",
        })
    }

    fn skill(&self, games: &str, GoodAndWeak { good, weak }: &GoodAndWeak) -> Option<String> {
        let (share, skill) = (self.row("good_share")?, self.row("skill")?);
        Some(format!(
            "One strong agent ({good}) among weak ones ({weak}) wins {} of the {games}, where {} is fair: {} on a scale from 0% (only luck decides) to \
             100% (only skill decides).",
            in_percent(share),
            percent(self.fair()?),
            in_percent(skill)
        ))
    }

    fn cards(&self) -> Option<String> {
        let points = self.row("points_a_round")?;
        let mut groups: Vec<(&str, &MetricsRow)> =
            self.each("points_from").filter(|(_, row)| row.value.is_some()).collect();
        groups.sort_by(|a, b| b.1.value.unwrap_or_default().total_cmp(&a.1.value.unwrap_or_default()));
        let most: Vec<String> = groups
            .iter()
            .take(3)
            .map(|(group, share)| format!("{} in {}", in_percent(share), cards_in_words(group)))
            .collect();
        if most.is_empty() {
            return None;
        }
        Some(format!(
            "When a player goes out, the other hands hold {} points: {}, and less in other cards.",
            in_numbers(points),
            most.join(", ")
        ))
    }

    fn field(&self) -> Option<String> {
        let each: Vec<String> =
            self.each("win_share").map(|(agent, row)| format!("{agent} wins {}", in_percent(row))).collect();
        (!each.is_empty()).then(|| format!("At the table {}.", each.join(", ")))
    }

    fn ladder(&self) -> Vec<String> {
        let said =
            |(rung, row): (&str, &MetricsRow)| format!("{rung} wins {} against half its budget.", in_percent(row));
        self.each("ladder").map(said).collect()
    }
}

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
const OTHERS: [(&str, &str, Unit); 5] = [
    ("cards_drawn", "cards drawn per player and round", Unit::Number),
    ("largest_hand", "cards in the largest hand", Unit::Number),
    ("longer_share", "rounds with more turns than", Unit::Percent),
    ("good_share", "rounds won by the strong agent against", Unit::Percent),
    ("sting", "fall of the victim's chance by", Unit::Percent),
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unit {
    Number,
    /// Shares in percent, their differences in percentage points.
    Percent,
}

/// Whether a metric of an arm is printed for people, different or not.
pub(crate) fn is_headline(metric: &str) -> bool {
    TOLD.iter().any(|(told, ..)| *told == metric)
}

/// The result of a comparison of an arm with the base.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Finding {
    /// They differ by more than chance.
    Different,
    /// No significant difference.
    Open,
    /// They are the same in every deal, so there is nothing to compare.
    Same,
}

impl Finding {
    fn of(row: &SweepRow) -> Self {
        if row.p_holm.is_some_and(|p| p < 0.05) {
            Self::Different
        } else if row.difference == 0.0 && row.se == Some(0.0) {
            Self::Same
        } else {
            Self::Open
        }
    }
}

/// A line of the table of an arm: metric, base, arm, difference with its interval, and the result of the comparison.
pub(crate) struct ArmLine {
    pub(crate) cells: [String; 4],
    pub(crate) unit: Unit,
    pub(crate) finding: Finding,
}

/// Every requested metric of an arm, different or not, and every other metric that differs.
pub(crate) fn arm_lines(rows: &[&SweepRow]) -> Vec<ArmLine> {
    let is_dealt = rows.first().is_some_and(|row| row.arm.starts_with(DEALT));
    let told = |row: &&&SweepRow| {
        is_dealt || is_headline(&row.metric) || (Finding::of(row) == Finding::Different && !is_detail(&row.metric))
    };
    rows.iter().filter(told).map(|row| line(row)).collect()
}

/// What an arm does to skill, if it was measured against a panel: a claim must hold against every weak agent.
pub(crate) fn claim_about_skill(rows: &[&SweepRow]) -> Option<String> {
    let of_panel: Vec<(&str, &SweepRow)> = rows
        .iter()
        .filter_map(|row| Some((row.metric.strip_prefix("good_share(")?.strip_suffix(')')?, *row)))
        .collect();
    let all = |is_wanted: fn(f64) -> bool| {
        of_panel.iter().all(|(_, row)| is_wanted(row.difference) && Finding::of(row) == Finding::Different)
    };
    if of_panel.is_empty() {
        return None;
    }
    if all(|difference| difference > 0.0) {
        return Some("skill: the strong agent wins more against every weak agent of the panel".into());
    }
    if all(|difference| difference < 0.0) {
        return Some("skill: the strong agent wins less against every weak agent of the panel".into());
    }
    let member = |(agent, row): &(&str, &SweepRow)| {
        let star = if Finding::of(row) == Finding::Different { " *" } else { "" };
        format!("{agent} {:+.1}{star}", 100.0 * row.difference)
    };
    let members: Vec<String> = of_panel.iter().map(member).collect();
    Some(format!(
        "skill: no claim, because the change depends on the weak agent, in percentage points: {}",
        members.join(", ")
    ))
}

/// Metrics of secondary interest, which only the files have.
pub(crate) fn is_detail(metric: &str) -> bool {
    ["points_squared", "_adjusted", "decisions", "model_", "control_", "_refit", "sting(", "good_share("]
        .iter()
        .any(|part| metric.contains(part))
}

fn line(row: &SweepRow) -> ArmLine {
    let (words, unit) = metric_text(&row.metric);
    let write = |value: f64| match unit {
        Unit::Number => format!("{value:.2}"),
        Unit::Percent => format!("{:.2}%", 100.0 * value),
    };
    let signed = |value: f64| match unit {
        Unit::Number => format!("{value:+.2}"),
        Unit::Percent => format!("{:+.2}", 100.0 * value),
    };
    let bounds = row.ci_low.zip(row.ci_high).map(|(low, high)| format!(" [{}, {}]", signed(low), signed(high)));
    let value = |value: Option<f64>| value.map_or_else(String::new, write);
    ArmLine {
        cells: [words, value(row.base), value(row.value), signed(row.difference) + &bounds.unwrap_or_default()],
        unit,
        finding: Finding::of(row),
    }
}

/// A metric in words, and its unit.
pub(crate) fn metric_text(metric: &str) -> (String, Unit) {
    if let Some((_, words, unit)) = TOLD.iter().find(|(name, ..)| *name == metric) {
        return ((*words).to_owned(), *unit);
    }
    // Of a card dealt on purpose: the arm has its name.
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

/// A metric of something: `points_from(wild)`, `match_win_share(greedy)`.
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

/// The prefix of the arms in which a card is dealt on purpose; the card's name follows.
pub(crate) const DEALT: &str = "dealt:";

/// A group of cards, named for the reader.
fn cards_in_words(group: &str) -> String {
    match group {
        "number" => "number cards".into(),
        "custom" => "custom cards".into(),
        other => other.replace('_', " "),
    }
}

/// An arm, named for the reader.
pub(crate) fn describe_arm(arm: &str) -> String {
    match arm.split_once(':') {
        Some(("dealt", card)) => format!("{} dealt in place of another card", card.replace('_', " ")),
        Some(("void", card)) => format!("{} without its effect", card.replace('_', " ")),
        _ => arm.to_owned(),
    }
}

fn in_percent(row: &MetricsRow) -> String {
    let percent = |share: f64| format!("{:.1}", 100.0 * share);
    with_interval(row, percent).map_or_else(String::new, |text| match text.split_once(' ') {
        Some((value, bounds)) => format!("{value}% {bounds}"),
        None => text + "%",
    })
}

/// A share, with an interval that holds together with those of all other seats (Bonferroni).
fn simultaneous_percent(row: &MetricsRow, number: usize) -> String {
    let reach = |coverage: Coverage| coverage.normal_reach(u64::MAX);
    let factor = reach(Coverage::Simultaneous(number)) / reach(Coverage::Pointwise);
    let widened = |bound: Option<f64>| Some(row.value? + factor * (bound? - row.value?));
    let clamped = |bound: Option<f64>| widened(bound).map(|bound| bound.clamp(0.0, 1.0));
    let row = MetricsRow { ci_low: clamped(row.ci_low), ci_high: clamped(row.ci_high), ..row.clone() };
    in_percent(&row) + " (intervals of all seats together)"
}

fn in_hundredths(row: &MetricsRow) -> String {
    with_interval(row, |value| format!("{value:.2}")).unwrap_or_default()
}

/// Percentage points.
fn in_points(row: &MetricsRow) -> String {
    with_interval(row, |share| format!("{:.1}", 100.0 * share)).unwrap_or_default()
}

fn in_numbers(row: &MetricsRow) -> String {
    with_interval(row, |value| format!("{value:.1}")).unwrap_or_default()
}

/// `35.4 [34.9, 35.9]`, or only the first number if there is no interval.
fn with_interval(row: &MetricsRow, write: impl Fn(f64) -> String) -> Option<String> {
    let value = write(row.value?);
    let bounds = row.ci_low.zip(row.ci_high).map(|(low, high)| Interval { low, high });
    // If all games ended alike, no error can be estimated, but Wilson's interval of a share is still defined.
    let bounds = match (row.value?, row.n) {
        (share @ (0.0 | 1.0), Some(n)) if row.metric.contains("share") => Interval::wilson(share, n as f64),
        _ => bounds,
    };
    let bounds = bounds.map(|Interval { low, high }| format!(" [{}, {}]", write(low), write(high)));
    Some(value + &bounds.unwrap_or_default())
}

fn percent(share: f64) -> String {
    format!("{:.1}%", 100.0 * share)
}

/// The player at this position in the turn order, counted from 0.
pub(crate) fn acting_position_text(place: u32) -> String {
    format!("the {} player", ordinal(place + 1))
}

fn ordinal(number: u32) -> String {
    match number {
        1 => "first".into(),
        2 => "second".into(),
        3 => "third".into(),
        4 => "fourth".into(),
        5 => "fifth".into(),
        6 => "sixth".into(),
        7 => "seventh".into(),
        8 => "eighth".into(),
        9 => "ninth".into(),
        10 => "tenth".into(),
        number => format!("{number}th"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(values: &[(&str, f64, f64)]) -> Vec<MetricsRow> {
        let row = |&(metric, value, half): &(&str, f64, f64)| MetricsRow {
            variant: "classic".into(),
            seats: 2,
            metric: metric.into(),
            value: Some(value),
            ci_low: (half > 0.0).then_some(value - half),
            ci_high: (half > 0.0).then_some(value + half),
            ..MetricsRow::default()
        };
        values.iter().map(row).collect()
    }

    #[test]
    fn each_question_is_answered_in_sentence_with_figures() {
        let rows = rows(&[
            ("turns", 35.4, 0.5),
            ("decisions", 40.3, 0.6),
            ("void_share", 0.0, 0.0),
            ("choice_share", 0.82, 0.002),
            ("legal_actions", 3.93, 0.03),
            ("lead_changes", 3.06, 0.05),
            ("excitement", 0.123, 0.004),
            ("good_share", 0.758, 0.007),
            ("skill", 0.516, 0.013),
            ("seat_share(0)", 0.522, 0.011),
            ("seat_share(1)", 0.478, 0.011),
            ("seat_chi_squared_p", 0.00006, 0.0),
            ("seat_equivalence_margin", 0.02, 0.0),
            ("seat_equivalence_p", 0.66, 0.0),
            ("points_a_round", 72.65, 1.3),
            ("points_from(number)", 0.335, 0.005),
            ("points_from(wild)", 0.18, 0.006),
            ("points_from(skip)", 0.1, 0.004),
            ("points_from(wild_draw_four)", 0.157, 0.006),
            ("match_rounds", 12.47, 0.24),
            ("match_turns", 447.4, 10.0),
        ]);
        assert_eq!(
            sentences(&rows, &GoodAndWeak { good: "heuristic".into(), weak: "random".into() }),
            [
                "The first player is favored, with 52.2% [51.1, 53.3] of the rounds, where 50.0% is fair. The data do not establish that every seat wins its fair share to within 2.0 percentage points.",
                "A round takes 35.4 [34.9, 35.9] turns and 40.3 [39.7, 40.9] decisions of all seats.",
                "82.0% [81.8, 82.2] of decisions have more than one legal action; 3.9 [3.9, 4.0] actions are legal on average.",
                "The lead, the fewest cards, changes 3.1 [3.0, 3.1] times per round; by the estimate of a model, the eventual winner's chance to \
                 win moves by 12.3 [11.9, 12.7] percentage points per turn: the more, the more exciting.",
                "One strong agent (heuristic) among weak ones (random) wins 75.8% [75.1, 76.5] of the rounds, where 50.0% is fair: 51.6% [50.3, 52.9] on a scale from \
                 0% (only luck decides) to 100% (only skill decides).",
                "When a player goes out, the other hands hold 72.7 [71.4, 74.0] points: 33.5% [33.0, 34.0] in number cards, 18.0% [17.4, 18.6] in wild, \
                 15.7% [15.1, 16.3] in wild draw four, and less in other cards.",
                "A match takes 12.5 [12.2, 12.7] rounds, 447.4 [437.4, 457.4] turns.",
            ]
        );
    }

    #[test]
    fn arm_without_difference_is_shown() {
        let row = |metric: &str, difference, p_holm| SweepRow {
            arm: "house.jump_in=true".into(),
            metric: metric.into(),
            base: Some(0.5),
            value: Some(0.5 + difference),
            difference,
            ci_low: Some(difference - 0.01),
            ci_high: Some(difference + 0.01),
            p_holm: Some(p_holm),
            ..SweepRow::default()
        };
        let all = [
            row("good_share", -0.002, 1.0),
            row("points_from(wild)", 0.2, 0.0),
            row("reshuffles", 0.3, 0.0),
            row("excitement_refit(1)", 0.1, 0.0),
        ];
        let lines = arm_lines(&all.iter().collect::<Vec<_>>());
        assert_eq!(lines.len(), 3);
        assert_eq!((&*lines[1].cells[0], lines[1].unit), ("points in wild", Unit::Percent));
        assert_eq!(lines[0].cells, ["rounds won by the strong agent", "50.00%", "49.80%", "-0.20 [-1.20, +0.80]"]);
        assert_eq!([0, 2].map(|line| lines[line].finding), [Finding::Open, Finding::Different]);
        assert_eq!(lines[2].cells[0], "reshuffles");
        let same = SweepRow { se: Some(0.0), p_holm: None, ..row("turns", 0.0, 1.0) };
        assert_eq!(arm_lines(&[&same])[0].finding, Finding::Same);
        let dealt = SweepRow {
            arm: "dealt:W".into(),
            metric: "points_net".into(),
            base: None,
            value: None,
            ..row("", 0.9, 0.7)
        };
        let lines = arm_lines(&[&dealt]);
        assert_eq!(lines[0].cells, ["points credited less points left", "", "", "+0.90 [+0.89, +0.91]"]);
    }
}
