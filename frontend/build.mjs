// Builds the one module of a report, and its style, into the package, with their hashes.
// node build.mjs [folder]: elsewhere, to compare.
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const out = process.argv[2] ?? join(here, "..", "src", "treewright", "report", "static");
mkdirSync(out, { recursive: true });
await build({
  entryPoints: [join(here, "src", "main.ts")],
  outfile: join(out, "report.js"),
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  charset: "ascii",
  legalComments: "none",
  banner: { js: "/* Built from frontend/; holds d3-hierarchy (ISC, Mike Bostock). */" },
});
copyFileSync(join(here, "src", "report.css"), join(out, "report.css"));
const lines = ["report.css", "report.js"].map(
  (name) => `${createHash("sha256").update(readFileSync(join(out, name))).digest("hex")}  ${name}\n`,
);
writeFileSync(join(out, "SHA256SUMS"), lines.join(""));
