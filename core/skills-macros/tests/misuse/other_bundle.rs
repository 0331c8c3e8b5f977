//! An input of another bundle.
mod first {
    skills::skills!("../../../../tests/packages/notes");
}
mod second {
    skills::skills!("../../../../tests/packages/prompts");
}

fn main() {
    let _ = first::SKILLS.runner().call(second::say::Input { text: String::new() });
}
