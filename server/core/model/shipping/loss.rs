//! The reasons for which a shipment is an exception: its goods do not arrive as they were sent.

use Loss::{Damaged, Destroyed, DisposedOf, Lost, Untraceable};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loss {
    Lost,
    Damaged,
    Destroyed,
    DisposedOf,
    Untraceable,
}

/// The name in the database and on the command line, and the label for people.
const NAMES: [(Loss, &str, &str); 5] = [
    (Lost, "lost", "Lost"),
    (Damaged, "damaged", "Damaged"),
    (Destroyed, "destroyed", "Destroyed"),
    (DisposedOf, "disposed_of", "Disposed of"),
    (Untraceable, "untraceable", "Untraceable"),
];

impl Loss {
    pub const ALL: [Loss; 5] = [Lost, Damaged, Destroyed, DisposedOf, Untraceable];

    pub fn word(self) -> &'static str {
        self.names().1
    }

    pub fn label(self) -> &'static str {
        self.names().2
    }

    pub fn parse(word: &str) -> Option<Loss> {
        NAMES.iter().find(|(_, name, _)| *name == word).map(|(loss, ..)| *loss)
    }

    pub fn of_label(label: &str) -> Option<Loss> {
        NAMES.iter().find(|(.., name)| *name == label).map(|(loss, ..)| *loss)
    }

    /// All names, for a message.
    pub fn words() -> String {
        NAMES.map(|(_, word, _)| word).join(", ")
    }

    fn names(self) -> (Loss, &'static str, &'static str) {
        let entry = NAMES.into_iter().find(|(loss, ..)| *loss == self);
        entry.expect("every loss has its names")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_loss_has_one_word_and_one_label() {
        for loss in Loss::ALL {
            assert_eq!(Loss::parse(loss.word()), Some(loss));
            assert_eq!(Loss::of_label(loss.label()), Some(loss));
        }
        assert_eq!(Loss::parse("late"), None);
    }
}
