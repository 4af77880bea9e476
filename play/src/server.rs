//! The table on a page, served to this machine (or, with `--lan`, to the house).
//!
//! Every address begins with a secret token, which says whose hands its holder may see. A request whose `Host` is not this
//! server, or whose `Origin` is another page, is refused before it reaches the game, so that no page from elsewhere can
//! play or look on, whatever name it gives this machine (DNS rebinding).

use std::net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use anyhow::Context;
use axum::extract::{Path, Query, Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::watch;
use unolab::DecisionKind;
use unolab::agents::registry::Registry;
use unolab::seat::{Seat, SeatSet};
use unolab::watch::Eyes;

use crate::args::Args;
use crate::handheld::{Button, Handheld};
use crate::hi_score::HiScoreFile;
use crate::page;
use crate::session::{Judgement, Session, Sitter};
use crate::table::{Table, save};

/// A question waits so long for news before it is answered that there are none.
const LONGEST_WAIT: Duration = Duration::from_secs(20);

/// How often the variant file is looked at.
const LOOK: Duration = Duration::from_millis(400);

/// What an address opens: the hands of these players.
struct Door {
    token: String,
    players: SeatSet,
}

struct Shared {
    game: Mutex<Game>,
    news: watch::Sender<u64>,
    doors: Vec<Door>,
    hosts: Vec<String>,
    record: Option<PathBuf>,
}

/// What is played here.
enum Game {
    Table { table: Box<Table>, notice: String },
    Handheld(Box<Handheld>),
}

impl Shared {
    fn game(&self) -> MutexGuard<'_, Game> {
        // A panic of an agent must not end the game of everybody else.
        self.game.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tell_news(&self) {
        self.news.send_modify(|version| *version += 1);
    }

    fn door(&self, token: &str) -> Option<&Door> {
        self.doors.iter().find(|door| is_same(&door.token, token))
    }
}

/// Compares without telling by the time how much of it is right.
fn is_same(a: &str, b: &str) -> bool {
    a.len() == b.len() && a.bytes().zip(b.bytes()).fold(0, |all, (a, b)| all | (a ^ b)) == 0
}

/// Serves the game until it is stopped from outside.
///
/// # Errors
/// The arguments cannot be played, or the port cannot be had.
pub fn run(args: Args, registry: Registry) -> anyhow::Result<()> {
    let runtime = tokio::runtime::Runtime::new().context("threads for the server")?;
    runtime.block_on(serve(args, registry))
}

async fn serve(args: Args, registry: Registry) -> anyhow::Result<()> {
    let game = if args.handheld {
        Game::Handheld(Box::new(Handheld::new(new_seed(args.seed)?, HiScoreFile::own())))
    } else {
        let mut table = Table::of(&args, &registry)?;
        table.session.advance();
        Game::Table { table: Box::new(table), notice: String::new() }
    };
    let ip = if args.lan { Ipv4Addr::UNSPECIFIED } else { Ipv4Addr::LOCALHOST };
    let listener = tokio::net::TcpListener::bind(SocketAddr::from((ip, args.port)))
        .await
        .with_context(|| format!("--port {}", args.port))?;
    let port = listener.local_addr().context("the port")?.port();
    let own_ip = if args.lan { house_address() } else { IpAddr::V4(Ipv4Addr::LOCALHOST) };
    let people = match &game {
        Game::Table { table, .. } => table.session.people(),
        Game::Handheld(_) => SeatSet::first(1),
    };
    let doors = doors(people, args.lan)?;
    let addresses: Vec<String> = doors.iter().map(|door| format!("http://{own_ip}:{port}/{}/", door.token)).collect();
    for (door, address) in doors.iter().zip(&addresses) {
        let who: Vec<&str> = match &game {
            Game::Table { table, .. } => {
                door.players.iter().map(|player| table.session.setup().sitters[player.index()].name()).collect()
            }
            Game::Handheld(_) => vec!["handheld"],
        };
        println!("{}: {address}", who.join(", "));
    }
    println!("Ctrl-C stops the game.");
    let hosts =
        [own_ip.to_string(), "127.0.0.1".into(), "localhost".into()].map(|host| format!("{host}:{port}")).to_vec();
    let shared = Arc::new(Shared {
        game: Mutex::new(game),
        news: watch::channel(1).0,
        doors,
        hosts,
        record: args.record.clone(),
    });
    if let (false, Some(address)) = (args.no_open, addresses.first())
        && let Err(error) = open::that_detached(address)
    {
        eprintln!("no browser could be started ({error}); open the address yourself");
    }
    tokio::spawn(watch_variant(Arc::clone(&shared)));
    axum::serve(listener, router(shared)).await.context("the server")
}

fn new_seed(seed: Option<u64>) -> anyhow::Result<u64> {
    seed.map_or_else(|| Ok(getrandom::u64().context("no random seed")? >> 16), Ok)
}

/// One address for everybody at this machine, or one for each person in the house.
fn doors(people: SeatSet, is_lan: bool) -> anyhow::Result<Vec<Door>> {
    let token = || -> anyhow::Result<String> {
        Ok(format!("{:016x}{:016x}", getrandom::u64().context("no token")?, getrandom::u64().context("no token")?))
    };
    if is_lan {
        people.iter().map(|player| Ok(Door { token: token()?, players: SeatSet::of(player) })).collect()
    } else {
        Ok(vec![Door { token: token()?, players: people }])
    }
}

/// The address by which the house reaches this machine: the one it would send from. Nothing is sent.
fn house_address() -> IpAddr {
    UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0))
        .and_then(|socket| socket.connect((Ipv4Addr::new(192, 0, 2, 1), 9)).and_then(|()| socket.local_addr()))
        .map_or(IpAddr::V4(Ipv4Addr::LOCALHOST), |address| address.ip())
}

