//! The skills of a source after they were checked, with the facts that a person wants to know before they are added.

use std::collections::BTreeMap;

use skills_core::diagnostic::Diagnostic;
use skills_core::level::Level;
use skills_core::options::Options;
use skills_core::print::cargo;
use skills_core::read::{SkillOrigin, is_license};
use skills_core::rule::fields::NAME_TWICE;
use skills_core::span::SourceMap;
use skills_core::{Loaded, load_over};
use skills_text::{hidden_runs, path_below};

use crate::{Fetched, FileState, Files, Locked, Source, SourceError};

/// The largest number of files of all skills of a source.
const MAX_FILES: usize = crate::git::MAX_FILES;

/// The checked skills of a source.
#[derive(Debug)]
pub struct Offer {
    /// The source.
    pub source: Source,
    /// The commit, or the version of the package.
    pub revision: Option<String>,
    /// The skills, sorted by name.
    pub skills: Vec<OfferedSkill>,
    /// Problems that belong to no skill.
    pub findings: Vec<Finding>,
}

/// A checked skill of a source.
#[derive(Debug)]
pub struct OfferedSkill {
    /// The name; for a skill with errors, the name of its directory.
    pub name: String,
    /// Its path in the source.
    pub path: String,
    /// Its files by their paths below it. Empty for a skill with errors.
    pub files: BTreeMap<String, OfferedFile>,
    /// The permissions that it requests, as JSON.
    pub permissions: Option<String>,
    /// The files that can be executed, and the MCP servers that it declares.
    pub programs: Vec<String>,
    /// The files that contain hidden characters.
    pub hidden: Vec<String>,
    /// The license of the skill, or else of the source.
    pub license: Option<String>,
    /// The problems that were found.
    pub findings: Vec<Finding>,
}

/// A file of an offered skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OfferedFile {
    /// Its contents.
    pub bytes: Vec<u8>,
    /// Whether it may be executed.
    pub executable: bool,
}

/// A problem of a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Whether it prevents adding the skill.
    pub is_error: bool,
    /// The place and the problem, in one line.
    pub text: String,
}

/// Checks the skills of a source with all rules. `options` has the levels of the project, because the levels of the
/// source do not count.
///
/// # Errors
/// Returns [`SourceError::Refused`] if the source has too many files.
pub fn check(fetched: &Fetched, options: &Options) -> Result<Offer, SourceError> {
    let mut offer = Offer {
        source: fetched.source.clone(),
        revision: fetched.revision.clone(),
        skills: Vec::new(),
        findings: Vec::new(),
    };
    // A `.gitignore` that applies to the location of a package does not apply to the package itself.
    let mut options = options.clone();
    options.read.git = false;
    // The paths that the project excludes from its own skills do not apply either.
    options.read.exclude.clear();
    // [`add`](crate::add) decides between skills of the same name.
    options
        .levels
        .set(NAME_TWICE.code, Level::Allow)
        .map_err(|error| SourceError::Usage(error.to_string()))?;
    options.origin = Some(SkillOrigin {
        source: fetched.source.to_string(),
        revision: fetched.revision.clone(),
        license: fetched.license.clone(),
    });
    for (root, path) in &fetched.roots {
        let label =
            if path.is_empty() { fetched.source.to_string() } else { format!("{}/{path}", fetched.source) };
        let mut loaded = load_over(root, &label, &options, &fetched.files);
        let count: usize = loaded.catalog.skills().iter().map(|skill| skill.files.len()).sum();
        if count > MAX_FILES {
            return Err(SourceError::Refused(format!("{label} has {count} files, more than {MAX_FILES}")));
        }
        // A catalog has one skill of each name, so each further one is loaded alone.
        let repeated = std::mem::take(&mut loaded.report.repeated);
        loaded.tally.skills.retain(|(_, path)| repeated.iter().all(|other| other.path != *path));
        offer.take(loaded, path, fetched.license.as_deref());
        for other in repeated {
            let label = join(&label, &other.path);
            let loaded = load_over(&root.join(&other.path), &label, &options, &fetched.files);
            offer.take(loaded, &join(path, &other.path), fetched.license.as_deref());
        }
    }
    for (path, reason) in &fetched.refused {
        offer.refuse(path, reason);
    }
    offer.skills.sort_by(|a, b| (&a.name, &a.path).cmp(&(&b.name, &b.path)));
    Ok(offer)
}

impl Offer {
    /// Finds a locked skill. Of several with its name, the one at its path is preferred, and then one without errors.
    pub(crate) fn find(&self, locked: &Locked) -> Option<&OfferedSkill> {
        let named = self.skills.iter().filter(|skill| skill.name == locked.name);
        // Of equal elements, `max_by_key` returns the last one.
        named.rev().max_by_key(|skill| (skill.path == locked.path, skill.is_valid()))
    }

