//! `unolab rate`: ratings of entrants from the tables of finished runs.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::Args;
use serde_json::{Value, json};
use unolab_agents::registry::Registry;
use unolab_arena::count::evidence::rate;
use unolab_arena::run::integrity::open;
use unolab_arena::run::manifest::{RUN_FILE, Run};
use unolab_arena::run::stored::{StoredPair, StoredRun, StoredSection};
use unolab_arena::spec::Entrant;
use unolab_arena::tables::ratings::{RatingsRow, rows_of, unrated};
use unolab_arena::tables::table::Tables;
use unolab_arena::tables::to_csv;
use unolab_arena::words::counted;
use unolab_stats::hypothesis::{Comparison, holm};
use unolab_stats::interval::Coverage;
use unolab_stats::ratings::matches::Evidence;
use unolab_stats::ratings::{Anchor, Ratings};

use super::driver::json::{print_json, tables_of};
use super::driver::tables::export;
use crate::args::{ExportArgs, share};
use crate::disk::existing_dir;
use crate::exit::Exit;
use crate::output::{print, width};
use crate::terminal::ratings::{Claim, claims_table, ratings_table};

/// The default distance from one half within which two entrants are equally strong.
pub(crate) const EQUIVALENCE_MARGIN: f64 = 0.01;

/// Finished runs whose entrants are rated.
#[derive(Debug, Args)]
pub(crate) struct RateArgs {
    /// Run directories; runs of the same variant and number of seats are rated together
    #[arg(required = true, value_name = "DIR")]
    pub(crate) directories: Vec<PathBuf>,
    /// Report two entrants as equivalent if their share is significantly within this distance of one half
    #[arg(long, value_name = "SHARE", default_value_t = EQUIVALENCE_MARGIN, value_parser = share)]
    pub(crate) margin: f64,
    /// Fix the Elo rating of this entrant, at 0 unless another value is given; the intervals of the others are relative to it
    #[arg(long, value_name = "NAME[=ELO]")]
    pub(crate) anchor: Option<String>,
    /// Print ratings.csv instead of tables
    #[arg(long)]
    pub(crate) csv: bool,
    /// Print the result as one JSON object instead of tables
    #[arg(long, conflicts_with = "csv")]
    pub(crate) json: bool,
    /// The destination of the tables.
    #[command(flatten)]
    pub(crate) export: ExportArgs,
}

/// Rates with the agents of this registry: agents that see all cards are not part of the field.
pub(crate) fn run(args: &RateArgs, registry: &Registry) -> anyhow::Result<Exit> {
    if !(args.margin > 0.0 && args.margin < 0.5) {
        bail!("--margin {}: must be between 0 and 0.5", args.margin);
    }
    check_names(&args.directories)?;
    let questions = RatingQuestions { margin: args.margin, family: &|_, _| 0, anchor: args.anchor.as_deref() };
    let fields = rated_fields(&args.directories, questions, registry)?;
    let _dir = args.export.make_dir()?;
    let rows: Vec<RatingsRow> = fields.iter().flat_map(|field| rows_of(&field.evidence, &field.ratings)).collect();
    let csv = to_csv(&rows);
    export(&Tables::none().with(rows), &args.export)?;
    if args.json {
        print_fields_json("rate", &args.directories, args.margin, &fields)?;
    } else if args.csv {
        print(&String::from_utf8(csv)?)?;
    } else {
        let tables_of = |field: &RatedField| {
            let ratings = ratings_table(&field.evidence, &field.ratings, field.anchor, width());
            format!("{ratings}\n{}\n", claims_table(&field.claims, args.margin, "all pairs of this table", width()))
        };
        print(&fields.iter().map(tables_of).collect::<String>())?;
    }
    Ok(Exit::Done)
}

/// Prints the fields of these runs as one JSON object.
pub(super) fn print_fields_json(
    command: &str,
    directories: &[PathBuf],
    margin: f64,
    fields: &[RatedField],
) -> anyhow::Result<()> {
    let rows: Vec<RatingsRow> = fields.iter().flat_map(|field| rows_of(&field.evidence, &field.ratings)).collect();
    let runs: Vec<String> = directories.iter().map(|directory| directory.display().to_string()).collect();
    let mut tables = tables_of(&Tables::none().with(rows));
    let claims = fields.iter().flat_map(|field| field.claims.iter().map(|claim| in_json(&field.evidence, claim)));
    tables.insert("claims".into(), claims.collect());
    let json_summary = [("runs".to_owned(), json!(runs)), ("margin".to_owned(), margin.into())].into_iter().collect();
    print_json(command, json_summary, tables)
}

