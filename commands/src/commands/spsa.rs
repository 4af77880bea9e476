//! `unolab spsa`: tunes numeric options of an agent by matches between two variations of it.

mod args;

use std::fs;
use std::path::Path;

use anyhow::{Context, anyhow, bail};
use serde::{Deserialize, Serialize};
use serde_json::json;
use unolab_agents::registry::Registry;
use unolab_arena::experiment::any_spec::contest_of;
use unolab_arena::experiment::tournament;
use unolab_arena::run::driver::RunOptions;
use unolab_arena::run::execution::Execution;
use unolab_arena::run::programs::ProgramVersions;
use unolab_arena::spec::luck::LuckAdjustment;
use unolab_arena::spec::{AgentSeed, Entrant, Spec, Variant};
use unolab_arena::tables::PlayedSection;
use unolab_arena::tables::match_result::MatchResult;
use unolab_arena::tables::table::Tables;
use unolab_engine::rng::{Purpose, Rng};
use unolab_stats::interval::Coverage;
use unolab_stats::spsa::{Axis, Schedule};

use super::driver::json::{print_json, tables_of};
use super::driver::request::{self, first_repeated};
use super::driver::{STOP, stop_on_ctrl_c};
use crate::args::{AgentList, OverrideArgs, RulesArgs};
use crate::disk::{read_text, write_whole};
use crate::exit::Exit;
use crate::output::{print, shown, warn, width, wrapped};
use crate::progress::{Bar, Standing};
use crate::terminal::spsa::{SpsaRow, spsa_table};
pub(crate) use args::SpsaArgs;
use args::TunedNumber;

/// The file of the steps, from which an unfinished directory continues.
const STATE_FILE: &str = "spsa.json";

/// The table of the steps, as CSV.
const STEPS_FILE: &str = "steps.csv";

pub(crate) fn run(args: &SpsaArgs, registry: &Registry) -> anyhow::Result<Exit> {
    let work = Work::of(args)?;
    // Every bound is a valid value.
    for values in [work.lows(), work.start.clone(), work.highs()] {
        let agent = work.agent(&values);
        registry.configure(&agent).context("--agent")?;
    }
    let mut state = State::read(&args.directory, &work)?;
    let (axes, schedule) = (work.axes(), Schedule { steps: work.steps, gain: work.gain });
    fs::create_dir_all(&args.directory).with_context(|| format!("--directory {}", args.directory.display()))?;
    stop_on_ctrl_c()?;
    let bar = Bar::of(work.steps, "step");
    bar.begin_at(state.steps.len() as u64);
    while (state.steps.len() as u64) < work.steps {
        let step = state.steps.len() as u64;
        let values = state.steps.last().map_or(&work.start, |step| &step.values).clone();
        let mut random = Rng::keyed(work.seed, step, Purpose::Other(0));
        let ups: Vec<bool> = axes.iter().map(|_| random.below(2) == 0).collect();
        let deals = u64::from(random.bits()) << 32 | u64::from(random.bits());
        let points = schedule.points(step, &axes, &values, &ups);
        let Some(lead) = work.lead(&points, deals, args, registry)? else {
            bar.finish();
            warn(&format!(
                "stopped after {step} of {} steps; the same command continues {}",
                work.steps,
                shown(&args.directory)
            ));
            return Ok(Exit::Stopped);
        };
        state.steps.push(Step { values: schedule.moved(step, &axes, &values, &ups, lead), lead });
        state.write(&args.directory)?;
        bar.set_standing(Standing { leader: work.agent(&state.result(schedule)), ..Standing::default() });
        bar.show(step + 1);
    }
    bar.finish();
    write_whole(&args.directory.join(STEPS_FILE), work.steps_csv(&state)?)?;
    print_result(&work, &state.result(schedule), args)?;
    Ok(Exit::Done)
}

