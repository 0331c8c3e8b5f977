//! Skills of crates, of packages in `node_modules`, and of packages of a Python environment.

use std::fs;

use skills_sources::{Dependency, SourceError, dependencies};

use crate::place::{Place, skill};

/// Writes a workspace with three dependencies, of which two ship skills.
fn workspace(place: &Place) {
    place.write(
        "project/Cargo.toml",
        "[package]\nname = \"app\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[dependencies]\n\
         plain = { path = \"../crates/plain\" }\none = { path = \"../crates/one\" }\ntwo = { path = \"../crates/two\" }\n\
         [workspace]\n",
    );
    place.write("project/src/lib.rs", "");
    for (name, more) in [("plain", ""), ("one", ""), ("two", "[package.metadata.skills]\npath = \"agent\"\n")]
    {
        let manifest =
            format!("[package]\nname = \"{name}\"\nversion = \"1.2.3\"\nedition = \"2021\"\n{more}");
        place.write(&format!("crates/{name}/Cargo.toml"), &manifest);
        place.write(&format!("crates/{name}/src/lib.rs"), "");
        place.write(
            &format!("crates/{name}/build.rs"),
            "fn main() { panic!(\"a build script is never run\") }",
        );
    }
    place.write("crates/one/skills/one-use/SKILL.md", &skill("one-use", ""));
    place.write("crates/two/agent/two-use/SKILL.md", &skill("two-use", ""));
    // Such a crate opts out of `skills`.
    place.write("crates/two/skills/other/SKILL.md", &skill("other", ""));
    let lock = "version = 4\n[[package]]\nname = \"app\"\nversion = \"0.1.0\"\ndependencies = [\"one\", \"plain\", \"two\"]\n";
    let packages =
        ["one", "plain", "two"].map(|name| format!("[[package]]\nname = \"{name}\"\nversion = \"1.2.3\"\n"));
    place.write("project/Cargo.lock", &format!("{lock}{}", packages.concat()));
}

fn packages(place: &Place) {
    let manifest =
        |name: &str, version: &str| format!("{{\"name\": \"{name}\", \"version\": \"{version}\"}}");
    place.write("project/node_modules/@acme/ui/package.json", &manifest("@acme/ui", "2.0.0"));
    place.write("project/node_modules/@acme/ui/skills/ui/SKILL.md", &skill("ui", ""));
    place.write("project/node_modules/plain/package.json", &manifest("plain", "1.0.0"));
    let site = "project/.venv/lib/python3.13/site-packages";
    place.write(
        &format!("{site}/py_lib-3.1.dist-info/RECORD"),
        "py_lib/skills/py/SKILL.md,,\n../../../bin/x,,\n",
    );
    place.write(&format!("{site}/py_lib/skills/py/SKILL.md"), &skill("py", ""));
    place.write(&format!("{site}/other-1.dist-info/RECORD"), "other/__init__.py,,\n");
}

// SPEC 21.9: dependencies that ship skills are found, at the installed versions, and nothing of them is run
#[test]
fn dependencies_with_skills_are_found() {
    let place = Place::new(&[]);
    workspace(&place);
    packages(&place);
    let found = dependencies(&place.project()).unwrap();
    let shown = |dependency: &Dependency| format!("{} {}", dependency.source, dependency.version);
    let shown: Vec<String> = found.iter().map(shown).collect();
    assert_eq!(shown, ["crate:one 1.2.3", "crate:two 1.2.3", "npm:@acme/ui 2.0.0", "pypi:py_lib 3.1"]);
    for (source, name) in [("crate:two", "two-use"), ("npm:@acme/ui", "ui"), ("pypi:Py.Lib", "py")] {
        let offer = place.offer(source).unwrap();
        assert_eq!(
            offer.skills.iter().map(|skill| skill.name.as_str()).collect::<Vec<_>>(),
            [name],
            "{source}"
        );
    }
    for source in ["crate:plain", "crate:none", "crate:one@9.9.9", "npm:plain", "npm:none", "pypi:other"] {
        assert!(matches!(place.offer(source), Err(SourceError::Missing(_))), "{source}");
    }
}

