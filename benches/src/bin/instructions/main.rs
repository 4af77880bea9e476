//! Counts the instructions per turn, a measure that does not depend on the load of the machine.
//!
//! Each workload is played once under callgrind, on the code path for any processor or on the path for x86-64 with BMI2 (skipped
//! if valgrind does not support it), and its count is compared with the one recorded in `instructions.toml`. Exit status 1: slower
//! by more than the tolerance, rounds that differ from the recorded ones, or bits counted without the processor's instruction. Exit
//! status 2: no valgrind, or no recorded count. Valgrind does not support AVX-512, so SIMD batches of rounds are not measured; the
//! decisions that SIMD lanes pass to the code for all rules are.
//!
//! ```text
//! cargo run --profile bench -p unolab-benches --bin instructions                # compare
//! cargo run --profile bench -p unolab-benches --bin instructions -- --record    # record again
//! ```
//!
//! A word after `--` selects the workloads whose name contains it. With `--test` each is only played, without valgrind.
//! The counts include the deals and the construction of players; for rollouts, also the copy and the sample.
//!
//! It is a program instead of a bench target, so that it is built only from the engine and the players, without the other
//! dependencies of benches. It does not use gungraun, whose runner is a separate program of 172 crates that takes four
//! minutes to build, and which compares with its last run under `target/` instead of committed figures.

mod software;

use std::collections::BTreeMap;
use std::env;
use std::fmt::Write as _;
use std::fs;
use std::io::ErrorKind;
use std::process::{self, Command, ExitCode};

use serde::Deserialize;
use unolab_agents::simd_batch::RoundBatch;
use unolab_engine::cpu::{Generic, best_isa, dispatch};
use unolab_engine::rules::RulesKernel;

use unolab_benches::batches::Batch;
use unolab_benches::encoded::EncodedRounds;
use unolab_benches::positions::middle;
use unolab_benches::rollouts::Rollouts;
use unolab_benches::rounds::Rounds;
use unolab_benches::{Totals, agent, preset};

/// A measured workload.
struct Workload {
    name: &'static str,
    variant: &'static str,
    /// The agents, separated by semicolons. They fill the seats in order, and move one seat further in each round.
    agents: &'static str,
    seats: usize,
    what: What,
    on: Code,
}

/// The code path that is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Code {
    AnyProcessor,
    Bmi2,
}

enum What {
    /// This number of rounds.
    Rounds(u64),
    /// This number of rounds, interleaved.
    Interleaved(u64),
    /// This number of rounds, with the arrays for a learner written at each decision.
    Encoded(u64),
    Rollouts,
}

