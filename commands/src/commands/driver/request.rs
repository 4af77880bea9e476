//! Turns arguments into a contest, and checks it completely.

use std::path::Path;

use anyhow::{Context as _, bail};
use serde::Deserialize;
use serde_json::{Value, json};
use unolab_agents::net::player::files_that_do_not_fit;
use unolab_agents::options::split_name;
use unolab_agents::registry::Registry;
use unolab_arena::experiment::any_spec::contest_of;
use unolab_arena::run::checkpoint::{OutputOptions, RunSpec as _};
use unolab_arena::schedule::contest::Contest;
use unolab_arena::spec::luck::LuckAdjustment;
use unolab_arena::spec::variant::load_for_seats;
use unolab_arena::spec::{AgentSeed, Allocation, Command, Entrant, Format, Spec, Variant};
use unolab_arena::words::wrong_in_name;
use unolab_engine::hash::digest;
use unolab_engine::rules::{LoadError, LoadedRules, TableSize, VariantDraft};

use crate::args::{AgentList, MOST_SETS, RulesArgs, RunArgs, Seats};
use crate::disk::{Disk, read_text};
use crate::output::warn;

/// The contest that the arguments request.
pub(in crate::commands) fn contest(
    command: Command,
    agents: Vec<AgentList>,
    args: &RunArgs,
    registry: &Registry,
) -> anyhow::Result<Contest> {
    let mut spec = spec(command, agents, args)?;
    if let Some(games) = args.games {
        spec = Contest::of(spec, registry)?.with_games(games)?.spec().clone();
    }
    let contest = contest_of(spec, output_options(args).luck, registry, args.common.num_threads(1));
    let contest = match &args.spec {
        Some(file) => contest.with_context(|| file.display().to_string())?,
        None => contest?,
    };
    if !args.common.quiet {
        warn_of_one_agent_alone(&contest.spec().entrants);
        warn_of_nets_elsewhere(&contest);
    }
    Ok(contest)
}

/// The optional outputs.
pub(in crate::commands) fn output_options(args: &RunArgs) -> OutputOptions {
    OutputOptions {
        games_csv: args.games_csv,
        luck: if args.luck { LuckAdjustment::On } else { LuckAdjustment::Off },
        sandbox: args.common.confined(),
        recorded: args.recorded_sets(),
        recorded_only: args.record_only.as_ref().map(|only| digest(&only.to_string())),
    }
}

/// The spec that the arguments request; with `--games` the number of sets is set later.
pub(in crate::commands) fn spec(command: Command, agents: Vec<AgentList>, args: &RunArgs) -> anyhow::Result<Spec> {
    if let Some(file) = &args.spec {
        return spec_in_file(command, file, args);
    }
    let entrants = args.odds.given_to(self::entrants(agents)?)?;
    let (command, entrants) = if args.control { with_control(command, entrants)? } else { (command, entrants) };
    let seats = match &args.seats[..] {
        [] => default_seats(command, entrants.len(), &args.rules)?,
        asked => Seats::all(asked),
    };
    if let Some(twice) = first_repeated(&seats) {
        bail!("--seats names {twice} twice");
    }
    Ok(Spec {
        command,
        entrants,
        variants: variants(&args.rules, &seats)?,
        seats,
        sets: if args.games.is_some() { 1 } else { args.sets() },
        allocation: if args.adaptive { Allocation::Open } else { Allocation::Even },
        seed: args.common.seed(),
        seating: args.seating,
        unit: args.unit,
        seal: args.common.seal(args.intent())?,
    })
}

/// The agents of the arguments, with the options for all programs; or the agents of the file of `--spec`, if they may be started.
pub(in crate::commands) fn agents(agents: Vec<AgentList>, args: &RunArgs) -> anyhow::Result<Vec<AgentList>> {
    let Some(file) = &args.spec else { return args.each.added_to(agents) };
    let spec = read_spec(file)?;
    args.trust.check(file, spec.agents())?;
    let text = |Entrant { name, agent, .. }: Entrant| if name == agent { agent } else { format!("{name}={agent}") };
    Ok(vec![AgentList(spec.entrants.into_iter().map(text).collect())])
}

/// The format of the tournament in the file of `--spec`.
pub(in crate::commands) fn format_in_file(file: &Path) -> anyhow::Result<Format> {
    match read_spec(file)?.command {
        Command::Tournament { format } => Ok(format),
        other => Err(other_command(file, other)),
    }
}

