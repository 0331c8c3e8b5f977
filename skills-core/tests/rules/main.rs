//! Every rule of the table is broken by its bad example, says what to type, and is kept by its good one.
//!
//! Each example is a trial of its own: `cargo test -p skills-core --test rules bad::not-utf8`. The text of each report is
//! pinned in `tests/ui/rules/<code>.txt`; `BLESS=1` renews these files.

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
