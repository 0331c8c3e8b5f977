//! Recognizes names of secrets: `check` reports them, and a run passes them on only if the host names them.

/// Returns `true` if a variable has the name of a secret: a token, key, password, cookie, or an address that
/// contains one.
///
/// ```
/// use skills_text::is_secret_name;
/// let secrets = ["GITHUB_TOKEN", "AWS_SECRET_ACCESS_KEY", "DB_PASS", "MYAPIKEY", "npm_token", "PGPASSWORD", "MYSQL_PWD"];
/// assert!(secrets.map(is_secret_name).iter().all(|is| *is));
/// let others = ["PATH", "PWD", "KEYBOARD", "MONKEY", "LANG", "TOKENS_PER_CALL", "MAX_TOKENS", "BASE_URL"];
/// assert!(!others.map(is_secret_name).iter().any(|is| *is));
/// ```
pub fn is_secret_name(name: &str) -> bool {
    const WORDS: [&str; 20] = [
        "TOKEN",
        "SECRET",
        "SECRETS",
        "PASSWORDS",
        "PASSWD",
        "PASS",
        "PASSPHRASE",
        "PASSCODE",
        "PAT",
        "KEY",
        "KEYS",
        "CREDENTIAL",
        "CREDENTIALS",
        "CREDS",
        "AUTH",
        "JWT",
        "BEARER",
        "COOKIE",
        "COOKIES",
        "DSN",
    ];
    const ENDS: [&str; 8] = [
        "APIKEY",
        "ACCESSKEY",
        "PRIVATEKEY",
        "SECRETKEY",
        "PASSWORD",
        "AUTHTOKEN",
        "CONNECTIONSTRING",
        // Azure App Service gives the variables of connection strings such prefixes: `SQLCONNSTR_main`.
        "CONNSTR",
    ];
    // Their addresses have a user and a password in them.
    const STORES: [&str; 10] =
        ["DATABASE", "DB", "POSTGRES", "POSTGRESQL", "PG", "MYSQL", "MONGO", "MONGODB", "REDIS", "AMQP"];
    // Whoever knows such an address has access: a webhook of Slack, a shared access signature of Azure.
    const GRANTS: [&str; 2] = ["WEBHOOK", "SAS"];
    const COUNTED: [&str; 6] = ["MAX", "MIN", "NUM", "TOTAL", "INPUT", "OUTPUT"];
    let name = name.to_ascii_uppercase();
    let words: Vec<&str> = name.split('_').filter(|word| !word.is_empty()).collect();
    has_any(&words, &WORDS)
        || words.iter().any(|word| ENDS.iter().any(|end| word.ends_with(end)))
        || words.windows(2).any(|pair| matches!(pair, ["CONNECTION" | "CONN", "STRING" | "STR"]))
        || match words.last() {
            Some(&("URL" | "URI")) => has_any(&words, &STORES) || has_any(&words, &GRANTS),
            Some(&"CONNECTION") => has_any(&words, &STORES),
            Some(last) if last.ends_with("WEBHOOK") || *last == "WEBHOOKS" => true,
            // Headers can contain credentials: `OTEL_EXPORTER_OTLP_HEADERS` contains the key of a collector.
            Some(&("TOKENS" | "HEADERS")) => !has_any(&words, &COUNTED),
            // Alone, these are names of harmless variables: `PWD` is the working directory, and `SAS` belongs
            // to a program for statistics.
            Some(&("PWD" | "SAS")) => words.len() > 1,
            _ => false,
        }
}

fn has_any(words: &[&str], wanted: &[&str]) -> bool {
    words.iter().any(|word| wanted.contains(word))
}

/// Returns `true` if a header has the name of a secret: the name of a secret variable with `-` for `_`, a
/// header for authentication, or a name without separators that ends like a secret, such as `X-AuthToken`.
///
/// ```
/// use skills_text::is_secret_header;
/// assert!(["Authorization", "Cookie", "X-Api-Key", "apikey", "X-AuthToken"].map(is_secret_header).iter().all(|is| *is));
/// assert!(!["X-Tenant", "Accept", "Max-Tokens", "User-Agent"].map(is_secret_header).iter().any(|is| *is));
/// ```
pub fn is_secret_header(name: &str) -> bool {
    const ENDS: [&str; 6] = ["AUTHORIZATION", "AUTHENTICATION", "COOKIE", "TOKEN", "SECRET", "PASSWORD"];
    let name = name.to_ascii_uppercase().replace('-', "_");
    is_secret_name(&name) || name.split('_').any(|word| ENDS.iter().any(|end| word.ends_with(end)))
}

#[cfg(test)]
mod tests {
    use super::*;

    // SPEC 13.3, 13.6
    #[test]
    fn secrets_have_many_names() {
        let secrets = "GITHUB_PAT GH_PAT DATABASE_URL MONGODB_URI npm_config__authToken API_KEYS BOT_TOKENS \
                       VAULT_PASSPHRASE PRIVATEKEY SENTRY_DSN SESSION_COOKIE AWS_ACCESS_KEY OPENAI_KEY GITHUB_AUTH \
                       OTEL_EXPORTER_OTLP_HEADERS OTEL_EXPORTER_OTLP_TRACES_HEADERS JWT SERVICE_JWT BEARER \
                       SLACK_WEBHOOK SLACK_WEBHOOK_URL slackWebhook CONNECTION_STRING \
                       AZURE_STORAGE_CONNECTION_STRING connectionString SQLCONNSTR_MAIN PG_CONN_STR \
                       AZURE_STORAGE_SAS BLOB_SAS_URL AWS_CREDS";
        for name in secrets.split(' ') {
            assert!(is_secret_name(name), "{name}");
        }
        let others = "TOKENIZERS_PARALLELISM OUTPUT_TOKENS OLDPWD HOME PATTERN API_BASE_URL DB_HOST JWTISH FORBEARER \
                      KEYBOARD_LAYOUT MAX_HEADERS HEADERS_TIMEOUT WEBHOOK_PORT WEBHOOKS_ENABLED CONNECTION_TIMEOUT \
                      STRING SAS SAS_HOME";
        for name in others.split(' ').chain([""]) {
            assert!(!is_secret_name(name), "{name}");
        }
    }
}
