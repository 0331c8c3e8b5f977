//! The `skills` command.
