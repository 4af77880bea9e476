//! Many environments at once, written to arrays that the caller owns.

use std::{fmt, mem, process};

use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use unolab_engine::action::Action;
use unolab_engine::cpu::dispatch;
use unolab_engine::encoding::LegalActionIds;
use unolab_engine::rules::{AllFeatures, FeatureSet, Rules, RulesKernel};
use unolab_engine::scoring::RoundResult;
use unolab_engine::seat::Seat;

use crate::arrays::{Arrays, CLEARED_TOGETHER, Outputs, Row, Sizes};
use crate::game::{Game, GameReplay, GameStatus, Stream};
use crate::reward::Reward;
use crate::setting::{LEARNER, Setting};
use crate::table::ArgumentError;

/// When a new game begins after the end of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Autoreset {
    /// In the step that ends it: the observation is of the new game.
    SameStep,
    /// In the next step, which ignores its action.
    NextStep,
    /// When the caller resets it.
    Disabled,
}

impl Autoreset {
    pub(crate) fn named(name: &str) -> Result<Self, ArgumentError> {
        match name {
            "same_step" => Ok(Self::SameStep),
            "next_step" => Ok(Self::NextStep),
            "disabled" => Ok(Self::Disabled),
            _ => Err(ArgumentError(format!(
                "autoreset: \"{name}\" is not known; allowed: same_step, next_step, disabled"
            ))),
        }
    }
}

/// Threads, and the process that owns them. A forked process does not have these threads, and would wait for them forever.
struct Pool {
    threads: ThreadPool,
    process: u32,
}

impl Pool {
    fn new(threads: usize) -> Result<Self, ArgumentError> {
        let threads = ThreadPoolBuilder::new().num_threads(threads).build();
        Ok(Self {
            threads: threads.map_err(|error| ArgumentError(format!("threads: {error}")))?,
            process: process::id(),
        })
    }
}

/// Environments that are stepped together.
pub(crate) struct Batch {
    setting: Setting,
    autoreset: Autoreset,
    reward: Reward,
    sizes: Sizes,
    slots: Vec<Slot>,
    /// The actions offered by each environment when it was last written; empty if its game has ended.
    offered: Vec<LegalActionIds>,
    pool: Option<Pool>,
}

impl fmt::Debug for Batch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Batch").field("num_envs", &self.slots.len()).finish_non_exhaustive()
    }
}

struct Slot {
    game: Game,
    /// The game has ended and no new game has begun.
    ended: GameStatus,
    /// The row of final observations is filled.
    has_final: bool,
}

/// An action that was not offered.
#[derive(Debug)]
pub(crate) struct IllegalActionId {
    pub(crate) env: usize,
    pub(crate) seat: usize,
    pub(crate) action: i64,
    pub(crate) legal: Vec<i16>,
}

/// The effect of an action that was not offered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum IllegalActionMode {
    /// No environment is changed.
    Refused,
    /// It loses that game at once.
    Loses,
}

