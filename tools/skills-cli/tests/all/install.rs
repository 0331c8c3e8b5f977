//! `skills install`, `status`, `uninstall` and `migrate`: the bundled skills go into a directory and out of it again.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test without its files must fail")]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use crate::command::{Place, Run};

const SKILLS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../skills");
const PDF: &str = "---\nname: pdf\ndescription: Reads PDF files.\n---\n# PDF\n";

/// Runs a command of the installer on the bundled skills and the target `agent`.
fn bundled(place: &Place, command: &str, rest: &[&str]) -> Run {
    let mut arguments = vec![command, "--dir", SKILLS, "--to", "agent"];
    arguments.extend(rest);
    place.run(&arguments)
}

/// Lists the files below a directory.
fn files(dir: &Path) -> Vec<String> {
    fn walk(dir: &Path, top: &Path, found: &mut Vec<String>) {
        for entry in fs::read_dir(dir).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                walk(&path, top, found);
            } else {
                found.push(path.strip_prefix(top).unwrap().to_str().unwrap().to_owned());
            }
        }
    }
    let mut found = Vec::new();
    walk(dir, dir, &mut found);
    found.sort();
    found
}

// SPEC 9.1: TARGET/skills/NAME, a dry run writes nothing, a second run has nothing to do; SPEC 9.2: exec bits
#[test]
fn the_files_of_the_directory_are_installed() {
    let place = Place::new(&[("agent/other.txt", "mine")]);
    let planned = bundled(&place, "install", &["--dry-run"]);
    let expected = format!("in {}/agent/skills:\n", place.top.display());
    assert_eq!((planned.code, planned.err.as_str()), (0, expected.as_str()));
    assert_eq!(files(&place.top), ["agent/other.txt"]);

    let done = bundled(&place, "install", &[]);
    assert_eq!((done.code, &done.out), (planned.code, &planned.out), "what was planned was done");
    let skills = place.top.join("agent/skills");
    for path in files(Path::new(SKILLS)) {
        // SPEC 9.7: a function with `_` in its name is installed with `-`, as the standard requires
        let (own, below) = path.split_once('/').unwrap();
        let standard = format!("{}/{below}", own.replace('_', "-"));
        let (from, to) = (Path::new(SKILLS).join(&path), skills.join(&standard));
        assert!(done.out.contains(&format!("create  {standard}\n")), "{path}: {}", done.out);
        if below == "SKILL.md" && own.contains('_') {
            let text = fs::read_to_string(&to).unwrap();
            let (name, function) = (own.replace('_', "-"), format!("metadata: {{\"function\": \"{own}\"}}"));
            assert!(text.contains(&format!("name: \"{name}\"\n")) && text.contains(&function), "{text}");
        } else {
            assert_eq!(fs::read(&from).unwrap(), fs::read(&to).unwrap(), "{path}");
        }
        let executable = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o100;
        assert_eq!(executable(&from), executable(&to), "{path}");
    }
    assert!(skills.join("summarize/SKILL.md").is_file(), "made of its skill.json");

    let again = bundled(&place, "install", &[]);
    assert_eq!(again, Run { code: 0, out: String::new(), err: "everything is up to date\n".to_owned() });
}

// SPEC 9.1: an edit is kept and reported, `--force` replaces it and leaves `.bak`
#[test]
fn an_edit_is_kept_until_it_is_forced() {
    let place = Place::new(&[]);
    bundled(&place, "install", &[]);
    let edited = place.top.join("agent/skills/web-browser/SKILL.md");
    let original = fs::read_to_string(&edited).unwrap();
    fs::write(&edited, "mine\n").unwrap();

    let status = bundled(&place, "status", &["web-browser"]);
    assert_eq!(status.code, 0);
    let lines: Vec<&str> = status.out.lines().collect();
    assert!(lines[0].starts_with("modified  web-browser  "), "{status:?}");
    assert_eq!(lines[1..], ["  modified  SKILL.md (edited here)"]);

    let kept = bundled(&place, "install", &[]);
    assert_eq!((kept.code, kept.out.as_str()), (0, "keep    web-browser/SKILL.md (edited here)\n"));
    assert_eq!(fs::read_to_string(&edited).unwrap(), "mine\n");

    let forced = bundled(&place, "install", &["--force"]);
    assert_eq!(forced.out, "replace web-browser/SKILL.md (edited here; kept as web-browser/SKILL.md.bak)\n");
    assert_eq!(fs::read_to_string(&edited).unwrap(), original);
    assert_eq!(fs::read_to_string(edited.with_extension("md.bak")).unwrap(), "mine\n");
}

