//! Resolves URI references (RFC 3986, section 5) for `$id` and `$ref`.

/// The parts of a URI reference without its fragment.
pub(crate) struct Parts<'a> {
    pub(crate) scheme: Option<&'a str>,
    pub(crate) authority: Option<&'a str>,
    pub(crate) path: &'a str,
    pub(crate) query: Option<&'a str>,
}

pub(crate) fn split(uri: &str) -> Parts<'_> {
    let colon = uri.find(':').filter(|&i| {
        let scheme = &uri.as_bytes()[..i];
        scheme.first().is_some_and(u8::is_ascii_alphabetic)
            && scheme.iter().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.'))
    });
    let (scheme, rest) = colon.map_or((None, uri), |i| (Some(&uri[..i]), &uri[i + 1..]));
    let (rest, query) = rest.split_once('?').map_or((rest, None), |(rest, query)| (rest, Some(query)));
    let (authority, path) = match rest.strip_prefix("//") {
        Some(rest) => {
            let end = rest.find('/').unwrap_or(rest.len());
            (Some(&rest[..end]), &rest[end..])
        }
        None => (None, rest),
    };
    Parts { scheme, authority, path, query }
}

fn remove_dots(path: &str) -> String {
    let mut out: Vec<&str> = Vec::new();
    let absolute = path.starts_with('/');
    let mut segments = path.split('/').skip(usize::from(absolute)).peekable();
    while let Some(segment) = segments.next() {
        let last = segments.peek().is_none();
        match segment {
            "." if last => out.push(""),
            "." => {}
            ".." => {
                out.pop();
                if last {
                    out.push("");
                }
            }
            segment => out.push(segment),
        }
    }
    let joined = out.join("/");
    if absolute { format!("/{joined}") } else { joined }
}

/// Splits off the fragment (without its `#`).
pub(super) fn fragment(uri: &str) -> (&str, &str) {
    uri.split_once('#').unwrap_or((uri, ""))
}

pub(super) fn is_absolute(uri: &str) -> bool {
    split(uri).scheme.is_some()
}

/// Resolves a reference without fragment against a base without fragment.
pub(super) fn resolve(base: &str, reference: &str) -> String {
    if reference.is_empty() {
        return base.to_owned();
    }
    let (base, reference) = (split(base), split(reference));
    let is_rooted = reference.path.starts_with('/');
    let (authority, path, query) = if reference.scheme.is_some() || reference.authority.is_some() {
        // A path that does not begin with a slash (`urn:a:b`) is opaque.
        let path = if is_rooted { remove_dots(reference.path) } else { reference.path.to_owned() };
        (reference.authority, path, reference.query)
    } else if reference.path.is_empty() {
        (base.authority, base.path.to_owned(), reference.query.or(base.query))
    } else if is_rooted {
        (base.authority, remove_dots(reference.path), reference.query)
    } else {
        let upto = base.path.rfind('/').map_or(0, |i| i + 1);
        let slash = if upto == 0 && base.authority.is_some() { "/" } else { "" };
        let path = remove_dots(&format!("{slash}{}{}", &base.path[..upto], reference.path));
        (base.authority, path, reference.query)
    };
    let mut out = String::new();
    if let Some(scheme) = reference.scheme.or(base.scheme) {
        out.push_str(scheme);
        out.push(':');
    }
    if let Some(authority) = authority {
        out.push_str("//");
        out.push_str(authority);
    }
    out.push_str(&path);
    if let Some(query) = query {
        out.push('?');
        out.push_str(query);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn resolves_the_examples_of_the_rfc() {
        // SPEC 6.1 (`$ref`, `$id`): the examples of RFC 3986, section 5.4.
        let base = "http://a/b/c/d;p?q";
        for (reference, want) in [
            ("g:h", "g:h"),
            ("g", "http://a/b/c/g"),
            ("./g", "http://a/b/c/g"),
            ("g/", "http://a/b/c/g/"),
            ("/g", "http://a/g"),
            ("//g", "http://g"),
            ("?y", "http://a/b/c/d;p?y"),
            ("g?y", "http://a/b/c/g?y"),
            (";x", "http://a/b/c/;x"),
            ("", "http://a/b/c/d;p?q"),
            (".", "http://a/b/c/"),
            ("./", "http://a/b/c/"),
            ("..", "http://a/b/"),
            ("../g", "http://a/b/g"),
            ("../..", "http://a/"),
            ("../../../g", "http://a/g"),
            ("/./g", "http://a/g"),
            ("g;x=1/../y", "http://a/b/c/y"),
        ] {
            assert_eq!(resolve(base, reference), want, "{reference}");
        }
        assert_eq!(resolve("http://h", "x"), "http://h/x");
        assert_eq!(resolve("", "x/y.json"), "x/y.json");
        assert_eq!(resolve("urn:uuid:1", "urn:uuid:2"), "urn:uuid:2");
    }
}
