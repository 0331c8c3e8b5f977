//! Creates two trials for each rule of the table. Used by `main`.

#[path = "../disk/mod.rs"]
mod disk;
#[path = "../golden/mod.rs"]
mod golden;

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{FileTypeExt, PermissionsExt};
use std::path::{Path, PathBuf};

use disk::Disk;
use golden::Goldens;
use libtest_mimic::Trial;
use skills_core::config;
use skills_core::edit::Applicability;
use skills_core::level::Level;
use skills_core::levels::Profile;
use skills_core::options::{Options, TextChecks};
use skills_core::package::{Bundled, Package, vendored};
use skills_core::print::text;
use skills_core::projects;
use skills_core::read::Overlay;
use skills_core::report::Report;
use skills_core::rule::{self, Example, Rule};
use skills_report::evals;
use skills_report::fix::{self, Checked};
use skills_report::plugin;
use skills_usage::CommandSet;

/// Further requirements of a bad example.
struct Setting {
    code: &'static str,
    /// The changes of the options.
    change: fn(&mut Options),
}

const SETTINGS: &[Setting] = &[
    Setting { code: "catalog-budget", change: |options| options.catalog_budget = Some(1) },
    Setting { code: "eval-foreign", change: |options| options.read.evals = Some(evals::CHECK) },
    Setting { code: "doctest-unmarked", change: |options| options.doctest = true },
    Setting { code: "eval-invalid", change: |options| options.read.evals = Some(evals::CHECK) },
    Setting { code: "eval-key-unknown", change: |options| options.read.evals = Some(evals::CHECK) },
    Setting { code: "eval-skill-name", change: |options| options.read.evals = Some(evals::CHECK) },
];

/// Returns the options for both examples of a rule.
fn options(rule: &Rule) -> Options {
    let mut options = Options { profile: profile(rule), ..Options::default() };
    if rule.code.starts_with("command-") {
        let programs = skills_usage::parse(rule::EXAMPLE_COMMANDS).expect("the file has the documented form");
        options.texts = TextChecks::new(CommandSet(programs));
    }
    if level(rule, options.profile) == Level::Allow {
        options.levels.set(rule.code, Level::Warning).expect("a rule that is off everywhere is a lint");
    }
    options
}

/// Chooses the first profile that reports the rule.
fn profile(rule: &Rule) -> Profile {
    let profiles = [Profile::Bundle, Profile::Disk, Profile::Standard];
    profiles.into_iter().find(|profile| level(rule, *profile) > Level::Allow).unwrap_or_default()
}

fn level(rule: &Rule, profile: Profile) -> Level {
    match profile {
        Profile::Bundle => rule.bundle,
        Profile::Disk => rule.disk,
        Profile::Standard => rule.standard,
    }
}

/// Checks an example as the kind of directory that its rule is about, skills, projects or a plugin, and
/// prints the report.
fn check(rule: &Rule, disk: &Disk, options: &Options) -> (Report, String) {
    if rule.code.starts_with("project-") {
        let loaded = projects::load(&disk.root(), "projects", options, Some(&["csv", "pdf"]));
        let printed = text::print(&loaded.report, &loaded.sources);
        return (loaded.report, printed);
    }
    if rule.code.starts_with("config-") {
        let config = config::find(&disk.root(), Some("skills.toml"));
        let printed = text::print(&config.report, &config.sources);
        return (config.report, printed);
    }
    if rule.code.starts_with("plugin-") {
        let plugin = plugin::load(&disk.root(), "plugin", plugin::Format::AgentPlugins);
        let printed = text::print(&plugin.report, plugin.catalog.sources());
        return (plugin.report, printed);
    }
    if PACKAGES.contains(&rule.code) {
        return check_package(disk, options);
    }
    let mut options = options.clone();
    config::find(&disk.root(), Some("skills.toml")).apply(&mut options);
    let loaded = skills_core::load_over(&disk.root(), "skills", &options, &Overlay::default());
    let printed = text::print(&loaded.report, loaded.catalog.sources());
    (loaded.report, printed)
}

/// The rules about the package of a crate.
const PACKAGES: [&str; 4] =
    ["bundle-copy-stale", "bundle-outside-package", "bundle-not-packaged", "package-without-skills"];

