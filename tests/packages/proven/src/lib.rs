//! A library whose skills show its functions; their Rust blocks are documentation tests.

#[cfg(not(feature = "wrong"))]
skills::skills!("skills", doctest);
#[cfg(feature = "wrong")]
skills::skills!("wrong", doctest);

/// Adds two numbers.
pub fn add(a: u8, b: u8) -> u8 {
    a + b
}

/// Does not compile, because the feature `call` of the library is off.
#[cfg(feature = "runner")]
pub fn run() {
    SKILLS.runner();
}
