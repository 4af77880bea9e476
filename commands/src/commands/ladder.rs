//! `unolab ladder`: a directory of results between versions of programs, each identified by the content of its files.
//!
//! Every pair is a separate run in the directory: a match of the first against copies of the second. A pair of versions plays
//! only once, in either order. A version with changed files or options has a new name, `mine@1a2b3c4d`. It plays all others, and
//! the version before it, whose files the ladder keeps.

mod args;
mod changes;
mod matches;
mod versions;

use std::ffi::OsString;
use std::fs;
use std::path::Path;

use anyhow::{Context, bail};
use unolab_agents::registry::Registry;
use unolab_arena::words::counted;

use super::driver::request;
use super::rate::{EQUIVALENCE_MARGIN, RatedField, RatingQuestions, check_anchor, print_fields_json, rated_fields};
use crate::disk::write_whole;
use crate::exit::Exit;
use crate::output::{print, warn, width, wrapped};
use crate::report::ladder::{LadderSection, ladder_page};
use crate::terminal::ladder::{cross_rows, names_by_strength, update_sentence};
use crate::terminal::ratings::{
    Claim, anchor_in_words, claims_rows, claims_table, claims_title, ladder_rows, ladder_table,
};
pub(crate) use args::LadderArgs;
use matches::{RUN_PREFIX, finished_runs, games_dir, matches_to_play};
use versions::{KnownVersions, Update, VERSIONS_FILE, Version};

/// The page of the ladder, replaced after each run.
const PAGE_FILE: &str = "ladder.html";

pub(crate) fn run(args: &LadderArgs, registry: &Registry) -> anyhow::Result<Exit> {
    let entrants = request::entrants(args.each.added_to(args.agents.clone())?)?;
    for entrant in &entrants {
        entrant.configure(registry).context("--agents")?;
    }
    let versions: Vec<Version> = entrants.iter().map(Version::of).collect();
    let is_new = check_ladder(&args.directory)?;
    if is_new && versions.len() < 2 {
        bail!("--agents: {} has no results yet; name at least two agents", args.directory.display());
    }
    let known = KnownVersions::read(&args.directory)?;
    let updates = known.updates(&versions, &args.directory, registry);
    let known = known.with(&versions)?;
    if let Some(anchor) = &args.anchor {
        check_anchor(&known.names(), anchor)?;
    }
    let to_play = matches_to_play(&versions, &updates, args)?;
    fs::create_dir_all(&args.directory).with_context(|| format!("--directory {}", args.directory.display()))?;
    known.write(&args.directory)?;
    versions.iter().try_for_each(|version| version.save_files(&args.directory))?;
    let played = to_play.len() as u64;
    for to_play in to_play {
        if to_play.play(args, registry)? == Exit::Stopped {
            return Ok(Exit::Stopped);
        }
    }
    let directories = finished_runs(&args.directory)?;
    warn(&format!(
        "{} played now, {} in {}",
        counted(played, "pair"),
        counted(directories.len() as u64, "result"),
        args.directory.display()
    ));
    if directories.is_empty() {
        bail!("--agents: there are no results yet; name at least two agents");
    }
    let questions = RatingQuestions {
        margin: EQUIVALENCE_MARGIN,
        family: &|a, b| known.family(a, b),
        anchor: args.anchor.as_deref(),
    };
    let fields = rated_fields(&directories, questions, registry)?;
    let json = args.json.then(|| print_fields_json("ladder", &directories, EQUIVALENCE_MARGIN, &fields));
    let shown = fields.into_iter().map(|field| ShownField::of(field, &versions, &updates, &args.directory, registry));
    let shown = shown.collect::<anyhow::Result<Vec<_>>>()?;
    let title = crate::output::shown(&args.directory);
    let page = ladder_page(&title, &shown.iter().map(ShownField::on_page).collect::<Vec<_>>());
    write_whole(&args.directory.join(PAGE_FILE), page)?;
    match json {
        Some(printed) => printed?,
        None => print(&shown.iter().map(ShownField::text).collect::<String>())?,
    }
    Ok(Exit::Done)
}

/// A field of the ladder, with its pairs in order.
struct ShownField {
    field: RatedField,
    /// The result of each new version against the version before, and what it changed.
    updates: Vec<(String, Option<String>)>,
    /// The versions that the command names.
    named: Vec<String>,
}

/// The pairs whose p-values are corrected together.
const FAMILY: &str = "the pairs that the later version of the pair has added, so later pairs do not change it";

