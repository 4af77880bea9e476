//! Checks that an agent answers every decision legally, reproducibly, in time, and only from the information of its seat.
//!
//! The agent plays one round in every seat, the next one among random agents, and so on. Each agent has a determinized copy:
//! an equal agent with an equal stream, in a world in which all cards hidden from the seat are dealt again for each decision.
//! If the copy answers differently, the agent used hidden information. At the end all rounds are played again, last round
//! first; an answer that then differs depended on something other than the game.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Instant;

use unolab_agents::agent::{Agent, EventSubscription};
use unolab_agents::decision_times::DecisionTimes;
use unolab_agents::fault::{Fault, FaultCause};
use unolab_agents::player::Player;
use unolab_agents::random::{Random, Uniform};
use unolab_agents::registry::AgentSpec;
use unolab_agents::table::{Ending, Table};
use unolab_engine::action::{Action, Call};
use unolab_engine::event::{Event, VisibleEvent};
use unolab_engine::observation::{NO_SCORES, Observation};
use unolab_engine::rng::{Purpose, Rng};
use unolab_engine::rules::Rules;
use unolab_engine::seat::{Seat, SeatSet};
use unolab_engine::state::RoundState;

use crate::play::guarded::guarded;
use crate::schedule::patience::MOST_IN_A_ROW;

/// The rounds of a check.
#[derive(Debug, Clone, Copy)]
pub struct CheckConfig<'a> {
    /// The rules.
    pub rules: &'a Rules,
    /// The number of seats.
    pub seats: usize,
    /// The number of rounds, each played twice.
    pub rounds: u64,
    /// The master seed.
    pub seed: u64,
}

/// The findings of a check. Findings can be added.
#[derive(Debug, Clone, Default)]
pub struct Findings {
    /// Rounds played; each was played again.
    pub rounds: u64,
    /// The number of these rounds that were truncated at the limit of decisions.
    pub cut: u64,
    /// Decisions of the agent, without the decisions of the copy and of the repetition.
    pub decisions: u64,
    /// The times that they took, by the kind of decision.
    pub times: BTreeMap<&'static str, DecisionTimes>,
    /// The faults, in the order in which they were found.
    pub faults: Vec<Finding>,
}

/// A fault found by a check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Its kind.
    pub kind: FindingKind,
    /// The variant and number of seats.
    pub table: (String, usize),
    /// The round, from 0: its deal is the deal of the set with this number in a tournament with the same seed.
    pub round: u64,
    /// The seat of the agent.
    pub seat: Seat,
    /// The number of its decision in the round, from 1.
    pub decision: usize,
    /// The description.
    pub what: String,
}

/// The kinds of fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum FindingKind {
    /// A program ended, or an agent panicked.
    Crash,
    /// It exceeded its time.
    Timeout,
    /// Not a legal action, or not an answer.
    Illegal,
    /// Different actions when the same round was played again.
    NotRepeated,
    /// A different action in a world that the seat cannot distinguish.
    Leak,
}

impl FindingKind {
    /// Every kind, the worst first.
    pub const ALL: [Self; 5] = [Self::Crash, Self::Timeout, Self::Illegal, Self::NotRepeated, Self::Leak];

    /// The kind of finding for this fault.
    const fn of(fault: FaultCause) -> Self {
        match fault {
            FaultCause::Crash => Self::Crash,
            FaultCause::DecisionTime | FaultCause::GameTime => Self::Timeout,
            FaultCause::Malformed | FaultCause::Stale | FaultCause::Illegal | FaultCause::Flood => Self::Illegal,
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (variant, seats) = &self.table;
        let Self { round, seat, decision, what, .. } = self;
        write!(f, "{variant}, {seats} seats, round {round}, seat {seat}, decision {decision}: {what}")
    }
}

impl Findings {
    /// The number of faults of a kind.
    #[must_use]
    pub fn count(&self, kind: FindingKind) -> usize {
        self.faults.iter().filter(|fault| fault.kind == kind).count()
    }

    /// Adds the findings of another check.
    pub fn add(&mut self, other: Self) {
        self.rounds += other.rounds;
        self.cut += other.cut;
        self.decisions += other.decisions;
        other.times.iter().for_each(|(kind, times)| self.times.entry(kind).or_default().merge(times));
        self.faults.extend(other.faults);
    }

    /// The times of all decisions.
    #[must_use]
    pub fn all_times(&self) -> DecisionTimes {
        let mut all = DecisionTimes::default();
        self.times.values().for_each(|times| all.merge(times));
        all
    }

