//! `./build.sh bench`: what a page costs, in the engine and over HTTP, and what a price costs.

mod pages;
mod rates;
mod render;

fn main() {
    if render::is_child() {
        render::child();
        return;
    }
    rates::run();
    render::run();
    pages::run();
}
