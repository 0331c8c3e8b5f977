//! The forms of a definition: clap, the JSON file, and help texts.

use skills_usage::{CommandTree, ValueCount, help, parse, print};

use super::{acme, tree};

// SPEC 23.1
#[test]
fn a_definition_is_printed_and_read_again() {
    let tree = tree();
    assert_eq!(parse(&print(&tree)).unwrap(), std::slice::from_ref(&tree));
    assert_eq!(parse(&format!("[{}]", print(&tree))).unwrap(), std::slice::from_ref(&tree));
    assert_eq!(tree.aliases, ["cargo acme"]);
    assert_eq!(tree.environment, ["ACME_CONFIG"]);
}

// SPEC 23.1
#[test]
fn a_wrong_file_is_refused_with_the_place() {
    let wrong = parse("{\n  \"name\": \"acme\",\n  \"flgs\": []\n}\n").unwrap_err().to_string();
    assert!(wrong.contains("unknown field `flgs`") && wrong.contains("line 3"), "{wrong}");
    let wrong =
        parse(r#"{"name": "acme", "flags": [{"names": ["-a"], "takes": "two"}]}"#).unwrap_err().to_string();
    assert!(wrong.contains("unknown variant `two`"), "{wrong}");
}

/// Returns the names of the commands and of the flags with what they take.
fn outline(command: &CommandTree) -> (Vec<&str>, Vec<(&str, ValueCount)>) {
    let commands = command.commands.iter().map(|command| command.name.as_str()).collect();
    let flags = command.flags.iter().map(|flag| (flag.names[0].as_str(), flag.takes)).collect();
    (commands, flags)
}

// SPEC 23.2
#[test]
fn help_texts_of_clap_give_the_same_definition() {
    let mut command = acme();
    command.build();
    let read = help::parse("acme", &command.render_help().to_string());
    assert_eq!(outline(&read).0, outline(&tree()).0);
    for sub in
        command.get_subcommands_mut().filter(|sub| !matches!(sub.get_name(), "help" | "tool" | "remote"))
    {
        let name = sub.get_name().to_owned();
        let read = help::parse(&name, &sub.render_long_help().to_string());
        let own = tree().commands.into_iter().find(|own| own.name == name).unwrap();
        let (mut read_flags, mut own_flags) = (outline(&read).1, outline(&own).1);
        read_flags.sort_by_key(|flag| flag.0);
        own_flags.sort_by_key(|flag| flag.0);
        assert_eq!(read_flags, own_flags, "{name}");
        let names = |command: &CommandTree| -> Vec<_> {
            command
                .arguments
                .iter()
                .map(|argument| (argument.name.clone(), argument.required, argument.many))
                .collect()
        };
        assert_eq!(names(&read), names(&own), "{name}");
    }
}

// SPEC 23.2
#[test]
fn help_texts_of_other_libraries_are_read() {
    let cobra = "Work with things\n\nUsage:\n  acme list [flags]\n\nAvailable Commands:\n  add         Add one\n  rm          Remove one\n\n\
        Flags:\n  -h, --help            help for list\n  -L, --limit int       Maximum number\n      --web             Open it\n\n\
        Global Flags:\n      --repo string   The repository\n\nUse \"acme list [command] --help\" for more.\n";
    let read = help::parse("list", cobra);
    assert_eq!(outline(&read).0, ["add", "rm"]);
    let flags = [
        ("--help", ValueCount::Nothing),
        ("--limit", ValueCount::One),
        ("--web", ValueCount::Nothing),
        ("--repo", ValueCount::One),
    ];
    assert_eq!(outline(&read).1, flags);

    let argparse = "usage: acme [-h] [--format {text,json}] [-o FILE] input [more ...]\n\npositional arguments:\n  input                 the file\n\n\
        options:\n  -h, --help            show this help\n  --format {text,json}  the format\n  -o FILE, --out FILE   the output\n";
    let read = help::parse("acme", argparse);
    let flags = [("--help", ValueCount::Nothing), ("--format", ValueCount::One), ("--out", ValueCount::One)];
    assert_eq!(outline(&read).1, flags);
    assert_eq!(read.flags[1].values.possible, ["text", "json"]);
}

// SPEC 23.2
#[test]
fn long_help_texts_of_clap_are_read() {
    let root = "Keeps notes. It is small.\n\nUsage: acme <COMMAND>\n\nCommands:\n  list  Lists notes\n\nOptions:\n  -h, --help  Print help\n";
    let list = "Lists notes\n\nUsage: acme list [OPTIONS]\n\nOptions:\n      --sort <KEY>\n          The order of notes. Old ones are last\n\n          Possible values:\n          - name: By name\n          - date: By date\n\n  -h, --help\n          Print help\n\nExamples, after which commands follow:\n  acme list --sort date  the newest first\n";
    let read =
        help::read("acme", &mut |path| Some(if path.is_empty() { root } else { list }.to_owned())).unwrap();
    assert_eq!((read.about.as_str(), outline(&read).0), ("Keeps notes", vec!["list"]));
    let list = &read.commands[0];
    assert_eq!(outline(list), (vec![], vec![("--sort", ValueCount::One), ("--help", ValueCount::Nothing)]));
    assert_eq!(
        (list.flags[0].about.as_str(), &list.flags[0].values.possible[..]),
        ("The order of notes", &["name".to_owned(), "date".to_owned()][..])
    );
    assert_eq!(list.examples, ["acme list --sort date"]);
    // A usage line is not an example.
    let cobra =
        "Lists notes\n\nExamples:\n  $ acme\n\nUsage:\n  acme [flags]\n\nFlags:\n  -h, --help  help\n";
    assert!(help::read("acme", &mut |_| Some(cobra.to_owned())).unwrap().examples.is_empty());
}

// SPEC 23.2: a help text that may leave something out makes the command open
#[test]
fn commands_that_a_help_text_may_omit_are_not_reported() {
    let flags = "Options:\n  -h, --help  Print help\n";
    let whole = format!("Usage: acme <COMMAND>\n\nCommands:\n  list  List all\n\n{flags}");
    let read = help::parse("acme", &whole);
    assert!(!read.open && outline(&read).0 == ["list"], "{read:?}");

    let groups = format!(
        "Usage: acme <COMMAND>\n\nWrite things:\n  new  Create one\n\nRead things:\n  list  List all\n\n{flags}"
    );
    let read = help::parse("acme", &groups);
    assert!(read.open && outline(&read).0 == ["new", "list"], "{read:?}");

    let usual = format!(
        "usage: acme <command> [<args>]\n\nThese are common acme commands:\n  list  List all\n\n{flags}"
    );
    let read = help::parse("acme", &usual);
    assert!(read.open && outline(&read).0 == ["list"], "{read:?}");

    for text in
        ["No manual entry for acme-list\n", "NAME\n    acme-list - lists\n\nSYNOPSIS\n    acme list\n"]
    {
        assert!(help::parse("list", text).open, "{text}");
    }
}
