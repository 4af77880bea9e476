//! `unolab sprt`: plays one agent against another until the result is significant.

mod args;
mod dry_run;
mod simulate;

use std::path::Path;

use anyhow::bail;
use unolab_agents::registry::Registry;
use unolab_arena::experiment::any_spec::contest_of;
use unolab_arena::experiment::sprt::{SequentialTest, SprtCounts};
use unolab_arena::run::checkpoint::OutputOptions;
use unolab_arena::run::results::Results;
use unolab_arena::run::shard::Shard;
use unolab_arena::schedule::contest::Contest;
use unolab_arena::spec::luck::LuckAdjustment;
use unolab_arena::spec::{Allocation, Command, SeatingPlan, Spec};
use unolab_arena::tables::Row as _;
use unolab_arena::tables::match_result::MatchResult;
use unolab_arena::tables::sprt::{Duel, SprtRow};
use unolab_arena::words::counted;
use unolab_stats::interval::Interval;
use unolab_stats::sprt::{FIRST_LOOK, Hypotheses, State, Verdict};

use super::driver::json::{self, JsonObject};
use super::driver::tournament::{luck_in_words, odds_of};
use super::driver::{ExperimentCommand, FaultsSoFar, Invocation, drive, faults_in_words, request};
use crate::args::{AgentList, MOST_SETS, PlayMode};
use crate::exit::Exit;
use crate::output::{fitted, line_width, shown, warn, width};
use crate::terminal::InterimLooks;
use crate::terminal::match_result::{match_lines, unrated_lines};
pub(crate) use args::SprtArgs;

pub(crate) fn run(mut args: SprtArgs, registry: &Registry) -> anyhow::Result<Exit> {
    args.agents = args.each.added_to(args.agents)?;
    let SprtArgs { nelo0, nelo1, alpha, beta, .. } = args;
    let hypotheses = Hypotheses { nelo0, nelo1, alpha, beta }.checked()?;
    if let Some(tests) = args.simulate {
        return simulate::run(&args, hypotheses, tests, registry);
    }
    let common = &args.common;
    if common.shard.is_some_and(|shard| shard != Shard::WHOLE) {
        bail!("--shard: a sequential test has no shards, because it stops by the results of all its sets");
    }
    let agents = args.agents.iter().flat_map(|AgentList(agents)| agents);
    let registry = &common.registry_for(registry, agents, None, PlayMode::of(args.dry_run))?;
    let contest = contest(&args, hypotheses, registry)?;
    if let Some(most) = args.max_sets.filter(|&most| most < FIRST_LOOK) {
        warn(&format!(
            "warning: --max-sets {most}: the first interim analysis is after {FIRST_LOOK} sets, so this test remains undecided"
        ));
    }
    let invocation =
        Invocation::new(common, output_options(&args), PlayMode::of(args.dry_run))?.with_programs(registry);
    drive(&SequentialTest { contest: &contest, hypotheses }, &invocation)
}

impl ExperimentCommand for SequentialTest<'_> {
    const MAY_END_EARLY: bool = true;

    fn leader(&self, counts: &SprtCounts) -> String {
        counts.looks.last().map_or_else(String::new, |totals| log_likelihood_note(self, &self.state(totals)))
    }

    fn faults(&self, counts: &SprtCounts) -> FaultsSoFar {
        FaultsSoFar::of(std::iter::once(self.played(counts)))
    }

    fn games_in_all(&self, counts: &SprtCounts) -> Option<u64> {
        let games_per_set = self.contest.schedule().sections[0].games_per_set();
        (counts.most_sets < MOST_SETS).then(|| counts.most_sets * games_per_set)
    }

    fn text(&self, counts: &SprtCounts, _results: &Results) -> anyhow::Result<String> {
        let (duel, played) = (self.duel(), self.played(counts));
        let last = counts.looks.last().map(|totals| self.state(totals));
        let result = MatchResult::of(played, InterimLooks::Any.coverage());
        let figures = result.as_ref().map(|result| match_lines(result, InterimLooks::Any, width())).unwrap_or_default();
        let outcome = last.map(|last| {
            describe_test(duel, &self.hypotheses)
                + &odds_of(self.contest.spec())
                + &figures
                + &verdict_text(duel, &self.hypotheses, &last, self.verdict(counts), counts.next_look())
        });
        let text = outcome.unwrap_or_default() + &luck_in_words(played, result.as_ref(), InterimLooks::Any);
        Ok(text + &unrated_lines(&played.spec.entrants, width()) + &faults_in_words(std::iter::once(played)))
    }

    fn dry_run(&self, left: &SprtCounts, outputs: OutputOptions, threads: usize) -> anyhow::Result<String> {
        dry_run::of_test(self, left, outputs.luck, threads)
    }

    /// The last look, the hypotheses, and the accepted one.
    fn json_summary(&self, tables: &JsonObject) -> JsonObject {
        let looks = tables.get("sprt").and_then(serde_json::Value::as_array);
        let last = looks.and_then(|looks| looks.last()?.as_object());
        let mut json_summary = last.cloned().unwrap_or_default();
        let accepted = match json_summary.get("verdict").and_then(serde_json::Value::as_str) {
            Some("accept_h1") => "H1",
            Some("accept_h0") => "H0",
            _ => "undecided",
        };
        let Hypotheses { nelo0, nelo1, alpha, beta } = self.hypotheses;
        for (name, number) in [("nelo0", nelo0), ("nelo1", nelo1), ("alpha", alpha), ("beta", beta)] {
            json_summary.insert(name.into(), number.into());
        }
        json_summary.insert("accepted".into(), accepted.into());
        json_summary
    }

    fn result_location(&self, path: &Path) -> String {
        format!("trajectory in {}", shown(&path.join(SprtRow::FILE)))
    }

    fn exit(&self, counts: &SprtCounts) -> Exit {
        exit_of(self.verdict(counts))
    }

    fn exit_of_finished(&self, path: &Path) -> anyhow::Result<Exit> {
        let json_summary = self.json_summary(&json::tables_in(path)?);
        Ok(match json_summary.get("accepted").and_then(serde_json::Value::as_str) {
            Some("H1") => exit_of(Verdict::AcceptAlternative),
            Some("H0") => exit_of(Verdict::AcceptNull),
            _ => exit_of(Verdict::Open),
        })
    }
}

