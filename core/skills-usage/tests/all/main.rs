//! Checks lines against the commands of a program `acme` that uses clap.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at the first surprise")]

mod agree;
mod forms;
mod lies;
mod right;

use clap::{Arg, ArgAction, Command, value_parser};
use skills_usage::CommandTree;

/// The commands that the lines are about.
fn acme() -> Command {
    let format =
        Arg::new("format").long("format").short('f').alias("fmt").value_parser(["text", "json", "sarif"]);
    let dir = Arg::new("dir").value_name("DIR");
    let config = Arg::new("config").long("config").global(true).env("ACME_CONFIG");
    Command::new("acme")
        .version("1.2.3")
        .bin_name("cargo acme")
        .arg(Arg::new("verbose").long("verbose").short('v').action(ArgAction::Count).global(true))
        .arg(config)
        .subcommand(
            Command::new("list")
                .visible_alias("ls")
                .about("Lists things")
                .arg(format.clone())
                .arg(Arg::new("limit").long("limit").short('n').value_parser(value_parser!(u16)))
                .arg(Arg::new("size").long("size").value_parser(sized))
                .arg(Arg::new("all").long("all").short('a').action(ArgAction::SetTrue))
                .arg(
                    Arg::new("color")
                        .long("color")
                        .require_equals(true)
                        .num_args(0..=1)
                        .value_parser(["auto", "never"]),
                )
                .arg(Arg::new("sort").long("sort").help("Deprecated: use `--order`"))
                .arg(Arg::new("order").long("order"))
                .arg(Arg::new("dirs").value_name("DIR").num_args(0..)),
        )
        .subcommand(
            Command::new("show")
                .arg(Arg::new("name").value_name("NAME").required(true))
                .arg(Arg::new("part").value_parser(["body", "files"]))
                .arg(format.clone().required(false)),
        )
        .subcommand(
            Command::new("run")
                .arg(dir.clone().required(true))
                .arg(Arg::new("input").long("input").short('i').required(true))
                .arg(Arg::new("tag").long("tag").num_args(1..))
                .arg(
                    Arg::new("offset")
                        .long("offset")
                        .allow_hyphen_values(true)
                        .value_parser(value_parser!(i64)),
                ),
        )
        .subcommand(
            Command::new("remote")
                .subcommand(Command::new("add").arg(Arg::new("url").required(true)))
                .subcommand(Command::new("remove").visible_alias("rm").arg(Arg::new("url").required(true))),
        )
        .subcommand(Command::new("exec").arg(Arg::new("quiet").long("quiet").action(ArgAction::SetTrue)).arg(
            Arg::new("command").trailing_var_arg(true).allow_hyphen_values(true).num_args(1..).required(true),
        ))
        .subcommand(Command::new("fetch").about("Deprecated, use `remote`").arg(dir))
        .subcommand(Command::new("tool").allow_external_subcommands(true))
}

/// Reads a size: a number with a suffix, which clap does not report as a whole number.
fn sized(text: &str) -> Result<u64, String> {
    text.trim_end_matches('k').parse().map_err(|_| "no size".to_owned())
}

fn tree() -> CommandTree {
    CommandTree::from(&acme())
}
