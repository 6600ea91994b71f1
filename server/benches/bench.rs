//! `./build.sh bench`: what a page costs, in the engine and over HTTP, and what a price costs.

mod pages;
mod rates;
mod render;

fn main() {
    if render::is_child() {
        render::child();
        return;
    }
    // A word chooses one table; cargo adds flags of its own.
    let chosen = std::env::args().skip(1).find(|word| !word.starts_with('-'));
    for (name, run) in [
        ("rates", rates::run as fn()),
        ("render", render::run),
        ("pages", pages::run),
    ] {
        if chosen.as_deref().is_none_or(|chosen| chosen == name) {
            run();
        }
    }
}
