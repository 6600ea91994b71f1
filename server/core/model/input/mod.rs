//! Readers of typed and pasted values, one for each kind. They accept every usual way to write a
//! value and never guess: a text with two meanings has none. `ui/src/lib/input.ts` reads the same
//! way; tests on both sides read `server/tests/typed_values.json`.

pub mod amount;
pub mod characters;
pub mod day;
pub mod measure;
pub mod nul;
pub mod phone;
pub mod postal_code;
mod words;

#[cfg(test)]
mod tests;
