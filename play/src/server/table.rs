//! Requests of the table's page: the view and the actions of one player.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::{Value, json};
use unolab::DecisionKind;
use unolab::rules::UnoCalls;
use unolab::seat::{Seat, SeatSet};
use unolab::watch::Perspective;
use unolab::watch::clauses::{TEXTS, of_card};

use super::reply::{in_background, refusal};
use super::shared::{Game, Shared};
use crate::session::{Judgment, Participant, Session};
use crate::table::save;

/// The longest time that a request waits for news before it gets an empty answer.
const LONGEST_WAIT: Duration = Duration::from_secs(20);

#[derive(Deserialize)]
pub(super) struct StateQuery {
    /// The player whose view is requested.
    player: usize,
    /// The number of the known state.
    #[serde(default)]
    since: u64,
}

pub(super) async fn state(
    State(shared): State<Arc<Shared>>,
    Path(token): Path<String>,
    Query(wanted): Query<StateQuery>,
) -> Response {
    let mut news = shared.news.subscribe();
    let _ = tokio::time::timeout(LONGEST_WAIT, news.wait_for(|&version| version != wanted.since)).await;
    in_background(shared, move |shared| {
        let players = shared.door(&token).map_or(SeatSet::EMPTY, |door| door.players);
        let game = shared.game();
        // The number of the state is read, and increased, while the game is locked: so each number belongs to one state.
        let version = *shared.news.borrow();
        let Game::Table { table, notice } = &*game else { return refusal(StatusCode::NOT_FOUND, "no table") };
        let player = match Seat::try_new(wanted.player) {
            Some(player) if players.contains(player) => player,
            // Before a person has chosen a player, the answer has only the players of this address.
            _ => return Json(lobby(&table.session, players, version)).into_response(),
        };
        Json(seen(&table.session, player, players, version, notice)).into_response()
    })
    .await
}

fn lobby(session: &Session, players: SeatSet, version: u64) -> Value {
    json!({ "version": version, "people": people(session, players), "asks": person_asked(session, players) })
}

fn people(session: &Session, players: SeatSet) -> Vec<Value> {
    let name = |player: Seat| session.setup().participants[player.index()].name().to_owned();
    players.iter().map(|player| json!({ "player": player.index(), "name": name(player) })).collect()
}

/// The person who has to decide, if any.
fn person_asked(session: &Session, players: SeatSet) -> Option<usize> {
    let (seat, _) = session.asked()?;
    let player = session.player_at(seat);
    players.contains(player).then(|| player.index())
}

/// The view of one player.
fn seen(session: &Session, player: Seat, players: SeatSet, version: u64, notice: &str) -> Value {
    let setup = session.setup();
    let seat = session.seat_of(player);
    let names: Vec<&str> = setup.participants.iter().map(Participant::name).collect();
    let asked = session.asked().filter(|(at, _)| Some(*at) == seat);
    let question = asked.map(|(at, kind)| {
        let mut question =
            json!({ "number": session.number(), "seat": at.index(), "kind": kind.word(), "actions": session.legal() });
        match kind {
            DecisionKind::Call { with } => question["with"] = setup.rules.display(with).to_string().into(),
            DecisionKind::Choice => {
                question["options"] = session.options().iter().map(|option| &*option.name).collect();
            }
            DecisionKind::Window { holder } => question["holder"] = holder.index().into(),
            _ => {}
        }
        question
    });
    let frames = session.frames(seat.map_or(Perspective::Bystander, Perspective::Seat));
    let help = help_on_hand(session, seat);
    let clauses: BTreeMap<&str, &str> = frames
        .iter()
        .flat_map(|frame| &frame.clauses)
        .chain(help.values().flatten())
        .map(|clause| (*clause, TEXTS.get(clause).map_or("", String::as_str)))
        .collect();
    json!({
        "version": version,
        "variant": setup.rules.name(),
        "unit": setup.unit,
        // As text: not every number of 64 bits is a number of JavaScript.
        "seed": session.is_over().then(|| setup.seed.to_string()),
        "players": names,
        "people": people(session, players),
        "asks": person_asked(session, players),
        "you": player.index(),
        "seat": seat.map(Seat::index),
        "frames": frames,
        "cards": unolab::watch::words::names_of_blanks(&setup.rules),
        "question": question,
        "scores": session.scores(),
        "places": session.places(),
        "round_over": session.round_is_over(),
        "over": session.is_over(),
        "can_take_back": session.can_take_back(player),
        "notice": notice,
        "clauses": clauses,
        "help": help,
        "standings": session.standings(),
        "calls": setup.rules.parameters().uno_calls == UnoCalls::Explicit,
        "opened": session.round_is_over().then(|| opened(session)),
    })
}

