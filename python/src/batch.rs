//! Many environments at once, into arrays that lie outside.

use std::fmt;

use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use unolab_engine::action::Action;
use unolab_engine::fast::{AllFeatures, BasicFeatures, FeatureSet, Isa, Kernel, dispatch};
use unolab_engine::scoring::RoundResult;

use crate::game::{Game, Setting, Standing};
use crate::reward::Reward;
use crate::table::Wrong;

/// When a new game begins after one has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Autoreset {
    /// In the step that ends it: the observation is of the new game.
    SameStep,
    /// In the step after, whose action is ignored.
    NextStep,
    /// When the caller resets it.
    Disabled,
}

impl Autoreset {
    pub(crate) fn named(name: &str) -> Result<Self, Wrong> {
        match name {
            "same_step" => Ok(Self::SameStep),
            "next_step" => Ok(Self::NextStep),
            "disabled" => Ok(Self::Disabled),
            _ => Err(Wrong(format!("autoreset: \"{name}\" is not known; allowed: same_step, next_step, disabled"))),
        }
    }
}

/// Environments that are stepped together.
pub(crate) struct Batch {
    setting: Setting,
    autoreset: Autoreset,
    reward: Reward,
    slots: Vec<Slot>,
    pool: Option<ThreadPool>,
}

impl fmt::Debug for Batch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Batch").field("num_envs", &self.slots.len()).finish_non_exhaustive()
    }
}

struct Slot {
    game: Game,
    /// It has ended and no new game has begun.
    ended: Standing,
    /// Its row of last observations is filled.
    has_final: bool,
}

/// The arrays that a step fills: one row an environment.
pub(crate) struct Arrays<'a> {
    pub(crate) obs: &'a mut [u8],
    pub(crate) mask: &'a mut [u8],
    pub(crate) to_play: &'a mut [i8],
    pub(crate) legal: &'a mut [i16],
    pub(crate) num_legal: &'a mut [i16],
    pub(crate) rewards: &'a mut [f32],
    pub(crate) learner_reward: &'a mut [f32],
    pub(crate) terminated: &'a mut [bool],
    pub(crate) truncated: &'a mut [bool],
    pub(crate) final_obs: &'a mut [u8],
}

/// The row of one environment.
struct Row<'a> {
    obs: &'a mut [u8],
    mask: &'a mut [u8],
    to_play: &'a mut i8,
    legal: &'a mut [i16],
    num_legal: &'a mut i16,
    rewards: &'a mut [f32],
    learner_reward: &'a mut f32,
    terminated: &'a mut bool,
    truncated: &'a mut bool,
    final_obs: &'a mut [u8],
}

/// Sizes of a row.
#[derive(Debug, Clone, Copy)]
struct Sizes {
    obs: usize,
    actions: usize,
    seats: usize,
}

impl<'a> Arrays<'a> {
    /// Cuts the arrays after so many rows.
    fn split_at(self, rows: usize, sizes: Sizes) -> (Self, Self) {
        macro_rules! halves {
            ($($array:ident by $size:expr),+) => {{
                $(let $array = self.$array.split_at_mut(rows * $size);)+
                (Arrays { $($array: $array.0),+ }, Arrays { $($array: $array.1),+ })
            }};
        }
        halves!(
            obs by sizes.obs, mask by sizes.actions, to_play by 1, legal by sizes.actions, num_legal by 1,
            rewards by sizes.seats, learner_reward by 1, terminated by 1, truncated by 1, final_obs by sizes.obs
        )
    }

    #[inline(always)]
    fn row(&mut self, at: usize, sizes: Sizes) -> Row<'_> {
        #[inline(always)]
        fn part<T>(array: &mut [T], at: usize, size: usize) -> &mut [T] {
            &mut array[at * size..(at + 1) * size]
        }
        Row {
            obs: part(self.obs, at, sizes.obs),
            mask: part(self.mask, at, sizes.actions),
            to_play: &mut self.to_play[at],
            legal: part(self.legal, at, sizes.actions),
            num_legal: &mut self.num_legal[at],
            rewards: part(self.rewards, at, sizes.seats),
            learner_reward: &mut self.learner_reward[at],
            terminated: &mut self.terminated[at],
            truncated: &mut self.truncated[at],
            final_obs: part(self.final_obs, at, sizes.obs),
        }
    }
}

/// An action that is not offered.
#[derive(Debug)]
pub(crate) struct NotOffered {
    pub(crate) env: usize,
    pub(crate) seat: usize,
    pub(crate) action: i64,
    pub(crate) legal: Vec<i16>,
}

/// What an action that is not offered does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Illegal {
    /// No environment is changed.
    Refused,
    /// It loses that game at once.
    Loses,
}

