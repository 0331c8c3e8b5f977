fn main() {
    skills_build::bundle("skills");
}