    /// Drops the leaks of an agent that does not repeat itself: its copy may differ for the same reason. Returns whether there
    /// were any.
    pub fn drop_unjudged_leaks(&mut self) -> bool {
        let before = self.faults.len();
        self.faults.retain(|fault| fault.kind != FindingKind::Leak);
        self.faults.len() < before
    }
}

/// The number of times that a round is played again before a copy that differs counts as a leak.
const REPETITIONS_BEFORE_LEAK: u32 = 3;

/// Checks an agent. An agent that takes too long in [`MOST_IN_A_ROW`] consecutive rounds is not asked in the other rounds.
#[must_use]
pub fn examine(agent: &AgentSpec, config: &CheckConfig<'_>) -> Findings {
    let mut findings = Findings::default();
    let (mut first, mut timeouts_in_a_row): (Vec<PlayedRound>, u64) = (Vec::new(), 0);
    for round in 0..config.rounds {
        let played = config.play(agent, round, Copies::Seated);
        timeouts_in_a_row = if played.has_timeout() { timeouts_in_a_row + 1 } else { 0 };
        first.push(played);
        if timeouts_in_a_row == MOST_IN_A_ROW {
            break;
        }
    }
    // Last round first, so that an agent that remembers earlier games has other games to remember.
    let mut again: Vec<PlayedRound> =
        (0..first.len() as u64).rev().map(|round| config.play(agent, round, Copies::None)).collect();
    again.reverse();
    for ((round, first), again) in (0..).zip(first).zip(again) {
        findings.rounds += 1;
        findings.cut += u64::from(first.ending == Ending::Truncated);
        for ((seat, first), (_, again)) in first.transcripts.into_iter().zip(again.transcripts) {
            findings.decisions += first.answers.len() as u64;
            first.times.iter().for_each(|(kind, times)| findings.times.entry(kind).or_default().merge(times));
            let mut repeated = not_repeated(&first, &again);
            // A copy may also differ because the agent is not reproducible.
            if first.leak.is_some() && first.fault.is_none() {
                for _ in 0..REPETITIONS_BEFORE_LEAK {
                    repeated = repeated.or_else(|| {
                        let more = config.play(agent, round, Copies::None).transcripts;
                        more.iter().find(|(other, _)| *other == seat).and_then(|(_, more)| not_repeated(&first, more))
                    });
                }
            }
            let fault = first.fault.or(repeated).or(first.leak);
            findings.faults.extend(fault.map(|Entry { kind, decision, what }| {
                let table = (config.rules.name().into(), config.seats);
                Finding { kind, table, round, seat, decision, what }
            }));
        }
    }
    findings
}

/// The first decision that differed when the round was played again.
fn not_repeated(first: &Transcript, again: &Transcript) -> Option<Entry> {
    let same = first.answers.iter().zip(&again.answers).take_while(|(a, b)| a == b).count();
    let (a, b) = (first.answers.get(same), again.answers.get(same));
    let text = |answer: Option<&String>| answer.cloned().unwrap_or_else(|| "nothing".into());
    (a != b).then(|| Entry {
        kind: FindingKind::NotRepeated,
        decision: same + 1,
        what: format!("`{}`, and `{}` when the round was played again", text(a), text(b)),
    })
}

/// Whether each agent has a determinized copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Copies {
    Seated,
    None,
}

/// The results of a round without its agents, so that a program may play the next one.
struct PlayedRound {
    ending: Ending,
    transcripts: Vec<(Seat, Transcript)>,
}

impl PlayedRound {
    fn has_timeout(&self) -> bool {
        let mut faults = self.transcripts.iter().filter_map(|(_, transcript)| transcript.fault.as_ref());
        faults.any(|fault| fault.kind == FindingKind::Timeout)
    }
}

