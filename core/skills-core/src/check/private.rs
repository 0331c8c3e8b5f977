//! Finds what a text must not carry to other people: keys of services, and the home directories of its authors.

use std::ops::{Range, RangeInclusive};

use super::draft::{Check, SkillDraft};
use super::links::references;
use crate::markdown::Markdown;
use crate::rule::lints;
use crate::{Report, SourceFile};

/// Checks the texts of one skill that models read. Templates, examples and test data have no real keys.
pub(super) fn check(draft: &SkillDraft, check: &mut Check<'_>) {
    let skill = &draft.skill;
    let document = skill.document.as_ref().map(|document| document.file);
    let manifest = skill.manifest.as_ref().map(|manifest| manifest.file);
    let own = document.into_iter().chain(manifest).chain(skill.prompt);
    let others = references::texts(draft).map(|(path, file)| (file, is_record(path)));
    for (file, is_record) in own.map(|file| (file, false)).chain(others) {
        let source = check.sources.file(file);
        check_keys(source, check.report);
        if !is_record && !is_about_paths(&draft.name) {
            check_homes(source, check.report);
        }
    }
}

/// Reports the first key in a text.
fn check_keys(source: &SourceFile, report: &mut Report) {
    let Some((place, service)) = find_key(&source.text) else { return };
    lints::SECRET_TEXT
        .report_at(source.span(place), format!("the text contains {service}"))
        .label("everybody who gets the skill can read it")
        .help("revoke it, and name an environment variable in its place")
        .add_to(report);
}

/// The published form of a key: a beginning, and the number and kind of the letters behind it.
struct KeyFormat {
    service: &'static str,
    start: &'static str,
    length: RangeInclusive<usize>,
    is_letter: fn(u8) -> bool,
}

const fn format(
    service: &'static str,
    start: &'static str,
    length: RangeInclusive<usize>,
    is_letter: fn(u8) -> bool,
) -> KeyFormat {
    KeyFormat { service, start, length, is_letter }
}

/// The formats that scanners of secrets know, such as those of GitHub's push protection.
const FORMATS: [KeyFormat; 22] = [
    format("a key of AWS", "AKIA", 16..=16, is_base32),
    format("a key of AWS", "ASIA", 16..=16, is_base32),
    format("a key of Anthropic", "sk-ant-", 80..=140, is_url_letter),
    format("a key of OpenAI", "sk-proj-", 40..=200, is_url_letter),
    format("a key of OpenAI", "sk-svcacct-", 40..=200, is_url_letter),
    format("a key of OpenAI", "sk-", 48..=48, is_alphanumeric),
    format("a key of Google", "AIza", 35..=35, is_url_letter),
    format("a key of SendGrid", "SG.", 66..=66, |byte| byte == b'.' || is_url_letter(byte)),
    format("a key of Stripe", "sk_live_", 24..=99, is_alphanumeric),
    format("a key of Stripe", "rk_live_", 24..=99, is_alphanumeric),
    format("a token of DigitalOcean", "dop_v1_", 64..=64, |byte| byte.is_ascii_hexdigit()),
    format("a token of GitHub", "gh", 38..=38, |byte| byte == b'_' || is_alphanumeric(byte)),
    format("a token of GitHub", "github_pat_", 82..=82, |byte| byte == b'_' || is_alphanumeric(byte)),
    format("a token of GitLab", "glpat-", 20..=20, is_url_letter),
    format("a token of Hugging Face", "hf_", 34..=34, is_alphanumeric),
    format("a token of npm", "npm_", 36..=36, is_alphanumeric),
    format("a token of PyPI", "pypi-AgEIcHlwaS5vcmc", 50..=250, is_url_letter),
    format("a token of Slack", "xoxb-", 40..=80, is_slack_letter),
    format("a token of Slack", "xoxp-", 40..=80, is_slack_letter),
    format("a token of Slack", "xoxa-", 40..=80, is_slack_letter),
    format("a token of Slack", "xoxs-", 40..=80, is_slack_letter),
    format("a token of Slack", "xapp-", 40..=120, is_slack_letter),
];

