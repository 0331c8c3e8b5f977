//! Tests which protocol, address and key result from a name, a base URL and an environment.

use super::*;

fn resolve(model: &str, base_url: Option<&str>, key: Option<&str>) -> Result<Provider, ConfigError> {
    let variable = |name: &str| match name {
        "OPENAI_API_KEY" => Some("sk-openai\n".to_owned()),
        "ANTHROPIC_API_KEY" => Some(String::new()),
        "SKILLS_API_KEY" => Some("sk-other".to_owned()),
        _ => None,
    };
    Provider::resolve(model, base_url, key, &variable)
}

fn refusal(model: &str, base_url: Option<&str>, key: Option<&str>) -> String {
    resolve(model, base_url, key).err().expect("a refusal").to_string()
}

#[test]
fn names_say_their_provider() {
    let cases = [
        ("gpt-4o", Protocol::Chat, "gpt-4o", "api.openai.com"),
        ("chatgpt-4o-latest", Protocol::Chat, "chatgpt-4o-latest", "api.openai.com"),
        ("o3-mini", Protocol::Chat, "o3-mini", "api.openai.com"),
        ("gpt-5", Protocol::Responses, "gpt-5", "api.openai.com"),
        ("gpt-5.1-codex", Protocol::Responses, "gpt-5.1-codex", "api.openai.com"),
        ("openai::gpt-5", Protocol::Chat, "gpt-5", "api.openai.com"),
        ("openai_resp::gpt-4o", Protocol::Responses, "gpt-4o", "api.openai.com"),
        ("claude-sonnet-4-5", Protocol::Anthropic, "claude-sonnet-4-5", "api.anthropic.com"),
        ("gemini-2.5-flash", Protocol::Gemini, "gemini-2.5-flash", "generativelanguage.googleapis.com"),
        ("gemini::models/gemma-3", Protocol::Gemini, "gemma-3", "generativelanguage.googleapis.com"),
        ("groq::llama-3.1-8b", Protocol::Chat, "llama-3.1-8b", "api.groq.com"),
        ("grok-4", Protocol::Chat, "grok-4", "api.x.ai"),
        ("minimax::MiniMax-M2", Protocol::Anthropic, "MiniMax-M2", "api.minimax.io"),
        ("fireworks::qwen3", Protocol::Chat, "accounts/fireworks/models/qwen3", "api.fireworks.ai"),
    ];
    for (model, protocol, name, host) in cases {
        let provider = resolve(model, None, Some("k")).unwrap_or_else(|error| panic!("{model}: {error}"));
        assert_eq!((provider.target.protocol, provider.target.model.as_str()), (protocol, name));
        assert_eq!(provider.base_url.host_str(), Some(host), "{model}");
    }
}

#[test]
fn the_table_is_sound() {
    for known in &known::KNOWN {
        let url = parse_url(known.url).unwrap_or_else(|error| panic!("{}: {error}", known.name));
        assert_eq!(url.as_str(), known.url);
        assert!(url.scheme() == "https" || known.key.is_none(), "{}", known.name);
        let again = known::KNOWN.iter().filter(|other| other.name == known.name).count();
        assert_eq!(again, 1, "{}", known.name);
    }
}

#[test]
fn a_base_url_speaks_chat_completions() {
    for model in ["gpt-5", "claude-sonnet-4-5", "Qwen/Qwen3-0.6B", "qwen3:0.6b"] {
        let provider = resolve(model, Some("http://127.0.0.1:8080/v1"), None).expect("a provider");
        assert_eq!((provider.target.protocol, provider.target.model.as_str()), (Protocol::Chat, model));
        assert_eq!(provider.base_url.as_str(), "http://127.0.0.1:8080/v1/");
    }
    let provider = resolve("anthropic::claude-x", Some("https://proxy/a"), Some("k")).expect("a provider");
    assert_eq!(provider.target.protocol, Protocol::Anthropic);
}

#[test]
fn ollama_is_asked_by_chat_completions() {
    let provider = resolve("ollama::qwen3:0.6b", None, None).expect("a provider");
    assert_eq!((provider.target.protocol, provider.target.model.as_str()), (Protocol::Chat, "qwen3:0.6b"));
    assert_eq!(provider.base_url.as_str(), "http://localhost:11434/v1/");
    assert_eq!(provider.key, None);
}

// SPEC 12.4: no connection that the user did not ask for
#[test]
fn unknown_names_are_refused() {
    assert_eq!(
        refusal("cluade-sonnet-4-5", None, None),
        "unknown model `cluade-sonnet-4-5`: write `ollama::cluade-sonnet-4-5`, or give a base URL"
    );
    assert!(refusal("nobody::x", None, None).starts_with("unknown provider `nobody`"));
    for name in ["genai_1", "vertex", "bedrock_api", "gemini_ix", "OpenAI"] {
        let refused = refusal(&format!("{name}::x"), None, Some("k"));
        assert!(refused.starts_with(&format!("unknown provider `{name}`")), "{refused}");
    }
    assert!(refusal("gpt-oss-120b", None, None).starts_with("unknown model"));
    assert_eq!(refusal("", None, None), "the name of a model is empty");
    assert_eq!(refusal("ollama::", None, None), "model `ollama::` has no name");
}

// SPEC 12.4: no secret passed on by accident
#[test]
fn a_providers_key_is_for_its_own_host() {
    let key = |model: &str, url: Option<&str>| resolve(model, url, None).expect("a provider").key;
    assert_eq!(key("gpt-4o", None).as_deref(), Some("sk-openai"));
    assert_eq!(key("gpt-4o", Some("https://api.openai.com/v1")).as_deref(), Some("sk-openai"));
    for url in ["https://api.openai.com.evil/v1", "http://api.openai.com/v1", "https://localhost/v1"] {
        assert_eq!(key("gpt-4o", Some(url)).as_deref(), Some("sk-other"), "{url}");
    }
    assert_eq!(refusal("claude-sonnet-4-5", None, None), "no key: set ANTHROPIC_API_KEY, or give one");
    let nothing = |_: &str| None;
    let error = Provider::resolve("anthropic::x", Some("https://proxy/"), None, &nothing).err();
    assert!(error.expect("a refusal").to_string().contains("SKILLS_API_KEY"));
}

#[test]
fn bad_urls_and_keys_are_refused_without_repeating_them() {
    for url in ["secret", "ftp://secret/", "https://user:secret@host/", "http://", "unix:/secret"] {
        let message = refusal("m", Some(url), None);
        assert!(message.starts_with("base URL: ") && !message.contains("secret"), "{message}");
    }
    for key in ["", "  ", "sec\nret", "sécret"] {
        let message = refusal("gpt-4o", None, Some(key));
        assert!(message.starts_with("the key ") && !message.contains("ret"), "{message}");
    }
}
