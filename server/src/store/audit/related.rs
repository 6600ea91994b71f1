//! Checks of rows against the books: charges, documents, recharge orders, orphaned rows.

use super::accounts::{AuditFinding, gst_refunded};
use crate::error::Result;
use crate::store::Conn;

/// Reports entries and seals that belong to no transaction.
pub(crate) async fn unowned_entries(conn: &mut Conn) -> Result<Vec<AuditFinding>> {
    let strays = "
        select 'an entry' as what, transaction_id as id from ledger_entries e
        where not exists (
          select 1 from ledger_transactions t where t.transaction_id = e.transaction_id)
        union all
        select 'a seal', transaction_id from ledger_seals s
        where not exists (
          select 1 from ledger_transactions t where t.transaction_id = s.transaction_id)
        order by 1, 2";
    faults(conn, strays, "belongs to no transaction").await
}

/// Reports debts that a wallet's money should have paid.
pub(crate) async fn debts(conn: &mut Conn) -> Result<Vec<AuditFinding>> {
    let unpaid = "
        select 'the debt of' as what, owed.user_id as id from ledger_accounts owed
        join ledger_accounts wallet on wallet.account_id = 'available:' || owed.user_id
        where owed.kind = 'receivable' and owed.balance_paise < 0 and wallet.balance_paise > 0
        order by owed.user_id";
    faults(conn, unpaid, "stands while the wallet has money").await
}

/// Reports customers whose counted numbers or amounts of bookings differ from their bookings.
pub(crate) async fn booking_counts(conn: &mut Conn) -> Result<Vec<AuditFinding>> {
    let miscounted = "
        select status || ' bookings of' as what, user_id as id from (
          select user_id, status, bookings, amount_paise from booking_counts
          union all
          select user_id, status, -1, -amount_paise from bookings) as counted
        group by user_id, status
        having sum(bookings) <> 0 or sum(amount_paise) <> 0
        order by 2, 1";
    faults(conn, miscounted, "are miscounted").await
}

/// Reports wallets whose counted numbers or sums of statement lines differ from their statement.
pub(crate) async fn statement_counts(conn: &mut Conn) -> Result<Vec<AuditFinding>> {
    let miscounted = "
        select kind || ' lines of' as what, account_id as id from (
          select 'available:' || user_id as account_id, kind, sign, lines, amount_paise
          from statement_counts
          union all
          select e.account_id, t.kind, case when e.amount_paise < 0 then -1 else 1 end,
            -1, -e.amount_paise
          from ledger_entries e
          join ledger_transactions t on t.transaction_id = e.transaction_id
          join ledger_accounts a on a.account_id = e.account_id
          where a.kind = 'available') as counted
        group by account_id, kind, sign
        having sum(lines) <> 0 or sum(amount_paise) <> 0
        order by 2, 1";
    faults(conn, miscounted, "are miscounted").await
}

/// Reports charges whose state contradicts the books, transactions of charges that do not exist,
/// and cancelled bookings whose charges were not refunded.
pub(crate) async fn charges(conn: &mut Conn) -> Result<Vec<AuditFinding>> {
    // A charge's transactions in its owner's wallet show its state: held, captured, released.
    let differing = concat!(
        "
        select 'charge' as what, c.charge_id as id from charges c
        left join ledger_transactions t on t.reference = c.charge_id and t.user_id = c.user_id
          and t.kind in ('hold', 'capture', 'release', 'refund')
        left join ledger_entries e on e.transaction_id = t.transaction_id
        group by c.charge_id, c.state, c.taxable_paise, c.gst_paise, c.refunded_paise, c.user_id,
          c.courier_paise, c.courier_returned_paise
        having
          coalesce(sum(case when e.account_id = 'held:' || c.user_id
            then e.amount_paise else 0 end), 0)
          <> case when c.state = 'held' then c.taxable_paise + c.gst_paise else 0 end
          or coalesce(sum(case when e.account_id = 'available:' || c.user_id
            then e.amount_paise else 0 end), 0)
          <> case when c.state = 'released' then 0
            else c.refunded_paise - c.taxable_paise - c.gst_paise end
          or coalesce(sum(case when e.account_id = 'gst_payable' then e.amount_paise else 0 end), 0)
          <> case when c.state <> 'captured' then 0 else c.gst_paise - ",
        gst_refunded!(),
        " end
          or coalesce(sum(case when e.account_id = 'courier_payable'
            then e.amount_paise else 0 end), 0)
          <> case when c.state <> 'captured' then 0
            else c.courier_paise - c.courier_returned_paise end
        order by c.charge_id"
    );
    let mut findings = faults(conn, differing, "is not what the books say").await?;
    let unknown = "
        select t.kind as what, t.reference as id from ledger_transactions t
        where t.kind in ('hold', 'capture', 'release', 'refund')
          and not exists (select 1 from charges c
            where c.charge_id = t.reference and c.user_id = t.user_id)
        order by t.seq";
    findings.extend(faults(conn, unknown, "is of a charge that does not exist").await?);
    let not_refunded = "
        select 'booking' as what, b.booking_id as id from bookings b
        join charges c on c.charge_id = b.booking_id and c.user_id = b.user_id
        where b.status = 'cancelled' and (c.refunded_paise <> c.taxable_paise + c.gst_paise
          or c.courier_returned_paise <> c.courier_paise)
        order by b.booking_id";
    findings.extend(faults(conn, not_refunded, "is cancelled, but not paid back").await?);
    Ok(findings)
}