/// The spec in the file of `--spec`, for this command, with the number of sets and the seed of the arguments, if given. Its seal
/// is the seal of the new run.
fn spec_in_file(command: Command, file: &Path, args: &RunArgs) -> anyhow::Result<Spec> {
    let spec = read_spec(file)?;
    args.trust.check(file, spec.agents())?;
    if spec.command != command {
        return Err(other_command(file, spec.command));
    }
    let named = || file.display().to_string();
    let names: Vec<&str> = spec.entrants.iter().map(|entrant| &*entrant.name).collect();
    if let Some(twice) = first_repeated(&names) {
        bail!("{}: two entrants are called `{twice}`", named());
    }
    if let Some(wrong) = names.iter().find_map(|name| wrong_in_name(name)) {
        bail!("{}: {wrong}", named());
    }
    let variants: Vec<&str> = spec.variants.iter().map(|variant| &*variant.name).collect();
    for (key, is_empty, twice) in [
        ("entrants", names.is_empty(), None),
        ("variants", variants.is_empty(), first_repeated(&variants).map(|name| format!("`{name}`"))),
        ("seats", spec.seats.is_empty(), first_repeated(&spec.seats).map(ToString::to_string)),
    ] {
        if is_empty {
            bail!("{}: {key} is an empty list; allowed: at least one", named());
        }
        if let Some(twice) = twice {
            bail!("{}: {key} names {twice} twice", named());
        }
    }
    if !(1..=MOST_SETS).contains(&spec.sets) {
        bail!("{}: sets is {}; allowed: 1 to {MOST_SETS}", named(), spec.sets);
    }
    let seal = args.common.seal(args.intent())?;
    if spec.seal.is_some() && seal.is_none() {
        bail!("{}: is the spec of a sealed run: add --sealed, for a new key", named());
    }
    let (sets, seed) = (args.sets.unwrap_or(spec.sets), args.common.seed.unwrap_or(spec.seed));
    Ok(Spec { sets, seed, seal, ..spec })
}

fn read_spec(file: &Path) -> anyhow::Result<Spec> {
    let text = read_text(file).map_err(anyhow::Error::msg)?;
    let no_spec = || format!("{}: has no spec of a tournament or a match, as run.json has it", file.display());
    let SpecFile { spec } = serde_json::from_str(&text).with_context(no_spec)?;
    let mut document = serde_json::from_str(&text).with_context(no_spec)?;
    if let Some(key) = unknown_key(&mut document, &json!({ "spec": spec }), "/spec") {
        bail!("{}: {}: unknown key", file.display(), key.trim_start_matches('/').replace('/', "."));
    }
    Ok(spec)
}

/// Returns the path of the first key of the document that no spec has. `written` is the spec after it was read, as JSON. It lacks
/// unknown keys, and also keys with default values; these differ, because an invalid value of a known key is an error.
fn unknown_key(document: &mut Value, written: &Value, path: &str) -> Option<String> {
    let names: Vec<String> = match document.pointer(path)? {
        Value::Object(members) => members.keys().cloned().collect(),
        Value::Array(elements) => (0..elements.len()).map(|number| number.to_string()).collect(),
        _ => return None,
    };
    names.into_iter().find_map(|name| {
        let path = format!("{path}/{}", name.replace('~', "~0").replace('/', "~1"));
        if written.pointer(&path).is_some() {
            return unknown_key(document, written, &path);
        }
        let value = std::mem::replace(document.pointer_mut(&path)?, json!([[["invalid"]]]));
        let is_known = SpecFile::deserialize(&*document).is_err();
        *document.pointer_mut(&path)? = value;
        (!is_known).then_some(path)
    })
}

/// A file with a spec: `run.json`, or one that has only the spec.
#[derive(Deserialize)]
struct SpecFile {
    spec: Spec,
}

/// The error of a spec for another command.
fn other_command(file: &Path, command: Command) -> anyhow::Error {
    let remedy = match command {
        Command::Sprt(_) => "allowed: the spec of a tournament or a match".to_owned(),
        command => format!("use `unolab {} --spec`", command.name()),
    };
    anyhow::anyhow!("{}: is the spec of `unolab {}`; {remedy}", file.display(), command.name())
}

/// The spec with a copy of the first agent, to measure the noise. In a match A meets copies of it as it meets copies of
/// B.
fn with_control(command: Command, entrants: Vec<Entrant>) -> anyhow::Result<(Command, Vec<Entrant>)> {
    if entrants.iter().any(|entrant| entrant.name == AgentSeed::CONTROL) {
        bail!("--control: an entrant is already called {}", AgentSeed::CONTROL);
    }
    if command == Command::Match && entrants.len() > 2 {
        bail!("--control: a match of more than two agents has no seat for the copy; choose tournament");
    }
    let entrants = Entrant::with_control(entrants);
    let command = match command {
        Command::Match if entrants.len() > 2 => Command::Tournament { format: Format::Gauntlet },
        other => other,
    };
    Ok((command, entrants))
}

/// The entrants of these agents, each with its name.
pub(in crate::commands) fn entrants(agents: impl IntoIterator<Item = AgentList>) -> anyhow::Result<Vec<Entrant>> {
    let texts: Vec<String> = agents.into_iter().flat_map(|AgentList(agents)| agents).collect();
    let own_names: Vec<&str> = texts.iter().filter_map(|text| split_name(text).0).collect();
    if let Some(twice) = first_repeated(&own_names) {
        bail!("--agents: two entrants are called `{twice}`; give each its own name");
    }
    let entrants = Entrant::name_all(texts.iter().map(String::as_str));
    match entrants.iter().find_map(|entrant| wrong_in_name(&entrant.name)) {
        Some(wrong) => bail!("--agents: {wrong}"),
        None => Ok(entrants),
    }
}