/// The beginnings of all formats and of private keys in PEM.
const KEY_STARTS: Starts = {
    let mut starts = Starts::NONE.with(PEM);
    let mut at = 0;
    while at < FORMATS.len() {
        starts = starts.with(FORMATS[at].start);
        at += 1;
    }
    starts
};

/// The ways to write the directory that contains the home directories of people.
const HOMES: [&str; 4] = ["/Users/", "/home/", ":\\Users\\", ":\\\\Users\\\\"];

const HOME_STARTS: Starts = Starts::NONE.with(HOMES[0]).with(HOMES[1]).with(HOMES[2]).with(HOMES[3]);

/// The first two letters of some words, to pass over most places of a text. A build script is compiled without
/// optimization and checks all texts, so the search is a loop over a table.
struct Starts {
    /// For each first letter, a bit for the last five bits of each second letter.
    second: [u32; 256],
}

impl Starts {
    const NONE: Self = Self { second: [0; 256] };

    const fn with(mut self, word: &str) -> Self {
        let word = word.as_bytes();
        self.second[word[0] as usize] |= 1 << (word[1] & 31);
        self
    }

    /// Returns the next place, at `from` or behind it, that may be the beginning of one of the words.
    fn find(&self, text: &[u8], from: usize) -> Option<usize> {
        let mut at = from;
        while at + 1 < text.len() {
            if self.second[usize::from(text[at])] >> (text[at + 1] & 31) & 1 == 1 {
                return Some(at);
            }
            at += 1;
        }
        None
    }

    /// Returns all such places.
    fn places(&'static self, text: &str) -> impl Iterator<Item = usize> {
        let mut from = 0;
        std::iter::from_fn(move || {
            let at = self.find(text.as_bytes(), from)?;
            from = at + 1;
            Some(at)
        })
    }
}

fn is_alphanumeric(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
}

fn is_base32(byte: u8) -> bool {
    matches!(byte, b'A'..=b'Z' | b'2'..=b'7')
}

fn is_url_letter(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_')
}

fn is_base64_letter(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=')
}

fn is_slack_letter(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'-'
}

/// Finds the first key in a text, and names its kind.
fn find_key(text: &str) -> Option<(Range<usize>, &'static str)> {
    skills_text::work::count(text.len());
    let bytes = text.as_bytes();
    let mut private = None;
    for at in KEY_STARTS.places(text) {
        private = private.or_else(|| private_key(text, at));
        if at > 0 && is_url_letter(bytes[at - 1]) {
            continue;
        }
        for format in &FORMATS {
            let Some(rest) = bytes[at..].strip_prefix(format.start.as_bytes()) else { continue };
            let longest = format.length.end() + 1;
            let length = rest.iter().take(longest).take_while(|byte| (format.is_letter)(**byte)).count();
            let ends = rest.get(length).is_none_or(|byte| !is_url_letter(*byte));
            if format.length.contains(&length)
                && ends
                && is_random(&rest[..length])
                && has_form(format, &rest[..length])
            {
                return Some((at..at + format.start.len() + length, format.service));
            }
        }
    }
    private.map(|place| (place, "a private key"))
}

/// Returns `true` if the letters behind the beginning of a key are in the right order.
fn has_form(format: &KeyFormat, rest: &[u8]) -> bool {
    match format.start {
        "gh" => {
            matches!(rest, [b'p' | b'o' | b'u' | b's' | b'r', b'_', token @ ..] if !token.contains(&b'_'))
        }
        "SG." => rest.iter().position(|byte| *byte == b'.') == Some(22),
        _ => true,
    }
}

/// The beginning of a private key in PEM.
const PEM: &str = "-----BEGIN ";

/// Returns the head of the private key in PEM that begins at a place, if at least one line of its contents follows.
fn private_key(text: &str, at: usize) -> Option<Range<usize>> {
    const END: &str = "PRIVATE KEY-----";
    /// The length of the line, which is at least half of that of the smallest key.
    const LINE: usize = 40;
    let rest = text.get(at..).filter(|rest| rest.starts_with(PEM))?;
    let head = rest.lines().next().filter(|line| line.trim_end().ends_with(END))?.trim_end();
    let mut lines = rest[head.len()..].lines().skip(1).map(str::trim).take(4);
    let line = lines.find(|line| !line.is_empty() && !line.contains(": "))?;
    let is_key = line.len() >= LINE && line.bytes().all(is_base64_letter) && is_random(line.as_bytes());
    is_key.then_some(at..at + head.len())
}

