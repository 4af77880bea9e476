//! Turns the command line into a dealt game: the players of the seats and the rules.

use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read as _};
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, bail};
use unolab::agents::named_file;
use unolab::agents::options::is_program;
use unolab::agents::registry::Registry;
use unolab::arena::spec::agent_list::split_agents;
use unolab::arena::words::wrong_in_name;
use unolab::event::Event;
use unolab::record::{Header, ReplayEvent, replay};
use unolab::rules::Override;
use unolab::seat::Seat;
use unolab::{Action, Call};

use crate::args::Args;
use crate::session::{Mark, Participant, Session, Setup};
use crate::variant::Variant;

/// The value of `--against` for a game without agents.
const NOBODY: &str = "none";

/// The rule of UNO calls.
const CALLS: &str = "uno.calls";

/// A game, and the settings for dealing again.
#[derive(Debug)]
pub struct Table {
    /// The game.
    pub session: Session,
    variant: Variant,
    /// The seed of the next game, if one was given.
    next_seed: Option<u64>,
}

impl Table {
    /// The game that the arguments specify: first the people, then the agents.
    ///
    /// # Errors
    /// An agent or the rules are invalid.
    pub fn of(args: &Args, registry: &Registry) -> anyhow::Result<Self> {
        if let Some(file) = &args.resume {
            let text = named_file::open(file)
                .and_then(io::read_to_string)
                .with_context(|| format!("--resume {}", file.display()))?;
            let session = resumed(&text, args, registry).with_context(|| format!("--resume {}", file.display()))?;
            begin_record(args, &session)?;
            return Ok(Self { session, variant: Variant::of_record(), next_seed: None });
        }
        let people = check_names(&args.people)?;
        let mut participants: Vec<Participant> = people.iter().cloned().map(Participant::Person).collect();
        for list in args.against.iter().filter(|list| list.trim() != NOBODY) {
            for text in split_agents(list).with_context(|| format!("--against {list}"))? {
                let agent = registry.configure(&text).context("--against")?;
                if agent.sees_everything() {
                    bail!("--against: `{text}` sees all hands; it cannot play against people");
                }
                // A record names its players only.
                if people.iter().any(|name| name == agent.text()) {
                    bail!("--people: {text} is the name of an agent of this game; choose another name");
                }
                participants.push(Participant::Agent(agent));
            }
        }
        if !(2..=10).contains(&participants.len()) {
            bail!("{} at the table; allowed: 2 to 10, people and agents together", participants.len());
        }
        // By default, players call UNO themselves; `--set uno.calls=auto` makes calls automatic.
        let mut set = args.set.clone();
        if set.iter().all(|it| it.key != CALLS) {
            set.push(Override::new(CALLS, "explicit"));
        }
        let mut variant = Variant::new(&args.variant, &set, participants.len());
        let rules = variant.load().map_err(anyhow::Error::msg)?;
        let seed = new_seed(args.seed)?;
        let session = Session::new(Setup { rules, participants, unit: args.unit.into(), seed, worlds: args.worlds });
        begin_record(args, &session)?;
        Ok(Self { session, variant, next_seed: args.seed.map(|seed| seed.wrapping_add(1)) })
    }

    /// Starts a new game with other cards, which cannot be predicted from the previous game unless a seed was given.
    ///
    /// # Errors
    /// The system provides no random number.
    pub fn new_game(&mut self) -> anyhow::Result<()> {
        let seed = new_seed(self.next_seed)?;
        self.next_seed = self.next_seed.map(|seed| seed.wrapping_add(1));
        self.session.new_game(Arc::clone(&self.session.setup().rules), seed);
        Ok(())
    }

    /// Deals again if the variant file has been saved.
    ///
    /// # Errors
    /// The file has no playable rules now; the game continues with the old rules.
    pub fn reload(&mut self) -> Result<bool, String> {
        match self.variant.reload() {
            None => Ok(false),
            Some(Err(reason)) => Err(reason),
            Some(Ok(rules)) => {
                let seed = self.session.setup().seed;
                self.session.new_game(rules, seed);
                Ok(true)
            }
        }
    }
}

