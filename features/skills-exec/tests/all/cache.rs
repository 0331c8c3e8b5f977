//! Tests that the files of a bundled skill on disk are complete and private, whatever happened to them before.

#![cfg(unix)]

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use skills_exec::cache::{Cache, File, Unpacked};
use skills_exec::run;

use crate::support::Scratch;

const SCRIPT: &[u8] = b"#!/bin/sh\n. \"$SKILL_PATH/lib/words.sh\"\necho \"$words\"\n";

fn files() -> Vec<File<'static>> {
    static LARGE: [u8; 300_000] = [b'#'; 300_000];
    let file = |path, bytes, executable, digest| File { path, bytes, executable, sha256: [digest; 32] };
    vec![
        file("bin/run", SCRIPT, true, 1),
        file("lib/words.sh", b"words='it works'\n", false, 2),
        file("lib/deep/er/large.txt", &LARGE, false, 3),
        file("SKILL.md", b"", false, 4),
    ]
}

/// Checks every file against the bundle, and that there is nothing else.
fn assert_whole(directory: &Path) {
    let mut expected: Vec<PathBuf> = Vec::new();
    for file in files() {
        let path = directory.join(file.path);
        assert_eq!(fs::read(&path).expect("the file"), file.bytes, "{}", file.path);
        let metadata = fs::symlink_metadata(&path).expect("its metadata");
        let mode = if file.executable { 0o700 } else { 0o600 };
        assert!(
            metadata.is_file() && metadata.mode() & 0o7777 == mode,
            "{}: {:o}",
            file.path,
            metadata.mode()
        );
        expected.push(path);
    }
    expected.sort();
    let mut found = Vec::new();
    walk(directory, &mut found);
    found.sort();
    assert_eq!(found, expected);
}

fn walk(directory: &Path, found: &mut Vec<PathBuf>) {
    let metadata = fs::symlink_metadata(directory).expect("a directory");
    assert!(metadata.is_dir() && metadata.mode() & 0o7777 == 0o700, "{}", directory.display());
    for entry in fs::read_dir(directory).expect("a directory").flatten() {
        if entry.file_type().expect("a type").is_dir() {
            walk(&entry.path(), found);
        } else {
            found.push(entry.path());
        }
    }
}

fn assert_runs(scratch: &Scratch, unpacked: &Unpacked) {
    let mut request = scratch.request(unpacked.path().join("bin/run"));
    request.directory = unpacked.path().to_path_buf();
    let outcome = run(&request);
    assert_eq!((outcome.exit_code, outcome.stdout.as_str()), (0, "it works\n"), "{outcome:?}");
}

fn cache(scratch: &Scratch) -> Cache {
    Cache::new(Some(scratch.path().join("cache")), std::env::temp_dir())
}

// SPEC 7.4
#[test]
fn one_directory_per_content_is_made_once_and_used_again() {
    let scratch = Scratch::new();
    let cache = cache(&scratch);
    let unpacked = cache.unpack(&files()).expect("unpacked");
    assert_eq!(unpacked.why_temporary(), None);
    assert!(unpacked.path().starts_with(scratch.path().join("cache")));
    assert_whole(unpacked.path());
    assert_runs(&scratch, &unpacked);
    let inode = |unpacked: &Unpacked| fs::metadata(unpacked.path().join("bin/run")).expect("a file").ino();
    let again = cache.unpack(&files()).expect("unpacked");
    assert_eq!(
        (again.path(), inode(&again)),
        (unpacked.path(), inode(&unpacked)),
        "nothing was written again"
    );
    let mut other = files();
    other.truncate(3);
    assert_ne!(cache.unpack(&other).expect("unpacked").path(), unpacked.path());
    let names = fs::read_dir(scratch.path().join("cache")).expect("the cache").flatten();
    assert_eq!(names.count(), 2, "no staging directory stays");
}

/// Possible damages of a cache entry.
type Tampering = fn(&Path, &Path);

