//! `sprt --dry-run`: the expected and the largest number of games, the time and the directory of a test.

use unolab_arena::experiment::counts::TournamentCounts;
use unolab_arena::experiment::luck_pilot::pilot_games;
use unolab_arena::experiment::pilot::SetCost;
use unolab_arena::experiment::sprt::{SequentialTest, SprtCounts};
use unolab_arena::run::shard::Shard;
use unolab_arena::spec::luck::LuckAdjustment;
use unolab_arena::words::counted;
use unolab_stats::sprt::Hypotheses;

use super::super::driver::dry_run::{PILOT, fitted_on, time_in_words, whole};
use super::describe_test;
use crate::args::MOST_SETS;

/// The remaining work of a test, after a short pilot that writes nothing.
pub(super) fn of_test(
    test: &SequentialTest<'_>,
    part: &SprtCounts,
    luck: LuckAdjustment,
    threads: usize,
) -> anyhow::Result<String> {
    let &SequentialTest { contest, hypotheses } = test;
    let mut pilot = TournamentCounts::new(contest, Shard::WHOLE);
    pilot.sections[0].next = part.sets();
    let seconds_a_set = SetCost::of_section(contest, &pilot, 0, None, threads, PILOT)?.seconds;
    let games_a_set = contest.schedule().sections[0].games_per_set();
    let line = |sets: u64| {
        let (games, time) = (counted(sets * games_a_set, "game"), time_in_words(seconds_a_set * sets as f64));
        format!("{}, {games}, about {time}", counted(sets, "set"))
    };
    let mut text = describe_test(test.duel(), &hypotheses);
    let Hypotheses { nelo0, nelo1, .. } = hypotheses;
    for nelo in [nelo0, f64::midpoint(nelo0, nelo1), nelo1] {
        let sets = whole(hypotheses.expected_games(nelo) / games_a_set as f64).clamp(1, part.most_sets);
        text += &format!("if it is {nelo}: {} expected\n", line(sets));
    }
    let threads = counted(threads as u64, "thread");
    text += &match part.most_sets {
        MOST_SETS => format!("until it is decided, on {threads}"),
        most => format!("at most {} on {threads}", line(most - part.sets())),
    };
    text += &fitted_on(luck, pilot_games(contest.spec().unit));
    Ok(text + "\n")
}
