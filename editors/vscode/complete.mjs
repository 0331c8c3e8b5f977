// Fails unless every file that package.json names exists, so that no package lacks the schema or a picture.
import { existsSync, readFileSync } from "node:fs";

const manifest = JSON.parse(readFileSync("package.json", "utf8"));
const { jsonValidation, walkthroughs } = manifest.contributes;
const pictures = readFileSync("README.md", "utf8").matchAll(/!\[[^\]]*\]\(([^)]+)\)/g);
const files = [
  manifest.icon,
  "LICENSE",
  ...Array.from(pictures, (found) => found[1]),
  ...jsonValidation.map((entry) => entry.url),
  ...walkthroughs.flatMap((walkthrough) => walkthrough.steps.map((step) => step.media.markdown)),
];
const missing = files.filter((file) => !existsSync(file));
if (missing.length > 0) {
  console.error(`error: the package lacks ${missing.join(", ")}`);
  if (missing.some((file) => file.endsWith("skill.schema.json"))) {
    console.error("help: run `skills schema > skill.schema.json`");
  }
  process.exit(1);
}
