//! A process of a program, with the rules that it knows.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use unolab_engine::rules::Rules;

use super::answer::{Answer, DecisionRequest, Wrong};
use super::limits::MAX_LINE_BYTES;
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
        let asked = DecisionRequest { decision: self.decisions, actions: question.actions.len() };
        self.process.write_line(|line| question.write(None, asked.decision, line));
        let answer = self.process.next_line(time, MAX_LINE_BYTES);
        let (line, taken) = answer.map_err(|failure| failure.into_wrong(timed_out))?;
        let answer = Answer::read(&line, asked)
            .map_err(|wrong| self.process.reject(&wrong.1).map_or(wrong, |flood| (FaultCause::Flood, flood)))?;
        self.process.pause();
        Ok((answer, taken))
    }
}

/// Rules that the program has played by.
pub(super) struct KnownRules {
    rules: Rules,
    /// The message with the rules.
    pub(super) line: String,
}

impl KnownRules {
    pub(super) fn new(rules: &Rules) -> Self {
        Self { line: Message::rules(rules), rules: rules.clone() }
    }

    pub(super) fn are(&self, rules: &Rules) -> bool {
        self.rules.name() == rules.name()
            && self.rules.parameters() == rules.parameters()
            && self.rules.kinds() == rules.kinds()
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
    fn hello_message_lists_deck_cards() {
        let told = |name: &str| {
            let rules = KnownRules::new(&Rules::preset(name));
            let line: serde_json::Value = serde_json::from_str(&rules.line).expect("JSON");
            let cards = line["cards"].as_array().expect("a list").clone();
            (cards.len(), cards.iter().map(|card| card["copies"].as_u64().expect("a number")).sum::<u64>())
        };
        assert_eq!((told("classic"), told("handheld").1), ((54, 108), 108));
    }
}
