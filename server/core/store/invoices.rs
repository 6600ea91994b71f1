//! Tax invoices, debit notes and credit notes, as issued.

use sqlx::any::AnyRow;
use sqlx::{AssertSqlSafe, Row};

use super::pipeline::{Statement, run_pipeline};
use super::{Conn, PerBackend, RunStatement as _};
use crate::error::{Error, Result};
use crate::model::booking::documents::gst::IssuedDocument;
use crate::model::booking::documents::invoice::{
    DocumentFiling, DocumentKind, DocumentNumber, DocumentSeries, Invoice, Registration,
};
use crate::model::money::paise::Paise;
use crate::random::random_bytes;
use crate::{failpoints, limits};

/// Returns the next number of a series that no other transaction numbers documents of, and locks
/// the series until this database transaction ends: so its numbers have no gaps and follow the
/// order of commits. [`end_statement`] takes the numbers. Called once in a transaction: two that
/// called it twice could wait for each other.
pub(crate) async fn next(conn: &mut Conn, series: &DocumentSeries) -> Result<DocumentNumber> {
    const FREE: PerBackend = PerBackend {
        sqlite: "order by code limit 1",
        postgres: "order by code limit 1 for update skip locked",
    };
    const THIS: PerBackend =
        PerBackend { sqlite: "and code = $3", postgres: "and code = $3 for update" };
    let free = match failpoints::on("series-unlocked") {
        true => FREE.sqlite,
        false => FREE.of(conn),
    };
    if let Some(number) = last_of(conn, free, series, None).await? {
        return Ok(number);
    }
    let count = "select count(*) from document_series where kind = $1 and financial_year = $2";
    let count = sqlx::query_scalar(count).bind(series.kind.word()).bind(&series.financial_year);
    let count: i64 = count.fetch_one(&mut *conn).await?;
    let codes: Vec<char> = limits::DOCUMENT_SERIES.chars().collect();
    let code = match usize::try_from(count).ok().and_then(|count| codes.get(count)) {
        Some(code) => {
            add_series(conn, series, *code).await?;
            *code
        }
        // All are busy: wait for any.
        None => codes[usize::from(random_bytes::<1>()[0]) % codes.len()],
    };
    let number = last_of(conn, THIS.of(conn), series, Some(code)).await?;
    number.ok_or_else(|| Error::internal(anyhow::anyhow!("a series of documents is missing")))
}

/// Begins a series, unless it was begun.
async fn add_series(conn: &mut Conn, series: &DocumentSeries, code: char) -> Result<()> {
    let insert = "insert into document_series (kind, financial_year, code, last, issued_ms)
                  values ($1, $2, $3, 0, 0) on conflict do nothing";
    let insert = sqlx::query(insert).bind(series.kind.word()).bind(&series.financial_year);
    insert.bind(code.to_string()).run(conn).await
}

/// Returns the number after the last one of a series, and locks it.
async fn last_of(
    conn: &mut Conn,
    which: &'static str,
    series: &DocumentSeries,
    code: Option<char>,
) -> Result<Option<DocumentNumber>> {
    let select = failpoints::sql(
        "select code, last, issued_ms from document_series
         where kind = $1 and financial_year = $2",
    );
    // Built from constants, never from input.
    let select = sqlx::query(AssertSqlSafe(format!("{select} {which}")));
    let mut select = select.bind(series.kind.word()).bind(&series.financial_year);
    if let Some(code) = code {
        select = select.bind(code.to_string());
    }
    let number = |row: &AnyRow| {
        let code: String = row.try_get("code")?;
        Ok(DocumentNumber {
            code: code.chars().next().unwrap_or_default(),
            series: 1 + row.try_get::<i64, _>("last")?,
            before_ms: row.try_get("issued_ms")?,
        })
    };
    select.read_first(conn, number).await
}

/// Takes the numbers of a series up to and with that of this document.
pub(super) fn end_statement<'q>((filed, document): &'q (DocumentFiling, Invoice)) -> Statement<'q> {
    let series = DocumentSeries::of_filed(document.kind, filed);
    take_statement(&series, filed.code, filed.series, document.issued_ms)
}

fn take_statement(
    series: &DocumentSeries,
    code: char,
    last: i64,
    issued_ms: i64,
) -> Statement<'static> {
    let update = failpoints::sql(
        "update document_series set last = $4, issued_ms = $5
         where kind = $1 and financial_year = $2 and code = $3",
    );
    let update = sqlx::query(update).bind(series.kind.word()).bind(series.financial_year.clone());
    update.bind(code.to_string()).bind(last).bind(issued_ms)
}

/// Leaves out the next numbers of each series of a kind; returns the codes, with the last number
/// before them. A series that is not there may have been begun after the backup.
pub(crate) async fn leave_out(
    conn: &mut Conn,
    series: &DocumentSeries,
    numbers: i64,
    now_ms: i64,
) -> Result<Vec<(char, i64)>> {
    let mut left_out = Vec::new();
    for code in limits::DOCUMENT_SERIES.chars() {
        add_series(conn, series, code).await?;
        let last = "select last from document_series
                    where kind = $1 and financial_year = $2 and code = $3";
        let last = sqlx::query_scalar(last).bind(series.kind.word()).bind(&series.financial_year);
        let last: i64 = last.bind(code.to_string()).fetch_one(&mut *conn).await?;
        let insert = "insert into document_gaps
                        (kind, financial_year, code, after_series, numbers, made_ms)
                      values ($1, $2, $3, $4, $5, $6)";
        let insert = sqlx::query(insert).bind(series.kind.word()).bind(&series.financial_year);
        let insert = insert.bind(code.to_string()).bind(last).bind(numbers).bind(now_ms);
        insert.run(conn).await?;
        let skip = "update document_series set last = last + $4
                    where kind = $1 and financial_year = $2 and code = $3";
        let skip = sqlx::query(skip).bind(series.kind.word()).bind(&series.financial_year);
        skip.bind(code.to_string()).bind(numbers).run(conn).await?;
        left_out.push((code, last));
    }
    Ok(left_out)
}

/// Stores a document for good, and takes its number.
pub(crate) async fn add(conn: &mut Conn, filed: &(DocumentFiling, Invoice)) -> Result<()> {
    run_pipeline(conn, vec![add_statement(&filed.0, &filed.1)?, end_statement(filed)]).await?;
    Ok(())
}

pub(super) fn add_statement<'q>(
    filed: &'q DocumentFiling,
    document: &'q Invoice,
) -> Result<Statement<'q>> {
    let gst: Paise = document.taxes.iter().map(|tax| tax.amount).sum();
    Ok(sqlx::query(
        "insert into invoices (number, kind, financial_year, series, booking_id, user_id,
           refund_id, taxable_paise, gst_paise, document, issued_ms, charge_id, code)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)",
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
    .bind(&filed.charge_id)
    .bind(filed.code.to_string()))
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
                  order by i.issued_ms, i.code, i.series";
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
/// of its series and numbers, with the total of the booking's invoice.
pub(crate) async fn issued_between(
    conn: &mut Conn,
    from_ms: i64,
    until_ms: i64,
) -> Result<Vec<IssuedDocument>> {
    let select = "select n.document, coalesce(i.taxable_paise + i.gst_paise, 0) as total_paise
                  from invoices n
                  left join invoices i on i.booking_id = n.booking_id and i.kind = 'invoice'
                  where n.issued_ms >= $1 and n.issued_ms < $2
                  order by n.kind, n.financial_year, n.code, n.series";
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
