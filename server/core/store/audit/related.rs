//! Checks of rows against the books, some rows at a time: charges, documents, recharge orders,
//! accounts, counted figures, orphaned rows.

use super::check::{Check, rows};
use super::explained::{self, gst_refunded};

/// Rows of one kind in the order of their keys, and what must hold for each of them.
pub(super) struct Sweep {
    pub name: &'static str,
    /// Selects the keys from `$1` on, as `id`.
    pub keys: &'static str,
    pub checks: &'static [Check],
    /// Counts for each key, as `id` and `lines`, how many other rows are compared with it, if they
    /// may be very many.
    pub lines: Option<&'static str>,
}

/// Rows that the transactions of the books name, and what must hold for each of them.
pub(super) struct TouchedRows {
    /// Selects their keys from `transactions`, as `id`.
    pub keys: &'static str,
    pub checks: &'static [Check],
}

/// The rows of a table in the order of a column.
macro_rules! sweep {
    ($table:literal, $key:literal, $checks:expr) => {
        sweep!($table, $key, $checks, None)
    };
    ($table:literal, $key:literal, $checks:expr, $lines:expr) => {
        Sweep {
            name: concat!($table, ".", $key),
            keys: concat!(
                "select distinct ",
                $key,
                " as id from ",
                $table,
                " where ",
                $key,
                " >= $1 order by 1"
            ),
            checks: $checks,
            lines: $lines,
        }
    };
}

/// All rows, each in one of these.
pub(super) static SWEEPS: [Sweep; 15] = [
    sweep!("ledger_accounts", "account_id", ACCOUNTS),
    sweep!("ledger_heads", "wallet", HEADS),
    sweep!("ledger_transactions", "transaction_id", POSTED),
    sweep!("ledger_entries", "transaction_id", OWNED),
    sweep!("ledger_seals", "transaction_id", OWNED),
    sweep!("ledger_unsealed", "transaction_id", OWNED),
    sweep!("charges", "charge_id", CHARGES),
    sweep!("movements", "movement_id", MOVEMENTS),
    sweep!("movements", "reference", TAKEN_BACK),
    sweep!("payment_orders", "merchant_order_id", ORDERS),
    sweep!("gateway_refunds", "merchant_refund_id", GATEWAY_REFUNDS),
    sweep!("weight_claims", "claim_id", WEIGHT_CLAIMS),
    sweep!("invoices", "number", INVOICES),
    sweep!("document_series", "kind || ':' || financial_year || ':' || code", SERIES),
    sweep!("users", "user_id", USERS, Some(LINES_OF_USERS)),
];

/// The rows that the latest transactions are about.
pub(super) static TOUCHED: [TouchedRows; 5] = [
    TouchedRows {
        keys: "select distinct e.account_id as id from transactions t
               join ledger_entries e on e.transaction_id = t.transaction_id",
        checks: ACCOUNTS,
    },
    TouchedRows {
        keys: "select distinct reference as id from transactions
               where kind in ('hold', 'capture', 'release', 'refund')",
        checks: CHARGES,
    },
    TouchedRows {
        keys: "select substr(idempotency_key, length(kind) + 2) as id from transactions
               where kind not in ('recharge', 'hold', 'capture', 'release', 'refund')",
        checks: MOVEMENTS,
    },
    TouchedRows {
        keys: "select distinct reference as id from transactions
               where kind in ('chargeback', 'chargeback_reversal', 'gateway_refund',
                 'gateway_refund_failed')",
        checks: TAKEN_BACK,
    },
    TouchedRows {
        keys: "select distinct reference as id from transactions where kind = 'recharge'",
        checks: ORDERS,
    },
];

/// Recharges whose order is not paid.
pub(super) const UNPAID: Check = rows(
    "select 'recharge' as what, t.reference as id from transactions t
     where t.kind = 'recharge' and not exists (
       select 1 from payment_orders o
       where o.merchant_order_id = t.reference and o.user_id = t.user_id
         and o.state = 'completed')
     order by t.seq",
    "is credited, but not paid",
);

/// Customers' accounts against their last entry, unknown accounts of the house, and debts that a
/// wallet's money should have paid.
const ACCOUNTS: &[Check] = &[
    rows(
        "select 'account' as what,
           account_id || ': balance ' || balance || ' paise, entries ' || entries as id
         from (
           select a.account_id, a.balance_paise as balance, coalesce((
             select e.balance_after_paise from ledger_transactions t
             join ledger_entries e
               on e.transaction_id = t.transaction_id and e.account_id = a.account_id
             where t.user_id = a.user_id
             order by t.wallet_seq desc limit 1), 0) as entries
           from scope s join ledger_accounts a on a.account_id = s.id
           where a.user_id is not null or a.account_id <> a.kind) as compared
         where balance <> entries order by account_id",
        "paise",
    ),
    rows(
        "select 'the debt of' as what, owed.user_id as id
         from scope s join ledger_accounts owed on owed.account_id = s.id
         join ledger_accounts wallet on wallet.account_id = 'available:' || owed.user_id
         where owed.kind = 'receivable' and owed.balance_paise < 0 and wallet.balance_paise > 0
         order by owed.user_id",
        "stands while the wallet has money",
    ),
];

