//! `unolab sprt`: plays one agent against another until the answer is clear.

mod dry_run;
mod simulate;

use std::path::PathBuf;

use anyhow::{Context, bail};
use unolab_agents::registry::Registry;
use unolab_arena::experiment::runner::tally_sets;
use unolab_arena::experiment::sprt::SprtPart;
use unolab_arena::play::record::WIN;
use unolab_arena::run::folder::FolderError;
use unolab_arena::run::folder::Plan;
use unolab_arena::run::folder::{Claim, RunFolder};
use unolab_arena::run::manifest::{Machine, RUN_FILE, Run};
use unolab_arena::run::shard::Shard;
use unolab_arena::run::standing::{Besides, Counts, Job, Standing};
use unolab_arena::run::stretches::End;
use unolab_arena::schedule::contest::Contest;
use unolab_arena::spec::luck::LuckIs;
use unolab_arena::spec::{Command, SeatingPlan, Spec};
use unolab_arena::tables::luck::{self, LuckRow};
use unolab_arena::tables::offences::OffenceRow;
use unolab_arena::tables::sprt::{Duel, SprtRow};
use unolab_arena::tables::{PlayedSection, Row, describe};
use unolab_arena::words::counted;
use unolab_stats::share::Share;
use unolab_stats::sprt::{Hypotheses, State, Verdict};
use unolab_stats::sums::GameSums;

use super::running::dry_run::left;
use super::running::keeper::{Keeper, how_to_go_on, tell_stopped};
use super::running::tables::Tables;
use super::running::{STOP, faults_in_words, folder_of, listen_for_ctrl_c, request, tell_finished};
use crate::args::{AgentList, KeptArgs, SprtArgs};
use crate::exit::Exit;
use crate::output::{print, width};
use crate::progress::Bar;
use crate::terminal::luck_table;

pub(crate) fn run(args: SprtArgs, registry: &Registry) -> anyhow::Result<Exit> {
    let SprtArgs { nelo0, nelo1, alpha, beta, .. } = args;
    let hypotheses = Hypotheses { nelo0, nelo1, alpha, beta }.checked()?;
    if let Some(tests) = args.simulate {
        return simulate::run(&args, hypotheses, tests);
    }
    let kept = &args.kept;
    if kept.shard.is_some() {
        bail!("--shard: a sequential test has no parts: it must look at all of its sets to know when to stop");
    }
    let agents = args.agents.iter().flat_map(|AgentList(agents)| agents);
    let registry = &kept.registry_for(registry, agents, None)?;
    run_contest(&contest(&args, hypotheses, registry)?, &hypotheses, besides(&args), kept, args.dry_run)
}

/// Plays the test of a contest.
pub(super) fn run_contest(
    contest: &Contest,
    hypotheses: &Hypotheses,
    besides: Besides,
    kept: &KeptArgs,
    is_dry: bool,
) -> anyhow::Result<Exit> {
    let spec = contest.spec();
    let path = kept.out.clone().unwrap_or_else(|| folder_of("sprt", spec.hash(), Shard::WHOLE));
    let anew = Standing { job: Job::new(spec, Shard::WHOLE, besides), seconds: 0.0, part: SprtPart::new(contest) };
    let broken = |path: PathBuf| FolderError::Broken { path, reason: "its counts do not belong to its spec".into() };
    if is_dry {
        let Some((part, fate)) = left(Plan::of(&path, &anew, kept.start(), &kept.asked())?, anew.part) else {
            return tell_finished(&path, kept);
        };
        if !part.is_of(contest) {
            return Err(broken(path).into());
        }
        return dry_run::run(contest, hypotheses, besides.luck, &part, &path, &fate, kept.num_threads());
    }
    let (folder, standing) = match RunFolder::open(&path, anew, kept.start(), kept.asked())? {
        Claim::Play(folder, standing) => (folder, *standing),
        Claim::Finished => return tell_finished(&path, kept),
    };
    let Standing { job, seconds, mut part } = standing;
    if !part.is_of(contest) {
        return Err(broken(path).into());
    }
    listen_for_ctrl_c()?;
    let keeper = Keeper::new(&folder, job.clone(), seconds);
    let bar = if kept.quiet { Bar::hidden() } else { Bar::at_most(spec.sets, "set") };
    bar.begin_at(part.sets());
    let test = Test { contest, hypotheses };
    let end = test.play(kept.num_threads(), &bar, &mut part, &keeper).with_context(|| how_to_go_on(&folder))?;
    bar.finish();
    let seconds = keeper.seconds();
    if end == End::Stopped {
        tell_stopped(&folder, part.done(), "set");
        return Ok(Exit::Stopped);
    }
    let looks: Vec<State> = part.looks.iter().map(|wins| test.state(wins)).collect();
    let duel = duel_of(spec);
    let played = PlayedSection { spec, section: &contest.schedule().sections[0], tally: part.tally() };
    let tables = Tables::of_test(looks.iter().map(|look| SprtRow::of(duel, hypotheses, look)).collect(), played);
    tables.write(&folder, kept.tables)?;
    Tables::of_offences(std::iter::once(played)).write(&folder, kept.tables)?;
    folder.write("README.md", readme())?;
    let run = Run::of(spec.clone(), &tables.named(), Machine::this(kept.num_threads()), seconds);
    folder.write(RUN_FILE, Run { files: Some(folder.files()), ..run.of_job(&job) }.to_json())?;
    folder.publish()?;

    let last = looks.last().context("a test looks at least once")?;
    let verdict = hypotheses.verdict(last);
    if !kept.quiet {
        let luck = luck_table(&luck::rows(played), width());
        print(&(told(duel, hypotheses, last, verdict) + &luck + &faults_in_words(std::iter::once(played))))?;
        print(&format!("trajectory in {}\n", path.join(SprtRow::FILE).display()))?;
    }
    Ok(if verdict == Verdict::Open { Exit::CheckFailed } else { Exit::Done })
}

