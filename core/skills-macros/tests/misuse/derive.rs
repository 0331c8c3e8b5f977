// The errors of a derived bundle are at its directory, and errors of the declaration have a correction.
#[derive(skills::Bundle)]
#[skills("broken")]
struct Broken;

#[derive(skills::Bundle)]
struct Nowhere;

#[derive(skills::Bundle)]
#[skills("good")]
struct Fields {
    count: u32,
}

#[derive(skills::Bundle)]
#[skills("broken", fail_cap(3))]
struct Misspelt;

fn main() {}