// SPEC 7.4, 12.3
#[test]
fn changed_copies_are_repaired_before_use_and_no_link_is_followed() {
    let cases: [(&str, Tampering); 14] = [
        ("changed", |entry, _| fs::write(entry.join("bin/run"), "#!/bin/sh\necho evil\n").expect("written")),
        ("same length", |entry, _| {
            fs::write(entry.join("bin/run"), vec![b'x'; SCRIPT.len()]).expect("written")
        }),
        ("longer", |entry, _| fs::write(entry.join("SKILL.md"), "more").expect("written")),
        ("emptied", |entry, _| fs::write(entry.join("lib/deep/er/large.txt"), "").expect("written")),
        ("removed", |entry, _| fs::remove_file(entry.join("lib/words.sh")).expect("removed")),
        ("removed directory", |entry, _| fs::remove_dir_all(entry.join("lib")).expect("removed")),
        ("added", |entry, _| {
            fs::create_dir(entry.join("bin/__pycache__")).expect("made");
            fs::write(entry.join("bin/__pycache__/x.pyc"), "").expect("written");
            symlink("/etc", entry.join("lib/etc")).expect("linked");
        }),
        ("file as link", |entry, outside| {
            fs::copy(entry.join("bin/run"), outside.join("run")).expect("copied");
            fs::remove_file(entry.join("bin/run")).expect("removed");
            symlink(outside.join("run"), entry.join("bin/run")).expect("linked");
        }),
        ("directory as link", |entry, outside| {
            fs::rename(entry.join("lib"), outside.join("lib")).expect("moved");
            symlink(outside.join("lib"), entry.join("lib")).expect("linked");
        }),
        ("entry as link", |entry, outside| {
            fs::rename(entry, outside.join("entry")).expect("moved");
            symlink(outside.join("entry"), entry).expect("linked");
        }),
        ("entry as file", |entry, _| {
            fs::remove_dir_all(entry).expect("removed");
            fs::write(entry, "").expect("written");
        }),
        ("file as directory", |entry, _| {
            fs::remove_file(entry.join("bin/run")).expect("removed");
            fs::create_dir_all(entry.join("bin/run/x")).expect("made");
        }),
        ("directory as file", |entry, _| {
            fs::remove_dir_all(entry.join("lib")).expect("removed");
            fs::write(entry.join("lib"), "").expect("written");
        }),
        ("modes", |entry, _| {
            for (path, mode) in [("", 0o777), ("bin", 0o500), ("bin/run", 0o600), ("lib/words.sh", 0o666)] {
                fs::set_permissions(entry.join(path), fs::Permissions::from_mode(mode)).expect("set");
            }
        }),
    ];
    for (case, tamper) in cases {
        let scratch = Scratch::new();
        let outside = scratch.path().join("outside");
        fs::create_dir(&outside).expect("made");
        fs::write(outside.join("untouched"), "x").expect("written");
        let cache = cache(&scratch);
        let entry = cache.unpack(&files()).expect("unpacked").path().to_path_buf();
        tamper(&entry, &outside);
        let unpacked = cache.unpack(&files()).unwrap_or_else(|error| panic!("{case}: {error}"));
        assert_eq!(unpacked.path(), entry, "{case}: {:?}", unpacked.why_temporary());
        assert_whole(&entry);
        assert_runs(&scratch, &unpacked);
        assert_eq!(fs::read(outside.join("untouched")).expect("there"), b"x", "{case}");
        for (moved, file) in [("lib", "words.sh"), ("entry", "bin/run")] {
            assert!(!outside.join(moved).exists() || outside.join(moved).join(file).exists(), "{case}");
        }
    }
}