// SPEC 21.7, 21.9: another installed version is reported, and a missing package is not
#[test]
fn another_installed_version_is_reported() {
    let place = Place::new(&[]);
    workspace(&place);
    packages(&place);
    for source in ["crate:one", "npm:@acme/ui", "pypi:py_lib"] {
        place.add(source, &[]).unwrap();
    }
    let names: Vec<String> = place.files().into_keys().filter(|path| path.starts_with("skills/")).collect();
    assert_eq!(names, ["skills/one-use/SKILL.md", "skills/py/SKILL.md", "skills/ui/SKILL.md"]);
    assert_eq!(place.verify(), Vec::<String>::new());
    let lock = place.path("project/Cargo.lock");
    let text = fs::read_to_string(&lock).unwrap();
    fs::write(
        &lock,
        text.replace("name = \"one\"\nversion = \"1.2.3\"", "name = \"one\"\nversion = \"1.2.4\""),
    )
    .unwrap();
    let manifest = place.path("project/node_modules/@acme/ui/package.json");
    fs::write(&manifest, fs::read_to_string(&manifest).unwrap().replace("2.0.0", "2.1.0")).unwrap();
    let site = place.path("project/.venv/lib/python3.13/site-packages");
    fs::rename(site.join("py_lib-3.1.dist-info"), site.join("py_lib-3.2.dist-info")).unwrap();
    assert_eq!(
        place.verify(),
        [
            "`one-use`: crate:one is 1.2.4 now, not 1.2.3: `skills update one-use`",
            "`py`: pypi:py_lib is 3.2 now, not 3.1: `skills update py`",
            "`ui`: npm:@acme/ui is 2.1.0 now, not 2.0.0: `skills update ui`",
        ]
    );
    for path in ["project/node_modules", "project/.venv", "project/Cargo.lock"] {
        let path = place.path(path);
        if path.is_dir() { fs::remove_dir_all(path).unwrap() } else { fs::remove_file(path).unwrap() }
    }
    assert_eq!(place.verify(), Vec::<String>::new());
}

// SPEC 21.9: ten crates of a registry, one of them in two versions, of which the newest counts
#[test]
fn crates_of_a_registry_are_found() {
    let place = Place::new(&[]);
    let config =
        "[source.crates-io]\nreplace-with = \"copies\"\n[source.copies]\ndirectory = \"../copies\"\n";
    place.write("project/.cargo/config.toml", config);
    place.write("project/src/lib.rs", "");
    let mut manifest =
        "[package]\nname = \"app\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[workspace]\n[dependencies]\n"
            .to_owned();
    let mut packages = vec![("many-0".to_owned(), "0.9.0".to_owned())];
    for number in 0..10 {
        let (name, version) = (format!("many-{number}"), format!("1.{number}.0"));
        let copy = format!("copies/{name}");
        place.write(
            &format!("{copy}/Cargo.toml"),
            &format!("[package]\nname = \"{name}\"\nversion = \"{version}\"\n"),
        );
        place.write(&format!("{copy}/src/lib.rs"), "");
        place.write(&format!("{copy}/.cargo-checksum.json"), "{\"files\":{},\"package\":null}");
        place.write(&format!("{copy}/skills/use-{name}/SKILL.md"), &skill(&format!("use-{name}"), ""));
        manifest.push_str(&format!("{name} = \"1\"\n"));
        packages.push((name, version));
    }
    let old = "copies/many-0-old";
    place.write(&format!("{old}/Cargo.toml"), "[package]\nname = \"many-0\"\nversion = \"0.9.0\"\n");
    place.write(&format!("{old}/src/lib.rs"), "");
    place.write(&format!("{old}/.cargo-checksum.json"), "{\"files\":{},\"package\":null}");
    place.write(&format!("{old}/skills/use-many-0/SKILL.md"), &skill("use-many-0", "Old."));
    manifest.push_str("old = { package = \"many-0\", version = \"0.9\" }\n");
    place.write("project/Cargo.toml", &manifest);
    place.write("project/Cargo.lock", &lock(&packages));
    let found = dependencies_of(&place);
    let mut expected: Vec<String> =
        (1..10).map(|number| format!("crate:many-{number} 1.{number}.0")).collect();
    expected.insert(0, "crate:many-0@1.0.0 1.0.0".to_owned());
    assert_eq!(found, expected);
    place.add("crate:many-0@0.9.0", &[]).unwrap();
    let several = place.offer("crate:many-0").unwrap_err().to_string();
    assert_eq!(several, "`many-0` is installed in several versions: write `crate:many-0@0.9.0` or `@1.0.0`");
}