/// The noted end of each wallet's chain against its last transaction.
const HEADS: &[Check] = &[rows(
    "select 'the chain of wallet' as what, h.wallet as id
     from scope s join ledger_heads h on h.wallet = s.id
     where h.seq <> coalesce(case when h.wallet = 'house'
         then (select max(t.wallet_seq) from ledger_transactions t where t.user_id is null)
         else (select max(t.wallet_seq) from ledger_transactions t where t.user_id = h.wallet)
         end, 0)
       or h.hash <> coalesce(case when h.wallet = 'house'
         then (select t.hash from ledger_transactions t
               where t.user_id is null and t.wallet_seq = h.seq)
         else (select t.hash from ledger_transactions t
               where t.user_id = h.wallet and t.wallet_seq = h.seq)
         end, '')
     order by h.wallet",
    "does not end where it was noted",
)];

/// Transactions that are sealed or wait for it, of wallets that are there.
const POSTED: &[Check] = &[
    rows(
        "select 'the transaction' as what, s.id as id from scope s
         where not exists (select 1 from ledger_seals l where l.transaction_id = s.id)
           and not exists (select 1 from ledger_unsealed u where u.transaction_id = s.id)
         order by s.id",
        "has no seal and does not wait for one",
    ),
    rows(
        "select 'the transaction' as what, s.id as id
         from scope s join ledger_transactions t on t.transaction_id = s.id
         where not exists (select 1 from ledger_heads h
           where h.wallet = coalesce(t.user_id, 'house'))
         order by s.id",
        "is of no wallet",
    ),
    rows(
        "select 'the transaction' as what, s.id as id
         from scope s join ledger_unsealed u on u.transaction_id = s.id
         join ledger_seals l on l.transaction_id = s.id
         order by s.id",
        "is sealed and waits for a seal",
    ),
];

/// Entries, seals and notes of transactions that are there.
const OWNED: &[Check] = &[rows(
    "select 'an entry or seal' as what, s.id as id from scope s
     where not exists (select 1 from ledger_transactions t where t.transaction_id = s.id)
     order by s.id",
    "belongs to no transaction",
)];

/// Charges against the books, against their bookings and against their documents.
const CHARGES: &[Check] = &[
    explained::CHARGES,
    rows(
        "select 'booking' as what, b.booking_id as id
         from scope s join charges c on c.charge_id = s.id
         join bookings b on b.booking_id = c.charge_id and b.user_id = c.user_id
         where b.status = 'cancelled' and (c.refunded_paise <> c.taxable_paise + c.gst_paise
           or c.courier_returned_paise <> c.courier_paise)
         order by b.booking_id",
        "is cancelled, but not paid back",
    ),
    rows(
        "select 'charge' as what, c.charge_id as id
         from scope s join charges c on c.charge_id = s.id
         where c.charge_id like 'carried:%' and (c.state <> 'captured' or not exists (
           select 1 from invoices i
           join bookings b on b.booking_id = i.booking_id and b.user_id = i.user_id
           where i.kind = 'debit_note' and i.charge_id = c.charge_id and i.user_id = c.user_id
             and i.taxable_paise = c.taxable_paise and i.gst_paise = c.gst_paise
             and c.charge_id = 'carried:' || b.booking_id and b.status = 'cancelled'))
         order by c.charge_id",
        "is of no cancelled booking with its debit note",
    ),
    rows(
        "select 'charge' as what, c.charge_id as id
         from scope s join charges c on c.charge_id = s.id
         join bookings b on b.booking_id = c.charge_id
         where c.state = 'captured'
           and not exists (select 1 from invoices i
             where i.kind = 'invoice' and i.charge_id = c.charge_id and i.user_id = c.user_id
               and i.taxable_paise = c.taxable_paise and i.gst_paise = c.gst_paise)
         order by c.charge_id",
        "has no invoice of its amount",
    ),
    rows(
        concat!(
            "select 'charge' as what, charge_id as id from (
               select c.charge_id, c.refunded_paise, c.taxable_paise, c.gst_paise,
                 coalesce(sum(n.taxable_paise + n.gst_paise), 0) as credited_paise,
                 coalesce(sum(n.gst_paise), 0) as credited_gst_paise
               from scope s join charges c on c.charge_id = s.id
               join invoices i
                 on i.charge_id = c.charge_id and i.kind in ('invoice', 'debit_note')
               left join invoices n on n.charge_id = c.charge_id and n.kind = 'credit_note'
               group by c.charge_id, c.refunded_paise, c.taxable_paise, c.gst_paise) as credits
             where credited_paise <> refunded_paise or credited_gst_paise <> ",
            gst_refunded!(),
            " order by charge_id"
        ),
        "has other credit notes than refunds",
    ),
];

