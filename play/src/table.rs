//! From the command line to a dealt game: who sits where, by which rules.

use std::fs;
use std::path::Path;

use anyhow::{Context, bail};
use unolab::agents::registry::Registry;
use unolab::arena::spec::agent_list::split_agents;

use crate::args::Args;
use crate::session::{Session, Setup, Sitter};
use crate::variant::Variant;

/// A game and what it is dealt anew from.
#[derive(Debug)]
pub struct Table {
    /// The game.
    pub session: Session,
    pub(crate) variant: Variant,
}

impl Table {
    /// The game that the arguments ask for: first the people, then the agents.
    ///
    /// # Errors
    /// An agent or the rules cannot be.
    pub fn of(args: &Args, registry: &Registry) -> anyhow::Result<Self> {
        let mut sitters: Vec<Sitter> = Vec::new();
        for name in &args.people {
            let name = name.trim();
            if name.is_empty() || name.chars().count() > 40 || name.chars().any(char::is_control) {
                bail!("--people: \"{name}\" is not a name; allowed: 1 to 40 characters");
            }
            sitters.push(Sitter::Person(name.into()));
        }
        for list in &args.against {
            for text in split_agents(list).with_context(|| format!("--against {list}"))? {
                let agent = registry.configure(&text).context("--against")?;
                if agent.sees_everything() {
                    bail!("--against: \"{text}\" sees all hands; it cannot play against people");
                }
                sitters.push(Sitter::Agent(agent));
            }
        }
        if !(2..=10).contains(&sitters.len()) {
            bail!("{} at the table; allowed: 2 to 10, people and agents together", sitters.len());
        }
        let variant = Variant::new(&args.variant, &args.set, sitters.len());
        let rules = variant.load().map_err(anyhow::Error::msg)?;
        let seed = match args.seed {
            Some(seed) => seed,
            None => getrandom::u64().context("no random seed")? >> 16,
        };
        let session = Session::new(Setup { rules, sitters, unit: args.unit.into(), seed, worlds: args.worlds });
        Ok(Self { session, variant })
    }

    /// Deals anew if the variant file has been saved; what is wrong with it otherwise.
    ///
    /// # Errors
    /// The file as it is now has no rules that can be played; the game goes on by the old ones.
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

/// Writes the record, whole or not at all.
///
/// # Errors
/// The file cannot be written.
pub fn save(session: &Session, file: &Path) -> anyhow::Result<()> {
    let part = file.with_extension("part");
    fs::write(&part, session.record())
        .and_then(|()| fs::rename(&part, file))
        .with_context(|| format!("--record {}", file.display()))
}
