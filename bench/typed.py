#!/usr/bin/env python3
"""Prints what 100 typical tools cost to compile: as types made by skills, as serde derives, as typify's types.

`callable` is `ours` with the feature `call` and a host that serves all tools. `--formats` gives two of the eight properties
of each tool a `format`, which skills makes types of their own.

Usage: bench/typed.py [--typify] [--formats]. Figures are CPU seconds of the last crate alone (its dependencies are built before),
debug and release, with an empty program as the base line. Needs cargo; writes to bench-typed of the target directory.
"""
import json
import os
import resource
import subprocess
import sys

from build import ROOT, target_directory

HERE = target_directory() / "bench-typed"
TOOLS = 100
NOUNS = ["file", "issue", "page", "event", "order", "ticket", "branch", "record", "message", "contact"]


def schema(at, formats):
    """The input of one tool: eight properties, of the kinds that tools have most."""
    noun = NOUNS[at % len(NOUNS)]
    having = lambda name: {"format": name} if formats else {}
    text = lambda said, **more: {"type": "string", "description": said, **more}
    return {
        "type": "object",
        "properties": {
            f"{noun}_id": text(f"Which {noun}.", **having("uri")),
            "title": text(f"The title of the {noun}.", minLength=1, maxLength=200),
            "body": text("What it says, as Markdown.", **having("date-time")),
            "page": {"type": "integer", "minimum": 1, "default": 1, "description": "Which page of the results."},
            "weight": {"type": "number", "minimum": 0},
            "draft": {"type": "boolean", "default": False, "description": "Whether others see it."},
            "state": {"type": "string", "enum": ["open", "closed", f"{noun}_moved"], "description": "Its state."},
            "owner": {
                "type": "object",
                "properties": {
                    "name": {"type": "string"},
                    "mail": {"type": "string"},
                    "labels": {"type": "array", "items": {"type": "string"}},
                },
                "required": ["name"],
                "additionalProperties": False,
            },
        },
        "required": [f"{noun}_id", "title", "state"],
        "additionalProperties": False,
    }


def derived(at):
    """The same input, as one would write it by hand."""
    noun = NOUNS[at % len(NOUNS)]
    traits = "#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]"
    return f"""pub mod t{at} {{
    {traits}
    #[serde(deny_unknown_fields)]
    pub struct Input {{
        pub {noun}_id: String,
        pub title: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub body: Option<String>,
        #[serde(default = "one")]
        pub page: u64,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub weight: Option<f64>,
        #[serde(default)]
        pub draft: bool,
        pub state: State,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub owner: Option<Owner>,
    }}
    fn one() -> u64 {{
        1
    }}
    {traits}
    #[serde(rename_all = "snake_case")]
    pub enum State {{ Open, Closed, {noun.title()}Moved }}
    {traits}
    #[serde(deny_unknown_fields)]
    pub struct Owner {{
        pub name: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub mail: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub labels: Option<Vec<String>>,
    }}
}}
"""


def table(read):
    """A program that reads and writes the value of every tool, so that nothing is left out."""
    rows = "".join(f"    |text| {read(at)},\n" for at in range(TOOLS))
    return (
        f"static ALL: &[fn(&str) -> Option<String>] = &[\n{rows}];\n"
        "fn main() {\n    let text = std::env::args().nth(1).unwrap_or_default();\n"
        '    println!("{}", ALL.iter().filter_map(|read| read(&text)).count());\n}\n'
    )


def method(at):
    """A function of the host that reads its input and returns an output."""
    return (
        f"    async fn t{at}(&self, input: t{at}::Input, _: &skills::Context)"
        f" -> Result<t{at}::Output, skills::Failure> {{\n"
        f'        t{at}::Output::from_json(&format!("{{:?}}", input.title)).map_err(Into::into)\n    }}\n'
    )


def by_serde(at):
    return f"serde_json::from_str::<t{at}::Input>(text).ok().and_then(|value| serde_json::to_string(&value).ok())"


