fn main() {
    skills_build::bundle("../functions");
}