// SPEC 7.4
#[test]
fn a_root_that_cannot_be_trusted_or_written_gives_a_temporary_directory() {
    let scratch = Scratch::new();
    let path = |name: &str| scratch.path().join(name);
    fs::create_dir_all(path("real")).expect("made");
    symlink(path("real"), path("link")).expect("linked");
    fs::create_dir_all(path("open")).expect("made");
    fs::set_permissions(path("open"), fs::Permissions::from_mode(0o777)).expect("set");
    fs::create_dir_all(path("shared/mine")).expect("made");
    fs::set_permissions(path("shared"), fs::Permissions::from_mode(0o777)).expect("set");
    fs::write(path("file"), "").expect("written");
    for (root, why) in [
        (Some(path("link")), "is a link"),
        (Some(path("open")), "can be written by others"),
        (Some(path("shared/mine")), "can be changed by others"),
        (Some(path("file/below")), "file/below: "),
        (Some("/proc/none".into()), "/proc/none: "),
        (None, "there is no cache directory"),
    ] {
        let unpacked = Cache::new(root, scratch.path().to_path_buf()).unpack(&files()).expect("unpacked");
        let reason = unpacked.why_temporary().expect("a temporary directory");
        assert!(reason.contains(why), "{reason}");
        assert_whole(unpacked.path());
        assert_runs(&scratch, &unpacked);
        let temporary = unpacked.path().to_path_buf();
        drop(unpacked);
        assert!(!temporary.exists(), "removed with its handle");
    }
    assert_eq!(fs::read_dir(path("real")).expect("there").count(), 0, "nothing was written through the link");
    let error = Cache::new(None, path("none")).unpack(&files()).expect_err("no place at all");
    assert!(error.to_string().starts_with("no place to unpack the skill: "), "{error}");
}

// SPEC 7.4
#[test]
fn the_cache_is_in_the_user_s_cache_directory() {
    let user = |xdg: Option<&str>, home: Option<&str>| {
        Cache::of_user(xdg.map(Into::into), home.map(Into::into), "/tmp".into())
    };
    let at = |root: Option<&str>| Cache::new(root.map(Into::into), "/tmp".into());
    assert_eq!(user(Some("/x"), Some("/h")), at(Some("/x/skills/exec")));
    let home =
        if cfg!(target_vendor = "apple") { "/h/Library/Caches/skills/exec" } else { "/h/.cache/skills/exec" };
    for ignored in [None, Some(""), Some("relative")] {
        assert_eq!(user(ignored, Some("/h")), at(Some(home)));
        assert_eq!(user(ignored, None), at(None));
    }
}

const ROLE: &str = "SKILLS_TEST_CACHE";

/// Runs as one of many processes: unpacks repeatedly into the directory that ROLE names, and checks the result.
#[test]
#[ignore = "another test runs it in a separate process"]
fn process() {
    let Some(root) = std::env::var_os(ROLE) else { return };
    let scratch = Scratch::new();
    let cache = Cache::new(Some(root.into()), scratch.path().to_path_buf());
    for _ in 0..20 {
        let unpacked = cache.unpack(&files()).expect("unpacked");
        assert_eq!(unpacked.why_temporary(), None);
        assert_whole(unpacked.path());
    }
    assert_runs(&scratch, &cache.unpack(&files()).expect("unpacked"));
}

fn start_process(root: &Path) -> Child {
    let mut command = Command::new(std::env::current_exe().expect("this binary"));
    command.args(["--exact", "cache::process", "--include-ignored"]).env(ROLE, root);
    // Files of killed processes are in the test's own directory.
    command.env("TMPDIR", root.parent().expect("a directory above"));
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().expect("the process starts")
}

// SPEC 7.4
#[test]
fn first_use_by_32_processes_is_safe() {
    for _ in 0..test_bed::rounds(1) {
        let scratch = Scratch::new();
        let root = scratch.path().join("cache");
        let processes: Vec<Child> = (0..32).map(|_| start_process(&root)).collect();
        for process in processes {
            let output = process.wait_with_output().expect("it ends");
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
        }
    }
}

