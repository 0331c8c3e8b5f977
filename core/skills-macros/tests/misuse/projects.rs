//! Errors in projects are reported at the directory argument, and the valid projects are still available.
mod broken {
    skills::projects!("projects", deny(project_empty));
    pub fn good() -> Option<&'static str> {
        PROJECTS.first().map(skills::Project::instructions)
    }
}

mod wrong {
    skills::projects!();
    skills::projects!("projects", skills(3));
}

fn main() {
    broken::good();
}