/// Returns the text of a `Cargo.lock` of the crate `app` with these dependencies.
fn lock(packages: &[(String, String)]) -> String {
    let registry = "registry+https://github.com/rust-lang/crates.io-index";
    let is_several = |name: &str| packages.iter().filter(|(other, _)| other == name).count() > 1;
    let named = |(name, version): &(String, String)| match is_several(name) {
        true => format!("\"{name} {version}\""),
        false => format!("\"{name}\""),
    };
    let names: Vec<String> = packages.iter().map(named).collect();
    let app =
        format!("[[package]]\nname = \"app\"\nversion = \"0.1.0\"\ndependencies = [{}]\n", names.join(", "));
    let others = packages.iter().map(|(name, version)| {
        format!("[[package]]\nname = \"{name}\"\nversion = \"{version}\"\nsource = \"{registry}\"\n")
    });
    format!("version = 4\n{app}{}", others.collect::<String>())
}

fn dependencies_of(place: &Place) -> Vec<String> {
    let found = dependencies(&place.project()).unwrap();
    found.iter().map(|dependency| format!("{} {}", dependency.source, dependency.version)).collect()
}

// SPEC 21.9, 21.13: a package with a `SKILL.md` at its top is a skill, and has the license of the package
#[test]
fn a_package_may_be_a_skill_itself() {
    let place = Place::new(&[]);
    workspace(&place);
    packages(&place);
    let bare = |name: &str| skill(name, "").replace("license: MIT\n", "");
    let manifest =
        "[package]\nname = \"plain\"\nversion = \"1.2.3\"\nedition = \"2021\"\nlicense = \"ISC\"\n";
    place.write("crates/plain/Cargo.toml", manifest);
    place.write("crates/plain/SKILL.md", &bare("plain"));
    place.write("crates/plain/references/a.md", "a");
    place.write("project/node_modules/plain/SKILL.md", &bare("plain-js"));
    let offered = |source: &str| {
        let offer = place.offer(source).unwrap();
        let found = &offer.skills[0];
        assert_eq!(offer.skills.len(), 1, "{source}");
        let files = found.files.keys().cloned().collect::<Vec<_>>().join(" ");
        let is_reported = found.findings.iter().any(|finding| finding.text.contains("names a license"));
        (files, found.license.clone(), is_reported)
    };
    let crates = ("SKILL.md references/a.md".to_owned(), Some("ISC".to_owned()), false);
    assert_eq!(offered("crate:plain"), crates);
    let (_, license, is_reported) = offered("npm:plain");
    assert_eq!((license, is_reported), (None, true));
    place.write("project/node_modules/plain/LICENSE.md", "MIT");
    assert_eq!(offered("npm:plain").1.as_deref(), Some("LICENSE.md"));
    let info = "project/.venv/lib/python3.13/site-packages/py_lib-3.1.dist-info/METADATA";
    place.write(info, "Name: py-lib\nLicense: UNKNOWN\nLicense-Expression: BSD-3-Clause\n\nLicense: text\n");
    let py = place.path("project/.venv/lib/python3.13/site-packages/py_lib/skills/py/SKILL.md");
    fs::write(py, bare("py")).unwrap();
    assert_eq!(offered("pypi:py_lib").1.as_deref(), Some("BSD-3-Clause"));
}

