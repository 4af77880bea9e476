//! `unolab replay` and `unolab watch`: play game records again, to check them or to show them in the terminal or on a page.

use std::collections::BTreeSet;
use std::io::{IsTerminal, stdin, stdout};
use std::path::{Path, PathBuf};

use crate::watch::{Analysis, ColorMode, Game, TextTranscript, View, game, page};
use anyhow::{Context, bail};
use clap::Args;
use serde_json::json;
use unolab_agents::goal::Goal;
use unolab_agents::search::policy::Policy;
use unolab_agents::search::valuation::Valuation;
use unolab_arena::run::driver;
use unolab_arena::run::execution::all_cores;
use unolab_engine::record::{ReplayedRecord, replay};
use unolab_engine::seat::Seat;

use super::driver::json::{JsonObject, one_table, print_json};
use super::driver::tournament::odds_in_words;
use crate::args::{any_number, number, parse_goal, parse_policy};
use crate::disk::{check_not_run_file, record_text, records, write_whole};
use crate::exit::Exit;
use crate::output::{print, shown, warn};

/// Game records to play again.
#[derive(Debug, Args)]
pub(crate) struct ReplayArgs {
    /// Game records (JSON Lines), as --record writes them, or directories that contain records
    #[arg(required = true, value_name = "RECORD")]
    pub(crate) files: Vec<PathBuf>,
    /// Print the game in readable form
    #[arg(long)]
    pub(crate) show: bool,
    /// Print the game move by move, and wait for Enter after each move
    #[arg(long)]
    pub(crate) step: bool,
    /// Write an HTML page that shows all records
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    /// The point of view, and how to evaluate the decisions.
    #[command(flatten)]
    pub(crate) seen: ViewArgs,
    /// Print the result as one JSON object
    #[arg(long, conflicts_with_all = ["show", "step"])]
    pub(crate) json: bool,
}

/// Game records to look at.
#[derive(Debug, Args)]
pub(crate) struct WatchArgs {
    /// Game records (JSON Lines), as --record writes them, or directories that contain records
    #[arg(required = true, value_name = "RECORD")]
    pub(crate) files: Vec<PathBuf>,
    /// Open the page for this player: its mistakes, its curve, and its decisions
    #[arg(long, value_name = "NAME")]
    pub(crate) player: Option<String>,
    /// Open the page at this move of a single record
    #[arg(long = "move", value_name = "N", value_parser = any_number)]
    pub(crate) number: Option<u64>,
    /// The point of view, and how to evaluate the decisions.
    #[command(flatten)]
    pub(crate) seen: ViewArgs,
}

/// The point of view, and how to evaluate the decisions.
#[derive(Debug, Args)]
pub(crate) struct ViewArgs {
    /// Show only the information of the player who began in this seat
    #[arg(long, value_name = "K", value_parser = number::<u8>(0..=9))]
    pub(crate) seat: Option<u8>,
    /// Evaluate every decision: play out every legal action in this number of sampled deals of the unseen cards
    #[arg(long, value_name = "N", value_parser = number::<u32>(2..=1_000_000))]
    pub(crate) worlds: Option<u32>,
    /// The agent that plays the rollouts: random, greedy, card-ranking, mixbot, heuristic, or net
    #[arg(long, value_name = "NAME", default_value = "mixbot", value_parser = parse_policy, requires = "worlds")]
    pub(crate) policy: Policy,
    /// The value of a finished round in the rollouts: win, points, or match
    #[arg(long, value_name = "NAME", default_value = "win", value_parser = parse_goal, requires = "worlds")]
    pub(crate) goal: Goal,
    /// The seed of the rollouts
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = any_number, requires = "worlds")]
    pub(crate) seed: u64,
}

