use std::path::Path;

use skills::install::{Adopt, InstallError, InstallOptions, Target, install as write};

skills::skills!("skills/bitfun");

// The names that releases before 2026-08 installed beside `.system`.
const RETIRED: [&str; 18] = [
    "docx",
    "pdf",
    "pptx",
    "xlsx",
    "brainstorming",
    "dispatching-parallel-agents",
    "executing-plans",
    "finishing-a-development-branch",
    "receiving-code-review",
    "requesting-code-review",
    "subagent-driven-development",
    "systematic-debugging",
    "test-driven-development",
    "using-git-worktrees",
    "using-superpowers",
    "verification-before-completion",
    "writing-plans",
    "skill-creator",
];

pub fn install(home: &Path) -> Result<(), InstallError> {
    let options = InstallOptions::new("bitfun").by_directory(true).adopt(Adopt::Named).retired(RETIRED);
    write(&SKILLS, Target::directory(home.join("skills/.system")), &options).map(drop)
}
