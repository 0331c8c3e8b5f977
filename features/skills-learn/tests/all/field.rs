//! Real scripts of published skills, and our own: each runs under exactly the permissions that were learned of it.

#![allow(clippy::print_stderr, reason = "the test prints its figures")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use skills_exec::Outcome;
use skills_learn::Access;

use crate::support::{Bed, without_each};

/// A script: the directory of its skill below `SKILLS_FIELD_DIR`, or `skills/` of this project, and its command line.
type Script = (&'static str, &'static str);

const OWN: [Script; 3] = [
    ("skills/csv-profile", "echo '{\"path\":\"table.csv\"}' | python3 $SKILL_PATH/scripts/profile.py"),
    ("skills/git-changelog", "$SKILL_PATH/bin/changelog </dev/null"),
    ("skills/memory_search", "echo '{\"query\":\"oven\",\"limit\":3}' | $SKILL_PATH/bin/memory-search"),
];

const FOREIGN: [Script; 21] = [
    (
        "alirezarezvani+claude-skills/engineering/skills/performance-profiler",
        "python3 $S/performance_profiler.py src",
    ),
    (
        "alirezarezvani+claude-skills/engineering/skills/tech-debt-tracker",
        "python3 $S/debt_scanner.py src --format text | grep -v -i date",
    ),
    (
        "alirezarezvani+claude-skills/engineering/skills/spec-driven-workflow",
        "python3 $S/spec_validator.py --file specs/spec.md",
    ),
    (
        "alirezarezvani+claude-skills/engineering/llm-wiki/skills/llm-wiki",
        "python3 $S/append_log.py --vault vault --op ingest --title T",
    ),
    (
        "alirezarezvani+claude-skills/product-team/research-summarizer/skills/research-summarizer",
        "python3 $S/extract_citations.py notes.md",
    ),
    (
        "alirezarezvani+claude-skills/engineering/skills/browser-automation",
        "python3 $S/anti_detection_checker.py --file src/app.py",
    ),
    ("alirezarezvani+claude-skills/product-team/skills/spec-to-repo", "python3 $S/validate_project.py src"),
    (
        "alirezarezvani+claude-skills/marketing-skill/skills/copy-editing",
        "python3 $S/ai_content_detector.py notes.md",
    ),
    (
        "alirezarezvani+claude-skills/engineering-team/skills/senior-architect",
        "python3 $S/project_architect.py src",
    ),
    ("alirezarezvani+claude-skills/c-level-advisor/skills/cpo-advisor", "python3 $S/pmf_scorer.py"),
    (
        "alirezarezvani+claude-skills/engineering/autoresearch-agent/skills/autoresearch-agent",
        "python3 $S/setup_experiment.py --domain engineering --name x --target src/app.py --eval 'echo m: 1' --metric m",
    ),
    ("anthropics+skills/skills/pdf", "python3 $S/check_bounding_boxes.py fields.json"),
    ("anthropics+skills/skills/skill-creator", "python3 $S/aggregate_benchmark.py ."),
    (
        "trailofbits+skills/plugins/goal-prompt/skills/goal-prompt",
        "python3 $S/format_goal_prompt.py notes.md",
    ),
    ("trailofbits+skills/plugins/open-sourcing/skills/open-sourcing", "bash $S/check_readiness.sh ."),
    ("trailofbits+skills/plugins/open-sourcing/skills/open-sourcing", "bash $S/detect_org.sh"),
    ("openai+skills/skills/.system/skill-creator", "python3 $S/init_skill.py my-skill --path out"),
    ("openai+skills/skills/.system/skill-installer", "python3 $S/list-curated-skills.py"),
    ("getsentry+skills/skills/skill-writer", "python3 $S/quick_validate.py src"),
    ("getsentry+skills/skills/skill-scanner", "python3 $S/scan_skill.py src"),
    ("obra+superpowers/skills/systematic-debugging", "bash $SKILL_PATH/find-polluter.sh x 'src/*.py'"),
];