/// Replays every record, regardless of errors in others.
pub(crate) fn run(args: &ReplayArgs) -> anyhow::Result<Exit> {
    let (mut exit, mut games, mut rows) = (Exit::Done, Vec::new(), Vec::new());
    let is_wanted = args.show || args.step || args.html.is_some();
    let of_a_view = [("--seat", args.seen.seat.is_some()), ("--worlds", args.seen.worlds.is_some())];
    if let Some((flag, _)) = of_a_view.into_iter().find(|(_, is_given)| *is_given && !is_wanted) {
        bail!("{flag}: changes what is shown; add --show, --step or --html FILE");
    }
    let files = records(&args.files)?;
    if let Some(html) = &args.html {
        check_not_record(html, &files)?;
        check_not_run_file("--html", html)?;
    }
    for file in &files {
        let found = record_text(file).and_then(|text| {
            let named = |error: String| format!("{}: {error}", file.display());
            let replayed = replay(&text, &mut |_| ()).map_err(|error| named(error.to_string()))?;
            let game = is_wanted.then(|| seen(file, &text, &args.seen).map_err(named)).transpose()?;
            Ok((replayed, game))
        });
        match found {
            Ok((ReplayedRecord { rounds, points, places, counted, checksum, .. }, game)) => {
                if let Some(game) = game {
                    if args.show || args.step {
                        print_game(&game, args.step)?;
                    }
                    games.push(game);
                }
                if args.json {
                    let (counted_points, counted_places) = counted.unzip();
                    rows.push(json!({
                        "record": file.display().to_string(), "rounds": rounds, "points": points, "places": places,
                        "counted_points": counted_points, "counted_places": counted_places,
                        "checksum": checksum.to_string(),
                    }));
                    continue;
                }
                let counted = counted.map_or_else(String::new, |(points, places)| {
                    format!(", counted points {}, counted places {}", spaced(&points), spaced(&places))
                });
                let (file, points, places) = (shown(file), spaced(&points), spaced(&places));
                print(&format!(
                    "{file}: fits, rounds {rounds}, points {points}, places {places}{counted}, checksum {checksum}\n"
                ))?;
            }
            Err(reason) => {
                warn(&format!("error: {reason}"));
                exit = Exit::BadInput;
            }
        }
    }
    if let Some(html) = args.html.as_ref().filter(|_| exit == Exit::Done) {
        write_whole(html, page(&games))?;
        if !args.json {
            print(&format!("page in {}\n", shown(html)))?;
        }
    }
    if args.json && exit == Exit::Done {
        print_json("replay", JsonObject::new(), one_table("replay", rows))?;
    }
    Ok(exit)
}

/// Checks that a page does not replace a record.
fn check_not_record(html: &Path, records: &[PathBuf]) -> anyhow::Result<()> {
    let is_there =
        |record: &PathBuf| record.canonicalize().ok().zip(html.canonicalize().ok()).is_some_and(|(a, b)| a == b);
    if html.extension().is_some_and(|extension| extension == "jsonl") || records.iter().any(is_there) {
        bail!(
            "--html {}: is the name of a game record; allowed: the name of a page, such as game.html",
            html.display()
        );
    }
    Ok(())
}

/// Writes the page into a temporary file and opens it.
pub(crate) fn watch(args: &WatchArgs) -> anyhow::Result<Exit> {
    let mut games = Vec::new();
    for file in &records(&args.files)? {
        let text = record_text(file).map_err(anyhow::Error::msg)?;
        games.push(seen(file, &text, &args.seen).map_err(|error| anyhow::anyhow!("{}: {error}", file.display()))?);
    }
    let place = place(&games, args)?;
    let page_file =
        tempfile::Builder::new().prefix("unolab-").suffix(".html").tempfile().context("a temporary file")?;
    let page_file: PathBuf = page_file.into_temp_path().keep().context("a temporary file")?;
    write_whole(&page_file, page(&games))?;
    let address = match place {
        Some(place) => format!("{}#{place}", file_address(&page_file)),
        None => page_file.display().to_string(),
    };
    print(&format!("page in {address}\n"))?;
    if let Err(error) = open::that_detached(&address) {
        warn(&format!("no browser could be started ({error}); open the page yourself"));
    }
    Ok(Exit::Done)
}

