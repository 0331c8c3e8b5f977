// A host without the method of a skill: rustc names the method.
skills::skills!("hosted");

struct Agent;

impl Host for Agent {}

fn main() {
    let _ = SKILLS.with(Agent);
}