/// The work to do in each environment.
#[derive(Clone, Copy)]
enum Work<'a> {
    /// Only write the arrays.
    Show,
    /// A new game in each environment whose flag is set.
    Reset(&'a [bool]),
    /// One action of the learner for each environment.
    Step(&'a [i64], IllegalActionMode),
    /// The actions of other policies of the caller, as a part of the last step; negative for an environment that does not
    /// wait for a policy.
    Continue(&'a [i64]),
}

impl Work<'_> {
    fn part(self, from: usize, len: usize) -> Self {
        match self {
            Self::Show => Self::Show,
            Self::Reset(which) => Self::Reset(&which[from..from + len]),
            Self::Step(actions, illegal) => Self::Step(&actions[from..from + len], illegal),
            Self::Continue(actions) => Self::Continue(&actions[from..from + len]),
        }
    }
}

impl Batch {
    /// Environments at the beginning of their first games.
    pub(crate) fn new(
        setting: Setting,
        streams: &[Stream],
        autoreset: Autoreset,
        reward: Reward,
        outputs: Outputs,
        threads: usize,
    ) -> Result<Self, ArgumentError> {
        let pool = (threads != 1).then(|| Pool::new(threads)).transpose()?;
        let sizes = Sizes::new(&setting.table, outputs);
        let num_envs = streams.len();
        let (mut slots, mut offered) = (room(num_envs)?, room(num_envs)?);
        slots.extend(streams.iter().map(|&stream| Slot::new(&setting, stream)));
        offered.resize(num_envs, LegalActionIds::default());
        Ok(Self { setting, autoreset, reward, sizes, slots, offered, pool })
    }

    /// Starts again with these random streams.
    pub(crate) fn reseed(&mut self, streams: &[Stream], arrays: Arrays<'_>) {
        for (slot, &stream) in self.slots.iter_mut().zip(streams) {
            // The next write clears the filled rows of final observations.
            *slot = Slot { has_final: slot.has_final, ..Slot::new(&self.setting, stream) };
        }
        self.work(Work::Show, arrays);
    }

    /// The games of all environments, from which they can be restored.
    pub(crate) fn state(&self) -> impl Iterator<Item = (Stream, GameReplay, GameStatus)> {
        self.slots.iter().map(|slot| (slot.game.stream(), slot.game.replay(), slot.ended))
    }

    /// Restores the games.
    pub(crate) fn restore(&mut self, games: &[(Stream, GameReplay, GameStatus)]) -> Result<(), ArgumentError> {
        let restored = games.iter().map(|(stream, replay, ended)| {
            let game = Game::replayed::<AllFeatures>(&self.setting, *stream, replay)?;
            Ok(Slot { game, ended: *ended, has_final: false })
        });
        self.slots = restored.collect::<Result<_, ArgumentError>>()?;
        Ok(())
    }

    /// The game of an environment.
    pub(crate) fn game(&self, env: usize) -> &Game {
        &self.slots[env].game
    }

    /// Settings that all games share.
    pub(crate) const fn setting(&self) -> &Setting {
        &self.setting
    }

    /// The policy of the caller for which each environment waits; [`LEARNER`] for the learner, and if the game has ended.
    pub(crate) fn waiting(&self) -> impl Iterator<Item = i16> {
        let waits_for = |slot: &Slot| if slot.ended == GameStatus::Open { slot.game.waits_for() } else { LEARNER };
        self.slots.iter().map(waits_for)
    }

    /// Plays the actions of other policies; negative for environments that do not wait for a policy. The actions must be
    /// offered.
    pub(crate) fn continue_games(&mut self, actions: &[i64], arrays: Arrays<'_>) -> Result<(), usize> {
        let is_wrong = |(offered, &id): (&LegalActionIds, &i64)| id >= 0 && !is_offered(offered, id);
        match self.offered.iter().zip(actions).position(is_wrong) {
            Some(env) => Err(env),
            None => {
                self.work(Work::Continue(actions), arrays);
                Ok(())
            }
        }
    }

    /// Writes the first observations.
    pub(crate) fn show(&mut self, arrays: Arrays<'_>) {
        self.work(Work::Show, arrays);
    }

    /// Begins a new game in each of these environments.
    pub(crate) fn reset(&mut self, which: &[bool], arrays: Arrays<'_>) {
        self.work(Work::Reset(which), arrays);
    }

    /// Plays one action in each environment. If illegal actions are refused and one action is illegal, plays none.
    pub(crate) fn step(
        &mut self,
        actions: &[i64],
        illegal: IllegalActionMode,
        arrays: Arrays<'_>,
    ) -> Result<(), IllegalActionId> {
        if illegal == IllegalActionMode::Refused
            && let Some(env) = self.first_not_offered(actions)
        {
            let Slot { game, .. } = &self.slots[env];
            let (seat, mut legal) = (game.seat(&self.setting), vec![-1; self.sizes.legal]);
            let offered = game.write_legal(&self.setting, seat, &mut [], &mut legal);
            legal.truncate(offered.len());
            return Err(IllegalActionId { env, seat: seat.index(), action: actions[env], legal });
        }
        self.work(Work::Step(actions, illegal), arrays);
        Ok(())
    }

    fn first_not_offered(&self, actions: &[i64]) -> Option<usize> {
        let is_wrong = |(offered, &id): (&LegalActionIds, &i64)| !is_offered(offered, id) && !offered.is_empty();
        self.offered.iter().zip(actions).position(is_wrong)
    }

    /// In a forked process, starts new threads, or uses none if that fails.
    fn renew_threads_after_a_fork(&mut self) {
        if let Some(parents) = self.pool.take_if(|pool| pool.process != process::id()) {
            self.pool = Pool::new(parents.threads.current_num_threads()).ok();
            mem::forget(parents); // these threads do not exist here, so they cannot be joined
        }
    }

    fn work(&mut self, work: Work<'_>, arrays: Arrays<'_>) {
        self.renew_threads_after_a_fork();
        let all = Chunk {
            setting: &self.setting,
            autoreset: self.autoreset,
            reward: self.reward,
            sizes: self.sizes,
            slots: &mut self.slots,
            offered: &mut self.offered,
            work,
            arrays,
        };
        match &self.pool {
            None => dispatch(all),
            Some(Pool { threads, .. }) => {
                let size = all.slots.len().div_ceil(threads.current_num_threads()).max(1);
                let chunks = all.cut(size);
                threads.install(|| chunks.into_par_iter().for_each(dispatch::<Chunk<'_>>));
            }
        }
    }
}

/// An empty list with capacity for one value per environment.
fn room<T>(num_envs: usize) -> Result<Vec<T>, ArgumentError> {
    let mut list = Vec::new();
    let reserved = list.try_reserve_exact(num_envs);
    reserved.map_err(|_| ArgumentError(format!("num_envs: there is no memory for {num_envs} environments")))?;
    Ok(list)
}

/// Adjacent environments, for one thread.
struct Chunk<'a> {
    setting: &'a Setting,
    autoreset: Autoreset,
    reward: Reward,
    sizes: Sizes,
    slots: &'a mut [Slot],
    offered: &'a mut [LegalActionIds],
    work: Work<'a>,
    arrays: Arrays<'a>,
}

impl<'a> Chunk<'a> {
    fn cut(self, size: usize) -> Vec<Self> {
        let Self { setting, autoreset, reward, sizes, slots, offered, work, mut arrays } = self;
        let mut chunks = Vec::new();
        let mut from = 0;
        for (slots, offered) in slots.chunks_mut(size).zip(offered.chunks_mut(size)) {
            let (part, rest) = arrays.split_at(slots.len(), sizes);
            arrays = rest;
            let work = work.part(from, slots.len());
            from += slots.len();
            chunks.push(Self { setting, autoreset, reward, sizes, slots, offered, work, arrays: part });
        }
        chunks
    }
}

impl RulesKernel for Chunk<'_> {
    type Output = ();

    fn rules(&self) -> &Rules {
        self.setting.rules()
    }

    #[inline(always)]
    fn run_by<P: FeatureSet>(mut self) {
        if let Work::Continue(actions) = self.work {
            return self.continue_games::<P>(actions);
        }
        let count = self.slots.len();
        self.arrays.rewards.fill(0.0);
        self.arrays.learner_reward.fill(0.0);
        self.arrays.terminated.fill(false);
        self.arrays.truncated.fill(false);
        for (at, (slot, offered)) in self.slots.iter_mut().zip(self.offered).enumerate() {
            if at % CLEARED_TOGETHER == 0 {
                self.arrays.clear(at..(at + CLEARED_TOGETHER).min(count), self.sizes);
            }
            let mut row = Row { arrays: &mut self.arrays, at, sizes: self.sizes };
            if slot.has_final {
                slot.has_final = false;
                row.final_obs().fill(0);
            }
            match self.work {
                Work::Reset(which) if which[at] => slot.begin_next::<P>(self.setting),
                Work::Show | Work::Reset(_) | Work::Continue(_) => {}
                Work::Step(actions, illegal) => {
                    if slot.ended == GameStatus::Open {
                        let action = action_of(self.setting, actions[at]);
                        if illegal == IllegalActionMode::Loses && !is_offered(offered, actions[at]) {
                            slot.lose::<P>(self.setting, self.autoreset, &mut row);
                        } else if let Some((id, action)) = action {
                            slot.game.note_learner();
                            slot.game.play::<P>(self.setting, id, action);
                            let standing = slot.game.standing(self.setting);
                            if standing != GameStatus::Open {
                                slot.end::<P>(self.setting, self.autoreset, self.reward, &mut row);
                            }
                        }
                    } else if self.autoreset == Autoreset::NextStep {
                        slot.begin_next::<P>(self.setting);
                    }
                }
            }
            *offered = slot.write::<P>(self.setting, &mut row);
        }
    }
}

impl Chunk<'_> {
    /// Plays the actions of other policies, and leaves all other rows unchanged.
    #[cold]
    fn continue_games<P: FeatureSet>(mut self, actions: &[i64]) {
        for (at, (slot, offered)) in self.slots.iter_mut().zip(self.offered).enumerate() {
            let Some((id, action)) = action_of(self.setting, actions[at]) else { continue };
            self.arrays.clear(at..at + 1, self.sizes);
            let mut row = Row { arrays: &mut self.arrays, at, sizes: self.sizes };
            slot.game.play::<P>(self.setting, id, action);
            if slot.game.standing(self.setting) != GameStatus::Open {
                if slot.game.learner_has_decided() {
                    slot.end::<P>(self.setting, self.autoreset, self.reward, &mut row);
                } else {
                    slot.begin_next::<P>(self.setting);
                }
            }
            *offered = slot.write::<P>(self.setting, &mut row);
        }
    }
}