const WORKLOADS: &[Workload] = &[
    Workload::rounds("classic-greedy-4", "classic", "greedy", 4, 1_000, Code::AnyProcessor),
    Workload::rounds("classic-random-4", "classic", "random", 4, 1_000, Code::AnyProcessor),
    Workload::rounds("classic-heuristic-4", "classic", "heuristic", 4, 300, Code::AnyProcessor),
    Workload::rounds("disney-random-4", "disney", "random", 4, 1_000, Code::AnyProcessor),
    Workload::rollouts("classic-rollout-4", "classic", Code::AnyProcessor),
    Workload::rollouts("disney-rollout-4", "disney", Code::AnyProcessor),
    Workload::rollouts("classic-rollout-4-bmi2", "classic", Code::Bmi2),
    Workload::interleaved("classic-interleaved-4", "classic", 4, Code::AnyProcessor),
    Workload::interleaved("classic-interleaved-2-bmi2", "classic", 2, Code::Bmi2),
    Workload::interleaved("classic-interleaved-4-bmi2", "classic", 4, Code::Bmi2),
    Workload::interleaved("disney-interleaved-4-bmi2", "disney", 4, Code::Bmi2),
    Workload::interleaved("cars-interleaved-4-bmi2", "cars", 4, Code::Bmi2),
    Workload::rounds("classic-random-4-bmi2", "classic", "random", 4, 1_000, Code::Bmi2),
    Workload::rounds("classic-random-10-bmi2", "classic", "random", 10, 300, Code::Bmi2),
    Workload::rounds("classic-greedy-4-bmi2", "classic", "greedy", 4, 1_000, Code::Bmi2),
    Workload::rounds("classic-greedy-10-bmi2", "classic", "greedy", 10, 300, Code::Bmi2),
    Workload::rounds("wimpy-kid-greedy-4-bmi2", "wimpy-kid", "greedy", 4, 300, Code::Bmi2),
    Workload::rounds("handheld-greedy-4-bmi2", "handheld", "greedy", 4, 300, Code::Bmi2),
    Workload::rounds("swap-hands-greedy-4-bmi2", "swap-hands", "greedy", 4, 300, Code::Bmi2),
    Workload::rounds("custom-greedy-4-bmi2", "custom", "greedy", 4, 300, Code::Bmi2),
    Workload::rounds("cars-greedy-4-bmi2", "cars", "greedy", 4, 300, Code::Bmi2),
    Workload::rounds("cars-greedy-10-bmi2", "cars", "greedy", 10, 300, Code::Bmi2),
    Workload::rounds("disney-greedy-4-bmi2", "disney", "greedy", 4, 300, Code::Bmi2),
    Workload::rounds("disney-greedy-10-bmi2", "disney", "greedy", 10, 300, Code::Bmi2),
    Workload::rounds("classic-mixbot-4-bmi2", "classic", "mixbot", 4, 300, Code::Bmi2),
    Workload::rounds("classic-heuristic-2-bmi2", "classic", "heuristic", 2, 300, Code::Bmi2),
    Workload::rounds("classic-heuristic-4-bmi2", "classic", "heuristic", 4, 300, Code::Bmi2),
    Workload::rounds("classic-heuristic-10-bmi2", "classic", "heuristic", 10, 300, Code::Bmi2),
    Workload::rounds("wimpy-kid-heuristic-4-bmi2", "wimpy-kid", "heuristic", 4, 300, Code::Bmi2),
    Workload::rounds("handheld-heuristic-4-bmi2", "handheld", "heuristic", 4, 300, Code::Bmi2),
    Workload::rounds("swap-hands-heuristic-4-bmi2", "swap-hands", "heuristic", 4, 300, Code::Bmi2),
    Workload::rounds("custom-heuristic-4-bmi2", "custom", "heuristic", 4, 300, Code::Bmi2),
    Workload::rounds("cars-heuristic-4-bmi2", "cars", "heuristic", 4, 300, Code::Bmi2),
    Workload::rounds("cars-heuristic-10-bmi2", "cars", "heuristic", 10, 300, Code::Bmi2),
    Workload::rounds("disney-heuristic-4-bmi2", "disney", "heuristic", 4, 300, Code::Bmi2),
    Workload::rounds("disney-heuristic-10-bmi2", "disney", "heuristic", 10, 300, Code::Bmi2),
    Workload::encoded("classic-encoded-2-bmi2", "classic", 2),
    Workload::encoded("classic-encoded-4-bmi2", "classic", 4),
    Workload::encoded("disney-encoded-2-bmi2", "disney", 2),
    Workload::encoded("disney-encoded-4-bmi2", "disney", 4),
    // The default tournament of `unolab`.
    Workload::rounds("classic-mixed-4-bmi2", "classic", "random;greedy;heuristic", 4, 300, Code::Bmi2),
    Workload::rounds("classic-mixed-2-bmi2", "classic", "random;greedy;heuristic", 2, 300, Code::Bmi2),
    Workload::rounds("classic-ismcts-2-bmi2", "classic", "ismcts:iterations=60;mixbot", 2, 2, Code::Bmi2),
];

/// The argument that makes this program play a workload under valgrind.
const UNDER_VALGRIND: &str = "--under-valgrind";

/// Its output if the processor does not support the workload.
const NO_SUCH_PROCESSOR: &str = "no such processor";

/// Only instructions in this function are counted: callgrind finds the function by its name.
#[inline(never)]
fn counted_by_callgrind<J: RulesKernel>(job: J, on: Code) -> J::Output {
    match on {
        Code::AnyProcessor => job.run_fitting::<Generic>(),
        Code::Bmi2 => dispatch(job),
    }
}

impl Workload {
    const fn rounds(
        name: &'static str,
        variant: &'static str,
        agents: &'static str,
        seats: usize,
        count: u64,
        on: Code,
    ) -> Self {
        Self { name, variant, agents, seats, what: What::Rounds(count), on }
    }