/// The clauses of each card of this seat's hand.
fn help_on_hand(session: &Session, seat: Option<Seat>) -> BTreeMap<String, Vec<&'static str>> {
    let Some(seat) = seat else { return BTreeMap::new() };
    let rules = &session.setup().rules;
    let is_two_seats = session.round().state().ring().is_two_seats();
    let hand = session.round().observation(seat).hand().distinct();
    hand.iter().map(|card| (rules.code(card).to_owned(), of_card(rules, card, is_two_seats))).collect()
}

/// All hands at the end of a round, each card with its points.
fn opened(session: &Session) -> Vec<Value> {
    let rules = &session.setup().rules;
    let state = session.round().state();
    let hand = |seat: Seat| {
        let cards: Vec<(&str, u32)> =
            state.hand(seat).iter().map(|card| (rules.code(card), rules.points(card))).collect();
        let sum: u32 = cards.iter().map(|(_, points)| points).sum();
        json!({ "seat": seat.index(), "cards": cards, "sum": sum })
    };
    state.seats().map(hand).collect()
}

#[derive(Deserialize)]
#[serde(tag = "do", rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum ClientRequest {
    Answer { player: usize, number: usize, action: String },
    Back { player: usize },
    Again { player: usize },
    New { player: usize },
    Next { player: usize },
    Hint { player: usize },
    Mistake { player: usize },
}

impl ClientRequest {
    /// The text that the other people see about it.
    const fn announced(&self) -> Option<&'static str> {
        match self {
            Self::Back { .. } => Some("took back a move."),
            Self::Again { .. } => Some("dealt the same cards again."),
            Self::New { .. } => Some("started a new game."),
            _ => None,
        }
    }

    const fn player(&self) -> usize {
        match self {
            Self::Answer { player, .. }
            | Self::Back { player }
            | Self::Again { player }
            | Self::New { player }
            | Self::Next { player }
            | Self::Hint { player }
            | Self::Mistake { player } => *player,
        }
    }
}

pub(super) async fn act(
    State(shared): State<Arc<Shared>>,
    Path(token): Path<String>,
    Json(wish): Json<ClientRequest>,
) -> Response {
    in_background(shared, move |shared| {
        let players = shared.door(&token).map_or(SeatSet::EMPTY, |door| door.players);
        let Some(player) = Seat::try_new(wish.player()).filter(|&player| players.contains(player)) else {
            return refusal(StatusCode::FORBIDDEN, "this address is not that player's");
        };
        let mut game = shared.game();
        let Game::Table { table, notice } = &mut *game else { return refusal(StatusCode::NOT_FOUND, "no table") };
        if matches!(wish, ClientRequest::New { .. })
            && let Err(error) = table.new_game()
        {
            return refusal(StatusCode::INTERNAL_SERVER_ERROR, &format!("{error:#}"));
        }
        let session = &mut table.session;
        let done = match &wish {
            ClientRequest::Hint { .. } => return judged(session.hint_for(player)),
            ClientRequest::Mistake { .. } => return judged(session.judge_last(player)),
            ClientRequest::Answer { number, action, .. } if *number == session.number() => {
                session.answer(player, action)
            }
            ClientRequest::Answer { .. } => return refusal(StatusCode::CONFLICT, "the game has moved on"),
            ClientRequest::Back { .. } => session.take_back(player),
            ClientRequest::Next { .. } => session.next_round(),
            ClientRequest::Again { .. } => {
                session.deal_again();
                Ok(())
            }
            ClientRequest::New { .. } => Ok(()),
        };
        if let Err(reason) = done {
            return refusal(StatusCode::BAD_REQUEST, &reason);
        }
        notice.clear();
        if session.people().len() > 1
            && let Some(what) = wish.announced()
        {
            *notice = format!("{} {what}", session.setup().participants[player.index()].name());
        }
        let known_faults = session.faults().count();
        session.advance();
        if let Some(text) = session.describe_faults_after(known_faults) {
            *notice = format!("{notice} {text}").trim().to_owned();
        }
        if let Some(file) = &shared.record
            && let Err(error) = save(session, file)
        {
            *notice = format!("{error:#}");
        }
        shared.broadcast_news();
        drop(game);
        Json(json!({})).into_response()
    })
    .await
}

fn judged(found: Result<Judgment, String>) -> Response {
    match found {
        Err(reason) => refusal(StatusCode::BAD_REQUEST, &reason),
        Ok(Judgment { values, chosen, options }) => {
            let values: Vec<Value> = values
                .into_iter()
                .map(|(action, value)| {
                    json!({ "action": action, "value": value.value, "regret": value.regret, "error": value.regret_se })
                })
                .collect();
            Json(json!({ "values": values, "chosen": chosen, "options": options })).into_response()
        }
    }
}
