import { dirname, join, resolve } from "node:path";
import { AfterwordError } from "../../errors.ts";
import { compileConfig, finishConfig } from "../compile/config.ts";
import { createSetCompiler } from "../compile/table-sets.ts";
import type { Config } from "../config.ts";
import { createReporter, type Diagnostic, diagnosticsAsText } from "../../yaml/diagnostic.ts";
import type { Environment } from "../../yaml/source.ts";
import { checkPlaceholders, checkPlurals } from "./check-lines.ts";
import { MessagesLoader, type Layer, type Overlay } from "./load-messages.ts";
import { findPackageRoot } from "./package-root.ts";
import { type PreparedTables, readPreparedTables } from "./prepared-tables.ts";
import { readConfig } from "./read-config.ts";
import type { YamlFile } from "../../yaml/yaml.ts";

export interface LoadOptions {
  /** The environment for `${NAME}`. Default: the process's. */
  readonly env?: Environment;
  /** Directory of the shipped tables. Default: this package's. */
  readonly shipped?: string;
  /** The shipped tables as the build compiled them, or null. Default: the package's. */
  readonly prepared?: PreparedTables | null;
  /** Texts that replace the owner's files, by absolute path; null removes a file. */
  readonly overlay?: Overlay;
}

/**
 * Reads, validates and compiles a configuration with its messages and the shipped tables. The result
 * is frozen and can be written as JSON.
 *
 * Throws `config-unreadable` if the file can't be read, and `config-invalid` if it has errors. The
 * message lists each error with its position.
 *
 * @example
 * const config = await loadConfig("config/afterword.yaml");
 * config.instances[0]?.name; // "shop"
 */
export async function loadConfig(file: string, options: LoadOptions = {}): Promise<Config> {
  const { config, diagnostics } = await loadAll(file, options);
  if (config !== null) return config;
  const errors = diagnostics.filter((diagnostic) => diagnostic.severity === "error");
  const unreadable = errors.every((diagnostic) => diagnostic.code === "unreadable");
  throw new AfterwordError(
    unreadable ? "config-unreadable" : "config-invalid",
    diagnosticsAsText(errors).trimEnd(),
  );
}

/** The result of a load, with the intermediate results that checks need. */
export interface Loaded {
  readonly config: Config | null;
  /** The configuration despite errors, so that its valid parts can be checked; null if unusable. */
  readonly draft: Config | null;
  readonly diagnostics: readonly Diagnostic[];
  readonly file: YamlFile | null;
  /** For each table set, its layers of files, the preferred first. */
  readonly layers: readonly (readonly Layer[])[];
  /** How many files of texts the owner has. */
  readonly texts: number;
  /** Files and directories that were read, including missing ones. */
  readonly sources: readonly string[];
}

/** Loads a configuration without throwing. `config` is null if the diagnostics have an error. */
export async function loadAll(file: string, options: LoadOptions = {}): Promise<Loaded> {
  const reporter = createReporter();
  const path = resolve(file);
  const { yaml, written } = readConfig(path, options.env ?? process.env, reporter);
  if (yaml === null || written === null) {
    return {
      config: null,
      draft: null,
      diagnostics: reporter.diagnostics(),
      file: yaml,
      layers: [],
      texts: 0,
      sources: [path],
    };
  }
  const prepared = options.prepared === undefined ? readPreparedTables() : options.prepared;
  const loader = new MessagesLoader(reporter, prepared, options.overlay);
  const shipped = options.shipped ?? join(findPackageRoot(), "locales");
  const sets = createSetCompiler(dirname(path), shipped, loader);
  const compiled = await compileConfig(written, yaml, sets, reporter);
  const variables = new Set(compiled.instances.flatMap((instance) => instance.variables));
  for (const { file: messages, sound } of loader.files()) {
    if (sound) continue;
    checkPlaceholders(messages, variables, reporter);
    checkPlurals(messages, reporter);
  }
  const diagnostics = reporter.diagnostics();
  const sources = [path, ...loader.sources()];
  const texts = loader
    .sources()
    .filter((one) => /\.ya?ml$/i.test(one) && dirname(one) !== resolve(shipped)).length;
  const draft = finishConfig(compiled, sources, diagnostics.map(formatOneLine));
  const config = reporter.failed() ? null : draft;
  return {
    config,
    draft,
    diagnostics,
    file: yaml,
    layers: sets.sets.map(({ layers }) => layers),
    texts,
    sources,
  };
}

function formatOneLine({ file, line, column, message }: Diagnostic): string {
  return `${file}:${line}:${column}: ${message}`;
}
