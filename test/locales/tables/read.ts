import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { createReporter } from "../../../src/yaml/diagnostic.ts";
import { listMessageTexts } from "../../../src/config/load/message-texts.ts";
import { readMessages } from "../../../src/config/load/read-messages.ts";
import { createSource } from "../../../src/yaml/source.ts";

/** One table as it was read. */
export interface ReadTable {
  readonly locale: string;
  /** Name of the file, without its directory. */
  readonly file: string;
  /** Every text of every key: a key may have variants. */
  readonly texts: ReadonlyMap<string, readonly string[]>;
  /** The loader's findings in the file. */
  readonly complaints: readonly string[];
}

/** All tables of a directory, by locale. */
export type Tables = ReadonlyMap<string, ReadTable>;

export function readTables(directory: string): Tables {
  const names = readdirSync(directory).filter((name) => name.endsWith(".yaml"));
  const tables = names.map((name) => readTable(join(directory, name)));
  return new Map(tables.map((table) => [table.locale, table]));
}

export function readTable(path: string): ReadTable {
  const file = basename(path);
  const locale = file.replace(/\.yaml$/u, "");
  const reporter = createReporter();
  const read = readMessages(
    createSource(file, readFileSync(path, "utf8")),
    locale,
    "shipped",
    reporter,
  );
  const texts = new Map<string, string[]>();
  for (const { address, text } of read === null ? [] : listMessageTexts(read)) {
    texts.set(address.key, [...(texts.get(address.key) ?? []), text]);
  }
  const complaints = reporter.diagnostics().map(({ message }) => message);
  return { locale, file, texts, complaints };
}