/// The game of a record, at the position where the record ends.
fn resumed(text: &str, args: &Args, registry: &Registry) -> anyhow::Result<Session> {
    let mut rounds: Vec<Vec<(Seat, Action, Call)>> = Vec::new();
    let mut marks = Vec::new();
    let replayed = replay(text, &mut |step| {
        let number = rounds.len().saturating_sub(1);
        match (step.what, rounds.last_mut()) {
            (ReplayEvent::Dealt { .. }, _) => rounds.push(Vec::new()),
            (ReplayEvent::Fault { fault, player }, Some(round)) => {
                marks.push(Mark::fault(number, round.len(), player, fault));
            }
            (ReplayEvent::Event { event: Event::Acted { seat, action, call }, note, .. }, Some(round)) => {
                marks.extend(note.map(|note| Mark::note(number, round.len(), note)));
                round.push((seat, action, call));
            }
            _ => {}
        }
    })?;
    let Header { unit, seed, agents, .. } = replayed.header;
    let people = check_names(&args.people)?;
    let participant = |name: &String| {
        if people.contains(name) {
            return Ok(Participant::Person(name.clone()));
        }
        if is_program(name) && !args.trust_bots {
            bail!(
                "`{name}` names a program, which is not started because only the record names it; if you trust it, add --trust-bots"
            );
        }
        let agent =
            registry.configure(name).with_context(|| format!("player {name}; name people with --people {name}"))?;
        Ok(Participant::Agent(agent))
    };
    let participants = agents.iter().map(participant).collect::<anyhow::Result<Vec<_>>>()?;
    for name in &people {
        match agents.iter().filter(|&agent| agent == name).count() {
            1 => {}
            0 => bail!("--people: {name} is not a player of the record; its players are {}", agents.join(", ")),
            _ => bail!("--people: {name} is the name of several players of the record"),
        }
    }
    let setup = Setup { rules: Arc::new(replayed.rules), participants, unit, seed, worlds: args.worlds };
    let session = Session::resumed(setup, &rounds, marks).filter(|session| session.record() == text);
    session.context("the record is not of a game of unolab play, so it cannot be continued")
}

/// This seed, or an unpredictable one.
///
/// # Errors
/// The system provides no random number.
pub(crate) fn new_seed(seed: Option<u64>) -> anyhow::Result<u64> {
    seed.map_or_else(|| Ok(getrandom::u64().context("no random seed")? >> 16), Ok)
}

/// The names of people, without spaces around them.
///
/// # Errors
/// One of them is not a valid name.
pub(crate) fn check_names(names: &[String]) -> anyhow::Result<Vec<String>> {
    let names: Vec<String> = names.iter().map(|name| name.trim().to_owned()).collect();
    for (place, name) in names.iter().enumerate() {
        if names[..place].contains(name) {
            bail!("--people: {name} is given twice; names must differ");
        }
        if name.is_empty() || name.chars().count() > 40 {
            bail!("--people: {name:?} is not a name; allowed: 1 to 40 characters");
        }
        if let Some(wrong) = wrong_in_name(name) {
            bail!("--people: {wrong}");
        }
    }
    Ok(names)
}

/// Checks that the record may be written to this file: it does not exist, is a record, or is a special file.
///
/// # Errors
/// It is another file, or a directory.
pub fn check_record_file(file: &Path) -> anyhow::Result<()> {
    if file.is_dir() {
        bail!("{}: is a directory; allowed: a file", file.display());
    }
    if !file.is_file() {
        return Ok(());
    }
    let mut first = String::new();
    let is_read = File::open(file).and_then(|file| BufReader::new(file.take(1 << 20)).read_line(&mut first)).is_ok();
    if is_read && (first.is_empty() || first.starts_with("{\"record\":")) {
        return Ok(());
    }
    bail!("{}: exists, and is not a record; choose another file", file.display())
}

/// Checks the file of the record before the first move, and writes it if it is new.
///
/// # Errors
/// The file of `--record` is another file, or cannot be written.
pub(crate) fn begin_record(args: &Args, session: &Session) -> anyhow::Result<()> {
    match args.record_file() {
        Some(file) if file.exists() => check_record_file(file).context("--record"),
        Some(file) => save(session, file).context("--record"),
        None => Ok(()),
    }
}

/// Writes the record, whole or not at all.
///
/// # Errors
/// The file cannot be written.
pub fn save(session: &Session, file: &Path) -> anyhow::Result<()> {
    named_file::write_whole(file, session.record()).with_context(|| file.display().to_string())
}
