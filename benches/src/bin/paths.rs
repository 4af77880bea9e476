//! Measures the time per turn of `random` on each code path: rounds in AVX-512 vectors, and interleaved rounds with BMI2 and with the
//! code for any processor. All paths play the same rounds in short alternating windows, so that a busy machine affects them equally.
//! Measures only the engine and the players, including deals.
//!
//! ```text
//! cargo run --profile bench -p unolab-benches --bin paths             # 400 windows each
//! cargo run --profile bench -p unolab-benches --bin paths -- 2000
//! ```
//!
//! Prints a Markdown table of medians: nanoseconds per turn, and the time of a window relative to the AVX-512 path. A processor
//! without AVX-512 or BMI2 plays the next slower path instead.

use std::env;
use std::time::Instant;

use unolab_agents::simd_batch::RoundBatch;
use unolab_benches::batches::Batch;
use unolab_benches::{Totals, preset};
use unolab_engine::cpu::{Generic, Instructions, dispatch, use_at_most};
use unolab_engine::rules::RulesKernel as _;

/// Rounds per window: about a millisecond.
const ROUNDS: u64 = 500;

/// Slowest first.
const PATHS: [Instructions; 3] = [Instructions::Baseline, Instructions::Bmi2, Instructions::Avx512];

/// Nanoseconds per turn, and the totals of the rounds.
fn measure(window: Batch<'_>, path: Instructions) -> (f64, Totals) {
    use_at_most(path);
    let begin = Instant::now();
    let totals = match path {
        Instructions::Baseline => window.run_fitting::<Generic>(),
        Instructions::Bmi2 | Instructions::Avx512 => dispatch(window),
    };
    let nanoseconds = begin.elapsed().as_nanos();
    #[expect(clippy::cast_precision_loss, reason = "far below 2^52")]
    let per_turn = nanoseconds as f64 / totals.turns as f64;
    (per_turn, totals)
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn main() {
    let windows = env::args().nth(1).map_or(400, |number| number.parse().expect("a number of windows"));
    println!(
        "| variant | players | any processor, ns | BMI2, ns | AVX-512, ns | any processor / AVX-512 | BMI2 / AVX-512 |"
    );
    println!("|---|--:|--:|--:|--:|--:|--:|");
    let tables = ["classic", "cars", "disney"].into_iter().flat_map(|variant| [2, 4, 10].map(|seats| (variant, seats)));
    for (variant, seats) in tables {
        let rules = preset(variant);
        let mut times = [const { Vec::new() }; PATHS.len()];
        for window in 0..windows {
            let (first, count, make) = (window * ROUNDS, ROUNDS, RoundBatch::new);
            let work = Batch { rules: &rules, seats, first, count, make };
            let mut totals = None;
            for turn in 0..PATHS.len() {
                let at = (turn + usize::try_from(window).expect("few")) % PATHS.len();
                let (time, came_of_it) = measure(work, PATHS[at]);
                times[at].push(time);
                assert_eq!(*totals.get_or_insert(came_of_it), came_of_it, "every path plays the same rounds");
            }
        }
        let in_vectors = times[2].clone();
        let against =
            |times: &[f64]| median(times.iter().zip(&in_vectors).map(|(time, vector)| time / vector).collect());
        let [any, bmi2, avx512] = times.each_ref().map(|times| (median(times.clone()), against(times)));
        let times = format!("{:.1} | {:.1} | {:.1}", any.0, bmi2.0, avx512.0);
        println!("| {variant} | {seats} | {times} | {:.2} | {:.2} |", any.1, bmi2.1);
    }
}
