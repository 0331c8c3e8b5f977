//! Signature help: the input of the skill that a step calls, while its `input` is typed.

use lsp_types::{Documentation, ParameterInformation, ParameterLabel, SignatureHelp, SignatureInformation};
use skills_core::tree::Node;
use skills_schema::Part;

use crate::convert::number;
use crate::draft;
use crate::root::Root;
use crate::schema;

/// Returns the signature at an offset of a `skill.json`, which may be incomplete.
pub(crate) fn signature(root: &Root, text: &str, offset: usize) -> Option<SignatureHelp> {
    let (tree, cursor) = draft::read(text, offset);
    let (tree, cursor) = (tree?, cursor?);
    let keys: Vec<&str> = cursor.path.iter().map(String::as_str).collect();
    let (step, current) = match keys.as_slice() {
        ["pipeline", step, "input"] => (*step, text.get(cursor.word.clone()).filter(|_| cursor.is_key)),
        ["pipeline", step, "input", key, ..] => (*step, Some(*key)),
        _ => return None,
    };
    let step = tree.get("pipeline")?.as_list()?.get(step.parse::<usize>().ok()?)?;
    let skill = root.find(step.get("skill").and_then(Node::as_string)?)?;
    let input = schema::resolved(skill.schema(root.session(), "input")?);
    let required: Vec<&str> = input.items_of("required").iter().filter_map(|key| key.as_str()).collect();
    let members = schema::members(input);
    let mut label = format!("{}(", skill.name);
    let mut parameters = Vec::with_capacity(members.len());
    for (at, (key, part)) in members.iter().enumerate() {
        label.push_str(if at == 0 { "" } else { ", " });
        let start = label.encode_utf16().count();
        let optional = if required.contains(key) { "" } else { "?" };
        label.push_str(&format!("{key}{optional}: {}", schema::kind(*part)));
        let end = label.encode_utf16().count();
        parameters.push(ParameterInformation {
            label: ParameterLabel::LabelOffsets([number(start), number(end)]),
            documentation: documented(*part),
        });
    }
    label.push(')');
    let active = current.and_then(|key| members.iter().position(|(known, _)| *known == key));
    // A number after the last parameter means that no parameter is active.
    let active = Some(number(active.unwrap_or(members.len())));
    let documentation = Some(skill.description.clone()).filter(|text| !text.is_empty());
    let signature = SignatureInformation {
        label,
        documentation: documentation.map(Documentation::String),
        parameters: Some(parameters),
        active_parameter: active,
    };
    Some(SignatureHelp { signatures: vec![signature], active_signature: Some(0), active_parameter: active })
}

fn documented(part: Part<'_>) -> Option<Documentation> {
    let text = schema::description(part);
    (!text.is_empty()).then(|| Documentation::String(text.to_owned()))
}
