//! `unolab ladder`: a directory of results between versions of programs, each identified by the content of its files.
//!
//! Every pair is a separate run in the directory: a match of the first against copies of the second. A pair of versions plays
//! only once, in either order. A version with changed files or options has a new name, `mine@1a2b3c4d`. It plays all others, and
//! the version before it, whose files the ladder keeps.

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
use super::rate::{RatedField, print_fields_json, rated_fields};
use crate::args::{EQUIVALENCE_MARGIN, LadderArgs};
use crate::disk::write_whole;
use crate::exit::Exit;
use crate::output::{print, shown, warn, width};
use crate::terminal::ladder::{cross_table, names_by_strength, update_sentence};
use crate::terminal::ratings::{Claim, claims_table, ladder_table};
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
    let fields = rated_fields(&directories, EQUIVALENCE_MARGIN, &|a, b| known.family(a, b), registry)?;
    if args.json {
        print_fields_json("ladder", &directories, EQUIVALENCE_MARGIN, &fields)?;
        return Ok(Exit::Done);
    }
    let text = text(fields, &versions, &updates, &args.directory, registry)?;
    write_whole(&args.directory.join(PAGE_FILE), page(&args.directory, &text))?;
    print(&text)?;
    Ok(Exit::Done)
}

/// The result of each update, the ladder of each field, and the result of each pair.
fn text(
    fields: Vec<RatedField>,
    named: &[Version],
    updates: &[Update],
    ladder: &Path,
    registry: &Registry,
) -> anyhow::Result<String> {
    let is_named_now = |name: &str| named.iter().any(|version| version.name == name);
    let mut text = String::new();
    for mut field in fields {
        for update in updates {
            let names = [&*update.now.name, &*update.before.name];
            let is_its = |claim: &&mut Claim| is_of_pair(claim, names);
            let Some(claim) = field.claims.iter_mut().find(is_its) else { continue };
            if claim.a != update.now.name {
                claim.swap();
            }
            text += &update_sentence(claim, EQUIVALENCE_MARGIN, width());
            text += &changes::in_words(update, &games_dir(ladder, update), registry, width())?;
        }
        text += &ladder_table(&field.evidence, &field.ratings, &is_named_now, width());
        text += &cross_table(&field.evidence, &field.ratings, &field.claims, width());
        let order = names_by_strength(&field.evidence, &field.ratings);
        let place = |name: &String| order.iter().position(|other| other == name);
        for claim in &mut field.claims {
            let is_reversed = match (is_named_now(&claim.a), is_named_now(&claim.b)) {
                (true, false) => false,
                (false, true) => true,
                _ => place(&claim.a) > place(&claim.b),
            };
            if is_reversed {
                claim.swap();
            }
        }
        field.claims.retain(|claim| named.is_empty() || is_named_now(&claim.a));
        field.claims.sort_by_key(|claim| (place(&claim.a), place(&claim.b)));
        let family = "the pairs that the later version of the pair has added, so later pairs do not change it";
        text += &format!("{}\n", claims_table(&field.claims, EQUIVALENCE_MARGIN, family, width()));
    }
    Ok(text)
}

/// Whether a claim is about these two.
fn is_of_pair(claim: &Claim, [one, other]: [&str; 2]) -> bool {
    let pair = (&*claim.a, &*claim.b);
    pair == (one, other) || pair == (other, one)
}

/// The page of the ladder.
fn page(ladder: &Path, text: &str) -> String {
    let escaped = |text: &str| text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let title = escaped(&shown(ladder));
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>{title} · unolab</title>\n<h1>{title}</h1>\n<pre>{}</pre>\n</html>\n",
        escaped(text)
    )
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
