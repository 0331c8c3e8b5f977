//! Writes the skills that openfang embeds: `openfang HOME`.

include!(env!("PART_0"));

fn main() {
    let home = std::path::PathBuf::from(std::env::args().nth(1).unwrap());
    for (name, text) in bundled_skills() {
        let dir = home.join("bundled").join(name);
        std::fs::create_dir_all(&dir).unwrap();
        std::fs::write(dir.join("SKILL.md"), text).unwrap();
    }
}