/// Prints the tuned numbers, and the test that shows the gain.
fn print_result(work: &Work, result: &[f64], args: &SpsaArgs) -> anyhow::Result<()> {
    let [start, tuned] = [&work.start[..], result].map(|values| work.agent(values));
    let row = |(at, number): (usize, &TunedOption)| SpsaRow {
        option: number.name.clone(),
        start: number.written(work.start[at]),
        tuned: number.written(result[at]),
        low: number.written(number.low),
        high: number.written(number.high),
    };
    let rows: Vec<SpsaRow> = work.numbers.iter().enumerate().map(row).collect();
    if args.json {
        let summary = [
            ("directory".to_owned(), json!(args.directory.display().to_string())),
            ("start".to_owned(), json!(start)),
            ("tuned".to_owned(), json!(tuned)),
            ("steps".to_owned(), json!(work.steps)),
        ];
        return print_json("spsa", summary.into_iter().collect(), tables_of(&Tables::none().with(rows)));
    }
    let games = format!("{} steps of {} deals", work.steps, work.sets);
    let (variant, seats) = (&args.variant, work.seats);
    let agents = format!("tuned={tuned},start={start}");
    let test = if tuned == start {
        "no option has changed".to_owned()
    } else {
        format!("does it help? unolab sprt --agents '{agents}' --variant {variant} --seats {seats}")
    };
    print(&format!("{}{tuned}\n{}", spsa_table(&rows, &games, width()), wrapped("", &test, width())))
}

/// The names in braces in the text of an agent: `x` in `bot --x={x}`. A variable of a shell, `${x}`, is not one.
fn numbers_in(agent: &str) -> impl Iterator<Item = &str> {
    let is_name = |name: &&str| !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    let after_brace = agent.match_indices('{').filter(|(at, _)| !agent[..*at].ends_with('$'));
    after_brace.filter_map(|(at, _)| Some(agent[at + 1..].split_once('}')?.0)).filter(is_name)
}

/// All that determines the steps.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Work {
    agent: String,
    numbers: Vec<TunedOption>,
    #[serde(with = "exact::list")]
    start: Vec<f64>,
    steps: u64,
    sets: u64,
    #[serde(with = "exact")]
    gain: f64,
    variant: Variant,
    seats: usize,
    seed: u64,
    /// The files of the programs.
    programs: ProgramVersions,
}

/// A number to tune.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct TunedOption {
    name: String,
    #[serde(with = "exact")]
    low: f64,
    #[serde(with = "exact")]
    high: f64,
    #[serde(with = "exact")]
    step: f64,
    is_whole: bool,
}

impl TunedOption {
    /// A value as it is written in the agent.
    fn written(&self, value: f64) -> String {
        let rounded = if self.is_whole { value.round() } else { (value * 1e6).round() / 1e6 };
        format!("{}", if rounded == 0.0 { 0.0 } else { rounded })
    }
}

impl Work {
    fn of(args: &SpsaArgs) -> anyhow::Result<Self> {
        let seats = usize::from(args.seats);
        let rules = RulesArgs { variant: vec![args.variant.clone()], overrides: OverrideArgs { set: Vec::new() } };
        let variant = request::variants(&rules, &[seats])?.swap_remove(0);
        let names: Vec<&str> = args.vary.iter().map(|number| &*number.name).collect();
        if let Some(twice) = first_repeated(&names) {
            bail!("--vary names {twice} twice");
        }
        if let Some((unknown, _)) = args.start.iter().find(|(name, _)| !names.contains(&&**name)) {
            bail!("--start {unknown}: unknown number; allowed: {}", names.join(", "));
        }
        if let Some(name) = names.iter().find(|name| !args.agent.contains(&format!("{{{name}}}"))) {
            bail!("--vary {name}: --agent has no {{{name}}}");
        }
        if let Some(name) = numbers_in(&args.agent).find(|name| !names.contains(name)) {
            bail!("--agent: {{{name}}} is not tuned; add --vary {name}=LOW..HIGH, or write its value");
        }
        if !(args.gain > 0.0 && args.gain <= 1e6) {
            bail!("--gain {}: allowed: a number above 0, at most 1000000", args.gain);
        }
        let start = |number: &TunedNumber| {
            let given = args.start.iter().find(|(name, _)| *name == number.name).map(|(_, value)| *value);
            let value = given.unwrap_or_else(|| f64::midpoint(number.low, number.high));
            match (number.low..=number.high).contains(&value) {
                true => Ok(value),
                false => Err(anyhow!("--start {}={value}: allowed: {} to {}", number.name, number.low, number.high)),
            }
        };
        let AgentList(mut agents) = args.each.added_to(vec![AgentList(vec![args.agent.clone()])])?.swap_remove(0);
        let agent = agents.swap_remove(0);
        let numbers = args.vary.iter().cloned().map(|TunedNumber { name, low, high, step, is_whole }| TunedOption {
            name,
            low,
            high,
            step,
            is_whole,
        });
        Ok(Self {
            programs: ProgramVersions { build: String::new(), ..ProgramVersions::now([&*agent]) },
            agent,
            numbers: numbers.collect(),
            start: args.vary.iter().map(start).collect::<anyhow::Result<_>>()?,
            steps: args.steps,
            sets: args.sets,
            gain: args.gain,
            variant,
            seats,
            seed: args.seed,
        })
    }

