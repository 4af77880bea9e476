//! The server of the table, for this machine or, with `--lan`, for the local network.
//!
//! Every address begins with a secret token, which determines the hands that its holder may see. The server rejects a request
//! whose `Host` is not this server, or whose `Origin` is another page, before it reaches the game. So other pages can neither
//! play nor watch, even if they resolve another name to this machine (DNS rebinding).

mod clock;
mod connections;
mod guard;
mod handheld;
mod player_link;
mod reply;
mod shared;
mod table;

use std::io::{Write, stderr, stdout};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use anyhow::{Context, bail};
use axum::Router;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware;
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use tokio::sync::watch;
use unolab::agents::registry::Registry;
use unolab::seat::{Seat, SeatSet};

use self::clock::Clock;
use self::connections::Limits;
use self::player_link::{doors, house_address, qr_code};
use self::reply::refusal;
use self::shared::{Game, Shared};
use crate::args::Args;
use crate::handheld::{Handheld, HiScoreFile, MOST_PLAYERS};
use crate::page;
use crate::table::{Table, begin_record, check_names, new_seed};

/// The interval of checking the variant file.
const LOOK: Duration = Duration::from_millis(400);

/// Serves the game until it is stopped from outside.
///
/// # Errors
/// The arguments cannot be played, or the port is not available.
pub fn run(args: Args, registry: &Registry) -> anyhow::Result<()> {
    let runtime = tokio::runtime::Runtime::new().context("threads for the server")?;
    runtime.block_on(serve(args, registry))
}

async fn serve(args: Args, registry: &Registry) -> anyhow::Result<()> {
    let game = if args.handheld {
        let people = check_names(&args.people)?;
        if people.len() > MOST_PLAYERS {
            bail!("--people: {} people; allowed at the handheld: 1 to {MOST_PLAYERS}", people.len());
        }
        let handheld = Handheld::new(&people, new_seed(args.seed)?, HiScoreFile::own());
        begin_record(&args, handheld.session())?;
        Game::Handheld(Box::new(handheld))
    } else {
        let mut table = Table::of(&args, registry)?;
        let known_faults = table.session.faults().count();
        table.session.advance();
        let notice = table.session.describe_faults_after(known_faults).unwrap_or_default();
        Game::Table { table: Box::new(table), notice }
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
    let owners: Vec<String> = doors
        .iter()
        .map(|door| match &game {
            Game::Table { table, .. } => {
                let name = |player: Seat| table.session.setup().participants[player.index()].name();
                door.players.iter().map(name).collect::<Vec<&str>>().join(", ")
            }
            Game::Handheld(_) => "handheld".into(),
        })
        .collect();
    let mut lines: String =
        owners.iter().zip(&addresses).map(|(owner, address)| format!("{owner}: {address}\n")).collect();
    if args.lan {
        for (owner, address) in owners.iter().zip(&addresses) {
            lines += &format!("\nAddress of {owner} for the camera of a phone:\n{}\n", qr_code(address)?);
        }
    }
    // The game can be played even if the reader of its addresses has gone.
    let _ = writeln!(stdout(), "{lines}Ctrl-C stops the game.").and_then(|()| stdout().flush());
    let hosts = hosts_of([own_ip.to_string(), "127.0.0.1".into(), "localhost".into()], port);
    let shared = Arc::new(Shared {
        game: Mutex::new(game),
        news: watch::channel(1).0,
        doors,
        hosts,
        record: args.record_file().cloned(),
        clock: Clock::new(args.clock),
    });
    if let (false, Some(address)) = (args.no_open, addresses.first())
        && let Err(error) = open::that_detached(address)
    {
        let _ = writeln!(stderr(), "no browser could be started ({error}); open the address yourself");
    }
    tokio::spawn(watch_variant(Arc::clone(&shared)));
    connections::serve(listener, router(shared), Limits::OF_A_TABLE).await
}

/// The values of `Host` that name this server. A browser omits the default port of HTTP.
fn hosts_of<const N: usize>(names: [String; N], port: u16) -> Vec<String> {
    const HTTP: u16 = 80;
    let without_port = names.iter().filter(|_| port == HTTP).cloned().collect::<Vec<_>>();
    names.into_iter().map(|name| format!("{name}:{port}")).chain(without_port).collect()
}

fn router(shared: Arc<Shared>) -> Router {
    Router::new()
        .route("/{token}", get(redirect_to_page))
        .route("/{token}/", get(serve_page))
        .route("/{token}/state", get(table::state))
        .route("/{token}/do", post(table::act))
        .route("/{token}/record", get(record))
        .route("/{token}/screen", get(handheld::screen))
        .route("/{token}/press", post(handheld::press))
        .route("/{token}/clock", post(handheld::turn_clock))
        .layer(middleware::from_fn_with_state(Arc::clone(&shared), guard::guard))
        .with_state(shared)
}

/// An address without its last slash leads to the page.
async fn redirect_to_page(Path(token): Path<String>) -> Redirect {
    Redirect::permanent(&format!("/{token}/"))
}

async fn serve_page(State(shared): State<Arc<Shared>>) -> Response {
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
            shared_too.broadcast_news();
            drop(game);
        })
        .await;
    }
}

/// The record shows every hand, and the seed determines the coming cards; so it is available only when the game is over.
async fn record(State(shared): State<Arc<Shared>>) -> Response {
    let game = shared.game();
    let session = match &*game {
        Game::Table { table, .. } => &table.session,
        Game::Handheld(handheld) => handheld.session(),
    };
    if !session.is_over() {
        return refusal(StatusCode::CONFLICT, "the record shows all hands; it is available when the game is over");
    }
    let headers = [
        (header::CONTENT_TYPE, "application/x-ndjson"),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"game.jsonl\""),
    ];
    (headers, session.record()).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn default_port_may_be_omitted() {
        let names = || ["127.0.0.1", "localhost"].map(String::from);
        assert_eq!(hosts_of(names(), 7801), ["127.0.0.1:7801", "localhost:7801"]);
        assert_eq!(hosts_of(names(), 80), ["127.0.0.1:80", "localhost:80", "127.0.0.1", "localhost"]);
    }
}