/// The action with this id, if there is one, and the id in fewer bits.
#[inline(always)]
fn action_of(setting: &Setting, id: i64) -> Option<(u16, Action)> {
    let id = u16::try_from(id).ok()?;
    Some((id, setting.table.encoding.actions().action(id.into())?))
}

#[inline(always)]
fn is_offered(offered: &LegalActionIds, id: i64) -> bool {
    usize::try_from(id).is_ok_and(|id| offered.contains(id))
}

impl Slot {
    fn new(setting: &Setting, stream: Stream) -> Self {
        Self { game: Game::new::<AllFeatures>(setting, stream), ended: GameStatus::Open, has_final: false }
    }

    fn begin_next<P: FeatureSet>(&mut self, setting: &Setting) {
        self.game.deal_next::<P>(setting);
        self.ended = GameStatus::Open;
    }

    /// Handles the end of a game: writes its reward, and resets it as configured.
    fn end<P: FeatureSet>(&mut self, setting: &Setting, autoreset: Autoreset, reward: Reward, row: &mut Row<'_, '_>) {
        let game = &mut self.game;
        self.ended = game.standing(setting);
        let result = match self.ended {
            GameStatus::Truncated => RoundResult::default(),
            _ => game.result(setting),
        };
        reward.write(setting.rules(), &result, row.rewards());
        row.arrays.learner_reward[row.at] = row.rewards()[game.learner().index()];
        self.rest::<P>(setting, autoreset, row);
    }

