import { createHash } from "node:crypto";
import { resolve } from "node:path";
import { createNegotiator } from "../locales/negotiate.ts";
import type { TableSet, TextFormat } from "../locales/types.ts";
import { createTableCompiler } from "./compile-tables.ts";
import type { Reporter } from "./diagnostic.ts";
import type { Layer, MessagesLoader } from "./load-messages.ts";
import { didYouMean } from "./nearest.ts";
import { canonicalTag } from "./schema-values.ts";
import type { WrittenMessages } from "./written-config.ts";
import type { Path, YamlFile } from "./yaml.ts";

/**
 * The `messages` of an instance: what it says itself, then what is said for all, then the defaults.
 */
export interface MessagesSettings {
  readonly own: WrittenMessages;
  readonly ownPath: Path;
  readonly global: WrittenMessages;
}

/** Turns messages settings into table sets; equal ones become one set. */
export interface SetCompiler {
  /** Index of the set for these settings and formats, in `sets()`. */
  add(
    settings: MessagesSettings,
    formats: Readonly<Record<string, TextFormat>>,
    language: { readonly tag: string; readonly path: Path } | null,
  ): Promise<number>;
  sets(): readonly TableSet[];
  /** For each set, what it was made of, as text: the same for equal texts wherever they lie. */
  contents(): readonly string[];
  /** For each set, the layers it was made of, the preferred first. */
  layers(): readonly (readonly Layer[])[];
}

/**
 * @param baseDirectory what relative directories are relative to
 * @param shipped directory of the shipped tables
 */
export function createSetCompiler(
  file: YamlFile,
  baseDirectory: string,
  shipped: string,
  loader: MessagesLoader,
  reporter: Reporter,
): SetCompiler {
  const compiler = createTableCompiler(loader.prepared);
  const sets: TableSet[] = [];
  const contents: string[] = [];
  const layersOfSets: (readonly Layer[])[] = [];
  const bySettings = new Map<string, Promise<number>>();
  const byContent = new Map<string, number>();
  const served = new Map<string, boolean>();

  return {
    async add(settings, formats, language) {
      const merged = merge(settings);
      const key = JSON.stringify([merged.dir, merged.use, merged.fallback, merged.chains, formats]);
      const pending = bySettings.get(key) ?? compile(merged, formats);
      bySettings.set(key, pending);
      const index = await pending;
      if (language !== null) checkLanguage(index, language.tag, language.path);
      return index;
    },
    sets: () => sets,
    contents: () => contents,
    layers: () => layersOfSets,
  };

  async function compile(
    merged: Merged,
    formats: Readonly<Record<string, TextFormat>>,
  ): Promise<number> {
    const layers = layersOf(merged);
    const fallback = merged.fallback;
    const chains = compileChains(merged);
    const locales = new Set(layers.flatMap((layer) => [...layer.keys()]));
    checkTags(merged, chains, locales);
    const content = JSON.stringify([layers.map(digestOf), chains, fallback, formats]);
    const known = byContent.get(content);
    if (known !== undefined) return known;
    const index = sets.length;
    byContent.set(content, index);
    contents.push(content);
    layersOfSets.push(layers);
    // The place is taken before the set is there: nobody else may get this index meanwhile.
    sets.push(PENDING);
    sets[index] = await compiler.compile({ layers, chains, fallback, formats });
    return index;
  }

  function layersOf(merged: Merged): readonly Layer[] {
    const { dirPath } = merged;
    const mention =
      dirPath === null ? null : () => ({ source: file.source, span: file.locate(dirPath) });
    return merged.use.map((origin) =>
      origin === "shipped"
        ? loader.load(shipped, "shipped", null)
        : loader.load(resolve(baseDirectory, merged.dir), "own", mention),
    );
  }

  function compileChains(merged: Merged): Record<string, readonly string[]> {
    const chains: Record<string, readonly string[]> = Object.create(null);
    for (const [tag, members] of Object.entries(merged.chains)) {
      const canonical = canonicalTag(tag);
      if (canonical === null) {
        const span = file.locate([...merged.chainsPath, tag], "key");
        const message = `a language tag is needed here; "${tag}" is none`;
        reporter.error(file.source, span, "unknown-locale", message);
      } else chains[canonical.toLowerCase()] = members;
    }
    return chains;
  }

  function checkTags(
    merged: Merged,
    chains: Readonly<Record<string, readonly string[]>>,
    locales: ReadonlySet<string>,
  ): void {
    if (!locales.has(merged.fallback)) {
      const hint = `There are texts for: ${[...locales].sort().join(", ") || "no language at all"}.`;
      const message = `the default locale ${merged.fallback} has no texts.${didYouMean(merged.fallback, locales)}`;
      const span = file.locate(merged.fallbackPath);
      reporter.error(file.source, span, "unknown-locale", message, hint);
    }
    for (const [tag, members] of Object.entries(merged.chains)) {
      for (const [index, member] of members.entries()) {
        if (locales.has(member) || chains[member.toLowerCase()] !== undefined) continue;
        const span = file.locate([...merged.chainsPath, tag, index]);
        const message = `there are no texts for ${member}.${didYouMean(member, locales)}`;
        reporter.warn(file.source, span, "unknown-locale", message);
      }
    }
  }

  /** Warns when nothing but the default speaks for an instance's language. */
  function checkLanguage(index: number, tag: string, path: Path): void {
    const set = sets[index];
    if (set === undefined) return;
    // Ten thousand sets differ in their texts, seldom in their locales.
    const locales = Object.keys(set.channels[""] ?? {});
    const name = JSON.stringify([tag, locales, set.chains, set.fallback]);
    const known = served.get(name) ?? createNegotiator(set)({ instance: tag }).reason !== "default";
    served.set(name, known);
    if (known) return;
    const message = `there are no texts for ${tag}; its readers get ${set.fallback}`;
    reporter.warn(file.source, file.locate(path), "unknown-locale", message);
  }
}

const digests = new WeakMap<Layer, string>();

function digestOf(layer: Layer): string {
  let digest = digests.get(layer);
  if (digest === undefined) {
    const hash = createHash("sha256");
    for (const compiled of layer.values()) hash.update(compiled.digest);
    digest = hash.digest("hex");
    digests.set(layer, digest);
  }
  return digest;
}

const PENDING: TableSet = { channels: {}, chains: {}, fallback: "" };

interface Merged {
  readonly dir: string;
  /** Null when nobody named a directory. */
  readonly dirPath: Path | null;
  readonly use: readonly ("own" | "shipped")[];
  readonly fallback: string;
  readonly fallbackPath: Path;
  readonly chains: Readonly<Record<string, readonly string[]>>;
  readonly chainsPath: Path;
}

function merge({ own, ownPath, global }: MessagesSettings): Merged {
  const globalPath = ["messages"];
  const place = (mine: unknown): Path => (mine === undefined ? globalPath : ownPath);
  const dir = own.dir ?? global.dir;
  return {
    dir: dir ?? "./messages",
    dirPath: dir === undefined ? null : [...place(own.dir), "dir"],
    use: [...new Set(own.use ?? global.use ?? (["own", "shipped"] as const))],
    fallback: own.fallback?.default ?? global.fallback?.default ?? "en",
    fallbackPath: [...place(own.fallback?.default), "fallback", "default"],
    chains: own.fallback?.chains ?? global.fallback?.chains ?? {},
    chainsPath: [...place(own.fallback?.chains), "fallback", "chains"],
  };
}
