//! Hundreds of rounds of `random` agents in one SIMD batch, if the processor and the rules allow it, and otherwise
//! interleaved.
//!
//! They are the same rounds, move for move, as rounds at a [`Table`].

mod interleaved;

use std::marker::PhantomData;

use unolab_engine::cpu::{Isa, Kernel, dispatch};
use unolab_engine::fast::{BatchRound, FastTurn, MOST_DECISIONS, SimdBatch};
use unolab_engine::observation::NO_SCORES;
use unolab_engine::round::MAX_DECISIONS;
use unolab_engine::rules::{FeatureSet, Rules, RulesKernel};
use unolab_engine::state::{Phase, RoundState};

use crate::random::{Random, Uniform};
use crate::table::{Counts, Ending, Table};
use interleaved::{Interleaved, RoundNumbers};

/// A batch gives rounds back before they are cut off.
const _: () = assert!(MOST_DECISIONS < MAX_DECISIONS);

/// Plays many rounds of one table, in every seat the agent `random` in its default form.
#[derive(Debug)]
pub struct RoundBatch<'a> {
    rules: &'a Rules,
    seats: usize,
    lanes: Option<SimdBatch>,
}

impl<'a> RoundBatch<'a> {
    /// A batch for rounds of the first `seats` seats.
    #[must_use]
    pub fn new(rules: &'a Rules, seats: usize) -> Self {
        Self { rules, seats, lanes: SimdBatch::new(rules, seats) }
    }

    /// The same without vectors, as on processors that have none.
    #[must_use]
    pub const fn without_vectors(rules: &'a Rules, seats: usize) -> Self {
        Self { rules, seats, lanes: None }
    }

    /// Plays all of these rounds to their end, with the best code for these rules and this processor. It is compiled here and not
    /// for each caller: it would be a large part of the binary.
    pub fn play(&mut self, rounds: &mut dyn Rounds) {
        dispatch(AllRounds { batch: self, rounds });
    }

    /// [`RoundBatch::play`] within code that is compiled for the rules and the machine, as are the methods of these rounds.
    #[inline(always)]
    pub fn play_all<P: FeatureSet>(&mut self, rounds: &mut (impl Rounds + ?Sized)) {
        let agents = Vec::with_capacity(self.seats);
        let course =
            Course::<P, _> { rules: self.rules, seats: self.seats, rounds, begun: 0, agents, features: PhantomData };
        match &mut self.lanes {
            Some(lanes) => course.play_in(lanes),
            None if FastTurn::supports(self.rules) => course.play_interleaved(),
            None => course.play_one_by_one(),
        }
    }
}

/// Rounds to be played, numbered from 0. For [`RoundBatch::play_all`], mark the methods `#[inline(always)]`, so that they are compiled
/// for the machine.
pub trait Rounds {
    /// Begins the round of this number, which is one more than the previous round's number, in a place where another
    /// round may have been played.
    ///
    /// # Errors
    /// If there are no more.
    fn begin(&mut self, number: usize, round: &mut BatchRound) -> Result<(), Exhausted>;
    /// A round is over. They end in any order.
    fn finish(&mut self, number: usize, round: &BatchRound, ending: Ending);
}

/// All rounds have begun.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Exhausted;

struct AllRounds<'b, 'a> {
    batch: &'b mut RoundBatch<'a>,
    rounds: &'b mut dyn Rounds,
}

impl RulesKernel for AllRounds<'_, '_> {
    type Output = ();

    fn rules(&self) -> &Rules {
        self.batch.rules
    }

    #[inline(always)]
    fn run_by<P: FeatureSet>(self) {
        self.batch.play_all::<P>(self.rounds);
    }
}

/// One call of [`RoundBatch::play_all`].
struct Course<'a, P, R: ?Sized> {
    rules: &'a Rules,
    seats: usize,
    rounds: &'a mut R,
    begun: usize,
    /// The players of a round outside the batch.
    agents: Vec<Random>,
    features: PhantomData<P>,
}

