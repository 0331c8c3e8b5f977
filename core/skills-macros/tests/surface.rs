//! Tests the errors for wrong macro calls, and their positions.
//!
//! The problems of skills have golden reports in `skills-core`. The few cases here test the way through
//! rustc.

#[test]
fn wrong_calls_are_distinguished() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("tests/ui/*.rs");
}
