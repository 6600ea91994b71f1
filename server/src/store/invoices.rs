//! Tax invoices, debit notes and credit notes, as issued.

use sqlx::any::AnyRow;
use sqlx::{AssertSqlSafe, Row};

use super::pipeline::Statement;
use super::{Conn, RunStatement as _};
use crate::error::{Error, Result};
use crate::failpoints;
use crate::model::booking::documents::gst::IssuedDocument;
use crate::model::booking::documents::invoice::{
    DocumentFiling, DocumentKind, DocumentNumber, DocumentSeries, Invoice, Registration,
};
use crate::model::money::paise::Paise;

/// Returns the next number of a series. The books must be locked: then no other transaction numbers
/// a document before this one ends, so the numbers have no gaps and follow the order of commits.
pub(crate) async fn next(conn: &mut Conn, series: &DocumentSeries) -> Result<DocumentNumber> {
    // Built from constants, never from input.
    let look = sqlx::query(AssertSqlSafe(format!("select {}", numbered_so_far())))
        .bind(series.counter())
        .bind(series.kind.word())
        .bind(&series.financial_year);
    let row = look.fetch_one(&mut *conn).await?;
    take_numbers_statement(series, 1).execute(conn).await?;
    Ok(DocumentNumber {
        series: 1 + row.try_get::<i64, _>("series")?,
        before_ms: row.try_get("issued_ms")?,
    })
}

/// The columns `series`, the last number of a series, and `issued_ms`, the time of that document:
/// of the counter `$1`, the kind `$2` and the financial year `$3`.
pub(super) fn numbered_so_far() -> &'static str {
    failpoints::sql(
        "coalesce((select value from counters where counter = $1), 0) as series,
         (select issued_ms from invoices where kind = $2 and financial_year = $3
            and series = (select value from counters where counter = $1)) as issued_ms",
    )
}

/// Takes the next `by` numbers of a series.
pub(super) fn take_numbers_statement(series: &DocumentSeries, by: i64) -> Statement<'static> {
    let insert = failpoints::sql(
        "insert into counters (counter, value) values ($1, $2)
         on conflict (counter) do update set value = counters.value + excluded.value",
    );
    sqlx::query(insert).bind(series.counter()).bind(by)
}

/// Leaves out the next numbers of a series; returns the last number before them.
pub(crate) async fn leave_out(
    conn: &mut Conn,
    series: &DocumentSeries,
    numbers: i64,
    now_ms: i64,
) -> Result<i64> {
    let last = "select coalesce((select value from counters where counter = $1), 0)";
    let last: i64 = sqlx::query_scalar(last).bind(series.counter()).fetch_one(&mut *conn).await?;
    let insert = "insert into document_gaps (kind, financial_year, after_series, numbers, made_ms)
                  values ($1, $2, $3, $4, $5)";
    sqlx::query(insert)
        .bind(series.kind.word())
        .bind(&series.financial_year)
        .bind(last)
        .bind(numbers)
        .bind(now_ms)
        .run(conn)
        .await?;
    take_numbers_statement(series, numbers).run(conn).await?;
    Ok(last)
}

/// Stores a document for good.
pub(crate) async fn add(conn: &mut Conn, filed: &DocumentFiling, document: &Invoice) -> Result<()> {
    add_statement(filed, document)?.run(conn).await
}

pub(super) fn add_statement<'q>(
    filed: &'q DocumentFiling,
    document: &'q Invoice,
) -> Result<Statement<'q>> {
    let gst: Paise = document.taxes.iter().map(|tax| tax.amount).sum();
    Ok(sqlx::query(
        "insert into invoices (number, kind, financial_year, series, booking_id, user_id,
           refund_id, taxable_paise, gst_paise, document, issued_ms, charge_id)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)",
    )
    .bind(&document.number)
    .bind(document.kind.word())
    .bind(&filed.financial_year)
    .bind(filed.series)
    .bind(&filed.booking_id)
    .bind(&filed.user_id)
    .bind(&filed.refund_id)
    .bind(document.taxable.get())
    .bind(gst.get())
    .bind(serde_json::to_string(document).map_err(Error::internal)?)
    .bind(document.issued_ms)
    .bind(&filed.charge_id))
}