fn router(shared: Arc<Shared>) -> Router {
    Router::new()
        .route("/{token}/", get(the_page))
        .route("/{token}/state", get(state))
        .route("/{token}/do", post(act))
        .route("/{token}/record", get(record))
        .route("/{token}/screen", get(screen))
        .route("/{token}/press", post(press))
        .layer(middleware::from_fn_with_state(Arc::clone(&shared), guard))
        .with_state(shared)
}

/// Lets in only requests to this server, from its own pages.
async fn guard(State(shared): State<Arc<Shared>>, request: Request, next: Next) -> Response {
    let mut response = match reason_to_refuse(&shared, &request) {
        Some(reason) => refusal(StatusCode::FORBIDDEN, reason),
        None => next.run(request).await,
    };
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    response
}

fn reason_to_refuse(shared: &Shared, request: &Request) -> Option<&'static str> {
    let text = |name| request.headers().get(name).map(HeaderValue::as_bytes);
    let is_own_host = text(header::HOST).is_some_and(|host| shared.hosts.iter().any(|own| own.as_bytes() == host));
    let is_own_origin = match text(header::ORIGIN) {
        Some(origin) => shared.hosts.iter().any(|own| origin == format!("http://{own}").as_bytes()),
        // A browser names the origin of every post.
        None => request.method() != Method::POST,
    };
    let token = request.uri().path().split('/').nth(1).unwrap_or_default();
    if !is_own_host || !is_own_origin {
        Some("this page is not one of this game")
    } else if shared.door(token).is_none() {
        Some("the address is not one of this game")
    } else {
        None
    }
}

fn refusal(status: StatusCode, reason: &str) -> Response {
    (status, Json(json!({ "error": reason }))).into_response()
}

