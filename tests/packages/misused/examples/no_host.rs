//! A host that is none.
skills::skills!("../notes");

struct Agent;

fn main() {
    let _ = SKILLS.with(Agent);
}
