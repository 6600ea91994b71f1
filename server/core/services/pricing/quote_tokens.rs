//! Quotes in the form that customers hold. A token is the quote's id and, encrypted, all data of
//! its booking, so no row is needed before the booking. It cannot be altered, used by another
//! customer, or read to learn the courier's charge to us.

use crate::error::{Error, Result};
use crate::failpoints;
use crate::model::rates::quote::{PackedQuote, StoredQuote};
use crate::providers::vault::Vault;

/// Creates and reads tokens. Cheap to clone.
#[derive(Clone, Debug)]
pub struct QuoteTokens(Vault);

impl QuoteTokens {
    /// The vault must seal nothing else.
    pub fn new(vault: Vault) -> QuoteTokens {
        QuoteTokens(vault)
    }

    pub fn seal(&self, user_id: &str, quote_id: &str, quote: &PackedQuote) -> Result<String> {
        let sealed = self.0.seal_as_text(&place(user_id, quote_id), quote.to_bytes());
        Ok(format!("{quote_id}.{}", sealed.map_err(Error::internal)?))
    }

    /// Returns the user's own quote, expired or booked or not. `None` for a token that is not ours,
    /// is another user's, or was sealed with a removed key.
    pub fn open(&self, user_id: &str, token: &str) -> Option<StoredQuote> {
        let (quote_id, sealed) = token.split_once('.')?;
        let bytes = self.0.open_from_text(&place(user_id, quote_id), sealed);
        PackedQuote::from_bytes(&bytes.ok()?)?.unpack(quote_id)
    }
}

pub fn quote_id(token: &str) -> &str {
    token.split_once('.').map_or(token, |(quote_id, _)| quote_id)
}

/// Returns the context under which a quote is sealed.
fn place(user_id: &str, quote_id: &str) -> String {
    match failpoints::on("quotes-of-anyone") {
        true => format!("quote {quote_id}"),
        false => format!("quote {quote_id} of {user_id}"),
    }
}
