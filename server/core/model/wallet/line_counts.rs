//! Monthly counts of a statement's lines, so that a page reads only the lines that it shows.

use serde::Deserialize;
use time::Date;

use super::statement::{LineKind, StatementFilter};
use crate::model::calendar::month;
use crate::model::money::paise::Paise;

/// The lines of one kind in a wallet's statement in one month of the Indian calendar.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct LineCount {
    /// The month, such as `2026-11`.
    pub month: String,
    pub kind: String,
    /// 1 for credits, -1 for debits.
    pub sign: i64,
    pub lines: i64,
    /// Sum of the lines (paise).
    pub amount_paise: i64,
    /// The sequence numbers of the first and the last line in the wallet.
    pub first_seq: i64,
    pub last_seq: i64,
}

/// The lines of one month that match a filter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    pub first_seq: i64,
    pub last_seq: i64,
    /// `None` if the filter selects only some days of the month: these lines must be counted.
    pub lines: Option<i64>,
}

/// The start of a page: skip this many of the lines up to `last_seq`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StatementStart {
    pub last_seq: i64,
    pub skipped: i64,
}

/// The months that may have lines matching a filter, newest first.
pub fn spans(filter: &StatementFilter, counts: &[LineCount]) -> Vec<Span> {
    let from = filter.period.from.map(month);
    let to = filter.period.to.map(month);
    let is_last = |day: &Date| day.next_day().is_none_or(|next| next.day() == 1);
    let begun_late = filter.period.from.filter(|day| day.day() > 1).map(month);
    let ended_early = filter.period.to.filter(|day| !is_last(day)).map(month);
    let is_cut =
        |name: &String| begun_late.as_ref() == Some(name) || ended_early.as_ref() == Some(name);
    let mut matching_counts: Vec<&LineCount> = counts
        .iter()
        .filter(|count| from.as_ref().is_none_or(|from| count.month >= *from))
        .filter(|count| to.as_ref().is_none_or(|to| count.month <= *to))
        .filter(|count| wants(filter.kind, count))
        .collect();
    matching_counts.sort_by(|one, other| other.month.cmp(&one.month));
    let months = matching_counts.chunk_by(|one, other| one.month == other.month);
    months
        .map(|of_month| Span {
            first_seq: of_month.iter().map(|it| it.first_seq).min().unwrap_or(0),
            last_seq: of_month.iter().map(|it| it.last_seq).max().unwrap_or(0),
            lines: (!is_cut(&of_month[0].month)).then(|| of_month.iter().map(|it| it.lines).sum()),
        })
        .collect()
}

fn wants(kind: Option<LineKind>, count: &LineCount) -> bool {
    let Some(kind) = kind else { return true };
    let [one, other] = kind.ledger_kinds;
    let is_signed = kind.sign == 0 || kind.sign == count.sign;
    is_signed && (one.is_empty() || count.kind == one || count.kind == other)
}

/// The start of the page after `offset` lines, without reading whole months before it. The clocks
/// of two servers differ, so lines of two months may be interleaved in a wallet; such months are
/// read together.
pub fn beginning(spans: &[Span], offset: i64) -> StatementStart {
    let mut skipped = offset;
    let mut rest = spans;
    while let [newest, older @ ..] = rest {
        let last_seq = older.iter().map(|span| span.last_seq).max().unwrap_or(0);
        match newest.lines {
            Some(lines) if lines <= skipped && last_seq < newest.first_seq => skipped -= lines,
            _ => break,
        }
        rest = older;
    }
    StatementStart { last_seq: rest.iter().map(|span| span.last_seq).max().unwrap_or(0), skipped }
}

/// The sum of the months before a day, and the first day of its month, from which lines are to add.
pub fn months_before(counts: &[LineCount], day: Date) -> (Paise, Date) {
    let name = month(day);
    let before = counts.iter().filter(|count| count.month < name);
    let first = day.replace_day(1).unwrap_or(day);
    let paise = before.map(|count| count.amount_paise).sum();
    (Paise::new(paise), first)
}

#[cfg(test)]
mod tests {
    use time::macros::date;

    use super::*;
    use crate::model::wallet::statement::tests::parse;

    fn count(month: &str, kind: &str, sign: i64, lines: i64, places: [i64; 2]) -> LineCount {
        let [first_seq, last_seq] = places;
        LineCount {
            month: month.into(),
            kind: kind.into(),
            sign,
            lines,
            amount_paise: sign * lines * 100,
            first_seq,
            last_seq,
        }
    }

    fn three_months() -> Vec<LineCount> {
        vec![
            count("2026-09", "recharge", 1, 2, [1, 5]),
            count("2026-11", "hold", -1, 4, [21, 29]),
            count("2026-10", "hold", -1, 3, [7, 19]),
            count("2026-10", "recharge", 1, 1, [6, 6]),
        ]
    }

    #[test]
    fn whole_months_are_counted_and_cut_ones_are_to_be_counted() {
        let counts = three_months();
        let lines = |from, to, kind| -> Vec<Option<i64>> {
            let spans = spans(&parse(from, to, kind).unwrap(), &counts);
            spans.iter().map(|span| span.lines).collect()
        };
        assert_eq!(lines("", "", ""), [Some(4), Some(4), Some(2)]);
        assert_eq!(lines("", "", "credit"), [Some(1), Some(2)]);
        assert_eq!(lines("", "", "booking"), [Some(4), Some(3)]);
        assert_eq!(lines("2026-10-01", "2026-10-31", ""), [Some(4)]);
        assert_eq!(lines("2026-10-02", "", ""), [Some(4), None]);
        assert_eq!(lines("", "2026-10-30", ""), [None, Some(2)]);
        assert_eq!(lines("2026-12-01", "", ""), []);
    }

    #[test]
    fn a_page_begins_in_its_month_unless_months_stand_among_each_other() {
        let spans_of = |counts: &[LineCount]| spans(&StatementFilter::default(), counts);
        let mut counts = three_months();
        let at = |counts: &[LineCount], offset| {
            let StatementStart { last_seq, skipped } = beginning(&spans_of(counts), offset);
            (last_seq, skipped)
        };
        assert_eq!(at(&counts, 0), (29, 0));
        assert_eq!(at(&counts, 3), (29, 3));
        assert_eq!(at(&counts, 4), (19, 0));
        assert_eq!(at(&counts, 9), (5, 1));
        assert_eq!(at(&counts, 10), (0, 0));
        assert_eq!(at(&counts, 25), (0, 15));
        // Another server's clock wrote a line of October after the first one of November.
        counts[2].last_seq = 22;
        assert_eq!(at(&counts, 5), (29, 5));
        assert_eq!(at(&counts, 9), (29, 9));
    }

    #[test]
    fn the_months_before_a_day_are_summed() {
        let counts = three_months();
        let first = date!(2026 - 11 - 01);
        assert_eq!(months_before(&counts, first), (Paise::ZERO, first));
        let last = date!(2026 - 10 - 31);
        let october = date!(2026 - 10 - 01);
        assert_eq!(months_before(&counts, last), (Paise::new(200), october));
    }
}
