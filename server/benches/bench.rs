//! `./build.sh bench`: what a page costs, in the engine and over HTTP.

mod pages;
mod render;

fn main() {
    if render::is_child() {
        render::child();
        return;
    }
    render::run();
    pages::run();
}
