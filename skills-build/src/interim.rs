//! Stands in for `skills_core::load` until it lands.

use std::path::Path;

use skills_core::catalog::{Catalog, Skill};
use skills_core::diagnostic::{Levels, Report};
use skills_core::read::{Content, File};
use skills_core::span::SourceMap;

pub(crate) struct Loaded {
    pub(crate) catalog: Catalog,
    pub(crate) report: Report,
}

pub(crate) fn load(root: &Path, label: &str, _levels: &Levels) -> Loaded {
    let mut sources = SourceMap::new(label);
    let mut skills = Vec::new();
    let mut names: Vec<_> = std::fs::read_dir(root)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    for dir in names {
        let path = root.join(&dir);
        let mut files = Vec::new();
        walk(&path, "", &mut files);
        files.sort();
        let mut skill_files = Vec::new();
        let mut document = None;
        for file in files {
            let bytes = std::fs::read(path.join(&file)).unwrap_or_default();
            let executable = bytes.starts_with(b"#!");
            let content = match String::from_utf8(bytes) {
                Ok(text) => {
                    if file == "SKILL.md" {
                        document = Some(text.clone());
                    }
                    Content::Text(sources.add(format!("{dir}/{file}"), text, None))
                }
                Err(error) => Content::Bytes(error.into_bytes()),
            };
            skill_files.push(File { path: file, content, executable, mode_executable: executable });
        }
        let Some(document) = document else { continue };
        let end = document.find("\n---\n").map_or(0, |at| at + 5);
        let field = |key: &str| {
            document[..end]
                .lines()
                .find_map(|line| line.strip_prefix(key))
                .unwrap_or_default()
                .trim()
                .to_owned()
        };
        let name = field("name:");
        let start = end + document[end..].len() - document[end..].trim_start_matches('\n').len();
        skills.push(Skill {
            ident: name.replace('-', "_"),
            name,
            dir,
            description: field("description:"),
            version: "0.1.0".into(),
            tier: 1,
            body: Some(start..document.len()),
            frontmatter: format!("{{{:?}: {:?}}}", "description", field("description:")),
            exec: None,
            schema: None,
            timeout: None,
            requires: vec![],
            trigger: None,
            mcp_servers: vec![],
            allowed_tools: vec![],
            tags: vec![],
            category: None,
            model_invocable: true,
            signature: None,
            files: skill_files,
        });
    }
    Loaded { catalog: Catalog::new(sources, skills), report: Report::default() }
}

fn walk(root: &Path, below: &str, out: &mut Vec<String>) {
    for entry in std::fs::read_dir(root.join(below)).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = if below.is_empty() { name } else { format!("{below}/{name}") };
        if entry.path().is_dir() { walk(root, &path, out) } else { out.push(path) }
    }
}
