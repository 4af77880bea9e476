//! The report of a run: one self-contained HTML page, and its plots as SVG files.
//!
//! A report is generated only from the CSV files and `run.json`, so it can be generated at any time. The same files give the
//! same page: the time and the machine in `run.json` are omitted.
//!
//! [`maud`] writes both HTML and SVG and escapes everything that is not a literal. This module draws the plots without a
//! plotting library, because they must follow the reader's light or dark theme, be light in print, be accessible to screen
//! readers, and be legible on a phone. This needs classes and titles in the SVG.

mod answer;
mod facts;
pub mod figure;
pub mod front;
mod glossary;
mod input;
pub mod ladder;
pub mod learning_curve;
mod numbers;
mod page;
mod plot;
mod section;
mod table;

use input::Input;
pub use input::{FILES, ReportError};

/// The name of the page in the run directory.
pub const PAGE_FILE: &str = "report.html";
/// The text that identifies a page of unolab.
pub(crate) const GENERATOR: &str = "unolab report";

/// The name of the directory of plots next to the page.
pub const PLOTS_DIR: &str = "plots";

/// A report, ready to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// The page.
    pub html: String,
    /// The plots of the page, each in a separate file.
    pub plots: Vec<PlotFile>,
}

/// A plot as a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlotFile {
    /// The name of the file.
    pub name: String,
    /// Its content.
    pub svg: String,
}

impl Report {
    /// The report of these files (name and bytes). Names that are not in [`FILES`] are ignored.
    ///
    /// # Errors
    /// If a file is invalid, or none of them is a table.
    pub fn of(files: &[(&str, &[u8])]) -> Result<Self, ReportError> {
        let input = Input::read(files)?;
        let sections = section::all(&input);
        let across = section::across::all(&sections);
        let plots = across.iter().chain(sections.iter().flat_map(|section| &section.plots)).map(plot::Plot::to_file);
        Ok(Self { plots: plots.collect(), html: page::page(&input, &sections, &across).into_string() })
    }
}

#[cfg(test)]
mod tests;
