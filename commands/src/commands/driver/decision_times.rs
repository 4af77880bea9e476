//! The times of the decisions of programs. They are not part of a result.

use serde_json::Value;
use unolab_agents::registry::Registry;

/// The times of the decisions of each program in this process: in words, and as a table.
#[cfg(unix)]
pub(super) fn decision_times(registry: &Registry) -> (String, Vec<Value>) {
    use std::time::Duration;

    use serde_json::json;
    use unolab_agents::printable::printable;
    use unolab_arena::words::counted;

    let milliseconds = |time: Duration| 1e3 * time.as_secs_f64();
    let (mut text, mut rows) = (String::new(), Vec::new());
    for (entrant, times) in registry.policy().run_log.iter().flat_map(|run_log| run_log.times()) {
        let [mean, high, slowest] = [times.mean(), times.quantile(0.99), times.slowest()].map(milliseconds);
        text += &format!(
            "time per decision of {}: mean {mean:.2} ms, 99% within {high:.2} ms, longest {slowest:.2} ms ({})\n",
            printable(entrant),
            counted(times.decisions(), "decision")
        );
        rows.push(json!({
            "entrant": entrant, "decisions": times.decisions(), "mean_ms": mean, "p99_ms": high, "max_ms": slowest
        }));
    }
    (text, rows)
}

/// There are no programs.
#[cfg(not(unix))]
pub(super) fn decision_times(_: &Registry) -> (String, Vec<Value>) {
    (String::new(), Vec::new())
}