impl<P: FeatureSet, R: Rounds + ?Sized> Course<'_, P, R> {
    #[inline(always)]
    fn play_one_by_one(mut self) {
        let mut round = BatchRound::vacant(self.rules);
        while let Ok(number) = self.begin(&mut round) {
            self.play_on(number, &mut round, MergePoint::Nowhere);
        }
    }

    /// Many rounds, one turn of each at a time.
    #[inline(always)]
    fn play_interleaved(mut self) {
        let mut batch = Interleaved::<P>::new(self.rules);
        let mut numbers = [0; interleaved::ROUNDS];
        for (at, number) in numbers.iter_mut().enumerate() {
            if self.begin_next(number, &mut batch.rounds[at], MergePoint::AtTurns) == Play::Goes {
                batch.add(at);
            }
        }
        loop {
            let stopped = batch.play();
            if stopped == RoundNumbers::NONE {
                return;
            }
            for at in stopped {
                let (number, round) = (&mut numbers[at], &mut batch.rounds[at]);
                if self.play_on(*number, round, MergePoint::AtTurns) == Play::Goes
                    || self.begin_next(number, round, MergePoint::AtTurns) == Play::Goes
                {
                    batch.add(at);
                }
            }
        }
    }

    /// A lane is given a round, which is taken out whenever the lane cannot play it, and put back or replaced.
    #[inline(always)]
    fn play_in(mut self, lanes: &mut SimdBatch) {
        let (mut numbers, mut seated) = (vec![0; lanes.size()], vec![BatchRound::vacant(self.rules); lanes.size()]);
        for (lane, round) in seated.iter_mut().enumerate() {
            self.place_next(lanes, lane, &mut numbers[lane], round);
        }
        while let Some(waiting) = lanes.play() {
            for lane in waiting {
                let (number, round) = (&mut numbers[lane], &mut seated[lane]);
                lanes.take(lane, round);
                match self.play_on(*number, round, MergePoint::Lanes(lanes)) {
                    Play::Goes => lanes.put(lane, round),
                    Play::Over => self.place_next(lanes, lane, number, round),
                }
            }
        }
    }

    /// Puts the next round into a lane.
    #[inline(always)]
    fn place_next(&mut self, lanes: &mut SimdBatch, lane: usize, number: &mut usize, round: &mut BatchRound) {
        if self.begin_next(number, round, MergePoint::Lanes(lanes)) == Play::Goes {
            lanes.put(lane, round);
        }
    }

    /// Begins the next round that can be played with others before its end. [`Play::Over`] if there is none.
    #[inline(always)]
    fn begin_next(&mut self, number: &mut usize, round: &mut BatchRound, joins: MergePoint<'_>) -> Play {
        while let Ok(next) = self.begin(round) {
            *number = next;
            if joins.now(&round.state, round.decisions) || self.play_on(next, round, joins) == Play::Goes {
                return Play::Goes;
            }
        }
        Play::Over
    }

    /// Begins the next round and gives its number.
    #[inline(always)]
    fn begin(&mut self, round: &mut BatchRound) -> Result<usize, Exhausted> {
        self.rounds.begin(self.begun, round)?;
        self.begun += 1;
        Ok(self.begun - 1)
    }

    /// Plays a round on its own until it can continue with others or is over.
    #[inline(always)]
    fn play_on(&mut self, number: usize, round: &mut BatchRound, joins: MergePoint<'_>) -> Play {
        let Self { rules, seats, agents, .. } = self;
        let ending = if round.state.is_terminal() {
            Some(Ending::Finished)
        } else {
            P::Isa::outline_kernel(SoloRound::<P> { rules, seats: *seats, agents, round, joins, features: PhantomData })
        };
        let Some(ending) = ending else { return Play::Goes };
        self.rounds.finish(number, round, ending);
        Play::Over
    }
}

/// A round on its own. A separate function: it is called from several places, and a table's play is long code.
struct SoloRound<'r, P> {
    rules: &'r Rules,
    seats: usize,
    agents: &'r mut Vec<Random>,
    round: &'r mut BatchRound,
    joins: MergePoint<'r>,
    features: PhantomData<P>,
}

impl<P: FeatureSet> Kernel for SoloRound<'_, P> {
    type Output = Option<Ending>;

    #[inline(always)]
    fn run<M: Isa>(self) -> Option<Ending> {
        let Self { rules, seats, agents, round, joins, .. } = self;
        let BatchRound { state, chance, streams, turns, decisions } = round;
        agents.clear();
        agents.extend(streams[..seats].iter().map(|stream| Random::new(Uniform::Cards, stream.clone())));
        let mut counts = Counts { turns: *turns, decisions: *decisions };
        let mut table = Table { rules, agents, scores: &NO_SCORES, state, chance };
        let is_at_merge_point = |state: &RoundState, counts: &Counts| joins.now(state, counts.decisions);
        let ending = table.play_without_subscribers::<P>((), &mut counts, is_at_merge_point);
        for (stream, agent) in streams.iter_mut().zip(agents) {
            *stream = agent.stream().clone();
        }
        (*turns, *decisions) = (counts.turns, counts.decisions);
        ending
    }
}

/// Where a round that is played on its own rejoins the others.
#[derive(Debug, Clone, Copy)]
enum MergePoint<'l> {
    /// It is played to its end.
    Nowhere,
    /// Where lanes can take it over.
    Lanes(&'l SimdBatch),
    /// At its next turn, if no seat has passed since the last draw or play.
    AtTurns,
}

impl MergePoint<'_> {
    #[inline(always)]
    fn now(self, state: &RoundState, decisions: u32) -> bool {
        match self {
            Self::Nowhere => false,
            Self::Lanes(lanes) => lanes.can_take_over(state, decisions),
            Self::AtTurns => state.phase() == Phase::Turn && state.passed().is_empty() && decisions < MOST_DECISIONS,
        }
    }
}

/// Whether a round continues.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Play {
    Goes,
    Over,
}
