//! Runs the benchmarks of `bench/` and prints one table of their figures and aims.

pub(crate) mod gate;
mod rows;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use self::rows::{BENCHES, Bench, Program};
use crate::command::{at, cargo};
use crate::workspace::Workspace;

const README: &str = "bench/README.md";
/// The lines around the table in the README.
const BEGIN: &str = "<!-- The table is printed by `cargo xtask bench --write`. -->\n";
const END: &str = "<!-- end of the table -->\n";

/// Runs the benchmarks with the given names, or all. With `--short`, only shows that they work. With `--write`,
/// writes the figures into the README, and keeps figures that were not measured. With `--gate`, counts instructions
/// instead; see [`gate`].
pub(crate) fn run(arguments: &[&str]) -> Result<(), String> {
    let (options, names): (Vec<&str>, Vec<&str>) =
        arguments.iter().partition(|argument| argument.starts_with("--"));
    if let Some(unknown) = options.iter().find(|option| !["--gate", "--short", "--write"].contains(option)) {
        return Err(format!("`bench` has no option `{unknown}`"));
    }
    if options.contains(&"--gate") {
        gate::build()?;
        return match gate::compare(options.contains(&"--write"))? {
            None => Ok(()),
            Some(reason) => Err(reason),
        };
    }
    if let Some(unknown) = names.iter().find(|name| BENCHES.iter().all(|bench| bench.name != **name)) {
        let known: Vec<&str> = BENCHES.iter().map(|bench| bench.name).collect();
        return Err(format!("no benchmark is named `{unknown}`; there are {}", known.join(", ")));
    }
    let (is_short, is_written) = (options.contains(&"--short"), options.contains(&"--write"));
    if is_short && is_written {
        return Err("a short run has no figures to write".to_owned());
    }
    let chosen = BENCHES.iter().filter(|bench| names.is_empty() || names.contains(&bench.name));
    let mut figures = BTreeMap::new();
    for bench in chosen.clone() {
        println!("=== {}: {}", bench.name, bench.about);
        measure(bench, is_short, &mut figures)?;
    }
    println!("\n{}", table(chosen, &figures));
    if is_written {
        let text = fs::read_to_string(README).map_err(at(Path::new(README)))?;
        let (before, old, after) = parts(&text)?;
        let all = read(old).into_iter().chain(figures).collect();
        let text = format!("{before}{}{after}", table(BENCHES.iter(), &all));
        fs::write(README, text).map_err(at(Path::new(README)))?;
    }
    Ok(())
}

/// Runs a benchmark, prints its output, and reads its figures. A full run must print every row.
fn measure(bench: &Bench, is_short: bool, figures: &mut BTreeMap<String, f64>) -> Result<(), String> {
    let mut command = match bench.program {
        Program::Python(script) => {
            let mut command = Command::new("python3");
            command.arg(Path::new("bench").join(script));
            command
        }
        Program::Package(name) | Program::Unoptimized(name) => {
            let mut command = cargo();
            let profile = if let Program::Package(_) = bench.program { "release" } else { "dev" };
            let manifest = Path::new("bench").join(name).join("Cargo.toml");
            command.args(["run", "--quiet", "--profile", profile, "--manifest-path"]).arg(manifest);
            // The packages share many dependencies.
            command.arg("--target-dir").arg(Workspace::target()?.join("bench")).arg("--");
            command
        }
    };
    command.args(bench.arguments[usize::from(is_short)]);
    without_settings(&mut command);
    let failed = |error: std::io::Error| format!("the benchmark `{}`: {error}", bench.name);
    let mut child = command.stdout(Stdio::piped()).spawn().map_err(failed)?;
    for line in child.stdout.take().map(BufReader::new).into_iter().flat_map(BufRead::lines) {
        let line = line.map_err(failed)?;
        match figure(&line) {
            Some((id, value)) => drop(figures.insert(id.to_owned(), value)),
            None => println!("{line}"),
        }
    }
    let status = child.wait().map_err(failed)?;
    if !status.success() {
        return Err(format!("the benchmark `{}` ended with {status}", bench.name));
    }
    match bench.rows.iter().find(|row| !is_short && !figures.contains_key(row.id)) {
        Some(row) => Err(format!("the benchmark `{}` printed no figure for `{}`", bench.name, row.id)),
        None => Ok(()),
    }
}