/// Whether two entrants are the same agent with the same odds.
fn is_same_player(one: &Entrant, other: &Entrant) -> bool {
    (&one.agent, one.extra_cards) == (&other.agent, other.extra_cards)
}

/// Warns the user if no two entrants can be compared.
fn warn_of_one_agent_alone(entrants: &[Entrant]) {
    match entrants {
        [only] => warn(&format!(
            "warning: {} plays only against itself and gets exactly its fair share; add another agent, such as --agents {},mixbot",
            only.name, only.agent
        )),
        [first, others @ ..] if others.iter().all(|other| is_same_player(first, other)) => warn(&format!(
            "warning: all entrants are the same agent, {}: differences between them are random, and zero if it makes no random \
             choices",
            first.agent
        )),
        _ => {}
    }
}

/// Warns the user if the built-in net plays in place of the user's own net.
fn warn_of_nets_elsewhere(contest: &Contest) {
    let spec = contest.spec();
    for Entrant { agent, .. } in &spec.entrants {
        let mut where_not: Vec<(String, Vec<String>)> = Vec::new();
        for section in &contest.schedule().sections {
            let table = format!("{} at {} seats", spec.variants[section.variant].name, section.seats);
            for file in files_that_do_not_fit(agent, contest.rules(section), section.seats) {
                match where_not.iter_mut().find(|(other, _)| *other == file) {
                    Some((_, tables)) => tables.push(table.clone()),
                    None => where_not.push((file, vec![table.clone()])),
                }
            }
        }
        for (file, tables) in where_not {
            warn(&format!(
                "warning: {file} was not trained for {}; there {agent} uses the built-in net",
                tables.join(", ")
            ));
        }
    }
}

/// Loads each variant for all these numbers of seats, and prints its warnings.
pub(in crate::commands) fn variants(args: &RulesArgs, seats: &[usize]) -> anyhow::Result<Vec<Variant>> {
    variants_by(args, |variant| load_for_seats(variant, &args.overrides.set, seats, &Disk))
}

/// Checks that no variant is named twice, before any is loaded.
pub(in crate::commands) fn check_variants_named_once(variants: &[String]) -> anyhow::Result<()> {
    match first_repeated(variants) {
        Some(twice) => bail!("--variant names `{twice}` twice"),
        None => Ok(()),
    }
}

/// Loads each variant with this function, and prints its warnings. Their names must be valid and different.
pub(in crate::commands) fn variants_by(
    args: &RulesArgs,
    load: impl Fn(&str) -> Result<LoadedRules, LoadError>,
) -> anyhow::Result<Vec<Variant>> {
    check_variants_named_once(&args.variant)?;
    let (mut variants, mut reasons) = (Vec::new(), Vec::new());
    for variant in &args.variant {
        match load(variant) {
            Ok(loaded) => {
                loaded.warnings.iter().for_each(|warning| warn(&format!("warning: {warning}")));
                variants.push(Variant::of(&loaded.rules));
            }
            Err(error) => reasons.extend(error.reasons),
        }
    }
    if !reasons.is_empty() {
        reasons.dedup();
        return Err(LoadError { reasons }.into());
    }
    let names: Vec<&str> = variants.iter().map(|variant| &*variant.name).collect();
    if let Some(wrong) = names.iter().find_map(|name| wrong_in_name(name)) {
        bail!("--variant: {wrong}; rename the file");
    }
    if let Some(twice) = first_repeated(&names) {
        bail!("--variant: two variants are called `{twice}`; rename one file");
    }
    Ok(variants)
}

/// The default numbers of seats: the number of agents in a match of more than two; otherwise those of two and four that the rules
/// allow, or eight if they allow neither.
fn default_seats(command: Command, num_entrants: usize, rules: &RulesArgs) -> anyhow::Result<Vec<usize>> {
    match (command, num_entrants) {
        (Command::Match, 3..) => Ok(vec![num_entrants]),
        _ => usual_seats(rules),
    }
}

/// The default numbers of seats: two and four if the rules allow them, or eight if they allow neither.
///
/// # Errors
/// If a variant is named twice.
pub(in crate::commands) fn usual_seats(rules: &RulesArgs) -> anyhow::Result<Vec<usize>> {
    check_variants_named_once(&rules.variant)?;
    let read = |variant: &String| VariantDraft::read(variant, &rules.overrides.set, &Disk);
    let drafts: Vec<VariantDraft> = rules.variant.iter().map(read).collect();
    let fits = |seats: &usize| drafts.iter().all(|draft| draft.check(TableSize::Seats(*seats)).is_ok());
    let usual: Vec<usize> = [2, 4].into_iter().filter(fits).collect();
    Ok(match usual[..] {
        [] if fits(&8) => vec![8],
        [] => vec![2, 4],
        _ => usual,
    })
}

pub(in crate::commands) fn first_repeated<T: PartialEq>(items: &[T]) -> Option<&T> {
    items.iter().enumerate().find(|(at, item)| items[..*at].contains(item)).map(|(_, item)| item)
}