/// The README of a run's folder.
fn readme() -> String {
    [README.to_owned() + &describe::<SprtRow>(), describe::<LuckRow>(), describe::<OffenceRow>()].join("\n")
}

fn besides(args: &SprtArgs) -> Besides {
    let luck = if args.luck { LuckIs::TakenOff } else { LuckIs::LeftIn };
    Besides { games_csv: None, luck, sandbox: args.kept.confined() }
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
    Ok(request::contest_of(spec, besides(args), registry)?)
}

/// A test of the first agent of a contest.
struct Test<'a> {
    contest: &'a Contest,
    hypotheses: &'a Hypotheses,
}

impl Test<'_> {
    /// What the wins of the first agent say.
    fn state(&self, wins: &GameSums) -> State {
        let section = &self.contest.schedule().sections[0];
        self.hypotheses.state(&wins.by_sets, WIN, section.games_per_set(), section.fair_share())
    }

    /// How it stands, at the end of a line.
    fn in_short(&self, wins: &GameSums) -> String {
        let (lower, upper) = self.hypotheses.bounds();
        let llr = self.state(wins).llr;
        let share = Share::of(wins, WIN);
        let percent = |share: f64| format!("{:.2}", 100.0 * share);
        let interval =
            share.interval.map(|interval| format!(" [{}, {}]", percent(interval.low), percent(interval.high)));
        let (value, interval) = (share.mean.value.map(percent).unwrap_or_default(), interval.unwrap_or_default());
        let name = &self.contest.spec().entrants[0].name;
        format!("; {name}: {value}{interval} %, LLR {llr:+.2} of {lower:.2} to {upper:.2}")
    }

    /// Plays and looks, until it is decided, the sets are used up, or it is stopped. It is kept in between.
    fn play(&self, threads: usize, bar: &Bar, part: &mut SprtPart, keeper: &Keeper<'_, Spec>) -> anyhow::Result<End> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().context("--threads")?;
        let is_decided = |wins: &GameSums| self.hypotheses.verdict(&self.state(wins)) != Verdict::Open;
        while !part.looks.last().is_some_and(is_decided)
            && let Some(until) = part.next_look()
        {
            let sets = part.sets()..until;
            let Some(tally) = pool.install(|| tally_sets(self.contest, 0, sets, &STOP)) else {
                keeper.keep_at_once(part)?;
                return Ok(End::Stopped);
            };
            part.look(&tally);
            keeper.keep(part)?;
            bar.show(until);
            bar.lead(&part.looks.last().map_or_else(String::new, |wins| self.in_short(wins)));
        }
        Ok(End::Finished)
    }
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

fn told(duel: Duel<'_>, hypotheses: &Hypotheses, state: &State, verdict: Verdict) -> String {
    let Duel { a, .. } = duel;
    let Hypotheses { nelo0, nelo1, .. } = hypotheses;
    let (lower, upper) = hypotheses.bounds();
    let conclusion = match verdict {
        Verdict::AcceptAlternative => format!("accepted: {a} is better, by {nelo1} normalised Elo rather than {nelo0}"),
        Verdict::AcceptNull => format!("refused: {a} is rather {nelo0} than {nelo1} normalised Elo better"),
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
