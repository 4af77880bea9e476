//! Answers to requests.

use std::sync::Arc;

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::json;

use super::shared::Shared;

pub(super) fn refusal(status: StatusCode, reason: &str) -> Response {
    (status, Json(json!({ "error": reason }))).into_response()
}

/// Runs it on a thread where blocking is allowed.
pub(super) async fn in_background(
    shared: Arc<Shared>,
    work: impl FnOnce(&Shared) -> Response + Send + 'static,
) -> Response {
    tokio::task::spawn_blocking(move || work(&shared))
        .await
        .unwrap_or_else(|_| refusal(StatusCode::INTERNAL_SERVER_ERROR, "an agent or the game has failed; deal again"))
}
