//! Requests of the handheld's page: its screen and its buttons.

use std::io::{Write, stderr};
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use unolab::seat::Seat;

use super::reply::{in_background, refusal};
use super::shared::{Game, Shared};
use crate::handheld::{Button, Handheld};
use crate::table::save;

pub(super) async fn screen(State(shared): State<Arc<Shared>>) -> Response {
    in_background(shared, |shared| with_machine(shared, Handheld::tick)).await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Press {
    button: Button,
    /// Held for two seconds.
    #[serde(default)]
    held: bool,
    /// The seat of the UNO button, if several people have one.
    seat: Option<usize>,
}

pub(super) async fn press(State(shared): State<Arc<Shared>>, Json(press): Json<Press>) -> Response {
    in_background(shared, move |shared| {
        with_machine(shared, |machine, now| match (press.button, press.seat.and_then(Seat::try_new)) {
            (Button::Uno, Some(person)) => machine.press_uno(person, now),
            (button, _) if press.held => machine.hold(button, now),
            (button, _) => machine.press(button, now),
        })
    })
    .await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Turn {
    milliseconds: u32,
}

/// Advances the clock, if a script controls it.
pub(super) async fn turn_clock(State(shared): State<Arc<Shared>>, Json(turn): Json<Turn>) -> Response {
    if !shared.clock.turn(turn.milliseconds) {
        return refusal(StatusCode::CONFLICT, "the clock runs by itself; start with --clock script to control it");
    }
    in_background(shared, |shared| with_machine(shared, Handheld::tick)).await
}

/// Applies an event to the machine and returns the screen.
fn with_machine(shared: &Shared, happens: impl FnOnce(&mut Handheld, u64)) -> Response {
    let Game::Handheld(machine) = &mut *shared.game() else { return refusal(StatusCode::NOT_FOUND, "no handheld") };
    let position = |machine: &Handheld| (machine.session().rounds_dealt(), machine.session().number());
    let before = position(machine);
    happens(machine, shared.clock.now());
    if let (Some(file), true) = (&shared.record, position(machine) != before && !machine.is_demo_or_off())
        && let Err(error) = save(machine.session(), file)
    {
        let _ = writeln!(stderr(), "{error:#}");
    }
    Json(machine.screen()).into_response()
}
