import { SENSITIVE_OPERATIONS } from "../caller-operations.ts";
import { checkConditions, checkHiddenFlags, collectKnownNames } from "./conditions.ts";
import type { CheckedSet } from "./checked-set.ts";
import { checkEscalation } from "./escalation.ts";
import { checkListen } from "./listen.ts";
import { checkInvisible } from "./invisible.ts";
import { checkMarkup } from "./markup.ts";
import { checkScript } from "./script.ts";
import { checkBraces, checkParity } from "./texts.ts";
import { checkWords } from "./words.ts";
import type { CompiledFile } from "../compile/lines.ts";
import type { Config, InstanceConfig } from "../config.ts";
import { createReporter, type Diagnostic, type Reporter } from "../../yaml/diagnostic.ts";
import { type Loaded, loadAll, type LoadOptions } from "../load/load.ts";
import type { Layer } from "../load/load-messages.ts";
import { sectionOf } from "../../yaml/section.ts";
import type { YamlFile } from "../../yaml/yaml.ts";
import { dropTrailing } from "../../text.ts";
import { dirname, join } from "node:path";
import { OWN_LINES, listOwnLineSlots } from "../../locales/own-lines.ts";
import { LOCALES } from "../../locales/shipped.ts";
import type { MessageLine, MessagesFile } from "../load/read-messages.ts";
import { LINE_KEYS } from "../schema/messages.ts";
import { createSource, START } from "../../yaml/source.ts";

export type { Diagnostic } from "../../yaml/diagnostic.ts";

export interface CheckOptions extends LoadOptions {
  /**
   * True if this process is listening. Mistakes that only prevent the next start are then warnings.
   */
  readonly isRunning?: boolean;
}

export interface Checked {
  /** Errors and warnings, file by file. */
  readonly diagnostics: readonly Diagnostic[];
  /**
   * Null if it can't be loaded. It can be present despite errors, because checks are stricter than
   * a start.
   */
  readonly config: Config | null;
  /** The configuration despite errors; null if the file could not be read at all. */
  readonly draft: Config | null;
  /** Null when it can't be read. */
  readonly file: YamlFile | null;
  /** The number of the owner's files of texts that were read. */
  readonly texts: number;
  /** For each table set, its layers of files, the preferred first. */
  readonly layers: Loaded["layers"];
}

/**
 * Loads a configuration and checks the owner's texts for mistakes that do not prevent a start:
 * unclosed markup, texts in the wrong script or still in English, placeholders that only other
 * languages have, lines that are never used. The shipped tables are only checked for completeness.
 * Never throws because of a file's content.
 *
 * @example const { diagnostics } = await checkConfig("config/afterword.yaml");
 * console.log(formatDiagnostics(diagnostics, "text"));
 */
export async function checkConfig(file: string, options: CheckOptions = {}): Promise<Checked> {
  const { isRunning = false, ...load } = options;
  const loaded = await loadAll(file, load);
  const { config, draft, diagnostics, layers, texts } = loaded;
  const deeper = draft === null ? [] : await checkLoaded(loaded, draft, isRunning);
  return {
    diagnostics: [...diagnostics, ...deeper],
    config,
    draft,
    file: loaded.file,
    texts,
    layers,
  };
}

/** Gaps in shipped tables are not reported beside errors in the owner's files. */
async function checkLoaded(
  { config: whole, file, layers }: Loaded,
  config: Config,
  isRunning: boolean,
): Promise<readonly Diagnostic[]> {
  const reporter = createReporter();
  if (file !== null) {
    checkNorway(file, reporter);
    checkShadowed(config, file, reporter);
    checkCallers(config, file, reporter);
    checkEscalation(config, file, reporter);
    await checkListen(config, file, isRunning, reporter);
  }
  const names = collectKnownNames(config);
  const instances = Map.groupBy(config.instances, ({ tableSet }) => tableSet);
  const seen = new Set<CompiledFile>();
  const shipped = new Set<Layer>();
  for (const [index, ofSet] of layers.entries()) {
    const set: CheckedSet = {
      own: layerOf(ofSet, "own"),
      shipped: layerOf(ofSet, "shipped"),
      instances: instances.get(index) ?? [],
      fallback: config.tableSets[index]?.fallback ?? "en",
    };
    // One loader reads a directory once, so that all sets have the same layer of shipped tables.
    if (whole !== null && !shipped.has(set.shipped)) checkShipped(set.shipped, reporter);
    shipped.add(set.shipped);
    for (const compiled of set.own.values()) {
      // Sets may share files; one finding is enough.
      if (seen.has(compiled)) continue;
      seen.add(compiled);
      checkNorway(compiled.file.yaml, reporter);
      checkInvisible(compiled.file, reporter);
      checkScript(compiled.file, set, reporter);
      checkMarkup(compiled.file, set, reporter);
      checkParity(compiled.file, set, reporter);
      checkBraces(compiled.file, names.variables, reporter);
      checkConditions(compiled.file, names, reporter);
      checkHiddenFlags(compiled.file, set, reporter);
      checkWords(compiled.file, set, config.recognition, reporter);
    }
  }
  return reporter.diagnostics();
}

