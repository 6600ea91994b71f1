//! All data of one customer, in pages, for export to the customer. Every statement names the owner;
//! none returns hashes, seals or tokens.

use std::collections::HashMap;

use serde_json::{Map, Value, json};
use sqlx::any::AnyRow;
use sqlx::{AssertSqlSafe, Row, SqlSafeStr};

use super::Conn;
use crate::error::Result;
use crate::model::calendar::moment_as_iso;
use crate::model::money::paise::Paise;

/// The last row of a page; the next page begins after it.
pub type ExportCursor = (i64, String);

/// A page, and the cursor of the next one.
pub type ExportPage = (Vec<Value>, ExportCursor);

/// The format of a column.
#[derive(Clone, Copy, Debug)]
enum As {
    Text,
    Number,
    /// Milliseconds, written as a time in India.
    Moment,
    /// Paise, written as rupees.
    Rupees,
    /// A text that already is JSON.
    Json,
}

use As::{Json, Moment, Number, Rupees, Text};

/// Rows of one kind: their name in the file, the statement of a page, and the exported columns.
#[derive(Debug)]
pub struct Section {
    pub name: &'static str,
    page: &'static str,
    columns: &'static [(&'static str, As)],
}

/// The exported name of a column: its own, or another.
macro_rules! exported_name {
    ($column:literal) => {
        $column
    };
    ($column:literal $exported:literal) => {
        $exported
    };
}

/// Rows of one kind in chronological order: `$1` is the owner, `$2` and `$3` the last row of the
/// page before, `$4` the number of rows.
macro_rules! section {
    (
        $name:literal from $from:literal of $owner:literal by $place:literal, $id:literal:
        $($column:literal $(=> $exported:literal)? $how:ident,)+
    ) => {
        Section {
            name: $name,
            page: concat!(
                "select ", $place, " as place, ", $id, " as place_id",
                $(", ", $column, " as ", exported_name!($column $($exported)?),)+
                " from ", $from, " where ", $owner, " = $1 and ", $place, " >= $2 and (",
                $place, " > $2 or ", $id, " > $3) order by ", $place, ", ", $id, " limit $4"
            ),
            columns: &[$((exported_name!($column $($exported)?), $how),)+],
        }
    };
}