impl CheckConfig<'_> {
    fn play(&self, agent: &AgentSpec, round: u64, copies: Copies) -> PlayedRound {
        let checked_seat = |seat: Seat| {
            let stream = |purpose| Rng::keyed(self.seed, round, purpose);
            let make = || {
                let stream = || stream(Purpose::Agent(seat));
                guarded(seat, stream(), || agent.make(self.rules, seat, stream()))
            };
            let is_examined = round.is_multiple_of(2) || round / 2 % self.seats as u64 == seat.index() as u64;
            if !is_examined {
                return CheckedSeat::Other(Random::new(Uniform::Cards, stream(Purpose::Agent(seat))));
            }
            let worlds = Purpose::Other(u32::try_from(seat.index()).expect("at most ten seats"));
            let copy = (copies == Copies::Seated).then(|| DeterminizedCopy { agent: make(), worlds: stream(worlds) });
            CheckedSeat::SeatUnderTest(Box::new(SeatUnderTest {
                seat,
                agent: make(),
                copy,
                transcript: Transcript::default(),
            }))
        };
        let mut checked_seats: Vec<CheckedSeat> = Seat::first(self.seats).map(checked_seat).collect();
        let mut cards = Rng::keyed(self.seed, round, Purpose::Cards { round: 0 });
        let dealer = Seat::new(usize::try_from(round % self.seats as u64).expect("a seat"));
        let seats = SeatSet::first(self.seats);
        let mut state = RoundState::deal(self.rules, seats, dealer, &mut cards, &mut ());
        let mut agents: Vec<&mut dyn Agent> = checked_seats.iter_mut().map(|seat| seat as _).collect();
        let mut table =
            Table { rules: self.rules, agents: &mut agents, scores: &NO_SCORES, state: &mut state, chance: &mut cards };
        let ending = table.play_with_any(u32::MAX).unwrap_or(Ending::Truncated);
        let transcripts = checked_seats
            .into_iter()
            .filter_map(CheckedSeat::into_examined)
            .map(SeatUnderTest::into_transcript)
            .collect();
        PlayedRound { ending, transcripts }
    }
}

/// A seat at the table.
enum CheckedSeat {
    SeatUnderTest(Box<SeatUnderTest>),
    Other(Random),
}

impl CheckedSeat {
    fn into_examined(self) -> Option<SeatUnderTest> {
        match self {
            Self::SeatUnderTest(examined) => Some(*examined),
            Self::Other(_) => None,
        }
    }

    fn as_agent(&mut self) -> &mut dyn Agent {
        match self {
            Self::SeatUnderTest(examined) => &mut **examined,
            Self::Other(other) => other,
        }
    }
}

impl Agent for CheckedSeat {
    fn choose(&mut self, observation: &Observation<'_>) -> Action {
        self.as_agent().choose(observation)
    }
    fn call(&mut self, observation: &Observation<'_>, action: Action) -> Call {
        self.as_agent().call(observation, action)
    }
    fn interrupt(&mut self, observation: &Observation<'_>, options: &[Action]) -> Action {
        self.as_agent().interrupt(observation, options)
    }
    fn begin_round(&mut self, observation: &Observation<'_>) {
        self.as_agent().begin_round(observation);
    }
    fn observe(&mut self, seen: VisibleEvent, observation: &Observation<'_>) {
        self.as_agent().observe(seen, observation);
    }
    fn subscription(&self) -> EventSubscription {
        match self {
            Self::SeatUnderTest(examined) => examined.agent.subscription(),
            Self::Other(other) => other.subscription(),
        }
    }
}

/// The checked agent in a seat.
struct SeatUnderTest {
    seat: Seat,
    agent: Player,
    copy: Option<DeterminizedCopy>,
    transcript: Transcript,
}

/// The transcript of an agent in a round.
#[derive(Default)]
struct Transcript {
    answers: Vec<String>,
    times: BTreeMap<&'static str, DecisionTimes>,
    /// The first illegal answer.
    fault: Option<Entry>,
    /// The first decision at which the copy answered differently.
    leak: Option<Entry>,
}

struct Entry {
    kind: FindingKind,
    decision: usize,
    what: String,
}

