//! Tests that clap itself accepts the right lines and refuses the wrong ones, so that the tables of the other tests
//! are correct.

use clap::{Arg, ArgAction, Command};
use skills_usage::{CommandTree, help, write_block};

use super::{acme, lies, right};

/// Returns the arguments of a line that holds nothing but words; `None` for any other line.
fn words(line: &str) -> Option<Vec<String>> {
    let is_plain = line.starts_with("acme ")
        && !line.contains(['|', '$', '<', '>', '{', '[', '(', ';', '…', '#', '\n', '\\']);
    let words = skills_text::split_words(line).filter(|_| is_plain)?;
    (!words.iter().any(|word| matches!(word.as_str(), "NAME" | "N" | "FORMAT" | "..."))).then_some(words)
}

// SPEC 23.4, 23.5
#[test]
fn clap_agrees_with_the_tables() {
    use clap::error::ErrorKind::{DisplayHelp, DisplayVersion};
    let mut count = 0;
    let mut wrong = Vec::new();
    for line in right::LINES {
        let Some(words) = words(line) else { continue };
        let answer = acme().try_get_matches_from(&words);
        let is_shown =
            answer.as_ref().err().is_some_and(|error| matches!(error.kind(), DisplayHelp | DisplayVersion));
        wrong.extend((answer.is_err() && !is_shown).then_some(line.to_owned()));
        count += 1;
    }
    for (line, rule, _) in lies::LINES {
        let line = line.replace(['«', '»'], "");
        let Some(words) = words(&line).filter(|_| rule != "command-deprecated") else { continue };
        wrong.extend(acme().try_get_matches_from(&words).is_ok().then_some(line));
        count += 1;
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(count > 50, "{count}");
}

/// A program with the forms in which its definition and its help could disagree.
fn forms() -> Command {
    let url = Arg::new("url").long("url").value_name("URL").required(true).help("The server. It is asked");
    let range = Arg::new("range").long("range").value_names(["FROM", "TO"]).num_args(2);
    let skill = Arg::new("skill").long("skill").value_names(["NAME", "FILE"]).num_args(0..=2);
    Command::new("tool").about("Works with tables. Slowly").arg(skill).subcommand(
        Command::new("db")
            .about("Reads databases")
            .subcommand(
                Command::new("read")
                    .about("Reads a text")
                    .arg(Arg::new("words").value_names(["NAME", "FILE"]).num_args(0..=2))
                    .arg(url)
                    .arg(Arg::new("format").long("format").default_value("csv").value_parser(["csv", "json"]))
                    .after_help("tool db read x is the usual call.\n\nExamples:\n  tool db read notes --url u  reads notes"),
            )
            .subcommand(
                Command::new("pick")
                    .arg(Arg::new("more").value_name("MORE").num_args(1..).action(ArgAction::Append)),
            )
            .subcommand(
                Command::new("join")
                    .about("Joins tables")
                    .arg(Arg::new("pair").num_args(2).required(true))
                    .arg(range)
                    .arg(
                        Arg::new("depth")
                            .long("depth")
                            .default_value("3")
                            .help("How deep")
                            .long_help("How deep\n\nDeeper is slower."),
                    )
                    .after_help("Examples:\n  tool db join short")
                    .after_long_help("Examples:\n  tool db join a b"),
            ),
    )
}

// SPEC 23.2, 23.15: the printed help leads to the same block as the definition
#[test]
fn a_help_gives_the_same_block_as_its_definition() {
    for command in [forms(), acme().bin_name("acme")] {
        let name = command.get_name().to_owned();
        let read = help::read(&name, &mut |path| {
            let mut at = command.clone();
            at.build();
            let mut at = &mut at;
            for word in path {
                at = at.find_subcommand_mut(word)?;
            }
            Some(at.clone().term_width(200).render_long_help().to_string())
        });
        let (read, defined) = (read.unwrap(), CommandTree::from(&command));
        assert_eq!(write_block(&read), write_block(&defined));
    }
}
