//! The counterpart of the Linux restrictions on other systems, which have no sandbox.

use super::level::{Confinement, Reach};
use super::sandbox_policy::SandboxPolicy;

pub(super) fn confine(_: &SandboxPolicy, _: Reach) -> Result<(), Confinement> {
    Err(Confinement::None("it needs Linux on a 64-bit processor".into()))
}

/// Does nothing: there is no sandbox here.
pub fn serve_as_launcher() {}
