//! Access control: requests to this server, from its own pages, with a valid token.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::Response;

use super::reply::refusal;
use super::shared::Shared;

/// Accepts only requests to this server, from its own pages.
pub(super) async fn guard(State(shared): State<Arc<Shared>>, request: Request, next: Next) -> Response {
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
        // A browser sends the origin with every POST.
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
