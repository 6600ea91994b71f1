//! The chain of seals: each transaction's hash covers its content and the seal before it. A change
//! in history changes every later seal, and so the head that operators keep elsewhere.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::failpoints;
use crate::model::digest::sha256_hex;

/// A written transaction. The hash covers its JSON, so names and order of its fields never change.
#[derive(Debug, Serialize)]
pub struct SealedTransaction {
    pub seq: i64,
    pub transaction_id: String,
    pub kind: String,
    /// Hashed under the column's first name.
    #[serde(rename = "once_key")]
    pub idempotency_key: String,
    pub user_id: String,
    pub reference: String,
    pub description: String,
    pub created_ms: i64,
    pub entries: Vec<SealedEntry>,
}

#[derive(Debug, Serialize)]
pub struct SealedEntry {
    pub line: i64,
    pub account_id: String,
    pub amount_paise: i64,
    pub balance_after_paise: i64,
}

/// The seal before the first sealed transaction.
pub fn genesis(first_seq: i64) -> String {
    sha256_hex(format!("Dakiya's books from transaction {first_seq}").as_bytes())
}

/// Returns the seal of a transaction that follows the seal `before`.
pub fn seal(before: &str, record: &SealedTransaction) -> String {
    let content = serde_json::to_string(record).expect("a record is JSON");
    match failpoints::on("seals-unlinked") {
        true => sha256_hex(content.as_bytes()),
        false => sha256_hex(format!("{before}\n{content}").as_bytes()),
    }
}

/// The last transaction and its seal, `SEQ:HASH`, which operators keep outside of the database.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChainHead {
    pub seq: i64,
    pub hash: String,
}

impl fmt::Display for ChainHead {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.seq, self.hash)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a head is SEQ:HASH as an audit prints it")]
pub struct NotAHead;

impl FromStr for ChainHead {
    type Err = NotAHead;

    fn from_str(text: &str) -> Result<ChainHead, NotAHead> {
        let (seq, hash) = text.split_once(':').ok_or(NotAHead)?;
        let seq = seq.parse().map_err(|_| NotAHead)?;
        let is_hash = hash.len() == 64 && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
        match is_hash {
            true => Ok(ChainHead { seq, hash: hash.to_ascii_lowercase() }),
            false => Err(NotAHead),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record() -> SealedTransaction {
        SealedTransaction {
            seq: 1,
            transaction_id: "t".into(),
            kind: "recharge".into(),
            idempotency_key: "recharge:o".into(),
            user_id: "u".into(),
            reference: "o".into(),
            description: "Wallet recharge".into(),
            created_ms: 7,
            entries: vec![SealedEntry {
                line: 1,
                account_id: "available:u".into(),
                amount_paise: 100,
                balance_after_paise: 100,
            }],
        }
    }

    #[test]
    fn what_is_hashed_never_changes() {
        // Seals in production were made from exactly this text.
        let hashed = format!(
            "{}\n{}",
            genesis(1),
            [
                r#"{"seq":1,"transaction_id":"t","kind":"recharge","once_key":"recharge:o","#,
                r#""user_id":"u","reference":"o","description":"Wallet recharge","#,
                r#""created_ms":7,"entries":[{"line":1,"account_id":"available:u","#,
                r#""amount_paise":100,"balance_after_paise":100}]}"#,
            ]
            .concat()
        );
        assert_eq!(seal(&genesis(1), &record()), sha256_hex(hashed.as_bytes()));
    }

    #[test]
    fn a_seal_depends_on_the_one_before_it() {
        assert_ne!(seal(&genesis(1), &record()), seal(&genesis(2), &record()));
    }

    #[test]
    fn a_head_reads_back_and_other_texts_are_refused() {
        let head = ChainHead { seq: 12, hash: genesis(1) };
        assert_eq!(head.to_string().parse(), Ok(head));
        for text in ["", "12", "12:", "x:00", "12:zz", ":", "12:abc"] {
            assert_eq!(text.parse::<ChainHead>(), Err(NotAHead), "{text}");
        }
    }
}
