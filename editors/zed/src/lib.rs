//! Tells Zed which program to start as `skills lsp`: the program in Zed's settings, or else the one on the
//! `PATH`.

use zed_extension_api::settings::LspSettings;
use zed_extension_api::{Command, Extension, LanguageServerId, Result, Worktree, register_extension};

struct Skills;

impl Extension for Skills {
    fn new() -> Self {
        Self
    }

    fn language_server_command(&mut self, server: &LanguageServerId, worktree: &Worktree) -> Result<Command> {
        let settings = LspSettings::for_worktree(server.as_ref(), worktree).ok();
        let set = settings.and_then(|settings| settings.binary?.path);
        let command = set.or_else(|| worktree.which("skills")).ok_or(
            "`skills` is not on the PATH: install the command, or name it in the settings as \
             lsp.skills.binary.path",
        )?;
        Ok(Command { command, args: vec!["lsp".to_owned()], env: worktree.shell_env() })
    }
}

register_extension!(Skills);
