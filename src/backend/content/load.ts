import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { AfterwordError } from "../../errors.ts";
import { parseContent } from "./parse.ts";
import type { Content, SourceFile } from "./types.ts";

const yamlFile = /\.ya?ml$/i;

/**
 * Loads a content directory: its `*.yaml` files are contents, `texts/<locale>.yaml` what the engine says. Throws
 * `content-invalid` for a directory or file that can't be read, and for every mistake in one.
 *
 * @example
 * const content = await loadContent("config/backend");
 */
export async function loadContent(directory: string): Promise<Content> {
  const textsDirectory = join(directory, "texts");
  const [contents, texts] = await Promise.all([
    readYamlFiles(directory),
    readYamlFiles(textsDirectory),
  ]);
  return parseContent({
    contents,
    texts: texts.map((file) => ({ ...file, locale: localeOf(file.name) })),
  });
}

async function readYamlFiles(directory: string): Promise<readonly SourceFile[]> {
  const entries = await orInvalid(directory, () => readdir(directory, { withFileTypes: true }));
  const names = entries.filter((entry) => !entry.isDirectory() && yamlFile.test(entry.name));
  return Promise.all(
    names.map(async (entry) => {
      const name = join(directory, entry.name);
      const bytes = await orInvalid(name, () => readFile(name));
      return { name, text: decode(name, bytes) };
    }),
  );
}

function decode(name: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new AfterwordError("content-invalid", `${name}:1:1: the file is not UTF-8 text`, {
      cause,
    });
  }
}

async function orInvalid<T>(name: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : "unknown reason";
    throw new AfterwordError("content-invalid", `${name}: cannot be read: ${reason}`, { cause });
  }
}

function localeOf(path: string): string {
  return (path.split(/[/\\]/).at(-1) ?? "").replace(yamlFile, "");
}
