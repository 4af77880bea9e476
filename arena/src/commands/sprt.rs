//! `unolab sprt`: plays one agent against another until the answer is clear.

mod simulate;

use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context, bail};
use unolab_agents::registry::Registry;
use unolab_arena::contest::Contest;
use unolab_arena::folder::RunFolder;
use unolab_arena::run::{Machine, RUN_FILE, Run};
use unolab_arena::runner::tally_sets;
use unolab_arena::spec::{Command, Entrant, SeatingPlan, Spec};
use unolab_arena::sprt::{Hypotheses, State, Verdict, next_look};
use unolab_arena::tables::sprt::{Duel, SprtRow};
use unolab_arena::tables::{Row, describe, to_csv};
use unolab_arena::terminal::grouped;

use super::running::{STOP, listen_for_ctrl_c, request};
use crate::cli::{AgentList, SprtArgs};
use crate::exit::Exit;
use crate::output::{complain, print};
use crate::progress::Bar;

pub(crate) fn run(args: SprtArgs) -> anyhow::Result<Exit> {
    let SprtArgs { nelo0, nelo1, alpha, beta, .. } = args;
    let hypotheses = Hypotheses { nelo0, nelo1, alpha, beta }.checked()?;
    if let Some(tests) = args.simulate {
        return simulate::run(&args, hypotheses, tests);
    }
    let contest = contest(&args, hypotheses)?;
    let spec = contest.spec();
    let threads = args.threads.map_or_else(request::all_cores, usize::from);
    let path = args.out.clone().unwrap_or_else(|| PathBuf::from(format!("runs/sprt-{}", spec.hash())));
    let folder = RunFolder::claim(&path, spec.hash())?;
    listen_for_ctrl_c()?;

    let begin = Instant::now();
    let bar = if args.quiet { Bar::hidden() } else { Bar::of(args.max_sets, "sets at most") };
    let looks = play(&contest, &hypotheses, threads, &bar)?;
    bar.finish();
    let Some(looks) = looks else {
        complain(&format!("stopped before a decision; nothing was written to {}", path.display()));
        return Ok(Exit::Stopped);
    };
    let (a, b) = (&*spec.entrants[0].name, &*spec.entrants[1].name);
    let duel = Duel { variant: &spec.variants[0].name, seats: spec.seats[0], a, b };
    let csv = to_csv(&looks.iter().map(|look| SprtRow::of(duel, &hypotheses, look)).collect::<Vec<_>>());
    folder.write(SprtRow::FILE, &csv)?;
    folder.write("README.md", README.to_owned() + &describe::<SprtRow>())?;
    let machine = Machine::this(threads);
    let run = Run::of(spec.clone(), &[(SprtRow::FILE, &csv)], machine, begin.elapsed().as_secs_f64());
    folder.write(RUN_FILE, run.to_json())?;
    folder.publish()?;

    let last = looks.last().context("a test looks at least once")?;
    let verdict = hypotheses.verdict(last);
    if !args.quiet {
        print(&told(duel, &hypotheses, last, verdict))?;
        print(&format!("trajectory in {}\n", path.join(SprtRow::FILE).display()))?;
    }
    Ok(if verdict == Verdict::Open { Exit::CheckFailed } else { Exit::Done })
}

const README: &str = "# A sequential test\n\nMade by `unolab sprt` from the spec in `run.json`: the same spec gives the same \
                      bytes. Its win share is biased, as that of any test that stops when it is sure.\n\n";

fn contest(args: &SprtArgs, hypotheses: Hypotheses) -> anyhow::Result<Contest> {
    let agents = args.agents.iter().flat_map(|AgentList(agents)| agents.iter().cloned());
    let entrants = Entrant::name_all(agents);
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
        seed: args.seed,
        seating: SeatingPlan::Rotate,
        unit: args.unit,
    };
    Ok(Contest::of(spec, &Registry::default())?)
}

/// Plays and looks, until it is decided or the sets are used up. None if it was stopped.
fn play(contest: &Contest, hypotheses: &Hypotheses, threads: usize, bar: &Bar) -> anyhow::Result<Option<Vec<State>>> {
    let section = &contest.schedule().sections[0];
    let (games_per_set, fair_share) = (section.games_per_set(), section.fair_share());
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().context("--threads")?;
    let (mut looks, mut sets, mut wins) = (Vec::new(), 0, unolab_arena::sums::SetSums::default());
    while sets < contest.schedule().sets {
        let until = next_look(sets).min(contest.schedule().sets);
        let Some(tally) = pool.install(|| tally_sets(contest, 0, sets..until, &STOP)) else { return Ok(None) };
        wins.merge(&tally.by_entrant()[0].results.wins);
        sets = until;
        let state = hypotheses.state(&wins, games_per_set, fair_share);
        looks.push(state);
        bar.show(sets);
        bar.tell(&in_short(hypotheses, &state));
        if hypotheses.verdict(&state) != Verdict::Open {
            break;
        }
    }
    Ok(Some(looks))
}

fn in_short(hypotheses: &Hypotheses, state: &State) -> String {
    let (lower, upper) = hypotheses.bounds();
    format!("sets at most; LLR {:+.2} of {lower:.2} to {upper:.2}", state.llr)
}

fn told(duel: Duel<'_>, hypotheses: &Hypotheses, state: &State, verdict: Verdict) -> String {
    let Duel { variant, seats, a, b } = duel;
    let Hypotheses { nelo0, nelo1, alpha, beta } = hypotheses;
    let (lower, upper) = hypotheses.bounds();
    let conclusion = match verdict {
        Verdict::AcceptAlternative => format!("accepted: {a} is better, by {nelo1} normalised Elo rather than {nelo0}"),
        Verdict::AcceptNull => format!("refused: {a} is rather {nelo0} than {nelo1} normalised Elo better"),
        Verdict::Open => "undecided: the sets are used up".to_owned(),
    };
    let nelo = state.nelo.map_or_else(|| "beyond measure".to_owned(), |nelo| format!("{nelo:+.2}"));
    format!(
        "{a} against {b}, {variant}, {seats} seats: normalised Elo {nelo0} or {nelo1}, alpha {alpha}, beta {beta}\n\
         {sets} sets, {games} games: win share {share:.2} %, normalised Elo {nelo}, LLR {llr:+.3} of {lower:.3} to {upper:.3}\n\
         {conclusion}\n",
        sets = grouped(state.sets),
        games = grouped(state.games),
        share = 100.0 * state.mean,
        llr = state.llr,
    )
}
