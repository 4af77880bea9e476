//! Serves connections within [`Limits`], so that connections without a request cannot lock players out.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::serve::Listener;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;

/// The limits of a server.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    /// The time to send the headers of a request. A connection is closed after the same time without a request.
    pub(super) header_time: Duration,
    /// The number of open connections from one address.
    pub(super) per_address: usize,
    /// The number of open connections.
    pub(super) total: usize,
}

impl Limits {
    /// A browser opens at most six connections for a page.
    pub(super) const OF_A_TABLE: Self = Self { header_time: Duration::from_secs(5), per_address: 32, total: 200 };
}

/// Serves for ever. A connection beyond the limits is closed at once.
pub(super) async fn serve(mut listener: TcpListener, router: Router, limits: Limits) -> ! {
    let open = Arc::new(OpenConnections { limits, by_address: Mutex::default() });
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(limits.header_time);
    loop {
        let (stream, peer) = Listener::accept(&mut listener).await;
        let Some(place) = OpenConnections::take(&open, peer.ip()) else { continue };
        let connection = http.serve_connection(TokioIo::new(stream), TowerToHyperService::new(router.clone()));
        tokio::spawn(async move {
            // A connection that breaks off or is too slow concerns no other.
            let _ = connection.await;
            drop(place);
        });
    }
}

/// The number of open connections.
struct OpenConnections {
    limits: Limits,
    by_address: Mutex<HashMap<IpAddr, usize>>,
}

impl OpenConnections {
    /// A place for a connection from this address, if there is one.
    fn take(open: &Arc<Self>, address: IpAddr) -> Option<Place> {
        let mut by_address = open.lock();
        let (here, total) = (by_address.get(&address).copied().unwrap_or(0), by_address.values().sum::<usize>());
        if here >= open.limits.per_address || total >= open.limits.total {
            return None;
        }
        by_address.insert(address, here + 1);
        Some(Place { open: Arc::clone(open), address })
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<IpAddr, usize>> {
        self.by_address.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The place of an open connection, free again when it is dropped.
struct Place {
    open: Arc<OpenConnections>,
    address: IpAddr,
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut by_address = self.open.lock();
        match by_address.get_mut(&self.address) {
            Some(here) if *here > 1 => *here -= 1,
            _ => drop(by_address.remove(&self.address)),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{ErrorKind, Read, Write};
    use std::net::{Ipv4Addr, SocketAddr, TcpStream};

    use axum::routing::get;
    use tokio::net::TcpSocket;
    use tokio::runtime::Runtime;

    use super::*;

    const HOUR: Duration = Duration::from_secs(3600);

    const HALF_A_REQUEST: &str = "GET / HTTP/1.1\r\nHost: x";

    /// A server, as long as its runtime lives.
    struct Server {
        runtime: Runtime,
        address: SocketAddr,
    }

    impl Server {
        fn start(limits: Limits) -> Self {
            let runtime = Runtime::new().unwrap();
            let listener = runtime.block_on(TcpListener::bind((Ipv4Addr::UNSPECIFIED, 0))).unwrap();
            let port = listener.local_addr().unwrap().port();
            let router = Router::new().route("/", get(async || "the table"));
            runtime.spawn(async move { serve(listener, router, limits).await });
            Self { runtime, address: (Ipv4Addr::LOCALHOST, port).into() }
        }

        /// A connection from 127.0.0.HOST that has sent this text.
        fn send(&self, host: u8, text: &str) -> TcpStream {
            let connect = async {
                let socket = TcpSocket::new_v4().unwrap();
                socket.bind((Ipv4Addr::new(127, 0, 0, host), 0).into()).unwrap();
                socket.connect(self.address).await.unwrap().into_std().unwrap()
            };
            let mut stream = self.runtime.block_on(connect);
            stream.set_nonblocking(false).unwrap();
            stream.set_read_timeout(Some(Duration::from_secs(600))).unwrap();
            // A refused connection may be closed already.
            let _ = stream.write_all(text.as_bytes());
            stream
        }

        /// Whether a whole request from there is answered.
        fn answers(&self, host: u8) -> bool {
            answer(self.send(host, &format!("{HALF_A_REQUEST}\r\nConnection: close\r\n\r\n"))).ends_with("the table")
        }
    }

    /// What is sent on a connection until it is closed.
    fn answer(mut stream: TcpStream) -> String {
        let mut text = String::new();
        if let Err(error) = stream.read_to_string(&mut text) {
            assert_eq!(error.kind(), ErrorKind::ConnectionReset, "it is still open");
        }
        text
    }

    /// Only Linux has other addresses of this machine without configuration.
    #[cfg(target_os = "linux")]
    #[test]
    fn half_open_connections_are_limited_per_address() {
        let server = Server::start(Limits { header_time: HOUR, per_address: 3, total: 5 });
        let mut half_open: Vec<TcpStream> = (0..3).map(|_| server.send(1, HALF_A_REQUEST)).collect();
        for _ in 0..20 {
            assert_eq!(answer(server.send(1, HALF_A_REQUEST)), "");
        }
        assert!(!server.answers(1));
        assert!(server.answers(2));
        half_open.pop();
        while !server.answers(1) {}
    }

    #[test]
    fn half_open_connections_time_out_and_free_places() {
        let server = Server::start(Limits { header_time: Duration::from_millis(20), per_address: 8, total: 8 });
        for _ in 0..3 {
            let half_open: Vec<TcpStream> = (0..8).map(|_| server.send(1, HALF_A_REQUEST)).collect();
            half_open.into_iter().for_each(|stream| assert!(!answer(stream).contains("the table")));
        }
        while !server.answers(1) {}
    }

    #[test]
    fn connections_are_limited_per_address_and_in_total() {
        let limits = Limits { header_time: HOUR, per_address: 2, total: 3 };
        let open = Arc::new(OpenConnections { limits, by_address: Mutex::default() });
        let take = |host| OpenConnections::take(&open, Ipv4Addr::new(10, 0, 0, host).into());
        let (first, second) = (take(1).unwrap(), take(1).unwrap());
        assert!(take(1).is_none());
        let third = take(2).unwrap();
        assert!(take(3).is_none());
        drop(first);
        assert!(take(3).is_some());
        drop((second, third));
        assert!(open.lock().is_empty());
    }
}
