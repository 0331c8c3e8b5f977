// Converts texts in which one piece repeats, with the functions of the page. Each conversion must end within its limit,
// which is thousands of times what a linear one takes.
import { readFileSync } from "node:fs";
import { createContext, runInContext } from "node:vm";

const SIZE = 100_000, LIMIT = 10_000;
const page = readFileSync(process.argv[2], "utf8");
const code = page.slice(page.indexOf("// Converts Markdown to nodes."), page.indexOf("// The chat. It is created once"));
const make = (tag, props, ...content) => ({ tagName: tag.toUpperCase(), childNodes: content.flat(), append(...more) { this.childNodes.push(...more); } });
const context = createContext({ make, encoded: (path) => path, decoded: (path) => path, ofFile: () => "" });
runInContext(code, context);

const starts = ["", "x", "# ", "```", "~~~", "- ", "` ", "[", "[a](", "[a](b", "[a](b \"", "|", "x|\n", "> ", "<http:", "*"];
const pieces = ["-", "|", "- ", "`", "~", "[", "]", "[]", "[](", "[a](", "*", "_", "<", "<http://", "http://.", ":", " ", "\t", "#", "1. ", "\n", "\r", "\u2028", "\\", "\\\n", "> ", "=", "!", "(", ")", "()", "x*", "*x", "a", " a", "\n- ", "\n> ", "\n```", "\"", "'"];
const ends = ["", "x", "\u2028", "`", "\n|-x", ")"];
const slow = [];
let count = 0;
for (const start of starts) for (const piece of pieces) for (const end of ends) {
  context.text = start + piece.repeat(Math.ceil(SIZE / piece.length)) + end;
  count++;
  try { runInContext("markdown(text)", context, { timeout: LIMIT }); } catch { slow.push([start, piece, end]); }
  if (slow.length > 3) break;
}
console.log(JSON.stringify({ count, slow }));