/// Reports operators' movements without their transaction, or with a different one; chargebacks
/// over the amount paid; and transactions without a movement.
pub(crate) async fn movements(conn: &mut Conn) -> Result<Vec<AuditFinding>> {
    let differing = "
        select 'movement' as what, m.movement_id as id from movements m
        left join ledger_transactions t on t.idempotency_key = m.kind || ':' || m.movement_id
          and t.kind = m.kind and t.reference = m.reference
          and coalesce(t.user_id, '') = coalesce(m.user_id, '')
        left join ledger_entries e on e.transaction_id = t.transaction_id and e.amount_paise > 0
        group by m.movement_id, m.amount_paise
        having coalesce(sum(e.amount_paise), 0) <> abs(m.amount_paise)
        order by m.movement_id";
    let mut findings = faults(conn, differing, "is not what the books say").await?;
    let unknown = "
        select t.kind as what, t.idempotency_key as id from ledger_transactions t
        where t.kind not in ('recharge', 'hold', 'capture', 'release', 'refund', 'booking')
          and not exists (select 1 from movements m
            where t.idempotency_key = m.kind || ':' || m.movement_id)
        order by t.seq";
    findings.extend(faults(conn, unknown, "was moved by nobody").await?);
    let too_much = "
        select 'payment order' as what, m.reference as id from movements m
        left join payment_orders o on o.merchant_order_id = m.reference and o.user_id = m.user_id
          and o.state = 'completed'
        where m.kind in ('chargeback', 'chargeback_reversal', 'gateway_refund',
          'gateway_refund_failed')
        group by m.reference, o.amount_paise
        having o.amount_paise is null
          or sum(case when m.kind in ('chargeback', 'gateway_refund') then m.amount_paise
              else -m.amount_paise end)
            not between 0 and o.amount_paise
        order by m.reference";
    findings.extend(faults(conn, too_much, "is taken back by more than was paid").await?);
    Ok(findings)
}

/// Reports gateway refunds whose transaction is missing or different, and transactions of refunds
/// that the gateway did not execute.
pub(crate) async fn gateway_refunds(conn: &mut Conn) -> Result<Vec<AuditFinding>> {
    let differing = "
        select 'gateway refund' as what, r.merchant_refund_id as id from gateway_refunds r
        left join movements m on m.movement_id = r.merchant_refund_id
          and m.kind = 'gateway_refund' and m.user_id = r.user_id
          and m.reference = r.merchant_order_id and m.amount_paise = r.amount_paise
        left join movements b on b.movement_id = r.merchant_refund_id || ':failed'
          and b.kind = 'gateway_refund_failed' and b.user_id = r.user_id
          and b.reference = r.merchant_order_id and b.amount_paise = r.amount_paise
        where (m.movement_id is not null) <> (r.from_wallet = 1)
          or (b.movement_id is not null) <> (r.from_wallet = 1 and r.state = 'failed')
        union all
        select 'gateway refund', m.movement_id from movements m
        where m.kind = 'gateway_refund' and not exists (
          select 1 from gateway_refunds r where r.merchant_refund_id = m.movement_id)
        order by 2";
    faults(conn, differing, "is not what was moved").await
}

/// Reports charged weight claims without their charge and its debit note, and the reverse.
pub(crate) async fn weight_claims(conn: &mut Conn) -> Result<Vec<AuditFinding>> {
    let differing = "
        select 'weight claim' as what, w.claim_id as id from weight_claims w
        left join charges c on c.charge_id = w.claim_id
        left join invoices i on i.charge_id = w.claim_id and i.kind = 'debit_note'
        where (w.state = 'charged') <> (c.charge_id is not null)
          or (w.state = 'charged') <> (i.number is not null)
          or (w.state = 'charged' and (c.state <> 'captured' or c.user_id <> w.user_id
            or c.taxable_paise <> w.taxable_paise or c.gst_paise <> w.gst_paise
            or c.courier_paise <> w.courier_paise or i.booking_id <> w.booking_id))
        order by w.claim_id";
    faults(conn, differing, "is not what was charged").await
}

/// Reports charges after a cancellation without their cancelled booking and its debit note.
pub(crate) async fn charges_again(conn: &mut Conn) -> Result<Vec<AuditFinding>> {
    let differing = "
        select 'charge' as what, c.charge_id as id from charges c
        where c.charge_id like 'carried:%' and (c.state <> 'captured' or not exists (
          select 1 from invoices i
          join bookings b on b.booking_id = i.booking_id and b.user_id = i.user_id
          where i.kind = 'debit_note' and i.charge_id = c.charge_id and i.user_id = c.user_id
            and i.taxable_paise = c.taxable_paise and i.gst_paise = c.gst_paise
            and c.charge_id = 'carried:' || b.booking_id and b.status = 'cancelled'))
        order by c.charge_id";
    faults(conn, differing, "is of no cancelled booking with its debit note").await
}