// SPEC 9.1: a deleted skill stays deleted unless it is named or `--restore` is used
#[test]
fn a_deleted_skill_is_restored_on_request() {
    let place = Place::new(&[]);
    bundled(&place, "install", &[]);
    let skill = place.top.join("agent/skills/commit-message");
    for (ask, comes_back) in [(&[][..], false), (&["commit-message"], true), (&["--restore"], true)] {
        fs::remove_dir_all(&skill).unwrap();
        let status = bundled(&place, "status", &["commit-message"]);
        assert!(status.out.starts_with("missing   commit-message  "), "{status:?}");
        assert!(status.out.ends_with(" (deleted here)\n"), "{status:?}");
        assert_eq!(bundled(&place, "install", ask).code, 0);
        assert_eq!(skill.exists(), comes_back, "{ask:?}");
        fs::create_dir_all(&skill).unwrap();
    }
    let unknown = bundled(&place, "status", &["comit-message"]);
    assert_eq!(unknown.code, 1);
    assert!(unknown.err.ends_with("did you mean `commit-message`?\n"), "{}", unknown.err);
}

// SPEC 9.1: uninstalling removes only what was installed
#[test]
fn uninstalling_keeps_files_of_the_user() {
    let place = Place::new(&[("agent/skills/own/SKILL.md", PDF)]);
    bundled(&place, "install", &[]);
    fs::write(place.top.join("agent/skills/csv-profile/notes.md"), "mine").unwrap();

    let one = bundled(&place, "uninstall", &["web-browser"]);
    assert_eq!(one, Run { code: 0, out: "remove  web-browser/SKILL.md\n".to_owned(), err: String::new() });
    let planned = bundled(&place, "uninstall", &["--dry-run"]);
    assert!(place.top.join("agent/skills/csv-profile/SKILL.md").exists());
    assert_eq!(bundled(&place, "uninstall", &[]), planned);
    assert_eq!(files(&place.top), ["agent/skills/csv-profile/notes.md", "agent/skills/own/SKILL.md"]);

    let again = bundled(&place, "uninstall", &[]);
    assert_eq!((again.code, again.out.as_str()), (0, ""));
    assert!(again.err.contains("is installed here"), "{}", again.err);
    let unknown = bundled(&place, "uninstall", &["web-browser"]);
    assert_eq!(unknown.code, 1);
    assert_eq!(unknown.err, "error: skill `web-browser` is not installed here\n");
}

// SPEC 9.1: removals and changes of a new version arrive; two bundles with one name do not remove each other's skills
#[test]
fn bundles_are_distinguished_by_directory() {
    let place = Place::new(&[
        ("a/skills/pdf/SKILL.md", PDF),
        ("a/skills/old/SKILL.md", &PDF.replace("pdf", "old")),
        ("b/skills/word/SKILL.md", &PDF.replace("pdf", "word")),
    ]);
    let install = |dir: &str| place.run(&["install", "--dir", dir, "--to", "agent"]);
    assert_eq!(install("a/skills").out, "create  old/SKILL.md\ncreate  pdf/SKILL.md\n");
    assert_eq!(install("b/skills").out, "create  word/SKILL.md\n");
    fs::remove_dir_all(place.top.join("a/skills/old")).unwrap();
    place.write("a/skills/pdf/SKILL.md", &PDF.replace("Reads", "Writes"));
    assert_eq!(install("a/skills/").out, "remove  old/SKILL.md\nupdate  pdf/SKILL.md\n");
    assert!(place.top.join("agent/skills/word/SKILL.md").exists());

    let moved = place.run(&["uninstall", "--as", "b/skills", "--to", "agent"]);
    assert_eq!(moved.out, "remove  word/SKILL.md\n");
}

