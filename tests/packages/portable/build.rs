//! Bundles one of the two directories.

fn main() {
    skills_build::bundle("../notes");
}