impl ShownField {
    fn of(
        mut field: RatedField,
        named: &[Version],
        updates: &[Update],
        ladder: &Path,
        registry: &Registry,
    ) -> anyhow::Result<Self> {
        let mut in_words = Vec::new();
        for update in updates {
            let names = [&*update.now.name, &*update.before.name];
            let is_its = |claim: &&mut Claim| is_of_pair(claim, names);
            let Some(claim) = field.claims.iter_mut().find(is_its) else { continue };
            if claim.a != update.now.name {
                claim.swap();
            }
            let changes = changes::in_words(update, &games_dir(ladder, update), registry)?;
            in_words.push((update_sentence(claim, EQUIVALENCE_MARGIN), changes));
        }
        let named: Vec<String> = named.iter().map(|version| version.name.clone()).collect();
        let order = names_by_strength(&field.evidence, &field.ratings);
        let place = |name: &String| order.iter().position(|other| other == name);
        for claim in &mut field.claims {
            let is_reversed = match (named.contains(&claim.a), named.contains(&claim.b)) {
                (true, false) => false,
                (false, true) => true,
                _ => place(&claim.a) > place(&claim.b),
            };
            if is_reversed {
                claim.swap();
            }
        }
        field.claims.sort_by_key(|claim| (place(&claim.a), place(&claim.b)));
        Ok(Self { field, updates: in_words, named })
    }

    /// On the terminal: only the pairs of the versions that the command names, if it names any.
    fn text(&self) -> String {
        let RatedField { evidence, ratings, anchor, claims } = &self.field;
        let mut text = String::new();
        for (result, changes) in &self.updates {
            text += &wrapped("", result, width());
            text += &changes.as_ref().map_or_else(String::new, |changes| wrapped("  ", changes, width()));
        }
        text += &ladder_table(evidence, ratings, *anchor, &|name| self.is_named(name), width());
        text += &cross_rows(evidence, ratings, claims).map_or_else(String::new, |rows| rows.to_text(width()) + "\n");
        let is_shown = |claim: &&Claim| self.named.is_empty() || self.is_named(&claim.a);
        let claims: Vec<Claim> = claims.iter().filter(is_shown).cloned().collect();
        text + &format!("{}\n", claims_table(&claims, EQUIVALENCE_MARGIN, FAMILY, width()))
    }

    /// On the page: all pairs.
    fn on_page(&self) -> LadderSection {
        let RatedField { evidence, ratings, anchor, claims } = &self.field;
        let updates = self.updates.iter().map(|(result, changes)| match changes {
            Some(changes) => format!("{result}; {changes}"),
            None => result.clone(),
        });
        let anchor = anchor_in_words(evidence, *anchor);
        let ranking = (format!("Strongest first{anchor}"), ladder_rows(evidence, ratings, &|name| self.is_named(name)));
        let cross = cross_rows(evidence, ratings, claims).map(|rows| ("Cross table".to_owned(), rows));
        let pairs = (claims_title(EQUIVALENCE_MARGIN, FAMILY), claims_rows(claims));
        LadderSection {
            title: format!("{}, {} seats", evidence.variant, evidence.seats),
            sentences: updates.collect(),
            tables: [ranking].into_iter().chain(cross).chain([pairs]).collect(),
        }
    }

    fn is_named(&self, name: &str) -> bool {
        self.named.iter().any(|other| other == name)
    }
}

/// Whether a claim is about these two.
fn is_of_pair(claim: &Claim, [one, other]: [&str; 2]) -> bool {
    let pair = (&*claim.a, &*claim.b);
    pair == (one, other) || pair == (other, one)
}

/// Checks that a directory is a ladder or new; returns whether it is new.
fn check_ladder(directory: &Path) -> anyhow::Result<bool> {
    let Ok(entries) = directory.read_dir() else { return Ok(true) };
    let names: Vec<_> = entries.filter_map(Result::ok).map(|entry| entry.file_name()).collect();
    let is_ours = |name: &OsString| name.to_string_lossy().starts_with(RUN_PREFIX);
    match names.iter().find(|name| !is_ours(name)) {
        Some(other) if !directory.join(VERSIONS_FILE).exists() => bail!(
            "--directory {}: holds {}, and no {VERSIONS_FILE}; allowed: a new or empty directory, or the directory of a ladder",
            directory.display(),
            other.display()
        ),
        _ => Ok(names.is_empty()),
    }
}