/// Returns `true` if the letters of a key are random, and not those of a placeholder such as `AKIAIOSFODNN7EXAMPLE`,
/// `xxxx…` or `A1B2C3D4…`.
fn is_random(letters: &[u8]) -> bool {
    const WORDS: [&str; 9] =
        ["example", "your", "placeholder", "redacted", "dummy", "fake", "sample", "secret", "token"];
    /// In 100 random letters, each of these runs has a chance of less than one in a thousand.
    const RUN: usize = 4;
    let lower = letters.to_ascii_lowercase();
    let has_word = WORDS.iter().any(|word| lower.windows(word.len()).any(|part| part == word.as_bytes()));
    let mut seen = [false; 256];
    lower.iter().for_each(|byte| seen[usize::from(*byte)] = true);
    // Random letters repeat, but not so often.
    let is_varied = seen.iter().filter(|seen| **seen).count() * 2 >= letters.len().min(20);
    is_varied
        && !has_word
        && !lower.windows(RUN).any(|part| is_repeated(part) || is_counted(part, 1))
        && !lower.windows(2 * RUN - 1).any(|part| is_counted(part, 2))
}

/// Returns `true` if all letters are equal.
fn is_repeated(part: &[u8]) -> bool {
    part.windows(2).all(|pair| pair[0] == pair[1])
}

/// Returns `true` if every letter follows the letter `step` places before it in the alphabet or among the digits.
fn is_counted(part: &[u8], step: usize) -> bool {
    let counted = part.iter().step_by(step);
    counted.clone().zip(counted.skip(1)).all(|(a, b)| a + 1 == *b)
}

/// Returns `true` if a file records what once happened on a computer, so that its paths are true.
fn is_record(path: &str) -> bool {
    const FOLDERS: [&str; 7] =
        ["archive", "benchmarks", "designs", "logs", "research", "results", "screenshots"];
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
    folders.split('/').any(|folder| FOLDERS.contains(&folder))
        || name.to_ascii_lowercase().ends_with("log.md")
}

/// Returns `true` if a skill is about paths or privacy, so that its texts show paths.
fn is_about_paths(name: &str) -> bool {
    name.starts_with("path-") || name.split(['-', '_']).any(|word| matches!(word, "paths" | "privacy"))
}

/// Reports the first home directory of a person in a text.
fn check_homes(source: &SourceFile, report: &mut Report) {
    let mut found = find_homes(&source.text);
    if !found.is_empty() {
        let markdown = Markdown::parse(&source.text);
        found.retain(|(place, _)| {
            !markdown.is_example(place.start) && !is_quoted_example(&source.text, &markdown, place.start)
        });
    }
    let Some((place, name)) = found.first() else { return };
    let more = match found.len() {
        1 => String::new(),
        count => format!("; {count} paths in this file"),
    };
    lints::HOME_PATH
        .report_at(source.span(place.clone()), format!("the path names the home directory of `{name}`"))
        .label(format!("exists only on one computer{more}"))
        .help("write a path from the skill or the project, or `~`")
        .add_to(report);
}

/// Returns `true` if a place is in a quote below a heading that announces an example.
fn is_quoted_example(text: &str, markdown: &Markdown, at: usize) -> bool {
    let line = text[..at].rsplit('\n').next().unwrap_or_default();
    let is_quoted = line.matches('"').count() % 2 == 1 || line.rfind('\u{201c}') > line.rfind('\u{201d}');
    if !is_quoted || markdown.block_at(at).is_some() {
        return false;
    }
    let above = markdown.headings.partition_point(|heading| heading.place.start <= at);
    let mut level = usize::MAX;
    markdown.headings[..above].iter().rev().any(|heading| {
        let contains = heading.level < level;
        level = level.min(heading.level);
        contains && heading.title.to_lowercase().contains("example")
    })
}

/// The place of a home directory in a text, and the name of the person.
type Home<'t> = (Range<usize>, &'t str);

