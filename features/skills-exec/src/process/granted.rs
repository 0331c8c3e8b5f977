//! Opens the paths that a skill was granted. Links cannot lead outside the directory in which a path starts.

use std::error::Error;
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, Mode, OFlags, ResolveFlags, openat, openat2};
use rustix::io::Errno;
use skills_registry::AskedPath;

use crate::{Granted, Request};

/// The reason why a thread could not be confined.
pub(super) type Fault = Box<dyn Error + Send + Sync>;

/// Opens a path for a Landlock rule. This needs no permission to read it.
pub(super) const FLAGS: OFlags = OFlags::PATH.union(OFlags::CLOEXEC);

/// Opens the granted paths, each with a flag whether it may be written. Skips paths that do not exist.
pub(super) fn open(request: &Request, granted: &Granted) -> Result<Vec<(OwnedFd, bool)>, Fault> {
    let read = granted.read.iter().map(|path| (path, false));
    let write = granted.write.iter().map(|path| (path, true));
    let mut all = Vec::new();
    for (text, writes) in read.chain(write) {
        // An invalid path was already reported when the skill was read.
        let Ok(path) = AskedPath::parse(text) else { continue };
        let opened = match path {
            AskedPath::Tmpdir(_) => continue,
            AskedPath::Skill(rest) => beneath(&skill(request)?, rest),
            AskedPath::Workspace(rest) => match &request.workspace {
                Some(path) => beneath(&workspace(path)?, rest),
                None => beneath(&openat(CWD, ".", FLAGS | OFlags::DIRECTORY, Mode::empty())?, rest),
            },
            AskedPath::Home(rest) => match std::env::home_dir() {
                Some(home) => within(&home.join(rest), granted.within.as_deref()),
                None => continue,
            },
            AskedPath::Root(rest) => within(&Path::new("/").join(rest), granted.within.as_deref()),
        };
        match opened {
            Ok(opened) => all.extend(opened.into_iter().map(|opened| (opened, writes))),
            Err(Errno::NOENT | Errno::NOTDIR) => {}
            Err(Errno::XDEV | Errno::LOOP) => {
                return Err(format!("`{text}` leads out of the directory in which it begins").into());
            }
            Err(error) => return Err(format!("`{text}`: {error}").into()),
        }
    }
    Ok(all)
}

/// Opens the directory of the skill, and checks that it still lies below the directory of skills. Another
/// program may have replaced it by a link since the skill was read.
pub(super) fn skill(request: &Request) -> Result<OwnedFd, Fault> {
    let path = &request.directory;
    let failed = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let opened =
        openat(CWD, path, FLAGS | OFlags::DIRECTORY, Mode::empty()).map_err(|error| failed(&error))?;
    let Some(root) = &request.root else { return Ok(opened) };
    match real(&opened) {
        Ok(found) if found.starts_with(root) => Ok(opened),
        _ => Err(failed(&"the directory is no longer below the directory of skills").into()),
    }
}

/// Opens the workspace without following links: an earlier run with write access above it could have created
/// a link, and the run would get access to another directory.
pub(super) fn workspace(path: &Path) -> Result<OwnedFd, Fault> {
    let flags = FLAGS | OFlags::DIRECTORY;
    let opened = match openat2(CWD, path, flags, Mode::empty(), ResolveFlags::NO_SYMLINKS) {
        // A process that is confined itself cannot call `openat2`.
        Err(Errno::NOSYS) => {
            let opened = openat(CWD, path, flags, Mode::empty())?;
            if real(&opened)? == path { Ok(opened) } else { Err(Errno::LOOP) }
        }
        opened => opened,
    };
    opened.map_err(|error| match error {
        Errno::LOOP => {
            format!("the workspace {} is reached through a link: name it by its real path", path.display())
                .into()
        }
        error => format!("{}: {error}", path.display()).into(),
    })
}

/// Opens a path without leaving its base. A link in a skill or a workspace cannot extend the granted paths.
fn beneath(base: &OwnedFd, rest: &str) -> rustix::io::Result<Vec<OwnedFd>> {
    let rest = if rest.is_empty() { "." } else { rest };
    let stay = ResolveFlags::BENEATH | ResolveFlags::NO_MAGICLINKS;
    for _ in 0..100 {
        match openat2(base, rest, FLAGS, Mode::empty(), stay) {
            // Another process renamed a directory at the same time, so try again.
            Err(Errno::AGAIN) => {}
            // A process that is confined itself cannot call `openat2`.
            Err(Errno::NOSYS) => return followed(base, rest).map(|opened| vec![opened]),
            opened => return opened.map(|opened| vec![opened]),
        }
    }
    Err(Errno::AGAIN)
}