/// Removes the user's settings of cargo, which would change the costs of builds and of the programs built.
fn without_settings(command: &mut Command) {
    for (name, _) in std::env::vars() {
        if name == "CARGO_INCREMENTAL"
            || ["CARGO_BUILD_", "CARGO_PROFILE_"].iter().any(|set| name.starts_with(set))
        {
            command.env_remove(name);
        }
    }
}

/// Reads a line `= ID FIGURE`.
fn figure(line: &str) -> Option<(&str, f64)> {
    let (id, value) = line.strip_prefix("= ")?.split_once(' ')?;
    Some((id, value.trim().parse().ok()?))
}

/// Formats the figures of benchmarks as a table in Markdown, which is readable in a terminal, too.
fn table<'b>(benches: impl Iterator<Item = &'b Bench>, figures: &BTreeMap<String, f64>) -> String {
    let mut out = String::from("| row | cost | figure | unit | aim | |\n|---|---|---:|---|---|---|\n");
    for bench in benches {
        // Writing to a string cannot fail.
        let _ = writeln!(out, "| **{}** | {} | | | | |", bench.name, bench.about);
        for row in bench.rows {
            let value = figures.get(row.id).copied();
            let (aim, verdict) = row.aim.verdict(value);
            let value = value.map_or_else(String::new, shown);
            let _ = writeln!(
                out,
                "| `{}` | {} | {value} | {} | {aim} | {verdict} |",
                row.id, row.title, row.unit
            );
        }
    }
    out
}

/// Formats a figure with three significant digits.
fn shown(figure: f64) -> String {
    let whole = figure.abs().max(1e-6).log10().floor();
    format!("{figure:.*}", (2.0 - whole).clamp(0.0, 5.0) as usize)
}

/// Splits the README into the text before the table, the table, and the text after it.
fn parts(text: &str) -> Result<(&str, &str, &str), String> {
    let missing = || format!("{README} has no line `{}` or `{}`", BEGIN.trim(), END.trim());
    let start = text.find(BEGIN).map(|at| at + BEGIN.len()).ok_or_else(missing)?;
    let end = text.find(END).filter(|end| *end >= start).ok_or_else(missing)?;
    Ok((&text[..start], &text[start..end], &text[end..]))
}

/// Reads the figures of a table.
fn read(table: &str) -> BTreeMap<String, f64> {
    let cells = table.lines().map(|line| line.split('|').map(str::trim).collect::<Vec<_>>());
    let figure =
        |cells: Vec<&str>| Some((cells.get(1)?.trim_matches('`').to_owned(), cells.get(3)?.parse().ok()?));
    cells.filter_map(figure).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_readme_has_every_row_with_its_aim() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let text = fs::read_to_string(root.join(README)).expect("the README can be read");
        let (_, old, _) = parts(&text).expect("the README has the table");
        assert_eq!(old, table(BENCHES.iter(), &read(old)), "run `cargo xtask bench --write`");
        for bench in BENCHES {
            let script = match bench.program {
                Program::Python(script) => root.join("bench").join(script),
                Program::Package(name) | Program::Unoptimized(name) => {
                    root.join("bench").join(name).join("src/main.rs")
                }
            };
            let source = fs::read_to_string(&script).expect("the program can be read");
            let (name, prefix) = (bench.name, format!("= {}.", bench.name));
            assert!(source.contains(&prefix), "{} prints no row of `{name}`", script.display());
        }
    }

    #[test]
    fn figures_are_read_and_shown() {
        assert_eq!(figure("= check.read 0.91"), Some(("check.read", 0.91)));
        assert_eq!(figure("check.read 0.91"), None);
        for (value, text) in
            [(0.012_345, "0.0123"), (1.234_5, "1.23"), (12.345, "12.3"), (1_234.5, "1234"), (0.0, "0.00000")]
        {
            assert_eq!(shown(value), text);
        }
    }
}