/// Finds the home directories of people in a text.
fn find_homes(text: &str) -> Vec<Home<'_>> {
    /// How many bytes before and behind a path are read.
    const CONTEXT: usize = 1024;
    skills_text::work::count(text.len());
    let mut found = Vec::new();
    for at in HOME_STARTS.places(text) {
        let start = HOMES.into_iter().find(|start| text.as_bytes()[at..].starts_with(start.as_bytes()));
        let Some(start) = start else { continue };
        let before = &text[..at];
        // In `https://a.b/home/x`, `$ROOT/home/x` and `./home/x`, the path begins before the directory.
        let is_root = match start.starts_with('/') {
            true => {
                before.ends_with("file://")
                    || ["/c", "/mnt/c"].iter().any(|drive| {
                        before.strip_suffix(drive).is_some_and(|before| !before.ends_with(is_part))
                    })
                    || !before.ends_with(is_part)
            }
            false => before.ends_with(|c: char| c.is_ascii_alphabetic()),
        };
        let rest = &text[at + start.len()..];
        let length = rest.find(|c: char| !(c.is_ascii_alphanumeric() || "._-".contains(c)));
        let (name, below) = rest.split_at(length.unwrap_or(rest.len()));
        let near = &before[skills_text::floor(before, at.saturating_sub(CONTEXT))..];
        let below = &below[..skills_text::floor(below, CONTEXT.min(below.len()))];
        let is_followed =
            below.starts_with(['/', '\\']) && below[1..].starts_with(|c: char| is_part(c) || c == '\\');
        if is_root
            && is_followed
            && is_of_person(name)
            // Linux gives people names in lower case.
            && !(start == "/home/" && name.contains(|c: char| c.is_ascii_uppercase()))
            && (!is_made_up(name) || is_told_to_use(near))
            && !is_open(below)
            && !is_output(near, below)
            && !is_example(near)
            && !is_recorded(near)
            && !(start == "/home/" && is_in_container(near))
            && !is_forbidden(near, below)
        {
            found.push((at + usize::from(!start.starts_with('/'))..at + start.len() + name.len(), name));
        }
    }
    if !found.is_empty() {
        let accounts = created_accounts(text);
        found.retain(|(_, name)| !accounts.contains(name) && !is_mounted(text, name));
        let shown: Vec<usize> = found
            .windows(2)
            .filter(|pair| is_shown_for_systems(text, &pair[0], &pair[1]))
            .flat_map(|pair| [pair[0].0.start, pair[1].0.start])
            .collect();
        found.retain(|(place, _)| shown.binary_search(&place.start).is_err());
    }
    found
}

/// Returns `true` if a text shows the home directory of one person on macOS beside that on another system, to explain
/// paths. A person who works on Windows and on its Linux has both of their directories.
fn is_shown_for_systems(text: &str, home: &Home<'_>, next: &Home<'_>) -> bool {
    const NEAR: usize = 200;
    let ((place, name), (other, other_name)) = (home, next);
    let is_near = other.start - place.start <= NEAR && name == other_name;
    is_near && is_of_mac(text, place.start) != is_of_mac(text, other.start)
}

fn is_of_mac(text: &str, at: usize) -> bool {
    text[at..].starts_with(HOMES[0]) && !text[..at].ends_with("/c")
}

/// Returns `true` if a path below a home directory stands for many paths: it has a placeholder or a `*`.
fn is_open(below: &str) -> bool {
    let path = &below[..below.find(|c: char| c.is_whitespace() || "`\"'".contains(c)).unwrap_or(below.len())];
    path.contains(['*', '<', '{', '$', '…']) || path.contains("...")
}

/// Returns `true` if a program of an example prints a path: `print(home)  # → ` stands before it, or its line has the
/// form of an error.
fn is_output(before: &str, behind: &str) -> bool {
    const ERRORS: [&str; 4] = ["error: ", "fatal: ", "no such file", "permission denied"];
    let line = before.rsplit('\n').next().unwrap_or_default();
    let is_printed =
        line.contains(['#', '/']) && line.trim_end_matches([' ', '"', '\'', '`']).ends_with(['→', '⇒']);
    // The line below that of a prompt, or behind `# Output:`.
    let above = before.rsplit('\n').nth(1).unwrap_or_default().trim_start();
    let is_below_prompt = line.trim().is_empty() && above.starts_with("$ ");
    is_printed
        || is_below_prompt
        || line.trim().to_lowercase().ends_with("output:")
        || [Some(line), behind.lines().next()].into_iter().flatten().any(|part| {
            let lower = part.to_lowercase();
            ERRORS.iter().any(|error| lower.contains(error))
        })
}