    const fn rollouts(name: &'static str, variant: &'static str, on: Code) -> Self {
        Self { name, variant, agents: "random", seats: 4, what: What::Rollouts, on }
    }

    const fn interleaved(name: &'static str, variant: &'static str, seats: usize, on: Code) -> Self {
        Self { name, variant, agents: "random", seats, what: What::Interleaved(1_000), on }
    }

    const fn encoded(name: &'static str, variant: &'static str, seats: usize) -> Self {
        Self { name, variant, agents: "random", seats, what: What::Encoded(300), on: Code::Bmi2 }
    }

    /// Plays the workload; callgrind, if active, counts the instructions.
    fn play(&self) -> Totals {
        let rules = preset(self.variant);
        let agents: Vec<_> = self.agents.split(';').map(agent).collect();
        let (rules, agents, seats) = (&rules, &agents[..], self.seats);
        match self.what {
            What::Rounds(count) => counted_by_callgrind(Rounds { rules, agents, seats, count }, self.on),
            What::Interleaved(count) => {
                let make = RoundBatch::without_vectors;
                counted_by_callgrind(Batch { rules, seats, first: 0, count, make }, self.on)
            }
            What::Encoded(count) => counted_by_callgrind(EncodedRounds { rules, seats, count }, self.on),
            What::Rollouts => {
                let positions = &middle(rules, seats);
                counted_by_callgrind(Rollouts { rules, agents, positions }, self.on)
            }
        }
    }

    /// Plays the workload under callgrind; `None` if valgrind does not support its processor.
    fn measure(&self) -> Result<Option<Figures>, String> {
        let out = env::temp_dir().join(format!("unolab.callgrind.{}.{}.out", self.name, process::id()));
        let program = env::current_exe().map_err(|error| format!("this program cannot find itself: {error}"))?;
        let run = Command::new("valgrind")
            .args(["-q", "--tool=callgrind", "--branch-sim=yes", "--toggle-collect=*counted_by_callgrind*"])
            .args(["--dump-instr=yes", "--compress-pos=no"]) // each instruction by its address
            .arg(format!("--callgrind-out-file={}", out.display()))
            .arg(&program)
            .args([UNDER_VALGRIND, self.name])
            .output()
            .map_err(|error| format!("valgrind: {error}; on Debian or Ubuntu: apt-get install -y valgrind"))?;
        let failed = |reason: &str| {
            let told = String::from_utf8_lossy(&run.stderr);
            format!("{}: {reason}; valgrind said: {}", self.name, told.trim())
        };
        if !run.status.success() {
            return Err(failed("it did not play to the end"));
        }
        let said = String::from_utf8_lossy(&run.stdout);
        if said.trim() == NO_SUCH_PROCESSOR {
            return Ok(None);
        }
        let turns = said.trim().parse();
        let turns = turns.map_err(|_| failed("it did not say how many turns it played"))?;
        let profile = fs::read_to_string(&out).map_err(|error| format!("{}: {error}", out.display()))?;
        let _ = fs::remove_file(&out);
        let mut figures = Figures::of_profile(&profile, turns)
            .ok_or_else(|| failed("callgrind counted nothing; was the counted function inlined?"))?;
        let code = fs::read(&program).map_err(|error| format!("{}: {error}", program.display()))?;
        figures.software_popcounts = software::popcounts(&profile, &program, &code);
        Ok(Some(figures))
    }
}

/// The counts of a workload.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Figures {
    turns: u64,
    instructions: u64,
    /// By callgrind's simple predictor: for information only, not compared or recorded.
    #[serde(skip)]
    branch_misses: u64,
    /// The number of times that bits were counted in software.
    #[serde(skip)]
    software_popcounts: u64,
}

impl Figures {
    /// Reads the sums of a callgrind profile; `None` if it has none.
    fn of_profile(profile: &str, turns: u64) -> Option<Self> {
        let line = |key: &str| profile.lines().find_map(|line| line.strip_prefix(key));
        let counts = line("totals:").or_else(|| line("summary:"))?;
        let sums: BTreeMap<&str, u64> = line("events:")?
            .split_whitespace()
            .zip(counts.split_whitespace().map(|count| count.parse().unwrap_or(0)))
            .collect();
        let sum = |event: &str| sums.get(event).copied().unwrap_or(0);
        let figures =
            Self { turns, instructions: sum("Ir"), branch_misses: sum("Bcm") + sum("Bim"), software_popcounts: 0 };
        (figures.turns > 0 && figures.instructions > 0).then_some(figures)
    }

