//! The price of a booking: that of the quote in the request, else the current one.

use serde_json::value::to_raw_value;

use super::Bookings;
use crate::error::{Error, Result};
use crate::model::account::session::CurrentUser;
use crate::model::booking::form::request::BookingRequest;
use crate::model::rates::price::Product;
use crate::model::rates::quote::{Quoted, StoredQuote};
use crate::random::random_id;
use crate::{failpoints, limits, store};

#[derive(Clone, Debug)]
pub struct BookedPrice {
    /// The quote in the form that the customer has.
    pub token: String,
    pub quote: StoredQuote,
    pub product: Product,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fit {
    /// For exactly this booking.
    Exact,
    /// For another shipment, for other taxes than now, or for another GSTIN, which may mean other
    /// taxes and is printed on the invoice.
    Other,
    /// Expired, and valid for nothing.
    Void,
}

impl Bookings {
    /// Returns the price of the request.
    ///
    /// # Errors
    /// `QuoteChanged` with the fresh price when the quote is not for this booking and the price
    /// differs; `Fields` when no service is named, or two; `Conflict` when it does not accept this
    /// shipment.
    pub(super) async fn price(
        &self,
        user: &CurrentUser,
        request: &BookingRequest,
    ) -> Result<BookedPrice> {
        if request.quote_id.is_empty() {
            return self.current_price(user, request).await;
        }
        let token = request.quote_id.clone();
        let Some(quote) = self.pricing.quote(user, &token) else {
            let fresh = self.calculate_quote(user, request, request.product_id).await?;
            return Err(price_changed(None, &fresh)?);
        };
        if ![0, quote.product_id].contains(&request.product_id) {
            let message = "This is another service than the one of this price.";
            return Err(Error::field("courier_id", message));
        }
        let mut conn = self.core.store.read().await?;
        let turned_down =
            store::bookings::was_turned_down(&mut conn, user.id(), &quote.quote_id).await?;
        drop(conn);
        let fit = self.fit(&quote, user, request);
        let product_id = quote.product_id;
        let quote = if fit != Fit::Exact || turned_down {
            let fresh = self.calculate_quote(user, request, product_id).await?;
            let may_amend = fit == Fit::Other && !turned_down;
            match self.first(user, &fresh) {
                // This is still the quote that was shown, and this booking uses it up.
                Some((_, now)) if may_amend && is_same_price(&quote, &now)? => StoredQuote {
                    quote_id: quote.quote_id,
                    created_ms: quote.created_ms,
                    expires_ms: quote.expires_ms,
                    ..now
                },
                _ => return Err(price_changed(Some(&quote), &fresh)?),
            }
        } else if failpoints::on("press-forgotten") {
            StoredQuote { quote_id: random_id(), ..quote }
        } else {
            quote
        };
        Ok(BookedPrice { token, quote, product: self.pricing.product(product_id).await? })
    }

    fn fit(&self, quote: &StoredQuote, user: &CurrentUser, request: &BookingRequest) -> Fit {
        let same_gstin = quote.gstin == request.gstin(&user.user.gstin);
        let same_shipment = quote.shipment_hash == request.shipment.fingerprint();
        // An operator may have confirmed or withdrawn an SEZ unit since.
        let supply = self.pricing.supply(&user.user, &quote.gstin, &request.shipment);
        let same_taxes = quote.read_price().is_ok_and(|price| price.is_taxed_as(supply));
        if quote.expires_ms <= self.core.clock.now_ms() {
            Fit::Void
        } else if same_shipment
            && same_taxes
            && (same_gstin || failpoints::on("quote-outlives-gstin"))
        {
            Fit::Exact
        } else {
            Fit::Other
        }
    }

    async fn current_price(
        &self,
        user: &CurrentUser,
        request: &BookingRequest,
    ) -> Result<BookedPrice> {
        let product = self.named_product(request).await?;
        if product.needs_otp
            && !request.otp.is_empty()
            && let Some((token, quote)) = self.quote_of_otp(user, request, &product).await?
        {
            return Ok(BookedPrice { token, quote, product });
        }
        let fresh = self.calculate_quote(user, request, product.product_id).await?;
        let Some((token, quote)) = self.first(user, &fresh) else {
            let not_taken = "This service cannot carry this shipment. Please choose another.";
            let note = fresh.notes.into_iter().next();
            return Err(Error::Conflict {
                code: "service_not_offered",
                message: note.map_or(not_taken.into(), Into::into),
            });
        };
        Ok(BookedPrice { token, quote, product })
    }

