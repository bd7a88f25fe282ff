import { dirname, join } from "node:path";
import { OWN_LINES, ownLineSlots } from "../locales/own-lines.ts";
import { LOCALES } from "../locales/shipped.ts";
import type { Reporter } from "./diagnostic.ts";
import type { Layer } from "./load-messages.ts";
import type { MessageLine, MessagesFile } from "./read-messages.ts";
import { LINE_KEYS } from "./schema-messages.ts";
import { createSource, START } from "./source.ts";

/** Reports incomplete shipped tables: as last resort they alone prevent foreign or engine texts. */
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
  for (const key of [...LINE_KEYS, ...OWN_LINES]) {
    if (isSaid(file.lines.get(key), key)) continue;
    const message = `the shipped table of ${file.locale} has no text for "${key}"`;
    reporter.error(file.yaml.source, START, "missing-key", message, REINSTALL);
  }
}

/** True for a line that always says something: with a count always there, its plurals do. */
function isSaid(line: MessageLine | undefined, key: string): boolean {
  if (line === undefined) return false;
  const isCounted = ownLineSlots(key).includes("count") && line.plural !== undefined;
  return line.text !== undefined || line.variants !== undefined || isCounted;
}

const REINSTALL = "Shipped tables are not meant to be edited: install afterword again.";
