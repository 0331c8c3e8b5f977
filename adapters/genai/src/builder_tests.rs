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
fn a_name_selects_its_provider() {
    let cases = [
        ("gpt-4o", AdapterKind::OpenAI, "gpt-4o"),
        ("o3-mini", AdapterKind::OpenAI, "o3-mini"),
        ("gpt-5", AdapterKind::OpenAIResp, "gpt-5"),
        ("openai::gpt-5", AdapterKind::OpenAI, "gpt-5"),
        ("openai_resp::gpt-4o", AdapterKind::OpenAIResp, "gpt-4o"),
        ("claude-sonnet-4-5", AdapterKind::Anthropic, "claude-sonnet-4-5"),
        ("gemini-2.5-flash", AdapterKind::Gemini, "gemini-2.5-flash"),
        ("groq::llama-3.1-8b", AdapterKind::Groq, "llama-3.1-8b"),
        ("ollama::qwen3:0.6b", AdapterKind::Ollama, "qwen3:0.6b"),
    ];
    for (model, kind, name) in cases {
        let provider = resolve(model, None, Some("k")).unwrap_or_else(|error| panic!("{model}: {error}"));
        assert_eq!((provider.kind, provider.model.as_str()), (kind, name));
    }
}

#[test]
fn a_base_url_means_chat_completions() {
    for model in ["gpt-5", "claude-sonnet-4-5", "Qwen/Qwen3-0.6B", "qwen3:0.6b"] {
        let provider = resolve(model, Some("http://127.0.0.1:8080/v1"), None).expect("a provider");
        assert_eq!((provider.kind, provider.model.as_str()), (AdapterKind::OpenAI, model));
        assert_eq!(provider.base_url.map(String::from).as_deref(), Some("http://127.0.0.1:8080/v1/"));
    }
    let provider = resolve("anthropic::claude-x", Some("https://proxy/a"), Some("k")).expect("a provider");
    assert_eq!(provider.kind, AdapterKind::Anthropic);
}

// SPEC 12.4: connects only where the user asked for a connection
#[test]
fn unknown_names_are_refused() {
    assert_eq!(
        refusal("cluade-sonnet-4-5", None, None),
        "unknown model `cluade-sonnet-4-5`: write `ollama::cluade-sonnet-4-5`, or give a base URL"
    );
    for name in ["nobody", "OpenAI"] {
        let refused = refusal(&format!("{name}::x"), None, Some("k"));
        assert!(refused.starts_with(&format!("unknown provider `{name}`")), "{refused}");
    }
    assert!(refusal("gpt-oss-120b", None, None).starts_with("unknown model"));
    assert_eq!(refusal("", None, None), "the name of a model is empty");
    assert_eq!(refusal("ollama::", None, None), "model `ollama::` has no name");
}

// SPEC 12.4: secrets are passed on only if the user sets them
#[test]
fn a_providers_key_is_for_its_own_address() {
    let key = |model: &str, url: Option<&str>| resolve(model, url, None).expect("a provider").key;
    assert_eq!(key("gpt-4o", None).as_deref(), Some("sk-openai"));
    assert_eq!(key("ollama::x", None), None);
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
