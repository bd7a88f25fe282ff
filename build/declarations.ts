import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import manifest from "../package.json" with { type: "json" };

// tsc has written a declaration for every module. The package keeps those that an entry leads to.
const root = join(import.meta.dirname, "..");
const RELATIVE = /(\bfrom |\bimport\(|^import )"(\.[^"]+)\.ts"/gm;

const entries = Object.values(manifest.exports).flatMap((entry) =>
  typeof entry === "string" ? [] : [join(root, entry.types)],
);
const kept = new Set<string>();
for (const entry of entries) keep(entry);

for (const name of readdirSync(join(root, "dist"), { recursive: true, encoding: "utf8" })) {
  const file = join(root, "dist", name);
  if (file.endsWith(".d.ts") && !kept.has(file)) rmSync(file);
}

/** Names are those of the built modules then: TypeScript leaves `.ts` in a declaration. */
function keep(file: string): void {
  if (kept.has(file)) return;
  kept.add(file);
  const text = readFileSync(file, "utf8");
  for (const [, , name] of text.matchAll(RELATIVE)) keep(join(dirname(file), `${name}.d.ts`));
  writeFileSync(file, text.replace(RELATIVE, '$1"$2.js"'));
}
