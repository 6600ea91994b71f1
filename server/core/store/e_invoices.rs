//! Registrations of documents at the portal for e-invoices.

use super::{Conn, RunStatement as _};
use crate::error::{Error, Result};
use crate::model::booking::documents::invoice::{Invoice, Registration};

/// Only the buyer's GSTIN can be empty; quotation marks within texts are escaped.
macro_rules! of_registered_buyer {
    () => {
        r#"i.document not like '%"gstin":""%'"#
    };
}

/// Returns documents of registered buyers without a registration, the oldest first. `from_ms` is
/// UTC.
pub(crate) async fn waiting(conn: &mut Conn, from_ms: i64, most: i64) -> Result<Vec<Invoice>> {
    let select = concat!(
        "select i.document from invoices i
         where i.issued_ms >= $1
           and not exists (select 1 from e_invoices e where e.number = i.number) and ",
        of_registered_buyer!(),
        " order by i.issued_ms, i.number limit $2"
    );
    let select = sqlx::query(select).bind(from_ms).bind(most);
    select.read_all(conn, super::invoices::invoice).await
}

/// Returns the IRN of a document. The outer `None` if there is no such document of a registered
/// buyer, the inner one if it is not registered.
pub(crate) async fn irn(conn: &mut Conn, number: &str) -> Result<Option<Option<String>>> {
    let select = concat!(
        "select e.irn from invoices i left join e_invoices e on e.number = i.number
         where i.number = $1 and ",
        of_registered_buyer!()
    );
    Ok(sqlx::query_scalar(select).bind(number).fetch_optional(conn).await?)
}

/// Stores a registration for good. `false` if its IRN is another document's.
pub(crate) async fn add(
    conn: &mut Conn,
    number: &str,
    registration: &Registration,
    now_ms: i64,
) -> Result<bool> {
    let Registration { irn, ack_number, ack_date, signed_qr } = registration;
    let insert = "insert into e_invoices
                    (number, irn, ack_number, ack_date, signed_qr, stored_ms)
                  values ($1, $2, $3, $4, $5, $6) on conflict do nothing";
    let insert = sqlx::query(insert).bind(number).bind(irn).bind(ack_number).bind(ack_date);
    insert.bind(signed_qr).bind(now_ms).changes_one(conn).await
}

/// Returns the error for a number that has no document of a registered buyer.
pub(crate) fn no_such_document(number: &str) -> Error {
    Error::NotFound(format!("There is no document {number} of a registered buyer.").into())
}