/// The position in the page, as the fragment of its address; `None` for the beginning.
fn place(games: &[Game], args: &WatchArgs) -> anyhow::Result<Option<String>> {
    let mut place = Vec::new();
    if let Some(player) = &args.player {
        let names: BTreeSet<&str> = games.iter().flat_map(|game| &game.players).map(String::as_str).collect();
        if !names.contains(player.as_str()) {
            let allowed = names.into_iter().collect::<Vec<_>>().join(", ");
            bail!("--player {player}: unknown player; allowed: {allowed}");
        }
        place.push(format!("player={}", percent_encoded(player.as_bytes(), "")));
    }
    if let Some(number) = args.number {
        let [game] = games else { bail!("--move {number}: needs a single record, found {}", games.len()) };
        let last = game.frames.len().saturating_sub(1);
        if usize::try_from(number).map_or(true, |number| number > last) {
            bail!("--move {number}: unknown move; allowed: 0 to {last}");
        }
        place.push(format!("move={number}"));
    }
    Ok(Some(place.join("&")).filter(|place| !place.is_empty()))
}

/// The address of a file. A drive letter of Windows follows a slash.
fn file_address(file: &Path) -> String {
    let path = percent_encoded(file.as_os_str().as_encoded_bytes(), if cfg!(windows) { "\\/:" } else { "/" });
    if cfg!(windows) { format!("file:///{}", path.replace('\\', "/")) } else { format!("file://{path}") }
}

/// A text as a part of an address; the characters of `kept` are not encoded.
fn percent_encoded(text: &[u8], kept: &str) -> String {
    let byte = |&byte: &u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' => char::from(byte).to_string(),
        _ if kept.as_bytes().contains(&byte) => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    };
    text.iter().map(byte).collect()
}

fn seen(file: &Path, text: &str, args: &ViewArgs) -> Result<Game, String> {
    let name = file.file_stem().map_or_else(|| file.display().to_string(), |name| name.to_string_lossy().into_owned());
    let view = args.seat.map_or(View::Open, |seat| View::Player(Seat::new(seat.into())));
    let analysis = args.worlds.map(|worlds| Analysis {
        valuation: Valuation { worlds, policy: args.policy, goal: args.goal },
        seed: args.seed,
    });
    let pool = driver::pool(all_cores()).map_err(|error| error.to_string())?;
    let game = pool.install(|| game(&name, text, view, analysis)).map_err(|error| error.to_string())?;
    match args.seat {
        Some(seat) if usize::from(seat) >= game.players.len() => {
            Err(format!("--seat {seat}: this game has seats 0 to {}", game.players.len() - 1))
        }
        _ => Ok(game),
    }
}

/// Prints the game, in color if standard output is a terminal that supports it.
fn print_game(game: &Game, is_stepped: bool) -> anyhow::Result<()> {
    let ink = match anstream::AutoStream::choice(&stdout()) {
        anstream::ColorChoice::Never => ColorMode::Plain,
        _ => ColorMode::Colored,
    };
    let story = TextTranscript::new(&game.players, &game.frames, ink);
    print(&(story.title(&game.variant) + &odds_in_words(&game.players, &game.extra_cards)))?;
    let mut waits = is_stepped;
    for number in 0..game.frames.len() {
        print(&story.frame(number))?;
        if waits && number + 1 < game.frames.len() {
            let mut line = String::new();
            if stdin().is_terminal() {
                print("[Enter: next move, q: stop] ")?;
            }
            // If no user can press Enter, the rest is printed immediately.
            waits = stdin().read_line(&mut line).context("standard input")? > 0;
            if line.trim() == "q" {
                break;
            }
        }
    }
    Ok(())
}

fn spaced(numbers: &[impl ToString]) -> String {
    numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn address_of_file_is_percent_encoded() {
        assert_eq!(file_address(Path::new("/tmp/t #1%20?/ü.html")), "file:///tmp/t%20%231%2520%3F/%C3%BC.html");
    }
}
