//! The executable bit of a file, for reading, fixing, plugins and editors.

use std::fs::Metadata;

/// Returns `true` if anyone may execute a file; `None` on a system without such a bit.
#[cfg(unix)]
pub fn may_execute(metadata: &Metadata) -> Option<bool> {
    Some(std::os::unix::fs::PermissionsExt::mode(&metadata.permissions()) & 0o111 != 0)
}

/// Returns `true` if anyone may execute a file; `None` on a system without such a bit.
#[cfg(not(unix))]
pub fn may_execute(_: &Metadata) -> Option<bool> {
    None
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;
    use std::path::Path;

    // SPEC 1.3
    #[test]
    fn the_bit_is_read_in_one_place() {
        fn readers(dir: &Path, found: &mut Vec<String>) {
            for entry in fs::read_dir(dir).unwrap().map(Result::unwrap) {
                let path = entry.path();
                if path.is_dir() {
                    readers(&path, found);
                } else if fs::read_to_string(&path).unwrap().contains(") & 0o111") {
                    found.push(path.file_name().unwrap().to_string_lossy().into_owned());
                }
            }
        }
        let own = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut found = Vec::new();
        for dir in [own.join("src"), own.join("../../tools/skills-lsp/src")].iter().filter(|dir| dir.is_dir())
        {
            readers(dir, &mut found);
        }
        assert_eq!(found, ["executable.rs"]);
    }
}
