//! The list of commands in `unolab --help`, by task.

use std::fmt::Write as _;

use clap::Command;

/// The commands of each task, the main ones first.
const GROUPS: [(&str, &[&str]); 6] = [
    ("Run experiments", &["tournament", "match", "sprt", "balance", "tune", "exploit", "coverage", "status"]),
    ("Analyze results", &["rate", "compare", "report", "verify", "analyze"]),
    ("Develop a bot", &["bot", "check", "debug", "ladder", "spsa", "agents"]),
    ("Inspect games and rules", &["replay", "watch", "scenario", "perft", "variants"]),
    ("Train and play", &["train", "play"]),
    ("Scale and install", &["merge", "worker", "bench", "completions", "man", "help"]),
];

/// The command line with a help that lists the commands by task.
pub(super) fn grouped(mut command: Command) -> Command {
    command.build();
    let template = format!(
        "{{before-help}}{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{}{{all-args}}{{after-help}}",
        list(&command)
    );
    // The list in the template replaces the list without groups. Hidden commands still work and are suggested.
    let usage = "unolab [OPTIONS]\n       unolab <COMMAND>";
    command.mut_subcommands(|subcommand| subcommand.hide(true)).override_usage(usage).help_template(template)
}

fn list(command: &Command) -> String {
    let styles = command.get_styles();
    let (header, literal) = (styles.get_header(), styles.get_literal());
    let width = command.get_subcommands().map(|subcommand| subcommand.get_name().len()).max().unwrap_or(0);
    let mut text = String::new();
    for (heading, names) in GROUPS {
        let _ = writeln!(text, "{header}{heading}:{header:#}");
        for subcommand in names.iter().filter_map(|name| command.find_subcommand(name)) {
            let (name, about) = (subcommand.get_name(), subcommand.get_about().cloned().unwrap_or_default());
            let _ = writeln!(text, "  {literal}{name}{literal:#}{:1$}  {about}", "", width - name.len());
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn command_is_in_one_group_and_fits_line() {
        let command = grouped(super::super::command());
        let mut names: Vec<&str> = command.get_subcommands().map(Command::get_name).collect();
        let mut grouped: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| *names).copied().collect();
        names.sort_unstable();
        grouped.sort_unstable();
        assert_eq!(names, grouped);
        let text = super::super::read(["unolab", "--help"]).unwrap_err().to_string();
        for name in names {
            assert_eq!(text.matches(&format!("\n  {name} ")).count(), 1, "{name}: {text}");
        }
        for line in text.lines().skip_while(|line| *line != "Run experiments:").take_while(|line| *line != "Options:") {
            assert!(line.chars().count() <= 80, "{line}");
        }
    }
}