async fn the_page(State(shared): State<Arc<Shared>>) -> Response {
    let (html, policy) = match &*shared.game() {
        Game::Table { .. } => page::table(),
        Game::Handheld(_) => page::handheld(),
    };
    let mut headers = HeaderMap::new();
    if let Ok(policy) = HeaderValue::from_str(&policy) {
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    (headers, Html(html)).into_response()
}

#[derive(Deserialize)]
struct StateWanted {
    /// The player whose table is wanted.
    player: usize,
    /// What is known already.
    #[serde(default)]
    since: u64,
}

async fn state(
    State(shared): State<Arc<Shared>>,
    Path(token): Path<String>,
    Query(wanted): Query<StateWanted>,
) -> Response {
    let mut news = shared.news.subscribe();
    let _ = tokio::time::timeout(LONGEST_WAIT, news.wait_for(|&version| version != wanted.since)).await;
    in_background(shared, move |shared| {
        let players = shared.door(&token).map_or(SeatSet::EMPTY, |door| door.players);
        let version = *shared.news.borrow();
        let Game::Table { table, notice } = &*shared.game() else { return refusal(StatusCode::NOT_FOUND, "no table") };
        let player = match Seat::try_new(wanted.player) {
            Some(player) if players.contains(player) => player,
            // Before anybody has said who he is, only who may sit down here is told.
            _ => return Json(lobby(&table.session, players, version)).into_response(),
        };
        Json(seen(&table.session, player, players, version, notice)).into_response()
    })
    .await
}

/// Runs it where it may take its time.
async fn in_background(shared: Arc<Shared>, work: impl FnOnce(&Shared) -> Response + Send + 'static) -> Response {
    tokio::task::spawn_blocking(move || work(&shared)).await.unwrap_or_else(|_| {
        refusal(StatusCode::INTERNAL_SERVER_ERROR, "an agent or the game has broken down; deal again")
    })
}

fn lobby(session: &Session, players: SeatSet, version: u64) -> Value {
    json!({ "version": version, "people": people(session, players), "asks": person_asked(session, players) })
}

fn people(session: &Session, players: SeatSet) -> Vec<Value> {
    let name = |player: Seat| session.setup().sitters[player.index()].name().to_owned();
    players.iter().map(|player| json!({ "player": player.index(), "name": name(player) })).collect()
}

/// Who of these has to decide.
fn person_asked(session: &Session, players: SeatSet) -> Option<usize> {
    let (seat, _) = session.asked()?;
    let player = session.player_at(seat);
    players.contains(player).then(|| player.index())
}

/// What one player may see, and nothing else.
fn seen(session: &Session, player: Seat, players: SeatSet, version: u64, notice: &str) -> Value {
    let setup = session.setup();
    let seat = session.seat_of(player);
    let names: Vec<&str> = setup.sitters.iter().map(Sitter::name).collect();
    let asked = session.asked().filter(|(at, _)| Some(*at) == seat);
    let question = asked.map(|(at, kind)| {
        let mut question =
            json!({ "number": session.number(), "seat": at.index(), "kind": kind.word(), "actions": session.legal() });
        match kind {
            DecisionKind::Call { with } => question["with"] = setup.rules.display(with).to_string().into(),
            DecisionKind::Window { holder } => question["holder"] = holder.index().into(),
            _ => {}
        }
        question
    });
    json!({
        "version": version,
        "variant": setup.rules.name(),
        "unit": setup.unit,
        "seed": session.round_is_over().then_some(setup.seed),
        "players": names,
        "people": people(session, players),
        "asks": person_asked(session, players),
        "you": player.index(),
        "seat": seat.map(Seat::index),
        "frames": session.frames(seat.map_or(Eyes::Bystander, Eyes::Seat)),
        "cards": unolab::watch::words::names_of_blanks(&setup.rules),
        "question": question,
        "scores": session.scores(),
        "places": session.places(),
        "round_over": session.round_is_over(),
        "over": session.is_over(),
        "can_take_back": session.can_take_back(player),
        "notice": notice,
    })
}

#[derive(Deserialize)]
#[serde(tag = "do", rename_all = "snake_case", deny_unknown_fields)]
enum Wish {
    Answer { player: usize, number: usize, action: String },
    Back { player: usize },
    Again { player: usize },
    New { player: usize },
    Next { player: usize },
    Hint { player: usize },
    Mistake { player: usize },
}

impl Wish {
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

async fn act(State(shared): State<Arc<Shared>>, Path(token): Path<String>, Json(wish): Json<Wish>) -> Response {
    in_background(shared, move |shared| {
        let players = shared.door(&token).map_or(SeatSet::EMPTY, |door| door.players);
        let Some(player) = Seat::try_new(wish.player()).filter(|&player| players.contains(player)) else {
            return refusal(StatusCode::FORBIDDEN, "this address is not that player's");
        };
        let mut game = shared.game();
        let Game::Table { table, notice } = &mut *game else { return refusal(StatusCode::NOT_FOUND, "no table") };
        let session = &mut table.session;
        let done = match &wish {
            Wish::Hint { .. } => return judged(session.hint_for(player)),
            Wish::Mistake { .. } => return judged(session.judge_last(player)),
            Wish::Answer { number, action, .. } if *number == session.number() => session.answer(player, action),
            Wish::Answer { .. } => return refusal(StatusCode::CONFLICT, "the game has gone on"),
            Wish::Back { .. } => session.take_back(player),
            Wish::Next { .. } => session.next_round(),
            Wish::Again { .. } => {
                session.deal_again();
                Ok(())
            }
            Wish::New { .. } => {
                let (rules, seed) = (Arc::clone(&session.setup().rules), session.setup().seed);
                session.new_game(rules, seed.wrapping_add(1));
                Ok(())
            }
        };
        if let Err(reason) = done {
            return refusal(StatusCode::BAD_REQUEST, &reason);
        }
        notice.clear();
        session.advance();
        if let (Some(file), true) = (&shared.record, session.round_is_over())
            && let Err(error) = save(session, file)
        {
            *notice = format!("{error:#}");
        }
        drop(game);
        shared.tell_news();
        Json(json!({})).into_response()
    })
    .await
}

fn judged(found: Result<Judgement, String>) -> Response {
    match found {
        Err(reason) => refusal(StatusCode::BAD_REQUEST, &reason),
        Ok(Judgement { values, chosen }) => {
            let values: Vec<Value> = values
                .into_iter()
                .map(|(action, value)| {
                    json!({ "action": action, "value": value.value, "regret": value.regret, "error": value.regret_se })
                })
                .collect();
            Json(json!({ "values": values, "chosen": chosen })).into_response()
        }
    }
}

/// The record shows every hand: it is there when the round is over.
async fn record(State(shared): State<Arc<Shared>>) -> Response {
    let Game::Table { table, .. } = &*shared.game() else { return refusal(StatusCode::NOT_FOUND, "no table") };
    if !table.session.round_is_over() {
        return refusal(StatusCode::CONFLICT, "the record shows all hands; it is there when the round is over");
    }
    let headers = [
        (header::CONTENT_TYPE, "application/x-ndjson"),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"game.jsonl\""),
    ];
    (headers, table.session.record()).into_response()
}

/// Deals again whenever the variant file is saved.
async fn watch_variant(shared: Arc<Shared>) {
    loop {
        tokio::time::sleep(LOOK).await;
        let shared_too = Arc::clone(&shared);
        let _ = tokio::task::spawn_blocking(move || {
            let mut game = shared_too.game();
            let Game::Table { table, notice } = &mut *game else { return };
            match table.reload() {
                Ok(false) => return,
                Ok(true) => {
                    table.session.advance();
                    *notice = "The variant file has been saved: dealt again by its rules.".into();
                }
                Err(reason) => *notice = format!("The variant file cannot be played, so the rules stay: {reason}"),
            }
            drop(game);
            shared_too.tell_news();
        })
        .await;
    }
}

async fn screen(State(shared): State<Arc<Shared>>) -> Response {
    in_background(shared, |shared| {
        let Game::Handheld(handheld) = &mut *shared.game() else {
            return refusal(StatusCode::NOT_FOUND, "no handheld");
        };
        handheld.tick(now());
        Json(handheld.screen()).into_response()
    })
    .await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Press {
    button: Button,
    /// Held for two seconds.
    #[serde(default)]
    held: bool,
}

async fn press(State(shared): State<Arc<Shared>>, Json(press): Json<Press>) -> Response {
    in_background(shared, move |shared| {
        let Game::Handheld(handheld) = &mut *shared.game() else {
            return refusal(StatusCode::NOT_FOUND, "no handheld");
        };
        handheld.tick(now());
        if press.held {
            handheld.hold(press.button, now());
        } else {
            handheld.press(press.button, now());
        }
        Json(handheld.screen()).into_response()
    })
    .await
}

/// Milliseconds since this program first asked.
fn now() -> u64 {
    use std::sync::OnceLock;
    use std::time::Instant;
    static BEGIN: OnceLock<Instant> = OnceLock::new();
    u64::try_from(BEGIN.get_or_init(Instant::now).elapsed().as_millis()).unwrap_or(u64::MAX)
}