/// Checks the package of an example, which is the directory `agent` or else the root, and bundles `skills`.
fn check_package(disk: &Disk, options: &Options) -> (Report, String) {
    let root = disk.root().join("skills");
    let is_inner = disk.root().join("agent").is_dir();
    let (dir, label) = if is_inner { ("../skills", "skills") } else { ("skills", "skills") };
    let at = if is_inner { disk.root().join("agent") } else { disk.root() };
    let package = Package::read(&at, if is_inner { "agent/Cargo.toml" } else { "Cargo.toml" });
    let bundled = Bundled { dir, label, root: &root };
    let found = package
        .published_without_skills(bundled)
        .unwrap_or_else(|| package.check(bundled, &["skills/pdf/SKILL.md".to_owned()], &options.levels));
    let copy = skills_core::load(&root, label, options);
    let found = found.and(vendored::check(bundled, &copy.catalog, options));
    let printed = text::print(&found.report, &found.sources);
    (found.report, printed)
}

/// Creates two trials for each rule, and the trials of the table and of the notation.
pub(crate) fn all() -> Vec<Trial> {
    let trial = |kind: &str, rule: &'static Rule, run: fn(&'static Rule)| {
        Trial::test(format!("{kind}::{}", rule.code), move || {
            run(rule);
            Ok(())
        })
    };
    let alone = |name: &str, run: fn()| {
        Trial::test(name, move || {
            run();
            Ok(())
        })
    };
    let examples = rule::all().into_iter();
    examples
        .flat_map(|rule| [trial("bad", rule, is_reported_with_help), trial("good", rule, is_not_reported)])
        .chain([
            alone("every_golden_belongs_to_a_rule", every_golden_belongs_to_a_rule),
            alone("fixes_mend_the_bad_examples", fixes_correct_the_bad_examples),
            alone("every_setting_belongs_to_a_rule", every_setting_belongs_to_a_rule),
            alone("every_notation_becomes_what_it_says", every_notation_becomes_what_it_says),
        ])
        .collect()
}

/// Creates the root of an example. If it has an unreadable file, root loses the right to read it in this thread.
fn disk_of(example: Example) -> Disk {
    let disk = Disk::new(example);
    for (notation, _) in example {
        let Some(path) = notation.strip_suffix(" (unreadable)") else { continue };
        let can_open = || fs::File::open(disk.root().join(path)).is_ok();
        if can_open() {
            drop_override();
        }
        assert!(!can_open(), "`{notation}` can be read");
    }
    disk
}

/// Takes the right to ignore the modes of files from this thread.
fn drop_override() {
    #[cfg(target_os = "linux")]
    {
        use rustix::thread::{CapabilitySet, capabilities, set_capabilities};
        let mut sets = capabilities(None).expect("they can be read");
        sets.effective -= CapabilitySet::DAC_OVERRIDE | CapabilitySet::DAC_READ_SEARCH;
        set_capabilities(None, sets).expect("fewer are allowed");
    }
}

fn is_reported_with_help(rule: &'static Rule) {
    let mut goldens = Goldens::default();
    let disk = disk_of(rule::text(rule).bad);
    let mut options = options(rule);
    if let Some(setting) = SETTINGS.iter().find(|setting| setting.code == rule.code) {
        (setting.change)(&mut options);
    }
    let (report, printed) = check(rule, &disk, &options);
    if !report.diagnostics.iter().any(|found| found.rule.code == rule.code) {
        goldens.failures.push(format!("the bad example of `{}` does not break it:\n{printed}", rule.code));
    }
    for found in report.diagnostics.iter().filter(|found| found.help.trim().is_empty()) {
        goldens.failures.push(format!("a report of `{}` has no help: {}", found.rule.code, found.title));
    }
    goldens.compare(&directory().join(format!("{}.txt", rule.code)), &printed);
    goldens.finish();
}

fn is_not_reported(rule: &'static Rule) {
    let disk = disk_of(rule::text(rule).good);
    let (report, printed) = check(rule, &disk, &options(rule));
    assert!(report.diagnostics.is_empty(), "the good example of `{}` is reported:\n{printed}", rule.code);
}

// SPEC 17.1, 17.2: if a bad example has an edit, the edit removes the problem and causes no new one
fn fixes_correct_the_bad_examples() {
    let mut fixed_rules: Vec<&str> = Vec::new();
    let mut failed: Vec<&str> = Vec::new();
    for rule in rule::all() {
        let disk = disk_of(rule::text(rule).bad);
        let mut options = options(rule);
        if let Some(setting) = SETTINGS.iter().find(|setting| setting.code == rule.code) {
            (setting.change)(&mut options);
        }
        let root = disk.root();
        let outcome = if rule.code.starts_with("project-") {
            let known = Some(&["csv", "pdf"][..]);
            outcome(rule, &root, |over| projects::load_over(&root, "projects", &options, over, known))
        } else {
            outcome(rule, &root, |over| skills_core::load_over(&root, "skills", &options, over))
        };
        match outcome {
            Some(true) => fixed_rules.push(rule.code),
            Some(false) => failed.push(rule.code),
            None => {} // a person must decide
        }
    }
    assert!(failed.is_empty(), "edits that fix nothing: {failed:?}");
    let mut goldens = Goldens::default();
    let list = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/rules/fixable.txt");
    goldens.compare(&list, &(fixed_rules.join("\n") + "\n"));
    goldens.finish();
}