/// The files of the workspace.
const FILES: [(&str, &str); 8] = [
    ("table.csv", "name,n\na,1\nb,2\n"),
    ("notes.md", "# Notes\n\nSee https://example.com and Smith (2020).\n"),
    ("src/app.py", "import os\n\ndef f(x):\n    # TODO fix\n    return x\n"),
    ("src/lib.py", "def g():\n    pass\n"),
    ("specs/spec.md", "# Spec\n\n## Overview\n"),
    ("vault/wiki/log.md", "# Log\n"),
    ("fields.json", r#"{"pages":[],"form_fields":[]}"#),
    ("memory/note.md", "# Oven\n\nThe oven is hot.\n"),
];

// SPEC 13.18: the learned permissions suffice for the same output, and none is superfluous
#[test]
#[ignore = "needs git and python3"]
fn our_own_scripts_run_with_learned_permissions() {
    test_bed::need("git");
    test_bed::need("python3");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    check(&root, &OWN);
}

// SPEC 13.18
#[test]
#[ignore = "needs SKILLS_FIELD_DIR"]
fn field_real_scripts_run_with_learned_permissions() {
    test_bed::need("git");
    test_bed::need("python3");
    let root =
        PathBuf::from(std::env::var_os(test_bed::FIELD).expect("SKILLS_FIELD_DIR names the repositories"));
    let mut count = 0;
    for root in [root.join("corpus"), root] {
        let there: Vec<Script> = FOREIGN.into_iter().filter(|(skill, _)| root.join(skill).is_dir()).collect();
        count += there.len();
        check(&root, &there);
    }
    eprintln!("{count} of {} scripts are there", FOREIGN.len());
    assert!(count > 0, "SKILLS_FIELD_DIR has none of the repositories, such as `anthropics+skills`");
}

fn check(root: &Path, scripts: &[Script]) {
    let (mut all, mut needed, mut optional) = (0, 0, 0);
    for (skill, line) in scripts {
        let bed = Bed::new(&line.replace("$S/", "$SKILL_PATH/scripts/"));
        test_bed::copy_directory(root.join(skill), &bed.path().join("skill"));
        fresh(&bed);
        let (plain, observed) = bed.learn(Access::Read, None, "");
        fresh(&bed);
        let exact = bed.run(&observed.permissions, "");
        eprintln!("{} {} {}", line, plain.exit_code, observed.permissions.to_json());
        assert_eq!(said(&exact), said(&plain), "{line}: {exact:?}\n{observed:?}");
        for (right, less) in without_each(&observed.permissions) {
            all += 1;
            fresh(&bed);
            let (outcome, observed) = bed.learn(Access::Policy, Some(&less), "");
            if said(&outcome) != said(&plain) || outcome.stderr != plain.stderr {
                needed += 1;
            } else {
                optional += 1;
                eprintln!("  the same without {right}");
                assert!(!observed.denied.is_empty(), "{line}: nobody misses {right}");
            }
        }
    }
    eprintln!("{} scripts, {all} rights: {needed} needed, {optional} used without need", scripts.len());
}

fn said(outcome: &Outcome) -> (i32, &str) {
    (outcome.exit_code, &outcome.stdout)
}

/// Makes the workspace as it was before the first run: a repository with one commit.
fn fresh(bed: &Bed) {
    let work = bed.path().join("work");
    fs::remove_dir_all(&work).expect("there");
    for (name, text) in FILES {
        bed.file(&format!("work/{name}"), text);
    }
    let date = "2026-01-02T03:04:05Z";
    for arguments in [
        &["init", "-q", "-b", "main"][..],
        &["remote", "add", "origin", "https://github.com/example/repo.git"],
        &["add", "."],
        &[
            "-c",
            "user.name=A",
            "-c",
            "user.email=a@b.c",
            "commit",
            "-q",
            "--no-gpg-sign",
            "-m",
            "feat: begin",
        ],
    ] {
        let mut git = Command::new("git");
        git.args(arguments).current_dir(&work).env("GIT_AUTHOR_DATE", date).env("GIT_COMMITTER_DATE", date);
        assert!(git.status().expect("git runs").success(), "{arguments:?}");
    }
}
