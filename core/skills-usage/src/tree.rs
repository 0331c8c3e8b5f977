//! The definition of a program's command line as data. All other modules create it, print it, or check command
//! lines with it.

/// A command with its flags, arguments and subcommands. The root is the program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "file", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct CommandTree {
    /// The name. The name of a program may have several words, such as `cargo skills`.
    pub name: String,
    /// Other names.
    #[cfg_attr(feature = "file", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub aliases: Vec<String>,
    /// Set if it is deprecated, which means that it still works but should not be used. The text is the
    /// replacement, or empty.
    #[cfg_attr(feature = "file", serde(default, skip_serializing_if = "Option::is_none"))]
    pub deprecated: Option<String>,
    /// Whether the command accepts more than this definition says. If so, only the known flags are checked.
    #[cfg_attr(feature = "file", serde(default, skip_serializing_if = "is_default"))]
    pub open: bool,
    /// The flags.
    #[cfg_attr(feature = "file", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub flags: Vec<Flag>,
    /// The arguments by position.
    #[cfg_attr(feature = "file", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub arguments: Vec<Argument>,
    /// The subcommands.
    #[cfg_attr(feature = "file", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub commands: Vec<CommandTree>,
    /// One sentence about it, for generated blocks.
    #[cfg_attr(feature = "file", serde(default, skip_serializing_if = "String::is_empty"))]
    pub about: String,
    /// Whether the help does not list the command. Generated blocks leave it out.
    #[cfg_attr(feature = "file", serde(default, skip_serializing_if = "is_default"))]
    pub hidden: bool,
    /// Example calls, for generated blocks.
    #[cfg_attr(feature = "file", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub examples: Vec<String>,
    /// The environment variables that the program reads; only the root has them.
    #[cfg_attr(feature = "file", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub environment: Vec<String>,
}

/// A flag, with or without values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "file", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Flag {
    /// The names with their dashes: `--format`, `-f`. The first is the one to use.
    pub names: Vec<String>,
    /// Names that still work but that the help does not show.
    #[cfg_attr(feature = "file", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub old: Vec<String>,
    /// Set if it is deprecated, which means that it still works but should not be used. The text is the
    /// replacement, or empty.
    #[cfg_attr(feature = "file", serde(default, skip_serializing_if = "Option::is_none"))]
    pub deprecated: Option<String>,
    /// How many values it takes.
    #[cfg_attr(feature = "file", serde(default, skip_serializing_if = "is_default"))]
    pub takes: ValueCount,
    /// What the values are.
    #[cfg_attr(feature = "file", serde(default, skip_serializing_if = "is_default"))]
    pub values: Values,
    /// Whether the command fails without it.
    #[cfg_attr(feature = "file", serde(default, skip_serializing_if = "is_default"))]
    pub required: bool,
    /// Whether the subcommands accept it, too.
    #[cfg_attr(feature = "file", serde(default, skip_serializing_if = "is_default"))]
    pub global: bool,
    /// One sentence about it, for generated blocks.
    #[cfg_attr(feature = "file", serde(default, skip_serializing_if = "String::is_empty"))]
    pub about: String,
    /// Whether the help does not list the flag. Generated blocks leave it out.
    #[cfg_attr(feature = "file", serde(default, skip_serializing_if = "is_default"))]
    pub hidden: bool,
    /// The name of the value in the help.
    #[cfg_attr(feature = "file", serde(default, skip_serializing_if = "String::is_empty"))]
    pub value: String,
    /// The value without the flag.
    #[cfg_attr(feature = "file", serde(default, skip_serializing_if = "String::is_empty"))]
    pub default: String,
}

/// An argument that is given by its position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "file", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Argument {
    /// The name in the help.
    pub name: String,
    /// Whether the command fails without it.
    #[cfg_attr(feature = "file", serde(default, skip_serializing_if = "is_default"))]
    pub required: bool,
    /// Whether it takes all values that remain.
    #[cfg_attr(feature = "file", serde(default, skip_serializing_if = "is_default"))]
    pub many: bool,
    /// Whether everything after its first value belongs to it, including words with dashes. Such arguments are
    /// usually the command line of another program.
    #[cfg_attr(feature = "file", serde(default, skip_serializing_if = "is_default"))]
    pub rest: bool,
    /// What the values are.
    #[cfg_attr(feature = "file", serde(default, skip_serializing_if = "is_default"))]
    pub values: Values,
}