impl SeatUnderTest {
    /// Asks the agent and its copy, each in its world, and records their answers. Instead of an illegal answer, `otherwise`
    /// is played.
    fn ask<T: PartialEq + Copy>(
        &mut self,
        kind: &'static str,
        observation: &Observation<'_>,
        ask: impl Fn(&mut Player, &Observation<'_>) -> T,
        in_words: impl Fn(T) -> String,
        is_legal: impl Fn(T) -> bool,
        otherwise: T,
    ) -> T {
        let begin = Instant::now();
        let answer = ask(&mut self.agent, observation);
        let time = begin.elapsed();
        let transcript = &mut self.transcript;
        transcript.times.entry(kind).or_default().add(time);
        transcript.answers.push(in_words(answer));
        let decision = transcript.answers.len();
        if let Some(copy) = &mut self.copy {
            let copy_answer = copy.in_its_world(observation, &ask);
            if copy_answer != answer && transcript.leak.is_none() {
                let (answer, copy_answer) = (in_words(answer), in_words(copy_answer));
                let what = format!("`{answer}`, but `{copy_answer}` when only hidden cards differ");
                transcript.leak = Some(Entry { kind: FindingKind::Leak, decision, what });
            }
        }
        if is_legal(answer) {
            return answer;
        }
        let what = format!("`{}` is not legal", in_words(answer));
        transcript.fault.get_or_insert(Entry { kind: FindingKind::Illegal, decision, what });
        otherwise
    }

    /// Called after the round: a fault of the agent or of its copy is also a finding.
    fn into_transcript(mut self) -> (Seat, Transcript) {
        let of_copy = self.copy.as_ref().and_then(|copy| copy.agent.fault());
        if let Some(Fault { decision, kind, what, .. }) = self.agent.fault().or(of_copy) {
            let what = format!("{}: {what}", kind.name());
            let entry = Entry { kind: FindingKind::of(*kind), decision: *decision as usize, what };
            self.transcript.fault.get_or_insert(entry);
        }
        (self.seat, self.transcript)
    }
}

impl Agent for SeatUnderTest {
    fn choose(&mut self, observation: &Observation<'_>) -> Action {
        let (rules, legal) = (observation.rules(), observation.legal_actions());
        self.ask(
            observation.decision_word().unwrap_or_default(),
            observation,
            |agent, seen| agent.choose(seen),
            |action| rules.write_action(action.into()),
            |action| legal.contains(&action),
            legal[0],
        )
    }

    fn call(&mut self, observation: &Observation<'_>, action: Action) -> Call {
        let in_words = |call| if call == Call::Uno { "uno" } else { "silent" }.to_owned();
        self.ask("call", observation, |agent, seen| agent.call(seen, action), in_words, |_| true, Call::Silent)
    }

    fn interrupt(&mut self, observation: &Observation<'_>, options: &[Action]) -> Action {
        let rules = observation.rules();
        self.ask(
            "interrupt",
            observation,
            |agent, seen| agent.interrupt(seen, options),
            |action| rules.write_action(action.into()),
            |action| action == Action::Silent || options.contains(&action),
            Action::Silent,
        )
    }

    fn begin_round(&mut self, observation: &Observation<'_>) {
        self.agent.begin_round(observation);
        if let Some(copy) = &mut self.copy {
            copy.in_its_world(observation, |agent, other| agent.begin_round(other));
        }
    }

    fn observe(&mut self, seen: VisibleEvent, observation: &Observation<'_>) {
        self.agent.observe(seen, observation);
        if let Some(copy) = &mut self.copy {
            if matches!(seen, VisibleEvent::Open(Event::Acted { .. })) {
                copy.in_its_world(observation, |agent, other| agent.observe(seen, other));
            } else {
                copy.agent.observe(seen, observation); // in the middle of an action no state can be dealt again
            }
        }
    }

