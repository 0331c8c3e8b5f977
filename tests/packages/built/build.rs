//! Bundles two directories.

fn main() {
    skills_build::bundle("../skills");
    skills_build::Bundle::new("skills").deny("name-mismatch").build();
}
