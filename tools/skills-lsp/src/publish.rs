//! Publishes the report of a directory as diagnostics of its files, if they have changed.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;

use lsp_types::{
    CodeDescription, Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, Location, NumberOrString,
    PublishDiagnosticsParams, Range, Uri,
};
use skills_core::diagnostic::Diagnostic as Problem;
use skills_core::level::Level;
use skills_core::span::{SourceMap, Span};
use skills_report::fix::Checked;

use crate::convert::Texts;
use crate::root::Root;
use crate::workspace::Workspace;

/// The digests of diagnostics that the client has.
#[derive(Default)]
pub(crate) struct Sent {
    /// The last message for each URI.
    pushed: BTreeMap<Uri, u64>,
    /// The diagnostics of open documents after the last check.
    pulled: BTreeMap<Uri, u64>,
}

/// The source of problems: the files of a directory, or its `skills.toml`.
#[derive(Clone, Copy)]
pub(crate) struct ProblemOrigin<'r> {
    root: &'r Root,
    sources: &'r SourceMap,
    config: Option<&'r Path>,
}

impl<'r> ProblemOrigin<'r> {
    pub(crate) fn new(root: &'r Root) -> Self {
        Self { root, sources: root.checked.sources(), config: None }
    }

    /// Returns the address of the page of a rule.
    fn page(&self, code: &str) -> Option<CodeDescription> {
        Some(CodeDescription { href: self.root.rules.as_ref()?.uri(code)? })
    }

    fn range(&self, span: Span, texts: &mut Texts<'r>) -> Range {
        texts.range(&self.sources.file_of(span).text, self.sources.range(span))
    }

    fn uri(&self, span: Span) -> Uri {
        match self.config {
            Some(path) => self.root.uri(path),
            None => self.root.uri_of(self.sources.file_of(span)),
        }
    }
}

/// The problems of files, by the URIs of the client.
type Found<'r> = BTreeMap<Uri, Vec<(ProblemOrigin<'r>, &'r Problem)>>;

/// Returns the problems of all files that have any.
fn found<'r>(roots: impl Iterator<Item = &'r Root>) -> Found<'r> {
    let mut now = Found::new();
    let mut configs: BTreeSet<&Path> = BTreeSet::new();
    for root in roots {
        let of_root = (ProblemOrigin::new(root), root.report());
        // One file may apply to several directories.
        let config = root.config.path.as_deref().filter(|path| configs.insert(path));
        let of_config = config.map(|path| {
            (ProblemOrigin { root, sources: &root.config.sources, config: Some(path) }, &root.config.report)
        });
        for (origin, report) in std::iter::once(of_root).chain(of_config) {
            let sources = origin.sources;
            let files = report
                .diagnostics
                .chunk_by(|a, b| sources.file_of(a.span).path == sources.file_of(b.span).path);
            for file in files {
                let Some(first) = file.first() else { continue };
                now.entry(origin.uri(first.span))
                    .or_default()
                    .extend(file.iter().map(|found| (origin, found)));
            }
        }
    }
    now
}

/// Returns the diagnostics of one file.
pub(crate) fn of_file(workspace: &Workspace, uri: &Uri) -> Vec<Diagnostic> {
    let list = found(workspace.roots.values()).remove(uri).unwrap_or_default();
    let mut texts = Texts::new(workspace.client.encoding);
    list.into_iter().map(|(origin, found)| diagnostic(origin, found, &mut texts)).collect()
}

/// Returns the messages for files whose diagnostics have changed. Also returns `true` if they have changed
/// for an open file whose diagnostics the client requests itself.
pub(crate) fn changes(workspace: &Workspace, sent: &mut Sent) -> (Vec<PublishDiagnosticsParams>, bool) {
    let (versions, pulls) = (&workspace.versions, workspace.client.pulls);
    let mut now = found(workspace.roots.values());
    let mut digests = BTreeMap::new();
    if pulls {
        for uri in versions.keys() {
            digests.insert(uri.clone(), digest(&now.remove(uri).unwrap_or_default()));
        }
    }
    let is_stale = digests != sent.pulled;
    sent.pulled = digests;
    let sent = &mut sent.pushed;
    let mut messages = Vec::new();
    let gone = sent.keys().filter(|uri| !now.contains_key(*uri)).cloned().collect::<Vec<_>>();
    for uri in gone {
        sent.remove(&uri);
        messages.push(message(uri, Vec::new(), versions));
    }
    for (uri, list) in now {
        let digest = digest(&list);
        if sent.get(&uri) != Some(&digest) {
            // Two directories may contain the same file, each with its own source map.
            let mut texts = Texts::new(workspace.client.encoding);
            let list = list.into_iter().map(|(origin, found)| diagnostic(origin, found, &mut texts));
            messages.push(message(uri.clone(), list.collect(), versions));
            sent.insert(uri, digest);
        }
    }
    (messages, is_stale)
}

fn message(uri: Uri, list: Vec<Diagnostic>, versions: &BTreeMap<Uri, i32>) -> PublishDiagnosticsParams {
    let version = versions.get(&uri).copied();
    PublishDiagnosticsParams::new(uri, list, version)
}

/// Computes a digest of a message, to detect changes. A keystroke changes few messages, and formatting all of
/// them would cost more.
fn digest(list: &[(ProblemOrigin<'_>, &Problem)]) -> u64 {
    let mut hasher = DefaultHasher::new();
    for (origin, found) in list {
        let sources = origin.sources;
        (found.rule.code, found.level.as_str(), &found.title, &found.label, &found.help).hash(&mut hasher);
        let places = std::iter::once((found.span, ""))
            .chain(found.related.iter().map(|other| (other.span, other.label.as_str())));
        for (span, label) in places {
            let (start, end) = sources.positions(span);
            let file = &sources.file_of(span).path;
            (start.line, start.column, end.line, end.column, file, label).hash(&mut hasher);
            // A character with two UTF-16 units moves the later columns of its line in the protocol, but not in
            // `positions`.
            let text = sources.file_of(span).text.as_bytes();
            let end = sources.range(span).end;
            let before = text.get(..end).unwrap_or_default().rsplit(|byte| *byte == b'\n').next();
            before.unwrap_or_default().iter().filter(|byte| **byte >= 0xf0).count().hash(&mut hasher);
        }
    }
    hasher.finish()
}

/// Converts one problem to a diagnostic of the protocol.
pub(crate) fn diagnostic<'r>(
    origin: ProblemOrigin<'r>,
    found: &Problem,
    texts: &mut Texts<'r>,
) -> Diagnostic {
    let mut message = found.title.clone();
    for (lead, part) in [("\n", &found.label), ("\nhelp: ", &found.help)] {
        if !part.is_empty() {
            message.push_str(lead);
            message.push_str(part);
        }
    }
    let related = found.related.iter().map(|other| DiagnosticRelatedInformation {
        location: Location::new(origin.uri(other.span), origin.range(other.span, texts)),
        message: other.label.clone(),
    });
    let related: Vec<_> = related.collect();
    let severity = match found.level {
        Level::Error => DiagnosticSeverity::ERROR,
        _ => DiagnosticSeverity::WARNING,
    };
    Diagnostic {
        range: origin.range(found.span, texts),
        severity: Some(severity),
        code: Some(NumberOrString::String(found.rule.code.to_owned())),
        code_description: origin.page(found.rule.code),
        source: Some("skills".to_owned()),
        message,
        related_information: Some(related),
        ..Diagnostic::default()
    }
}
