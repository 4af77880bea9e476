//! [`Shared`]: the state that all requests to the server share.

use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;

use super::clock::Clock;
use super::player_link::{PlayerLink, is_same};
use crate::handheld::Handheld;
use crate::table::Table;

/// The state that all requests share.
pub(super) struct Shared {
    pub(super) game: Mutex<Game>,
    pub(super) news: watch::Sender<u64>,
    pub(super) doors: Vec<PlayerLink>,
    pub(super) hosts: Vec<String>,
    pub(super) record: Option<PathBuf>,
    pub(super) clock: Clock,
}

/// The game of the server.
pub(super) enum Game {
    Table { table: Box<Table>, notice: String },
    Handheld(Box<Handheld>),
}

impl Shared {
    pub(super) fn game(&self) -> MutexGuard<'_, Game> {
        // A panic of an agent must not end the game for the other players.
        self.game.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn broadcast_news(&self) {
        self.news.send_modify(|version| *version += 1);
    }

    pub(super) fn door(&self, token: &str) -> Option<&PlayerLink> {
        self.doors.iter().find(|door| is_same(&door.token, token))
    }
}