/// All sections except bookings.
pub const SECTIONS: [Section; 13] = [
    section!("passkeys" from "passkeys" of "user_id" by "created_ms", "passkey_id":
        "name" Text,
        "created_ms" => "created_at" Moment,
        "used_ms" => "last_used_at" Moment,
    ),
    section!("agreements" from "agreements" of "user_id"
        by "agreed_ms", "document || ' ' || version":
        "document" Text,
        "version" Text,
        "agreed_ms" => "agreed_at" Moment,
        "address" Text,
        "device" Text,
    ),
    section!("documents" from "invoices" of "user_id" by "issued_ms", "number":
        "number" Text,
        "kind" Text,
        "booking_id" Text,
        "taxable_paise" => "taxable" Rupees,
        "gst_paise" => "gst" Rupees,
        "issued_ms" => "issued_at" Moment,
        "document" Json,
    ),
    section!("statement" from "ledger_transactions t
            join ledger_entries e on e.transaction_id = t.transaction_id
              and e.account_id = 'available:' || t.user_id"
        of "t.user_id" by "t.wallet_seq", "cast(e.line as text)":
        "t.transaction_id" => "transaction_id" Text,
        "t.kind" => "kind" Text,
        "t.reference" => "reference" Text,
        "t.description" => "description" Text,
        "t.created_ms" => "at" Moment,
        "e.amount_paise" => "amount" Rupees,
        "e.balance_after_paise" => "balance_after" Rupees,
    ),
    section!("payments" from "payment_orders" of "user_id" by "created_ms", "merchant_order_id":
        "merchant_order_id" Text,
        "amount_paise" => "amount" Rupees,
        "state" Text,
        "method" Text,
        "transaction_id" Text,
        "provider_order_id" Text,
        "error_description" Text,
        "created_ms" => "created_at" Moment,
        "completed_ms" => "completed_at" Moment,
    ),
    section!("payments_sent_back" from "payment_orders o
            join gateway_refunds r on r.merchant_order_id = o.merchant_order_id"
        of "o.user_id" by "o.created_ms", "r.merchant_refund_id":
        "r.merchant_refund_id" => "merchant_refund_id" Text,
        "r.merchant_order_id" => "merchant_order_id" Text,
        "r.amount_paise" => "amount" Rupees,
        "r.state" => "state" Text,
        "r.created_ms" => "created_at" Moment,
        "r.ended_ms" => "ended_at" Moment,
    ),
    section!("weight_differences" from "weight_claims" of "user_id" by "created_ms", "claim_id":
        "claim_id" Text,
        "booking_id" Text,
        "courier" Text,
        "courier_reference" Text,
        "booked_grams" Number,
        "claimed_grams" Number,
        "taxable_paise" => "taxable" Rupees,
        "gst_paise" => "gst" Rupees,
        "proof" Text,
        "state" Text,
        "dispute" Text,
        "created_ms" => "created_at" Moment,
        "decided_ms" => "decided_at" Moment,
    ),
    section!("pickups" from "pickups k join pickup_parcels p on p.pickup_id = k.pickup_id"
        of "p.user_id" by "k.created_ms", "p.booking_id":
        "p.booking_id" => "booking_id" Text,
        "k.day" => "day" Text,
        "k.from_minute" => "from_minute" Number,
        "k.until_minute" => "until_minute" Number,
        "k.state" => "state" Text,
        "k.confirmation" => "confirmation" Text,
        "k.created_ms" => "asked_at" Moment,
    ),
    section!("receivers_calls" from "call_requests" of "user_id" by "asked_ms", "booking_id":
        "booking_id" Text,
        "asked_ms" => "asked_at" Moment,
        "called_ms" => "called_at" Moment,
    ),
    section!("identity_documents" from "kyc_documents" of "user_id" by "created_ms", "document_id":
        "document_id" Text,
        "upload_id" Text,
        "organization_id" Number,
        "kind" => "document_type" Number,
        "media_type" Text,
        "size_bytes" Number,
        "created_ms" => "uploaded_at" Moment,
        "used_ms" => "last_used_at" Moment,
        "deleted_ms" => "deleted_at" Moment,
    ),
    section!("activity" from "security_events" of "user_id" by "created_ms", "event_id":
        "act" Text,
        "result" Text,
        "subject_id" => "about" Text,
        "address" Text,
        "device" Text,
        "created_ms" => "at" Moment,
    ),
    section!("letters_switched_off" from "declined_letters" of "user_id" by "declined_ms", "topic":
        "topic" Text,
        "through" Text,
        "declined_ms" => "since" Moment,
    ),
    section!("known_browsers" from "known_devices" of "user_id" by "used_ms", "device_hash":
        "used_ms" => "last_login_at" Moment,
    ),
];

/// Returns the next page of a section.
pub(crate) async fn page(
    conn: &mut Conn,
    section: &Section,
    user_id: &str,
    after: &ExportCursor,
    rows: i64,
) -> Result<ExportPage> {
    let batch = rows_of(conn, section.page, user_id, after, rows).await?;
    let values = batch.iter().map(|row| object(row, section.columns));
    Ok((values.collect::<Result<_>>()?, page_end(&batch, after)?))
}

/// Bookings with a condition, the newest first.
#[derive(Debug)]
pub struct ExportFilter {
    condition: &'static str,
}

/// Bookings that a courier has, had, or is to get.
pub const BOOKINGS: ExportFilter = ExportFilter { condition: "status <> 'failed'" };

/// Bookings that no courier accepted. They have an index of their own.
pub const FAILED_BOOKINGS: ExportFilter = ExportFilter { condition: "status = 'failed'" };

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
const TRACKED: &[(&str, As)] =
    &[("status", Text), ("location", Text), ("remarks", Text), ("at", Moment)];
const TOLD: &[(&str, As)] = &[("status", Text), ("at", Moment)];

/// The cursor before all bookings, which come newest first.
pub const NEWEST: ExportCursor = (i64::MAX, String::new());

/// The cursor before all rows of a section.
pub const OLDEST: ExportCursor = (-1, String::new());

