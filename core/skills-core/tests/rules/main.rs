//! Every rule is reported for its bad example, with a help, and not reported for its good example.
//!
//! Each example is a separate trial: `cargo test -p skills-core --test rules bad::not-utf8`. The text of each
//! report is in `tests/ui/rules/<code>.txt`; `BLESS=1` renews these files.

#[cfg(unix)] // the examples hold links and pipes
mod trials;

use libtest_mimic::Arguments;

fn main() {
    #[cfg(unix)]
    let trials = trials::all();
    #[cfg(not(unix))]
    let trials = Vec::new();
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}
