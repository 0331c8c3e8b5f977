//! Installs the skills of one program below a directory: `migrations NAME HOME`. Each module replaces the bundling part of a
//! program.

use std::error::Error;
use std::path::PathBuf;

macro_rules! programs {
    ($($name:ident $feature:literal)*) => {
        $(#[cfg(feature = $feature)] mod $name;)*

        fn main() -> Result<(), Box<dyn Error>> {
            let mut arguments = std::env::args().skip(1);
            let (name, home) = (arguments.next().unwrap_or_default(), arguments.next().unwrap_or_default());
            match name.as_str() {
                $(#[cfg(feature = $feature)] stringify!($name) => $name::install(&PathBuf::from(home))?,)*
                other => return Err(format!("{other} is not a known program, or its skills are missing").into()),
            }
            Ok(())
        }
    };
}

programs! {
    bitfun "bitfun" codex "codex" ironclaw "ironclaw" marmite "marmite" memex "memex" moltis "moltis"
    openfang "openfang" tokf "tokf" tracey "tracey"
}
