//! A process of a program with the rules that it knows, and how the program has fared with these rules.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use unolab_engine::rules::Rules;
use unolab_engine::seat::MAX_SEATS;

use super::answer::{Answer, Asked, Wrong};
use super::limits::{MAX_LINE_BYTES, MAX_SLOW_GAMES};
use super::message::Message;
use super::process::Process;
use super::question::Question;
use crate::fault::FaultCause;

/// A process of the program, and the rules it knows.
pub(super) struct Bot {
    pub(super) process: Process,
    known_rules: Option<Arc<KnownRules>>,
    decisions: u64,
}

impl Bot {
    pub(super) const fn new(process: Process) -> Self {
        Self { process, known_rules: None, decisions: 0 }
    }

    /// Whether it has been asked anything but for its greeting.
    pub(super) const fn has_played(&self) -> bool {
        self.decisions > 0
    }

    /// Tells it the rules, unless it knows them.
    pub(super) fn learn(&mut self, rules: &Arc<KnownRules>) {
        if !self.known_rules.as_ref().is_some_and(|known| Arc::ptr_eq(known, rules)) {
            self.process.say(&rules.line);
            self.known_rules = Some(Arc::clone(rules));
        }
    }

    /// Asks it, and says how much of its time it has taken; `timed_out` is the fault if the time is over.
    pub(super) fn ask(
        &mut self,
        question: Question<'_>,
        time: Duration,
        timed_out: impl FnOnce() -> Wrong,
    ) -> Result<(Answer, Duration), Wrong> {
        // This number never comes again, so that no answer can be taken for another's.
        self.decisions += 1;
        let asked = Asked { decision: self.decisions, actions: question.actions.len() };
        self.process.write_line(|line| question.write(None, asked.decision, line));
        let answer = self.process.next_line(time, MAX_LINE_BYTES);
        let (line, taken) = answer.map_err(|failure| failure.into_wrong(timed_out))?;
        let answer = Answer::read(&line, asked)
            .map_err(|wrong| self.process.reject(&wrong.1).map_or(wrong, |flood| (FaultCause::Flood, flood)))?;
        self.process.pause();
        Ok((answer, taken))
    }
}

/// Rules that the program has played by, and how it has fared with them.
pub(super) struct KnownRules {
    rules: Rules,
    /// The message with the rules.
    pub(super) line: String,
    /// Games lost in a row by taking too long, by number of seats.
    too_slow: Mutex<[usize; MAX_SEATS + 1]>,
}

impl KnownRules {
    pub(super) fn new(rules: &Rules) -> Self {
        Self { line: Message::rules(rules), rules: rules.clone(), too_slow: Mutex::default() }
    }

    pub(super) fn are(&self, rules: &Rules) -> bool {
        self.rules.name() == rules.name()
            && self.rules.parameters() == rules.parameters()
            && self.rules.kinds() == rules.kinds()
    }

    /// Counts a game at a table of `seats` seats.
    pub(super) fn count_game(&self, seats: usize, fault: Option<FaultCause>) {
        let in_a_row = &mut lock(&self.too_slow)[seats];
        *in_a_row = match fault {
            Some(FaultCause::DecisionTime | FaultCause::GameTime) => in_a_row.saturating_add(1),
            _ => 0,
        };
    }

    /// Refuses a program that was too slow in too many games in a row. One that plays several at once loses them together.
    pub(super) fn refuse_the_hopeless(&self, seats: usize, games_at_once: usize) -> Result<(), Wrong> {
        let most = MAX_SLOW_GAMES * games_at_once;
        if lock(&self.too_slow)[seats] < most {
            return Ok(());
        }
        let what = format!("not asked again after {most} games in a row lost by taking too long");
        Err((FaultCause::DecisionTime, what))
    }
}

/// Nothing that is locked here can be left half done.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_given_up_after_ten_slow_games_in_a_row_or_ten_batches_of_them() {
        let rules = KnownRules::new(&Rules::preset("classic"));
        let slow = |games: usize| (0..games).for_each(|_| rules.count_game(2, Some(FaultCause::DecisionTime)));
        slow(9);
        assert!(rules.refuse_the_hopeless(2, 1).is_ok());
        slow(1);
        assert!(rules.refuse_the_hopeless(2, 1).is_err() && rules.refuse_the_hopeless(3, 1).is_ok());
        assert!(rules.refuse_the_hopeless(2, 64).is_ok());
        slow(630);
        assert!(rules.refuse_the_hopeless(2, 64).is_err());
        rules.count_game(2, None);
        assert!(rules.refuse_the_hopeless(2, 1).is_ok());
    }

    #[test]
    fn rules_of_one_name_that_differ_are_told_anew() {
        let with = |key: &str, value: &str| {
            let rules = Rules::builder("classic").set(key, value).expect("a key");
            rules.build().expect("good rules")
        };
        let classic = KnownRules::new(&Rules::preset("classic"));
        assert!(classic.are(&Rules::preset("classic")));
        for other in [with("house.jump_in", "true"), with("deck.wild", "5"), Rules::preset("cars")] {
            assert!(!classic.are(&other));
        }
    }

    /// Kinds of which the deck has no card are not named.
    #[test]
    fn a_program_is_told_of_the_cards_of_the_deck() {
        let told = |name: &str| {
            let rules = KnownRules::new(&Rules::preset(name));
            let line: serde_json::Value = serde_json::from_str(&rules.line).expect("JSON");
            let cards = line["cards"].as_array().expect("a list").clone();
            (cards.len(), cards.iter().map(|card| card["copies"].as_u64().expect("a number")).sum::<u64>())
        };
        assert_eq!((told("classic"), told("handheld").1), ((54, 108), 108));
    }
}
