//! [`PerfectInformationAgent`]: a player who is shown everything, for upper bounds only.

use unolab_engine::action::Action;
use unolab_engine::observation::Observation;
use unolab_engine::state::RoundState;

use crate::agent::Agent;

/// Decides with the true state before it: every hand, and what is left to draw. What will be drawn is not in the state,
/// so not even an oracle knows it.
///
/// The true state comes in by this trait alone. Whoever only asks it as an [`Agent`], without showing it anything, gets
/// the answer of a player like others. It is no subject of the information law, and [`AgentSpec::sees_everything`]
/// marks it wherever results are shown.
///
/// [`AgentSpec::sees_everything`]: crate::registry::AgentSpec::sees_everything
pub trait PerfectInformationAgent: Agent {
    /// The answer to the decision of the observation's seat, in this very state.
    fn choose_with_perfect_information(&mut self, truth: &RoundState, observation: &Observation<'_>) -> Action;
}
