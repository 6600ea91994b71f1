//! Limits on one hostile client or one careless customer: others are not harmed.

mod budgets;
mod connections;
mod guessing;
mod many_servers;
mod nul;
mod papers;
mod proof_customers;
mod uploads;

use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};

use crate::patience::forever;

/// The attackers' address. All of 127.0.0.0/8 is this machine, and ordinary customers use
/// 127.0.0.1.
pub const ATTACKER: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 66);

/// The address of a server without its scheme.
pub fn host(url: &str) -> &str {
    url.trim_start_matches("http://")
}

/// Connects from this address of the machine.
pub async fn connect(from: Ipv4Addr, url: &str) -> std::io::Result<TcpStream> {
    let socket = TcpSocket::new_v4()?;
    socket.bind(SocketAddr::from((from, 0)))?;
    let address = host(url).parse().expect("an address");
    socket.connect(address).await
}

/// The head of a GET request that keeps its connection.
pub fn get(url: &str, path: &str) -> String {
    format!("GET {path} HTTP/1.1\r\nhost: {}\r\n\r\n", host(url))
}

/// Reads until the timeout, or until the other end closes.
pub async fn heard(stream: &mut TcpStream, within: Duration) -> String {
    let mut all = Vec::new();
    let mut part = [0; 16 * 1024];
    while let Ok(Ok(bytes)) = tokio::time::timeout(within, stream.read(&mut part)).await {
        if bytes == 0 {
            break;
        }
        all.extend_from_slice(&part[..bytes]);
    }
    String::from_utf8_lossy(&all).into_owned()
}

/// Sends a request and reads the response.
pub async fn ask(stream: &mut TcpStream, request: &str) -> String {
    match stream.write_all(request.as_bytes()).await {
        Ok(()) => answer(stream).await,
        Err(_) => String::new(),
    }
}

/// Reads one whole response, and leaves the connection open; less if the other end closes.
pub async fn answer(stream: &mut TcpStream) -> String {
    let mut all = Vec::new();
    let whole = async {
        while !is_whole(&all) && stream.read_buf(&mut all).await? > 0 {}
        std::io::Result::Ok(())
    };
    let _ = tokio::time::timeout(forever(), whole).await;
    String::from_utf8_lossy(&all).into_owned()
}

/// True if the body announced by the head is complete.
fn is_whole(answer: &[u8]) -> bool {
    let text = String::from_utf8_lossy(answer);
    let Some((head, body)) = text.split_once("\r\n\r\n") else {
        return false;
    };
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
    length.is_some_and(|length| length.parse().is_ok_and(|length: usize| body.len() >= length))
}
