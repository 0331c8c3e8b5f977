//! An input of another bundle.
mod first {
    skills::skills!("../notes");
}
mod second {
    skills::skills!("../prompts");
}

fn main() {
    let _ = first::SKILLS.runner().call(second::say::Input { text: String::new() });
}
