import { readdirSync } from "node:fs";
import { join, dirname, resolve } from "node:path";
import type { Config } from "../../config/config.ts";
import { createReporter, type Diagnostic } from "../../config/load/diagnostic.ts";
import { loadAll, type LoadOptions } from "../../config/load/load.ts";
import { didYouMean } from "../../config/schema/nearest.ts";
import { isYamlName, readSource } from "../../config/load/read-file.ts";
import { type MessagesFile, readMessages } from "../../config/load/read-messages.ts";
import { canonicalTag } from "../../config/schema/values.ts";
import { AfterwordError } from "../../errors.ts";
import type { Sheet } from "./unit.ts";
import { configSchema } from "../../config/schema/config.ts";
import type { YamlFile } from "../../config/load/yaml.ts";

/** All texts of one instance, as files. */
export interface Workbook {
  /** Where the owner's files lie; it need not exist yet. */
  readonly directory: string;
  /** The default language, from which the others are translated. */
  readonly sourceLocale: string;
  /** Languages that have texts, the owner's or Afterword's. */
  readonly locales: readonly string[];
  /** Conversation variables that some instance lists. */
  readonly variables: ReadonlySet<string>;
  sheet(locale: string): Sheet;
  /** The owner's file for a language: the one that is there, or the name of a new one. */
  ownFile(locale: string): string;
}

/**
 * Reads the texts that an instance speaks with. Null, and what is wrong, when the configuration
 * does not load.
 *
 * @param instance null: all instances have their files in one directory
 * @throws AfterwordError `argument-invalid` when there is no such instance, or it has to be named
 */
export async function openWorkbook(
  command: string,
  file: string,
  instance: string | null,
  options: LoadOptions,
): Promise<{ readonly workbook: Workbook | null; readonly diagnostics: readonly Diagnostic[] }> {
  const loaded = await loadAll(file, options);
  const { config, diagnostics } = loaded;
  if (config === null || loaded.file === null) return { workbook: null, diagnostics };
  const directories = ownDirectories(loaded.file);
  const index = choose(command, config, directories, instance);
  const { directory = "", used = false } = directories[index] ?? {};
  const chosen = config.instances[index];
  if (!used) {
    throw new AfterwordError(
      "argument-invalid",
      `afterword ${command}: the instance ${chosen?.name ?? ""} says no texts of its own (messages: use lacks own)`,
    );
  }
  const set = chosen?.tableSet ?? 0;
  const shipped = new Map(
    (loaded.layers[set] ?? [])
      .flatMap((layer) => Array.from(layer.values(), (compiled) => compiled.file))
      .filter(({ origin }) => origin === "shipped")
      .map((messages) => [messages.locale, messages]),
  );
  const own = readOwn(directory);
  return {
    diagnostics,
    workbook: {
      directory,
      sourceLocale: config.tableSets[set]?.fallback ?? "en",
      locales: [...new Set([...own.keys(), ...shipped.keys()])].toSorted(),
      variables: new Set(config.instances.flatMap(({ variables }) => variables)),
      sheet: (locale) => ({ own: own.get(locale) ?? null, shipped: shipped.get(locale) ?? null }),
      ownFile: (locale) => own.get(locale)?.yaml.source.file ?? join(directory, `${locale}.yaml`),
    },
  };
}

function choose(
  command: string,
  { instances }: Config,
  directories: readonly { readonly directory: string; readonly used: boolean }[],
  wanted: string | null,
): number {
  const unusable = (what: string): AfterwordError =>
    new AfterwordError("argument-invalid", `afterword ${command}: ${what}`);
  const names = instances.map(({ name }) => name);
  if (wanted !== null) {
    const index = names.indexOf(wanted);
    if (index !== -1) return index;
    throw unusable(`there is no instance "${wanted}".${didYouMean(wanted, names)}`);
  }
  const used = directories.map((one, index) => ({ ...one, index })).filter((one) => one.used);
  const places = new Set(used.map(({ directory }) => directory));
  if (places.size <= 1) return used[0]?.index ?? 0;
  const some = names.slice(0, 5).join(", ") + (names.length > 5 ? ", …" : "");
  throw unusable(`instances have texts in different places: name one with --instance (${some})`);
}

/** The files have just been read without an error; here they are needed with their own names. */
function readOwn(directory: string): ReadonlyMap<string, MessagesFile> {
  const files = new Map<string, MessagesFile>();
  for (const name of namesIn(directory)) {
    const locale = canonicalTag(name.replace(/\.ya?ml$/i, ""));
    const reporter = createReporter();
    const source = readSource(join(directory, name), MAX_BYTES, reporter);
    const read =
      source === null || locale === null ? null : readMessages(source, locale, "own", reporter);
    if (read !== null) files.set(read.locale, read);
  }
  return files;
}

const MAX_BYTES = 1_048_576;

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory).filter(isYamlName).toSorted();
  } catch {
    return []; // the default directory need not exist
  }
}

/** Where an instance's own messages files lie, and whether it says anything of them. */
interface OwnDirectory {
  /** Absolute; it need not exist. */
  readonly directory: string;
  /** False when `use` leaves `own` out. */
  readonly used: boolean;
}

/**
 * The own messages of every instance of a valid configuration, in the file's order; one for a file
 * without instances.
 */
function ownDirectories(file: YamlFile): readonly OwnDirectory[] {
  const written = configSchema.parse(file.value);
  const base = dirname(file.source.file);
  return (written.instances ?? [{ messages: undefined }]).map(({ messages }) => ({
    directory: resolve(base, messages?.dir ?? written.messages?.dir ?? "./messages"),
    used: (messages?.use ?? written.messages?.use ?? ["own"]).includes("own"),
  }));
}
