//! All that is kept about one customer, in pages of so many rows, for the customer. Every statement
//! names the owner; hashes, seals and tokens are in none.

use std::collections::HashMap;

use serde_json::{Map, Value, json};
use sqlx::Row;
use sqlx::any::AnyRow;

use super::Conn;
use crate::error::Result;
use crate::model::calendar::moment_as_iso;
use crate::model::money::paise::Paise;

/// The last row of a page: where the next begins.
pub type Place = (i64, String);

/// A page, and where the next begins.
pub type Page = (Vec<Value>, Place);

/// How a column is written.
#[derive(Clone, Copy, Debug)]
enum As {
    Text,
    Number,
    /// Milliseconds, as a moment in India.
    Moment,
    /// Paise, as rupees.
    Rupees,
    /// A text that is JSON already.
    Json,
}

use As::{Json, Moment, Number, Rupees, Text};

/// Rows of one kind: their name in the file, the statement of a page, and what is told of a row.
#[derive(Debug)]
pub struct Section {
    pub name: &'static str,
    page: &'static str,
    columns: &'static [(&'static str, As)],
}

/// Everything but bookings, each in the order in which it happened. `$1` is the owner, `$2` and
/// `$3` the last row of the page before, `$4` how many.
pub const SECTIONS: [Section; 9] = [
    Section {
        name: "agreements",
        page: "select agreed_ms as place, document || ' ' || version as place_id,
                 document, version, agreed_ms as agreed_at, address, device
               from agreements where user_id = $1 and agreed_ms >= $2
                 and (agreed_ms > $2 or document || ' ' || version > $3)
               order by 1, 2 limit $4",
        columns: &[
            ("document", Text),
            ("version", Text),
            ("agreed_at", Moment),
            ("address", Text),
            ("device", Text),
        ],
    },
    Section {
        name: "documents",
        page: "select issued_ms as place, number as place_id, number, kind, booking_id,
                 taxable_paise as taxable, gst_paise as gst, issued_ms as issued_at, document
               from invoices where user_id = $1 and issued_ms >= $2
                 and (issued_ms > $2 or number > $3)
               order by issued_ms, number limit $4",
        columns: &[
            ("number", Text),
            ("kind", Text),
            ("booking_id", Text),
            ("taxable", Rupees),
            ("gst", Rupees),
            ("issued_at", Moment),
            ("document", Json),
        ],
    },
    Section {
        name: "statement",
        page: "select t.seq as place, cast(e.line as text) as place_id, t.transaction_id, t.kind,
                 t.reference, t.description, t.created_ms as at, e.amount_paise as amount,
                 e.balance_after_paise as balance_after
               from ledger_transactions t
               join ledger_entries e on e.transaction_id = t.transaction_id
                 and e.account_id = 'available:' || t.user_id
               where t.user_id = $1 and t.seq >= $2
                 and (t.seq > $2 or cast(e.line as text) > $3)
               order by t.seq, cast(e.line as text) limit $4",
        columns: &[
            ("transaction_id", Text),
            ("kind", Text),
            ("reference", Text),
            ("description", Text),
            ("at", Moment),
            ("amount", Rupees),
            ("balance_after", Rupees),
        ],
    },
    Section {
        name: "payments",
        page: "select created_ms as place, merchant_order_id as place_id, merchant_order_id,
                 amount_paise as amount, state, method, transaction_id, provider_order_id,
                 error_description, created_ms as created_at, completed_ms as completed_at
               from payment_orders where user_id = $1 and created_ms >= $2
                 and (created_ms > $2 or merchant_order_id > $3)
               order by created_ms, merchant_order_id limit $4",
        columns: &[
            ("merchant_order_id", Text),
            ("amount", Rupees),
            ("state", Text),
            ("method", Text),
            ("transaction_id", Text),
            ("provider_order_id", Text),
            ("error_description", Text),
            ("created_at", Moment),
            ("completed_at", Moment),
        ],
    },
    Section {
        name: "payments_sent_back",
        page: "select o.created_ms as place, r.merchant_refund_id as place_id,
                 r.merchant_refund_id, r.merchant_order_id, r.amount_paise as amount, r.state,
                 r.created_ms as created_at, r.ended_ms as ended_at
               from payment_orders o
               join gateway_refunds r on r.merchant_order_id = o.merchant_order_id
               where o.user_id = $1 and o.created_ms >= $2
                 and (o.created_ms > $2 or r.merchant_refund_id > $3)
               order by o.created_ms, r.merchant_refund_id limit $4",
        columns: &[
            ("merchant_refund_id", Text),
            ("merchant_order_id", Text),
            ("amount", Rupees),
            ("state", Text),
            ("created_at", Moment),
            ("ended_at", Moment),
        ],
    },
    Section {
        name: "weight_differences",
        page: "select created_ms as place, claim_id as place_id, claim_id, booking_id, courier,
                 courier_reference, booked_grams, claimed_grams, taxable_paise as taxable,
                 gst_paise as gst, proof, state, dispute, created_ms as created_at,
                 decided_ms as decided_at
               from weight_claims where user_id = $1 and created_ms >= $2
                 and (created_ms > $2 or claim_id > $3)
               order by created_ms, claim_id limit $4",
        columns: &[
            ("claim_id", Text),
            ("booking_id", Text),
            ("courier", Text),
            ("courier_reference", Text),
            ("booked_grams", Number),
            ("claimed_grams", Number),
            ("taxable", Rupees),
            ("gst", Rupees),
            ("proof", Text),
            ("state", Text),
            ("dispute", Text),
            ("created_at", Moment),
            ("decided_at", Moment),
        ],
    },
    Section {
        name: "identity_documents",
        page: "select created_ms as place, document_id as place_id, document_id, upload_id,
                 organization_id, kind as document_type, media_type, size_bytes,
                 created_ms as uploaded_at, used_ms as last_used_at, deleted_ms as deleted_at
               from kyc_documents where user_id = $1 and created_ms >= $2
                 and (created_ms > $2 or document_id > $3)
               order by created_ms, document_id limit $4",
        columns: &[
            ("document_id", Text),
            ("upload_id", Text),
            ("organization_id", Number),
            ("document_type", Number),
            ("media_type", Text),
            ("size_bytes", Number),
            ("uploaded_at", Moment),
            ("last_used_at", Moment),
            ("deleted_at", Moment),
        ],
    },
    Section {
        name: "activity",
        page: "select created_ms as place, event_id as place_id, act, result, about, address,
                 device, created_ms as at
               from security_events where user_id = $1 and created_ms >= $2
                 and (created_ms > $2 or event_id > $3)
               order by created_ms, event_id limit $4",
        columns: &[
            ("act", Text),
            ("result", Text),
            ("about", Text),
            ("address", Text),
            ("device", Text),
            ("at", Moment),
        ],
    },
    Section {
        name: "known_browsers",
        page: "select used_ms as place, device_hash as place_id, used_ms as last_login_at
               from known_devices where user_id = $1 and used_ms >= $2
                 and (used_ms > $2 or device_hash > $3)
               order by used_ms, device_hash limit $4",
        columns: &[("last_login_at", Moment)],
    },
];

