//! `--record`: the directory of the records that the arguments request.

use anyhow::bail;
use unolab_arena::experiment::records::{RecordFilter, Records};
use unolab_arena::schedule::contest::Contest;
use unolab_arena::schedule::seating::EntrantId;

use crate::args::{RecordOnly, RunArgs};
use crate::disk::{check_no_broken_link, is_inside};

/// The records that the arguments request. Before the first game this checks that their directory is empty and writable.
pub(super) fn requested(contest: &Contest, args: &RunArgs) -> anyhow::Result<Option<Records>> {
    let Some((directory, sets)) = args.record.clone().zip(args.recorded_sets()) else { return Ok(None) };
    check_no_broken_link("--record", &directory)?;
    // The directory of the records contains only records. It may be inside the run directory.
    if let Some(out) = args.common.out.as_deref().filter(|out| is_inside(out, &directory)) {
        bail!("--record {}: cannot have --out {} in it; choose another directory", directory.display(), out.display());
    }
    let only = args.record_only.as_ref().map(|only| chosen(contest, only)).transpose()?;
    let records = Records { directory, sets, only };
    records.check(args.common.start())?;
    Ok(Some(records))
}

/// The selected games; an entrant is identified by its name.
fn chosen(contest: &Contest, only: &RecordOnly) -> anyhow::Result<RecordFilter> {
    Ok(match only {
        RecordOnly::Fault => RecordFilter::Fault,
        RecordOnly::Every(games) => RecordFilter::Every(*games),
        RecordOnly::Lost(name) => {
            let names: Vec<&str> = contest.spec().entrants.iter().map(|entrant| &*entrant.name).collect();
            let Some(number) = names.iter().position(|entrant| entrant == name) else {
                bail!("--record-only lost:{name}: unknown entrant; allowed: {}", names.join(", "));
            };
            RecordFilter::Lost(EntrantId::new(number))
        }
    })
}