def package(name, dependencies, program, more=""):
    source = HERE / name / "src"
    source.mkdir(parents=True, exist_ok=True)
    head = f'[package]\nname = "{name}"\nversion = "0.0.0"\nedition = "2024"\npublish = false\n'
    (HERE / name / "Cargo.toml").write_text(f"{head}[dependencies]\n{dependencies}{more}")
    (source / "main.rs").write_text(program)


def write(typify, formats):
    serde = 'serde = { version = "1", features = ["derive"] }\nserde_json = "1"\n'
    ours = f'skills-bundle = {{ path = "{ROOT}" }}\n'
    script = f'[build-dependencies]\nskills-build = {{ path = "{ROOT / "skills-build"}" }}\n'
    package("empty", serde, 'fn main() {\n    println!("{}", serde_json::Value::Null);\n}\n')
    package("derives", serde, "".join(map(derived, range(TOOLS))) + table(by_serde))
    read = lambda at: f"t{at}::Input::from_json(text).ok().map(|value| value.to_json())"
    package("ours", ours, 'skills::skills!("skills");\n' + table(read), script)
    (HERE / "ours/build.rs").write_text('fn main() {\n    skills_build::bundle("skills");\n}\n')
    for at in range(TOOLS):
        skill = HERE / f"ours/skills/t{at}"
        skill.mkdir(parents=True, exist_ok=True)
        manifest = {"name": f"t{at}", "description": f"Tool {at}.", "category": "tools", "mode": "code"}
        (skill / "skill.json").write_text(json.dumps({**manifest, "input": schema(at, formats), "output": {}}))
        alone = {"$schema": "http://json-schema.org/draft-07/schema#", "title": "Input", **schema(at, formats)}
        (HERE / f"t{at}.json").write_text(json.dumps(alone))
    methods = "".join(map(method, range(TOOLS)))
    host = f"struct All;\nimpl Host for All {{\n{methods}}}\n"
    calling = table(read).replace("fn main() {\n", "fn main() {\n    drop(std::hint::black_box(SKILLS.with(All)));\n")
    with_call = f'skills-bundle = {{ path = "{ROOT}", features = ["call"] }}\n'
    package("callable", with_call, 'skills::skills!("../ours/skills");\n' + host + calling, script)
    (HERE / "callable/build.rs").write_text('fn main() {\n    skills_build::bundle("../ours/skills");\n}\n')
    names = ["empty", "ours", "callable", "derives"]
    if typify:
        load = lambda at: f'pub mod t{at} {{ typify::import_types!(schema = "../t{at}.json"); }}\n'
        program = "#![allow(warnings)]\n" + "".join(map(load, range(TOOLS))) + table(by_serde)
        package("typified", serde + 'typify = "0.4"\nregress = "0.10"\n', program)
        names.append("typified")
    profiles = "".join(f"[profile.{name}]\nincremental = false\n" for name in ("dev", "release"))
    (HERE / "Cargo.toml").write_text(f'[workspace]\nresolver = "3"\nmembers = {json.dumps(names)}\n{profiles}')
    return names


def build(name, release):
    command = ["cargo", "build", "--quiet", "-p", name] + (["--release"] if release else [])
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, cwd=HERE, check=True, env={**os.environ, "CARGO_TARGET_DIR": str(HERE / "target")})
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measure(name, release):
    """The last crate alone: everything is built once, then that again."""
    build(name, release)
    os.utime(HERE / name / "src/main.rs")
    return build(name, release)


def main():
    names = write("--typify" in sys.argv[1:], "--formats" in sys.argv[1:])
    print(f"{TOOLS} tools, CPU s      debug  release")
    for name in names:
        print(f"{name:20} {measure(name, False):8.2f}", end="", flush=True)
        print(f" {measure(name, True):8.2f}", flush=True)


if __name__ == "__main__":
    main()
