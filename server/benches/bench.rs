//! `./build.sh bench`: the cost of a page (in the engine, over HTTP, beside other servers, after a
//! long history), of a price, of a booking with our own courier and with a partner, of a statement,
//! of sealing bookings, and of an audit beside bookings.

mod audit;
mod bookings;
mod customers;
mod engine;
mod history;
mod pages;
mod partners;
mod peers;
mod rates;
mod render;
mod sealing;

fn main() {
    if render::is_child() {
        render::child();
        return;
    }
    // An argument chooses one table; cargo adds flags of its own.
    let chosen = std::env::args().skip(1).find(|word| !word.starts_with('-'));
    for (name, run) in [
        ("rates", rates::run as fn()),
        ("render", render::run),
        ("pages", pages::run),
        ("peers", peers::run),
        ("history", history::run),
        ("bookings", bookings::run),
        ("partners", partners::run),
        ("engine", engine::run),
        ("sealing", sealing::run),
        ("audit", audit::run),
    ] {
        if chosen.as_deref().is_none_or(|chosen| chosen == name) {
            run();
        }
    }
}