/// What is done to each environment.
#[derive(Clone, Copy)]
enum Work<'a> {
    /// Nothing.
    Show,
    /// Another game where this says so.
    Reset(&'a [bool]),
    /// One action each.
    Step(&'a [i64], Illegal),
}

impl Work<'_> {
    fn part(self, from: usize, len: usize) -> Self {
        match self {
            Self::Show => Self::Show,
            Self::Reset(which) => Self::Reset(&which[from..from + len]),
            Self::Step(actions, illegal) => Self::Step(&actions[from..from + len], illegal),
        }
    }
}

impl Batch {
    /// Environments at the beginning of their first games.
    pub(crate) fn new(
        setting: Setting,
        num_envs: usize,
        autoreset: Autoreset,
        reward: Reward,
        threads: usize,
    ) -> Result<Self, Wrong> {
        let pool = match threads {
            1 => None,
            _ => Some(ThreadPoolBuilder::new().num_threads(threads).build().map_err(|error| Wrong(error.to_string()))?),
        };
        let mut batch = Self { setting, autoreset, reward, slots: Vec::new(), pool };
        batch.slots = batch.begin(num_envs);
        Ok(batch)
    }

    fn begin(&self, num_envs: usize) -> Vec<Slot> {
        (0..num_envs as u64)
            .map(|number| Slot {
                game: Game::new::<AllFeatures>(&self.setting, number),
                ended: Standing::Open,
                has_final: false,
            })
            .collect()
    }

    fn num_envs(&self) -> usize {
        self.slots.len()
    }

    /// Begins anew with this seed.
    pub(crate) fn reseed(&mut self, seed: u64, arrays: Arrays<'_>) {
        self.setting.seed = seed;
        self.slots = self.begin(self.num_envs());
        self.work(Work::Show, arrays);
    }

    /// Writes the first observations.
    pub(crate) fn show(&mut self, arrays: Arrays<'_>) {
        self.work(Work::Show, arrays);
    }

    /// Another game in each of these environments.
    pub(crate) fn reset(&mut self, which: &[bool], arrays: Arrays<'_>) {
        self.work(Work::Reset(which), arrays);
    }

    /// Plays one action in each environment; where those that are not offered are refused, none if there is one.
    pub(crate) fn step(&mut self, actions: &[i64], illegal: Illegal, arrays: Arrays<'_>) -> Result<(), NotOffered> {
        if illegal == Illegal::Refused
            && let Some(env) = self.first_not_offered(actions)
        {
            let Slot { game, .. } = &self.slots[env];
            let (mut mask, mut legal) = (vec![0; self.sizes().actions], vec![0; self.sizes().actions]);
            let len = game.write_legal(&self.setting, &mut mask, &mut legal);
            legal.truncate(len);
            return Err(NotOffered { env, seat: game.seat(&self.setting).index(), action: actions[env], legal });
        }
        self.work(Work::Step(actions, illegal), arrays);
        Ok(())
    }

    fn first_not_offered(&self, actions: &[i64]) -> Option<usize> {
        let is_wrong = |(slot, &id): (&Slot, &i64)| {
            slot.ended == Standing::Open
                && !action_of(&self.setting, id).is_some_and(|action| slot.game.offers(&self.setting, action))
        };
        self.slots.iter().zip(actions).position(is_wrong)
    }

    fn sizes(&self) -> Sizes {
        let encoding = &self.setting.table.encoding;
        Sizes { obs: encoding.obs_size(), actions: encoding.num_actions(), seats: self.setting.table.seats }
    }

    fn work(&mut self, work: Work<'_>, arrays: Arrays<'_>) {
        let sizes = self.sizes();
        let all = Stretch {
            setting: &self.setting,
            autoreset: self.autoreset,
            reward: self.reward,
            sizes,
            slots: &mut self.slots,
            work,
            arrays,
        };
        match &self.pool {
            None => dispatch(all),
            Some(pool) => {
                let size = all.slots.len().div_ceil(pool.current_num_threads()).max(1);
                let stretches = all.cut(size);
                pool.install(|| stretches.into_par_iter().for_each(dispatch::<Stretch<'_>>));
            }
        }
    }
}

/// Environments that lie side by side, for one thread.
struct Stretch<'a> {
    setting: &'a Setting,
    autoreset: Autoreset,
    reward: Reward,
    sizes: Sizes,
    slots: &'a mut [Slot],
    work: Work<'a>,
    arrays: Arrays<'a>,
}

impl<'a> Stretch<'a> {
    fn cut(self, size: usize) -> Vec<Self> {
        let Self { setting, autoreset, reward, sizes, slots, work, mut arrays } = self;
        let mut stretches = Vec::new();
        let mut from = 0;
        for slots in slots.chunks_mut(size) {
            let (part, rest) = arrays.split_at(slots.len(), sizes);
            arrays = rest;
            let work = work.part(from, slots.len());
            from += slots.len();
            stretches.push(Self { setting, autoreset, reward, sizes, slots, work, arrays: part });
        }
        stretches
    }

