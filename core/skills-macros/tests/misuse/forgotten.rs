//! A host that forgets a method.
skills::skills!("../../../../tests/packages/notes");

struct Agent;

impl Host for Agent {}

fn main() {
    let _ = SKILLS.with(Agent);
}
