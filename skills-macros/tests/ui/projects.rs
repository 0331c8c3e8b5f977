//! The problems of projects stand at the directory, and the good ones are there all the same.
mod broken {
    skills::projects!("projects", deny(project_empty));
    pub fn good() -> Option<&'static str> {
        skills::get_project_instructions(PROJECTS, "good")
    }
}

mod wrong {
    skills::projects!();
    skills::projects!("projects", skills(3));
}

fn main() {
    broken::good();
}
