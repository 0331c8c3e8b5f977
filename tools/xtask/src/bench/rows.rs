//! The table of all benchmarks with their rows and aims. The tables of `bench/README.md` are printed from it.

/// A program in `bench/` that measures some rows.
pub(crate) struct Bench {
    /// The name by which `cargo xtask bench NAME` runs it.
    pub(crate) name: &'static str,
    /// The subject of the comparison in its rows.
    pub(crate) about: &'static str,
    pub(crate) program: Program,
    /// The arguments of a full run, and the arguments of a run of a few seconds that only shows that the
    /// benchmark works.
    pub(crate) arguments: [&'static [&'static str]; 2],
    pub(crate) rows: &'static [Row],
}

/// The way to start a benchmark.
pub(crate) enum Program {
    /// A script in `bench/`.
    Python(&'static str),
    /// A package below `bench/` in a separate workspace.
    Package(&'static str),
    /// Such a package, compiled without optimization.
    Unoptimized(&'static str),
}

/// One figure of a benchmark. The program prints it as a line `= ID FIGURE`.
pub(crate) struct Row {
    pub(crate) id: &'static str,
    pub(crate) title: &'static str,
    pub(crate) unit: &'static str,
    pub(crate) aim: Aim,
}

/// The value that a figure should reach.
#[derive(Clone, Copy)]
pub(crate) enum Aim {
    AtMost(f64),
    AtLeast(f64),
}

impl Aim {
    /// Returns the aim for the table, and whether a figure reaches it.
    pub(crate) fn verdict(self, figure: Option<f64>) -> (String, &'static str) {
        let (text, is_met) = match self {
            Self::AtMost(most) => (format!("at most {most}"), figure.map(|figure| figure <= most)),
            Self::AtLeast(least) => (format!("at least {least}"), figure.map(|figure| figure >= least)),
        };
        (text, is_met.map_or("", |is_met| if is_met { "met" } else { "missed" }))
    }
}

const fn row(id: &'static str, title: &'static str, unit: &'static str, aim: Aim) -> Row {
    Row { id, title, unit, aim }
}

use Aim::{AtLeast, AtMost};
use Program::{Package, Python, Unoptimized};

/// All benchmarks, in the order in which they run.
pub(crate) const BENCHES: &[Bench] = &[
    Bench {
        name: "check",
        about: "`skills check` of 10,000 generated skills",
        program: Python("check.py"),
        arguments: [&["10000"], &["50"]],
        rows: &[
            row("check.read", "CPU time, relative to a bare read in Python", "times", AtMost(0.9)),
            row(
                "check.loop",
                "throughput, relative to a loop in Python that checks less",
                "times",
                AtLeast(20.0),
            ),
            row("check.memory", "memory for each skill", "KB", AtMost(9.0)),
        ],
    },
    Bench {
        name: "build",
        about: "rebuilds of a program with 1,000 skills, as `init` writes it, relative to one `include_bytes!`",
        program: Python("build.py"),
        arguments: [&["1000", "--variants=blob,ours_init"], &["10", "--variants=blob,ours_init"]],
        rows: &[
            row("build.touch", "`touch src/main.rs && cargo build`", "times", AtMost(1.15)),
            row("build.edit", "one line added to one `SKILL.md`, then `cargo build`", "times", AtMost(1.3)),
        ],
    },
    Bench {
        name: "clean",
        about: "the first build of a program with one skill",
        program: Python("build.py"),
        arguments: [
            &["--clean", "--variants=rust_embed,skill_embed,ours_build,ours_default,ours_install,ours_call"],
            &["--clean", "--variants=list"],
        ],
        rows: &[
            row("clean.build", "without default features, relative to rust-embed", "times", AtMost(1.5)),
            row("clean.default", "with default features, relative to skill-embed", "times", AtMost(0.85)),
            row("clean.install", "with `install`, relative to skill-embed", "times", AtMost(1.0)),
            row("clean.call", "with `call`, relative to default features", "times", AtMost(1.8)),
            row("clean.size", "`install` in a stripped program", "KB", AtMost(200.0)),
        ],
    },
    Bench {
        name: "typed",
        about: "the last crate of a program with 100 typed tools",
        program: Python("typed.py"),
        arguments: [&["empty", "ours", "callable"], &["empty"]],
        rows: &[
            row(
                "typed.callable.debug",
                "types, checks and a host of 100 methods, debug",
                "CPU s",
                AtMost(4.5),
            ),
            row("typed.callable.release", "the same, release", "CPU s", AtMost(12.0)),
            row("typed.ours.debug", "types and checks, debug", "CPU s", AtMost(4.5)),
            row("typed.ours.release", "the same, release", "CPU s", AtMost(12.0)),
        ],
    },
    Bench {
        name: "load",
        about: "10,000 skills from disk at run time, and the start of a program with 1,000",
        program: Python("load.py"),
        arguments: [&["10000", "1000"], &["10", "10"]],
        rows: &[
            row("load.layers", "`Layers`, relative to a bare read in Rust", "times", AtMost(2.0)),
            row("load.start", "start to the first prompt, bundled", "CPU s", AtMost(0.002)),
        ],
    },
    Bench {
        name: "mcp",
        about: "ten MCP servers with 100 approved skills each, at the start of a program",
        program: Package("mcp"),
        arguments: [&[], &["1"]],
        rows: &[
            row("mcp.start", "added to the start, from the process to the prompt", "CPU s", AtMost(0.05)),
            row("mcp.reads", "files that are read", "files", AtMost(0.0)),
        ],
    },
    Bench {
        name: "call",
        about: "calls and prompts",
        program: Package("call"),
        arguments: [&[], &["calls", "10"]],
        rows: &[
            row("call.one", "`runner.call` of a host function, input and output checked", "µs", AtMost(1.2)),
            row("call.step", "one more step of a pipeline", "µs", AtMost(2.0)),
            row("call.prompt", "`input.prompt()`, relative to `format!`", "times", AtMost(1.5)),
        ],
    },
    Bench {
        name: "validate",
        about: "a typical input of a tool against its schema, relative to the crate jsonschema",
        program: Package("validate"),
        arguments: [&[], &[]],
        rows: &[row("validate.text", "JSON text, also read by serde_json", "times", AtMost(1.2))],
    },
    Bench {
        name: "search",
        about: "search among 5,000 skills of 450 words",
        program: Package("search"),
        arguments: [&[], &["50"]],
        rows: &[
            row("search.words", "eight words, 95 of 100 queries", "µs", AtMost(200.0)),
            row("search.mistyped", "eight mistyped words, 95 of 100 queries", "µs", AtMost(200.0)),
        ],
    },
    Bench {
        name: "index",
        about: "the tables of 1,000 skills, as a build script writes them",
        program: Unoptimized("search"),
        arguments: [&["write"], &["write"]],
        rows: &[row("index.write", "with the search index, without optimization", "CPU s", AtMost(0.2))],
    },
    Bench {
        name: "run",
        about: "programs and installations",
        program: Package("run"),
        arguments: [&[], &["2"]],
        rows: &[
            row("run.exec", "runs without a sandbox, relative to bare spawns", "times", AtMost(1.3)),
            row(
                "run.large",
                "the same in a host of 500 MB with 200 threads, relative to a small one",
                "times",
                AtMost(1.1),
            ),
            row("run.install", "`install`, relative to `cp -r`", "times", AtMost(1.2)),
        ],
    },
    Bench {
        name: "http",
        about: "requests over HTTP",
        program: Package("http"),
        arguments: [&[], &["1"]],
        rows: &[
            row("http.list", "the list of 100 skills, relative to a bare route", "times", AtMost(1.5)),
            row("http.exec", "`POST …/exec`, 64 at once, relative to bare spawns", "times", AtMost(1.5)),
        ],
    },
    Bench {
        name: "lsp",
        about: "a keystroke in an editor among 2,000 skills, CPU time of the server",
        program: Package("lsp"),
        arguments: [&[], &["100", "20"]],
        rows: &[
            row("lsp.key", "from the keystroke to the problems, 99 of 100", "ms", AtMost(20.0)),
            row("lsp.all", "the same with six requests of the editor, 99 of 100", "ms", AtMost(20.0)),
            row("lsp.memory", "largest memory of the process", "MB", AtMost(60.0)),
        ],
    },
    Bench {
        name: "growth",
        about: "30,000 skills relative to 1,000, divided by 30: above 1, the cost of each skill grows",
        program: Python("growth.py"),
        arguments: [&["100", "1000", "10000", "30000"], &["10", "20"]],
        rows: &[
            row("growth.check", "`skills check`", "times", AtMost(1.1)),
            row("growth.list", "`skills list`", "times", AtMost(1.1)),
            row("growth.search", "`skills search`, which reads the directory", "times", AtMost(1.1)),
            row("growth.install", "`skills install`", "times", AtMost(1.1)),
            row("growth.build", "`cargo build` after an edit of a skill", "times", AtMost(1.1)),
            row("growth.start", "start of the program to the first prompt", "times", AtMost(1.1)),
        ],
    },
];
