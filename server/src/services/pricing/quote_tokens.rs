//! Quotes as their customers hold them. A token is the quote's name and, sealed, all that its
//! booking needs: it needs no row before it is booked. Nobody can change one, use another
//! customer's or read in it what the courier bills us.

use crate::error::{Error, Result};
use crate::failpoints;
use crate::model::rates::packed_quote::PackedQuote;
use crate::model::rates::quote::StoredQuote;
use crate::providers::vault::Vault;

/// Makes and reads tokens. Cheap to clone.
#[derive(Clone, Debug)]
pub struct QuoteTokens(Vault);

impl QuoteTokens {
    /// With a vault that seals nothing else.
    pub fn new(vault: Vault) -> QuoteTokens {
        QuoteTokens(vault)
    }

    /// What the user gets for a quote of this name.
    pub fn seal(&self, user_id: &str, quote_id: &str, quote: &PackedQuote) -> Result<String> {
        let sealed = self
            .0
            .seal_as_text(&place(user_id, quote_id), quote.to_bytes());
        Ok(format!("{quote_id}.{}", sealed.map_err(Error::internal)?))
    }

    /// The user's own quote, expired or booked or not. `None` for what we did not make, made for
    /// somebody else, or sealed with a key that is gone.
    pub fn open(&self, user_id: &str, token: &str) -> Option<StoredQuote> {
        let (quote_id, sealed) = token.split_once('.')?;
        let bytes = self.0.open_from_text(&place(user_id, quote_id), sealed);
        PackedQuote::from_bytes(&bytes.ok()?)?.unpack(quote_id)
    }
}

/// The quote's name in our books.
pub fn quote_id(token: &str) -> &str {
    token
        .split_once('.')
        .map_or(token, |(quote_id, _)| quote_id)
}

/// What a quote is sealed under.
fn place(user_id: &str, quote_id: &str) -> String {
    match failpoints::on("quotes-of-anyone") {
        true => format!("quote {quote_id}"),
        false => format!("quote {quote_id} of {user_id}"),
    }
}