/// Returns `true` if a path is an example: the words before it in its sentence, or the line above it, say so; or it is the
/// value of a key in a block of code, and the line above the block says that it shows a form.
fn is_example(before: &str) -> bool {
    const FORMS: [&str; 5] = ["example", "looks like", "sample", "schema", "shape"];
    let (above, line) = before.rsplit_once('\n').unwrap_or(("", before));
    let mut lines = above.lines().rev().map(str::trim).filter(|line| !line.is_empty());
    let lead = lines.clone().next().filter(|line| line.ends_with(':'));
    if announces_example(line) || lead.is_some_and(announces_example) {
        return true;
    }
    let is_value = line.trim_end_matches([' ', '"', '\'']).ends_with(':');
    let block = lines.find(|line| line.starts_with("```")).filter(|_| is_value);
    let lead = block.and_then(|_| lines.next()).unwrap_or_default().to_lowercase();
    FORMS.iter().any(|form| lead.contains(form))
}

/// Returns `true` if the last sentence of a text announces an example.
fn announces_example(text: &str) -> bool {
    const WORDS: [&str; 7] = ["e.g.", "for example", "for instance", "example:", "z. b.", "例如", "比如"];
    let lower = text.to_lowercase().replace('*', "");
    WORDS.iter().any(|word| lower.rsplit_once(word).is_some_and(|(_, behind)| !behind.contains(". ")))
}

/// Returns `true` if the text before a path on its line records what happened on a computer: it has a date, or says what
/// was tried.
fn is_recorded(before: &str) -> bool {
    const WORDS: [&str; 4] = ["measured", "observed", "tested", "verified"];
    let line = before.rsplit('\n').next().unwrap_or_default().to_lowercase();
    let mut words = line.split(|c: char| !(c.is_alphanumeric() || c == '-'));
    words.any(|word| WORDS.contains(&word) || is_date(word))
}

/// Returns `true` if a word is a date such as `2026-07-31`.
fn is_date(word: &str) -> bool {
    let mut parts =
        word.split('-').map(|part| part.bytes().all(|byte| byte.is_ascii_digit()).then_some(part.len()));
    [Some(4), Some(2), Some(2)].into_iter().all(|length| parts.next() == Some(length))
        && parts.next().is_none()
}

/// Returns the names of the accounts that the commands of a text create, as in a Dockerfile.
fn created_accounts(text: &str) -> Vec<&str> {
    let lines = text.lines().filter(|line| line.contains("useradd") || line.contains("adduser"));
    lines.flat_map(|line| line.split(|c: char| c.is_whitespace() || matches!(c, '`' | ';'))).collect()
}

/// Returns `true` if a text mounts a directory below a home directory into a container: `./data:/home/piet/data`. In an
/// address for `scp`, the part before the colon names an account.
fn is_mounted(text: &str, name: &str) -> bool {
    text.match_indices(&format!(":/home/{name}/")).any(|(at, _)| {
        let before = &text[skills_text::floor(text, at.saturating_sub(256))..at];
        let word = before.rsplit(|c: char| c.is_whitespace() || "`\"'".contains(c)).next();
        word.is_some_and(|word| !word.is_empty() && !word.contains('@'))
    })
}

/// Returns `true` if a text before a path ends with an instruction of a Dockerfile or the first half of a volume, whose
/// paths are in the image of a container.
fn is_in_container(before: &str) -> bool {
    const INSTRUCTIONS: [&str; 9] =
        ["ADD ", "CMD ", "COPY ", "ENTRYPOINT ", "ENV ", "RUN ", "USER ", "VOLUME ", "WORKDIR "];
    let line = before.rsplit('\n').next().unwrap_or_default();
    line.ends_with(':') || INSTRUCTIONS.iter().any(|word| line.trim_start().starts_with(word))
}

