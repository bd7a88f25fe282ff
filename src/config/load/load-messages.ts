import { hash } from "node:crypto";
import { readdirSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { AfterwordError } from "../../errors.ts";
import { LOCALES } from "../../locales/shipped.ts";
import { parseTag } from "../../locales/tag.ts";
import { dropTrailing } from "../../text.ts";
import { compileFile, type CompiledFile } from "../compile/lines.ts";
import type { Reporter } from "../../yaml/diagnostic.ts";
import { decodeSource, isAbsent, isYamlName, readBytes, reasonOf } from "../../yaml/read-file.ts";
import { type MessagesFile, type Origin, readMessages } from "./read-messages.ts";
import type { PreparedTables } from "./prepared-tables.ts";
import { toCanonicalTag } from "../schema/values.ts";
import type { Section } from "../../yaml/section.ts";
import { createSource, START } from "../../yaml/source.ts";

/** One directory of messages files, by locale. */
export type Layer = ReadonlyMap<string, CompiledFile>;

/** Texts that replace files in a load, by path; null removes a file. */
export type Overlay = ReadonlyMap<string, string | null>;

const MAX_BYTES = 1_048_576;
const NO_FILES: Layer = new Map();

/** Shipped files without findings, by path. Loads reuse them, because they do not change. */
const shippedBefore = new Map<string, { readonly digest: string; readonly read: MessagesFile }>();

/** Reads directories of messages files for one load, each directory and each equal content once. */
export class MessagesLoader {
  /** The build's form of the shipped tables, if there is one. */
  readonly prepared: PreparedTables | null;
  readonly #reporter: Reporter;
  readonly #overlay: Overlay;
  readonly #layers = new Map<string, Layer>();
  readonly #byContent = new Map<string, CompiledFile | null>();
  readonly #looked = new Set<string>();
  readonly #localesByName = new Map<string, string>();

  constructor(reporter: Reporter, prepared: PreparedTables | null, overlay: Overlay = new Map()) {
    this.#reporter = reporter;
    this.prepared = prepared;
    this.#overlay = overlay;
  }

  /** @param named the setting that names it; null if it is the default, which need not exist */
  load(directory: string, origin: Origin, named: Section | null): Layer {
    const path = resolve(directory);
    const layer = this.#layers.get(path) ?? this.#loadDirectory(path, origin, named);
    this.#layers.set(path, layer);
    return layer;
  }

  /** Every file that was compiled. */
  files(): readonly CompiledFile[] {
    return [...this.#byContent.values()].filter((file) => file !== null);
  }

  /** Directories and files that were read, including missing directories, which may be created. */
  sources(): readonly string[] {
    return [...this.#looked];
  }

  #loadDirectory(directory: string, origin: Origin, named: Section | null): Layer {
    this.#looked.add(directory);
    const names = this.#list(directory, named);
    if (names === null) return NO_FILES;
    const layer = new Map<string, CompiledFile>();
    for (const name of names) {
      const file = join(directory, name);
      this.#looked.add(file);
      const locale = this.#localeOf(file, name, origin);
      if (locale === null) continue;
      const compiled = this.#loadFile(file, locale, origin);
      if (compiled === null) continue;
      if (layer.has(locale)) {
        const message = `there is another file for ${locale} in this directory`;
        this.#reporter.error(createSource(file, ""), START, "duplicate", message);
      }
      layer.set(locale, compiled);
    }
    return layer;
  }

  #list(directory: string, named: Section | null): string[] | null {
    const over = [...this.#overlay].filter(([file]) => dirname(file) === directory);
    const added = over.flatMap(([file, text]) => (text === null ? [] : [basename(file)]));
    try {
      const names = readdirSync(directory).filter(
        (name) => this.#overlay.get(join(directory, name)) !== null,
      );
      for (const name of names) this.#warnOfUnread(join(directory, name), name);
      return [...new Set([...names, ...added])].filter(isYamlName).sort();
    } catch (error) {
      const missing = isAbsent(error);
      if (missing && added.length > 0) return added.sort();
      if (missing && named === null) return null;
      const message = `the directory ${directory}: ${missing ? "there is none" : reasonOf(error)}`;
      const hint = missing ? "Make it, or remove `dir`." : null;
      if (named !== null) named.error("unreadable", message, hint);
      else this.#reporter.error(createSource(directory, ""), START, "unreadable", message);
      return null;
    }
  }

  /** Warns of files that other programs have written in another format, such as `fr.json`. */
  #warnOfUnread(file: string, name: string): void {
    const stem = /^([a-z]{2,3}(?:[-_][a-z0-9]{2,8})*)\.(?:\w+\.)?(\w+)$/i.exec(name);
    const tag = stem === null || isYamlName(name) ? null : parseTag(stem[1] ?? "");
    if (tag === null || tag.reduced || LEFT_BY_EDITORS.test(name) || !isKnownLanguage(tag.base))
      return;
    const message = `${name} is not read: files of texts end in .yaml or .yml`;
    this.#reporter.warn(createSource(file, ""), START, "unreadable", message);
  }

  /** Reads the locale of a file name. Names without findings are cached: all directories share them. */
  #localeOf(file: string, name: string, origin: Origin): string | null {
    const remembered = this.#localesByName.get(name);
    if (remembered !== undefined) return remembered;
    const stem = name.replace(/\.ya?ml$/i, "");
    const locale = toCanonicalTag(stem);
    const source = createSource(file, "");
    if (locale === null) {
      const meant = meantBy(stem);
      const hint = meant === null ? NAMING : `Rename it to ${meant}.yaml.`;
      const message = `a messages file is named for its language, and "${stem}" is no language tag`;
      this.#reporter.error(source, START, "unknown-locale", message, hint);
    } else if (origin === "own" && !isKnownLanguage(locale)) {
      const message = `no language is known by the tag "${locale}"`;
      this.#reporter.warn(source, START, "unknown-locale", message, NAMING);
    } else this.#localesByName.set(name, locale);
    return locale;
  }

  #loadFile(file: string, locale: string, origin: Origin): CompiledFile | null {
    const over = this.#overlay.get(file);
    const bytes =
      typeof over === "string"
        ? this.#overlaid(file, over)
        : readBytes(file, MAX_BYTES, this.#reporter);
    if (bytes === null) return null;
    const digest = hash("sha256", bytes);
    const content = `${origin} ${locale} ${digest}`;
    const equal = this.#byContent.get(content);
    if (equal !== undefined) return equal;
    const known = origin === "shipped" ? this.prepared?.files[digest] : undefined;
    const ready = known?.locale === locale ? known : null;
    const read = (): MessagesFile | null =>
      origin === "shipped"
        ? this.#readShipped(file, bytes, locale, digest)
        : this.#readFile(file, bytes, locale, origin);
    const messages = ready === null ? read() : createUnread(locale, origin, read);
    const compiled = messages === null ? null : compileFile(messages, this.#byContent.size, ready);
    this.#byContent.set(content, compiled);
    return compiled;
  }

  #readFile(file: string, bytes: Uint8Array, locale: string, origin: Origin): MessagesFile | null {
    const source = decodeSource(file, bytes, this.#reporter);
    return source === null ? null : readMessages(source, locale, origin, this.#reporter);
  }

  #readShipped(
    file: string,
    bytes: Uint8Array,
    locale: string,
    digest: string,
  ): MessagesFile | null {
    const before = shippedBefore.get(file);
    if (before?.digest === digest) return before.read;
    const found = this.#reporter.diagnostics().length;
    const read = this.#readFile(file, bytes, locale, "shipped");
    const sound = read !== null && this.#reporter.diagnostics().length === found;
    if (sound) shippedBefore.set(file, { digest, read });
    return read;
  }

  /** Encodes the text of an overlay. It is refused like a file that is too large. */
  #overlaid(file: string, text: string): Uint8Array | null {
    const bytes = new TextEncoder().encode(text);
    if (bytes.length <= MAX_BYTES) return bytes;
    const message = `this would have ${bytes.length} bytes; at most ${MAX_BYTES} are read`;
    this.#reporter.error(createSource(file, ""), START, "too-large", message);
    return null;
  }
}

