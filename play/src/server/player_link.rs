//! [`PlayerLink`]: an address with its secret token, and the hands that it shows.

use std::net::{IpAddr, Ipv4Addr, UdpSocket};

use anyhow::Context;
use qrcode::QrCode;
use qrcode::render::unicode::Dense1x2;
use unolab::seat::SeatSet;

/// The access of an address: the hands of these players.
pub(super) struct PlayerLink {
    pub(super) token: String,
    pub(super) players: SeatSet,
}

/// One address for all people at this machine, or one for each person in the local network.
pub(super) fn doors(people: SeatSet, is_lan: bool) -> anyhow::Result<Vec<PlayerLink>> {
    let token = || -> anyhow::Result<String> {
        Ok(format!("{:016x}{:016x}", getrandom::u64().context("no token")?, getrandom::u64().context("no token")?))
    };
    if is_lan {
        people.iter().map(|player| Ok(PlayerLink { token: token()?, players: SeatSet::of(player) })).collect()
    } else {
        Ok(vec![PlayerLink { token: token()?, players: people }])
    }
}

/// The address as a QR code for a terminal, dark on light.
pub(super) fn qr_code(address: &str) -> anyhow::Result<String> {
    let code = QrCode::new(address).context("a QR code of the address")?;
    // A terminal has light text on a dark background, so light modules are drawn and dark modules are spaces.
    Ok(code.render::<Dense1x2>().dark_color(Dense1x2::Dark).light_color(Dense1x2::Light).build())
}

/// The address of this machine in the local network: the source address that it would send from. Nothing is sent.
pub(super) fn house_address() -> IpAddr {
    UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0))
        .and_then(|socket| socket.connect((Ipv4Addr::new(192, 0, 2, 1), 9)).and_then(|()| socket.local_addr()))
        .map_or(IpAddr::V4(Ipv4Addr::LOCALHOST), |address| address.ip())
}

/// Compares in constant time, so that the time does not reveal how many bytes match.
pub(super) fn is_same(a: &str, b: &str) -> bool {
    a.len() == b.len() && a.bytes().zip(b.bytes()).fold(0, |all, (a, b)| all | (a ^ b)) == 0
}