/// Operators' movements against their transactions, and those of gateway refunds.
const MOVEMENTS: &[Check] = &[
    explained::MOVEMENTS,
    rows(
        "select 'movement' as what, m.movement_id as id
         from scope s join movements m on m.movement_id = s.id
         where not exists (select 1 from ledger_transactions t
           where t.idempotency_key = m.kind || ':' || m.movement_id
             and t.kind = m.kind and t.reference = m.reference
             and coalesce(t.user_id, '') = coalesce(m.user_id, ''))
         order by m.movement_id",
        "is not what the books say",
    ),
    rows(
        "select 'gateway refund' as what, m.movement_id as id
         from scope s join movements m on m.movement_id = s.id
         where m.kind = 'gateway_refund' and not exists (
           select 1 from gateway_refunds r where r.merchant_refund_id = m.movement_id)
         order by m.movement_id",
        "is not what was moved",
    ),
];

const TAKEN_BACK: &[Check] = &[rows(
    "select 'payment order' as what, m.reference as id
     from scope s join movements m on m.reference = s.id
     left join payment_orders o on o.merchant_order_id = m.reference and o.user_id = m.user_id
       and o.state = 'completed'
     where m.kind in ('chargeback', 'chargeback_reversal', 'gateway_refund',
       'gateway_refund_failed')
     group by m.reference, o.amount_paise
     having o.amount_paise is null
       or sum(case when m.kind in ('chargeback', 'gateway_refund') then m.amount_paise
           else -m.amount_paise end)
         not between 0 and o.amount_paise
     order by m.reference",
    "is taken back by more than was paid",
)];

/// Gateway refunds against the movements that they are, or are not.
const GATEWAY_REFUNDS: &[Check] = &[rows(
    "select 'gateway refund' as what, r.merchant_refund_id as id
     from scope s join gateway_refunds r on r.merchant_refund_id = s.id
     left join movements m on m.movement_id = r.merchant_refund_id
       and m.kind = 'gateway_refund' and m.user_id = r.user_id
       and m.reference = r.merchant_order_id and m.amount_paise = r.amount_paise
     left join movements b on b.movement_id = r.merchant_refund_id || ':failed'
       and b.kind = 'gateway_refund_failed' and b.user_id = r.user_id
       and b.reference = r.merchant_order_id and b.amount_paise = r.amount_paise
     where (m.movement_id is not null) <> (r.from_wallet = 1)
       or (b.movement_id is not null) <> (r.from_wallet = 1 and r.state = 'failed')
     order by 2",
    "is not what was moved",
)];

/// Charged weight claims against their charge and its debit note, and the reverse.
const WEIGHT_CLAIMS: &[Check] = &[rows(
    "select 'weight claim' as what, w.claim_id as id
     from scope s join weight_claims w on w.claim_id = s.id
     left join charges c on c.charge_id = w.claim_id
     left join invoices i on i.charge_id = w.claim_id and i.kind = 'debit_note'
     where (w.state = 'charged') <> (c.charge_id is not null)
       or (w.state = 'charged') <> (i.number is not null)
       or (w.state = 'charged' and (c.state <> 'captured' or c.user_id <> w.user_id
         or c.taxable_paise <> w.taxable_paise or c.gst_paise <> w.gst_paise
         or c.courier_paise <> w.courier_paise or i.booking_id <> w.booking_id))
     order by w.claim_id",
    "is not what was charged",
)];

/// Paid recharge orders against their credit.
const ORDERS: &[Check] = &[
    rows(
        "select 'payment order' as what, o.merchant_order_id as id
         from scope s join payment_orders o on o.merchant_order_id = s.id
         where o.state = 'completed' and not exists (
           select 1 from ledger_transactions t
           join ledger_entries e on e.transaction_id = t.transaction_id
           where t.idempotency_key = 'recharge:' || o.merchant_order_id
             and t.kind = 'recharge' and t.user_id = o.user_id
             and e.account_id = 'available:' || o.user_id and e.amount_paise = o.amount_paise)
         order by o.merchant_order_id",
        "is paid, but not credited",
    ),
    explained::ORDERS,
];

