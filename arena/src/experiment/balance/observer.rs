//! An observer that records a game for the metrics.

use unolab_engine::action::Action;
use unolab_engine::card::MAX_KINDS;
use unolab_engine::event::Event;
use unolab_engine::match_play::RoundPlan;
use unolab_engine::observation::NO_SCORES;
use unolab_engine::rules::{HandLimit, Rules, Scoring};
use unolab_engine::scoring::round_points;
use unolab_engine::seat::{BySeat, MAX_SEATS, Seat};
use unolab_engine::state::{EventSink, Outcome, Phase, RoundState};
use unolab_stats::logit::Features;

use super::cards::Group;
use super::choice_values::ChoiceValues;
use super::experience::Experience;
use crate::count::luck::is_ordinary;
use crate::count::luck::observer::LuckObserver;
use crate::play::GameObserver;
use crate::spec::Unit;

/// Hands of at least this number of cards count as the same size.
const LARGEST_HAND: usize = 12;

/// The number of weights of the model for this unit.
#[must_use]
pub const fn num_weights(unit: Unit) -> usize {
    match unit {
        Unit::Round => LARGEST_HAND + MAX_SEATS,
        Unit::Match => 2,
    }
}

/// The features of each seat at one moment.
type Sight = [Features; MAX_SEATS];

/// The observations of one game.
#[derive(Debug)]
pub struct Observer<'r> {
    rules: &'r Rules,
    unit: Unit,
    group_of: [u8; MAX_KINDS],
    actions: Vec<Action>,
    scores: BySeat<u32>,
    /// Ordinary decisions, without calls, catches, and jump-ins.
    pub decisions: i64,
    /// Their legal actions.
    pub legal_actions: i64,
    /// Decisions with more than one legal action.
    pub choices: i64,
    /// The luck of each seat.
    pub luck: LuckObserver<'r>,
    /// Points taken in each round that was won.
    pub points_taken: Vec<u32>,
    /// Those points by group of cards.
    pub points_from: [i64; Group::ALL.len()],
    /// Points in each hand when the last round ended.
    pub points_left: BySeat<u32>,
    /// The features at each turn of a round, or between the rounds of a match.
    pub sights: Vec<Sight>,
    /// The experience of players, if all metrics are counted.
    pub experience: Option<Experience>,
    /// The values of choices between cards, if they are measured.
    pub choice_values: Option<ChoiceValues<'r>>,
}

impl<'r> Observer<'r> {
    /// An observer of games of this unit under these rules.
    ///
    /// # Panics
    /// Never: there are twelve groups of cards.
    #[must_use]
    pub fn new(rules: &'r Rules, unit: Unit) -> Self {
        let mut group_of = [0; MAX_KINDS];
        for (group, kind) in group_of.iter_mut().zip(rules.kinds()) {
            *group = u8::try_from(Group::of(kind).index()).expect("twelve groups");
        }
        Self {
            rules,
            unit,
            group_of,
            actions: Vec::new(),
            scores: NO_SCORES,
            decisions: 0,
            legal_actions: 0,
            choices: 0,
            luck: LuckObserver::new(rules),
            points_taken: Vec::new(),
            points_from: [0; Group::ALL.len()],
            points_left: NO_SCORES,
            sights: Vec::new(),
            experience: None,
            choice_values: None,
        }
    }

    /// The observer that also counts the experience of players; the names of the cards are the layout's.
    #[must_use]
    pub fn with_experience(self, cards: &[String]) -> Self {
        Self { experience: Some(Experience::new(self.rules, cards)), ..self }
    }

    /// Also counts the turns in which the choice of the card matters, by this difference in thousandths.
    pub(super) fn follow_choices(&mut self, least_permille: Option<u32>) {
        self.choice_values = least_permille.map(|permille| ChoiceValues::new(self.rules, permille));
    }

    /// Clears the counts of the last game.
    pub fn begin_game(&mut self) {
        self.luck.begin_game();
        self.scores = NO_SCORES;
        (self.decisions, self.legal_actions, self.choices) = (0, 0, 0);
        self.points_taken.clear();
        self.points_from = [0; Group::ALL.len()];
        self.sights.clear();
        if let Some(experience) = &mut self.experience {
            experience.begin_game();
        }
        if let Some(values) = &mut self.choice_values {
            values.begin_game();
        }
    }

