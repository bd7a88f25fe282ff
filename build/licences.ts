import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { TsdownPlugin } from "tsdown";
import { z } from "zod";

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
  const manifest = MANIFEST.parse(JSON.parse(readFileSync(join(folder, "package.json"), "utf8")));
  const { name, version, license, repository } = manifest;
  const file = readdirSync(folder).find((entry) => /^licen[cs]e(?:\.|-|$)/i.test(entry));
  // Some packages name their licence without its text; their repository has it.
  const source = typeof repository === "string" ? repository : repository?.url;
  if (file === undefined && source === undefined) throw new Error(`${folder} has no licence`);
  const text = file === undefined ? `See ${source}` : readFileSync(join(folder, file), "utf8");
  return `${name} ${version} (${license})\n${"-".repeat(60)}\n${text.trim()}\n`;
}

const MANIFEST = z.object({
  name: z.string(),
  version: z.string(),
  license: z.string(),
  repository: z.union([z.string(), z.object({ url: z.string() })]).optional(),
});
