//! A type that does not implement `Host`.
skills::skills!("../notes");

struct Agent;

fn main() {
    let _ = SKILLS.with(Agent);
}
