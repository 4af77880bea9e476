//! The game line by line, for a terminal, over ssh, or with a script as its input.

use std::io::{BufRead, IsTerminal, Write, stdin, stdout};

use anyhow::Context;
use unolab::agents::registry::Registry;
use unolab::record::Unit;
use unolab::seat::Seat;
use unolab::watch::{ColorMode, Perspective, TextTranscript, colored_card};

use crate::args::Args;
use crate::session::{Judgment, Session};
use crate::table::{Table, check_record_file, save};

const HELP: &str = "\
A number or an action in the notation answers (`2`, `play r7`, `play W g`, `draw`). Also:
  hint     the value of each action, by rollouts
  mistake  the same for your last move
  back     take back your last move
  again    deal the same cards again
  new      deal other cards
  save F   save the game in file F, with all hands
  quit     stop here
";

/// Plays in the terminal until the game is over, the input ends or a person quits.
///
/// # Errors
/// The arguments cannot be played, or the terminal or the record cannot be written.
pub fn run(args: &Args, registry: &Registry) -> anyhow::Result<()> {
    let mut table = Table::of(args, registry)?;
    let ink = match anstream::AutoStream::choice(&stdout()) {
        anstream::ColorChoice::Never => ColorMode::Plain,
        _ => ColorMode::Colored,
    };
    let input = stdin();
    let is_echoed = !input.is_terminal();
    play(&mut table, args, ink, is_echoed, &mut input.lock(), &mut stdout().lock())
}

/// The frames of the round of this number that a player has seen.
#[derive(Debug, Default, Clone, Copy)]
struct PrintedUpTo {
    round: usize,
    frames: usize,
}

fn play(
    table: &mut Table,
    args: &Args,
    ink: ColorMode,
    is_echoed: bool,
    input: &mut impl BufRead,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let people: Vec<Seat> = table.session.people().iter().collect();
    writeln!(out, "{}Type `help` for a list of commands.", title(&table.session))?;
    let mut told = vec![PrintedUpTo::default(); people.len()];
    let mut last_person = None;
    loop {
        match table.reload() {
            Ok(true) => {
                told.fill(PrintedUpTo::default());
                writeln!(out, "the variant file has been saved: dealt again")?;
            }
            Ok(false) => {}
            Err(reason) => writeln!(out, "the variant file cannot be played: {reason}")?,
        }
        let session = &mut table.session;
        let known_faults = session.faults().count();
        session.advance();
        if let Some(text) = session.describe_faults_after(known_faults) {
            writeln!(out, "{text}")?;
        }
        let asked = session.asked().map(|(seat, kind)| (seat, session.player_at(seat), kind));
        // With several people at one terminal, events for a person are printed only at that person's turn.
        let listener = asked.map_or_else(|| people.first().copied(), |(_, player, _)| Some(player));
        if let (Some(player), true) = (listener, people.len() > 1)
            && last_person != Some(player)
        {
            let name = session.setup().participants[player.index()].name();
            // The next person must not see the hand of the last one.
            if !is_echoed {
                write!(out, "\u{1b}[2J\u{1b}[3J\u{1b}[H{name}, it is your turn: press Enter to see your cards. ")?;
                out.flush()?;
                read_line(input)?;
            }
            writeln!(out, "\n===== for {name} =====")?;
            last_person = Some(player);
        }
        if let Some(at) = listener.and_then(|player| people.iter().position(|&other| other == player)) {
            print_events(session, people[at], &mut told[at], ink, out)?;
        }
        let Some((_, player, kind)) = asked else {
            if let Some(file) = args.record_file() {
                save(session, file)?;
            }
            print_round_end(session, ink, out)?;
            if session.is_over() {
                return print_end(session, out);
            }
            session.next_round().map_err(anyhow::Error::msg)?;
            told.fill(PrintedUpTo::default());
            continue;
        };
        let legal = session.legal();
        let options = session.options();
        let numbered: Vec<String> = legal
            .iter()
            .enumerate()
            .map(|(index, action)| {
                let name = options.get(index).map_or_else(String::new, |option| format!(" ({})", option.name));
                format!("{}: {}{name}", index + 1, colored(action, ink))
            })
            .collect();
        write!(out, "{} ({kind}) [{}] > ", session.setup().participants[player.index()].name(), numbered.join("  "))?;
        out.flush()?;
        if let Some(file) = args.record_file() {
            save(session, file)?;
        }
        let Some(line) = read_line(input)? else {
            writeln!(out, "\nthe input has ended; the game is cut off here")?;
            return args.record_file().map_or(Ok(()), |file| save(session, file));
        };
        let line = line.trim();
        if is_echoed {
            writeln!(out, "{line}")?;
        }
        match line.split_once(' ').map_or((line, ""), |(word, rest)| (word, rest.trim())) {
            ("", _) => {}
            ("help" | "?", _) => write!(out, "{HELP}")?,
            ("quit" | "q", _) => return args.record_file().map_or(Ok(()), |file| save(session, file)),
            ("hint", _) => judge(session.hint(), ink, out)?,
            ("mistake", _) => judge(session.judge_last(player), ink, out)?,
            ("back", _) => match session.take_back(player) {
                Ok(()) => {
                    told.fill(PrintedUpTo::default());
                    writeln!(out, "taken back")?;
                }
                Err(reason) => writeln!(out, "{reason}")?,
            },
            ("again", _) => {
                session.deal_again();
                told.fill(PrintedUpTo::default());
            }
            ("new", _) => {
                table.new_game()?;
                told.fill(PrintedUpTo::default());
            }
            // A record shows all hands.
            ("save", _) if people.len() > 1 && !session.is_over() => {
                writeln!(out, "save: with several people the game can be saved only when it is over")?;
            }
            ("save", "") => writeln!(out, "save needs the name of a file")?,
            ("save", file) => match check_record_file(file.as_ref()).and_then(|()| save(session, file.as_ref())) {
                Ok(()) => writeln!(out, "saved in {file}")?,
                Err(error) => writeln!(out, "save: {error:#}")?,
            },
            _ => {
                let by_number = line.parse::<usize>().ok().and_then(|number| legal.get(number.checked_sub(1)?));
                if let Err(reason) = session.answer(player, by_number.map_or(line, String::as_str)) {
                    writeln!(out, "{reason}")?;
                }
            }
        }
    }
}

