//! Replaces a file atomically: readers see either the old or the new contents, and no link can redirect the
//! write.

use std::fs::{self, File, Permissions};
use std::io::{self, Write};
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// Replaces or creates a file with a rename. The new file keeps the permissions of the old one, or gets the
/// given ones.
///
/// If the path is a link, the link is replaced and not followed.
///
/// # Errors
/// If the directory is not writable or the disk is full. The old file is still there.
pub fn replace(path: &Path, bytes: &[u8], permissions: Option<Permissions>) -> io::Result<()> {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?.to_string_lossy();
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let aside = path.with_file_name(format!(".{name}.{}-{count}.new", std::process::id()));
    let before =
        || fs::symlink_metadata(path).ok().filter(fs::Metadata::is_file).map(|found| found.permissions());
    let permissions = permissions.or_else(before);
    // This process did not create a file with this name, and it may be a link, so an existing one is an
    // error.
    let mut file = File::create_new(&aside)?;
    let written = (|| {
        file.write_all(bytes)?;
        if let Some(permissions) = permissions {
            file.set_permissions(permissions)?;
        }
        file.sync_all()?;
        fs::rename(&aside, path)
    })();
    if written.is_err() {
        fs::remove_file(&aside).ok();
    }
    written
}

/// Returns the location of a path below a directory, and creates the directories on the way.
///
/// # Errors
/// If a link leads out of the directory, or a directory cannot be created.
pub fn place_below(root: &Path, path: &Path) -> io::Result<PathBuf> {
    let root = root.canonicalize()?;
    let mut place = root.clone();
    let mut parts = path.components().peekable();
    while let Some(part) = parts.next() {
        let Component::Normal(name) = part else { return Err(outside(path)) };
        place.push(name);
        if parts.peek().is_none() {
            return Ok(place);
        }
        match fs::create_dir(&place) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
            _ => place = place.canonicalize()?,
        }
        if !place.starts_with(&root) {
            return Err(outside(path));
        }
    }
    Err(outside(path))
}

fn outside(path: &Path) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, format!("{} leads out of the directory", path.display()))
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    struct Place(PathBuf);

    impl Place {
        fn new(name: &str) -> Self {
            let place = std::env::temp_dir().join(format!("skills-registry-{name}-{}", std::process::id()));
            fs::create_dir_all(place.join("root")).expect("a directory");
            Self(place)
        }
    }

    impl Drop for Place {
        fn drop(&mut self) {
            fs::remove_dir_all(&self.0).ok();
        }
    }

    // SPEC 12.3
    #[test]
    fn a_link_is_replaced_and_modes_are_kept() {
        let place = Place::new("replace");
        let (root, victim) = (place.0.join("root"), place.0.join("victim"));
        fs::write(&victim, "precious").expect("a file");
        symlink(&victim, root.join("a")).expect("a link");
        replace(&root.join("a"), b"new", None).expect("it is replaced");
        assert_eq!(fs::read_to_string(&victim).expect("a file"), "precious");
        assert_eq!(fs::read_to_string(root.join("a")).expect("a file"), "new");
        fs::set_permissions(root.join("a"), Permissions::from_mode(0o640)).expect("a mode");
        replace(&root.join("a"), b"newer", None).expect("it is replaced");
        assert_eq!(fs::metadata(root.join("a")).expect("a file").permissions().mode() & 0o777, 0o640);
        assert_eq!(fs::read_dir(&root).expect("a directory").count(), 1, "nothing is left beside it");
    }

    // SPEC 12.3
    #[test]
    fn no_path_leads_out() {
        let place = Place::new("below");
        let root = place.0.join("root");
        fs::create_dir(place.0.join("away")).expect("a directory");
        symlink("../away", root.join("out")).expect("a link");
        fs::create_dir(root.join("in")).expect("a directory");
        symlink("in", root.join("alias")).expect("a link");
        for path in ["out/a", "out/deep/a", "../a", "in/../../a", "/tmp/a", "", "."] {
            place_below(&root, Path::new(path)).expect_err(path);
        }
        assert_eq!(fs::read_dir(place.0.join("away")).expect("a directory").count(), 0);
        let real = root.canonicalize().expect("a path");
        assert_eq!(place_below(&root, Path::new("alias/new/a")).expect("a place"), real.join("in/new/a"));
        assert_eq!(place_below(&root, Path::new("a")).expect("a place"), real.join("a"));
    }
}
