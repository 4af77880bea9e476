//! Whole rounds for a learner: before each decision the observation, the mask and the ids are written.

use unolab_agents::table::Counts;
use unolab_engine::action::Call;
use unolab_engine::encoding::{DiscardPile, EncodedDecision, Encoding, VoluntaryDraw};
use unolab_engine::fast::BatchRound;
use unolab_engine::knowledge::Knowledge;
use unolab_engine::observation::{NO_SCORES, Observation};
use unolab_engine::rng::Rng;
use unolab_engine::rules::{FeatureSet, Rules, RulesKernel};
use unolab_engine::state::Phase;

use crate::rounds::redeal;
use crate::{SEED, Totals};

/// Consecutive rounds in which every seat chooses uniformly among the offered actions: the work of a learner's
/// environment, apart from its arrays.
#[derive(Debug, Clone, Copy)]
pub struct EncodedRounds<'a> {
    /// The rules, without decisions out of turn.
    pub rules: &'a Rules,
    /// The number of seats.
    pub seats: usize,
    /// The number of rounds.
    pub count: u64,
}

impl RulesKernel for EncodedRounds<'_> {
    type Output = Totals;

    fn rules(&self) -> &Rules {
        self.rules
    }

    #[inline(always)]
    fn run_by<P: FeatureSet>(self) -> Totals {
        let Self { rules, seats, count } = self;
        let encoding = Encoding::new(rules, seats, 0);
        let mut row = vec![0; encoding.obs_size()];
        let (mut mask, mut ids) = (vec![0; encoding.num_actions()], vec![0; encoding.num_actions()]);
        let mut totals = Totals::default();
        let mut choices = Rng::from_seed(SEED);
        let mut state = BatchRound::vacant(rules).state;
        for set in 0..count {
            let mut seen = (Knowledge::default(), DiscardPile::default());
            let mut cards = redeal::<P>(&mut state, rules, seats, set, &mut seen);
            let mut counts = Counts::default();
            while let Some(seat) = state.current_seat() {
                counts.turns += u32::from(state.phase() == Phase::Turn);
                counts.decisions += 1;
                row.fill(0);
                mask.fill(0);
                ids.fill(-1);
                let observation = Observation::of(rules, &state, &seen.0, &NO_SCORES, seat);
                let pile = seen.1.cards();
                encoding.write_cleared_row_on::<P::Isa>(&observation, pile, EncodedDecision::Ordinary, &mut row);
                let offered = encoding.write_cleared_legal(&observation, VoluntaryDraw::Hidden, &mut mask, &mut ids);
                let chosen = choices.below(u32::try_from(offered.len()).expect("494 actions at most")) as usize;
                let action = usize::try_from(ids[chosen]).ok().and_then(|id| encoding.actions().action(id));
                let action = action.expect("ids are those of actions");
                state.apply_action_for::<P>(rules, seat, action, Call::Silent, &mut cards, &mut seen);
            }
            totals.add(&state, counts);
        }
        totals
    }
}
