import type { Config } from "../../config/config.ts";
import {
  readOwnDirectories,
  type OwnDirectory,
  type Workbook,
  workbookOf,
} from "../../config/edit/workbook.ts";
import type { Diagnostic } from "../../yaml/diagnostic.ts";
import { loadAll, type LoadOptions } from "../../config/load/load.ts";
import { didYouMean } from "../../yaml/nearest.ts";
import { AfterwordError } from "../../errors.ts";
import { createArgumentError } from "../command/arguments.ts";

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
  const directories = readOwnDirectories(loaded.file);
  const index = choose(command, config, directories, instance);
  const { directory = "", used = false } = directories[index] ?? {};
  const chosen = config.instances[index];
  if (!used) {
    throw new AfterwordError(
      "argument-invalid",
      `afterword ${command}: the instance ${chosen?.name ?? ""} says no texts of its own (messages: use lacks own)`,
    );
  }
  return { diagnostics, workbook: workbookOf(loaded, config, index, directory) };
}

function choose(
  command: string,
  { instances }: Config,
  directories: readonly OwnDirectory[],
  instance: string | null,
): number {
  const names = instances.map(({ name }) => name);
  if (instance !== null) {
    const index = names.indexOf(instance);
    if (index !== -1) return index;
    throw createArgumentError(
      command,
      `there is no instance "${instance}".${didYouMean(instance, names)}`,
    );
  }
  const used = directories.map((one, index) => ({ ...one, index })).filter((one) => one.used);
  const places = new Set(used.map(({ directory }) => directory));
  if (places.size <= 1) return used[0]?.index ?? 0;
  const some = names.slice(0, 5).join(", ") + (names.length > 5 ? ", …" : "");
  throw createArgumentError(
    command,
    `instances have texts in different places: name one with --instance (${some})`,
  );
}
