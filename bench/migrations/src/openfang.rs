use std::path::Path;

skills::skills!("skills/openfang");

pub fn bundled_skills() -> impl Iterator<Item = (&'static str, &'static str)> {
    SKILLS.iter().filter_map(|skill| Some((skill.dir(), skill.file("SKILL.md")?.text()?)))
}

// The program installs nothing; the files are written for the comparison.
pub fn install(home: &Path) -> std::io::Result<()> {
    for (name, text) in bundled_skills() {
        let dir = home.join("bundled").join(name);
        std::fs::create_dir_all(&dir)?;
        std::fs::write(dir.join("SKILL.md"), text)?;
    }
    Ok(())
}