/// Returns `true` if a path is shown as one that a text must not have: its line or the line above says so.
fn is_forbidden(before: &str, behind: &str) -> bool {
    const WORDS: [&str; 5] = ["bad", "wrong", "avoid", "never", "don't"];
    const PHRASES: [&str; 5] = ["do not ", "must not ", "should not ", "不要", "禁止"];
    let near = before.rsplit('\n').take(2).chain(behind.lines().next());
    near.into_iter().any(|line| {
        let lower = line.to_lowercase().replace('*', "");
        let mut words = lower.split(|c: char| !(c.is_alphanumeric() || c == '\''));
        lower.contains(['❌', '🚫', '⛔'])
            || words.any(|word| WORDS.contains(&word))
            || PHRASES.iter().any(|phrase| lower.contains(phrase))
    })
}

/// Returns `true` if a character is part of a path.
fn is_part(c: char) -> bool {
    c.is_alphanumeric() || "/_-.~$}>*@".contains(c)
}

/// Returns `true` if the name of a home directory is that of a person, and neither made up nor that of an account that
/// many computers have.
fn is_of_person(name: &str) -> bool {
    const PARTS: [&str; 10] =
        ["user", "name", "your", "xxx", "example", "person", "test", "account", "someone", "project"];
    const NAMES: &str = "\
        a admin administrator agent agents airflow all app apps build builder bot centos circleci claude code \
        codespace coder container containeradministrator containeruser ctf debian default demo deno deploy dev developer docker docs fedora foo git \
        gitpod gradle guest hadoop home host images jdoe jenkins john johndoe jovyan kali linuxbrew me my nix nixos node \
        nobody oai opc page path pi postgres \
        product products public root runner runneradmin sandbox server shared site spark steam student travis ubuntu vagrant vllm vscode web \
        work workspace www you";
    let lower = name.to_ascii_lowercase();
    let first = lower.split(['.', '-', '_']).next().unwrap_or_default();
    lower.len() > 1
        && lower.starts_with(|c: char| c.is_ascii_lowercase())
        && !PARTS.iter().any(|part| lower.contains(part))
        && !NAMES.split_whitespace().any(|known| known == lower || known == first)
}

/// Returns `true` if a name is one that examples give to people.
fn is_made_up(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    let first = lower.split(['.', '-', '_']).next().unwrap_or_default();
    ["alice", "bob", "carol", "dave", "eve", "jamie", "jane"].contains(&first)
}

/// Returns `true` if the text before a path tells the reader to use the file. Then the path is not an example.
fn is_told_to_use(before: &str) -> bool {
    let before = before.trim_end_matches(|c: char| c.is_whitespace() || "`\"'".contains(c));
    let word = before.rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    ["execute", "open", "read", "run"].iter().any(|verb| word.eq_ignore_ascii_case(verb))
}

#[cfg(test)]
mod tests {
    use super::{find_homes, find_key, is_about_paths};

    // SPEC 2.22
    #[test]
    fn keys_are_distinguished_from_placeholders() {
        // The keys are joined here, so that no scanner takes this file for one that contains them.
        let random = "Zq7Rw2Lk9Xv4Tn6Bd1Hs8Mf3Gj5Pc0Ya2Ue7Wo4";
        for (start, length) in [("ghp_", 36), ("npm_", 36), ("AIza", 35), ("glpat-", 20), ("hf_", 34)] {
            let key = format!("{start}{}", &random[..length]);
            let text = format!("Set `TOKEN={key}`.");
            assert_eq!(find_key(&text).map(|(place, _)| &text[place]), Some(key.as_str()), "{text}");
            assert_eq!(find_key(&format!("x{key}")), None, "part of a word");
            assert_eq!(find_key(&format!("{key}Q")), None, "too long");
        }
        let pem = format!("    -----BEGIN EC PRIVATE KEY-----\n    {random}{random}\n");
        assert!(find_key(&pem).is_some());
        let placeholders = [
            format!("AKIA{}", "IOSFODNN7EXAMPLE"),
            format!("ghp_{}", "x".repeat(36)),
            format!("AIza{}", "SyA1B2C3D4E5F6G7H8I9J0K1L2M3N4O5P6Q"),
            format!("sk-{}", "abcdefghijklmnopqrstuvwxyz0123456789abcdefghijkl"),
            "-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----".to_owned(),
            "-----BEGIN PRIVATE KEY-----\n<base64-encoded-private-key>\n".to_owned(),
        ];
        for text in placeholders {
            assert_eq!(find_key(&text), None, "{text}");
        }
    }