// SPEC 7.4
#[test]
fn processes_killed_midway_leave_no_partial_files() {
    let scratch = Scratch::new();
    for round in 0..u64::try_from(test_bed::rounds(4)).expect("few") {
        let root = scratch.path().join(format!("cache-{round}"));
        let mut processes: Vec<Child> = (0..32).map(|_| start_process(&root)).collect();
        std::thread::sleep(Duration::from_millis(round * 7 % 25));
        for (at, process) in processes.iter_mut().enumerate() {
            if at % 4 != 3 {
                process.kill().expect("killed");
            }
        }
        for (at, process) in processes.into_iter().enumerate() {
            let output = process.wait_with_output().expect("it ends");
            assert!(at % 4 != 3 || output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
        }
        let unpacked =
            Cache::new(Some(root.clone()), std::env::temp_dir()).unpack(&files()).expect("unpacked");
        assert_eq!(unpacked.why_temporary(), None);
        assert_whole(unpacked.path());
        // The next build removes the files of killed processes.
        fs::remove_dir_all(unpacked.path()).expect("removed");
        Cache::new(Some(root.clone()), std::env::temp_dir()).unpack(&files()).expect("unpacked");
        assert_eq!(fs::read_dir(&root).expect("there").count(), 1, "one entry and no staging directory");
    }
}

const MOUNTED: &str = "SKILLS_TEST_MOUNT";

/// Works on the mount that MOUNTED names, if this program was started in a separate mount namespace.
#[test]
#[ignore = "another test runs it in a separate process"]
fn on_a_mount() {
    let Some(mount) = std::env::var_os(MOUNTED) else { return };
    // In the namespace of a user other than root, `/` has no known owner, so such a cache is not trusted.
    assert_eq!(fs::metadata("/").expect("a root").uid(), 0, "only root can run this test");
    let mount = PathBuf::from(mount);
    let scratch = Scratch::new();
    // Noexec: a script runs by its interpreter, a program cannot and says why.
    let noexec = Cache::new(Some(mount.join("noexec/cache")), scratch.path().to_path_buf());
    let unpacked = noexec.unpack(&files()).expect("unpacked");
    assert_eq!(unpacked.why_temporary(), None);
    assert_runs(&scratch, &unpacked);
    let program = fs::read("/bin/true").expect("a program");
    let file = File { path: "true", bytes: &program, executable: true, sha256: [9; 32] };
    let unpacked = noexec.unpack(&[file]).expect("unpacked");
    let outcome = run(&scratch.request(unpacked.path().join("true")));
    assert_eq!(outcome.exit_code, 126);
    assert!(outcome.error.contains("mounted noexec"), "{}", outcome.error);
    // Read-only: existing entries are used, and new ones go to a temporary directory.
    let readonly = Cache::new(Some(mount.join("readonly/cache")), scratch.path().to_path_buf());
    let unpacked = readonly.unpack(&files()).expect("unpacked");
    assert!(unpacked.why_temporary().is_some_and(|why| why.contains("Read-only")), "{unpacked:?}");
    assert_runs(&scratch, &unpacked);
    let filled = Cache::new(Some(mount.join("filled/cache")), scratch.path().to_path_buf());
    let unpacked = filled.unpack(&files()).expect("unpacked");
    assert_eq!(unpacked.why_temporary(), None);
    assert_runs(&scratch, &unpacked);
}

// SPEC 7.4
#[test]
#[ignore = "needs root, unshare and mount"]
fn a_read_only_home_and_a_noexec_directory_work_or_say_why() {
    test_bed::need("unshare");
    test_bed::need("mount");
    let scratch = Scratch::new();
    for name in ["noexec", "readonly", "filled"] {
        fs::create_dir(scratch.path().join(name)).expect("made");
    }
    Cache::new(Some(scratch.path().join("filled/cache")), std::env::temp_dir())
        .unpack(&files())
        .expect("unpacked");
    let script = "mount -t tmpfs -o noexec,mode=700 none noexec && mount -t tmpfs -o ro,mode=700 none readonly && \
                  mount --bind filled filled && mount -o remount,bind,ro filled && exec \"$0\" \"$@\"";
    let binary = std::env::current_exe().expect("this binary");
    let output = Command::new("unshare")
        .args(["--user", "--map-root-user", "--mount", "/bin/sh", "-c", script])
        .arg(binary)
        .args(["--exact", "cache::on_a_mount", "--nocapture", "--include-ignored"])
        .env(MOUNTED, scratch.path())
        .current_dir(scratch.path())
        .output()
        .expect("unshare starts");
    let text =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}");
    assert!(text.contains("1 passed"), "{text}");
}
