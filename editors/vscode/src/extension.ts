// Starts `skills lsp`, connects the editor to it, and runs the command lines that its commands return.

import * as fs from "node:fs";
import * as path from "node:path";
import { commands, window, workspace, type ExtensionContext } from "vscode";
import { LanguageClient, TransportKind, type LanguageClientOptions } from "vscode-languageclient/node";

/** The answer of a command of the server: the command line to run in a terminal. */
interface Invocation {
  program: string;
  arguments: string[];
  directory: string;
  line: string;
}

let client: LanguageClient | undefined;

/** Returns the program: from the setting, from the extension's own directory, or from the PATH. */
export function program(context: ExtensionContext): string {
  const set = workspace.getConfiguration("skills").get<string>("path", "").trim();
  if (set !== "") {
    return set;
  }
  const name = process.platform === "win32" ? "skills.exe" : "skills";
  const own = path.join(context.extensionPath, "bin", name);
  return fs.existsSync(own) ? own : name;
}

/** Returns whether the program is a file, at its path or in a directory of the PATH. */
function exists(command: string): boolean {
  const directories = path.basename(command) === command ? (process.env.PATH ?? "").split(path.delimiter) : [""];
  const suffixes = process.platform === "win32" ? ["", ".exe"] : [""];
  const isFile = (file: string) => fs.statSync(file, { throwIfNoEntry: false })?.isFile() ?? false;
  return directories.some((directory) => suffixes.some((suffix) => isFile(path.join(directory, command + suffix))));
}

const install = "How to install it";
const setting = "Open the setting";

/** Shows why the program cannot be started, how to install it, and which setting names it. */
async function showMissing(reason: string): Promise<void> {
  const text =
    `${reason} Install the command with \`cargo install --path CHECKOUT/tools/skills-cli\`, where CHECKOUT is a checkout ` +
    "of its repository, or with one of its packages, and run “Skills: Restart the language server”. If it is not on the PATH, " +
    "name it in the setting skills.path.";
  const chosen = await window.showErrorMessage(text, install, setting);
  if (chosen === install) {
    await commands.executeCommand("workbench.action.openWalkthrough", "skills-bundle.skills-bundle#start");
  } else if (chosen === setting) {
    await commands.executeCommand("workbench.action.openSettings", "skills.path");
  }
}

/** Shows a command line in a terminal. A person completes the input of a skill, and presses Enter. */
function inTerminal(context: ExtensionContext, run: Invocation): void {
  const isComplete = !run.arguments.includes("--input");
  const terminal = window.createTerminal({ name: `skills ${run.arguments[0]}`, cwd: run.directory });
  terminal.show();
  const command = program(context);
  const quoted = /^[\w./:\\-]+$/.test(command) ? command : `"${command}"`;
  terminal.sendText(run.line.replace(/^skills(?= |$)/, () => quoted), isComplete);
}

async function start(context: ExtensionContext): Promise<void> {
  const command = program(context);
  client = undefined;
  if (!exists(command)) {
    void showMissing(`The program \`${command}\` of this extension was not found.`);
    return;
  }
  const files = ["SKILL.md", "ROLE.md", "prompt.md", "skill.json", "plugin.json", "skills.toml", "evals/*.json", "*.schema.json", "schema.json"];
  const options: LanguageClientOptions = {
    documentSelector: files.map((file) => ({ scheme: "file", pattern: `**/${file}` })),
    synchronize: { fileEvents: workspace.createFileSystemWatcher("**/{skills,projects}/**") },
    initializationOptions: { runs: true },
    middleware: {
      executeCommand: async (name, given, next) => {
        const answer = (await next(name, given)) as Invocation | undefined;
        if (answer !== undefined) {
          inTerminal(context, answer);
        }
        return answer;
      },
      provideCodeLenses: (document, token, next) =>
        workspace.getConfiguration("skills").get<boolean>("codeLens.enabled", true) ? next(document, token) : [],
    },
  };
  client = new LanguageClient("skills", "Skills", { command, args: ["lsp"], transport: TransportKind.stdio }, options);
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    const reason = error instanceof Error ? error.message : String(error);
    void showMissing(`\`${command} lsp\` cannot be started: ${reason}.`);
  }
}

export async function activate(context: ExtensionContext): Promise<void> {
  const restart = async (): Promise<void> => {
    await client?.stop();
    await start(context);
  };
  const check = (): void => {
    const directory = workspace.workspaceFolders?.[0]?.uri.fsPath ?? ".";
    inTerminal(context, { program: "skills", arguments: ["check", "."], directory, line: "skills check ." });
  };
  context.subscriptions.push(
    commands.registerCommand("skills.restart", restart),
    commands.registerCommand("skills.check", check),
    commands.registerCommand("skills.showOutput", () => client?.outputChannel.show()),
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