// SPEC 9.1, 9.10: a file without a lock entry is overwritten only on request, and nothing is lost
#[test]
fn a_foreign_skill_is_written_only_by_force() {
    let place = Place::new(&[("src/pdf/SKILL.md", PDF), ("agent/skills/pdf/SKILL.md", "theirs\n")]);
    let install = |more: &[&str]| place.run(&[&["install", "--dir", "src", "--to", "agent"], more].concat());
    assert_eq!(install(&[]).out, "keep    pdf (not installed by this program)\n");
    assert_eq!(fs::read_to_string(place.top.join("agent/skills/pdf/SKILL.md")).unwrap(), "theirs\n");
    assert_eq!(install(&["--force"]).code, 0);
    assert_eq!(fs::read_to_string(place.top.join("agent/skills/pdf/SKILL.md")).unwrap(), PDF);
    assert_eq!(fs::read_to_string(place.top.join("agent/skills/pdf/SKILL.md.bak")).unwrap(), "theirs\n");
}

// SPEC 9.4: the directories of agents, for a project and for a user
#[test]
fn agents_have_their_directories() {
    let place = Place::new(&[("src/pdf/SKILL.md", PDF)]);
    for (agent, scope, path) in [
        ("claude", "project", ".claude/skills/pdf/SKILL.md"),
        ("copilot", "project", ".github/skills/pdf/SKILL.md"),
        ("codex", "user", "home/.agents/skills/pdf/SKILL.md"),
        ("goose", "user", "home/.config/goose/skills/pdf/SKILL.md"),
    ] {
        let mut command = place.command(&["install", "--dir", "src", "--agent", agent, "--scope", scope]);
        let run = Run::of(command.env("HOME", place.path("home")));
        assert_eq!((run.code, run.err.as_str()), (0, ""), "{agent}");
        assert!(place.top.join(path).is_file(), "{path}");
    }
}

// SPEC 9.3
#[test]
fn flat_files_become_directories() {
    for dir in ["agent", "agent/skills"] {
        let place = Place::new(&[
            ("agent/skills/pdf.md", PDF),
            ("agent/skills/word.md", PDF),
            ("agent/skills/word/SKILL.md", PDF),
            ("agent/skills/notes.md", "# Notes\n"),
        ]);
        let run = place.run(&["migrate", "--flat", dir]);
        assert_eq!((run.code, run.err.as_str()), (0, ""));
        assert_eq!(
            run.out,
            "move    pdf.md to pdf/SKILL.md\n\
             keep    notes.md (it does not begin with the frontmatter of a skill)\n\
             keep    word.md (its directory exists)\n"
        );
        assert_eq!(fs::read_to_string(place.top.join("agent/skills/pdf/SKILL.md")).unwrap(), PDF);
        assert!(!place.top.join("agent/skills/pdf.md").exists());
    }
}