/// Documents against their charges, and against the document with the number before.
const INVOICES: &[Check] = &[
    rows(
        "select 'invoice' as what, i.number as id
         from scope s join invoices i on i.number = s.id
         where not exists (select 1 from charges c
           where c.charge_id = i.charge_id and c.user_id = i.user_id and c.state = 'captured')
         order by i.number",
        "is of nothing that was charged",
    ),
    rows(
        "select distinct 'series' as what,
           i.kind || ':' || i.financial_year || ':' || i.code as id
         from scope s join invoices i on i.number = s.id
         where i.series <> 1
           and not exists (select 1 from invoices p
             where p.kind = i.kind and p.financial_year = i.financial_year and p.code = i.code
               and p.series = i.series - 1)
           and not exists (select 1 from document_gaps g
             where g.kind = i.kind and g.financial_year = i.financial_year and g.code = i.code
               and g.after_series + g.numbers = i.series - 1)
         order by 2",
        "has a gap",
    ),
    rows(
        "select 'invoice' as what, i.number as id
         from scope s join invoices i on i.number = s.id
         join document_gaps g on g.kind = i.kind and g.financial_year = i.financial_year
           and g.code = i.code
         where i.series > g.after_series and i.series <= g.after_series + g.numbers
         order by i.number",
        "has a number that was left out",
    ),
    rows(
        "select 'invoice' as what, i.number as id
         from scope s join invoices i on i.number = s.id
         join invoices p on p.kind = i.kind and p.financial_year = i.financial_year
           and p.code = i.code and p.series = i.series - 1
         where p.issued_ms > i.issued_ms
         order by i.number",
        "is dated before the one with the number before it",
    ),
    rows(
        "select 'invoice' as what, i.number as id
         from scope s join invoices i on i.number = s.id
         where not exists (select 1 from document_series d
           where d.kind = i.kind and d.financial_year = i.financial_year and d.code = i.code)
         order by i.number",
        "is of no series",
    ),
];

/// The noted last number of each series against its documents and gaps.
const SERIES: &[Check] = &[rows(
    "select 'series' as what, id from (
       select d.kind, d.financial_year, d.code, d.last, s.id
       from scope s join document_series d
         on d.kind || ':' || d.financial_year || ':' || d.code = s.id) as series
     where (last > 0
         and not exists (select 1 from invoices i
           where i.kind = series.kind and i.financial_year = series.financial_year
             and i.code = series.code and i.series = series.last)
         and not exists (select 1 from document_gaps g
           where g.kind = series.kind and g.financial_year = series.financial_year
             and g.code = series.code and g.after_series + g.numbers = series.last))
       or exists (select 1 from invoices i
         where i.kind = series.kind and i.financial_year = series.financial_year
           and i.code = series.code and i.series > series.last)
       or exists (select 1 from document_gaps g
         where g.kind = series.kind and g.financial_year = series.financial_year
           and g.code = series.code
           and (g.after_series + g.numbers > series.last
             or (g.after_series > 0
               and not exists (select 1 from invoices i
                 where i.kind = g.kind and i.financial_year = g.financial_year
                   and i.code = g.code and i.series = g.after_series)
               and not exists (select 1 from document_gaps b
                 where b.kind = g.kind and b.financial_year = g.financial_year
                   and b.code = g.code and b.after_series + b.numbers = g.after_series))))
     order by id",
    "has a gap",
)];

const LINES_OF_USERS: &str = "
    select s.id, cast(coalesce(sum(c.lines), 0) as bigint) as lines
    from scope s left join statement_counts c on c.user_id = s.id
    group by s.id order by s.id";

/// Customers' counted numbers and amounts of bookings, and of lines of the statement, against the
/// bookings and the entries.
const USERS: &[Check] = &[
    rows(
        "select status || ' bookings of' as what, user_id as id from (
           select c.user_id, c.status, c.bookings, c.amount_paise
           from scope s join booking_counts c on c.user_id = s.id
           union all
           select b.user_id, b.status, -1, -b.amount_paise
           from scope s join bookings b on b.user_id = s.id) as counted
         group by user_id, status
         having sum(bookings) <> 0 or sum(amount_paise) <> 0
         order by 2, 1",
        "are miscounted",
    ),
    rows(
        "select kind || ' lines of' as what, account_id as id from (
           select 'available:' || c.user_id as account_id, c.kind, c.sign, c.lines, c.amount_paise
           from scope s join statement_counts c on c.user_id = s.id
           union all
           select e.account_id, t.kind, case when e.amount_paise < 0 then -1 else 1 end,
             -1, -e.amount_paise
           from scope s join ledger_transactions t on t.user_id = s.id
           join ledger_entries e on e.transaction_id = t.transaction_id
             and e.account_id = 'available:' || s.id) as counted
         group by account_id, kind, sign
         having sum(lines) <> 0 or sum(amount_paise) <> 0
         order by 2, 1",
        "are miscounted",
    ),
];
