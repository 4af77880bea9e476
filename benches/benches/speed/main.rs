//! Times measured by criterion, from the smallest operation to the largest.
//!
//! ```text
//! cargo bench -p unolab-benches --bench speed                                     # all: two minutes
//! cargo bench -p unolab-benches --bench speed -- ^round --save-baseline before    # one group, before a change
//! cargo bench -p unolab-benches --bench speed -- ^round --baseline before         # and after it
//! cargo bench -p unolab-benches -- --test                                         # each once, for its answer
//! ```
//!
//! One program for all of them, because linking takes longer than measuring.

mod hand;

mod legal_actions;

mod apply_action;

mod sample_state;

mod round;

mod rollout;

mod arena;

#[cfg(unix)]
mod protocol;

use std::time::Duration;

use criterion::Criterion;

fn benches() {
    let mut criterion = Criterion::default()
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(2))
        .sample_size(50)
        .configure_from_args();
    hand::benches(&mut criterion);
    legal_actions::benches(&mut criterion);
    apply_action::benches(&mut criterion);
    sample_state::benches(&mut criterion);
    round::benches(&mut criterion);
    rollout::benches(&mut criterion);
    arena::benches(&mut criterion);
    #[cfg(unix)]
    protocol::benches(&mut criterion);
}

fn main() {
    #[cfg(unix)]
    if std::env::args().nth(1).as_deref() == Some(protocol::BOT) {
        return protocol::be_the_bot();
    }
    benches();
    Criterion::default().configure_from_args().final_summary();
}
