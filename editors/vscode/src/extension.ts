// Starts `skills lsp` and connects the editor to it.

import * as fs from "node:fs";
import * as path from "node:path";
import { commands, window, workspace, type ExtensionContext } from "vscode";
import { LanguageClient, TransportKind, type LanguageClientOptions } from "vscode-languageclient/node";

let client: LanguageClient | undefined;

/** The program: the one that is set, the one that came along, or the one on the PATH. */
export function program(context: ExtensionContext): string {
  const set = workspace.getConfiguration("skills").get<string>("path", "").trim();
  if (set !== "") {
    return set;
  }
  const name = process.platform === "win32" ? "skills.exe" : "skills";
  const own = path.join(context.extensionPath, "bin", name);
  return fs.existsSync(own) ? own : name;
}

async function start(context: ExtensionContext): Promise<void> {
  const command = program(context);
  const files = ["SKILL.md", "ROLE.md", "prompt.md", "skill.json", "plugin.json", "skills.toml", "*.schema.json", "schema.json"];
  const options: LanguageClientOptions = {
    documentSelector: files.map((file) => ({ scheme: "file", pattern: `**/${file}` })),
    synchronize: { fileEvents: workspace.createFileSystemWatcher("**/{skills,projects}/**") },
  };
  client = new LanguageClient("skills", "Skills", { command, args: ["lsp"], transport: TransportKind.stdio }, options);
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    const reason = error instanceof Error ? error.message : String(error);
    void window.showErrorMessage(
      `\`${command} lsp\` cannot be started: ${reason}. Install the command, ` +
        "or name it in the setting skills.path.",
    );
  }
}

export async function activate(context: ExtensionContext): Promise<void> {
  const restart = async (): Promise<void> => {
    await client?.stop();
    await start(context);
  };
  context.subscriptions.push(
    commands.registerCommand("skills.restart", restart),
    commands.registerCommand("skills.fixAll", () =>
      commands.executeCommand("editor.action.codeAction", { kind: "source.fixAll.skills", apply: "first" }),
    ),
    workspace.onDidChangeConfiguration((change) => (change.affectsConfiguration("skills.path") ? restart() : undefined)),
  );
  await start(context);
}

export async function deactivate(): Promise<void> {
  await client?.stop();
}
