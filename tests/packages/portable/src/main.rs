//! A program that `cargo xtask systems` builds and runs with the oldest compiler and for other systems. One bundle comes
//! from the macro, the other from the build script.
#![deny(warnings, missing_docs)]

use std::error::Error;

skills::skills!("../skills");

/// The bundle of the build script.
pub mod notes {
    skills::skills!("../notes");
}

// SPEC 18.20: own items take precedence over those of the bundle, and its `SKILLS` over that of the outer module.
mod own {
    use super::*;

    skills::skills!("../notes");

    mod tell {
        pub(super) const OWN: u8 = 1;
    }
    struct Bundle;

    pub(super) fn check() -> Result<(), Box<dyn Error>> {
        let Bundle = Bundle;
        assert_eq!((SKILLS.len(), tell::OWN), (2, 1));
        assert_eq!(find_notes::Input::from_json(r#"{"topic": "rust"}"#)?.limit, 3);
        Ok(())
    }
}

// SPEC 18.21
fn main() -> Result<(), Box<dyn Error>> {
    own::check()?;
    assert_eq!((SKILLS.len(), notes::SKILLS.len()), (5, 2));
    assert_eq!(SKILLS.pdf.body(), "# PDF\n\nRead `data.bin`.\n");
    let input = notes::find_notes::Input::from_json(r#"{"topic": "rust"}"#)?;
    assert_eq!(input.to_json(), r#"{"topic":"rust","limit":3}"#);
    #[cfg(feature = "install")]
    install()?;
    #[cfg(feature = "full")]
    load()?;
    println!("portable: ok");
    Ok(())
}

/// Installs the skills, keeps an edit of the user, and restores the skill by force.
#[cfg(feature = "install")]
fn install() -> Result<(), Box<dyn Error>> {
    use skills::install::{InstallOptions, State, install, status};

    let target = std::env::temp_dir().join(format!("portable-{}", std::process::id()));
    // The name under which `SKILLS.install` installs them.
    let options = InstallOptions::new(concat!(env!("CARGO_PKG_NAME"), ":../skills"));
    SKILLS.install(&*target)?;
    let installed = target.join("skills/pdf/SKILL.md");
    let original = std::fs::read_to_string(&installed)?;
    std::fs::write(&installed, format!("{original}Mine.\n"))?;
    let states = status(&SKILLS, &*target, &options)?;
    assert_eq!(states.iter().filter(|skill| skill.state == State::Modified).count(), 1, "{states:?}");
    install(&SKILLS, &*target, &options)?;
    assert_eq!(std::fs::read_to_string(&installed)?, format!("{original}Mine.\n"));
    install(&SKILLS, &*target, &options.force(true))?;
    assert_eq!(std::fs::read_to_string(&installed)?, original);
    assert!(target.join("skills/pdf/data.bin").is_file());
    std::fs::remove_dir_all(&target)?;
    Ok(())
}

/// Layers the bundles, and makes a runner of them.
#[cfg(feature = "full")]
fn load() -> Result<(), Box<dyn Error>> {
    let layers = skills::load::LayersBuilder::new().bundle(&SKILLS).bundle(&notes::SKILLS).load()?;
    assert!(layers.get("pdf").is_some() && layers.get("tell").is_some());
    let tools = skills::Runner::from(layers).tools(skills::ToolFormat::Mcp);
    assert!(tools.contains("load_skill"), "{tools}");
    Ok(())
}
