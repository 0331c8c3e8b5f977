//! Converts skills that a user calls by name to prompts, and inserts the arguments.

use rmcp::ErrorData;
use rmcp::model::{
    GetPromptRequestParams, GetPromptResult, JsonObject, Prompt, PromptArgument, PromptMessage, Role,
};
use serde_json::Value;
use skills_call::Runner;
use skills_registry::Skill;
use skills_text::clean;

use super::shown::ProseSkill;
use super::{Page, add_origin, cut_page, find, is_for_users};

/// The only argument of a skill that declares none.
const ALL: &str = "arguments";

/// Returns the skills that are prompts, sorted by name.
pub(crate) fn prompts(runner: &Runner) -> impl Iterator<Item = Prompt> {
    runner.skills().iter().filter(|skill| is_for_users(*skill)).map(prompt)
}

/// Returns a page of prompts.
pub(crate) fn page(runner: &Runner, cursor: Option<&str>) -> Result<Page<Prompt>, ErrorData> {
    let skills = runner.skills().iter().map(|skill| ((skill.name(), "".into()), skill));
    cut_page(skills, cursor, |skill| is_for_users(skill).then(|| prompt(skill)))
}

fn prompt(skill: Skill<'_>) -> Prompt {
    let declared: Vec<PromptArgument> =
        skill.arguments().map(|name| PromptArgument::new(name).with_required(false)).collect();
    let arguments = if declared.is_empty() { vec![everything(skill)] } else { declared };
    let mut prompt = Prompt::new(skill.name(), Some(clean(skill.description())), Some(arguments));
    add_origin(&mut prompt.meta, skill);
    prompt
}

/// Returns the argument that takes the whole text that a user types.
fn everything(skill: Skill<'_>) -> PromptArgument {
    let argument = PromptArgument::new(ALL).with_required(false);
    match skill.argument_hint() {
        Some(hint) => argument.with_description(clean(hint)),
        None => argument,
    }
}

/// Answers `prompts/get`.
pub(crate) fn get(runner: &Runner, request: &GetPromptRequestParams) -> Result<GetPromptResult, ErrorData> {
    let name = &request.name;
    let found = find(runner.skills(), name).filter(|skill| is_for_users(*skill));
    let skill = found.ok_or_else(|| ErrorData::invalid_params(format!("unknown prompt: {name}"), None))?;
    let typed = match &request.arguments {
        Some(given) => typed(skill, given)?,
        None => String::new(),
    };
    let base =
        ProseSkill::from_layers(runner.skills(), skill).map_or_else(String::new, |shown| shown.address(""));
    let mut text = skill.body_in(&base, None, Some(&typed)).into_owned();
    if skill.resources().next().is_some() {
        text = format!(
            "Paths in this skill are relative to {base}; its files are resources of this server.\n\n{text}"
        );
    }
    let message = PromptMessage::new_text(Role::User, clean(&text));
    Ok(GetPromptResult::new(vec![message]).with_description(clean(skill.description())))
}

/// Formats named arguments like a user would type them.
fn typed(skill: Skill<'_>, given: &JsonObject) -> Result<String, ErrorData> {
    let names: Vec<&str> = skill.arguments().collect();
    let is_known = |name: &str| if names.is_empty() { name == ALL } else { names.contains(&name) };
    if let Some(unknown) = given.keys().find(|name| !is_known(name)) {
        let known = if names.is_empty() { ALL.to_owned() } else { names.join(", ") };
        let text = format!("unknown argument: {unknown}; there are: {known}");
        return Err(ErrorData::invalid_params(text, None));
    }
    let value = |name: &str| match given.get(name) {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(value) => value.to_string(),
    };
    if names.is_empty() {
        return Ok(value(ALL));
    }
    let mut words: Vec<String> = names.iter().map(|name| value(name)).collect();
    while words.last().is_some_and(String::is_empty) {
        words.pop();
    }
    Ok(words.iter().map(|word| quote(word)).collect::<Vec<_>>().join(" "))
}

/// Quotes a word so that it stays one word.
fn quote(word: &str) -> String {
    if !word.is_empty() && !word.contains(|c: char| c.is_whitespace() || matches!(c, '\'' | '"' | '\\')) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::quote;

    // SPEC 8.5
    #[test]
    fn a_quoted_word_is_not_split() {
        for word in
            ["", "plain", "two words", "it's", "'", "\"", "\\", "a\nb", "é ü", "$(x) `y`", "'' \\ \" \t"]
        {
            let words = skills_text::split_words(&quote(word));
            assert_eq!(words, Some(vec![word.to_owned()]), "{word:?}");
        }
    }
}
