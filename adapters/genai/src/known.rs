//! The known providers: their addresses, protocols and environment variables for keys.

use crate::target::Protocol::{self, Anthropic, Chat, Gemini, Responses};

/// A known provider.
#[derive(Debug)]
pub(crate) struct Known {
    /// The prefix before `::` in the name of a model.
    pub(crate) name: &'static str,
    pub(crate) protocol: Protocol,
    pub(crate) url: &'static str,
    /// The environment variable for the key. `None` if no key is needed.
    pub(crate) key: Option<&'static str>,
    /// Whether the provider can enforce a schema for its answers.
    pub(crate) holds_schemas: bool,
}

const fn known(
    name: &'static str,
    protocol: Protocol,
    url: &'static str,
    key: &'static str,
    holds_schemas: bool,
) -> Known {
    Known { name, protocol, url, key: Some(key), holds_schemas }
}

/// The provider of a model without a prefix, if a base URL is given.
pub(crate) const OPENAI: Known = known("openai", Chat, "https://api.openai.com/v1/", "OPENAI_API_KEY", true);

pub(crate) const RESPONSES: Known =
    known("openai_resp", Responses, "https://api.openai.com/v1/", "OPENAI_API_KEY", true);

/// All known providers.
#[rustfmt::skip]
pub(crate) static KNOWN: [Known; 22] = [
    OPENAI,
    RESPONSES,
    known("anthropic", Anthropic, "https://api.anthropic.com/v1/", "ANTHROPIC_API_KEY", true),
    known("gemini", Gemini, "https://generativelanguage.googleapis.com/v1beta/", "GEMINI_API_KEY", true),
    Known { name: "ollama", protocol: Chat, url: "http://localhost:11434/v1/", key: None, holds_schemas: true },
    known("ollama_cloud", Chat, "https://ollama.com/v1/", "OLLAMA_API_KEY", true),
    known("aliyun", Chat, "https://dashscope.aliyuncs.com/compatible-mode/v1/", "ALIYUN_API_KEY", false),
    known("bigmodel", Chat, "https://open.bigmodel.cn/api/paas/v4/", "BIGMODEL_API_KEY", false),
    known("cohere", Chat, "https://api.cohere.ai/compatibility/v1/", "COHERE_API_KEY", false),
    known("deepseek", Chat, "https://api.deepseek.com/v1/", "DEEPSEEK_API_KEY", false),
    known("fireworks", Chat, "https://api.fireworks.ai/inference/v1/", "FIREWORKS_API_KEY", true),
    known("github_copilot", Chat, "https://models.github.ai/inference/", "GITHUB_TOKEN", false),
    known("groq", Chat, "https://api.groq.com/openai/v1/", "GROQ_API_KEY", false),
    known("kimi", Chat, "https://api.moonshot.ai/v1/", "KIMI_API_KEY", false),
    known("minimax", Anthropic, "https://api.minimax.io/anthropic/v1/", "MINIMAX_API_KEY", false),
    known("mistral", Chat, "https://api.mistral.ai/v1/", "MISTRAL_API_KEY", true),
    known("moonshot", Chat, "https://api.moonshot.cn/v1/", "MOONSHOT_API_KEY", false),
    known("nebius", Chat, "https://api.studio.nebius.ai/v1/", "NEBIUS_API_KEY", false),
    known("open_router", Chat, "https://openrouter.ai/api/v1/", "OPEN_ROUTER_API_KEY", true),
    known("together", Chat, "https://api.together.xyz/v1/", "TOGETHER_API_KEY", true),
    known("xai", Chat, "https://api.x.ai/v1/", "XAI_API_KEY", true),
    known("zai", Chat, "https://api.z.ai/api/paas/v4/", "ZAI_API_KEY", false),
];

/// Finds a provider by its name.
pub(crate) fn named(name: &str) -> Option<&'static Known> {
    KNOWN.iter().find(|known| known.name == name)
}

/// Finds the provider of a model by the form of its name. Returns `None` if several could have it.
pub(crate) fn of_model(model: &str) -> Option<&'static Known> {
    const STARTS: [(&str, &str); 15] = [
        ("gpt-oss", ""),
        ("gpt", "openai"),
        ("o1", "openai"),
        ("o3", "openai"),
        ("o4", "openai"),
        ("chatgpt", "openai"),
        ("claude", "anthropic"),
        ("gemini", "gemini"),
        ("command", "cohere"),
        ("deepseek-", "deepseek"),
        ("glm", "zai"),
        ("grok", "xai"),
        ("kimi-", "kimi"),
        ("MiniMax-", "minimax"),
        ("moonshot-", "moonshot"),
    ];
    let (_, name) = STARTS.iter().find(|(start, _)| model.starts_with(start))?;
    let found = named(name)?;
    if found.name == OPENAI.name && is_for_responses(model) { named(RESPONSES.name) } else { Some(found) }
}

/// Returns `true` if a model of OpenAI is called with the Responses API, which is the only one for some of
/// them.
fn is_for_responses(model: &str) -> bool {
    let Some(rest) = model.strip_prefix("gpt-") else { return false };
    let version: String = rest.chars().take_while(char::is_ascii_digit).collect();
    version.parse::<u32>().is_ok_and(|version| version >= 5) || rest.contains("codex") || rest.contains("pro")
}

/// Returns the name of a model as its provider writes it.
pub(crate) fn model_name(known: &Known, model: &str) -> String {
    match known.name {
        "fireworks" if !model.contains('/') => format!("accounts/fireworks/models/{model}"),
        "gemini" => model.strip_prefix("models/").unwrap_or(model).to_owned(),
        _ => model.to_owned(),
    }
}

/// Returns the default maximum length of answers, for providers whose own default is too short.
pub(crate) fn max_tokens(known: &Known) -> Option<u32> {
    // Its default is 2,048. It accepts a value above the model's limit to mean that limit.
    (known.name == "fireworks").then_some(65_536)
}