    fn subscription(&self) -> EventSubscription {
        self.agent.subscription()
    }
}

/// An equal agent in worlds that its seat cannot distinguish from the true one.
struct DeterminizedCopy {
    agent: Player,
    worlds: Rng,
}

impl DeterminizedCopy {
    fn in_its_world<T>(
        &mut self,
        observation: &Observation<'_>,
        then: impl FnOnce(&mut Player, &Observation<'_>) -> T,
    ) -> T {
        let seat = observation.seat();
        let state = observation.sample_state(&mut self.worlds);
        let knowledge = observation.knowledge();
        then(&mut self.agent, &Observation::of(observation.rules(), &state, &knowledge, observation.scores(), seat))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::{Arc, Mutex};

    use unolab_agents::options::{OptionError, Options};
    use unolab_agents::registry::{AgentFactory, AgentRegistration, Registry};

    use super::*;

    /// An agent that answers by a function of the observation.
    struct Playing<F>(F);

    impl<F: FnMut(&Observation<'_>) -> Action + Send> Agent for Playing<F> {
        fn choose(&mut self, observation: &Observation<'_>) -> Action {
            (self.0)(observation)
        }
    }

    /// An agent whose answer depends on every event and on its hand at that time.
    struct Remembering(usize);

    impl Agent for Remembering {
        fn choose(&mut self, observation: &Observation<'_>) -> Action {
            let actions = observation.legal_actions();
            actions[self.0 % actions.len()]
        }

        fn observe(&mut self, _: VisibleEvent, observation: &Observation<'_>) {
            let hand = observation.hand();
            self.0 = hand.distinct().into_iter().fold(self.0, |sum, card| sum.wrapping_mul(31) + card.index());
        }

        fn subscription(&self) -> EventSubscription {
            EventSubscription::Events
        }
    }

    fn kinds_of_fault(configure: fn(&Registry, &mut Options) -> Result<AgentFactory, OptionError>) -> Vec<FindingKind> {
        kinds_of_fault_in("swap-hands", configure)
    }

    fn kinds_of_fault_in(
        variant: &str,
        configure: fn(&Registry, &mut Options) -> Result<AgentFactory, OptionError>,
    ) -> Vec<FindingKind> {
        let entry = AgentRegistration { name: "mine", summary: "", options: &[], configure };
        let agent = Registry::default().with(entry).configure("mine").unwrap();
        let rules = Rules::preset(variant);
        let findings = examine(&agent, &CheckConfig { rules: &rules, seats: 3, rounds: 6, seed: 1 });
        assert_eq!(findings.rounds, 6);
        assert!(findings.decisions > 100 && findings.all_times().decisions() == findings.decisions);
        findings.faults.iter().map(|fault| fault.kind).collect::<BTreeSet<_>>().into_iter().collect()
    }

    #[test]
    fn each_fault_is_found_and_named() {
        let first_legal = kinds_of_fault(|_, _| {
            Ok(AgentFactory::boxed(|_, _, _| Box::new(Playing(|seen: &Observation<'_>| seen.legal_actions()[0]))))
        });
        assert_eq!(first_legal, []);
        for variant in ["swap-hands", "cars", "disney"] {
            let remembers =
                kinds_of_fault_in(variant, |_, _| Ok(AgentFactory::boxed(|_, _, _| Box::new(Remembering(0)))));
            assert_eq!(remembers, [], "{variant}");
        }
        let takes = kinds_of_fault(|_, _| {
            Ok(AgentFactory::boxed(|_, _, _| Box::new(Playing(|_: &Observation<'_>| Action::Take))))
        });
        assert_eq!(takes, [FindingKind::Illegal]);
        let panics = kinds_of_fault(|_, _| {
            Ok(AgentFactory::boxed(|_, _, _| Box::new(Playing(|_: &Observation<'_>| panic!("nerves")))))
        });
        assert!(panics.contains(&FindingKind::Crash) && !panics.contains(&FindingKind::Illegal), "{panics:?}");
        let remembers_games = kinds_of_fault(|_, _| {
            let asked = Arc::new(AtomicUsize::new(0));
            Ok(AgentFactory::boxed(move |_, _, _| {
                let asked = Arc::clone(&asked);
                Box::new(Playing(move |seen: &Observation<'_>| {
                    let actions = seen.legal_actions();
                    actions[asked.fetch_add(1, Ordering::Relaxed) / 40 % actions.len()]
                }))
            }))
        });
        assert!(remembers_games.contains(&FindingKind::NotRepeated));
        // It sometimes ignores the seed.
        let differs_seldom = kinds_of_fault(|_, _| {
            let asked = Arc::new(AtomicUsize::new(0));
            Ok(AgentFactory::boxed(move |_, _, _| {
                let asked = Arc::clone(&asked);
                Box::new(Playing(move |seen: &Observation<'_>| {
                    let actions = seen.legal_actions();
                    let is_other = asked.fetch_add(1, Ordering::Relaxed).is_multiple_of(53);
                    actions[if is_other { actions.len() - 1 } else { 0 }]
                }))
            }))
        });
        assert_eq!(differs_seldom, [FindingKind::NotRepeated]);
        // No agent can see hidden cards. This agent simulates it: of two equal agents the first is the copy, which answers
        // differently.
        let sees_more = kinds_of_fault(|_, _| {
            let made = Mutex::new(BTreeSet::new());
            Ok(AgentFactory::boxed(move |_, seat, mut rng| {
                let is_first = made.lock().unwrap().insert((seat, rng.bits()));
                Box::new(Playing(move |seen: &Observation<'_>| {
                    let actions = seen.legal_actions();
                    if is_first { actions[actions.len() - 1] } else { actions[0] }
                }))
            }))
        });
        assert_eq!(sees_more, [FindingKind::Leak]);
    }
}
