//! Long work that is kept in between: sets go by stretches of about a second each.

use std::ops::Range;
use std::time::{Duration, Instant};

/// How a run came to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// Every game was played.
    Finished,
    /// It was stopped: whole sets are counted, but not all of them.
    Stopped,
}

/// How long a stretch takes, about.
const STRETCH_TIME: Duration = Duration::from_secs(1);

/// Plays these sets stretch by stretch, until all are played or `play` says that it was stopped. The first is a single
/// set; each may be no more than eight times as large as the one before.
///
/// # Errors
/// The first that `play` has.
pub fn in_stretches<E>(sets: Range<u64>, mut play: impl FnMut(Range<u64>) -> Result<End, E>) -> Result<End, E> {
    let (mut next, mut size) = (sets.start, 1);
    while next < sets.end {
        let (begin, end) = (Instant::now(), sets.end.min(next + size));
        if play(next..end)? == End::Stopped {
            return Ok(End::Stopped);
        }
        size = sets_in(STRETCH_TIME, end - next, begin.elapsed());
        next = end;
    }
    Ok(End::Finished)
}

/// How many sets will take so long, if so many took that time: at least one, and at most eight times as many.
#[must_use]
pub fn sets_in(time: Duration, sets: u64, took: Duration) -> u64 {
    let by_time = sets as f64 * time.as_secs_f64() / took.as_secs_f64().max(1e-9);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "cut to a positive whole number")]
    let by_time = by_time as u64;
    by_time.clamp(1, 8 * sets)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stretches_make_up_all_sets_and_a_stop_ends_them() {
        let mut played = Vec::new();
        let all = in_stretches::<()>(3..1000, |sets| {
            played.push(sets);
            Ok(End::Finished)
        });
        assert_eq!((all, played[0].clone(), played.last().unwrap().end), (Ok(End::Finished), 3..4, 1000));
        assert!(played.windows(2).all(|two| two[0].end == two[1].start));
        let mut left = 3;
        let stopped = in_stretches::<()>(0..1000, |_| {
            left -= 1;
            Ok(if left == 0 { End::Stopped } else { End::Finished })
        });
        assert_eq!((stopped, left), (Ok(End::Stopped), 0));
        assert_eq!(in_stretches(0..9, |_| Err("full")), Err("full"));
    }
}