/** Creates a file that is known to be valid. It is parsed only if more than its lines is needed. */
function createUnread(
  locale: string,
  origin: Origin,
  read: () => MessagesFile | null,
): MessagesFile {
  let whole: MessagesFile | null = null;
  const readWhole = (): MessagesFile => {
    whole ??= read();
    if (whole === null)
      throw new AfterwordError("internal", `${locale} was readable when it was built`);
    return whole;
  };
  return {
    locale,
    origin,
    words: null,
    get yaml() {
      return readWhole().yaml;
    },
    get lines() {
      return readWhole().lines;
    },
  };
}

const LEFT_BY_EDITORS = /\.(?:bak|orig|old|tmp|swp|md)$/i;

const NAMING = "Name it for its language, such as fr.yaml or pt-BR.yaml.";

/** Returns the tag that a misspelled file name means (`en_GB`, `fr-`), or null. */
function meantBy(stem: string): string | null {
  const tag = parseTag(dropTrailing(stem, "-_"));
  return tag === null || tag.reduced || !isKnownLanguage(tag.base) ? null : tag.base;
}

// Created on first use, because that takes milliseconds.
let languages: Intl.DisplayNames | null = null;

function isKnownLanguage(locale: string): boolean {
  if (LOCALES.includes(locale)) return true;
  languages ??= new Intl.DisplayNames("en", { type: "language", fallback: "none" });
  return languages.of(locale) !== undefined;
}
