//! Bundles `skills/` for the examples and tests of this repository, so that editing an example or a test does not
//! check the skills again. Published packages contain neither this file nor the skills.

fn main() {
    skills_build::bundle("skills");
}