/// The next page of a section.
pub async fn page(
    conn: &mut Conn,
    section: &Section,
    user_id: &str,
    after: &Place,
    rows: i64,
) -> Result<Page> {
    let found = rows_of(conn, section.page, user_id, after, rows).await?;
    let values = found.iter().map(|row| object(row, section.columns));
    Ok((values.collect::<Result<_>>()?, last(&found, after)?))
}

/// A page of bookings, the newest first: which, and what belongs to them.
macro_rules! bookings {
    ($which:literal) => {
        BookingPages {
            bookings: concat!(
                "select b.created_ms as place, b.booking_id as place_id, b.booking_id, b.awb,
                   b.status, b.product_name as service, b.courier_code as courier,
                   b.amount_paise as amount, b.weight_grams, b.created_ms as booked_at,
                   b.details, q.shipment as quoted_shipment, q.price as quoted_price
                 from (",
                page_of!($which),
                ") p join bookings b on b.booking_id = p.booking_id
                 left join quotes q on q.quote_id = b.quote_id
                 order by b.created_ms desc, b.booking_id"
            ),
            tracking: concat!(
                "select p.booking_id, e.status, e.location, e.remarks, e.happened_ms as at
                 from (",
                page_of!($which),
                ") p join tracking_events e on e.awb = p.awb order by e.awb, e.seq"
            ),
            letters: concat!(
                "select p.booking_id, n.status, n.created_ms as at
                 from (",
                page_of!($which),
                ") p join notices n on n.booking_id = p.booking_id
                 order by n.booking_id, n.created_ms"
            ),
        }
    };
}

/// The ids of a page, by an index of their own for those that failed.
macro_rules! page_of {
    ($which:literal) => {
        concat!(
            "select booking_id, awb from bookings where user_id = $1 and ",
            $which,
            " and created_ms <= $2 and (created_ms < $2 or booking_id > $3)
             order by created_ms desc, booking_id limit $4"
        )
    };
}
/// The statements of a page of bookings.
#[derive(Debug)]
pub struct BookingPages {
    bookings: &'static str,
    tracking: &'static str,
    letters: &'static str,
}

/// Bookings that a courier has, had, or is to have.
pub const BOOKINGS: BookingPages = bookings!("status <> 'failed'");

/// Those that no courier took.
pub const FAILED_BOOKINGS: BookingPages = bookings!("status = 'failed'");

const BOOKING: &[(&str, As)] = &[
    ("booking_id", Text),
    ("awb", Text),
    ("status", Text),
    ("service", Text),
    ("courier", Text),
    ("amount", Rupees),
    ("weight_grams", Number),
    ("booked_at", Moment),
    ("details", Json),
    ("quoted_shipment", Json),
    ("quoted_price", Json),
];
const TRACKED: &[(&str, As)] = &[
    ("status", Text),
    ("location", Text),
    ("remarks", Text),
    ("at", Moment),
];
const TOLD: &[(&str, As)] = &[("status", Text), ("at", Moment)];

/// Before all bookings: they come newest first.
pub fn newest() -> Place {
    (i64::MAX, String::new())
}

/// Before all rows of a section.
pub fn oldest() -> Place {
    (-1, String::new())
}

/// The next page of bookings, with what happened to each and what was told of it.
pub async fn bookings(
    conn: &mut Conn,
    pages: &BookingPages,
    user_id: &str,
    after: &Place,
    rows: i64,
) -> Result<Page> {
    let bookings = rows_of(conn, pages.bookings, user_id, after, rows).await?;
    let tracking = rows_of(conn, pages.tracking, user_id, after, rows).await?;
    let letters = rows_of(conn, pages.letters, user_id, after, rows).await?;
    let mut tracking = grouped(&tracking, TRACKED)?;
    let mut letters = grouped(&letters, TOLD)?;
    let mut values = Vec::with_capacity(bookings.len());
    for row in &bookings {
        let (mut value, id): (Value, String) = (object(row, BOOKING)?, row.try_get("booking_id")?);
        value["tracking"] = json!(tracking.remove(&id).unwrap_or_default());
        value["letters"] = json!(letters.remove(&id).unwrap_or_default());
        values.push(value);
    }
    let place = last(&bookings, after)?;
    Ok((values, place))
}

async fn rows_of(
    conn: &mut Conn,
    page: &'static str,
    user_id: &str,
    after: &Place,
    rows: i64,
) -> Result<Vec<AnyRow>> {
    let page = sqlx::query(page)
        .bind(user_id)
        .bind(after.0)
        .bind(&after.1)
        .bind(rows);
    Ok(page.fetch_all(conn).await?)
}

fn grouped(rows: &[AnyRow], columns: &[(&str, As)]) -> Result<HashMap<String, Vec<Value>>> {
    let mut all: HashMap<String, Vec<Value>> = HashMap::new();
    for row in rows {
        let of = all.entry(row.try_get("booking_id")?).or_default();
        of.push(object(row, columns)?);
    }
    Ok(all)
}

fn last(rows: &[AnyRow], before: &Place) -> Result<Place> {
    match rows.last() {
        Some(row) => Ok((row.try_get("place")?, row.try_get("place_id")?)),
        None => Ok(before.clone()),
    }
}

fn object(row: &AnyRow, columns: &[(&str, As)]) -> Result<Value> {
    let mut told = Map::new();
    for &(name, how) in columns {
        told.insert(name.to_owned(), value(row, name, how)?);
    }
    Ok(Value::Object(told))
}

fn value(row: &AnyRow, name: &str, how: As) -> Result<Value> {
    let number = || row.try_get::<Option<i64>, _>(name);
    let text = || row.try_get::<Option<String>, _>(name);
    Ok(match how {
        Text => json!(text()?),
        Number => json!(number()?),
        Moment => json!(number()?.map(moment_as_iso)),
        Rupees => json!(number()?.map(|paise| Paise::new(paise).decimal())),
        Json => text()?.map_or(Value::Null, |text| {
            serde_json::from_str(&text).unwrap_or(Value::String(text))
        }),
    })
}