/// All entrants that met under the same rules with the same number of seats, rated together.
pub(super) struct RatedField {
    pub(super) evidence: Evidence,
    pub(super) ratings: Ratings,
    pub(super) anchor: Option<Anchor>,
    pub(super) claims: Vec<Claim>,
}

/// What is asked about the entrants of runs.
#[derive(Clone, Copy)]
pub(super) struct RatingQuestions<'a> {
    /// The distance from one half within which two entrants are equally strong.
    pub(super) margin: f64,
    /// Pairs of the same family are corrected together.
    pub(super) family: Family<'a>,
    /// The entrant with a fixed strength, and its strength: `greedy` or `greedy=1500`.
    pub(super) anchor: Option<&'a str>,
}

/// Checks that an anchor can be one of these entrants.
///
/// # Errors
/// If it is none of them, or its rating is not allowed.
pub(super) fn check_anchor(entrants: &[String], text: &str) -> anyhow::Result<()> {
    match anchor_among(entrants, text)? {
        Some(_) => Ok(()),
        None => bail!("--anchor {text}: unknown entrant; entrants: {}", entrants.join(", ")),
    }
}

/// The anchor of this text among these entrants, if one of them is meant.
fn anchor_among(entrants: &[String], text: &str) -> anyhow::Result<Option<Anchor>> {
    let place = |name: &str| entrants.iter().position(|entrant| entrant == name);
    if let Some(entrant) = place(text) {
        return Ok(Some(Anchor { entrant, elo: 0.0 }));
    }
    let Some((entrant, elo)) = text.rsplit_once('=').and_then(|(name, elo)| Some((place(name)?, elo))) else {
        return Ok(None);
    };
    match elo.parse::<f64>() {
        Ok(elo) if elo.abs() <= MOST_ELO => Ok(Some(Anchor { entrant, elo })),
        _ => bail!("--anchor {text}: {elo} is not a rating; allowed: a number from -{MOST_ELO} to {MOST_ELO}"),
    }
}

/// The largest rating of an anchor.
const MOST_ELO: f64 = 10_000.0;

/// An entrant is identified by its name, which must not belong to different agents in two runs.
fn check_names(directories: &[PathBuf]) -> anyhow::Result<()> {
    let mut agents: BTreeMap<String, (String, u8, &Path)> = BTreeMap::new();
    for directory in directories {
        // Errors in a directory are reported when it is read completely.
        let Ok(text) = open(&directory.join(RUN_FILE)).and_then(io::read_to_string) else { continue };
        let Ok(run) = serde_json::from_str::<Run>(&text) else { continue };
        for Entrant { name, agent, extra_cards, .. } in run.spec.entrants {
            let (known, odds, of) =
                agents.entry(name.clone()).or_insert_with(|| (agent.clone(), extra_cards, directory));
            if *known != agent {
                bail!(
                    "{}: {name} is {agent}, but in {} it is {known}; name them differently",
                    directory.display(),
                    of.display()
                );
            }
            if *odds != extra_cards {
                bail!(
                    "{}: {name} has {}, but in {} it has {}; name them differently",
                    directory.display(),
                    counted(u64::from(extra_cards), "extra card"),
                    of.display(),
                    counted(u64::from(*odds), "extra card")
                );
            }
        }
    }
    Ok(())
}

/// Checks that runs do not share deals, because games of the same deals are not independent.
fn check_disjoint_deals(runs: &[(&Path, StoredRun)]) -> anyhow::Result<()> {
    let met = |run: &StoredRun| -> BTreeSet<(String, String, usize, [String; 2])> {
        let of_section = |section: &StoredSection| {
            let (rules, Evidence { variant, seats, .. }) = (section.rules.clone(), &section.evidence);
            let (variant, seats) = (variant.clone(), *seats);
            let pairs = section.pairs.iter().map(|pair| {
                let mut names = [pair.a.clone(), pair.b.clone()];
                names.sort();
                names
            });
            pairs.map(|names| (rules.clone(), variant.clone(), seats, names)).collect::<Vec<_>>()
        };
        run.sections.iter().flat_map(of_section).collect()
    };
    for (number, (directory, run)) in runs.iter().enumerate() {
        for (earlier, other) in runs[..number].iter().filter(|(_, other)| other.deals == run.deals) {
            if let Some((_, variant, seats, [a, b])) = met(run).intersection(&met(other)).next() {
                bail!(
                    "{}: {a} and {b} meet in {variant} at {seats} seats, on the deals of {} (--seed {}): the same deals cannot be \
                     counted twice; leave one of the runs out, or play it with another seed",
                    directory.display(),
                    earlier.display(),
                    run.deals.0
                );
            }
        }
    }
    Ok(())
}

