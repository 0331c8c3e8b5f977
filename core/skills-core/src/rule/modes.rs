//! Rules about the parts that the mode of a skill needs: prompts, pipelines, calls.

use super::example::ADD;

rules! {
    "Modes and programs":

    PROMPT_MISSING = error("prompt-missing", "3.4", [Error, Error, Allow]) {
        explain: "A skill of mode `llm` is a prompt: the file `prompt.md` beside `skill.json`, or, without \
            that file, the body of `SKILL.md`.",
        bad: &[function!("add": r#""input": {}"#, r#""output": {}"#, r#""mode": "llm""#)],
        good: &[
            function!("add": r#""input": {}"#, r#""output": {}"#, r#""mode": "llm""#),
            ("add/prompt.md", "Add the numbers.\n"),
        ],
    }

    PROMPT_EMPTY = error("prompt-empty", "3.4", [Error, Error, Allow]) {
        explain: "A skill of mode `llm` sends this text to the model. If it is empty, the model has to \
            guess its task.",
        bad: &[
            function!("add": r#""input": {}"#, r#""output": {}"#, r#""mode": "llm""#),
            ("add/prompt.md", "\n"),
        ],
        good: &[
            function!("add": r#""input": {}"#, r#""output": {}"#, r#""mode": "llm""#),
            ("add/prompt.md", "Add the numbers.\n"),
        ],
    }

    PIPELINE_EMPTY = error("pipeline-empty", "3.4", [Error, Error, Allow]) {
        explain: "A composite skill runs the steps of its pipeline; an empty pipeline does nothing. If the \
            key is absent, the host runs the skill.",
        bad: &[function!("add": r#""input": {}"#, r#""output": {}"#, r#""mode": "composite""#, r#""pipeline": []"#)],
        good: &[function!("add": r#""input": {}"#, r#""output": {}"#, r#""mode": "composite""#)],
    }

    PIPELINE_MISPLACED = lint("pipeline-misplaced", "3.4", [Warning, Warning, Allow]) {
        explain: "Only mode `composite` runs a pipeline and maps its output. In another mode the keys have \
            no effect.",
        bad: &[add!(r#""outputMapping": {}"#)],
        good: &[ADD],
    }

    PURE_MISPLACED = lint("pure-misplaced", "3.4", [Warning, Warning, Allow]) {
        explain: "`pure` says that the program or host method of a skill changes nothing besides its output. A skill \
            of mode `llm` never changes anything, and for a pipeline the skills of its steps decide. For these \
            skills the key has no effect.",
        bad: &[
            function!("add": r#""input": {}"#, r#""output": {}"#, r#""mode": "llm""#, r#""pure": true"#),
            ("add/prompt.md", "Add the numbers.\n"),
        ],
        good: &[
            function!("add": r#""input": {}"#, r#""output": {}"#, r#""mode": "llm""#),
            ("add/prompt.md", "Add the numbers.\n"),
        ],
    }

    MCP_TOOL_MISSING = error("mcp-tool-missing", "3.10", [Error, Error, Allow]) {
        explain: "A skill of mode `mcp` is a tool of an MCP server. The key `mcp` names the server and the tool, \
            and has the digest of the definition that was reviewed. `skills pin` writes such skills.",
        bad: &[function!("add": r#""input": {}"#, r#""output": {}"#, r#""mode": "mcp""#)],
        good: &[function!("add": r#""input": {}"#, r#""output": {}"#, r#""mode": "mcp""#, r#""mcp": { "server": "files", "tool": "add", "digest": "sha256:0000000000000000000000000000000000000000000000000000000000000000" }"#)],
    }

    MCP_TOOL_MISPLACED = lint("mcp-tool-misplaced", "3.10", [Warning, Warning, Allow]) {
        explain: "Only mode `mcp` calls the tool of an MCP server. In another mode the key `mcp` has no effect.",
        bad: &[function!("add": r#""input": {}"#, r#""output": {}"#, r#""mode": "code""#, r#""mcp": { "server": "files", "tool": "add", "digest": "sha256:0000000000000000000000000000000000000000000000000000000000000000" }"#)],
        good: &[ADD],
    }

    MCP_TOOL_INVALID = error("mcp-tool-invalid", "3.10", [Error, Error, Allow]) {
        explain: "A call of the skill compares the tool's definition with the digest, so a server cannot change \
            what was reviewed. The key therefore has all three parts: `server`, `tool` and `digest`.",
        bad: &[function!("add": r#""input": {}"#, r#""output": {}"#, r#""mode": "mcp""#, r#""mcp": { "server": "files", "tool": "add" }"#)],
        good: &[function!("add": r#""input": {}"#, r#""output": {}"#, r#""mode": "mcp""#, r#""mcp": { "server": "files", "tool": "add", "digest": "sha256:0000000000000000000000000000000000000000000000000000000000000000" }"#)],
    }

    SCRIPT_INDEX = lint("script-index", "3.4", [Warning, Warning, Allow]) {
        explain: "Skills run inside one binary without a JavaScript engine. The file is bundled as a \
            resource; the function itself is a method of the host, or a program that `exec` in `SKILL.md` \
            names.",
        bad: &[ADD, ("add/index.ts", "export const execute = () => ({})\n")],
        good: &[ADD],
    }

    CALL_UNKNOWN = error("call-unknown", "3.6", [Error, Warning, Allow]) {
        explain: "A skill declares which skills it calls, so that a missing one is found when the program \
            is built and not when it runs.",
        bad: &[
            function!("sum": r#""input": {}"#, r#""output": {}"#, r#""mode": "composite""#, r#""calls": ["ad"]"#),
            ADD,
        ],
        good: &[
            function!("sum": r#""input": {}"#, r#""output": {}"#, r#""mode": "composite""#, r#""calls": ["add"]"#),
            ADD,
        ],
    }

    CALL_UNDECLARED = error("call-undeclared", "3.6", [Error, Warning, Allow]) {
        explain: "The list `calls` names every skill that this skill depends on, so it must contain each \
            skill that a step uses.",
        bad: &[
            function!("sum": r#""input": {}"#, r#""output": {}"#, r#""mode": "composite""#, r#""calls": []"#, r#""pipeline": [{ "step": "one", "skill": "add", "input": {} }]"#),
            ADD,
        ],
        good: &[
            function!("sum": r#""input": {}"#, r#""output": {}"#, r#""mode": "composite""#, r#""calls": ["add"]"#, r#""pipeline": [{ "step": "one", "skill": "add", "input": {} }]"#),
            ADD,
        ],
    }

    CALL_CYCLE = error("call-cycle", "3.6", [Error, Error, Allow]) {
        explain: "A skill that calls itself, directly or through others, never ends. The title prints the circle.",
        bad: &[
            function!("add": r#""input": {}"#, r#""output": {}"#, r#""mode": "composite""#, r#""calls": ["sub"]"#),
            function!("sub": r#""input": {}"#, r#""output": {}"#, r#""mode": "composite""#, r#""calls": ["add"]"#),
        ],
        good: &[
            function!("add": r#""input": {}"#, r#""output": {}"#, r#""mode": "composite""#, r#""calls": ["sub"]"#),
            function!("sub": r#""input": {}"#, r#""output": {}"#, r#""mode": "code""#),
        ],
    }
}
