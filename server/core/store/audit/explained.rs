//! The rule for every account: its entries follow from the rows of charges, payments, movements.
//!
//! Each transaction of the books belongs to one such row. The amounts that a row adds to accounts
//! are compared with the entries of all its transactions, at one instant; the transactions that
//! belong to no row are looked for separately. So no entry is left out or counted twice.

use super::check::{Check, amounts};

/// The GST in all refunds of a charge, rounded as in the books: in steps of two paise if it has two
/// equal halves.
macro_rules! gst_refunded {
    () => {
        "((2 - gst_paise % 2)
          * ((2 * (gst_paise / (2 - gst_paise % 2)) * refunded_paise + taxable_paise + gst_paise)
            / (2 * (taxable_paise + gst_paise))))"
    };
}
pub(super) use gst_refunded;

/// Compares rows of the scope with the entries of their transactions: the kind of row, its key, the
/// amounts that it adds to accounts, and the condition for a transaction `t` of the row `r`.
macro_rules! compared {
    ($what:literal, $table:literal, $key:literal, $adds:expr, $owns:literal $(,)?) => {
        concat!(
            ", r as (select it.* from scope s join ",
            $table,
            " it on it.",
            $key,
            " = s.id)
             select '",
            $what,
            "' as what, id, account, cast(sum(paise) as bigint) as paise from (",
            $adds,
            " union all select r.",
            $key,
            ", e.account_id, -e.amount_paise from r
                join ledger_transactions t on ",
            $owns,
            "   join ledger_entries e on e.transaction_id = t.transaction_id
             ) as put group by id, account having sum(paise) <> 0 order by id, account"
        )
    };
}

pub(super) const CHARGES: Check = amounts(
    compared!(
        "charge",
        "charges",
        "charge_id",
        concat!(
            "select charge_id as id, 'held:' || user_id as account,
               taxable_paise + gst_paise as paise from r where state = 'held'
             union all select charge_id, 'available:' || user_id,
               refunded_paise - taxable_paise - gst_paise from r where state <> 'released'
             union all select charge_id, 'revenue',
               taxable_paise - courier_paise + courier_returned_paise - refunded_paise + ",
            gst_refunded!(),
            " from r where state = 'captured'
             union all select charge_id, 'gst_payable', gst_paise - ",
            gst_refunded!(),
            " from r where state = 'captured'
             union all select charge_id, 'courier_payable', courier_paise - courier_returned_paise
               from r where state = 'captured'"
        ),
        // Not by the index of users, who may have very many transactions.
        "t.reference = r.charge_id and coalesce(t.user_id, '') = r.user_id
           and t.kind in ('hold', 'capture', 'release', 'refund')"
    ),
    "is not what the books say",
);

pub(super) const MOVEMENTS: Check = amounts(
    compared!(
        "movement",
        "movements",
        "movement_id",
        "select movement_id as id, 'available:' || user_id as account,
           case when kind = 'chargeback' then -part_paise
             when kind in ('gateway_refund', 'debt_repaid') then -amount_paise
             else amount_paise end as paise
           from r where user_id is not null
         union all select movement_id, 'receivable:' || user_id,
           case kind when 'chargeback' then part_paise - amount_paise
             when 'debt' then -amount_paise else amount_paise end
           from r where kind in ('chargeback', 'debt', 'debt_repaid')
         union all select movement_id, 'adjustments', -amount_paise
           from r where kind in ('goodwill', 'adjustment')
         union all select movement_id, 'gateway_clearing',
           case when kind in ('chargeback_reversal', 'gateway_refund_failed') then -amount_paise
             else amount_paise end
           from r where kind in ('gateway_settlement', 'chargeback', 'chargeback_reversal',
             'gateway_refund', 'gateway_refund_failed')
         union all select movement_id, 'bank',
           case kind when 'courier_settlement' then amount_paise else part_paise - amount_paise end
           from r where kind in ('courier_settlement', 'gateway_settlement')
         union all select movement_id, 'gateway_fees', -part_paise
           from r where kind = 'gateway_settlement'
         union all select movement_id, 'courier_payable',
           case kind when 'courier_settlement' then -amount_paise else amount_paise end
           from r where kind in ('courier_settlement', 'courier_difference')
         union all select movement_id, 'revenue', -amount_paise
           from r where kind = 'courier_difference'",
        "t.idempotency_key = r.kind || ':' || r.movement_id and t.kind = r.kind"
    ),
    "is not what the books say",
);

pub(super) const ORDERS: Check = amounts(
    compared!(
        "payment order",
        "payment_orders",
        "merchant_order_id",
        "select merchant_order_id as id, 'available:' || user_id as account,
           amount_paise as paise from r where state = 'completed'
         union all select merchant_order_id, 'gateway_clearing', -amount_paise
           from r where state = 'completed'",
        "t.reference = r.merchant_order_id and coalesce(t.user_id, '') = r.user_id
           and t.kind = 'recharge'"
    ),
    "is not what the books say",
);

/// Selects the entries of transactions of some kinds that belong to no row.
macro_rules! unexplained {
    ($id:literal, $kinds:literal, $row:literal $(,)?) => {
        concat!(
            "select t.kind as what, t.",
            $id,
            " as id, e.account_id as account, -e.amount_paise as paise
             from transactions t
             join ledger_entries e on e.transaction_id = t.transaction_id
             where t.kind ",
            $kinds,
            " and not exists (",
            $row,
            ") order by t.seq, e.line"
        )
    };
}

/// The transactions that belong to no row, by the same conditions as above.
pub(super) const OF_NOTHING: [Check; 3] = [
    amounts(
        unexplained!(
            "reference",
            "in ('hold', 'capture', 'release', 'refund')",
            "select 1 from charges c where c.charge_id = t.reference and c.user_id = t.user_id"
        ),
        "is of a charge that does not exist",
    ),
    amounts(
        unexplained!(
            "idempotency_key",
            "not in ('recharge', 'hold', 'capture', 'release', 'refund')",
            "select 1 from movements m
             where m.movement_id = substr(t.idempotency_key, length(t.kind) + 2)
               and t.idempotency_key = m.kind || ':' || m.movement_id and m.kind = t.kind"
        ),
        "was moved by nobody",
    ),
    amounts(
        unexplained!(
            "reference",
            "= 'recharge'",
            "select 1 from payment_orders o
             where o.merchant_order_id = t.reference and o.user_id = t.user_id"
        ),
        "is credited, but not paid",
    ),
];