// SPEC 21.9: cargo runs no program that the configuration of a project names
#[test]
fn cargo_runs_nothing_of_the_project() {
    for (path, text) in [
        (".cargo/config.toml", "[build]\nrustc = \"PLACE/act\"\n"),
        (".cargo/config", "[build]\nrustc = \"PLACE/act\"\n"),
        (
            ".cargo/config.toml",
            "[build]\nrustc-wrapper = \"PLACE/act\"\nrustc-workspace-wrapper = \"PLACE/act\"\n",
        ),
        (".cargo/config.toml", "[env]\nRUSTC = { value = \"PLACE/act\", force = true }\n"),
        (".cargo/config.toml", "[alias]\nmetadata = [\"run\"]\n"),
        (".cargo/config.toml", "include = [{ path = \"../other.toml\" }]\n"),
        (
            ".cargo/config.toml",
            "paths = [\"PLACE/other\"]\n[registry]\nglobal-credential-providers = [\"PLACE/act\"]\n",
        ),
        (".cargo/config.toml", "[net]\ngit-fetch-with-cli = true\n[http]\nproxy = \"127.0.0.1:9\"\n"),
        ("../.cargo/config.toml", "[build]\nrustc-wrapper = \"PLACE/act\"\n"),
    ] {
        let place = Place::new(&[]);
        workspace(&place);
        let top = place.path("project").display().to_string();
        let act = format!("#!/bin/sh\necho \"$0 $*\" >>'{top}/acted'\nexit 1\n");
        place.write("project/act", &act);
        place.write("project/other.toml", &format!("[build]\nrustc-wrapper = \"{top}/act\"\n"));
        place.write(&format!("project/{path}"), &text.replace("PLACE", &top));
        assert_eq!(dependencies_of(&place), ["crate:one 1.2.3", "crate:two 1.2.3"], "{path}: {text}");
        assert!(place.offer("crate:one").is_ok(), "{path}: {text}");
        let acted = fs::read_to_string(place.path("project/acted")).unwrap_or_default();
        assert_eq!(acted, "", "{path}: {text}");
    }
}

// SPEC 21.9: a crate that is not on this machine is not downloaded, since the lock file may name any server
#[test]
fn cargo_connects_to_no_server_that_the_project_names() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let address = listener.local_addr().unwrap();
    for source in [
        format!("registry+http://{address}/index"),
        format!("sparse+http://{address}/"),
        format!("git+http://{address}/one#0123456789012345678901234567890123456789"),
    ] {
        let place = Place::new(&[]);
        place.write("project/src/lib.rs", "");
        let registry = source.trim_start_matches("registry+");
        let needs = match source.strip_prefix("git+") {
            Some(url) => format!("git = {:?}", url.split('#').next().unwrap_or_default()),
            None => "version = \"1\", registry = \"evil\"".to_owned(),
        };
        place.write(".cargo/config.toml", "");
        place.write("project/.cargo/config.toml", &format!("[registries.evil]\nindex = {registry:?}\n"));
        place.write(
            "project/Cargo.toml",
            &format!("[package]\nname = \"app\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[workspace]\n[dependencies]\none = {{ {needs} }}\n"),
        );
        place.write(
            "project/Cargo.lock",
            &format!("version = 4\n[[package]]\nname = \"app\"\nversion = \"0.1.0\"\ndependencies = [\"one\"]\n[[package]]\nname = \"one\"\nversion = \"1.0.0\"\nsource = {source:?}\n"),
        );
        assert!(matches!(place.offer("crate:one"), Err(SourceError::Program(_))), "{source}");
        assert!(listener.accept().is_err(), "{source}: it was connected to");
    }
}