function layerOf(layers: readonly Layer[], origin: "own" | "shipped"): Layer {
  return (
    layers.find((layer) => [...layer.values()].some((file) => file.file.origin === origin)) ??
    new Map()
  );
}

/** Warns of an unquoted `no`, which is Norwegian here and false for parsers of YAML 1.1. */
function checkNorway(file: YamlFile, reporter: Reporter): void {
  for (const span of file.findUnquotedNo()) {
    const message = "many tools read this as false (YAML 1.1), not as Norwegian";
    reporter.warn(file.source, span, "norway", message, 'Write "no" in quotes.', { text: "no" });
  }
}

/** Warns of callers without operations, and of operations open to anyone who sends an Origin. */
function checkCallers(config: Config, file: YamlFile, reporter: Reporter): void {
  for (const [index, { name, jwt, keys, operations }] of config.callers.entries()) {
    const section = sectionOf(file, reporter, ["callers", index]);
    if (operations.length === 0) {
      const message = `the caller "${name}" may do nothing: it has no operations`;
      section.at("name").warn("unreachable", message);
    }
    if (jwt !== null || keys.length > 0) continue;
    for (const [at, operation] of operations.entries()) {
      if (!SENSITIVE_OPERATIONS.has(operation.name)) continue;
      const message = `${operation.name} is open to everybody: a program that is no browser writes any Origin`;
      section.at("operations", at).warn("open-operation", message, "Ask for a jwt or a key too.");
    }
  }
}

/** Warns of instances that no request reaches, because an earlier one matches all that they do. */
function checkShadowed(config: Config, file: YamlFile, reporter: Reporter): void {
  const earlier = new Map<string, string>();
  for (const [index, { name, match }] of config.instances.entries()) {
    const before = listWider(match).flatMap((key) => earlier.get(key) ?? [])[0];
    if (before !== undefined) {
      const message = `no request reaches "${name}": "${before}" stands before it and matches all of its requests`;
      sectionOf(file, reporter, ["instances", index, "name"]).warn("unreachable", message);
    }
    const [own] = listWider(match);
    if (own !== undefined && !earlier.has(own)) earlier.set(own, name);
  }
}

/**
 * Lists the matches that take all requests of this one, itself first: without some fields, without
 * the port, or with a shorter path.
 */
function listWider({ apiKey, host, pathPrefix }: InstanceConfig["match"]): readonly string[] {
  const keys = apiKey === undefined ? [null] : [apiKey, null];
  const hosts = host === undefined ? [null] : [host, host.replace(/:\d+$/, ""), null];
  const prefixes = pathPrefix === undefined ? [null] : [...listShorter(pathPrefix), null];
  return keys.flatMap((key) =>
    hosts.flatMap((name) => prefixes.map((prefix) => JSON.stringify([key, name, prefix]))),
  );
}

/** `/a/b`, `/a` and the empty prefix. */
function listShorter(prefix: string): readonly string[] {
  const found: string[] = [];
  let rest = dropTrailing(prefix, "/");
  for (;;) {
    found.push(rest);
    const cut = rest.lastIndexOf("/");
    if (cut === -1) return found;
    rest = rest.slice(0, cut);
  }
}

/**
 * Reports gaps in shipped tables. Every owner relies on them: where a line is missing, readers get
 * another language or the engine's words.
 */
function checkShipped(shipped: Layer, reporter: Reporter): void {
  for (const { file } of shipped.values()) checkComplete(file, reporter);
  const [any] = shipped.values();
  if (any === undefined) return;
  const directory = dirname(any.file.yaml.source.file);
  for (const locale of LOCALES.filter((name) => !shipped.has(name))) {
    const source = createSource(join(directory, `${locale}.yaml`), "");
    const message = `the shipped table of ${locale} is missing, with all its texts`;
    reporter.error(source, START, "missing-table", message, REINSTALL, { language: locale });
  }
}

function checkComplete(file: MessagesFile, reporter: Reporter): void {
  for (const key of [...LINE_KEYS, ...OWN_LINES]) {
    if (isComplete(file.lines.get(key), key)) continue;
    const message = `the shipped table of ${file.locale} has no text for "${key}"`;
    const params = { name: key };
    reporter.error(file.yaml.source, START, "missing-key", message, REINSTALL, params);
  }
}

/**
 * True for a line with a text for every reader. Plural forms are enough if there is always a count.
 */
function isComplete(line: MessageLine | undefined, key: string): boolean {
  if (line === undefined) return false;
  const isCounted = listOwnLineSlots(key).includes("count") && line.plural !== undefined;
  return line.text !== undefined || line.variants !== undefined || isCounted;
}

const REINSTALL = "Shipped tables are not meant to be edited: install afterword again.";
