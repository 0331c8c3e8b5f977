use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

use skills_files::{Dir, remove_tree};

// SPEC 13.10
#[test]
fn depth_links_and_modes_do_not_prevent_removal() {
    let base = tempfile::tempdir().unwrap();
    let (top, kept) = (base.path().join("top"), base.path().join("kept"));
    fs::create_dir_all(&kept).unwrap();
    fs::write(kept.join("file"), "").unwrap();
    fs::create_dir_all(top.join("a/b")).unwrap();
    fs::write(top.join("a/b/c"), "").unwrap();
    symlink(&kept, top.join("a/link")).unwrap();
    for closed in ["closed", "closed/inner", "closed/inner/deep"] {
        fs::create_dir(top.join(closed)).unwrap();
    }
    fs::write(top.join("closed/inner/file"), "").unwrap();
    for closed in ["closed/inner/deep", "closed/inner", "closed"] {
        fs::set_permissions(top.join(closed), fs::Permissions::from_mode(0o000)).unwrap();
    }
    // Deeper than the longest path, and than recursion with one stack frame per level allows.
    let mut above = top.join("a");
    for _ in 0..3_000 {
        let below = top.join("new");
        fs::create_dir(&below).unwrap();
        fs::rename(&above, below.join("d")).unwrap();
        above = top.join("old");
        fs::rename(&below, &above).unwrap();
    }
    remove_tree(&top).unwrap();
    assert!(!top.exists() && kept.join("file").exists());
}

// SPEC 12.3
#[test]
fn links_are_removed_and_missing_files_are_not_an_error() {
    let base = tempfile::tempdir().unwrap();
    fs::create_dir(base.path().join("kept")).unwrap();
    fs::write(base.path().join("kept/file"), "").unwrap();
    symlink("kept", base.path().join("link")).unwrap();
    let dir = Dir::open(base.path()).unwrap();
    for name in ["link", "missing"] {
        dir.remove_tree(name.as_ref()).unwrap();
    }
    assert_eq!(dir.names().unwrap(), ["kept"]);
    assert!(base.path().join("kept/file").exists());
}
