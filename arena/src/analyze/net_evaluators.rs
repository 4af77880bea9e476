//! [`NetEvaluators`]: a net for every seat, which sees what the seat sees.

use unolab_agents::net::judge::{Judge, RoundValue};
use unolab_agents::net::player::NetSettings;
use unolab_agents::search::valuation::{ActionValue, Judgment};
use unolab_engine::action::Action;
use unolab_engine::event::Event;
use unolab_engine::knowledge::Knowledge;
use unolab_engine::observation::Observation;
use unolab_engine::rules::Rules;
use unolab_engine::seat::{BySeat, Seat, SeatSet};
use unolab_engine::state::{EventSink as _, RoundState};

/// They receive every event, as agents at a table do.
pub(super) struct NetEvaluators<'a> {
    net: &'a NetSettings,
    value: RoundValue,
    judges: Vec<(Seat, Judge)>,
    has_begun: bool,
}

impl<'a> NetEvaluators<'a> {
    pub(super) const fn new(net: &'a NetSettings, value: RoundValue) -> Self {
        Self { net, value, judges: Vec::new(), has_begun: false }
    }

    /// A round is dealt. Returns whether there is a net for this table.
    pub(super) fn sit_down(&mut self, rules: &Rules, seats: SeatSet) -> bool {
        self.has_begun = false;
        let judges = seats.iter().map_while(|seat| Some((seat, self.net.judge(rules, seats.len())?)));
        self.judges = judges.collect();
        self.judges.len() == seats.len()
    }

    /// A seat acts; before the first action, the round begins for the agents.
    pub(super) fn round_has_begun(
        &mut self,
        rules: &Rules,
        state: &RoundState,
        knowledge: &Knowledge,
        scores: &BySeat<u32>,
    ) {
        if std::mem::replace(&mut self.has_begun, true) {
            return;
        }
        for (seat, judge) in &mut self.judges {
            judge.tracker().begin_round(&Observation::of(rules, state, knowledge, scores, *seat));
        }
    }

    /// An event that the seats have not observed yet.
    pub(super) fn observe(
        &mut self,
        rules: &Rules,
        state: &RoundState,
        knowledge: &Knowledge,
        scores: &BySeat<u32>,
        event: Event,
    ) {
        if !self.has_begun {
            return;
        }
        let mut knowledge = knowledge.clone();
        knowledge.on_event(state, event);
        for (seat, judge) in &mut self.judges {
            let observation = Observation::of(rules, state, &knowledge, scores, *seat);
            judge.tracker().observe(observation.sees(event), &observation);
        }
    }

    /// The values of the legal actions of the observing seat, if there is a net. They are not sampled, so they have no
    /// error.
    pub(super) fn judge(&mut self, observation: &Observation<'_>, legal: &[Action]) -> Option<Judgment> {
        let (_, judge) = self.judges.iter_mut().find(|(seat, _)| *seat == observation.seat())?;
        let values = judge.worths(observation, legal, self.value);
        let highest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let of_action = |(&action, value)| {
            let regret = highest - value;
            ActionValue { action, value, regret, regret_se: 0.0, fair_regret: regret, fair_regret_se: 0.0 }
        };
        Some(Judgment { values: legal.iter().zip(values).map(of_action).collect(), noise_floor: 0.0 })
    }
}
