//! A second call in a module.
skills::skills!("../../../../tests/packages/notes");
skills::skills!("../../../../tests/packages/prompts");

mod same {
    skills::skills!("../../../../tests/packages/notes");
    skills::skills!("../../../../tests/packages/notes");
}

fn main() {
    println!("{} {}", SKILLS.find_notes.name(), same::SKILLS.len());
    let _ = find_notes::Input::default();
}