    fn instructions_per_turn(self) -> f64 {
        self.instructions as f64 / self.turns as f64
    }

    fn software_popcounts_per_thousand(self) -> f64 {
        1_000.0 * self.software_popcounts as f64 / self.instructions as f64
    }

    fn branch_misses_per_turn(self) -> f64 {
        self.branch_misses as f64 / self.turns as f64
    }
}

/// The most software bit counts per thousand instructions on a processor that has an instruction for it. Deals and other
/// code that rarely runs cause some. A higher rate means that a hot function is no longer compiled for the processor: it
/// is not inlined, or it is a closure, for which inlining is not guaranteed.
const MOST_SOFTWARE_POPCOUNTS: f64 = 2.0;

const RECORD_AGAIN: &str = "cargo run --profile bench -p unolab-benches --bin instructions -- --record";

/// The committed figures, by architecture and workload.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Recorded {
    /// The tolerated difference of a count from the recorded one, as a fraction of it.
    tolerance: f64,
    #[serde(default)]
    figures: BTreeMap<String, BTreeMap<String, Figures>>,
}

impl Recorded {
    const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/instructions.toml");

    fn read() -> Result<Self, String> {
        match fs::read_to_string(Self::PATH) {
            Ok(text) => toml::from_str(&text).map_err(|error| format!("{}: {error}", Self::PATH)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(Self { tolerance: 0.03, ..Self::default() }),
            Err(error) => Err(format!("{}: {error}", Self::PATH)),
        }
    }

    fn of_this_machine(&mut self) -> &mut BTreeMap<String, Figures> {
        self.figures.entry(env::consts::ARCH.into()).or_default()
    }

    fn write(&self) -> Result<(), String> {
        let mut text = format!(
            "# Instructions of the workloads in benches/src/bin/instructions.rs, as callgrind counts them. To record again:\n\
             # {RECORD_AGAIN}\n\ntolerance = {}\n",
            self.tolerance
        );
        for (arch, figures) in &self.figures {
            let _ = write!(text, "\n[figures.{arch}]\n");
            for (name, Figures { turns, instructions, .. }) in figures {
                let _ = writeln!(text, "{name} = {{ turns = {turns}, instructions = {instructions} }}");
            }
        }
        fs::write(Self::PATH, text).map_err(|error| format!("{}: {error}", Self::PATH))
    }
}

/// The outcome of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Same,
    Faster,
    Slower,
    OtherRounds,
    CountsBitsInSoftware,
    NotRecorded,
}

impl Verdict {
    fn of(workload: &Workload, now: Figures, before: Option<Figures>, tolerance: f64) -> Self {
        if workload.on == Code::Bmi2 && now.software_popcounts_per_thousand() > MOST_SOFTWARE_POPCOUNTS {
            return Self::CountsBitsInSoftware;
        }
        let Some(before) = before else { return Self::NotRecorded };
        let change = change(now, before);
        match () {
            () if now.turns != before.turns => Self::OtherRounds,
            () if change > tolerance => Self::Slower,
            () if change < -tolerance => Self::Faster,
            () => Self::Same,
        }
    }

    const fn words(self) -> &'static str {
        match self {
            Self::Same => "as recorded",
            Self::Faster => "FASTER than recorded",
            Self::Slower => "SLOWER than recorded",
            Self::OtherRounds => "OTHER ROUNDS than recorded: a seeded result has moved",
            Self::CountsBitsInSoftware => "COUNTS BITS IN SOFTWARE: a hot function is not compiled for the processor",
            Self::NotRecorded => "not recorded",
        }
    }
}

fn change(now: Figures, before: Figures) -> f64 {
    now.instructions_per_turn() / before.instructions_per_turn() - 1.0
}