/// The fields of finished runs, with at least two entrants each.
pub(super) fn rated_fields(
    directories: &[PathBuf],
    RatingQuestions { margin, family, anchor }: RatingQuestions<'_>,
    registry: &Registry,
) -> anyhow::Result<Vec<RatedField>> {
    let (mut runs, mut specs) = (Vec::new(), BTreeSet::new());
    for directory in directories {
        existing_dir(directory, "the directory of a finished run")?;
        if !directory.join(RUN_FILE).exists() {
            bail!("{}: is not the directory of a finished run: it holds no {RUN_FILE}", directory.display());
        }
        let run = StoredRun::read(directory)?;
        if !specs.insert(run.spec_hash.clone()) {
            bail!("{}: another directory holds the same games (spec {})", directory.display(), run.spec_hash);
        }
        runs.push((directory.as_path(), run));
    }
    check_disjoint_deals(&runs)?;
    let unrated: BTreeSet<String> = runs.iter().flat_map(|(_, run)| unrated(&run.entrants, registry)).collect();
    let together = merge_sections(runs.into_iter().flat_map(|(_, run)| run.sections));
    let mut fields = Vec::new();
    for section in together.into_iter().filter(|section| section.evidence.entrants.len() > 1) {
        let names = &section.evidence.entrants;
        let anchor = anchor.map(|text| anchor_among(names, text)).transpose()?.flatten();
        if let Some(name) = anchor.map(|anchor| &names[anchor.entrant]).filter(|name| unrated.contains(*name)) {
            bail!("--anchor {name}: has no rating, because it sees all cards or is tailored to one agent");
        }
        fields.push(RatedField {
            ratings: rate(&section.evidence, &|name| !unrated.contains(name), anchor),
            claims: claims(&section.pairs, margin, family),
            anchor,
            evidence: section.evidence,
        });
    }
    if let Some(text) = anchor.filter(|_| fields.iter().all(|field| field.anchor.is_none()) && !fields.is_empty()) {
        let all: BTreeSet<String> = fields.iter().flat_map(|field| field.evidence.entrants.iter().cloned()).collect();
        check_anchor(&all.into_iter().collect::<Vec<_>>(), text)?;
    }
    if fields.is_empty() {
        bail!("the runs have fewer than two entrants to compare");
    }
    Ok(fields)
}

/// A claim as a row: the share of `a` against `b` minus one half, and the adjusted p that they are equal, and that they
/// differ by more than the margin.
fn in_json(of: &Evidence, Claim { a, b, lead, p_different, p_equivalence }: &Claim) -> Value {
    // Few sets that all agree have no p-value.
    let [p_different, p_equivalence] = [p_different, p_equivalence].map(|p| lead.p_different().map(|_| p));
    json!({
        "variant": of.variant, "seats": of.seats, "a": a, "b": b, "difference": lead.difference, "sets": lead.sets,
        "p_different_holm": p_different, "p_equivalence_holm": p_equivalence,
    })
}

/// Sections of the same rules and number of seats become one, with all their entrants.
fn merge_sections(sections: impl Iterator<Item = StoredSection>) -> Vec<StoredSection> {
    let mut all: Vec<StoredSection> = Vec::new();
    for section in sections {
        let same = |other: &&mut StoredSection| {
            (&other.rules, &other.evidence.variant, other.evidence.seats)
                == (&section.rules, &section.evidence.variant, section.evidence.seats)
        };
        match all.iter_mut().find(same) {
            Some(whole) => {
                join(&mut whole.evidence, section.evidence);
                section.pairs.into_iter().for_each(|pair| join_pair(&mut whole.pairs, pair));
            }
            None => all.push(section),
        }
    }
    all
}

fn join(whole: &mut Evidence, part: Evidence) {
    let number_of = |name: String| match whole.entrants.iter().position(|other| *other == name) {
        Some(number) => number,
        None => {
            whole.entrants.push(name);
            whole.entrants.len() - 1
        }
    };
    if part.coverage != Coverage::Pointwise {
        whole.coverage = part.coverage;
    }
    let numbers: Vec<usize> = part.entrants.into_iter().map(number_of).collect();
    for mut run in part.runs {
        run.entrants.iter_mut().for_each(|entrant| *entrant = numbers[*entrant]);
        whole.runs.push(run);
    }
}

