//! `unolab sprt`: plays one agent against another until the answer is clear.

mod dry_run;
mod simulate;

use std::path::Path;

use anyhow::bail;
use unolab_agents::registry::Registry;
use unolab_arena::experiment::sprt::{SequentialTest, SprtCounts};
use unolab_arena::play::record::WIN;
use unolab_arena::run::checkpoint::Besides;
use unolab_arena::run::shard::Shard;
use unolab_arena::schedule::contest::Contest;
use unolab_arena::spec::luck::LuckIs;
use unolab_arena::spec::{Command, SeatingPlan, Spec};
use unolab_arena::tables::games::Game;
use unolab_arena::tables::luck::{self, LuckRow};
use unolab_arena::tables::offences::OffenceRow;
use unolab_arena::tables::sprt::{Duel, SprtRow};
use unolab_arena::tables::{PlayedSection, Row, describe};
use unolab_arena::words::counted;
use unolab_stats::share::Share;
use unolab_stats::sprt::{Hypotheses, State, Verdict};
use unolab_stats::sums::GameSums;

use super::running::tables::Tables;
use super::running::{ExperimentCommand, Found, Invocation, drive, faults_in_words, request};
use crate::args::{AgentList, SprtArgs};
use crate::exit::Exit;
use crate::output::width;
use crate::terminal::luck_table;

pub(crate) fn run(args: SprtArgs, registry: &Registry) -> anyhow::Result<Exit> {
    let SprtArgs { nelo0, nelo1, alpha, beta, .. } = args;
    let hypotheses = Hypotheses { nelo0, nelo1, alpha, beta }.checked()?;
    if let Some(tests) = args.simulate {
        return simulate::run(&args, hypotheses, tests);
    }
    let kept = &args.kept;
    if kept.shard.is_some_and(|shard| shard != Shard::WHOLE) {
        bail!("--shard: a sequential test has no shards: it must look at all of its sets to know when to stop");
    }
    let agents = args.agents.iter().flat_map(|AgentList(agents)| agents);
    let registry = &kept.registry_for(registry, agents, None)?;
    let invocation = Invocation { is_dry: args.dry_run, ..Invocation::plain(kept, besides(&args)) };
    run_contest(&contest(&args, hypotheses, registry)?, hypotheses, &invocation)
}

/// Plays the test of a contest.
pub(super) fn run_contest(
    contest: &Contest,
    hypotheses: Hypotheses,
    invocation: &Invocation<'_>,
) -> anyhow::Result<Exit> {
    drive(&SequentialTest { contest, hypotheses }, invocation, |_| Ok(()))
}

impl ExperimentCommand for SequentialTest<'_> {
    const MAY_END_EARLY: bool = true;

    fn name(&self) -> &'static str {
        "sprt"
    }

    fn leader(&self, counts: &SprtCounts) -> String {
        counts.looks.last().map_or_else(String::new, |wins| in_short(self, wins))
    }

    fn found(&self, counts: &SprtCounts) -> anyhow::Result<Found> {
        let (spec, hypotheses) = (self.contest.spec(), &self.hypotheses);
        let looks: Vec<State> = counts.looks.iter().map(|wins| self.state(wins)).collect();
        let duel = duel_of(spec);
        let played = PlayedSection { spec, section: &self.contest.schedule().sections[0], tally: counts.tally() };
        let outcome = looks.last().map(|last| told(duel, hypotheses, last, self.verdict(counts), counts.next_look()));
        let text = outcome.unwrap_or_default() + &luck_table(&luck::rows(played), width());
        Ok(Found {
            tables: Tables::of_test(looks.iter().map(|look| SprtRow::of(duel, hypotheses, look)).collect(), played),
            offences: Tables::of_offences(std::iter::once(played)),
            figures: Vec::new(),
            readme: readme(),
            text: text + &faults_in_words(std::iter::once(played)),
        })
    }

    fn dry_run(&self, left: &SprtCounts, besides: Besides, threads: usize) -> anyhow::Result<String> {
        dry_run::of_test(self, left, besides.luck, threads)
    }

    fn where_it_is(&self, path: &Path) -> String {
        format!("trajectory in {}", path.join(SprtRow::FILE).display())
    }

    fn exit(&self, counts: &SprtCounts) -> Exit {
        if self.verdict(counts) == Verdict::Open { Exit::CheckFailed } else { Exit::Done }
    }
}

