//! The surface of the macro: what a wrong call says, and where.
//!
//! The problems of skills have golden reports in `skills-core`; here are the few cases that prove the way through rustc.

#[test]
fn wrong_calls_are_told_apart() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("tests/ui/*.rs");
}
