//! Sentences about fairness, length, choice, luck against skill, and points by card.

use unolab_arena::tables::balance::MetricsRow;
use unolab_arena::words::{capital, grouped};
use unolab_engine::round::MAX_DECISIONS;

use super::metric::cards_in_words;
use super::number::{
    acting_position_text, in_hundredths, in_numbers, in_percent, in_points, percent, simultaneous_percent,
};

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

impl<'a> GameRows<'a> {
    fn row(&self, metric: &str) -> Option<&'a MetricsRow> {
        let name = format!("{}{metric}", self.prefix);
        self.rows.iter().find(|row| row.metric == name)
    }

    fn value(&self, metric: &str) -> Option<f64> {
        self.row(metric)?.value
    }

    /// The rows of a metric with an argument in parentheses, each with the argument.
    fn each(&self, metric: &str) -> impl Iterator<Item = (&'a str, &'a MetricsRow)> {
        let begin = format!("{}{metric}(", self.prefix);
        self.rows.iter().filter_map(move |row| Some((row.metric.strip_prefix(&begin)?.strip_suffix(')')?, row)))
    }

    /// Games that do not end indicate a problem of the rules and distort every other number.
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
        // Among seats with the same distance, the first is chosen.
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
        let decisive: String = self
            .each("decisive_choice_share")
            .map(|(difference, row)| {
                format!(
                    "In {} of turns the choice of the card matters: by the net's estimate, it changes the chance to win by more than \
                     {difference}. ",
                    in_percent(row)
                )
            })
            .collect();
        Some(format!(
            "{cards}{decisive}{} of decisions have more than one legal action; {actions} actions are legal on average.",
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
}
