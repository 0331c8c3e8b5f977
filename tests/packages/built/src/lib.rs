//! Bundles from a build script, at the root of the crate and in a module, and one that the macro generates
//! itself.
#![deny(warnings, missing_docs, unreachable_pub, unused_qualifications, rust_2018_idioms)]
#![deny(missing_debug_implementations, clippy::all)]
#![forbid(unsafe_code)]

skills::skills!("../skills");

/// The second bundle, with its options repeated.
pub mod second {
    skills::skills!("./skills/", deny(name_mismatch));
}

#[cfg(test)]
mod tests {
    use super::*;

    mod alone {
        // Another spelling of a directory that is not in the build script.
        skills::skills!("../skills/pdf");
    }

    #[test]
    fn bundles_contain_their_directories() {
        assert_eq!(SKILLS.len(), 5);
        assert_eq!(second::SKILLS.len(), 1);
        assert_eq!(second::SKILLS.only.description(), "Stands alone.");
        assert_eq!(alone::SKILLS.len(), 1);
        for skill in &*SKILLS {
            for file in skill.files() {
                let path = format!("../skills/{}/{}", skill.dir(), file.path());
                assert_eq!(std::fs::read(&path).unwrap(), file.bytes(), "{path}");
            }
        }
        assert_eq!(
            alone::SKILLS.pdf.files().map(|file| file.sha256_hex()).collect::<Vec<_>>(),
            SKILLS.pdf.files().map(|file| file.sha256_hex()).collect::<Vec<_>>(),
        );
    }
}
