import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { TsdownPlugin } from "tsdown";

/**
 * Writes the licence of every package that went into the bundle beside it, as these licences ask
 * for.
 */
export function licences(): TsdownPlugin {
  return {
    name: "licences",
    generateBundle(_, bundle) {
      const folders = new Set<string>();
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== "chunk") continue;
        for (const id of chunk.moduleIds) {
          const [folder] = /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(id) ?? [];
          if (folder !== undefined) folders.add(folder);
        }
      }
      const texts = [...folders].sort().map(licenceOf);
      this.emitFile({ type: "asset", fileName: "LICENSES.txt", source: texts.join("\n") });
    },
  };
}

function licenceOf(folder: string): string {
  const manifest: unknown = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((name) => /^licen[cs]e(?:\.|$)/i.test(name));
  if (file === undefined || !isManifest(manifest)) throw new Error(`${folder} has no licence`);
  const { name, version, license } = manifest;
  const text = readFileSync(join(folder, file), "utf8").trim();
  return `${name} ${version} (${license})\n${"-".repeat(60)}\n${text}\n`;
}

function isManifest(
  read: unknown,
): read is { readonly name: string; readonly version: string; readonly license: string } {
  return (
    typeof read === "object" &&
    read !== null &&
    ["name", "version", "license"].every((key) => typeof Reflect.get(read, key) === "string")
  );
}