/// Combines two samples of the same comparison: the mean weights each by its decided games.
fn join_pair(all: &mut Vec<StoredPair>, pair: StoredPair) {
    let swapped = |pair: StoredPair| StoredPair {
        a: pair.b,
        b: pair.a,
        lead: pair.lead.map(|lead| Comparison { difference: -lead.difference, ..lead }),
        ..pair
    };
    let Some(whole) = all
        .iter_mut()
        .find(|other| (&other.a, &other.b) == (&pair.a, &pair.b) || (&other.a, &other.b) == (&pair.b, &pair.a))
    else {
        all.push(pair);
        return;
    };
    let pair = if whole.a == pair.a { pair } else { swapped(pair) };
    let decided = (whole.decided + pair.decided).max(1.0);
    let (mine, theirs) = (whole.decided / decided, pair.decided / decided);
    whole.lead = whole.lead.zip(pair.lead).map(|(one, other)| Comparison {
        difference: mine * one.difference + theirs * other.difference,
        standard_error: (mine * one.standard_error).hypot(theirs * other.standard_error),
        sets: one.sets + other.sets,
        unequal: one.unequal.zip(other.unequal).and_then(|(one, other)| one.joined(other)),
    });
    whole.decided = decided;
}

/// The number of the family of tests to which a pair belongs.
pub(super) type Family<'a> = &'a dyn Fn(&str, &str) -> usize;

/// The claims about the pairs, with an error rate of 5% in each family. Differences and equivalences are separate families of
/// claims, adjusted separately.
fn claims(pairs: &[StoredPair], margin: f64, family: Family<'_>) -> Vec<Claim> {
    let known: Vec<(&StoredPair, Comparison)> =
        pairs.iter().filter_map(|pair| Some((pair, pair.lead.filter(|lead| lead.sets > 1)?))).collect();
    let families: Vec<usize> = known.iter().map(|(pair, _)| family(&pair.a, &pair.b)).collect();
    let adjusted = |p: &dyn Fn(&Comparison) -> Option<f64>| -> Vec<f64> {
        let mut all = vec![1.0; known.len()];
        for family in families.iter().collect::<BTreeSet<_>>() {
            let members: Vec<usize> = (0..known.len()).filter(|&at| families[at] == *family).collect();
            let raw: Vec<f64> = members.iter().map(|&at| p(&known[at].1).unwrap_or(1.0)).collect();
            members.iter().zip(holm(&raw)).for_each(|(&at, p)| all[at] = p);
        }
        all
    };
    let different = adjusted(&Comparison::p_different);
    let level = adjusted(&|lead| lead.p_not_equivalent(margin));
    let claim = |((&(pair, lead), p_different), p_equivalence): ((&(&StoredPair, Comparison), f64), f64)| Claim {
        a: pair.a.clone(),
        b: pair.b.clone(),
        lead,
        p_different,
        p_equivalence,
    };
    known.iter().zip(different).zip(level).map(claim).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn claim_requires_two_sets() {
        let pair = |sets| {
            let lead = Comparison { difference: 0.2, standard_error: 0.05, sets, unequal: None };
            StoredPair { a: "x".into(), b: format!("y{sets}"), decided: 10.0, lead: Some(lead) }
        };
        let claims = claims(&[pair(1), pair(2), pair(3)], 0.02, &|_, _| 0);
        assert_eq!(claims.iter().map(|claim| &*claim.b).collect::<Vec<_>>(), ["y2", "y3"]);
    }

    #[test]
    fn pair_of_another_family_does_not_change_a_claim() {
        let pair = |b: &str| {
            let lead = Comparison { difference: 0.1, standard_error: 0.045, sets: 400, unequal: None };
            StoredPair { a: "x".into(), b: b.into(), decided: 10.0, lead: Some(lead) }
        };
        let p = |pairs: &[StoredPair], family: Family<'_>| claims(pairs, 0.02, family)[0].p_different;
        let (alone, two) = ([pair("y")], [pair("y"), pair("z")]);
        let is_z = |_: &str, b: &str| usize::from(b == "z");
        assert!((p(&two, &is_z) - p(&alone, &is_z)).abs() < 1e-12);
        assert!(p(&two, &|_, _| 0) > 1.5 * p(&alone, &is_z), "one family is corrected for both");
    }
}
