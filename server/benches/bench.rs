//! `./build.sh bench`: what a page costs, in the engine, over HTTP, beside other servers and after
//! a long history, and what a price and a booking cost.

mod bookings;
mod customers;
mod history;
mod pages;
mod peers;
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
        ("peers", peers::run),
        ("history", history::run),
        ("bookings", bookings::run),
    ] {
        if chosen.as_deref().is_none_or(|chosen| chosen == name) {
            run();
        }
    }
}