const fn exit_of(verdict: Verdict) -> Exit {
    match verdict {
        Verdict::AcceptAlternative => Exit::Done,
        Verdict::AcceptNull => Exit::CheckFailed,
        Verdict::Open => Exit::Undecided,
    }
}

fn output_options(args: &SprtArgs) -> OutputOptions {
    let luck = if args.luck { LuckAdjustment::On } else { LuckAdjustment::Off };
    OutputOptions { games_csv: args.games_csv, luck, sandbox: args.common.confined(), ..OutputOptions::default() }
}

fn contest(args: &SprtArgs, hypotheses: Hypotheses, registry: &Registry) -> anyhow::Result<Contest> {
    let entrants = args.odds.given_to(request::entrants(args.agents.iter().cloned())?)?;
    if entrants.len() != 2 {
        bail!("--agents: a test needs two agents, A,B, not {}", entrants.len());
    }
    let [_] = &args.rules.variant[..] else {
        bail!("--variant: a test needs one variant, not {}", args.rules.variant.len());
    };
    let seats = vec![usize::from(args.seats)];
    let spec = Spec {
        command: Command::Sprt(hypotheses),
        entrants,
        variants: request::variants(&args.rules, &seats)?,
        seats,
        sets: args.most_sets(),
        allocation: Allocation::Even,
        seed: args.common.seed(),
        seating: SeatingPlan::Rotate,
        unit: args.unit,
        seal: args.common.seal(PlayMode::of(args.dry_run))?,
    };
    Ok(contest_of(spec, output_options(args).luck, registry, args.common.num_threads(1))?)
}

/// The current log-likelihood ratio, at the end of a line.
fn log_likelihood_note(test: &SequentialTest<'_>, state: &State) -> String {
    let (lower, upper) = test.hypotheses.bounds();
    let name = &test.contest.spec().entrants[0].name;
    let llr = match state.llr {
        llr if llr.is_finite() => format!("LLR {llr:+.2} of {lower:.2} to {upper:.2}"),
        _ => "all sets alike".to_owned(),
    };
    format!("; {name}: {}%, {llr}", share_in_percent(state))
}

/// The test in a line.
fn describe_test(Duel { variant, seats, a, b }: Duel<'_>, hypotheses: &Hypotheses) -> String {
    let Hypotheses { nelo0, nelo1, alpha, beta } = hypotheses;
    let text = format!(
        "{a} against {b}, {variant}, {seats} seats: H0 is a gain of {nelo0} normalized Elo, H1 a gain of {nelo1}; H1 is accepted \
         wrongly in {}% of tests, H0 in {}%\n",
        in_percent(*alpha),
        in_percent(*beta)
    );
    fitted(&text, line_width())
}

/// An error rate as it was written, in percent.
fn in_percent(rate: f64) -> f64 {
    (1e8 * rate).round() / 1e6
}