/// The README of a run's folder.
fn readme() -> String {
    [README.to_owned() + &describe::<SprtRow>(), describe::<Game>(), describe::<LuckRow>(), describe::<OffenceRow>()]
        .join("\n")
}

fn besides(args: &SprtArgs) -> Besides {
    let luck = if args.luck { LuckIs::TakenOff } else { LuckIs::LeftIn };
    Besides { games_csv: args.games_csv, luck, sandbox: args.kept.confined() }
}

const README: &str = "# A sequential test\n\nMade by `unolab sprt` from the spec in `run.json`: the same spec gives the same \
                      bytes. Its win share is biased, as that of any test that stops when it is sure.\n\n";

fn contest(args: &SprtArgs, hypotheses: Hypotheses, registry: &Registry) -> anyhow::Result<Contest> {
    let entrants = request::entrants(args.agents.iter().cloned())?;
    if entrants.len() != 2 {
        bail!("--agents: a test needs two agents, A,B, not {}", entrants.len());
    }
    let [_] = &args.rules.variant[..] else {
        bail!("--variant: a test is of one variant, not {}", args.rules.variant.len());
    };
    let seats = vec![usize::from(args.seats)];
    let spec = Spec {
        command: Command::Sprt(hypotheses),
        entrants,
        variants: request::variants(&args.rules, &seats)?,
        seats,
        sets: args.max_sets,
        seed: args.kept.seed,
        seating: SeatingPlan::Rotate,
        unit: args.unit,
        seal: args.kept.seal()?,
    };
    request::contest_of(spec, besides(args), registry, args.kept.num_threads())
}

/// How it stands, at the end of a line.
fn in_short(test: &SequentialTest<'_>, wins: &GameSums) -> String {
    let (lower, upper) = test.hypotheses.bounds();
    let llr = test.state(wins).llr;
    let share = Share::of(wins, WIN);
    let percent = |share: f64| format!("{:.2}", 100.0 * share);
    let interval = share.interval.map(|interval| format!(" [{}, {}]", percent(interval.low), percent(interval.high)));
    let (value, interval) = (share.mean.value.map(percent).unwrap_or_default(), interval.unwrap_or_default());
    let name = &test.contest.spec().entrants[0].name;
    format!("; {name}: {value}{interval} %, LLR {llr:+.2} of {lower:.2} to {upper:.2}")
}

fn duel_of(spec: &Spec) -> Duel<'_> {
    let (a, b) = (&*spec.entrants[0].name, &*spec.entrants[1].name);
    Duel { variant: &spec.variants[0].name, seats: spec.seats[0], a, b }
}

/// What is tested, in a line.
fn in_words(Duel { variant, seats, a, b }: Duel<'_>, hypotheses: &Hypotheses) -> String {
    let Hypotheses { nelo0, nelo1, alpha, beta } = hypotheses;
    format!(
        "{a} against {b}, {variant}, {seats} seats: normalised Elo {nelo0} or {nelo1}, alpha {alpha}, beta {beta}\n"
    )
}

fn told(duel: Duel<'_>, hypotheses: &Hypotheses, state: &State, verdict: Verdict, next: Option<u64>) -> String {
    let Duel { a, .. } = duel;
    let Hypotheses { nelo0, nelo1, .. } = hypotheses;
    let (lower, upper) = hypotheses.bounds();
    let conclusion = match verdict {
        Verdict::AcceptAlternative => format!("accepted: {a} is better, by {nelo1} normalised Elo rather than {nelo0}"),
        Verdict::AcceptNull => format!("refused: {a} is rather {nelo0} than {nelo1} normalised Elo better"),
        Verdict::Open if next.is_some() => "undecided so far".to_owned(),
        Verdict::Open => "undecided: the sets are used up".to_owned(),
    };
    let nelo = state.nelo.map_or_else(|| "beyond measure".to_owned(), |nelo| format!("{nelo:+.2}"));
    format!(
        "{subject}{sets}, {games}: win share {share:.2} %, normalised Elo {nelo}, LLR {llr:+.3} of {lower:.3} to {upper:.3}\n\
         {conclusion}\n",
        subject = in_words(duel, hypotheses),
        sets = counted(state.sets, "set"),
        games = counted(state.games, "game"),
        share = 100.0 * state.mean,
        llr = state.llr,
    )
}
