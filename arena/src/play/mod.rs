//! Plays scheduled games: a deal and a seating give a [`GameRecord`].
//!
//! The cards depend only on the master seed and the set; each agent's choices depend on the master seed, the set and the seat. So
//! all games of a set begin with the same deal, which is dealt only once.

mod agent_log;
mod dealt_card;
pub(crate) mod fingerprint;
pub mod guarded;
mod in_simd_batch;
mod match_game;
mod observer;
pub mod record;
pub(crate) mod recording;
mod round_game;
mod skipped_player;

use unolab_agents::agent::Agent;
use unolab_agents::fault::Fault;
use unolab_agents::player::Player;
use unolab_agents::registry::AgentSpec;
use unolab_agents::table::{Counts, Ending, Table};
use unolab_engine::match_play::{MatchState, RoundPlan, first_dealer};
use unolab_engine::rng::{Purpose, Rng};
use unolab_engine::rules::Rules;
use unolab_engine::seat::{BySeat, Seat};
use unolab_engine::state::{EventSink, RoundState};

use crate::play::record::GameRecord;
use crate::schedule::Section;
use crate::schedule::contest::Contest;
use crate::schedule::patience::{Patience, TimeoutCounter, TimeoutStreak};
use crate::schedule::seating::EntrantId;
use crate::spec::seal::{SetStreams, Streams};
use crate::spec::{Entrant, Unit};
use fingerprint::Fingerprint;
use guarded::{Guard, guarded};
pub use observer::GameObserver;
use skipped_player::skipped_player;

use agent_log::SharedAgentLog;

/// Plays the games of one section, one after the other, with buffers that are allocated once.
#[derive(Debug)]
pub struct Dealer<'a> {
    rules: &'a Rules,
    specs: &'a [AgentSpec],
    entrants: &'a [Entrant],
    num_players: usize,
    team_size: usize,
    unit: Unit,
    streams: Streams,
    guard: Guard,
    /// The checksum of a game that has not begun.
    fingerprint: Fingerprint,
    /// The log of the agents, if a game is recorded.
    listener: Option<SharedAgentLog>,
    /// The players of the game in progress, by seat.
    seated: Vec<Player>,
    /// Their faults in it.
    faults: Vec<Fault>,
    /// The entrants that are asked.
    timeouts: TimeoutCounter,
}

/// The beginning of every game of a set.
#[derive(Debug, Clone)]
pub struct Deal {
    set: u64,
    table: MatchState,
    plan: RoundPlan,
    first_round: DealtRound,
}

/// A round with its cards dealt, and its chance.
#[derive(Debug, Clone)]
struct DealtRound {
    state: RoundState,
    cards: Rng,
}

/// The observers of a game, if any.
type Observer<'o, 'g> = &'o mut Option<&'g mut dyn GameObserver>;

impl<'a> Dealer<'a> {
    /// A dealer for the games of this section.
    #[must_use]
    pub fn new(contest: &'a Contest, section: &Section) -> Self {
        Self {
            rules: contest.rules(section),
            specs: contest.specs(),
            entrants: &contest.spec().entrants,
            num_players: section.seats,
            team_size: section.team_size,
            unit: contest.spec().unit,
            streams: contest.spec().streams(),
            guard: Guard::Off,
            fingerprint: Fingerprint::BLANK,
            listener: None,
            seated: Vec::with_capacity(section.seats),
            faults: Vec::new(),
            timeouts: TimeoutCounter::default(),
        }
    }

    /// The dealer with this patience with its entrants before the next game.
    #[must_use]
    pub fn with_patience(self, patience: Patience) -> Self {
        Self { timeouts: TimeoutCounter::new(patience), ..self }
    }

    /// The streaks of timeouts of its entrants over all its games; empty without [`Patience`].
    #[must_use]
    pub fn streaks(self) -> Vec<TimeoutStreak> {
        self.timeouts.streaks()
    }

    /// The dealer with guarded or unguarded agents.
    #[must_use]
    pub(crate) fn with(self, guard: Guard) -> Self {
        Self { guard, ..self }
    }

    /// The dealer with or without checksums of its games.
    #[must_use]
    pub(crate) fn with_fingerprint(self, fingerprint: Fingerprint) -> Self {
        Self { fingerprint, ..self }
    }

    /// The random streams of a set of games.
    #[must_use]
    pub const fn streams_of(&self, set: u64) -> SetStreams {
        self.streams.of_set(set)
    }

    /// The deal of a set, without odds.
    #[must_use]
    pub fn deal(&self, set: u64) -> Deal {
        self.deal_to(set, BySeat::default(), &mut None)
    }

    /// The deal of a set to players with these extra cards.
    fn deal_to(&self, set: u64, extra_cards: BySeat<u8>, observer: Observer<'_, '_>) -> Deal {
        let (table, plan) = self.first_plan(set, extra_cards);
        let first_round = self.deal_round(set, 0, &plan, observer);
        Deal { set, table, plan, first_round }
    }

    /// Whether an entrant is dealt extra cards.
    fn has_odds(&self) -> bool {
        self.entrants.iter().any(|entrant| entrant.extra_cards > 0)
    }

    /// The extra cards of the players at this seating.
    fn extra_cards(&self, seating: &[EntrantId]) -> BySeat<u8> {
        let of_seat = |entrant: &EntrantId| self.entrants[entrant.index()].extra_cards;
        BySeat::from_fn(|seat| seating.get(seat.index()).map_or(0, of_seat))
    }

