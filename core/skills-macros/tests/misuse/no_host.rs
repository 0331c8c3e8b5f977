//! A type that does not implement `Host`.
skills::skills!("../../../../tests/packages/notes");

struct Agent;

fn main() {
    let _ = SKILLS.with(Agent);
}