/// The likelihood ratio after the last look, and the verdict.
fn verdict_text(duel: Duel<'_>, hypotheses: &Hypotheses, state: &State, verdict: Verdict, next: Option<u64>) -> String {
    let (lower, upper) = hypotheses.bounds();
    let conclusion = match verdict {
        Verdict::AcceptAlternative => h1_accepted(duel, hypotheses.nelo0),
        Verdict::AcceptNull => h0_accepted(duel, hypotheses.nelo1),
        Verdict::Open if hypotheses.is_hopeless(state) => {
            "undecided: every set ties exactly, and hypotheses equally far from 0 cannot be distinguished".to_owned()
        }
        Verdict::Open if next.is_some() => "undecided so far".to_owned(),
        Verdict::Open => "undecided: all sets are played".to_owned(),
    };
    let llr = match state.llr {
        llr if llr.is_finite() => {
            format!("log-likelihood ratio {llr:+.3}; H0 is accepted at {lower:.3}, H1 at {upper:.3}")
        }
        _ => "all sets have the same result, which decides the test".to_owned(),
    };
    let text = format!("after {}: {llr}\n{conclusion}\n", counted(state.sets, "set"));
    fitted(&text, line_width())
}

/// The effect is above `nelo0`.
fn h1_accepted(Duel { a, b, .. }: Duel<'_>, nelo0: f64) -> String {
    let conclusion = if nelo0 > 0.0 {
        format!("{a} beats {b} by more than {nelo0} normalized Elo")
    } else if nelo0 < 0.0 {
        format!("{a} is not worse than {b} by more than {} normalized Elo", -nelo0)
    } else {
        format!("{a} beats {b}")
    };
    format!("H1 accepted: {conclusion}")
}

/// The effect is below `nelo1`.
fn h0_accepted(Duel { a, b, .. }: Duel<'_>, nelo1: f64) -> String {
    let conclusion = if nelo1 > 0.0 {
        format!("{a} does not beat {b} by more than {nelo1} normalized Elo")
    } else if nelo1 < 0.0 {
        format!("{a} is worse than {b} by more than {} normalized Elo", -nelo1)
    } else {
        format!("{a} is worse than {b}")
    };
    format!("H0 accepted: {conclusion}")
}

/// `57.30 [51.20, 63.40]`.
fn share_in_percent(state: &State) -> String {
    let percent = |share: f64| format!("{:.2}", 100.0 * share);
    with_bounds(percent(state.mean), state.mean_interval, percent)
}

fn with_bounds(value: String, interval: Option<Interval>, write: impl Fn(f64) -> String) -> String {
    match interval {
        Some(Interval { low, high }) => format!("{value} [{}, {}]", write(low), write(high)),
        None => value,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The state after this number of sets that all tie.
    fn state(sets: u64) -> State {
        State {
            sets,
            games: 2 * sets,
            mean: 0.5,
            mean_interval: None,
            sigma: 0.0,
            nelo: None,
            nelo_interval: None,
            llr: 0.0,
            unequal_sets: 0,
        }
    }

    #[test]
    fn conclusion_follows_verdict_and_hypothesis_signs() {
        use Verdict::{AcceptAlternative as H1, AcceptNull as H0, Open};
        let duel = Duel { variant: "classic", seats: 2, a: "new", b: "old" };
        let conclusion = |nelo0, nelo1, verdict, sets, next| {
            let hypotheses = Hypotheses { nelo0, nelo1, alpha: 0.05, beta: 0.05 };
            let text = verdict_text(duel, &hypotheses, &state(sets), verdict, next);
            text.lines().last().unwrap().to_owned()
        };
        for (nelo0, nelo1, h1, h0) in [
            (-80.0, -60.0, "is not worse than old by more than 80", "is worse than old by more than 60"),
            (-10.0, 0.0, "is not worse than old by more than 10", "is worse than old"),
            (-2.5, 2.5, "is not worse than old by more than 2.5", "does not beat old by more than 2.5"),
            (-0.0, 5.0, "beats old", "does not beat old by more than 5"),
            (0.0, 5.0, "beats old", "does not beat old by more than 5"),
            (5.0, 10.0, "beats old by more than 5", "does not beat old by more than 10"),
        ] {
            let with_unit = |text: &str| match text.contains("by more than") {
                true => format!("new {text} normalized Elo"),
                false => format!("new {text}"),
            };
            assert_eq!(conclusion(nelo0, nelo1, H1, 500, None), format!("H1 accepted: {}", with_unit(h1)));
            assert_eq!(conclusion(nelo0, nelo1, H0, 500, None), format!("H0 accepted: {}", with_unit(h0)));
            assert_eq!(conclusion(nelo0, nelo1, Open, 500, Some(600)), "undecided so far");
            assert_eq!(conclusion(nelo0, nelo1, Open, 500, None), "undecided: all sets are played");
        }
        let hopeless = "undecided: every set ties exactly, and hypotheses equally far from 0 cannot be distinguished";
        assert_eq!(conclusion(-10.0, 10.0, Open, 10_000, Some(20_000)), hopeless);
    }
}