/// Returns the invoice or debit note of a charge.
pub(crate) async fn of_charge(
    conn: &mut Conn,
    user_id: &str,
    charge_id: &str,
) -> Result<Option<Invoice>> {
    let select = "select document from invoices
                  where user_id = $1 and charge_id = $2 and kind in ('invoice', 'debit_note')";
    sqlx::query(select).bind(user_id).bind(charge_id).read_first(conn, invoice).await
}

pub(crate) async fn booking_of(conn: &mut Conn, number: &str) -> Result<String> {
    let booking = "select booking_id from invoices where number = $1";
    Ok(sqlx::query_scalar(booking).bind(number).fetch_one(conn).await?)
}

/// True if a refund of a charge already has its credit note.
pub(crate) async fn is_credited(
    conn: &mut Conn,
    user_id: &str,
    charge_id: &str,
    refund_id: &str,
) -> Result<bool> {
    let count = "select count(*) from invoices
                 where user_id = $1 and charge_id = $2 and refund_id = $3";
    sqlx::query(count).bind(user_id).bind(charge_id).bind(refund_id).counts_any(conn).await
}

/// Returns the taxable value and the GST of the credit note of a refund; `None` without one.
pub(crate) async fn credited(
    conn: &mut Conn,
    user_id: &str,
    charge_id: &str,
    refund_id: &str,
) -> Result<Option<(Paise, Paise)>> {
    let select = "select taxable_paise, gst_paise from invoices
                  where user_id = $1 and charge_id = $2 and refund_id = $3
                    and kind = 'credit_note'";
    let read = |row: &AnyRow| {
        let taxable = Paise::new(row.try_get("taxable_paise")?);
        Ok((taxable, Paise::new(row.try_get("gst_paise")?)))
    };
    let select = sqlx::query(select).bind(user_id).bind(charge_id).bind(refund_id);
    select.read_first(conn, read).await
}

/// Returns the documents of one kind of the user's booking, in the order of their numbers.
pub(crate) async fn find(
    conn: &mut Conn,
    user_id: &str,
    booking_id: &str,
    kind: DocumentKind,
) -> Result<Vec<Invoice>> {
    let select = "select i.document, e.irn, e.ack_number, e.ack_date, e.signed_qr
                  from invoices i left join e_invoices e on e.number = i.number
                  where i.user_id = $1 and i.booking_id = $2 and i.kind = $3
                  order by i.issued_ms, i.series";
    let select = sqlx::query(select).bind(user_id).bind(booking_id).bind(kind.word());
    select.read_all(conn, registered_invoice).await
}

/// Reads a document with its registration, if it has one.
fn registered_invoice(row: &AnyRow) -> Result<Invoice> {
    let registration = match row.try_get::<Option<String>, _>("irn")? {
        None => None,
        Some(irn) => Some(Registration {
            irn,
            ack_number: row.try_get("ack_number")?,
            ack_date: row.try_get("ack_date")?,
            signed_qr: row.try_get("signed_qr")?,
        }),
    };
    Ok(Invoice { registration, ..invoice(row)? })
}

/// Returns all documents of a period (UTC milliseconds, the end exclusive), each kind in the order
/// of its numbers, with the total of the booking's invoice.
pub(crate) async fn issued_between(
    conn: &mut Conn,
    from_ms: i64,
    until_ms: i64,
) -> Result<Vec<IssuedDocument>> {
    let select = "select n.document, coalesce(i.taxable_paise + i.gst_paise, 0) as total_paise
                  from invoices n
                  left join invoices i on i.booking_id = n.booking_id and i.kind = 'invoice'
                  where n.issued_ms >= $1 and n.issued_ms < $2
                  order by n.kind, n.financial_year, n.series";
    let issued = |row: &AnyRow| {
        Ok(IssuedDocument {
            document: invoice(row)?,
            invoice_total: Paise::new(row.try_get("total_paise")?),
        })
    };
    sqlx::query(select).bind(from_ms).bind(until_ms).read_all(conn, issued).await
}

pub(super) fn invoice(row: &AnyRow) -> Result<Invoice> {
    serde_json::from_str(row.try_get("document")?).map_err(Error::internal)
}