    // SPEC 2.22
    #[test]
    fn home_directories_of_people_are_distinguished_from_others() {
        for (text, name) in [
            ("Data is in `/Users/eamon/Documents`.", "eamon"),
            ("cd /home/lokesh.k/git", "lokesh.k"),
            (r"C:\Users\ingrid\Desktop", "ingrid"),
            ("Run /home/alice/x.sh and `/Users/bob/y`", "alice"),
            ("scp a piet@host:/home/piet/a, then read `/home/piet/a`", "piet"),
            (r#""C:\\Users\\ingrid\\Desktop""#, "ingrid"),
            ("`/mnt/c/Users/ingrid/a` and file:///home/piet/b", "ingrid"),
            ("C:\\Users\\piet\\x is /home/piet/x there", "piet"),
            ("Start → /Users/piet/x", "piet"),
            ("Examples follow, e.g. none. Run `/Users/piet/x`", "piet"),
            ("Add to the settings:\n```json\n{\n  \"command\": \"/Users/piet/x\"\n}\n```", "piet"),
            ("The error of 2026 is in `/Users/piet/x`", "piet"),
        ] {
            assert_eq!(find_homes(text).first().map(|(_, name)| *name), Some(name), "{text}");
        }
        for text in [
            "/Users/me/My Repo /home/user/x /home/runner/work /Users/<name>/x /home/$USER/x /Users/yourname/x",
            "https://a.b/home/piet/x ./home/piet/x screens/home/components/ myapp://home/product/123",
            r"C:\Users\Public\x C:\Users\%USERNAME%\x",
            "/home/piet",
            "/home/images/x.png /home/logPath/x /home/Linux64_V2.00.8/x /home/server/x",
            "COPY --from=builder /home/piet/dist /srv",
            "docker run -v data:/home/piet/data x",
            "useradd -m piet\nchown piet /home/piet/x",
            "volumes:\n  - ./data:/home/piet/data:Z\n\nThe main file is `/home/piet/data/main.ts`.",
            "/Users/alice/x /home/bob/y /Users/jane.roe/z",
            "# BAD: breaks on other computers\nDIR=/home/piet/x",
            "- ❌ `/Users/piet/x`",
            "Allow `/Users/piet/x/**`, or /Users/piet/...",
            "- Windows: C:\\Users\\piet\\x\n- macOS: /Users/piet/x\n- Linux: /home/piet/x",
            "print(Path.home() / 'x')  # → '/Users/piet/x'",
            "```\n$ tool where x\n/home/piet/x/1\n```\n\n```\nbasename x\n# Output: /Users/piet/x\n```",
            "cache: /home/vllm/.cache or C:\\Users\\docs\\data.txt",
            r"C:\Users\Administrator\x C:\Users\runneradmin\x C:\Users\ContainerAdministrator\x C:\Users\Default\x",
            "Do **not** use paths like `/home/piet/a.pdf`",
            "```\nError: git init failed in /Users/piet/x\n```",
            "/home/piet/x: No such file or directory",
            "The key has `-` for `/`. For example:\n`/Users/piet/x` → `-Users-piet-x`",
            "It differs on each computer (e.g. `/Users/piet/x`)",
            "**Example:** `/Users/piet/x`",
            "The cache has this shape:\n\n```json\n{\n  \"a\": 1,\n  \"vault\": \"/Users/piet/x\"\n}\n```",
            "**Verified 2026-07-31 on `/Users/piet/x`:**",
            "Tested with `/Users/piet/x`",
            "### Record schema\n\n```json\n{ \"vault\": \"/Users/piet/x\" }\n```",
        ] {
            assert_eq!(find_homes(text), [], "{text}");
        }
        for name in ["path-privacy", "privacy_filter", "rewrite-paths"] {
            assert!(is_about_paths(name), "{name}");
        }
        assert!(!is_about_paths("attack-path") && !is_about_paths("pathology"));
    }
}