/// How many values a flag takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "file", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
#[non_exhaustive]
pub enum ValueCount {
    /// None: a switch.
    #[default]
    Nothing,
    /// Exactly one.
    One,
    /// One or none.
    Optional,
    /// One after `=`, or none: `--color=never`.
    Joined,
    /// One or more, up to the next flag.
    Many,
}

/// The values that a flag or an argument accepts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "file", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Values {
    /// The possible values. Empty if any value is accepted.
    #[cfg_attr(feature = "file", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub possible: Vec<String>,
    /// The character that separates several values in one word.
    #[cfg_attr(feature = "file", serde(default, skip_serializing_if = "Option::is_none"))]
    pub delimiter: Option<char>,
    /// The type of the values.
    #[cfg_attr(feature = "file", serde(default, rename = "type", skip_serializing_if = "is_default"))]
    pub kind: ArgumentType,
    /// Whether a value may begin with a dash.
    #[cfg_attr(feature = "file", serde(default, skip_serializing_if = "is_default"))]
    pub dashes: bool,
    /// Whether letter case does not matter.
    #[cfg_attr(feature = "file", serde(default, skip_serializing_if = "is_default"))]
    pub ignore_case: bool,
}

/// The type of a value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "file", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
#[non_exhaustive]
pub enum ArgumentType {
    /// Any text.
    #[default]
    Text,
    /// A whole number.
    Integer,
    /// A number.
    Number,
}

impl CommandTree {
    /// Returns `true` if a text should offer the command: it is not hidden, deprecated or the help.
    pub fn is_offered(&self) -> bool {
        !self.hidden && self.deprecated.is_none() && self.name != "help"
    }

    /// Returns `true` for the commands that a program adds for its own skills (`BundleCommand`). The command itself prints a
    /// skill as a text for a model, and those below it are for people.
    pub(crate) fn is_of_skills(&self) -> bool {
        let usual = ["install", "list", "prompt", "search", "show", "status", "uninstall"];
        usual.iter().all(|name| self.command(name).is_some())
    }

    /// Finds a subcommand by any of its names.
    pub(crate) fn command(&self, name: &str) -> Option<&Self> {
        self.commands
            .iter()
            .find(|command| command.name == name || command.aliases.iter().any(|alias| alias == name))
    }

    pub(crate) fn command_names(&self) -> impl Iterator<Item = &str> {
        self.commands.iter().flat_map(|command| {
            std::iter::once(command.name.as_str()).chain(command.aliases.iter().map(String::as_str))
        })
    }
}

impl Flag {
    /// Returns `true` if this is a name of the flag.
    pub(crate) fn is_named(&self, name: &str) -> bool {
        self.names.iter().chain(&self.old).any(|known| known == name)
    }

    /// Returns the name to show.
    pub(crate) fn name(&self) -> &str {
        self.names.first().map_or("", String::as_str)
    }

    /// Returns the name of the value to show.
    pub(crate) fn value_name(&self) -> &str {
        if self.value.is_empty() { "VALUE" } else { &self.value }
    }
}

impl Values {
    /// Returns `true` if a value fits.
    pub(crate) fn accept(&self, value: &str) -> bool {
        match self.delimiter {
            Some(delimiter) => value.split(delimiter).all(|value| self.accept_one(value)),
            None => self.accept_one(value),
        }
    }

    fn accept_one(&self, value: &str) -> bool {
        match self.kind {
            ArgumentType::Integer => value.parse::<i128>().is_ok(),
            ArgumentType::Number => value.parse::<f64>().is_ok(),
            ArgumentType::Text if self.possible.is_empty() => true,
            ArgumentType::Text if self.ignore_case => {
                self.possible.iter().any(|known| known.eq_ignore_ascii_case(value))
            }
            ArgumentType::Text => self.possible.iter().any(|known| known == value),
        }
    }

    /// Describes the values for a help.
    pub(crate) fn describe(&self) -> String {
        match self.kind {
            ArgumentType::Integer => "a whole number".to_owned(),
            ArgumentType::Number => "a number".to_owned(),
            ArgumentType::Text => {
                let all: Vec<String> = self.possible.iter().map(|value| format!("`{value}`")).collect();
                match all.split_last() {
                    Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
                    Some((last, _)) => last.clone(),
                    None => "a value".to_owned(),
                }
            }
        }
    }
}

#[cfg(feature = "file")]
fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