/// Fixes a bad example. Returns `None` if no report of the rule has a fix, or else whether all reports disappeared.
fn outcome<J: Checked>(rule: &Rule, root: &Path, check: impl Fn(&Overlay) -> J) -> Option<bool> {
    let of_rule = |report: &Report| -> Vec<String> {
        let found = report.diagnostics.iter().filter(|found| found.rule.code == rule.code);
        found.map(|found| found.title.clone()).collect()
    };
    let Ok(fixed) = fix::fix(root, Default::default(), Applicability::Unsafe, &check) else { return None };
    let before = check(&Default::default());
    let has_edit: Vec<&str> = before
        .report()
        .diagnostics
        .iter()
        .filter(|found| found.rule.code == rule.code && fix::offered(found, before.sources()).is_some())
        .map(|found| found.title.as_str())
        .collect();
    if has_edit.is_empty() {
        return None;
    }
    let after = of_rule(fixed.checked.report());
    let is_gone = has_edit.iter().all(|title| !after.iter().any(|other| other == title));
    let codes = |report: &Report| -> BTreeSet<&str> {
        report.diagnostics.iter().map(|found| found.rule.code).collect()
    };
    // A syntax error hides other problems.
    let hides = rule.code == "json-syntax";
    let new: Vec<&str> = codes(fixed.checked.report())
        .difference(&codes(before.report()))
        .copied()
        .filter(|_| !hides)
        .collect();
    Some(is_gone && new.is_empty())
}

fn every_golden_belongs_to_a_rule() {
    let mut goldens = Goldens::default();
    for path in stale() {
        if golden::is_blessed() {
            fs::remove_file(&path).expect("a stale golden file can be removed");
        } else {
            goldens.failures.push(format!("{}: no rule has this name", path.display()));
        }
    }
    goldens.finish();
}

fn every_setting_belongs_to_a_rule() {
    for setting in SETTINGS {
        assert!(rule::find(setting.code).is_some(), "`{}` is not a rule", setting.code);
    }
}

fn every_notation_becomes_what_it_says() {
    let disk = Disk::new(&[
        ("a/plain.md", "x\n"),
        ("a/link -> plain.md", ""),
        ("a/pipe (fifo)", ""),
        ("a/run.sh (executable)", "#!/bin/sh\n"),
        ("a/old.md (latin-1)", "é"),
        ("a/big (7 bytes)", "abc"),
        ("a/sparse (5 bytes)", "\0"),
        ("a/caf\u{e9} (latin-1 name)", "x"),
    ]);
    let at = |path: &str| disk.root().join("a").join(path);
    let read = |path: &str| fs::read(at(path)).expect("a file");
    assert_eq!(read("plain.md"), b"x\n");
    assert_eq!(fs::read_link(at("link")).expect("a link"), Path::new("plain.md"));
    assert_eq!((read("old.md"), read("big")), (b"\xe9".to_vec(), b"abcabca".to_vec()));
    assert_eq!(read("sparse"), [0; 5]);
    let name = disk.root().join("a").join(std::ffi::OsStr::from_bytes(b"caf\xe9"));
    assert_eq!(fs::read(name).expect("a file"), b"x");
    assert!(fs::metadata(at("pipe")).expect("a pipe").file_type().is_fifo());
    let mode = |path: &str| fs::metadata(at(path)).expect("a file").permissions().mode() & 0o111;
    assert_eq!((mode("run.sh"), mode("plain.md")), (0o111, 0));
    assert_eq!(fs::read(Disk::new(&[(". (file)", "x")]).root()).expect("a file"), b"x");
    assert!(!Disk::new(&[(". (missing)", "")]).root().exists());
}

fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ui/rules")
}

/// Finds golden files that do not belong to a rule.
fn stale() -> BTreeSet<PathBuf> {
    let known: BTreeSet<PathBuf> =
        rule::all().iter().map(|rule| directory().join(format!("{}.txt", rule.code))).collect();
    let Ok(entries) = fs::read_dir(directory()) else { return BTreeSet::new() };
    entries
        .map(|entry| entry.expect("an entry can be read").path())
        .filter(|path| !known.contains(path))
        .collect()
}