    /// Returns the first of the prices, as a token and as a quote.
    fn first(&self, user: &CurrentUser, quoted: &Quoted) -> Option<(String, StoredQuote)> {
        let token = quoted.rates.first()?.quote_id.clone();
        let quote = self.pricing.quote(user, &token)?;
        Some((token, quote))
    }

    async fn named_product(&self, request: &BookingRequest) -> Result<Product> {
        let BookingRequest { product_id, product_name, .. } = request;
        if *product_id == 0 && product_name.is_empty() {
            let message = "Please name the service: its number, or its name in courier_name.";
            return Err(Error::field("courier_id", message));
        }
        if *product_id == 0 {
            let product = self.pricing.product_named(product_name).await?;
            let none = || Error::field("courier_name", "There is no service of this name on sale.");
            return product.ok_or_else(none);
        }
        let product = match self.pricing.product(*product_id).await {
            Err(Error::NotFound(message)) => return Err(Error::field("courier_id", message)),
            product => product?,
        };
        if !product_name.is_empty() && !product.is_called(product_name) {
            let message = "This is another service than that of courier_id.";
            return Err(Error::field("courier_name", message));
        }
        Ok(product)
    }

    /// Returns the quote that the consignor consented to: a code is valid only for that one.
    async fn quote_of_otp(
        &self,
        user: &CurrentUser,
        request: &BookingRequest,
        product: &Product,
    ) -> Result<Option<(String, StoredQuote)>> {
        let hash = request.shipment.fingerprint();
        let since_ms = self.core.clock.now_ms() - limits::QUOTE_MS_MAX;
        let mut conn = self.core.store.read().await?;
        let subjects = store::otp::subjects_since(&mut conn, user.id(), since_ms).await?;
        let mut quotes = subjects.into_iter().filter_map(|token| {
            let quote = self.pricing.quote(user, &token)?;
            Some((token, quote))
        });
        let newest = quotes.find(|(_, quote)| {
            quote.product_id == product.product_id && quote.shipment_hash == hash
        });
        Ok(newest.filter(|(_, quote)| self.fit(quote, user, request) == Fit::Exact))
    }

    async fn calculate_quote(
        &self,
        user: &CurrentUser,
        request: &BookingRequest,
        product_id: i64,
    ) -> Result<Quoted> {
        let gstin = request.gstin(&user.user.gstin);
        let shipment = &request.shipment;
        self.pricing.calculate_one(user, gstin, shipment, product_id).await
    }
}

fn price_changed(quote: Option<&StoredQuote>, fresh: &Quoted) -> Result<Error> {
    let now = fresh.rates.first().map(|option| option.grand_total_with_gst);
    let was = quote.map(|quote| quote.total);
    let message = match now {
        None => "This service no longer takes this shipment. Please choose another.",
        // Another GSTIN may change the taxes but not the total.
        now if was.is_none() || was == now => {
            "This price has expired. Please check the new price and confirm again."
        }
        _ => "The price has changed. Please check the new price and confirm again.",
    };
    Ok(Error::QuoteChanged {
        message: message.into(),
        data: to_raw_value(&fresh.rates).map_err(Error::internal)?,
    })
}

/// Returns true if two quotes have the same total and the same taxes.
fn is_same_price(one: &StoredQuote, other: &StoredQuote) -> Result<bool> {
    let taxes = |quote: &StoredQuote| -> Result<Vec<String>> {
        let taxes = quote.read_price()?.lines.into_iter().filter(|line| line.tax);
        Ok(taxes.map(|line| line.label).collect())
    };
    let same_total = one.total == other.total || failpoints::on("price-changes-unseen");
    Ok(same_total && taxes(one)? == taxes(other)?)
}
