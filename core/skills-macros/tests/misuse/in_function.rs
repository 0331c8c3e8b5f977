//! A call in a function.
fn main() {
    skills::skills!("../../../../tests/packages/notes");
}
