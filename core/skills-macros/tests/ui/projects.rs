//! Errors in projects are reported at the directory argument, and the valid projects are still available.
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
