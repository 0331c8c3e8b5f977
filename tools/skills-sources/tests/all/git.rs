//! Skills are fetched from bare repositories of this machine.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use skills_core::options::Options;
use skills_sources::{Change, SourceError, apply, check, current, fetch, restore, update, warnings};

use crate::place::{Place, skill, write};

/// Runs git in a directory, and returns what it prints.
pub(crate) fn git(directory: &Path, arguments: &[&str], input: &[u8]) -> String {
    let mut command = Command::new("git");
    let settings = [
        "-c",
        "user.name=a",
        "-c",
        "user.email=a@b",
        "-c",
        "init.defaultBranch=main",
        "-c",
        "core.safecrlf=false",
    ];
    command.args(settings).args(["-c", "protocol.file.allow=always"]).args(arguments).current_dir(directory);
    command.env("GIT_CONFIG_NOSYSTEM", "1").env("GIT_CONFIG_GLOBAL", "/dev/null");
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{arguments:?}");
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

/// Commits what is in `work`, and pushes it to `source.git`.
pub(crate) fn push(place: &Place, references: &[&str]) -> String {
    let work = place.path("work");
    git(&work, &["add", "--all"], b"");
    git(&work, &["commit", "--quiet", "--allow-empty", "-m", "change"], b"");
    let mut arguments = vec!["push", "--quiet", "--force", "../source.git"];
    arguments.extend(references);
    git(&work, &arguments, b"");
    git(&work, &["rev-parse", "HEAD"], b"")
}

/// Returns a place with the bare repository `source.git` and its work tree `work`.
pub(crate) fn repository() -> Place {
    let place = Place::new(&[]);
    for path in ["source.git", "work"] {
        fs::create_dir(place.path(path)).unwrap();
    }
    git(&place.path("source.git"), &["init", "--quiet", "--bare"], b"");
    git(&place.path("work"), &["init", "--quiet"], b"");
    place
}

fn plan(place: &Place) -> Result<Change, SourceError> {
    let state = place.project().state(None)?;
    let locked = state.lock.get("pdf").unwrap();
    let fetched = fetch(&locked.source, &place.project(), locked.revision.as_deref())?;
    Ok(Change {
        steps: vec![restore(locked, &check(&fetched, &Options::default())?, &state)?],
        ..Change::default()
    })
}

// SPEC 21.1, 21.7: a commit is locked, and the source is not needed afterwards
#[test]
#[ignore = "needs git"]
fn a_commit_is_locked_and_verified_without_its_repository() {
    let place = repository();
    place.write("work/skills/pdf/SKILL.md", &skill("pdf", "One."));
    place.write("work/skills/pdf/run.sh", "#!/bin/sh\necho one\n");
    // A checkout would run this filter, and change line ends.
    place.write("work/.gitattributes", "* text eol=crlf filter=evil\n");
    place.write("work/tests/other/SKILL.md", &skill("other", ""));
    let first = push(&place, &["HEAD:main"]);
    place.add("../source.git", &[]).unwrap();
    let lock = place.project().lock().unwrap();
    assert_eq!(lock.skills().map(|locked| locked.name.as_str()).collect::<Vec<_>>(), ["pdf"]);
    let locked = lock.get("pdf").unwrap();
    assert_eq!((locked.revision.as_deref(), locked.path.as_str()), (Some(first.as_str()), "skills/pdf"));
    assert_eq!(place.files()["skills/pdf/run.sh"], "#!/bin/sh\necho one\n");
    fs::rename(place.path("source.git"), place.path("gone.git")).unwrap();
    assert_eq!(place.verify(), Vec::<String>::new());
    fs::rename(place.path("gone.git"), place.path("source.git")).unwrap();
    // A newer commit of the branch changes nothing until the update.
    place.write("work/skills/pdf/SKILL.md", &skill("pdf", "Two."));
    let second = push(&place, &["HEAD:main"]);
    assert_eq!(current(&locked.source, &place.project()).unwrap(), Some(second));
    let before = place.files();
    fs::remove_dir_all(place.path("project/skills")).unwrap();
    apply(&plan(&place).unwrap(), &place.project()).unwrap();
    assert_eq!(place.files(), before);
}

// SPEC 21.1: a branch, a tag, a commit and a directory
#[test]
#[ignore = "needs git"]
fn revisions_and_directories_are_chosen() {
    let place = repository();
    place.write("work/agent/pdf/SKILL.md", &skill("pdf", "One."));
    let first = push(&place, &["HEAD:main", "HEAD:refs/heads/feature/x"]);
    git(&place.path("work"), &["tag", "-a", "v1", "-m", "one"], b"");
    place.write("work/agent/pdf/SKILL.md", &skill("pdf", "Two."));
    let second = push(&place, &["HEAD:main", "v1"]);
    for (source, commit) in [
        ("../source.git#v1:agent".to_owned(), &first),
        ("../source.git#feature/x".to_owned(), &first),
        (format!("../source.git#{first}:agent/pdf"), &first),
        (format!("file://{}#main:agent", place.path("source.git").display()), &second),
    ] {
        let offer = place.offer(&source).unwrap();
        assert_eq!(offer.revision.as_ref(), Some(commit), "{source}");
        let skill = &offer.skills[0];
        assert_eq!((skill.name.as_str(), skill.path.as_str(), skill.is_valid()), ("pdf", "agent/pdf", true));
    }
    for source in ["../source.git#v2", "../source.git#v1:none", "../none.git"] {
        assert!(place.offer(source).is_err(), "{source}");
    }
}

// SPEC 21.5, 21.7: a tag that names another commit now is reported, and the locked commit is restored
#[test]
#[ignore = "needs git"]
fn a_revision_that_moves_is_reported() {
    let place = repository();
    place.write("work/pdf/SKILL.md", &skill("pdf", "One."));
    let first = push(&place, &["HEAD:main", "HEAD:refs/tags/v1"]);
    place.add("../source.git#v1", &[]).unwrap();
    place.write("work/pdf/SKILL.md", &skill("pdf", "Two."));
    git(&place.path("work"), &["commit", "--quiet", "--all", "--amend", "-m", "other"], b"");
    let second = push(&place, &["HEAD:main", "HEAD:refs/tags/v1"]);
    let state = place.project().state(None).unwrap();
    let locked = state.lock.get("pdf").unwrap();
    let step = update(locked, &place.offer("../source.git#v1").unwrap(), &state).unwrap().unwrap();
    assert_eq!(
        warnings(&step),
        [format!("`v1` of ../source.git#v1 was {first} before, and is {second} now")]
    );
    // The repository drops the old commit.
    let bare = place.path("source.git");
    git(&bare, &["reflog", "expire", "--expire=now", "--all"], b"");
    git(&bare, &["gc", "--quiet", "--prune=now"], b"");
    fs::remove_dir_all(place.path("project/skills")).unwrap();
    let refused = plan(&place).unwrap_err().to_string();
    assert!(refused.contains(&format!("`v1` is {second} now")), "{refused}");
}

// SPEC 21.4: a submodule is not fetched, a link is not followed, and both refuse the skill that has them
#[test]
#[ignore = "needs git"]
fn submodules_and_links_are_refused() {
    let place = repository();
    let secret: PathBuf = place.path("secret");
    git(&place.path("."), &["init", "--quiet", "secret"], b"");
    write(&secret.join("key"), "secret\n");
    git(&secret, &["add", "--all"], b"");
    git(&secret, &["commit", "--quiet", "-m", "secret"], b"");
    for name in ["module", "link", "good"] {
        place.write(&format!("work/skills/{name}/SKILL.md"), &skill(name, ""));
    }
    let url = format!("file://{}", secret.display());
    git(&place.path("work"), &["submodule", "--quiet", "add", &url, "skills/module/sub"], b"");
    std::os::unix::fs::symlink(secret.join("key"), place.path("work/skills/link/key.md")).unwrap();
    push(&place, &["HEAD:main"]);
    let offer = place.offer("../source.git").unwrap();
    let errors: Vec<(&str, bool)> =
        offer.skills.iter().map(|skill| (skill.name.as_str(), skill.is_valid())).collect();
    assert_eq!(errors, [("good", true), ("link", false), ("module", false)]);
    let refused = |name: &str| place.add("../source.git", &[name]).unwrap_err().to_string();
    assert!(refused("link").contains("`skills/link/key.md` is a symbolic link"), "{}", refused("link"));
    assert!(refused("module").contains("`skills/module/sub` is a submodule"), "{}", refused("module"));
    assert!(place.files().is_empty());
    place.add("../source.git", &[]).unwrap();
    let files = format!("{:?}", place.files());
    assert!(files.contains("good") && !files.contains("module") && !files.contains("link"), "{files}");
}

/// Writes a commit with these entries, each as mode, path and text, as no work tree could hold it.
fn forge(place: &Place, entries: &[(&str, &[u8])]) -> String {
    let bare = place.path("source.git");
    let mut tree = Vec::new();
    for (name, content) in entries {
        let object = match name.strip_suffix('/') {
            Some(_) => String::from_utf8(content.to_vec()).unwrap(),
            None => git(&bare, &["hash-object", "-w", "--stdin"], content),
        };
        let (mode, name) = name.strip_suffix('/').map_or(("100644", *name), |name| ("40000", name));
        tree.extend_from_slice(format!("{mode} {name}\0").as_bytes());
        let digits: Vec<char> = object.chars().collect();
        let bytes = digits.chunks(2).map(|pair| pair.iter().collect::<String>());
        tree.extend(bytes.map(|pair| u8::from_str_radix(&pair, 16).unwrap()));
    }
    git(&bare, &["hash-object", "-t", "tree", "-w", "--literally", "--stdin"], &tree)
}

// SPEC 21.4: names that lead elsewhere are refused, and nothing outside is written
#[test]
#[ignore = "needs git"]
fn names_that_lead_elsewhere_are_refused() {
    let place = repository();
    let text = skill("pdf", "");
    let upper = forge(&place, &[("evil.md", b"evil")]);
    let inner =
        forge(&place, &[("..", b"up"), (".git", b"git"), ("SKILL.md", text.as_bytes()), ("a\\b", b"back")]);
    let clash = forge(&place, &[("A.md", b"A"), ("SKILL.md", skill("csv", "").as_bytes()), ("a.md", b"a")]);
    let top =
        forge(&place, &[("../", upper.as_bytes()), ("csv/", clash.as_bytes()), ("pdf/", inner.as_bytes())]);
    let bare = place.path("source.git");
    let commit = git(&bare, &["commit-tree", "-m", "evil", &top], b"");
    git(&bare, &["update-ref", "refs/heads/main", &commit], b"");
    let refused = place.add("../source.git", &["pdf"]).unwrap_err().to_string();
    for name in ["`pdf/..`", "`pdf/.git`", "`pdf/a\\b`"] {
        assert!(refused.contains(&format!("{name} has a name that leads elsewhere")), "{name}: {refused}");
    }
    let refused = place.add("../source.git", &["csv"]).unwrap_err().to_string();
    assert!(refused.contains("two paths differ only in letter case"), "{refused}");
    assert!(place.files().is_empty() && !place.path("evil.md").exists());
}

// SPEC 21.4: a small pack with objects that are large once they are unpacked is refused
#[test]
#[ignore = "needs git"]
fn a_pack_that_unpacks_to_much_more_is_refused() {
    let place = repository();
    place.write("work/skills/pdf/SKILL.md", &skill("pdf", ""));
    let mut large = vec![0; 80 << 20];
    for name in ["a", "b"] {
        large.extend_from_slice(name.as_bytes());
        fs::write(place.path(&format!("work/skills/pdf/{name}.bin")), &large).unwrap();
    }
    push(&place, &["HEAD:main"]);
    let bare = place.path("source.git");
    git(&bare, &["repack", "-a", "-d", "-f", "--quiet"], b"");
    let packs = fs::read_dir(bare.join("objects/pack")).unwrap().flatten();
    let size: u64 = packs.map(|pack| pack.metadata().unwrap().len()).sum();
    assert!(size < 200_000, "the second file is stored as a difference from the first: {size} bytes");
    let refused = place.offer("../source.git").unwrap_err().to_string();
    assert!(refused.contains("over limit"), "{refused}");
}

// SPEC 21.4: a repository with too many files is refused, unless the source names a directory
#[test]
#[ignore = "needs git"]
fn a_huge_repository_is_refused() {
    let place = repository();
    let bare = place.path("source.git");
    let object = git(&bare, &["hash-object", "-w", "--stdin"], skill("pdf", "").as_bytes());
    let mut index = format!("100644 {object}\tskills/pdf/SKILL.md\n");
    for number in 0..100_000 {
        index.push_str(&format!("100644 {object}\tmany/{}/{number}.md\n", number % 100));
    }
    git(&bare, &["update-index", "--index-info"], index.as_bytes());
    let tree = git(&bare, &["write-tree"], b"");
    let commit = git(&bare, &["commit-tree", "-m", "many", &tree], b"");
    git(&bare, &["update-ref", "refs/heads/main", &commit], b"");
    let refused = place.offer("../source.git").unwrap_err();
    assert!(matches!(&refused, SourceError::Refused(text) if text.contains("has 100001 files")), "{refused}");
    assert!(place.offer("../source.git#:skills").unwrap().skills[0].is_valid());
}
