//! Turns drafts without errors into the skills of the [`Catalog`].

use std::borrow::Cow;
use std::ops::Range;

use skills_registry::{Backend, Permissions, ident_key};
use skills_text::Places;

use super::draft::SkillDraft;
use super::duplicates;
use super::pipeline::DraftSteps;
use crate::catalog::{Catalog, CatalogSkill, Facts, FunctionFacts, Mode, Signature};
use crate::name::is_keyword;
use crate::parse::{Frontmatter, ParsedSkill};
use crate::report::{Repeated, Report};
use crate::tree::{Node, ScalarType, Value, text};
use crate::{DirectoryKind, Level, Options, Profile, SourceMap, Span, Spanned, known};

pub(super) fn assemble(
    drafts: Vec<SkillDraft>,
    sources: SourceMap,
    options: &Options,
    report: &mut Report,
) -> Catalog {
    let selection = select(&drafts, &sources, options, report);
    let selected = drafts.into_iter().zip(selection).filter(|(_, is_selected)| *is_selected);
    let mut skills: Vec<CatalogSkill> =
        selected.map(|(draft, _)| to_catalog_skill(draft, &sources)).collect();
    assign_module_names(&mut skills);
    Catalog::new(sources, skills)
}

/// Selects the skills without an error whose name no earlier skill has, and reports the second skill with a name.
pub(super) fn select(
    drafts: &[SkillDraft],
    sources: &SourceMap,
    options: &Options,
    report: &mut Report,
) -> Vec<bool> {
    let errors = report.diagnostics.iter().filter(|diagnostic| diagnostic.level == Level::Error);
    let mut broken: Vec<bool> = drafts.iter().map(|draft| draft.skill.is_foreign()).collect();
    for skill in errors.filter_map(|diagnostic| sources.file_of(diagnostic.span).skill) {
        if let Some(broken) = broken.get_mut(skill) {
            *broken = true;
        }
    }
    // If duplicate names are not an error, the first skill in path order keeps the name (SPEC 1.5).
    let mut names = Places::default();
    let mut left_out = vec![None; drafts.len()];
    for (at, draft) in drafts.iter().enumerate().filter(|(at, _)| !broken[*at]) {
        let first = names.first(ident_key(&draft.name).into_owned(), at);
        left_out[at] = (first != at).then_some(first);
    }
    let pairs =
        || left_out.iter().enumerate().filter_map(|(at, first)| Some((&drafts[at], &drafts[(*first)?])));
    let repeated = pairs().map(|(draft, first)| Repeated {
        name: draft.name.clone(),
        path: draft.skill.dir.path.clone(),
        first: first.skill.dir.path.clone(),
    });
    report.repeated = repeated.collect();
    if options.profile == Profile::Bundle && options.read.scope == DirectoryKind::Bundle {
        let found: Vec<_> = pairs().map(|(draft, first)| duplicates::left_out(draft, first)).collect();
        report.insert(found, &options.levels, options.profile, sources);
    }
    broken.into_iter().zip(left_out).map(|(is_broken, first)| !is_broken && first.is_none()).collect()
}

/// Converts a draft without errors, by taking its parts.
fn to_catalog_skill(draft: SkillDraft, sources: &SourceMap) -> CatalogSkill {
    let backend = draft.backend();
    let SkillDraft {
        skill,
        fields,
        typed,
        name,
        tier,
        program_path,
        schema_path,
        schema_lowered,
        prompt,
        ..
    } = draft;
    let mut typed = typed.unwrap_or_default();
    let steps = typed.steps.take().filter(|_| backend == Some(Backend::Pipeline));
    let mapping = typed.output_mapping.take().filter(|_| steps.is_some());
    let lowered = typed.input_lowered.take().zip(typed.output_lowered.take());
    let declared = typed.mode.as_ref().zip(lowered).map(|(mode, (input, output))| {
        let function = FunctionFacts {
            mode: mode.value,
            calls: values(&typed.calls),
            retry: typed.retry,
            pure: typed.pure.as_ref().is_some_and(|pure| pure.value),
            prompt: prompt_text(&skill, sources),
            pipeline: steps.as_ref().map(|steps| source(sources, steps.span)),
            output_mapping: mapping.as_ref().map(|mapping| source(sources, mapping.value.span)),
            certain_calls: steps.as_ref().map(DraftSteps::certain_calls).unwrap_or_default(),
            mcp: typed.mcp.take().filter(|_| mode.value == Mode::Mcp),
        };
        let signature = Signature {
            input: input.document,
            input_tables: input.tables,
            output: output.document,
            output_tables: output.tables,
            prompt_tree: prompt.and_then(|prompt| prompt.value.tree),
            plan: steps.and_then(|steps| steps.into_pipeline(mapping)),
        };
        (function, signature)
    });
    let (function, signature) = declared.unzip();
    let (schema_document, schema_tables) =
        schema_lowered.map(|lowered| (lowered.document, lowered.tables)).unzip();
    let default_version = if signature.is_some() { "1.0.0" } else { "0.1.0" };
    let tags = if typed.tags.is_empty() { values(&fields.tags) } else { values(&typed.tags) };
    let is_internal = fields.internal;
    let timeout_ms = typed.timeout.or(fields.timeout).map(|timeout| timeout.value);
    let document = skill.document.as_ref();
    let frontmatter = document.and_then(|document| document.frontmatter.as_ref());
    let version = first(typed.version, fields.version).or_else(|| version_in_metadata(frontmatter?));
    let own = frontmatter.map(own_pairs).unwrap_or_default();
    let facts = Facts {
        dir: skill.dir.path,
        description: first(typed.description, fields.description).unwrap_or_default().trim().to_owned(),
        version: version.unwrap_or_else(|| default_version.to_owned()),
        tier,
        body: document.map(|document| sources.range(document.body)),
        plain_frontmatter: frontmatter.is_some_and(|frontmatter| frontmatter.plain),
        frontmatter: frontmatter
            .map_or_else(|| "{}".to_owned(), |frontmatter| text::to_json(&frontmatter.tree)),
        exec: program_path.as_ref().and(fields.exec).map(|exec| exec.value),
        program: program_path,
        schema: schema_path,
        timeout_ms,
        invalid_timeout: fields.invalid_timeout.filter(|_| timeout_ms.is_none()),
        requires: values(&fields.requires),
        mcp_servers: fields.mcp_servers,
        declared: fields.declared,
        own,
        permissions: match fields.is_confined {
            true => Some(Permissions::default()),
            false => typed.permissions.or(fields.permissions).map(|asked| asked.value),
        },
        backend,
        user_invocable: !fields.hidden_from_users && !is_internal,
        model_invocable: !fields.hidden_from_model && !is_internal,
        internal: is_internal,
        tags,
        category: first(typed.category, fields.category),
        source: skill.dir.origin.as_ref().map(|origin| origin.source.clone()),
        revision: skill.dir.origin.and_then(|origin| origin.revision),
        function,
        name,
    };
    let (is_flat, files) = (skill.dir.is_flat, skill.dir.files);
    CatalogSkill {
        facts,
        ident: String::new(),
        schema_document,
        schema_tables,
        signature,
        is_flat,
        has_program_version: false,
        files,
    }
}

