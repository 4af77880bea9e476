//! Rounds of `random` agents by the hundred, side by side where the processor and the rules allow it.
//!
//! They are the same rounds, move for move, as those played one after the other at a [`Table`].

use std::marker::PhantomData;

use unolab_engine::observation::NO_SCORES;
use unolab_engine::rules::Rules;
use unolab_engine::seat::Seat;
use unolab_engine::state::lanes::{LANES, LaneRound, Lanes};
use unolab_engine::state::{Profile, RoundState};

use crate::random::{Random, Uniform};
use crate::table::{Counts, Ending, Table};

/// Plays many rounds of one table, in every seat the agent `random` in its default form.
#[derive(Debug)]
pub struct Lockstep<'a> {
    rules: &'a Rules,
    lanes: Option<Lanes>,
}

impl<'a> Lockstep<'a> {
    /// For rounds of the first so many seats.
    #[must_use]
    pub fn new(rules: &'a Rules, seats: usize) -> Self {
        Self { rules, lanes: Lanes::new(rules, seats) }
    }

    /// Plays every round that `begin` gives to its end. `begin` is told how many there were before; `finish` is given each
    /// with its number as soon as it is over, so in any order.
    #[inline(always)]
    pub fn play_all<P: Profile>(
        &mut self,
        begin: impl FnMut(usize) -> Option<LaneRound>,
        finish: impl FnMut(usize, &LaneRound, Ending),
    ) {
        let rounds = Rounds::<P, _, _> { rules: self.rules, begin, begun: 0, finish, profile: PhantomData };
        match &mut self.lanes {
            Some(lanes) => rounds.play_in(lanes),
            None => rounds.play_one_by_one(),
        }
    }
}

/// A round with its number.
type Numbered = (usize, LaneRound);

/// The rounds of one call of [`Lockstep::play_all`].
struct Rounds<'a, P, B, F> {
    rules: &'a Rules,
    begin: B,
    begun: usize,
    finish: F,
    profile: PhantomData<P>,
}

impl<P, B, F> Rounds<'_, P, B, F>
where
    P: Profile,
    B: FnMut(usize) -> Option<LaneRound>,
    F: FnMut(usize, &LaneRound, Ending),
{
    #[inline(always)]
    fn play_one_by_one(mut self) {
        while let Some(mut numbered) = self.next() {
            self.play_on(&mut numbered, |_, _| false);
        }
    }

    /// A lane is given a round, which is taken out whenever the lane cannot play it, and put back or replaced.
    #[inline(always)]
    fn play_in(mut self, lanes: &mut Lanes) {
        let mut seated: Vec<Numbered> = std::iter::from_fn(|| self.next()).take(LANES).collect();
        for (lane, numbered) in seated.iter_mut().enumerate() {
            self.put(lanes, lane, numbered);
        }
        while let Some(waiting) = lanes.play() {
            for lane in waiting {
                let numbered = &mut seated[lane];
                lanes.take(lane, &mut numbered.1);
                match self.play_on(numbered, |state, counts| lanes.can_take_over(state, counts.decisions)) {
                    Play::Goes => lanes.put(lane, &numbered.1),
                    Play::Over => self.put_next(lanes, lane, numbered),
                }
            }
        }
    }

    /// Puts a round that has just begun into a lane; if lanes cannot take it over before its end, the next one.
    #[inline(always)]
    fn put(&mut self, lanes: &mut Lanes, lane: usize, numbered: &mut Numbered) {
        loop {
            let round = &numbered.1;
            if lanes.can_take_over(&round.state, round.decisions)
                || self.play_on(numbered, |state, counts| lanes.can_take_over(state, counts.decisions)) == Play::Goes
            {
                return lanes.put(lane, &numbered.1);
            }
            match self.next() {
                Some(next) => *numbered = next,
                None => return,
            }
        }
    }

    #[inline(always)]
    fn put_next(&mut self, lanes: &mut Lanes, lane: usize, numbered: &mut Numbered) {
        if let Some(next) = self.next() {
            *numbered = next;
            self.put(lanes, lane, numbered);
        }
    }

    #[inline(always)]
    fn next(&mut self) -> Option<Numbered> {
        let round = (self.begin)(self.begun)?;
        self.begun += 1;
        Some((self.begun - 1, round))
    }

    /// Plays a round on by itself until it pauses or is over.
    #[inline(always)]
    fn play_on(&mut self, (number, round): &mut Numbered, pause: impl Fn(&RoundState, &Counts) -> bool) -> Play {
        let LaneRound { state, chance, streams, turns, decisions } = round;
        let seats = 1 + state.seats().last().map_or(0, Seat::index);
        let mut agents = streams.clone().map(|stream| Random::new(Uniform::Cards, stream));
        let mut counts = Counts { turns: *turns, decisions: *decisions };
        let mut table = Table { rules: self.rules, agents: &mut agents[..seats], scores: &NO_SCORES };
        let ending = table.play_until::<P>(state, chance, &mut (), &mut counts, pause);
        for (stream, agent) in streams.iter_mut().zip(&agents) {
            *stream = agent.stream().clone();
        }
        (*turns, *decisions) = (counts.turns, counts.decisions);
        let Some(ending) = ending else { return Play::Goes };
        (self.finish)(*number, round, ending);
        Play::Over
    }
}

/// Whether a round goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Play {
    Goes,
    Over,
}