    /// Adds the skills and problems of one directory.
    fn take(&mut self, loaded: Loaded, base: &str, license: Option<&str>) {
        let Loaded { catalog, report, tally } = loaded;
        let sources = catalog.sources();
        let mut by_skill: BTreeMap<usize, Vec<Finding>> = BTreeMap::new();
        for diagnostic in &report.diagnostics {
            match sources.file_of(diagnostic.span).skill {
                Some(at) => by_skill.entry(at).or_default().push(Finding::new(diagnostic, sources)),
                None => self.findings.push(Finding::new(diagnostic, sources)),
            }
        }
        for (at, directory) in &tally.skills {
            let path = join(base, directory);
            let findings = by_skill.remove(at).unwrap_or_default();
            let checked = catalog.skills().iter().find(|skill| skill.facts.dir == *directory);
            let mut offered = OfferedSkill {
                name: path.rsplit('/').next().unwrap_or_default().to_owned(),
                path,
                files: BTreeMap::new(),
                permissions: None,
                programs: Vec::new(),
                hidden: Vec::new(),
                license: None,
                findings,
            };
            if let Some(skill) = checked {
                offered.name.clone_from(&skill.facts.name);
                offered.permissions = skill.facts.permissions.as_ref().map(|asked| asked.to_json());
                for file in &skill.files {
                    let (bytes, executable) = (file.bytes(sources).to_owned(), file.executable);
                    offered.files.insert(file.path.clone(), OfferedFile { bytes, executable });
                }
                let named = license_of(&skill.facts.frontmatter);
                let named = named.or_else(|| offered.files.keys().find(|path| is_license(path)).cloned());
                offered.license = named.or_else(|| license.map(str::to_owned));
                let programs = offered.files.iter().filter(|(_, file)| file.executable);
                offered.programs = programs.map(|(path, _)| path.clone()).collect();
                let servers =
                    skill.facts.mcp_servers.iter().map(|server| format!("MCP server {}", server.name));
                offered.programs.extend(servers);
                // The server of a skill of mode `mcp` is started, or connected to, by each call.
                let pinned = skill.facts.function.as_ref().and_then(|function| function.mcp.as_ref());
                offered.programs.extend(pinned.map(|pinned| format!("MCP server {}", pinned.server)));
                offered.look();
            } else if offered.findings.iter().all(|finding| !finding.is_error) {
                let text = format!(
                    "{}: the skill cannot be used because of an error in another skill",
                    offered.path
                );
                offered.findings.push(Finding { is_error: true, text });
            }
            self.skills.push(offered);
        }
    }

    /// Refuses the skill to which a path of the source belongs.
    fn refuse(&mut self, path: &str, reason: &str) {
        let finding = Finding { is_error: true, text: format!("`{path}` {reason}") };
        let owners = self.skills.iter_mut().filter(|skill| path_below(path, &skill.path).is_some());
        match owners.max_by_key(|skill| skill.path.len()) {
            Some(skill) => skill.findings.push(finding),
            None => self.findings.push(finding),
        }
    }
}

fn join(base: &str, path: &str) -> String {
    match (base.is_empty(), path.is_empty()) {
        (true, _) => path.to_owned(),
        (_, true) => base.to_owned(),
        _ => format!("{base}/{path}"),
    }
}

/// Returns the value of `license` in a frontmatter, which is JSON here.
fn license_of(frontmatter: &str) -> Option<String> {
    let fields: serde_json::Value = serde_json::from_str(frontmatter).ok()?;
    fields.get("license")?.as_str().map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned)
}

impl Finding {
    fn new(diagnostic: &Diagnostic, sources: &SourceMap) -> Self {
        Self { is_error: diagnostic.level == Level::Error, text: cargo::line(diagnostic, sources) }
    }
}

impl OfferedSkill {
    /// Returns `true` if the skill has no errors.
    pub fn is_valid(&self) -> bool {
        !self.files.is_empty() && self.findings.iter().all(|finding| !finding.is_error)
    }

    /// Returns the size of its files in bytes.
    pub fn bytes(&self) -> u64 {
        self.files.values().map(|file| file.bytes.len() as u64).sum()
    }

    /// Returns the digests of its files.
    pub(crate) fn states(&self) -> Files {
        Files(
            self.files
                .iter()
                .map(|(path, file)| (path.clone(), FileState::new(&file.bytes, file.executable)))
                .collect(),
        )
    }

    /// Looks for hidden characters. A skill cannot allow hidden characters in itself here: the text
    /// that allows them comes from the source.
    fn look(&mut self) {
        for (path, file) in &self.files {
            let is_read = is_text(path);
            let fault = match std::str::from_utf8(&file.bytes) {
                Ok(text) if hidden_runs(text).is_empty() => continue,
                // A text file in another encoding can hide any text from a person who reads it as UTF-8.
                Err(_) if is_read => "is not UTF-8, so it may have characters that a person does not see",
                Err(_) if !has_hidden(&file.bytes) => continue,
                _ => "has characters that a person does not see",
            };
            self.hidden.push(path.clone());
            let text = format!("{}: `{path}` {fault}", self.path);
            self.findings.push(Finding { is_error: is_read, text });
        }
    }
}

/// Returns `true` if a model reads a file as text.
fn is_text(path: &str) -> bool {
    const ENDINGS: [&str; 4] = [".md", ".markdown", ".json", ".txt"];
    let path = path.to_ascii_lowercase();
    ENDINGS.iter().any(|ending| path.ends_with(ending))
}

/// Returns `true` if bytes that are not UTF-8 have two hidden characters in a row, in UTF-16 with a byte order mark or
/// in their valid parts. A single one occurs in compressed data by chance.
fn has_hidden(bytes: &[u8]) -> bool {
    /// The length of two characters that change the direction of writing.
    const TWO: usize = 6;
    let order: Option<fn([u8; 2]) -> u16> = match bytes {
        [0xff, 0xfe, ..] => Some(u16::from_le_bytes),
        [0xfe, 0xff, ..] => Some(u16::from_be_bytes),
        _ => None,
    };
    let text: String = match order {
        Some(order) => {
            let units = bytes.chunks_exact(2).skip(1).filter_map(|pair| Some(order(*pair.first_chunk()?)));
            char::decode_utf16(units).filter_map(Result::ok).collect()
        }
        None => bytes.utf8_chunks().map(|chunk| chunk.valid()).collect(),
    };
    // Other files than texts have control characters for good reasons.
    let text: String = text.chars().filter(|sign| !sign.is_control()).collect();
    hidden_runs(&text).iter().any(|(start, end, _)| end - start >= TWO)
}
