//! Compressed bodies: what the browser takes best, in pieces that leave at once.

use std::io::{self, Write};

use axum::http::{HeaderMap, header};
use brotli::CompressorWriter;
use flate2::write::GzEncoder;

/// How a body is written on the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coding {
    Brotli,
    Zstd,
    Gzip,
    Identity,
}

impl Coding {
    /// The best coding the request accepts, smallest first (RFC 9110 section 12.5.3).
    pub fn negotiate(headers: &HeaderMap) -> Coding {
        let accepted = headers
            .get(header::ACCEPT_ENCODING)
            .and_then(|value| value.to_str().ok());
        let accepted = accepted.unwrap_or("");
        [Coding::Brotli, Coding::Zstd, Coding::Gzip]
            .into_iter()
            .find(|coding| accepts(accepted, coding.token().unwrap_or("identity")))
            .unwrap_or(Coding::Identity)
    }

    /// A strong ETag: the same content in another coding is other bytes (RFC 9110 section 8.8.3).
    pub fn etag(self, content_hash: &str) -> String {
        match self.token() {
            Some(token) => format!("\"{content_hash}-{token}\""),
            None => format!("\"{content_hash}\""),
        }
    }

    /// The `Content-Encoding`, if any.
    pub fn token(self) -> Option<&'static str> {
        match self {
            Coding::Brotli => Some("br"),
            Coding::Zstd => Some("zstd"),
            Coding::Gzip => Some("gzip"),
            Coding::Identity => None,
        }
    }
}

fn accepts(accepted: &str, token: &str) -> bool {
    accepted.split(',').any(|item| {
        let mut parts = item.split(';').map(str::trim);
        let named = parts
            .next()
            .is_some_and(|name| name.eq_ignore_ascii_case(token));
        let refused = parts.any(|part| {
            part.strip_prefix("q=")
                .is_some_and(|q| q.trim_matches(['0', '.']).is_empty())
        });
        named && !refused
    })
}

/// How hard to try: pages made for one request, or made once and served many times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    Fast,
    Best,
}

/// Compresses a body piece by piece.
pub enum Encoder {
    Brotli(Box<CompressorWriter<Vec<u8>>>),
    Zstd(zstd::stream::write::Encoder<'static, Vec<u8>>),
    Gzip(GzEncoder<Vec<u8>>),
    Identity,
}

impl Encoder {
    pub fn new(coding: Coding, effort: Effort) -> io::Result<Encoder> {
        let best = effort == Effort::Best;
        Ok(match coding {
            Coding::Brotli => {
                let quality = if best { 11 } else { 5 };
                Encoder::Brotli(Box::new(CompressorWriter::new(
                    Vec::new(),
                    4_096,
                    quality,
                    18,
                )))
            }
            Coding::Zstd => {
                let level = if best { 19 } else { 3 };
                Encoder::Zstd(zstd::stream::write::Encoder::new(Vec::new(), level)?)
            }
            Coding::Gzip => {
                let level = if best { 9 } else { 6 };
                Encoder::Gzip(GzEncoder::new(Vec::new(), flate2::Compression::new(level)))
            }
            Coding::Identity => Encoder::Identity,
        })
    }

    /// Takes a piece and gives what the browser needs to see all of it now.
    pub fn flush(&mut self, piece: &[u8]) -> io::Result<Vec<u8>> {
        match self {
            Encoder::Brotli(encoder) => {
                encoder.write_all(piece)?;
                encoder.flush()?;
                Ok(std::mem::take(encoder.get_mut()))
            }
            Encoder::Zstd(encoder) => {
                encoder.write_all(piece)?;
                encoder.flush()?;
                Ok(std::mem::take(encoder.get_mut()))
            }
            Encoder::Gzip(encoder) => {
                encoder.write_all(piece)?;
                encoder.flush()?;
                Ok(std::mem::take(encoder.get_mut()))
            }
            Encoder::Identity => Ok(piece.to_vec()),
        }
    }

    /// Takes the last piece and gives the rest of the body.
    pub fn finish(self, piece: &[u8]) -> io::Result<Vec<u8>> {
        match self {
            Encoder::Brotli(mut encoder) => {
                encoder.write_all(piece)?;
                Ok(encoder.into_inner())
            }
            Encoder::Zstd(mut encoder) => {
                encoder.write_all(piece)?;
                encoder.finish()
            }
            Encoder::Gzip(mut encoder) => {
                encoder.write_all(piece)?;
                encoder.finish()
            }
            Encoder::Identity => Ok(piece.to_vec()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    fn header(value: &str) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(header::ACCEPT_ENCODING, value.parse().unwrap());
        headers
    }

    #[test]
    fn the_smallest_accepted_coding_is_taken() {
        for (accepted, coding) in [
            ("gzip, deflate, br, zstd", Coding::Brotli),
            ("gzip, zstd", Coding::Zstd),
            ("gzip;q=0.5", Coding::Gzip),
            ("br;q=0, gzip;q=0.0", Coding::Identity),
            ("deflate", Coding::Identity),
            ("", Coding::Identity),
        ] {
            assert_eq!(Coding::negotiate(&header(accepted)), coding, "{accepted}");
        }
    }

    #[test]
    fn what_was_flushed_and_finished_reads_back_in_every_coding() {
        let read = |coding: Coding| {
            let mut encoder = Encoder::new(coding, Effort::Fast).unwrap();
            let mut wire = encoder.flush(b"<head>").unwrap();
            assert!(!wire.is_empty(), "the head leaves at once");
            wire.extend(encoder.finish(b"<body>").unwrap());
            let mut text = String::new();
            match coding {
                Coding::Brotli => brotli::Decompressor::new(&wire[..], 4_096)
                    .read_to_string(&mut text)
                    .map(drop),
                Coding::Zstd => zstd::stream::read::Decoder::new(&wire[..])
                    .unwrap()
                    .read_to_string(&mut text)
                    .map(drop),
                Coding::Gzip => flate2::read::GzDecoder::new(&wire[..])
                    .read_to_string(&mut text)
                    .map(drop),
                Coding::Identity => (&wire[..]).read_to_string(&mut text).map(drop),
            }
            .unwrap();
            text
        };
        for coding in [Coding::Brotli, Coding::Zstd, Coding::Gzip, Coding::Identity] {
            assert_eq!(read(coding), "<head><body>", "{coding:?}");
        }
    }
}
