//! Calls the `dakiya` program in the library. An async function that is called from here would be
//! compiled a second time, with all that it awaits.

fn main() -> std::process::ExitCode {
    dakiya::program::main()
}