/// The next line; `None` at the end of the input. Bytes that are not UTF-8 become replacement characters, so the game continues.
fn read_line(input: &mut impl BufRead) -> anyhow::Result<Option<String>> {
    let mut line = Vec::new();
    let len = input.read_until(b'\n', &mut line).context("standard input")?;
    Ok((len > 0).then(|| String::from_utf8_lossy(&line).into_owned()))
}

fn title(session: &Session) -> String {
    let names: Vec<String> = session
        .setup()
        .participants
        .iter()
        .enumerate()
        .map(|(seat, participant)| format!("{seat} {}", participant.name()))
        .collect();
    // The seed determines the future cards, so it is not shown if several people play.
    let seed = if session.people().len() > 1 { String::new() } else { format!(", seed {}", session.setup().seed) };
    format!("{}{seed}: {}\n", session.setup().rules.name(), names.join(", "))
}

fn print_events(
    session: &Session,
    player: Seat,
    told: &mut PrintedUpTo,
    ink: ColorMode,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let frames = session.frames(session.seat_of(player).map_or(Perspective::Bystander, Perspective::Seat));
    let round = frames.first().and_then(|frame| frame.deal.as_ref()).map_or(0, |deal| deal.round as usize);
    if told.round != round {
        *told = PrintedUpTo { round, frames: 0 };
    }
    let names: Vec<String> =
        session.setup().participants.iter().map(|participant| participant.name().to_owned()).collect();
    let story = TextTranscript::new(&names, &frames, ink);
    for number in told.frames..frames.len() {
        write!(out, "{}", story.frame(number))?;
    }
    told.frames = frames.len();
    Ok(())
}

fn judge(found: Result<Judgment, String>, ink: ColorMode, out: &mut impl Write) -> anyhow::Result<()> {
    match found {
        Err(reason) => writeln!(out, "{reason}")?,
        Ok(Judgment { values, chosen, options }) => {
            for (action, value) in &values {
                let option =
                    action.strip_prefix("choose ").and_then(|number| options.get(number.parse::<usize>().ok()?));
                let name = option.map_or_else(String::new, |option| format!(" ({option})"));
                let mark = if chosen.as_ref() == Some(action) { "  <- yours" } else { "" };
                writeln!(
                    out,
                    "  {:5.1}% {:14}{name} behind the best by {:.1} ± {:.1}{mark}",
                    100.0 * value.value,
                    colored(action, ink),
                    100.0 * value.regret,
                    100.0 * value.regret_se
                )?;
            }
        }
    }
    Ok(())
}

/// An action in the notation, with its card in color.
fn colored(action: &str, ink: ColorMode) -> String {
    match action.split_once(' ') {
        Some((word @ ("play" | "protect" | "discard-all"), rest)) => {
            let (card, after) =
                rest.split_once(' ').map_or((rest, String::new()), |(card, more)| (card, format!(" {more}")));
            format!("{word} {}{after}", colored_card(card, ink))
        }
        _ => action.into(),
    }
}

/// The cards left in each hand, their points, and what each player has scored.
fn print_round_end(session: &Session, ink: ColorMode, out: &mut impl Write) -> anyhow::Result<()> {
    let (rules, round) = (&session.setup().rules, session.round());
    let points = round.points();
    writeln!(out, "the round is over; cards left:")?;
    for seat in round.state().seats() {
        let (player, hand) = (session.player_at(seat).index(), round.state().hand(seat));
        let cards: Vec<String> = hand.iter().map(|card| colored_card(rules.code(card), ink)).collect();
        let cards = if cards.is_empty() { "none".into() } else { cards.join(" ") };
        let sum: u32 = hand.iter().map(|card| rules.points(card)).sum();
        let scored = points.get(seat.index()).copied().unwrap_or(0);
        let total = match session.setup().unit {
            Unit::Round => String::new(),
            Unit::Match => format!(", total {}", session.scores()[player]),
        };
        writeln!(
            out,
            "  {}: {cards}, {sum} points; scored {scored}{total}",
            session.setup().participants[player].name()
        )?;
    }
    Ok(())
}

fn print_end(session: &Session, out: &mut impl Write) -> anyhow::Result<()> {
    let places = session.places().unwrap_or_default();
    let mut order: Vec<usize> = (0..places.len()).collect();
    order.sort_by_key(|&player| places[player]);
    writeln!(out, "the game is over")?;
    for player in order {
        let (name, points) = (session.setup().participants[player].name(), session.scores()[player]);
        writeln!(out, "  {}. {name}, {points} points", places[player])?;
    }
    Ok(())
}
