import { createHash } from "node:crypto";
import { resolve } from "node:path";
import { createNegotiator } from "../../locales/negotiate.ts";
import type { TableSet, TextFormat } from "../../locales/types.ts";
import { createTableCompiler } from "./tables.ts";
import type { Layer, MessagesLoader } from "../load/load-messages.ts";
import { didYouMean } from "../../yaml/nearest.ts";
import type { WrittenMessages } from "../schema/config.ts";
import { toCanonicalTag } from "../schema/values.ts";
import type { Section } from "../../yaml/section.ts";

/** A table set with its sources. */
export interface CompiledSet {
  readonly set: TableSet;
  /** Equal for sets with the same texts, whichever directories they come from. */
  readonly content: string;
  /** The preferred first. */
  readonly layers: readonly Layer[];
}

/** The `messages` of an instance, and the global ones. */
export interface MessagesSettings {
  readonly own: WrittenMessages;
  readonly section: Section;
  readonly global: WrittenMessages;
  readonly globalSection: Section;
}

/** Turns messages settings into table sets; equal ones become one set. */
export interface SetCompiler {
  /** Index of the set for these settings and formats, in `sets`. */
  add(
    settings: MessagesSettings,
    formats: Readonly<Record<string, TextFormat>>,
    language: { readonly tag: string; readonly section: Section } | null,
  ): Promise<number>;
  readonly sets: readonly CompiledSet[];
}

/**
 * @param baseDirectory what relative directories are relative to
 * @param shipped directory of the shipped tables
 */
export function createSetCompiler(
  baseDirectory: string,
  shipped: string,
  loader: MessagesLoader,
): SetCompiler {
  const compiler = createTableCompiler(loader.prepared);
  const sets: CompiledSet[] = [];
  const bySettings = new Map<string, number>();
  const byContent = new Map<string, number>();
  const served = new Map<string, boolean>();

  return {
    sets,
    async add(settings, formats, language) {
      const merged = merge(settings);
      const key = JSON.stringify([merged.dir, merged.use, merged.fallback, merged.chains, formats]);
      const index = bySettings.get(key) ?? (await compile(merged, formats));
      bySettings.set(key, index);
      const set = sets[index]?.set;
      if (language !== null && set !== undefined)
        checkLanguage(set, language.tag, language.section);
      return index;
    },
  };

  async function compile(
    merged: Merged,
    formats: Readonly<Record<string, TextFormat>>,
  ): Promise<number> {
    const layers = merged.use.map((origin) =>
      origin === "shipped"
        ? loader.load(shipped, "shipped", null)
        : loader.load(resolve(baseDirectory, merged.dir), "own", merged.dirSection),
    );
    const { fallback } = merged;
    const chains = compileChains(merged);
    checkTags(merged, chains, new Set(layers.flatMap((layer) => [...layer.keys()])));
    const content = JSON.stringify([layers.map(digestOf), chains, fallback, formats]);
    const known = byContent.get(content);
    if (known !== undefined) return known;
    const compiled = await compiler.compile({ layers, chains, fallback, formats });
    const files = layers.flatMap((layer) => [...layer.values()]);
    const words = files.flatMap(({ file }) => file.words ?? []);
    const set = words.length === 0 ? compiled : { ...compiled, words };
    const index = sets.push({ set, content, layers }) - 1;
    byContent.set(content, index);
    return index;
  }

  /** Warns if only the fallback language has texts for an instance's language. */
  function checkLanguage(set: TableSet, tag: string, section: Section): void {
    // Ten thousand sets may differ in their texts, but rarely in their locales.
    const locales = Object.keys(set.channels[""] ?? {});
    const name = JSON.stringify([tag, locales, set.chains, set.fallback]);
    const known = served.get(name) ?? createNegotiator(set)({ instance: tag }).reason !== "default";
    served.set(name, known);
    if (known) return;
    const message = `there are no texts for ${tag}; its readers get ${set.fallback}`;
    section.warn("unknown-locale", message);
  }
}

function compileChains({ chains, chainsSection }: Merged): Record<string, readonly string[]> {
  const compiled: Record<string, readonly string[]> = Object.create(null);
  for (const [tag, members] of Object.entries(chains)) {
    const canonical = toCanonicalTag(tag);
    if (canonical === null) {
      const message = `a language tag is needed here; "${tag}" is none`;
      chainsSection.at(tag).key.error("unknown-locale", message);
    } else compiled[canonical.toLowerCase()] = members;
  }
  return compiled;
}

function checkTags(
  merged: Merged,
  chains: Readonly<Record<string, readonly string[]>>,
  locales: ReadonlySet<string>,
): void {
  if (!locales.has(merged.fallback)) {
    const hint = `There are texts for: ${[...locales].sort().join(", ") || "no language at all"}.`;
    const message = `the default locale ${merged.fallback} has no texts.${didYouMean(merged.fallback, locales)}`;
    merged.fallbackSection.error("unknown-locale", message, hint);
  }
  for (const [tag, members] of Object.entries(merged.chains)) {
    for (const [index, member] of members.entries()) {
      if (locales.has(member) || chains[member.toLowerCase()] !== undefined) continue;
      const message = `there are no texts for ${member}.${didYouMean(member, locales)}`;
      merged.chainsSection.at(tag, index).warn("unknown-locale", message);
    }
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

interface Merged {
  readonly dir: string;
  /** Null when nobody named a directory. */
  readonly dirSection: Section | null;
  readonly use: readonly ("own" | "shipped")[];
  readonly fallback: string;
  readonly fallbackSection: Section;
  readonly chains: Readonly<Record<string, readonly string[]>>;
  readonly chainsSection: Section;
}

function merge({ own, section, global, globalSection }: MessagesSettings): Merged {
  const chooseSection = (mine: unknown): Section => (mine === undefined ? globalSection : section);
  const dir = own.dir ?? global.dir;
  return {
    dir: dir ?? "./messages",
    dirSection: dir === undefined ? null : chooseSection(own.dir).at("dir"),
    use: [...new Set(own.use ?? global.use ?? (["own", "shipped"] as const))],
    fallback: own.fallback?.default ?? global.fallback?.default ?? "en",
    fallbackSection: chooseSection(own.fallback?.default).at("fallback", "default"),
    chains: own.fallback?.chains ?? global.fallback?.chains ?? {},
    chainsSection: chooseSection(own.fallback?.chains).at("fallback", "chains"),
  };
}