    fn axes(&self) -> Vec<Axis> {
        self.numbers.iter().map(|&TunedOption { low, high, step, .. }| Axis { low, high, step }).collect()
    }

    fn lows(&self) -> Vec<f64> {
        self.numbers.iter().map(|number| number.low).collect()
    }

    fn highs(&self) -> Vec<f64> {
        self.numbers.iter().map(|number| number.high).collect()
    }

    /// The agent with these numbers.
    fn agent(&self, values: &[f64]) -> String {
        self.numbers.iter().zip(values).fold(self.agent.clone(), |agent, (number, value)| {
            agent.replace(&format!("{{{}}}", number.name), &number.written(*value))
        })
    }

    /// The result of the first point against the second on new deals, from -1 to 1; `None` if it is stopped.
    fn lead(
        &self,
        points: &[Vec<f64>; 2],
        deals: u64,
        args: &SpsaArgs,
        registry: &Registry,
    ) -> anyhow::Result<Option<f64>> {
        let agents = points.each_ref().map(|values| self.agent(values));
        // Rounded to the same numbers.
        if agents[0] == agents[1] {
            return Ok(Some(0.0));
        }
        let entrant = |(name, agent): (&str, String)| Entrant {
            name: name.into(),
            agent,
            stream: AgentSeed::PerSeat,
            extra_cards: 0,
        };
        let entrants = ["up", "down"].into_iter().zip(agents).map(entrant).collect();
        let spec = Spec::even_match(entrants, vec![self.variant.clone()], self.seats, self.sets, deals);
        let execution = Execution { threads: args.threads.map(usize::from), ..Execution::default() };
        let contest = contest_of(spec, LuckAdjustment::Off, registry, execution.num_threads(1))?;
        let threads = execution.num_threads(contest.games_at_once());
        let counts = tournament::play(&contest, RunOptions::new(threads, &STOP))?;
        if !counts.is_finished() {
            return Ok(None);
        }
        let tallies = counts.tallies();
        let played = PlayedSection::all(contest.spec(), contest.schedule(), &tallies).next();
        let result = played.and_then(|played| MatchResult::of(played, Coverage::Pointwise));
        let result = result.context("a match of two has a result")?;
        let share = result.win_share[0].unwrap_or(result.fair_share);
        Ok(Some((2.0 * (share - result.fair_share)).clamp(-1.0, 1.0)))
    }

    /// The steps as CSV: the numbers after each step, and the result of its match.
    fn steps_csv(&self, state: &State) -> anyhow::Result<Vec<u8>> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        let names = self.numbers.iter().map(|number| number.name.clone());
        writer.write_record(["step".to_owned(), "lead".to_owned()].into_iter().chain(names))?;
        for (number, Step { values, lead }) in state.steps.iter().enumerate() {
            let values = values.iter().map(f64::to_string);
            writer.write_record([(number + 1).to_string(), lead.to_string()].into_iter().chain(values))?;
        }
        writer.into_inner().context(STEPS_FILE)
    }
}

/// The steps so far.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct State {
    work: Work,
    steps: Vec<Step>,
}

/// A finished step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Step {
    /// The numbers after it.
    #[serde(with = "exact::list")]
    values: Vec<f64>,
    /// The result of its match.
    #[serde(with = "exact")]
    lead: f64,
}

