// Each fault in a `skill.json` is an error at the macro, with its place in the file.
skills::skills!("functions");

fn main() {}
