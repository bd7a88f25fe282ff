import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import manifest from "../package.json" with { type: "json" };

// tsc has written a declaration for every module. The package keeps those that an entry leads to.
const root = join(import.meta.dirname, "..");
const RELATIVE = /(\bfrom |\bimport\(|^import )"(\.[^"]+)\.ts"/gm;
// Only types are inferred from zod's schemas: its declarations are copied, so that an installation
// does without the package, which is as large as all the rest of it.
const ZOD = /(?<=\bfrom |\bimport\()"zod"/g;
const zodAt = join(root, "dist", "zod");

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
  const zod = relative(dirname(file), join(zodAt, "index.js")).replaceAll("\\", "/");
  const own = text.replace(RELATIVE, '$1"$2.js"').replace(ZOD, `"${zod}"`);
  if (text.search(ZOD) >= 0) copyZod("index.d.ts");
  writeFileSync(file, own);
}

/** Copies a declaration of zod, and those that it imports. */
function copyZod(name: string): void {
  const file = join(zodAt, name);
  if (kept.has(file)) return;
  kept.add(file);
  const text = readFileSync(join(root, "node_modules/zod", name), "utf8");
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  for (const [, other] of text.matchAll(/\bfrom "(\.[^"]+)\.js"/g)) {
    copyZod(join(dirname(name), `${other}.d.ts`));
  }
}
