//! Tables of the words that couriers publish for the state of a shipment, each with our stage.

use crate::model::shipping::loss::Loss;
use crate::model::shipping::status::ShipmentStatus;

/// The meaning of a courier's word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    Stage(ShipmentStatus),
    Loss(Loss),
    /// It says nothing about where the shipment is: its stage stays.
    Nothing,
}

impl Meaning {
    pub fn stage(self) -> Option<ShipmentStatus> {
        match self {
            Meaning::Stage(stage) => Some(stage),
            Meaning::Loss(_) => Some(ShipmentStatus::Exception),
            Meaning::Nothing => None,
        }
    }

    pub fn loss(self) -> Option<Loss> {
        match self {
            Meaning::Loss(loss) => Some(loss),
            Meaning::Stage(_) | Meaning::Nothing => None,
        }
    }
}

/// Reads a table: lines of words, the last of which is our stage, a loss or `-` for nothing.
pub(super) fn rows(table: &'static str) -> impl Iterator<Item = (Vec<&'static str>, Meaning)> {
    lines(table).filter_map(|line| {
        let mut cells: Vec<&str> = line.split('\t').collect();
        let meaning = meaning(cells.pop()?)?;
        Some((cells, meaning))
    })
}

fn lines(table: &'static str) -> impl Iterator<Item = &'static str> {
    table.lines().filter(|line| !line.is_empty() && !line.starts_with('#'))
}

fn meaning(word: &str) -> Option<Meaning> {
    let stage = ShipmentStatus::parse(word).filter(|stage| *stage != ShipmentStatus::Exception);
    match word {
        "-" => Some(Meaning::Nothing),
        _ => stage.map(Meaning::Stage).or_else(|| Loss::parse(word).map(Meaning::Loss)),
    }
}

/// Returns a word without differences of case, hyphens and spaces.
pub(super) fn plain_word(word: &str) -> String {
    let upper = word.to_uppercase();
    let words = upper.split(|c: char| c.is_whitespace() || matches!(c, '_' | '-'));
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
pub(super) fn check(table: &'static str, cells: usize) -> Vec<(Vec<&'static str>, Meaning)> {
    let rows: Vec<_> = rows(table).collect();
    assert_eq!(rows.len(), lines(table).count(), "every word has a stage");
    for (words, _) in &rows {
        assert_eq!(words.len(), cells, "{words:?}");
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_the_same_with_other_spaces_and_cases() {
        for word in ["RTO_IN_TRANSIT", "rto in-transit", " Rto  In Transit "] {
            assert_eq!(plain_word(word), "RTO IN TRANSIT");
        }
        assert_eq!(meaning("exception"), None, "an exception has its reason");
        assert_eq!(meaning("lost"), Some(Meaning::Loss(Loss::Lost)));
    }
}
