use std::fs;

use skills_files::Dir;

// SPEC 12.3
#[cfg(unix)]
#[test]
fn a_link_is_replaced_and_modes_are_kept() {
    use std::os::unix::fs::{PermissionsExt, symlink};

    let top = tempfile::tempdir().unwrap();
    let (root, victim) = (top.path().join("root"), top.path().join("victim"));
    fs::create_dir(&root).unwrap();
    fs::write(&victim, "precious").unwrap();
    symlink(&victim, root.join("a")).unwrap();
    skills_files::replace(&root.join("a"), b"new", None).unwrap();
    assert_eq!(fs::read_to_string(&victim).unwrap(), "precious");
    assert_eq!(fs::read_to_string(root.join("a")).unwrap(), "new");
    fs::set_permissions(root.join("a"), fs::Permissions::from_mode(0o640)).unwrap();
    skills_files::replace(&root.join("a"), b"newer", None).unwrap();
    assert_eq!(fs::metadata(root.join("a")).unwrap().permissions().mode() & 0o777, 0o640);
    let given = fs::Permissions::from_mode(0o755);
    skills_files::replace(&root.join("a"), b"newest", Some(given)).unwrap();
    assert_eq!(fs::metadata(root.join("a")).unwrap().permissions().mode() & 0o777, 0o755);
    assert_eq!(fs::read_dir(&root).unwrap().count(), 1, "nothing is left beside it");
}

#[test]
fn existing_files_are_not_overwritten() {
    let top = tempfile::tempdir().unwrap();
    let dir = Dir::open(top.path()).unwrap();
    dir.write_new("a".as_ref(), b"one", false).unwrap();
    let error = dir.write_new("a".as_ref(), b"two", false).unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::AlreadyExists);
    assert_eq!(dir.read("a".as_ref(), 3).unwrap(), b"one");
    dir.create_dir("full".as_ref()).unwrap();
    dir.replace("full".as_ref(), b"x", None).expect_err("a directory is not replaced");
    assert_eq!(dir.names().unwrap(), ["a", "full"], "what was written aside goes");
}
