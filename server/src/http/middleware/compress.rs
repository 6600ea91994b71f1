//! Compressed bodies: whole where all of it is at hand, else in pieces that leave at once.

use std::cell::RefCell;
use std::io::{self, Write};

use axum::http::{HeaderMap, header};
use brotli::CompressorWriter;
use flate2::write::GzEncoder;
use libdeflater::{CompressionLvl, Compressor};

/// How a body is written on the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Coding {
    Brotli,
    Zstd,
    Gzip,
    Identity,
}

/// What was compressed beforehand costs its bytes only.
pub const SMALLEST_FIRST: [Coding; 3] = [Coding::Brotli, Coding::Zstd, Coding::Gzip];

/// What is compressed for one request costs time too. Of a dashboard of 12 kB zstd makes 3.1 kB in
/// 50 µs, gzip 3.2 kB in 54, brotli 2.9 kB in 440.
pub const SOONEST_FIRST: [Coding; 3] = [Coding::Zstd, Coding::Gzip, Coding::Brotli];

impl Coding {
    /// The first of these codings that the request accepts (RFC 9110 section 12.5.3).
    pub fn negotiate(headers: &HeaderMap, best_first: [Coding; 3]) -> Coding {
        let accepted = headers
            .get(header::ACCEPT_ENCODING)
            .and_then(|value| value.to_str().ok());
        let accepted = accepted.unwrap_or("");
        best_first
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

/// True when a list such as that of `Accept-Encoding` names this token with a weight above zero.
pub fn accepts(accepted: &str, token: &str) -> bool {
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

/// zstd's level for one request.
const ZSTD_LEVEL: i32 = 3;

/// gzip's for one request: libdeflate's first level that compresses.
const GZIP_LEVEL: i32 = 1;

/// Brotli's for one request.
const BROTLI_QUALITY: u32 = 4;

/// zstd's, libdeflate's and brotli's for a page that is made once and served many times.
const BEST: (i32, i32, u32) = (19, 12, 11);

/// What is set up once for a thread, as that costs more than a page.
struct Tools {
    zstd: zstd::bulk::Compressor<'static>,
    gzip: Compressor,
}

thread_local! {
    static TOOLS: RefCell<Option<Tools>> = const { RefCell::new(None) };
}

impl Tools {
    fn new() -> io::Result<Tools> {
        Ok(Tools {
            zstd: zstd::bulk::Compressor::new(ZSTD_LEVEL)?,
            gzip: gzip_at(GZIP_LEVEL),
        })
    }
}

fn gzip_at(level: i32) -> Compressor {
    Compressor::new(CompressionLvl::new(level).expect("a level"))
}

fn gzip(tool: &mut Compressor, body: &[u8]) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; tool.gzip_compress_bound(body.len())];
    let length = tool.gzip_compress(body, &mut bytes);
    bytes.truncate(length.map_err(io::Error::other)?);
    bytes.shrink_to_fit();
    Ok(bytes)
}

/// Compresses a whole body for one request.
pub fn whole(coding: Coding, body: Vec<u8>) -> io::Result<Vec<u8>> {
    TOOLS.with_borrow_mut(|kept| {
        let tools = match kept {
            Some(tools) => tools,
            None => kept.insert(Tools::new()?),
        };
        match coding {
            Coding::Zstd => tools.zstd.compress(&body),
            Coding::Gzip => gzip(&mut tools.gzip, &body),
            Coding::Brotli => brotli(&body, BROTLI_QUALITY),
            Coding::Identity => Ok(body),
        }
    })
}

/// Compresses a body that is made once as far as it goes. All of it is given at once, so that the
/// encoders set up tables of its size and not of the largest they know.
pub fn smallest(coding: Coding, body: &[u8]) -> io::Result<Vec<u8>> {
    let (zstd_level, gzip_level, brotli_quality) = BEST;
    match coding {
        Coding::Zstd => zstd::bulk::compress(body, zstd_level),
        Coding::Gzip => gzip(&mut gzip_at(gzip_level), body),
        Coding::Brotli => brotli(body, brotli_quality),
        Coding::Identity => Ok(body.to_vec()),
    }
}

/// With a window that holds all of the body.
fn brotli(body: &[u8], quality: u32) -> io::Result<Vec<u8>> {
    let window_bits = (usize::BITS - body.len().leading_zeros() + 1).clamp(10, 22);
    let mut encoder = CompressorWriter::new(Vec::new(), 4_096, quality, window_bits);
    encoder.write_all(body)?;
    Ok(encoder.into_inner())
}

/// Compresses a body piece by piece.
pub enum Encoder {
    Brotli(Box<CompressorWriter<Vec<u8>>>),
    Zstd(zstd::stream::write::Encoder<'static, Vec<u8>>),
    Gzip(GzEncoder<Vec<u8>>),
    Identity,
}

impl Encoder {
    pub fn new(coding: Coding) -> io::Result<Encoder> {
        Ok(match coding {
            Coding::Brotli => {
                let encoder = CompressorWriter::new(Vec::new(), 4_096, BROTLI_QUALITY, 18);
                Encoder::Brotli(Box::new(encoder))
            }
            Coding::Zstd => {
                Encoder::Zstd(zstd::stream::write::Encoder::new(Vec::new(), ZSTD_LEVEL)?)
            }
            Coding::Gzip => Encoder::Gzip(GzEncoder::new(Vec::new(), flate2::Compression::new(6))),
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
    fn the_best_accepted_coding_is_taken() {
        for (accepted, smallest, soonest) in [
            ("gzip, deflate, br, zstd", Coding::Brotli, Coding::Zstd),
            ("gzip, zstd", Coding::Zstd, Coding::Zstd),
            ("gzip, deflate, br", Coding::Brotli, Coding::Gzip),
            ("gzip;q=0.5", Coding::Gzip, Coding::Gzip),
            ("br;q=0, gzip;q=0.0", Coding::Identity, Coding::Identity),
            ("deflate", Coding::Identity, Coding::Identity),
            ("", Coding::Identity, Coding::Identity),
        ] {
            let headers = header(accepted);
            for (order, coding) in [(SMALLEST_FIRST, smallest), (SOONEST_FIRST, soonest)] {
                assert_eq!(Coding::negotiate(&headers, order), coding, "{accepted}");
            }
        }
    }

    fn read(coding: Coding, wire: &[u8]) -> String {
        let mut text = String::new();
        match coding {
            Coding::Brotli => brotli::Decompressor::new(wire, 4_096)
                .read_to_string(&mut text)
                .map(drop),
            Coding::Zstd => zstd::stream::read::Decoder::new(wire)
                .unwrap()
                .read_to_string(&mut text)
                .map(drop),
            Coding::Gzip => flate2::read::GzDecoder::new(wire)
                .read_to_string(&mut text)
                .map(drop),
            Coding::Identity => (&mut &*wire).read_to_string(&mut text).map(drop),
        }
        .unwrap();
        text
    }

    const ALL: [Coding; 4] = [Coding::Brotli, Coding::Zstd, Coding::Gzip, Coding::Identity];

    #[test]
    fn what_was_flushed_and_finished_reads_back_in_every_coding() {
        for coding in ALL {
            let mut encoder = Encoder::new(coding).unwrap();
            let mut wire = encoder.flush(b"<head>").unwrap();
            assert!(!wire.is_empty(), "the head leaves at once");
            wire.extend(encoder.finish(b"<body>").unwrap());
            assert_eq!(read(coding, &wire), "<head><body>", "{coding:?}");
        }
    }

    #[test]
    fn whole_bodies_read_back_in_every_coding_one_after_the_other() {
        for coding in ALL {
            for length in [0, 1, 100_000] {
                let body = "₹4,218.50 ".repeat(length);
                let soonest = whole(coding, body.clone().into_bytes()).unwrap();
                let smallest = smallest(coding, body.as_bytes()).unwrap();
                for wire in [soonest, smallest] {
                    let is_small = wire.len() < body.len() / 50;
                    assert!(coding == Coding::Identity || length < 2 || is_small);
                    assert_eq!(read(coding, &wire), body, "{coding:?}");
                }
            }
        }
    }
}