// SPEC 11.1: exit 1 for errors, 2 for wrong usage; SPEC 8.3: the existing names, and the nearest
#[test]
fn refusals() {
    let faulty = PDF.replace("Reads", "Use: it reads");
    let place =
        Place::new(&[("src/pdf/SKILL.md", PDF), ("bad/pdf/SKILL.md", &faulty), ("bad/word/SKILL.md", PDF)]);
    for (arguments, code, text) in [
        (
            &["--dir", "src", "--to", "agent", "pfd"][..],
            1,
            "error: skill not found: pfd\ndid you mean `pdf`?\n",
        ),
        (&["--dir", "bad", "--to", "agent"], 1, "error: bad/pdf/SKILL.md:3:"),
        (&["--dir", "missing", "--to", "agent"], 2, "error: there is no directory `missing`"),
        (&["--dir", "src", "--to", "bad/pdf/SKILL.md"], 1, "error: `bad/pdf/SKILL.md"),
        (&["--dir", "src"], 2, "--to"),
        (&["--to", "agent"], 2, "--dir"),
        (&["--dir", "src", "--dir", "bad", "--to", "agent"], 2, "--as"),
        (&["--dir", "src", "--agent", "emacs"], 2, "emacs"),
        (&["--dir", "src", "--agent", "claude", "--to", "agent"], 2, "cannot be used with"),
    ] {
        let mut all = vec!["install"];
        all.extend(arguments);
        let run = place.run(&all);
        assert_eq!((run.code, run.out.as_str()), (code, ""), "{arguments:?}: {}", run.err);
        assert!(run.err.contains(text), "{arguments:?}: {}", run.err);
    }
    assert!(!place.top.join("agent").exists(), "nothing was written");
}

// SPEC 9.9
#[test]
fn ci_fails_if_installed_files_differ() {
    let place = Place::new(&[("s/pdf/SKILL.md", PDF)]);
    let run =
        |command: &str, rest: &[&str]| place.run(&[&[command, "--dir", "s", "--to", "agent"], rest].concat());
    let frozen = run("install", &["--ci"]);
    assert!(frozen.code == 1 && frozen.out.contains("create  pdf/SKILL.md"), "{frozen:?}");
    assert!(!place.top.join("agent").exists(), "nothing is written");
    assert_eq!(run("status", &["--ci"]).code, 1);
    assert_eq!(run("install", &[]).code, 0);
    assert_eq!((run("install", &["--ci"]).code, run("status", &["--ci"]).code), (0, 0));
    place.write("agent/skills/pdf/SKILL.md", "mine\n");
    let edited = run("install", &["--ci"]);
    assert_eq!((edited.code, run("status", &["--ci"]).code), (1, 1), "an edit");
    let advice = |run: &Run, options: &str| {
        run.err.contains(&format!("run the command with {options} instead of `--ci`"))
    };
    assert!(advice(&edited, "`--force`"), "{edited:?}");
    assert_eq!(run("status", &[]).code, 0, "without `--check` it only tells");
    fs::remove_dir_all(place.top.join("agent/skills/pdf")).unwrap();
    let deleted = run("install", &["--ci"]);
    assert_eq!((deleted.code, run("status", &["--ci"]).code), (1, 1), "a deletion");
    assert!(advice(&deleted, "`--restore`"), "{deleted:?}");
    assert_eq!(run("install", &["--restore"]).code, 0);
    place.write("s/pdf/SKILL.md", &PDF.replace("# PDF", "# New"));
    assert_eq!((run("install", &["--ci"]).code, run("status", &["--ci"]).code), (1, 1), "a newer one");
    let newer = run("install", &["--ci"]);
    assert!(newer.err.contains("run the command without `--ci`"), "{newer:?}");
    assert!(frozen.err.contains("run the command without `--ci`"), "{frozen:?}");
    // An edited skill of which there is a newer version.
    place.write("agent/skills/pdf/SKILL.md", "mine\n");
    let status = run("status", &[]);
    assert!(
        status.out.contains("0.1.0, installed by ") && status.out.contains("; the skill has changed since"),
        "{status:?}"
    );
    let removed = run("uninstall", &[]);
    assert!(removed.out.contains("keep    pdf/SKILL.md (edited here)\n"), "{removed:?}");
}

