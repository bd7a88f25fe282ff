// Run by wrangler before it bundles (wrangler.toml, [build]): compiles configuration and texts into
// plain JSON, so that nothing that reads YAML reaches the edge. Secrets stay behind.
import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createReference } from "../../backend/docs/routes.ts";
import { loadReferenceParts, loadServedPage } from "../../backend/pages/load-page.ts";
import type { Config } from "../../config/config.ts";
import { readPackageVersion } from "../../config/load/package-root.ts";
import { isAfterwordError } from "../../errors.ts";
import type { WordsByLanguage } from "../../locales/recognition.ts";
import { type ServedPage, servePage } from "../../pages/served-page.ts";
import { toCompiled, toWordsPath } from "./compiled.ts";
import { loadForWorker } from "./load-config.ts";

const root = join(import.meta.dirname, "../../..");
const out = process.env["AFTERWORD_WORKER_OUT"] || join(root, "dist/worker/compiled.json");
const file = process.env["AFTERWORD_CONFIG"] || join(root, "config/examples/edge.yaml");

try {
  const { config, secrets } = await loadForWorker(file, process.env);
  const version = readPackageVersion();
  await writeWithFolders(out, JSON.stringify(toCompiled(config, version)));
  const pages = join(dirname(out), "pages");
  await writePages(pages, version, config);
  await writeWords(pages, config.recognition);
  const needed = ["AFTERWORD_ROUTE_KEYS", ...secrets].join(", ");
  process.stdout.write(`${file} compiled; secrets that the worker needs: ${needed}\n`);
} catch (error) {
  if (!isAfterwordError(error)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

/**
 * Writes the recognition words, a file for each language. The script fetches those that it needs.
 */
async function writeWords(folder: string, words: WordsByLanguage): Promise<void> {
  for (const [language, its] of Object.entries(words)) {
    await writeWithFolders(join(folder, toWordsPath(language)), JSON.stringify(its));
  }
}

/** Writes a file, and makes the folders above it. */
async function writeWithFolders(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}

/**
 * Writes the console and the interfaces' reference as static assets of a worker, with their headers
 * in `_headers`: on Node the gateway itself serves them.
 */
async function writePages(
  folder: string,
  version: string,
  { listen, upstream }: Pick<Config, "listen" | "upstream">,
): Promise<void> {
  const files = await loadServedPage("console");
  const parts = await loadReferenceParts();
  const vendor = { keyHeader: upstream.keyHeader };
  const reference = createReference({ version, vendor, parts: async () => parts });
  const main = listen.publicUrl ?? "https://afterword.example.workers.dev";
  const rules: string[] = [];
  await rm(folder, { recursive: true, force: true });
  await writePage(
    "_afterword/console",
    servePage("console", async () => files),
    files.parts,
  );
  await writePage("docs", reference.page, parts);
  const document = reference.document();
  await write("docs/openapi.json", await document.text());
  noteHeaders("/docs/openapi.json", document);
  await write("_headers", `${rules.join("\n")}\n`);

  async function writePage(
    path: string,
    served: ServedPage,
    parts: ReadonlyMap<string, string>,
  ): Promise<void> {
    const asked = { acceptEncoding: undefined, ifNoneMatch: undefined, path: `/${path}` };
    const page = await served.page(asked, { pages: ["console", "docs"], main });
    const html = await page.text();
    const version = /(?:console|docs)\/([0-9a-f]+)\//.exec(html)?.[1] ?? "";
    await write(`${path}.html`, html);
    noteHeaders(`/${path}`, page);
    let part: Response | null = null;
    for (const name of parts.keys()) {
      part = await served.part(version, name, asked);
      if (part !== null) await write(`${path}/${version}/${name}`, await part.text());
    }
    // All parts have the same.
    if (part !== null) noteHeaders(`/${path}/${version}/*`, part);
  }

  function write(name: string, text: string): Promise<void> {
    return writeWithFolders(join(folder, name), text);
  }

  /** The type is known by the name; tags and codings are the platform's. */
  function noteHeaders(path: string, { headers }: Response): void {
    const kept = [...headers].filter(([name]) => !/^(?:etag|vary|content-)(?!security)/.test(name));
    rules.push(path, ...kept.map(([name, value]) => `  ${name}: ${value}`));
  }
}
