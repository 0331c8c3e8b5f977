//! Replaces machine-dependent paths and secrets in cassettes and reports.

use std::path::Path;

use serde_json::Value;
use skills_text::is_secret_name;

use skills_call::Layers;

/// Texts to replace, with their replacements.
#[derive(Clone, Debug, Default)]
pub(super) struct Masks {
    /// Directories. The original paths are restored when an exchange is replayed.
    places: Vec<(String, String)>,
    /// Secrets. They are never restored.
    secrets: Vec<(String, String)>,
}

/// Documented prefixes of the API keys of providers.
const KEYS: [&str; 26] = [
    "sk-",
    "sk_live_",
    "rk_live_",
    "gsk_",
    "xai-",
    "pplx-",
    "nvapi-",
    "r8_",
    "hf_",
    "AIza",
    "GOCSPX-",
    "ghp_",
    "gho_",
    "ghu_",
    "ghs_",
    "ghr_",
    "github_pat_",
    "glpat-",
    "npm_",
    "pypi-",
    "xoxa-",
    "xoxb-",
    "xoxe-",
    "xoxp-",
    "xoxs-",
    "xapp-",
];

/// Prefixes of the ids of permanent and temporary AWS keys, followed by capitals and digits.
const AWS: [&str; 2] = ["AKIA", "ASIA"];

/// The prefix of each part of a JSON web token except the last: `{"` in base64.
const JWT: &str = "eyJ";

/// The minimum length of a secret: shorter ones would match everywhere.
const SHORTEST: usize = 8;

impl Masks {
    /// Masks the directories of a set of skills, and the secrets of the environment.
    pub(super) fn new(layers: &Layers) -> Self {
        let mut masks = Self::default();
        for skill in layers.iter() {
            let directory = layers.directory(skill);
            let parent = directory.as_deref().and_then(Path::parent).and_then(Path::to_str);
            if let Some(parent) = parent
                .filter(|parent| parent.len() > 1 && !(masks.places.iter().any(|(place, _)| place == parent)))
            {
                let count = masks.places.len();
                masks.places.push((parent.to_owned(), format!("${{skills{count}}}")));
            }
        }
        for (name, value) in std::env::vars_os() {
            let (Some(name), Some(value)) = (name.to_str(), value.to_str()) else { continue };
            if is_secret_name(name) {
                masks.hide(name, value);
            }
        }
        // Longer paths first, since one path may be a prefix of another.
        masks.places.sort_by_key(|(place, _)| std::cmp::Reverse(place.len()));
        masks
    }

    /// Hides a secret under a name.
    pub(super) fn hide(&mut self, name: &str, value: &str) {
        if value.len() >= SHORTEST {
            self.secrets.push((value.to_owned(), format!("[{name}]")));
            self.secrets.sort_by_key(|(secret, _)| std::cmp::Reverse(secret.len()));
        }
    }

    /// Masks another directory.
    pub(super) fn with_place(mut self, place: &str, name: &str) -> Self {
        self.places.insert(0, (place.to_owned(), format!("${{{name}}}")));
        self
    }

    pub(super) fn mask(&self, text: &str) -> String {
        let all = self.secrets.iter().chain(&self.places);
        without_keys(all.fold(text.to_owned(), |text, (real, shown)| text.replace(real, shown)))
    }

    /// Restores the paths of directories.
    pub(super) fn unmask(&self, text: &str) -> String {
        self.places.iter().fold(text.to_owned(), |text, (real, shown)| text.replace(shown, real))
    }

    pub(super) fn mask_value(&self, value: Value) -> Value {
        match value {
            Value::String(text) => Value::String(self.mask(&text)),
            Value::Array(items) => items.into_iter().map(|item| self.mask_value(item)).collect(),
            Value::Object(members) => {
                members.into_iter().map(|(name, member)| (name, self.mask_value(member))).collect()
            }
            other => other,
        }
    }
}

/// Hides everything that looks like an API key, wherever it came from.
fn without_keys(text: String) -> String {
    if !KEYS.iter().chain(&AWS).chain([&JWT]).any(|key| text.contains(key)) {
        return text;
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some(start) = rest.find(is_of_key) {
        let (before, word) = rest.split_at(start);
        let (word, after) = word.split_at(
            word.find(|c| !(is_of_key(c) || (c == '.' && word.starts_with(JWT)))).unwrap_or(word.len()),
        );
        out.push_str(before);
        out.push_str(if is_key(word) { "[key]" } else { word });
        rest = after;
    }
    out + rest
}

fn is_of_key(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '-'
}

/// Returns `true` if a word looks like a key. A key is long, and has digits among its letters, unlike most names.
fn is_key(word: &str) -> bool {
    const MIN_KEY_LENGTH: usize = 20;
    if word.len() < MIN_KEY_LENGTH {
        return false;
    }
    if word.starts_with(JWT) {
        return word.matches('.').count() >= 2;
    }
    if AWS.iter().any(|start| word.starts_with(start)) {
        // About one key in thirty has no digit.
        return word.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit());
    }
    KEYS.iter().any(|key| word.starts_with(key)) && word.contains(|c: char| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::{Masks, without_keys};

    // SPEC 16.13
    #[test]
    fn secrets_are_never_written_down() {
        let mut masks = Masks::default().with_place("/home/me/skills", "skills0");
        masks.hide("API_TOKEN", "hunter2-hunter2");
        let shown = masks.mask("at /home/me/skills/pdf with hunter2-hunter2");
        assert_eq!(shown, "at ${skills0}/pdf with [API_TOKEN]");
        assert_eq!(masks.unmask(&shown), "at /home/me/skills/pdf with [API_TOKEN]");
        let key = |text: &str| without_keys(text.to_owned());
        assert_eq!(key("the key sk-proj-abcdefghijkl0123456789, said"), "the key [key], said");
        assert_eq!(key("\"ghp_0123456789abcdefghijABCDEFGHIJ\""), "\"[key]\"");
        for start in ["gsk_", "xai-", "ghs_", "ghu_", "glpat-", "nvapi-"] {
            assert_eq!(key(&format!("{start}A1b2C3d4E5f6G7h8I9j0")), "[key]", "{start}");
        }
        for aws in ["ASIAIOSFODNN7EXAMPLE", "ASIAQWERTYUIOPASDFGH", "AKIAIOSFODNN7EXAMPLE"] {
            assert_eq!(key(&format!("id={aws}.")), "id=[key].");
        }
        let jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJtZSJ9.c2lnbmF0dXJlLW9mLWl0";
        assert_eq!(key(&format!("Bearer {jwt}, said")), "Bearer [key], said");
        for plain in
            ["eyJ", "eyJust-a-word-that-is-long.", "ASIAN-MARKETS-OF-2024-AND", "xai-is-a-company-of-note"]
        {
            assert_eq!(key(plain), plain);
        }
        for plain in ["sk-learn", "task-sk-", "a sk-short1", "sk-a-skill-with-a-long-name", ""] {
            assert_eq!(key(plain), plain);
        }
    }
}