    #[inline(always)]
    fn run_under<P: FeatureSet>(mut self) {
        self.arrays.rewards.fill(0.0);
        self.arrays.learner_reward.fill(0.0);
        self.arrays.terminated.fill(false);
        self.arrays.truncated.fill(false);
        for (at, slot) in self.slots.iter_mut().enumerate() {
            let mut row = self.arrays.row(at, self.sizes);
            if slot.has_final {
                slot.has_final = false;
                row.final_obs.fill(0);
            }
            match self.work {
                Work::Reset(which) if which[at] => slot.begin_next::<P>(self.setting),
                Work::Show | Work::Reset(_) => {}
                Work::Step(actions, illegal) => {
                    if slot.ended == Standing::Open {
                        let action = action_of(self.setting, actions[at]);
                        if illegal == Illegal::Loses && !action.is_some_and(|it| slot.game.offers(self.setting, it)) {
                            slot.lose::<P>(self.setting, self.autoreset, &mut row);
                        } else if let Some(action) = action {
                            slot.game.play::<P>(self.setting, action);
                            let standing = slot.game.standing(self.setting);
                            if standing != Standing::Open {
                                slot.end::<P>(self.setting, self.autoreset, self.reward, &mut row);
                            }
                        }
                    } else if self.autoreset == Autoreset::NextStep {
                        slot.begin_next::<P>(self.setting);
                    }
                }
            }
            slot.write(self.setting, &mut row);
        }
    }
}

impl Kernel for Stretch<'_> {
    type Output = ();
    #[inline(always)]
    fn run<I: Isa>(self) {
        if BasicFeatures::<I>::fits(self.setting.rules()) {
            self.run_under::<BasicFeatures<I>>();
        } else {
            self.run_under::<AllFeatures<I>>();
        }
    }
}

/// The action with this id, if there is one.
#[inline(always)]
fn action_of(setting: &Setting, id: i64) -> Option<Action> {
    usize::try_from(id).ok().and_then(|id| setting.table.encoding.actions().action(id))
}

impl Slot {
    fn begin_next<P: FeatureSet>(&mut self, setting: &Setting) {
        self.game.deal_next::<P>(setting);
        self.ended = Standing::Open;
    }

    /// The game has ended: what it was worth, and what comes then.
    fn end<P: FeatureSet>(&mut self, setting: &Setting, autoreset: Autoreset, reward: Reward, row: &mut Row<'_>) {
        let game = &mut self.game;
        self.ended = game.standing(setting);
        let result = match self.ended {
            Standing::Truncated => RoundResult::default(),
            _ => game.result(setting),
        };
        reward.write(setting.rules(), &result, row.rewards);
        *row.learner_reward = row.rewards[game.learner().index()];
        self.rest::<P>(setting, autoreset, row);
    }

    /// What was asked for is not legal: the game is lost as it stands.
    #[cold]
    fn lose<P: FeatureSet>(&mut self, setting: &Setting, autoreset: Autoreset, row: &mut Row<'_>) {
        self.ended = Standing::Terminated;
        row.rewards[self.game.seat(setting).index()] = -1.0;
        *row.learner_reward = -1.0;
        self.rest::<P>(setting, autoreset, row);
    }

    fn rest<P: FeatureSet>(&mut self, setting: &Setting, autoreset: Autoreset, row: &mut Row<'_>) {
        if autoreset == Autoreset::SameStep {
            let game = &mut self.game;
            game.write_row(setting, game.seat(setting), row.final_obs);
            self.has_final = true;
            (*row.terminated, *row.truncated) = (self.ended == Standing::Terminated, self.ended == Standing::Truncated);
            self.begin_next::<P>(setting);
        }
    }

    #[inline(always)]
    fn write(&self, setting: &Setting, row: &mut Row<'_>) {
        let seat = self.game.seat(setting);
        self.game.write_row(setting, seat, row.obs);
        *row.to_play = i8::try_from(seat.index()).unwrap_or(0); // below ten
        let len = match self.ended {
            Standing::Open => self.game.write_legal(setting, row.mask, row.legal),
            ended => {
                (*row.terminated, *row.truncated) = (ended == Standing::Terminated, ended == Standing::Truncated);
                row.mask.fill(1);
                row.legal.iter_mut().zip(0..).for_each(|(place, id)| *place = id);
                row.legal.len()
            }
        };
        *row.num_legal = i16::try_from(len).unwrap_or(i16::MAX); // 494 at most
    }
}
