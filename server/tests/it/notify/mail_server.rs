//! A small mail server that records every line it receives.

use std::sync::{Arc, Mutex};

use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};

/// The behaviour of a mail server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    Good,
    /// Offers STARTTLS and hangs up after the client's first TLS message.
    StartTls,
    /// Refuses the recipient, and repeats the address.
    Refuses,
    /// Accepts connections and sends nothing.
    Silent,
    /// Answers that it is busy.
    Busy,
    /// Receives the whole letter and hangs up without a reply.
    HangsUp,
}

pub struct MailServer {
    pub port: u16,
    heard: Arc<Mutex<Vec<String>>>,
}

impl MailServer {
    pub async fn start(manner: Manner) -> MailServer {
        MailServer::at(0, manner).await
    }

    /// Listens on a port that was free a moment ago.
    pub async fn at(port: u16, manner: Manner) -> MailServer {
        let listener = TcpListener::bind(("127.0.0.1", port)).await;
        let listener = listener.expect("a free port");
        let port = listener.local_addr().expect("an address").port();
        let heard = Arc::new(Mutex::new(Vec::new()));
        let server = MailServer { port, heard: heard.clone() };
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(talk(stream, manner, heard.clone()));
            }
        });
        server
    }

    pub fn heard(&self) -> Vec<String> {
        self.heard.lock().unwrap().clone()
    }

    /// Counts the letters received completely.
    pub fn letters(&self) -> usize {
        self.heard().iter().filter(|line| *line == ".").count()
    }
}

/// One conversation (RFC 5321); ends when the client hangs up.
async fn talk(stream: TcpStream, manner: Manner, heard: Arc<Mutex<Vec<String>>>) -> Option<()> {
    let mut stream = BufReader::new(stream);
    let note = |line: &str| heard.lock().unwrap().push(line.to_owned());
    if manner == Manner::Silent {
        let _ = stream.read_u8().await;
        return None;
    }
    let greeting: &[u8] = match manner {
        Manner::Busy => b"421 later\r\n",
        _ => b"220 test ESMTP\r\n",
    };
    stream.write_all(greeting).await.ok()?;
    let mut in_letter = false;
    loop {
        let mut line = String::new();
        if stream.read_line(&mut line).await.ok()? == 0 {
            return None;
        }
        let line = line.trim_end();
        if line != "QUIT" {
            note(line);
        }
        let word = line.split([' ', ':']).next().unwrap_or("");
        let answer = match word {
            "." if in_letter && manner == Manner::HangsUp => return None,
            "." if in_letter => {
                in_letter = false;
                "250 taken\r\n"
            }
            _ if in_letter => continue,
            "EHLO" if manner == Manner::StartTls => "250-test\r\n250 STARTTLS\r\n",
            "EHLO" => "250-test\r\n250 AUTH PLAIN\r\n",
            "STARTTLS" => "220 go ahead\r\n",
            "AUTH" => "235 welcome\r\n",
            "RCPT" if manner == Manner::Refuses => "550 no <asha@example.in> here\r\n",
            "DATA" => {
                in_letter = true;
                "354 go ahead\r\n"
            }
            "QUIT" => "221 bye\r\n",
            _ => "250 ok\r\n",
        };
        stream.write_all(answer.as_bytes()).await.ok()?;
        if word == "STARTTLS" {
            // A TLS record: a handshake, of version 3.
            let greeting = [stream.read_u8().await.ok()?, stream.read_u8().await.ok()?];
            let words = if greeting == [0x16, 3] { "a TLS greeting" } else { "nonsense" };
            note(words);
            return None;
        }
    }
}
