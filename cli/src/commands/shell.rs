//! `unolab completions`, `unolab man`: shell completions and manual pages.

use std::fs;

use anyhow::Context;

use crate::args::{self, CompletionsArgs, ManArgs};
use crate::exit::Exit;
use crate::output::{print, print_bytes};

pub(crate) fn complete(args: &CompletionsArgs) -> anyhow::Result<Exit> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut args::command(), "unolab", &mut script);
    print_bytes(&script)?;
    Ok(Exit::Done)
}

pub(crate) fn man(args: &ManArgs) -> anyhow::Result<Exit> {
    let Some(folder) = &args.folder else {
        let mut page = Vec::new();
        clap_mangen::Man::new(args::command()).render(&mut page).context("the page")?;
        print_bytes(&page)?;
        return Ok(Exit::Done);
    };
    let written = fs::create_dir_all(folder).and_then(|()| clap_mangen::generate_to(args::command(), folder));
    written.with_context(|| folder.display().to_string())?;
    print(&format!("manual pages in {}\n", folder.display()))?;
    Ok(Exit::Done)
}
