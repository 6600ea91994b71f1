//! Two chains of hashes over the books. A transaction's hash covers its content and the hash before
//! it in its wallet. A seal covers a transaction's hash and the seal before it, over all wallets. A
//! change in history changes every later seal, and so the head that operators keep elsewhere.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::failpoints;
use crate::model::digest::sha256_hex;

/// The wallet of transactions that move no customer's money.
pub const HOUSE: &str = "house";

/// A written transaction. The hash covers its JSON, so names and order of its fields never change.
#[derive(Debug, Serialize)]
pub struct ChainedTransaction {
    /// Its number in its wallet.
    pub wallet_seq: i64,
    pub transaction_id: String,
    pub kind: String,
    pub idempotency_key: String,
    /// Empty if it moves no customer's money.
    pub user_id: String,
    pub reference: String,
    pub description: String,
    pub created_ms: i64,
    pub entries: Vec<ChainedEntry>,
}

#[derive(Debug, Serialize)]
pub struct ChainedEntry {
    pub line: i64,
    pub account_id: String,
    pub amount_paise: i64,
    /// `None` for an account of the house.
    pub balance_after_paise: Option<i64>,
}

impl ChainedTransaction {
    /// The wallet to which it belongs.
    pub fn wallet(&self) -> &str {
        wallet_of(&self.user_id)
    }

    /// Returns its hash after the transaction with the hash `before` in its wallet.
    pub fn hash(&self, before: &str) -> String {
        let content = serde_json::to_string(self).expect("a record is JSON");
        match failpoints::on("hashes-unlinked") {
            true => sha256_hex(content.as_bytes()),
            false => sha256_hex(format!("{before}\n{content}").as_bytes()),
        }
    }
}

/// The wallet of transactions of this user; empty for those of no user.
pub fn wallet_of(user_id: &str) -> &str {
    if user_id.is_empty() { HOUSE } else { user_id }
}

/// The hash before the first transaction of a wallet.
pub fn beginning_of(wallet: &str) -> String {
    sha256_hex(format!("Dakiya's books of {wallet}").as_bytes())
}

/// The seal before the first one.
pub fn genesis() -> String {
    sha256_hex(b"Dakiya's books")
}

/// Returns the seal of the transaction with this hash: number `seq`, after the seal `before`.
pub fn seal(before: &str, seq: i64, hash: &str) -> String {
    match failpoints::on("seals-unlinked") {
        true => sha256_hex(format!("{seq}\n{hash}").as_bytes()),
        false => sha256_hex(format!("{before}\n{seq}\n{hash}").as_bytes()),
    }
}

/// The last sealed transaction and its seal, `SEQ:HASH`, which operators keep outside of the
/// database.
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

    fn record() -> ChainedTransaction {
        ChainedTransaction {
            wallet_seq: 1,
            transaction_id: "t".into(),
            kind: "recharge".into(),
            idempotency_key: "recharge:o".into(),
            user_id: "u".into(),
            reference: "o".into(),
            description: "Wallet recharge".into(),
            created_ms: 7,
            entries: vec![
                ChainedEntry {
                    line: 1,
                    account_id: "gateway_clearing".into(),
                    amount_paise: -100,
                    balance_after_paise: None,
                },
                ChainedEntry {
                    line: 2,
                    account_id: "available:u".into(),
                    amount_paise: 100,
                    balance_after_paise: Some(100),
                },
            ],
        }
    }

    #[test]
    fn what_is_hashed_never_changes() {
        // Hashes in production are made from exactly this text.
        let before = beginning_of("u");
        let hashed = format!(
            "{before}\n{}",
            [
                r#"{"wallet_seq":1,"transaction_id":"t","kind":"recharge","#,
                r#""idempotency_key":"recharge:o","user_id":"u","reference":"o","#,
                r#""description":"Wallet recharge","created_ms":7,"entries":["#,
                r#"{"line":1,"account_id":"gateway_clearing","amount_paise":-100,"#,
                r#""balance_after_paise":null},{"line":2,"account_id":"available:u","#,
                r#""amount_paise":100,"balance_after_paise":100}]}"#,
            ]
            .concat()
        );
        let hash = record().hash(&before);
        assert_eq!(hash, sha256_hex(hashed.as_bytes()));
        let sealed = format!("{}\n1\n{hash}", genesis());
        assert_eq!(seal(&genesis(), 1, &hash), sha256_hex(sealed.as_bytes()));
    }

    #[test]
    fn a_hash_depends_on_the_one_before_it_and_so_does_a_seal_which_has_its_place() {
        let (one, other) = (beginning_of("u"), beginning_of("v"));
        assert_ne!(record().hash(&one), record().hash(&other));
        assert_ne!(seal(&one, 1, "h"), seal(&other, 1, "h"));
        assert_ne!(seal(&one, 1, "h"), seal(&one, 2, "h"));
    }

    #[test]
    fn transactions_of_no_user_are_of_the_house() {
        assert_eq!((wallet_of("u"), wallet_of("")), ("u", HOUSE));
    }

    #[test]
    fn a_head_reads_back_and_other_texts_are_refused() {
        let head = ChainHead { seq: 12, hash: genesis() };
        assert_eq!(head.to_string().parse(), Ok(head));
        for text in ["", "12", "12:", "x:00", "12:zz", ":", "12:abc"] {
            assert_eq!(text.parse::<ChainHead>(), Err(NotAHead), "{text}");
        }
    }
}
