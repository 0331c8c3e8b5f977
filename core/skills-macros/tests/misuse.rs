//! Compares the errors of rustc for wrong uses of the macros with the files beside them.

// SPEC 1.5, 1.8, 3.4, 6.2, 18.20: misuse is an error of the build, at its place, and says what to write.
#[test]
#[ignore = "builds a package for each wrong use, and needs the path separator of Unix in errors"]
fn misuse_is_an_error_of_the_build() {
    trybuild::TestCases::new().compile_fail("tests/misuse/*.rs");
}