    /// The seats of the first round of a set's games, for players with these extra cards.
    fn first_plan(&self, set: u64, extra_cards: BySeat<u8>) -> (MatchState, RoundPlan) {
        let mut stream = self.streams.of_set(set).stream(Purpose::Dealer);
        let dealer = first_dealer(self.rules, self.num_players, &mut stream);
        let table = MatchState::new(self.num_players, dealer).with_extra_cards(extra_cards);
        let plan = table.plan(self.rules);
        (table, plan)
    }

    /// Plays one game of a set at this seating. Seats with odds are dealt their extra cards in addition.
    pub fn play(&mut self, deal: &Deal, seating: &[EntrantId]) -> GameRecord {
        if self.has_odds() {
            let deal = self.deal_to(deal.set, self.extra_cards(seating), &mut None);
            return self.play_with_observer(&deal, seating, &mut None);
        }
        self.play_with_observer(deal, seating, &mut None)
    }

    /// Plays one game of a set with an observer, from the deal on.
    pub fn play_observed(&mut self, set: u64, seating: &[EntrantId], observer: &mut dyn GameObserver) -> GameRecord {
        let deal = self.deal_to(set, self.extra_cards(seating), &mut Some(&mut *observer));
        self.play_before(&deal, seating, observer)
    }

    /// Plays one game from a deal on, with an observer.
    pub fn play_before(&mut self, deal: &Deal, seating: &[EntrantId], observer: &mut dyn GameObserver) -> GameRecord {
        self.play_with_observer(deal, seating, &mut Some(observer))
    }

    fn play_with_observer(&mut self, deal: &Deal, seating: &[EntrantId], observer: Observer<'_, '_>) -> GameRecord {
        self.seat_players(deal.set, seating);
        let mut record = match self.unit {
            Unit::Round => self.play_round_game(deal, observer),
            Unit::Match => self.play_match_game(deal, observer),
        };
        self.faults.clear();
        if self.seated.iter().any(|player| player.fault().is_some()) {
            self.judge(&mut record);
        }
        self.timeouts.add_game(seating, &self.faults);
        if self.seated.iter().any(Player::wants_result) {
            let result = record.result_by_seat();
            self.seated.iter_mut().for_each(|player| player.game_over(&result));
        }
        record
    }

    /// Agents with a fault lose the game.
    #[cold]
    fn judge(&mut self, record: &mut GameRecord) {
        self.faults.extend(self.seated.iter().filter_map(Agent::fault).cloned());
        self.faults.sort_by_key(|fault| fault.seat);
        for fault in &self.faults {
            record.by_seat[fault.seat].fault = Some(fault.kind);
        }
        record.forfeit(self.faults.iter().map(|fault| fault.seat).collect());
    }

    /// The faults of the agents in the last game, by seat.
    #[must_use]
    pub fn faults(&self) -> &[Fault] {
        &self.faults
    }

    /// Creates the agents of a game, each in its seat.
    fn seat_players(&mut self, set: u64, seating: &[EntrantId]) {
        let Self { rules, specs, entrants, streams, guard, ref timeouts, .. } = *self;
        let set = streams.of_set(set);
        self.seated.clear();
        self.seated.extend(Seat::first(seating.len()).zip(seating).map(|(seat, entrant)| {
            let stream = || set.stream(entrants[entrant.index()].stream.purpose(seat));
            let make = || specs[entrant.index()].make(rules, seat, stream());
            let player = match (timeouts.patience().has_ended_with(*entrant), guard) {
                (Some(most), _) => skipped_player(seat, stream(), most),
                (None, Guard::Off) => make(),
                (None, Guard::On) => guarded(seat, stream(), make),
            };
            match &self.listener {
                Some(listener) => listener.listening_to(player),
                None => player,
            }
        }));
    }

    /// Deals the round of this number within its game, from 0.
    fn deal_round(&self, set: u64, round: u32, plan: &RoundPlan, observer: Observer<'_, '_>) -> DealtRound {
        let mut cards = self.streams.of_set(set).stream(Purpose::Cards { round });
        let RoundPlan { seats, dealer, extra_cards, .. } = plan;
        if let Some(observer) = observer {
            observer.begin_round(plan);
        }
        let state = if extra_cards.iter().any(|&cards| cards > 0) {
            let events: &mut dyn EventSink = match observer {
                Some(observer) => *observer,
                None => &mut (),
            };
            RoundState::deal_with_extra_cards(self.rules, *seats, *dealer, extra_cards, &mut cards, &mut { events })
        } else if let Some(observer) = observer {
            RoundState::deal(self.rules, *seats, *dealer, &mut cards, observer)
        } else {
            RoundState::deal_without_events(self.rules, *seats, *dealer, &mut cards)
        };
        DealtRound { state, cards }
    }

    /// Plays a dealt round to its end, in place.
    fn play_round(
        &mut self,
        DealtRound { state, cards }: &mut DealtRound,
        scores: &BySeat<u32>,
        observer: Observer<'_, '_>,
    ) -> (Counts, Ending) {
        let mut table = Table { rules: self.rules, agents: &mut self.seated, scores, state, chance: cards };
        let Some(observer) = observer else { return table.play_without_events() };
        let played = table.play_with_events(*observer);
        observer.end_round(state);
        played
    }
}
