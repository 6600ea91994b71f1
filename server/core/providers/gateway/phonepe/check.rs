//! Refuses requests that PhonePe would refuse, before they are sent: the message is better, and no
//! id can change the path of a URL. The rules are those of developer.phonepe.com, Standard
//! Checkout, "Initiate payment" and "Refund".

use std::time::Duration;

use crate::model::money::paise::Paise;
use crate::model::payment::is_merchant_order_id;
use crate::model::settings::web_url::is_web_url;
use crate::providers::gateway::{GatewayError, NewOrder, NewRefund};

/// The minimum amount of an order or a refund.
const AMOUNT_MIN: Paise = Paise::rupees(1);
/// The limits for how long an order can be paid (`expireAfter`).
const EXPIRE_AFTER_MIN: Duration = Duration::from_secs(300);
const EXPIRE_AFTER_MAX: Duration = Duration::from_secs(3_600);

pub(super) fn order(order: &NewOrder) -> Result<(), GatewayError> {
    id(&order.merchant_order_id)?;
    amount(order.amount)?;
    if !(EXPIRE_AFTER_MIN..=EXPIRE_AFTER_MAX).contains(&order.expire_after) {
        return Err(invalid_request("expireAfter is not between 300 and 3600 seconds"));
    }
    if !is_web_url(&order.redirect_url) {
        return Err(invalid_request("redirectUrl is no absolute web address"));
    }
    Ok(())
}

pub(super) fn refund(refund: &NewRefund) -> Result<(), GatewayError> {
    id(&refund.merchant_refund_id)?;
    id(&refund.merchant_order_id)?;
    amount(refund.amount)
}

pub(super) fn id(id: &str) -> Result<(), GatewayError> {
    if is_merchant_order_id(id) {
        Ok(())
    } else {
        Err(invalid_request("the id is not 1 to 63 letters, digits, _ or -"))
    }
}

fn amount(amount: Paise) -> Result<(), GatewayError> {
    if amount >= AMOUNT_MIN {
        Ok(())
    } else {
        Err(invalid_request("the amount is below one rupee"))
    }
}

fn invalid_request(message: &str) -> GatewayError {
    let (code, message) = ("INVALID_REQUEST".to_owned(), message.to_owned());
    GatewayError::Refused { http: 0, code, message }
}
