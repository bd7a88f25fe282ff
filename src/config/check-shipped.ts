import { dirname, join } from "node:path";
import { LOCALES } from "../locales/shipped.ts";
import type { Reporter } from "./diagnostic.ts";
import type { Layer } from "./load-messages.ts";
import type { MessagesFile } from "./read-messages.ts";
import { LINE_KEYS } from "./schema-messages.ts";
import { createSource, START } from "./source.ts";

/**
 * Reports shipped tables that are not whole. They are the last resort of every owner: where one of them is silent, the
 * reader sees another language's words or the engine's own.
 */
export function checkShipped(shipped: Layer, reporter: Reporter): void {
  for (const { file } of shipped.values()) checkComplete(file, reporter);
  const [any] = shipped.values();
  if (any === undefined) return;
  const directory = dirname(any.file.yaml.source.file);
  for (const locale of LOCALES.filter((name) => !shipped.has(name))) {
    const source = createSource(join(directory, `${locale}.yaml`), "");
    const message = `the shipped table of ${locale} is missing, with all its texts`;
    reporter.error(source, START, "missing-table", message, REINSTALL);
  }
}

function checkComplete(file: MessagesFile, reporter: Reporter): void {
  for (const key of LINE_KEYS) {
    const line = file.lines.get(key);
    if (line?.text !== undefined || line?.variants !== undefined) continue;
    const message = `the shipped table of ${file.locale} has no text for "${key}"`;
    reporter.error(file.yaml.source, START, "missing-key", message, REINSTALL);
  }
}

const REINSTALL = "Shipped tables are not meant to be edited: install afterword again.";
