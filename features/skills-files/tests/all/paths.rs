use std::ffi::OsStr;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use skills_files::{Dir, FileKind, Root};

// SPEC 12.3
#[test]
fn a_call_accepts_one_name() {
    let top = tempfile::tempdir().unwrap();
    fs::create_dir_all(top.path().join("root/in")).unwrap();
    let dir = Dir::open(&top.path().join("root")).unwrap();
    for path in ["", ".", "..", "../x", "in/x", "in/", "/tmp", "in/../../x"] {
        let name = OsStr::new(path);
        assert_eq!(dir.open_dir(name).unwrap_err().kind(), ErrorKind::InvalidInput, "{path}");
        assert_eq!(dir.create_dir(name).unwrap_err().kind(), ErrorKind::InvalidInput, "{path}");
        assert_eq!(dir.replace(name, b"", None).unwrap_err().kind(), ErrorKind::InvalidInput, "{path}");
        assert_eq!(dir.remove_tree(name).unwrap_err().kind(), ErrorKind::InvalidInput, "{path}");
    }
    assert_eq!(dir.names().unwrap(), ["in"]);
    assert_eq!(dir.metadata("in".as_ref()).unwrap().map(|found| found.kind), Some(FileKind::Directory));
    assert!(dir.metadata("missing".as_ref()).unwrap().is_none());
}

// SPEC 12.3
#[cfg(unix)]
#[test]
fn links_are_followed_only_inside() {
    use std::os::unix::fs::symlink;

    let top = tempfile::tempdir().unwrap();
    let root = top.path().join("root");
    fs::create_dir_all(root.join("in")).unwrap();
    fs::create_dir(top.path().join("away")).unwrap();
    fs::write(top.path().join("away/secret"), "secret").unwrap();
    for (target, link) in
        [("../away", "out"), ("in", "alias"), ("../away/secret", "leak"), ("missing", "lost")]
    {
        symlink(target, root.join(link)).unwrap();
    }
    symlink(root.canonicalize().unwrap().join("in"), root.join("whole")).unwrap();
    let opened = Root::open(&root).unwrap();
    for path in ["out/a", "out/deep/a", "../a", "in/../../a", "/tmp/a", "", ".", "lost/a"] {
        opened.replace(Path::new(path), b"x", None).expect_err(path);
    }
    assert_eq!(fs::read_dir(top.path().join("away")).unwrap().count(), 1);
    for path in ["leak", "out/secret", "lost"] {
        opened.read(Path::new(path), 100).expect_err(path);
    }
    opened.replace(Path::new("alias/new/a"), b"x", None).unwrap();
    opened.replace(Path::new("whole/b"), b"y", None).unwrap();
    opened.replace(&opened.path().join("in/c"), b"z", None).unwrap();
    for (path, text) in [("in/new/a", "x"), ("in/b", "y"), ("in/c", "z")] {
        assert_eq!(fs::read_to_string(root.join(path)).unwrap(), text);
    }
    assert_eq!(opened.read(Path::new("alias/b"), 1).unwrap(), b"y");
    assert_eq!(opened.read(Path::new("./alias/new/a"), 0).unwrap_err().kind(), ErrorKind::FileTooLarge);
}

// SPEC 12.3: special files are neither waited for nor read
#[cfg(unix)]
#[test]
fn a_pipe_and_a_link_are_not_files() {
    let top = tempfile::tempdir().unwrap();
    let made = std::process::Command::new("mkfifo").arg(top.path().join("pipe")).status().unwrap();
    assert!(made.success());
    let socket = std::os::unix::net::UnixListener::bind(top.path().join("socket")).unwrap();
    fs::write(top.path().join("file"), "text").unwrap();
    std::os::unix::fs::symlink("file", top.path().join("link")).unwrap();
    let dir = Dir::open(top.path()).unwrap();
    for name in ["pipe", "socket", "link"] {
        assert_eq!(dir.read(name.as_ref(), 100).unwrap_err().kind(), ErrorKind::InvalidInput, "{name}");
    }
    assert_eq!(dir.read("file".as_ref(), 4).unwrap(), b"text");
    drop(socket);
}