// SPEC 9.8
#[test]
fn every_client_is_known_and_all_means_the_present_ones() {
    let place = Place::new(&[
        ("s/pdf/SKILL.md", PDF),
        ("home/.qwen/x", ""),
        ("home/.claude/x", ""),
        ("work/.continue/x", ""),
    ]);
    let run = |rest: &[&str]| {
        let mut command = place.command(&[&["install", "--dir", "../s"], rest].concat());
        Run::of(command.current_dir(place.top.join("work")).env("HOME", place.top.join("home")))
    };
    assert_eq!(run(&["--agent", "windsurf"]).code, 0);
    assert!(place.top.join("work/.windsurf/skills/pdf/SKILL.md").is_file());
    assert_eq!(run(&["--agent", "openclaw", "--scope", "user"]).code, 0);
    assert!(place.top.join("home/.openclaw/skills/pdf/SKILL.md").is_file());
    assert_eq!(run(&["--agent", "gemini-cli"]).code, 0);
    assert!(place.top.join("work/.gemini/skills/pdf/SKILL.md").is_file());
    fs::remove_dir_all(place.top.join("work/.gemini")).unwrap();
    fs::remove_dir_all(place.top.join("work/.windsurf")).unwrap();
    fs::remove_dir_all(place.top.join("home/.openclaw")).unwrap();
    let all = run(&["--agent", "all"]);
    assert_eq!(all.code, 0, "{all:?}");
    let mut made: Vec<_> =
        fs::read_dir(place.top.join("work")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    made.sort();
    assert_eq!(made, [".claude", ".continue", ".qwen"]);
    let two = run(&["--agent", "cursor", "--agent", "goose"]);
    assert!(two.code == 0 && place.top.join("work/.cursor/skills/pdf/SKILL.md").is_file(), "{two:?}");
    assert!(place.top.join("work/.goose/skills/pdf/SKILL.md").is_file(), "{two:?}");
    let listed = run(&["--agent", "list"]);
    assert!(
        listed.code == 0 && listed.out.lines().is_sorted() && listed.out.contains("\ncursor\n"),
        "{listed:?}"
    );
    let unknown = run(&["--agent", "windsruf"]);
    assert!(unknown.code == 2 && unknown.err.contains("`windsurf`"), "{unknown:?}");
}

// SPEC 11.10: `--skip-broken` installs the others; the place is printed before the problem
#[test]
fn broken_skills_can_be_skipped() {
    let good = "---\nname: pdf\ndescription: Reads PDF files.\n---\n# PDF\n";
    let place = Place::new(&[("s/pdf/SKILL.md", good), ("s/bad/SKILL.md", "---\nname: bad\n---\n")]);
    let run = place.run(&["install", "--dir", "s", "--to", "t"]);
    assert_eq!(run.code, 1);
    let first = "error: 1 of 2 skills of s cannot be used; `--skip-broken` uses the other 1\n";
    assert!(run.err.starts_with(first), "{}", run.err);
    let run = place.run(&["install", "--dir", "s", "--to", "t", "--skip-broken", "--dry-run"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(
        run.err.starts_with("note: 1 of 2 skills of s left out because of these errors:\n"),
        "{}",
        run.err
    );
    assert!(run.err.contains(&format!("in {}/t/skills:\n", place.top.display())), "{}", run.err);
    assert!(!place.top.join("t").exists());
    assert_eq!(place.run(&["install", "--dir", "s", "--to", "t", "--skip-broken"]).code, 0);
    assert!(place.top.join("t/skills/pdf/SKILL.md").exists() && !place.top.join("t/skills/bad").exists());
}

// SPEC 11.10
#[test]
fn an_empty_list_says_so() {
    let place = Place::new(&[("s/x.txt", "x")]);
    let run = place.run(&["list", "s"]);
    assert_eq!((run.code, run.err.as_str()), (0, "No skills found in s\n"));
}

// SPEC 9.6: nothing is installed into the source of the skills
#[test]
fn skills_are_not_installed_over_themselves() {
    let place = Place::new(&[("t/skills/pdf/SKILL.md", PDF)]);
    let run = place.run(&["install", "--dir", "t/skills", "--to", "t"]);
    assert_eq!((run.code, run.out.as_str()), (1, ""), "{run:?}");
    assert!(
        !place.top.join("t/.skills-lock.json").exists()
            && !place.top.join("t/skills/.skills-lock.json").exists()
    );
    assert_eq!(fs::read_to_string(place.top.join("t/skills/pdf/SKILL.md")).unwrap(), PDF);
}

// SPEC 9.4: a repository does not choose a place outside it; the user's own links are followed
#[test]
fn a_link_that_leads_out_of_the_repository_is_refused() {
    use std::os::unix::fs::symlink;

    let place =
        Place::new(&[("repo/.git/HEAD", ""), ("repo/s/pdf/SKILL.md", PDF), ("repo/tools/README", "")]);
    let [repo, dotfiles, home] = ["repo", "dotfiles", "home"].map(|name| place.top.join(name));
    fs::create_dir_all(&dotfiles).unwrap();
    fs::create_dir_all(&home).unwrap();
    symlink(&dotfiles, repo.join(".claude")).unwrap();
    let run = |arguments: &[&str]| Run::of(place.command(arguments).current_dir(&repo).env("HOME", &home));
    let agent = ["--dir", "s", "--agent", "claude"];
    for command in ["install", "status", "uninstall"] {
        let refused = run(&[&[command], &agent[..]].concat());
        let reason = format!("a link leads `.claude` out of `{}`", repo.display());
        assert!(refused.code == 1 && refused.err.contains(&reason), "{command}: {refused:?}");
    }
    assert_eq!(fs::read_dir(&dotfiles).unwrap().count(), 0);
    // If the user names it, the link is followed.
    assert_eq!(run(&["install", "--dir", "s", "--to", ".claude"]).code, 0);
    assert!(dotfiles.join("skills/pdf/SKILL.md").exists());
    // A link of the repository that stays in it is followed.
    fs::remove_file(repo.join(".claude")).unwrap();
    symlink("tools", repo.join(".claude")).unwrap();
    assert_eq!(run(&[&["install"], &agent[..]].concat()).code, 0);
    assert!(repo.join("tools/skills/pdf/SKILL.md").exists());
    // The home directory is the user's own.
    fs::remove_dir_all(&dotfiles).unwrap();
    fs::create_dir(&dotfiles).unwrap();
    symlink(&dotfiles, home.join(".claude")).unwrap();
    assert_eq!(run(&[&["install", "--scope", "user"], &agent[..]].concat()).code, 0);
    assert!(dotfiles.join("skills/pdf/SKILL.md").exists());
}

// SPEC 11.25: without a target, the error explains targets, and lists the agents that are present
#[test]
fn a_missing_target_is_explained() {
    let place = Place::new(&[(
        "s/pdf/SKILL.md",
        "---\nname: pdf\ndescription: Reads PDF files. Use for PDF files.\n---\n",
    )]);
    let run = |home: &str| {
        let mut command = place.command(&["install", "--dir", "s"]);
        Run::of(command.env("HOME", place.path(home)))
    };
    let none = run("nowhere");
    assert_eq!((none.code, none.out.as_str()), (2, ""));
    assert!(none.err.starts_with("error: there is no target: name an agent with `--agent`"), "{}", none.err);
    assert!(none.err.ends_with("note: no agent was found on this machine\n"), "{}", none.err);
    place.write("home/.claude/x", "");
    let found = run("home");
    assert!(found.err.ends_with("note: agents found on this machine: claude\n"), "{}", found.err);
}

// SPEC 9.1: skills that are left out of an installation are not gone
#[test]
fn skills_that_are_left_out_stay_installed() {
    let other = PDF.replace("pdf", "csv");
    let place =
        Place::new(&[("skills/pdf/SKILL.md", PDF), ("skills/csv/SKILL.md", &other), (".claude/x", "")]);
    let run = |arguments: &[&str]| place.run(&[arguments, &["--agent", "claude"]].concat());
    assert_eq!(place.run(&["trust", "skills"]).code, 0);
    assert_eq!(run(&["install"]).code, 0);
    place.write("skills/pdf/SKILL.md", &format!("{PDF}More.\n"));
    assert_eq!(place.run(&["trust", "skills/csv"]).code, 0);
    let again = run(&["install"]);
    assert!(again.err.contains("`pdf` of skills is not trusted, and left out"), "{again:?}");
    assert_eq!((again.code, again.out.as_str()), (0, "keep    pdf (left out of the bundle this time)\n"));
    assert!(place.top.join(".claude/skills/pdf/SKILL.md").is_file());
    let status = run(&["status"]).out;
    assert!(status.contains("left-out  pdf") && status.contains("current   csv"), "{status}");
    // The same for skills with errors.
    assert_eq!(place.run(&["trust", "skills"]).code, 0);
    place.write("skills/pdf/SKILL.md", "---\nname: [\n---\n");
    let broken = run(&["install", "--skip-broken"]);
    assert!(broken.out.contains("keep    pdf") && !broken.out.contains("remove"), "{broken:?}");
    // A skill that was deleted is gone, if nothing was left out.
    fs::remove_dir_all(place.top.join("skills/pdf")).unwrap();
    assert_eq!(place.run(&["trust", "skills"]).code, 0);
    assert_eq!(run(&["install"]).out, "remove  pdf/SKILL.md\n");
}

// SPEC 11.25: without `--dir`, the skills are those that `new` writes; they belong to a workspace, so they need trust
#[test]
fn the_skills_of_the_project_are_installed_without_naming_them() {
    let place = Place::new(&[("skills/pdf/SKILL.md", PDF), (".claude/x", "")]);
    let run = |arguments: &[&str]| place.run(&[arguments, &["--agent", "claude"]].concat());
    let untrusted = run(&["install"]);
    assert!(untrusted.err.contains("`pdf` of skills is not trusted, and left out"), "{untrusted:?}");
    assert_eq!(place.run(&["trust", "skills"]).code, 0);
    assert_eq!(run(&["install"]).out, "create  pdf/SKILL.md\n");
    assert!(run(&["status"]).out.starts_with("current   pdf  "));
    assert_eq!(run(&["status", "--dir", "skills"]).out, run(&["status"]).out, "the bundle has the same name");
    assert_eq!(run(&["uninstall"]).out, "remove  pdf/SKILL.md\n");
    fs::remove_dir_all(place.top.join("skills")).unwrap();
    let none = run(&["install"]);
    let expected = "error: there is no directory `skills`: pass the directory of the skills with `--dir`\n";
    assert_eq!((none.code, none.err.as_str()), (2, expected));
    let several = run(&["install", "--dir", "a", "--dir", "b"]);
    assert!(several.code == 2 && several.err.contains("pass one with `--as`"), "{several:?}");
}

// SPEC 9.1: a lock file beside the skills is part of the project, whose directory may have another name elsewhere
#[test]
fn a_project_may_be_renamed_after_an_installation() {
    let place = Place::new(&[("one/skills/pdf/SKILL.md", PDF)]);
    let in_project = |project: &str, arguments: &[&str]| {
        let output = place.command(arguments).current_dir(place.top.join(project)).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    in_project("one", &["trust", "skills"]);
    in_project("one", &["install", "--agent", "claude"]);
    fs::rename(place.top.join("one"), place.top.join("two")).unwrap();
    in_project("two", &["trust", "skills"]);
    let printed = in_project("two", &["status", "--agent", "claude"]);
    assert!(printed.starts_with("current") && printed.ends_with("installed by ./skills\n"), "{printed}");
    assert_eq!(in_project("two", &["uninstall", "--agent", "claude"]), "remove  pdf/SKILL.md\n");
}