    /// Ends a game as lost after an illegal action.
    #[cold]
    fn lose<P: FeatureSet>(&mut self, setting: &Setting, autoreset: Autoreset, row: &mut Row<'_, '_>) {
        self.ended = GameStatus::Terminated;
        row.rewards()[self.game.seat(setting).index()] = -1.0;
        row.arrays.learner_reward[row.at] = -1.0;
        self.rest::<P>(setting, autoreset, row);
    }

    fn rest<P: FeatureSet>(&mut self, setting: &Setting, autoreset: Autoreset, row: &mut Row<'_, '_>) {
        if autoreset == Autoreset::SameStep {
            if row.sizes.obs > 0 {
                row.final_obs().fill(0);
                self.game.write_row::<P::Isa>(setting, self.game.seat(setting), row.final_obs());
                self.has_final = true;
            }
            row.mark_end(self.ended);
            self.begin_next::<P>(setting);
        }
    }

    /// Writes the observations of all seats in order of play, the seat that decides first.
    #[cold]
    fn write_full<P: FeatureSet>(&self, setting: &Setting, seat: Seat, row: &mut Row<'_, '_>) {
        for (place, other) in self.game.in_order_from(seat).enumerate() {
            self.game.write_row::<P::Isa>(setting, other, row.full_obs(place));
        }
    }

    /// Writes the row of an environment, and returns the offered actions.
    #[inline(always)]
    fn write<P: FeatureSet>(&self, setting: &Setting, row: &mut Row<'_, '_>) -> LegalActionIds {
        let seat = self.game.seat(setting);
        if row.sizes.obs > 0 {
            self.game.write_row::<P::Isa>(setting, seat, row.obs());
        }
        if row.sizes.full > 0 {
            self.write_full::<P>(setting, seat, row);
        }
        row.arrays.to_play[row.at] = i8::try_from(seat.index()).unwrap_or(0); // below ten
        let (mask, legal) = row.mask_and_legal();
        let (offered, len) = match self.ended {
            GameStatus::Open => {
                let offered = self.game.write_legal(setting, seat, mask, legal);
                (offered, offered.len())
            }
            ended => {
                mask.fill(1);
                legal.iter_mut().zip(0..).for_each(|(place, id)| *place = id);
                let len = legal.len();
                row.mark_end(ended);
                (LegalActionIds::default(), len)
            }
        };
        row.arrays.num_legal[row.at] = i16::try_from(len).unwrap_or(i16::MAX); // 494 at most
        offered
    }
}