impl State {
    /// The steps in a directory; none if it is new.
    fn read(directory: &Path, work: &Work) -> anyhow::Result<Self> {
        let path = directory.join(STATE_FILE);
        if !path.exists() {
            if directory.read_dir().is_ok_and(|mut entries| entries.next().is_some()) {
                bail!("--directory {}: is not empty, and has no {STATE_FILE}; choose another one", directory.display());
            }
            return Ok(Self { work: work.clone(), steps: Vec::new() });
        }
        let text = read_text(&path).map_err(anyhow::Error::msg)?;
        let state: Self = serde_json::from_str(&text)
            .with_context(|| format!("{}: is not the file of a tuned agent", path.display()))?;
        let with_its_programs = Work { programs: state.work.programs.clone(), ..work.clone() };
        let is_of_work = |step: &Step| step.values.len() == work.numbers.len();
        if state.work != with_its_programs
            || state.steps.len() as u64 > work.steps
            || !state.steps.iter().all(is_of_work)
        {
            bail!(
                "--directory {}: was begun with other options; repeat them, or choose another directory",
                directory.display()
            );
        }
        if state.work.programs != work.programs {
            bail!(
                "--directory {}: the bot has changed: {}; choose another directory",
                directory.display(),
                state.work.programs.changed_programs(&work.programs).join(", ")
            );
        }
        Ok(state)
    }

    fn write(&self, directory: &Path) -> anyhow::Result<()> {
        write_whole(&directory.join(STATE_FILE), serde_json::to_vec(self)?)
    }

    /// The tuned numbers.
    fn result(&self, schedule: Schedule) -> Vec<f64> {
        let values: Vec<Vec<f64>> = self.steps.iter().map(|step| step.values.clone()).collect();
        schedule.result(&values)
    }
}

/// Numbers in JSON as the shortest texts that are read as the same numbers, so that a directory continues with the same bits.
mod exact {
    use serde::de::{Deserialize, Deserializer, Error};
    use serde::ser::Serializer;

    pub(super) fn serialize<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(value)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
        read(&String::deserialize(deserializer)?)
    }

    fn read<E: Error>(text: &str) -> Result<f64, E> {
        let value = text.parse().ok().filter(|value: &f64| value.is_finite());
        value.ok_or_else(|| E::custom(format!("{text} is not a number")))
    }

    pub(super) mod list {
        use serde::de::{Deserialize as _, Deserializer};
        use serde::ser::Serializer;

        pub(in super::super) fn serialize<S: Serializer>(values: &[f64], serializer: S) -> Result<S::Ok, S::Error> {
            serializer.collect_seq(values.iter().map(f64::to_string))
        }

        pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<f64>, D::Error> {
            Vec::<String>::deserialize(deserializer)?.iter().map(|text| super::read(text)).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_stored_exactly() {
        let step = Step { values: vec![0.1 + 0.2, 1.0 / 3.0, -1e-17, 2.5e300], lead: -0.1 / 3.0 };
        let text = serde_json::to_string(&step).unwrap();
        assert_eq!(serde_json::from_str::<Step>(&text).unwrap(), step);
        assert!(serde_json::from_str::<Step>(&text.replace("-0.0", "x")).is_err());
    }

    #[test]
    fn names_in_braces_are_found() {
        let names = |agent| numbers_in(agent).collect::<Vec<_>>();
        assert_eq!(names("cmd:\"bot --x={x} --y={y_2}\""), ["x", "y_2"]);
        assert_eq!(names("cmd:\"sh -c 'bot ${HOME} {} {\\\"a\\\":1} {'\""), Vec::<&str>::new());
    }

    #[test]
    fn numbers_are_written_into_the_agent() {
        let number =
            |name: &str, is_whole| TunedOption { name: name.into(), low: -9.0, high: 9.0, step: 1.0, is_whole };
        assert_eq!(number("x", true).written(2.6), "3");
        assert_eq!(number("x", true).written(-0.2), "0");
        assert_eq!(number("x", false).written(1.0 / 3.0), "0.333333");
        assert_eq!(number("x", false).written(2.0), "2");
    }
}
