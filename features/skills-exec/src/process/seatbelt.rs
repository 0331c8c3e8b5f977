//! Writes a sandbox as a profile for `sandbox-exec` of macOS.

use std::path::Path;

use skills_registry::{AskedPath, Net};

use crate::{Request, Sandbox};

/// Returns the profile: it denies everything by default, and the last matching rule applies.
pub(super) fn profile(
    request: &Request,
    sandbox: &Sandbox,
    scratch: Option<&Path>,
    proxy: Option<u16>,
) -> String {
    let mut text = String::from(
        "(version 1)\n(deny default)\n(allow process-fork)\n(allow process-exec)\n(allow signal (target same-sandbox))\n\
         (allow sysctl-read)\n(allow file-read-metadata)\n\
         (allow file-read* (literal \"/\") (literal \"/dev/null\") (literal \"/dev/random\") (literal \"/dev/urandom\"))\n\
         (allow file-write-data (literal \"/dev/null\"))\n(allow mach-lookup (global-name \"com.apple.system.opendirectoryd.libinfo\"))\n",
    );
    let mut allow = |writes: bool, path: &Path| {
        let rights = if writes { "file-read* file-write*" } else { "file-read*" };
        text.push_str(&format!("(allow {rights} (subpath {}))\n", quoted(path)));
    };
    sandbox.readable.iter().for_each(|path| allow(false, path));
    allow(false, &request.directory);
    sandbox.writable.iter().for_each(|path| allow(true, path));
    match &sandbox.granted {
        None => request.workspace.iter().for_each(|path| allow(true, path)),
        Some(granted) => {
            let read = granted.read.iter().map(|path| (false, path));
            for (writes, path) in read.chain(granted.write.iter().map(|path| (true, path))) {
                let workspace = request.workspace.as_deref().unwrap_or(Path::new("."));
                let path = match AskedPath::parse(path) {
                    Ok(AskedPath::Skill(rest)) => request.directory.join(rest),
                    Ok(AskedPath::Workspace(rest)) => workspace.join(rest),
                    Ok(AskedPath::Home(rest)) => match std::env::home_dir() {
                        Some(home) => home.join(rest),
                        None => continue,
                    },
                    Ok(AskedPath::Root(rest)) => Path::new("/").join(rest),
                    Ok(AskedPath::Tmpdir(_)) | Err(_) => continue,
                };
                // If the path is a link, its target must be below a directory that the host allows.
                let path = path.canonicalize().unwrap_or(path);
                let fits =
                    |within: &Vec<std::path::PathBuf>| within.iter().any(|base| path.starts_with(base));
                if granted.within.as_ref().is_none_or(fits) {
                    allow(writes, &path);
                }
            }
        }
    }
    scratch.into_iter().for_each(|path| allow(true, path));
    match (&sandbox.net, proxy) {
        (Net::None, _) | (Net::Hosts(_), None) => {}
        (Net::Hosts(_), Some(port)) => {
            text.push_str(&format!("(allow network-outbound (remote tcp \"localhost:{port}\"))\n"));
        }
        (Net::All, _) => text.push_str(
            "(allow network-outbound (remote ip \"*:*\"))\n(allow network-inbound (local ip \"*:*\"))\n(allow network-bind (local ip \"*:*\"))\n\
             (allow mach-lookup (global-name \"com.apple.dnssd.service\"))\n(allow network-outbound (literal \"/private/var/run/mDNSResponder\"))\n",
        ),
    }
    text
}

/// Quotes a path as a string of the profile language.
fn quoted(path: &Path) -> String {
    let text = path.display().to_string();
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Granted;

    // SPEC 13.14
    #[test]
    fn a_profile_names_what_is_granted_and_nothing_else() {
        let mut request = Request::new("n", "", "/s/a \"b\"", "/s/run");
        request.workspace = Some("/w".into());
        let mut sandbox =
            Sandbox { readable: vec!["/usr".into()], writable: Vec::new(), net: Net::None, granted: None };
        let text = profile(&request, &sandbox, None, None);
        assert!(text.starts_with("(version 1)\n(deny default)\n"), "{text}");
        assert!(text.contains("(allow file-read* (subpath \"/s/a \\\"b\\\"\"))\n"), "{text}");
        assert!(text.contains("(allow file-read* file-write* (subpath \"/w\"))\n"), "{text}");
        assert!(!text.contains("network"), "{text}");

        sandbox.granted = Some(Granted {
            read: vec!["$WORKSPACE/in".into(), "/nowhere".into()],
            write: vec!["$TMPDIR".into()],
            within: None,
        });
        sandbox.net = Net::Hosts(vec!["a.example".into()]);
        let text = profile(&request, &sandbox, Some(Path::new("/t/run")), Some(8080));
        assert!(
            text.contains("(allow file-read* (subpath \"/w/in\"))\n") && !text.contains("\"/w\""),
            "{text}"
        );
        assert!(text.contains("(allow file-read* file-write* (subpath \"/t/run\"))\n"), "{text}");
        assert!(text.contains("(subpath \"/nowhere\")"), "{text}");
        assert_eq!(text.matches("network").count(), 1, "{text}");
        assert!(text.contains("(remote tcp \"localhost:8080\")"), "{text}");
        sandbox.granted.as_mut().unwrap().within = Some(vec!["/w".into()]);
        assert!(!profile(&request, &sandbox, None, None).contains("/nowhere"));
    }
}