/// Measures these workloads, and compares or records the counts.
fn measure(workloads: &[&Workload], does_record: bool) -> Result<ExitCode, String> {
    if cfg!(debug_assertions) || cfg!(target_feature = "popcnt") {
        return Err("compile with `--profile bench` and for any processor (no target-cpu in RUSTFLAGS)".into());
    }
    let mut recorded = Recorded::read()?;
    let mut verdicts = Vec::new();
    println!(
        "{:27} {:>8} {:>12} {:>9} {:>8} {:>12} {:>13}",
        "workload", "turns", "instr/turn", "recorded", "change", "misses/turn", "softcnt/1000"
    );
    for workload in workloads {
        let Some(now) = workload.measure()? else {
            println!("{:27} left out: valgrind offers no such processor here", workload.name);
            continue;
        };
        let before = recorded.of_this_machine().get(workload.name).copied();
        let verdict = Verdict::of(workload, now, before, recorded.tolerance);
        let old = before.map_or_else(|| "-".into(), |before| format!("{:.1}", before.instructions_per_turn()));
        let change = before.map_or_else(|| "-".into(), |before| format!("{:+.1}%", 100.0 * change(now, before)));
        println!(
            "{:27} {:>8} {:>12.1} {:>9} {:>8} {:>12.2} {:>13.3}  {}",
            workload.name,
            now.turns,
            now.instructions_per_turn(),
            old,
            change,
            now.branch_misses_per_turn(),
            now.software_popcounts_per_thousand(),
            verdict.words(),
        );
        verdicts.push(verdict);
        if does_record {
            recorded.of_this_machine().insert(workload.name.into(), now);
        }
    }
    if does_record {
        recorded.write()?;
        println!("recorded in {}", Recorded::PATH);
        return Ok(ExitCode::SUCCESS);
    }
    Ok(conclude(&verdicts))
}

fn conclude(verdicts: &[Verdict]) -> ExitCode {
    if verdicts.iter().any(|verdict| *verdict != Verdict::Same) {
        println!("If that is as it should be, record it: {RECORD_AGAIN}");
    }
    let is_bad =
        |verdict: &Verdict| matches!(verdict, Verdict::Slower | Verdict::OtherRounds | Verdict::CountsBitsInSoftware);
    if verdicts.iter().any(is_bad) {
        ExitCode::from(1)
    } else if verdicts.contains(&Verdict::NotRecorded) {
        ExitCode::from(2)
    } else {
        ExitCode::SUCCESS
    }
}

/// Plays each workload once, without counting.
fn only_play(workloads: &[&Workload]) {
    for workload in workloads {
        let Totals { rounds, turns, .. } = workload.play();
        println!("{:27} {rounds} rounds, {turns} turns", workload.name);
        assert!(turns > rounds, "rounds have turns");
    }
}

fn run(mut args: Vec<String>) -> Result<ExitCode, String> {
    if let [flag, name] = &args[..]
        && flag == UNDER_VALGRIND
    {
        let workload = WORKLOADS.iter().find(|workload| workload.name == name).ok_or("no such workload")?;
        if workload.on == Code::Bmi2 && best_isa() != "x86-64 with BMI2" {
            println!("{NO_SUCH_PROCESSOR}");
        } else {
            println!("{}", workload.play().turns);
        }
        return Ok(ExitCode::SUCCESS);
    }
    let mut take = |flag: &str| {
        let before = args.len();
        args.retain(|arg| arg != flag);
        args.len() < before
    };
    let (is_test, does_record) = (take("--test"), take("--record"));
    if let Some(unknown) = args.iter().find(|arg| arg.starts_with('-')) {
        return Err(format!("unknown option `{unknown}`; allowed: --record, --test, and parts of workload names"));
    }
    let is_chosen = |workload: &&Workload| args.is_empty() || args.iter().any(|word| workload.name.contains(word));
    let workloads: Vec<&Workload> = WORKLOADS.iter().filter(is_chosen).collect();
    if workloads.is_empty() {
        let names: Vec<&str> = WORKLOADS.iter().map(|workload| workload.name).collect();
        return Err(format!("no workload matches; allowed: parts of {}", names.join(", ")));
    }
    if is_test {
        only_play(&workloads);
        return Ok(ExitCode::SUCCESS);
    }
    measure(&workloads, does_record)
}

fn main() -> ExitCode {
    run(env::args().skip(1).collect()).unwrap_or_else(|reason| {
        eprintln!("instructions: {reason}");
        ExitCode::from(2)
    })
}
