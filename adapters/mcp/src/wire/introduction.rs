//! Limits the data that a session keeps from its client's `initialize` request: name, version and
//! capabilities.

use rmcp::model::{
    ClientJsonRpcMessage, ClientRequest, Implementation, InitializeRequestParams, JsonRpcMessage,
};

use crate::charge::size;

/// The maximum memory of an introduction that is kept as it is, in bytes: four times its JSON.
const MEMORY: usize = 64 << 10;

/// The maximum number of characters of the name, and of the version, that are kept from a longer
/// introduction.
const NAME: usize = 256;

/// Shortens the introduction in an `initialize` request. Experimental capabilities are not kept, since no handler
/// reads them. If the introduction is still too long, only the start of the name, the start of the version, and the
/// capabilities without settings are kept.
pub(super) fn shorten(message: &mut ClientJsonRpcMessage) {
    let JsonRpcMessage::Request(request) = message else { return };
    let ClientRequest::InitializeRequest(initialize) = &mut request.request else { return };
    let params = &mut initialize.params;
    params.meta = None;
    params.capabilities.experimental = None;
    if size(params) > MEMORY {
        cut(params);
    }
}

fn cut(params: &mut InitializeRequestParams) {
    let Implementation { name, version, .. } = &params.client_info;
    let (name, version): (String, String) =
        (name.chars().take(NAME).collect(), version.chars().take(NAME).collect());
    params.client_info = Implementation::new(name, version);
    params.capabilities.extensions = None;
    params.capabilities.sampling = params.capabilities.sampling.take().map(|_| Default::default());
}

#[cfg(test)]
mod tests {
    use rmcp::model::ClientJsonRpcMessage;
    use serde_json::{Value, json};

    use super::shorten;

    fn shortened(name: &str, capabilities: &Value) -> Value {
        let params = json!({"protocolVersion": "2025-06-18", "capabilities": capabilities,
            "clientInfo": {"name": name, "version": "1", "title": "A client"}});
        let message = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params});
        let mut message: ClientJsonRpcMessage = serde_json::from_value(message).unwrap();
        shorten(&mut message);
        serde_json::to_value(&message).unwrap()["params"].take()
    }

    // SPEC 11.7
    #[test]
    fn a_session_keeps_a_short_introduction() {
        let texts = [""].repeat(10_000);
        let many = json!({"experimental": {"a": {"b": texts}}, "roots": {}, "extensions": {"x": {}}});
        let kept = shortened("a", &many);
        assert_eq!(kept["capabilities"], json!({"roots": {}, "extensions": {"x": {}}}));
        assert_eq!(kept["clientInfo"]["title"], "A client");
    }

    // SPEC 11.7
    #[test]
    fn only_names_of_a_long_introduction_are_kept() {
        let long = "n".repeat(100_000);
        let kept =
            shortened(&long, &json!({"sampling": {"tools": {"a": long}}, "extensions": {"x": {"y": long}}}));
        assert_eq!(kept["capabilities"], json!({"sampling": {}}));
        assert_eq!(kept["clientInfo"], json!({"name": "n".repeat(256), "version": "1"}));
    }
}