    fn see_decision(&mut self, state: &RoundState, seat: Seat, action: Action) {
        if !is_ordinary(state, seat, action) {
            if let (Some(experience), Action::Play(_) | Action::PlayNaming(..)) = (&mut self.experience, action) {
                experience.see_jump_in(seat);
            }
            return;
        }
        state.legal_actions_into(self.rules, &mut self.actions);
        self.decisions += 1;
        self.legal_actions += self.actions.len() as i64;
        self.choices += i64::from(self.actions.len() > 1);
        if let Some(experience) = &mut self.experience {
            experience.see_decision(state, seat, action, &self.actions);
        }
        if let (Some(values), Phase::Turn) = (&mut self.choice_values, state.phase()) {
            values.see_turn(state, seat, &self.actions);
        }
        if self.unit == Unit::Round && state.phase() == Phase::Turn {
            self.sights.push(sight_of_round(state, seat));
        }
    }
}

/// The number of cards of each seat, and the number of turns until it acts.
fn sight_of_round(state: &RoundState, to_act: Seat) -> Sight {
    let mut sight = [[(0, 0.0); 3]; MAX_SEATS];
    for (distance, seat) in std::iter::once(to_act).chain(state.others(to_act)).enumerate() {
        let cards = (state.hand(seat).len() as usize).clamp(1, LARGEST_HAND);
        sight[seat.index()] = [(cards - 1, 1.0), (LARGEST_HAND + distance, 1.0), (0, 0.0)];
    }
    sight
}

/// The player who acts after the player to act at this moment of a round.
#[must_use]
pub fn next_player(sight: &[Features; MAX_SEATS], num_seats: usize) -> usize {
    (0..num_seats).find(|&seat| sight[seat][1].0 == LARGEST_HAND + 1).unwrap_or(0)
}

/// The lead of each player: the score as a fraction of the target, with a negative sign if players are charged with their
/// hands.
fn sight_of_match(rules: &Rules, scores: &BySeat<u32>) -> Sight {
    let target = f64::from(rules.parameters().target.get());
    let sign = match rules.parameters().scoring {
        Scoring::WinnerTakes => 1.0,
        Scoring::RunningLowest | Scoring::Elimination => -1.0,
    };
    scores.as_array().map(|score| {
        let part = sign * f64::from(score) / target;
        [(0, part), (1, part * part), (0, 0.0)]
    })
}

impl EventSink for Observer<'_> {
    fn on_event(&mut self, state: &RoundState, event: Event) {
        self.luck.on_event(state, event);
        if let Event::Acted { seat, action, .. } = event {
            self.see_decision(state, seat, action);
        } else if let Some(experience) = &mut self.experience {
            experience.see_event(state, event);
        }
        if let Some(values) = &mut self.choice_values {
            values.see_event(state, event);
        }
    }
}

impl GameObserver for Observer<'_> {
    fn begin_round(&mut self, plan: &RoundPlan) {
        self.luck.begin_round(plan);
        if let Some(values) = &mut self.choice_values {
            values.begin_round();
        }
    }

    fn end_round(&mut self, state: &RoundState) {
        self.luck.end_round(state);
        if let Some(experience) = &mut self.experience {
            experience.end_round();
        }
        self.points_left = state.points_left(self.rules);
        let Some(Outcome::WentOut(winner)) = state.outcome() else { return };
        let others = || state.seats().filter(|&seat| seat != winner);
        let of_seats_out = match self.rules.parameters().hand_limit {
            HandLimit::Cards { points, .. } => points * u32::try_from(state.out().len()).expect("at most ten seats"),
            HandLimit::None => 0,
        };
        self.points_taken.push(others().map(|seat| self.points_left[seat]).sum::<u32>() + of_seats_out);
        for card in others().flat_map(|seat| state.hand(seat).iter()) {
            self.points_from[usize::from(self.group_of[card.index()])] += i64::from(self.rules.points(card));
        }
        if self.unit == Unit::Match {
            let points = round_points(self.rules, state);
            self.scores.iter_mut().zip(points).for_each(|(score, points)| *score += points);
            self.sights.push(sight_of_match(self.rules, &self.scores));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fewest_points_lead_when_own_hand_counts() {
        let leads = |scoring| {
            let rules = Rules::builder("classic").set("match.scoring", scoring).expect("a key").build().expect("rules");
            let sight = sight_of_match(&rules, &BySeat::from_fn(|seat| if seat.index() == 0 { 90 } else { 40 }));
            sight[0][0].1 > sight[1][0].1
        };
        assert!(leads("winner_takes"));
        assert!(!leads("running_lowest") && !leads("elimination"));
    }
}