/// Reports paid recharge orders not credited with their amount to their owner, and the reverse.
pub(crate) async fn recharges(conn: &mut Conn) -> Result<Vec<AuditFinding>> {
    let uncredited = "
        select 'payment order' as what, o.merchant_order_id as id from payment_orders o
        where o.state = 'completed' and not exists (
          select 1 from ledger_transactions t
          join ledger_entries e on e.transaction_id = t.transaction_id
          where t.idempotency_key = 'recharge:' || o.merchant_order_id
            and t.kind = 'recharge' and t.user_id = o.user_id
            and e.account_id = 'available:' || o.user_id and e.amount_paise = o.amount_paise)
        order by o.merchant_order_id";
    let mut findings = faults(conn, uncredited, "is paid, but not credited").await?;
    let unpaid = "
        select 'recharge' as what, t.reference as id from ledger_transactions t
        where t.kind = 'recharge' and not exists (
          select 1 from payment_orders o
          where o.merchant_order_id = t.reference and o.user_id = t.user_id
            and o.state = 'completed')
        order by t.seq";
    findings.extend(faults(conn, unpaid, "is credited, but not paid").await?);
    Ok(findings)
}

/// Reports charges of bookings without their invoice or without the credit notes of their refunds,
/// documents without a charge, and gaps in the numbers.
pub(crate) async fn invoices(conn: &mut Conn) -> Result<Vec<AuditFinding>> {
    let missing = "
        select 'charge' as what, c.charge_id as id from charges c
        join bookings b on b.booking_id = c.charge_id
        where c.state = 'captured'
          and not exists (select 1 from invoices i
            where i.kind = 'invoice' and i.charge_id = c.charge_id and i.user_id = c.user_id
              and i.taxable_paise = c.taxable_paise and i.gst_paise = c.gst_paise)
        order by c.charge_id";
    let mut findings = faults(conn, missing, "has no invoice of its amount").await?;
    let unpaid = "
        select 'invoice' as what, i.number as id from invoices i
        where not exists (select 1 from charges c
          where c.charge_id = i.charge_id and c.user_id = i.user_id and c.state = 'captured')
        order by i.number";
    findings.extend(faults(conn, unpaid, "is of nothing that was charged").await?);
    let uncredited = concat!(
        "
        select 'charge' as what, charge_id as id from (
          select c.charge_id, c.refunded_paise, c.taxable_paise, c.gst_paise,
            coalesce(sum(n.taxable_paise + n.gst_paise), 0) as credited_paise,
            coalesce(sum(n.gst_paise), 0) as credited_gst_paise
          from charges c
          join invoices i on i.charge_id = c.charge_id and i.kind in ('invoice', 'debit_note')
          left join invoices n on n.charge_id = c.charge_id and n.kind = 'credit_note'
          group by c.charge_id, c.refunded_paise, c.taxable_paise, c.gst_paise) as credits
        where credited_paise <> refunded_paise or credited_gst_paise <> ",
        gst_refunded!(),
        " order by charge_id"
    );
    findings.extend(faults(conn, uncredited, "has other credit notes than refunds").await?);
    let gaps = "
        select 'series' as what, c.counter as id from counters c
        left join (select kind || ':' || financial_year as counter, count(*) as numbers,
            max(series) as last from invoices group by kind, financial_year) i
          on i.counter = c.counter
        left join (select kind || ':' || financial_year as counter, sum(numbers) as numbers,
            max(after_series + numbers) as last from document_gaps
            group by kind, financial_year) g
          on g.counter = c.counter
        where (c.counter like 'invoice:%' or c.counter like 'credit_note:%'
            or c.counter like 'debit_note:%')
          and (coalesce(i.numbers, 0) + coalesce(g.numbers, 0) <> c.value
            or case when coalesce(i.last, 0) > coalesce(g.last, 0) then i.last
              else coalesce(g.last, 0) end <> c.value)
        order by c.counter";
    findings.extend(faults(conn, gaps, "has a gap").await?);
    let left_out = "
        select 'invoice' as what, i.number as id from invoices i
        join document_gaps g on g.kind = i.kind and g.financial_year = i.financial_year
        where i.series > g.after_series and i.series <= g.after_series + g.numbers
        order by i.number";
    findings.extend(faults(conn, left_out, "has a number that was left out").await?);
    Ok(findings)
}

/// Returns one fault for each row, which has the columns `what` and `id`.
async fn faults(conn: &mut Conn, query: &'static str, wrong: &str) -> Result<Vec<AuditFinding>> {
    let rows: Vec<(String, String)> = sqlx::query_as(query).fetch_all(conn).await?;
    let fault = |(what, id): (String, String)| AuditFinding {
        seq: None,
        text: format!("{what} {id} {wrong}"),
    };
    Ok(rows.into_iter().map(fault).collect())
}