/// Opens a path, following links, and then checks its real location.
fn followed(base: &OwnedFd, rest: &str) -> rustix::io::Result<OwnedFd> {
    let opened = openat(base, rest, FLAGS, Mode::empty())?;
    match (real(&opened), real(base)) {
        (Ok(found), Ok(base)) if found.starts_with(&base) => Ok(opened),
        _ => Err(Errno::XDEV),
    }
}

/// Opens the parts of `path` that lie below one of the directories that the host allows.
fn within(path: &Path, allowed: Option<&[PathBuf]>) -> rustix::io::Result<Vec<OwnedFd>> {
    let opened = openat(CWD, path, FLAGS, Mode::empty())?;
    let Some(allowed) = allowed else { return Ok(vec![opened]) };
    let Ok(real) = real(&opened) else { return Ok(Vec::new()) };
    let mut inner = Vec::new();
    for directory in allowed {
        let Ok(other) = openat(CWD, directory, FLAGS, Mode::empty()) else { continue };
        match self::real(&other) {
            Ok(other) if real.starts_with(&other) => return Ok(vec![opened]),
            Ok(directory) if directory.starts_with(&real) => inner.push(other),
            _ => {}
        }
    }
    Ok(inner)
}

/// Returns the real path of an open file, as the kernel reports it.
fn real(opened: &OwnedFd) -> io::Result<PathBuf> {
    std::fs::read_link(format!("/proc/self/fd/{}", opened.as_raw_fd()))
}

/// Returns `true` if the open file is the file at a path.
#[cfg(test)]
fn is_same(opened: &OwnedFd, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let found = rustix::fs::fstat(opened).expect("open");
    let wanted = std::fs::File::open(path).and_then(|file| file.metadata()).expect("there");
    (found.st_dev, found.st_ino) == (wanted.dev(), wanted.ino())
}

#[cfg(test)]
mod tests {
    use super::*;

    // SPEC 13.7
    #[test]
    fn links_do_not_widen_what_is_granted() {
        let place = tempfile::tempdir().expect("a directory");
        let (skill, work, other) =
            (place.path().join("skill"), place.path().join("work"), place.path().join("other"));
        for path in [&skill.join("data"), &work.join("in"), &other] {
            std::fs::create_dir_all(path).expect("made");
        }
        std::os::unix::fs::symlink("data", skill.join("inside")).expect("made");
        std::os::unix::fs::symlink(&other, skill.join("outside")).expect("made");
        std::os::unix::fs::symlink("/", work.join("root")).expect("made");
        let mut request = Request::new("n", "", &skill, skill.join("run"));
        request.workspace = Some(work.clone());
        let asked = |paths: &[&str]| Granted {
            read: paths.iter().map(|path| (*path).to_owned()).collect(),
            ..Granted::default()
        };
        let opened = open(&request, &asked(&["inside", "$WORKSPACE/in", "absent", "$WORKSPACE", "."]))
            .expect("granted");
        let wanted = [skill.join("data"), work.join("in"), work.clone(), skill.clone()];
        assert_eq!(opened.len(), wanted.len());
        assert!(opened.iter().zip(&wanted).all(|((opened, _), path)| is_same(opened, path)));
        for path in ["outside", "$WORKSPACE/root", "$WORKSPACE/root/etc"] {
            let error = open(&request, &asked(&[path])).expect_err("refused").to_string();
            assert!(error.contains("leads out"), "{error}");
        }
        let base = openat(CWD, &skill, FLAGS, Mode::empty()).expect("opened");
        assert!(is_same(&followed(&base, "inside").expect("below"), &skill.join("data")));
        assert_eq!(followed(&base, "outside").map(drop), Err(Errno::XDEV));
    }

    // SPEC 13.6
    #[test]
    fn the_narrower_of_two_paths_is_granted() {
        let place = tempfile::tempdir().expect("a directory");
        let (outer, inner) = (place.path().join("a"), place.path().join("a/b"));
        std::fs::create_dir_all(&inner).expect("made");
        let one = |path: &Path, allowed: &Path| within(path, Some(&[allowed.to_owned()])).expect("opened");
        assert!(is_same(&one(&inner, &outer)[0], &inner));
        assert!(is_same(&one(&outer, &inner)[0], &inner));
        assert!(one(&outer, Path::new("/usr")).is_empty());
        assert!(is_same(&within(&outer, None).expect("opened")[0], &outer));
    }
}