/// Returns the next page of bookings, with the events and notices of each.
pub(crate) async fn bookings(
    conn: &mut Conn,
    filter: &ExportFilter,
    user_id: &str,
    after: &ExportCursor,
    rows: i64,
) -> Result<ExportPage> {
    // Built from constants, never from input.
    let page = format!(
        "select booking_id from bookings where user_id = $1 and {}
           and created_ms <= $2 and (created_ms < $2 or booking_id > $3)
         order by created_ms desc, booking_id limit $4",
        filter.condition
    );
    let bookings = format!(
        "select b.created_ms as place, b.booking_id as place_id, b.booking_id, b.awb,
           b.status, b.product_name as service, b.courier_code as courier,
           b.amount_paise as amount, b.weight_grams, b.created_ms as booked_at,
           b.details, q.shipment as quoted_shipment, q.price as quoted_price
         from ({page}) p join bookings b on b.booking_id = p.booking_id
         left join quotes q on q.quote_id = b.quote_id
         order by b.created_ms desc, b.booking_id"
    );
    let tracking = format!(
        "select p.booking_id, e.status, e.location, e.remarks, e.happened_ms as at
         from ({page}) p join tracking_events e on e.booking_id = p.booking_id
         order by e.booking_id, e.sort_ms, e.seq"
    );
    let letters = format!(
        "select p.booking_id, n.status, n.created_ms as at
         from ({page}) p join notices n on n.booking_id = p.booking_id
         order by n.booking_id, n.created_ms"
    );
    let bookings = rows_of(conn, AssertSqlSafe(bookings), user_id, after, rows).await?;
    let tracking = rows_of(conn, AssertSqlSafe(tracking), user_id, after, rows).await?;
    let letters = rows_of(conn, AssertSqlSafe(letters), user_id, after, rows).await?;
    let mut tracking = group_by_booking(&tracking, TRACKED)?;
    let mut letters = group_by_booking(&letters, TOLD)?;
    let mut values = Vec::with_capacity(bookings.len());
    for row in &bookings {
        let (mut value, id): (Value, String) = (object(row, BOOKING)?, row.try_get("booking_id")?);
        value["tracking"] = json!(tracking.remove(&id).unwrap_or_default());
        value["letters"] = json!(letters.remove(&id).unwrap_or_default());
        values.push(value);
    }
    let place = page_end(&bookings, after)?;
    Ok((values, place))
}

async fn rows_of(
    conn: &mut Conn,
    page: impl SqlSafeStr,
    user_id: &str,
    after: &ExportCursor,
    rows: i64,
) -> Result<Vec<AnyRow>> {
    let page = sqlx::query(page).bind(user_id).bind(after.0).bind(&after.1).bind(rows);
    Ok(page.fetch_all(conn).await?)
}

fn group_by_booking(
    rows: &[AnyRow],
    columns: &[(&str, As)],
) -> Result<HashMap<String, Vec<Value>>> {
    let mut all: HashMap<String, Vec<Value>> = HashMap::new();
    for row in rows {
        let of = all.entry(row.try_get("booking_id")?).or_default();
        of.push(object(row, columns)?);
    }
    Ok(all)
}

fn page_end(rows: &[AnyRow], before: &ExportCursor) -> Result<ExportCursor> {
    match rows.last() {
        Some(row) => Ok((row.try_get("place")?, row.try_get("place_id")?)),
        None => Ok(before.clone()),
    }
}

fn object(row: &AnyRow, columns: &[(&str, As)]) -> Result<Value> {
    let mut fields = Map::new();
    for &(name, how) in columns {
        fields.insert(name.to_owned(), value(row, name, how)?);
    }
    Ok(Value::Object(fields))
}

fn value(row: &AnyRow, name: &str, how: As) -> Result<Value> {
    let number = || row.try_get::<Option<i64>, _>(name);
    let text = || row.try_get::<Option<String>, _>(name);
    Ok(match how {
        Text => json!(text()?),
        Number => json!(number()?),
        Moment => json!(number()?.map(moment_as_iso)),
        Rupees => json!(number()?.map(|paise| Paise::new(paise).decimal())),
        Json => text()?
            .map_or(Value::Null, |text| serde_json::from_str(&text).unwrap_or(Value::String(text))),
    })
}