/// Returns the file and the range of the text that an `llm` skill sends.
fn prompt_text(skill: &ParsedSkill, sources: &SourceMap) -> Option<(&'static str, Range<usize>)> {
    let path = if skill.prompt.is_some() { "prompt.md" } else { "SKILL.md" };
    Some((path, sources.range(skill.prompt_span(sources)?)))
}

/// Returns the version below `metadata`, where the standard has it.
fn version_in_metadata(frontmatter: &Frontmatter) -> Option<String> {
    let metadata = frontmatter.metadata()?;
    let version = metadata.get("version")?.as_scalar().filter(|version| version.kind != ScalarType::Null)?;
    let text = version.text.trim();
    (!text.is_empty() && !text.contains(char::is_control)).then(|| text.to_owned())
}

/// Returns the values for other programs, each with its path: all values below `metadata` and of unknown keys. Dots join
/// the keys of nested maps, and each item of a list gives a pair.
fn own_pairs(frontmatter: &Frontmatter) -> Vec<(String, String)> {
    let mut pairs = Vec::new();
    if let Some(metadata) = frontmatter.metadata() {
        add_pairs("", &metadata, &mut pairs);
    }
    for entry in frontmatter.tree.as_map().unwrap_or_default() {
        if known::find_folded(&known::fold(&entry.key)).is_none() {
            add_pairs(&entry.key, &entry.value, &mut pairs);
        }
    }
    pairs
}

fn add_pairs(path: &str, node: &Node, pairs: &mut Vec<(String, String)>) {
    match &node.value {
        Value::Scalar(scalar) if !node.is_absent() => pairs.push((path.to_owned(), scalar.text.clone())),
        Value::Scalar(_) => {}
        Value::List(items) => items.iter().for_each(|item| add_pairs(path, item, pairs)),
        Value::Map(entries) => {
            for entry in entries {
                let path: Cow<'_, str> = match path {
                    "" => Cow::Borrowed(&entry.key),
                    path => Cow::Owned(format!("{path}.{}", entry.key)),
                };
                add_pairs(&path, &entry.value, pairs);
            }
        }
    }
}

fn first(a: Option<Spanned<String>>, b: Option<Spanned<String>>) -> Option<String> {
    a.or(b).map(|text| text.value)
}

fn values(texts: &[Spanned<String>]) -> Vec<String> {
    texts.iter().map(|text| text.value.clone()).collect()
}

fn source(sources: &SourceMap, span: Span) -> String {
    sources.text(span).to_owned()
}

/// Names that would shadow names in the generated code or around it, besides keywords.
const RESERVED: &[&str] = &[
    "alloc", "bool", "char", "core", "f32", "f64", "i128", "i16", "i32", "i64", "i8", "isize", "skills",
    "std", "str", "u128", "u16", "u32", "u64", "u8", "usize",
];

fn assign_module_names(skills: &mut [CatalogSkill]) {
    let mut taken = Places::default();
    for (at, skill) in skills.iter_mut().enumerate() {
        let mut ident = skill.name.replace(|c: char| !c.is_ascii_alphanumeric(), "_").to_ascii_lowercase();
        if !ident.starts_with(|c: char| c.is_ascii_lowercase()) {
            ident.insert(0, '_');
        }
        while ident == "_"
            || is_keyword(&ident)
            || RESERVED.contains(&ident.as_str())
            || taken.get(&ident).is_some()
        {
            ident.push('_');
        }
        taken.insert(ident.clone(), at);
        skill.ident = ident;
    }
}
